//! A definition and its parts: the public view.

use super::ids::{DefinitionId, NodeId};
use super::program::{NodeKind, Program};
use super::role::{Kind, Role};
use hcl_lr::body::Expression;
use hcl_lr::source::Place;
use hcl_lr::type_expr::Constraint;

/// Something that the files define: what it is called, and where.
#[derive(Clone, Copy)]
pub struct Definition<'d> {
    pub(super) program: &'d Program,
    pub(super) number: DefinitionId,
}

/// An attribute of a definition that is a block.
#[derive(Clone, Copy)]
pub struct DefinitionAttribute<'d> {
    program: &'d Program,
    definition: DefinitionId,
    member: usize,
}

impl<'d> Definition<'d> {
    /// Returns its number, if it is a definition of this program. One of the same files that were read twice is not.
    pub(super) fn number_in(self, program: &Program) -> Option<DefinitionId> {
        std::ptr::eq(self.program, program).then_some(self.number)
    }

    fn entry(self) -> &'d super::program::DefinitionEntry {
        &self.program[self.number]
    }

    fn role(self) -> &'d Role {
        &self.program.roles().roles[self.entry().role]
    }

    /// Returns the address in expressions, such as `local.name`; for a definition that they cannot refer to, such as a
    /// result, its type and labels. In a module that is called, the address of the call comes first.
    pub fn address(self) -> &'d str {
        &self.entry().address
    }

    /// Returns the parts of the address before and after the name. `None` if the address does not contain the name: if the
    /// language fixes it, or the address has the label of the block around it instead.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Definitions, Role, Roles};
    /// use hcl_lr::{ConfigFile, parse};
    ///
    /// let roles = Roles::new().with(Role::object("feature", "feature.{name}.value"));
    /// let definitions = Definitions::of(&roles, [parse::<ConfigFile>("feature \"run\" {}\n").into_result()?]).into_result()?;
    /// let feature = definitions.get("feature.run.value").expect("it is there");
    /// assert_eq!(feature.around_name(), Some(("feature.", ".value")));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn around_name(self) -> Option<(&'d str, &'d str)> {
        let address = self.address();
        let module = self.module().map_or(0, |module| module.len() + 1);
        let after: usize = match self.entry().has_address {
            true => {
                let steps: Vec<&str> = address[module..].split('.').collect();
                let at = self.role().name_step(&steps)?;
                steps[at + 1..].iter().map(|step| step.len() + 1).sum()
            }
            false => 0,
        };
        let (before, after) = address.split_at(address.len() - after);
        Some((before.strip_suffix(self.name())?, after))
    }

    /// The name that is written where it is defined: in most languages the last step of the address.
    pub fn name(self) -> &'d str {
        &self.entry().name
    }

    /// Returns the place of the name; a label with its quotes.
    pub fn name_place(self) -> &'d Place {
        &self.entry().name_place
    }

    /// Returns the place: the attribute, or the header of the block.
    pub fn place(self) -> &'d Place {
        &self.entry().place
    }

    /// The type of its block; of an attribute in a block, the type of this block, and nothing for attributes of the
    /// file itself.
    pub fn block_type(self) -> Option<&'d str> {
        self.role().block_type()
    }

    /// The address of the call of the module that it is in; `None` in the files of the application.
    pub fn module(self) -> Option<&'d str> {
        self.program[self.entry().module].prefix.strip_suffix('.')
    }

    /// The [key](super::LoadedModule::new) of the module that it is in; `None` in the files of the application.
    pub fn module_key(self) -> Option<&'d str> {
        self.program[self.entry().module].key.as_deref()
    }

    /// Returns true if it is a result: expressions cannot refer to it, but callers of the module can.
    pub fn is_result(self) -> bool {
        !self.entry().has_address && matches!(self.role().kind, Kind::Value { .. } | Kind::Attributes)
    }

    /// Returns true if its value can come from outside.
    pub fn is_input(self) -> bool {
        self.role().is_input()
    }

    /// Returns true if the files say that its value must not be shown, by `sensitive = true` or `ephemeral = true`. The
    /// value is marked then, but what its [expression](Self::expression) is made of need not be.
    pub fn is_sensitive(self) -> bool {
        match &self.program[self.entry().node].kind {
            NodeKind::Input(input) => input.is_hidden(),
            NodeKind::Expression { sensitive, ephemeral, .. } => *sensitive || *ephemeral,
            _ => false,
        }
    }

    /// Returns true if the files say that its value must not be stored, by `ephemeral = true` or by the type of its block.
    pub fn is_ephemeral(self) -> bool {
        match &self.program[self.entry().node].kind {
            NodeKind::Input(input) => input.ephemeral,
            NodeKind::Expression { ephemeral, .. } => *ephemeral,
            NodeKind::Object { .. } => self.role().options.ephemeral && self.program.roles().protects_ephemeral(),
            _ => false,
        }
    }

    /// Returns the type of an input or a result with its defaults, if it says one.
    pub fn constraint(self) -> Option<&'d Constraint> {
        match &self.program[self.entry().node].kind {
            NodeKind::Input(input) => input.constraint.as_ref(),
            NodeKind::Expression { constraint, .. } => constraint.as_deref(),
            _ => None,
        }
    }

    /// Returns true if it defines a function.
    pub fn is_function(self) -> bool {
        matches!(self.role().kind, Kind::Function)
    }

    /// Returns true if it calls a module.
    pub fn is_module(self) -> bool {
        self.role().is_module()
    }

    /// Returns true if it has more attributes than are written, which are only known later: an open block, a block that
    /// is only known later as a whole, or the call of a module that was not loaded.
    pub fn is_open(self) -> bool {
        matches!(self.program[self.entry().node].kind, NodeKind::Object { open: true, .. } | NodeKind::Later)
    }

    /// Returns true if it stands for any number of blocks, by `for_each` or `count`.
    pub fn is_repeated(self) -> bool {
        self.program.is_many(self.entry().repeated)
    }

    /// Returns the expression of `for_each` or `count` that repeats it.
    pub fn repeated_by(self) -> Option<&'d Expression> {
        let repeat = self.program[self.entry().repeated?].repeat?;
        match &self.program[repeat].kind {
            NodeKind::Repeat { expression, .. } => Some(expression),
            _ => None,
        }
    }

    /// The expression for its value. An input has the one for its default. Blocks have none, but parts.
    pub fn expression(self) -> Option<&'d Expression> {
        let node = match &self.program[self.entry().node].kind {
            NodeKind::Input(input) => input.default?,
            _ => self.entry().node,
        };
        expression_of(self.program, node)
    }

    /// The attributes of its block that are part of its value, or the arguments of the module that it calls, in
    /// source order.
    pub fn parts(self) -> impl ExactSizeIterator<Item = DefinitionAttribute<'d>> {
        let (program, definition) = (self.program, self.number);
        (0..self.entry().members.len()).map(move |member| DefinitionAttribute { program, definition, member })
    }
}

impl<'d> DefinitionAttribute<'d> {
    fn member(self) -> &'d super::program::Member {
        &self.program[self.definition].members[self.member]
    }

    /// Its name.
    pub fn name(self) -> &'d str {
        &self.member().name
    }

    /// Returns the place of its name.
    pub fn name_place(self) -> &'d Place {
        &self.member().name_place
    }

    /// The expression for its value.
    pub fn expression(self) -> Option<&'d Expression> {
        expression_of(self.program, self.member().node)
    }
}

fn expression_of(program: &Program, node: NodeId) -> Option<&Expression> {
    match &program[node].kind {
        NodeKind::Expression { expression, .. } => Some(expression),
        _ => None,
    }
}

impl PartialEq for Definition<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.program, other.program) && self.number == other.number
    }
}

impl Eq for Definition<'_> {}

impl std::fmt::Debug for Definition<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}", self.address(), self.name_place())
    }
}

impl std::fmt::Debug for DefinitionAttribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}", self.name(), self.name_place())
    }
}
