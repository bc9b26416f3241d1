//! The definitions of the files, and the dependencies between them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::{Index, IndexMut};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, OnceLock};

use crate::definitions::function::OwnFunction;
use crate::definitions::generated::Generated;
use crate::definitions::ids::{DefinitionId, FrameId, FunctionId, ModuleId, NameId, NodeId, RoleId, Table};
use crate::definitions::names::Names;
use crate::definitions::roles::Roles;
use crate::definitions::string_references::StringReferences;
use crate::definitions::{ConfigFile, Inputs};
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::internal::sort_by_key;
use hcl_lr::internal::{EPHEMERAL, SENSITIVE};
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::model::{Mark, MarkSet, Value};
use hcl_lr::source::Place;
use hcl_lr::type_expr::Constraint;

mod named;
mod order;
pub(in crate::definitions) mod resolve;

/// A program, as far as it is known before its evaluation.
pub(in crate::definitions) struct Program {
    roles: Arc<Roles>,
    tables: Tables,
    /// The nodes that are objects of everything below a name, with the name.
    wholes: HashMap<NodeId, String>,
    replaced: Vec<ReplacedArgument>,
    /// The strings that name definitions, and one error for each that names none.
    named: Vec<NamedUse>,
    undefined_names: Diagnostics,
    computes_sources: bool,
    later_calls: BTreeSet<Box<str>>,
    /// The definitions in the order of their addresses. Filled on first use.
    by_address: OnceLock<Vec<DefinitionId>>,
    /// The definitions by the names of the sources that define them. Filled on first use.
    by_source: OnceLock<HashMap<String, Vec<DefinitionId>>>,
    /// The number of names for which similar names have been searched.
    advised: AtomicU32,
    order: Vec<NodeId>,
    /// The references to definitions that depend on all of their blocks, by the nodes that have them.
    needs_of_wholes: Vec<(NodeId, Need)>,
}

/// The parts of a program, by their ids.
#[derive(Default)]
pub(in crate::definitions) struct Tables {
    pub modules: Table<ModuleId, Module>,
    pub frames: Table<FrameId, Frame>,
    pub nodes: Table<NodeId, Node>,
    pub definitions: Table<DefinitionId, DefinitionEntry>,
    pub functions: Table<FunctionId, Arc<OwnFunction>>,
}

/// An argument of a call that another file replaces.
pub(in crate::definitions) struct ReplacedArgument {
    pub call: DefinitionId,
    pub name: Box<str>,
    pub name_place: Place,
}

/// A module: the files of the application, or those of a module that it calls. Each module has its own names.
pub(in crate::definitions) struct Module {
    /// The frame of definitions in it that are not repeated.
    pub frame: FrameId,
    pub names: Names,
    /// The prefix of addresses in it, such as `module.network.`.
    pub prefix: String,
    pub documents: Vec<ConfigFile>,
    /// Variables that only its expressions see.
    pub variables: HashMap<String, Value>,
    /// The loader's key for the module; `None` for the root.
    pub key: Option<String>,
    /// The module that calls it, and the definition that is the call.
    pub parent: Option<ModuleId>,
    pub call: Option<DefinitionId>,
    pub results: Vec<(Box<str>, NodeId)>,
    /// Its inputs, by the names under which they are given.
    pub inputs: HashMap<String, NodeId>,
    /// True if it defines functions, which only its own expressions can call.
    pub has_functions: bool,
    /// True if one of its functions has the name of a library function that reads only a part of its argument, such as
    /// `values`.
    pub has_other_functions: bool,
}

/// A block that is repeated by `for_each` or `count`, or a module with all of its definitions. For each instance of the
/// frame around it, it has any number of instances.
pub(in crate::definitions) struct Frame {
    pub parent: Option<FrameId>,
    /// The node whose value says what it is repeated for.
    pub repeat: Option<NodeId>,
}

/// Anything that can be evaluated, once for each instance of its frame.
pub(in crate::definitions) struct Node {
    pub kind: NodeKind,
    pub module: ModuleId,
    pub frame: FrameId,
    /// The references of its expressions.
    pub uses: Box<[Use]>,
    /// The nodes that must be evaluated before.
    pub needs: Box<[Need]>,
    /// The definition that it is, or is a part of.
    pub definition: Option<DefinitionId>,
    pub place: Place,
    /// The block that it is written in.
    pub block: Option<DefinitionId>,
}

impl Node {
    /// Returns the function, if the node is one.
    pub fn function(&self) -> Option<FunctionId> {
        match self.kind {
            NodeKind::Function(number) => Some(number),
            _ => None,
        }
    }
}

/// A node that another node needs.
#[derive(Clone)]
pub(in crate::definitions) struct Need {
    pub node: NodeId,
    /// The place of the reference, if there is one.
    pub place: Option<Place>,
}

pub(in crate::definitions) enum NodeKind {
    Expression {
        expression: Expression,
        sensitive: bool,
        ephemeral: bool,
        /// True if it is the value of an attribute of an open block, which may differ from the written one.
        in_open_block: bool,
        /// True if it sees no names, and only the functions that its role allows: a constant default.
        alone: bool,
        /// True if the program that reads the files does not evaluate it, as a type or an address: what it names need not
        /// be defined, and no error in its value is one.
        apart: bool,
        /// The type that the value of a result is converted to.
        constraint: Option<Box<Constraint>>,
    },
    Input(Box<InputNode>),
    /// An object of the values of other nodes.
    Object {
        members: Box<[(Box<str>, Target)]>,
        /// Nested blocks, by their type.
        blocks: Box<[(Box<str>, Vec<NodeId>)]>,
        open: bool,
    },
    /// Blocks of a type of which dynamic blocks generate some.
    Generated(Box<Generated>),
    /// The keys of a frame.
    Repeat {
        frame: FrameId,
        expression: Expression,
        by: Repetition,
    },
    Check(Box<Check>),
    /// An argument of a block in a stored block.
    Stored(Box<Stored>),
    Function(FunctionId),
    /// Only known later.
    Later,
}

/// The attribute that repeats a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::definitions) enum Repetition {
    /// Once for each element of a collection.
    ForEach,
    /// As often as a number says.
    Count,
    /// Once or not at all.
    Enabled,
}

impl Repetition {
    /// Returns the variable that only the block has.
    pub fn variable(self) -> Option<&'static str> {
        match self {
            Repetition::ForEach => Some("each"),
            Repetition::Count => Some("count"),
            Repetition::Enabled => None,
        }
    }
}

pub(in crate::definitions) struct Check {
    pub condition: Expression,
    pub message: Option<Expression>,
    /// True if a failure is only a warning.
    pub warns: bool,
}

/// An argument of a block in a stored block, or the collection for which such blocks are generated.
pub(in crate::definitions) struct Stored {
    pub expression: Expression,
    /// The variables of the `dynamic` blocks around it, from the outside in.
    pub iterators: Iterators,
    /// True if it is such a collection: only the marks of its whole are those of the blocks.
    pub is_collection: bool,
}

pub(in crate::definitions) struct InputNode {
    /// The name under which it is given from outside; `None` in modules that are called.
    pub name: Option<String>,
    pub argument: Option<NodeId>,
    pub default: Option<NodeId>,
    pub constraint: Option<Constraint>,
    pub nullable: bool,
    pub sensitive: bool,
    pub ephemeral: bool,
    pub otherwise: Option<Value>,
    /// True if the default must fit even where another value is given.
    pub is_constant: bool,
    /// True if a value without a type of its own takes that of the default.
    pub typed_by_default: bool,
}

/// The variables of `dynamic` blocks, and the nodes of the collections. A wrong block may have no collection.
pub(in crate::definitions) type Iterators = Vec<(String, Option<NodeId>)>;

impl Stored {
    /// Returns true if a `dynamic` block around it has a variable of this name.
    pub fn has_iterator(&self, name: &str) -> bool {
        self.iterators.iter().any(|(iterator, _)| iterator == name)
    }
}

impl InputNode {
    /// Returns true if the value must not be shown.
    pub fn is_hidden(&self) -> bool {
        self.sensitive || self.ephemeral
    }

    /// Returns the marks that the block puts on values.
    pub fn marks(&self) -> MarkSet {
        let marks = [(self.sensitive, SENSITIVE), (self.ephemeral, EPHEMERAL)];
        marks.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| Mark::new(name)).collect()
    }
}

/// A string that names a definition.
pub(in crate::definitions) struct NamedUse {
    pub module: ModuleId,
    /// The definition that it is written in.
    pub definition: Option<DefinitionId>,
    /// The part of the table that says what it names.
    pub names: Arc<StringReferences>,
    /// The node of this attribute, if it has one.
    pub member: Option<NodeId>,
    pub name: Box<str>,
    /// The place of the string, from the name on.
    pub place: Place,
    /// The place of the last step of the address in it.
    pub name_place: Place,
    /// The definition that it names.
    pub target: Option<DefinitionId>,
}

/// A reference of an expression: a value at a path from a variable.
#[derive(Clone)]
pub(in crate::definitions) struct Use {
    pub path: Box<[Arc<str>]>,
    pub target: Target,
    /// True if the list of uses relies on functions being those of the library.
    pub relies_on_calls: bool,
}

impl Use {
    /// Compares the paths of two references, for the order that a tree of variables needs.
    pub fn by_path(left: &Use, right: &Use) -> std::cmp::Ordering {
        left.path.cmp(&right.path)
    }
}

#[derive(Clone)]
pub(in crate::definitions) enum Target {
    /// The value of a node, in this frame or one around it.
    Node(NodeId),
    /// The values of a node for all instances of a frame in this one or in one around it.
    Collect { frame: FrameId, node: NodeId },
    /// The same for objects of which only one attribute is read. Without a node, it is only known later.
    Part { frame: FrameId, name: Box<str>, node: Option<NodeId> },
    /// The same if no attribute is read, but only the number or the keys of the instances.
    Instances(FrameId),
    /// The iteration variable of the block: `each` or `count`.
    Iteration(FrameId),
    /// An object of everything below a name.
    Below(NameId),
    /// Only known later.
    Later,
    /// Only known later, unless the scope of the evaluation has a variable of this name.
    Given,
    /// An object that has no such attribute.
    Absent,
    /// The text of the reference itself.
    Text(Arc<str>),
}

impl Target {
    /// Returns the nodes that it needs.
    pub fn nodes(&self, frames: &Table<FrameId, Frame>) -> impl Iterator<Item = NodeId> + use<> {
        let (node, frame) = match self {
            Target::Node(node) => (Some(*node), None),
            Target::Collect { frame, node } => (Some(*node), Some(*frame)),
            Target::Part { frame, node, .. } => (*node, Some(*frame)),
            Target::Iteration(frame) | Target::Instances(frame) => (None, Some(*frame)),
            Target::Below(_) | Target::Later | Target::Given | Target::Absent | Target::Text(_) => (None, None),
        };
        node.into_iter().chain(frame.and_then(|frame| frames[frame].repeat))
    }
}

/// A definition in the files.
pub(in crate::definitions) struct DefinitionEntry {
    pub address: Box<str>,
    /// The last step of the address.
    pub name: Box<str>,
    pub module: ModuleId,
    pub role: RoleId,
    pub name_place: Place,
    /// The names of other blocks that define it, too.
    pub also: Vec<Place>,
    pub place: Place,
    pub node: NodeId,
    /// The frame, if it is repeated itself.
    pub repeated: Option<FrameId>,
    pub members: Vec<Member>,
    /// True if expressions can refer to it.
    pub has_address: bool,
    /// Variables that only it has, and that are only known later.
    #[expect(clippy::box_collection, reason = "few have some, and an empty set takes six words")]
    pub variables: Option<Box<std::collections::HashSet<Box<str>>>>,
}

/// An attribute of a definition that is a block.
#[derive(Clone)]
pub(in crate::definitions) struct Member {
    pub name: Box<str>,
    pub node: NodeId,
    pub name_place: Place,
}

impl Program {
    /// Creates a program without files.
    pub fn new(roles: Arc<Roles>) -> Self {
        let mut tables = Tables::default();
        tables.frames.push(Frame { parent: None, repeat: None });
        Program {
            roles,
            tables,
            wholes: HashMap::new(),
            replaced: Vec::new(),
            named: Vec::new(),
            undefined_names: Diagnostics::new(),
            computes_sources: false,
            later_calls: BTreeSet::new(),
            by_address: OnceLock::new(),
            by_source: OnceLock::new(),
            advised: AtomicU32::new(0),
            order: Vec::new(),
            needs_of_wholes: Vec::new(),
        }
    }

    /// Returns true if a definition depends on all that its block refers to.
    fn is_whole(&self, definition: DefinitionId) -> bool {
        self.roles.roles[self[definition].role].options.whole
    }

    pub fn roles(&self) -> &Arc<Roles> {
        &self.roles
    }

    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    pub fn tables_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }

    /// Returns the arguments of calls that other files replace.
    pub fn replaced(&self) -> &[ReplacedArgument] {
        &self.replaced
    }

    pub fn add_replaced(&mut self, arguments: impl Iterator<Item = ReplacedArgument>) {
        self.replaced.extend(arguments);
    }

    /// Returns the strings that name definitions.
    pub fn named(&self) -> &[NamedUse] {
        &self.named
    }

    pub fn add_named(&mut self, named: NamedUse) {
        self.named.push(named);
    }

    /// Returns one error for each string that names no definition.
    pub fn undefined_names(&self) -> &Diagnostics {
        &self.undefined_names
    }

    /// Returns true if a call of a module computes its source.
    pub fn computes_sources(&self) -> bool {
        self.computes_sources
    }

    pub fn note_computed_source(&mut self) {
        self.computes_sources = true;
    }

    /// Returns the names of the called functions whose results are only known later.
    pub fn later_calls(&self) -> &BTreeSet<Box<str>> {
        &self.later_calls
    }

    /// Returns the nodes, each after those that it needs. Nodes in cycles are left out.
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// Returns the nodes of values whose names suggest that they are secret.
    pub fn nodes_with_secret_names(&self) -> HashSet<NodeId> {
        let mut found = HashSet::new();
        for entry in &self.tables.definitions {
            if is_secret_name(&entry.name) {
                found.insert(entry.node);
                if let NodeKind::Input(input) = &self[entry.node].kind {
                    found.extend(input.argument.into_iter().chain(input.default));
                }
            }
            found.extend(entry.members.iter().filter(|member| is_secret_name(&member.name)).map(|member| member.node));
        }
        // Attributes of blocks in blocks.
        for node in &self.tables.nodes {
            let NodeKind::Object { members, .. } = &node.kind else { continue };
            found.extend(members.iter().filter_map(|(name, target)| match target {
                Target::Node(node) if is_secret_name(name) => Some(*node),
                _ => None,
            }));
        }
        found.retain(|node| matches!(self[*node].kind, NodeKind::Expression { .. } | NodeKind::Input(_)));
        found
    }

    /// Returns the definitions whose names are in a source, in source order.
    pub fn in_source(&self, name: &str) -> &[DefinitionId] {
        let by_source = self.by_source.get_or_init(|| {
            let mut all: HashMap<String, Vec<DefinitionId>> = HashMap::new();
            for (number, entry) in self.tables.definitions.pairs() {
                let name = entry.name_place.source().name();
                match all.get_mut(name) {
                    Some(numbers) => numbers.push(number),
                    None => drop(all.insert(name.to_owned(), vec![number])),
                }
            }
            all
        });
        by_source.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the kind of repetition of a frame.
    pub fn repetition(&self, frame: FrameId) -> Option<Repetition> {
        match self[self[frame].repeat?].kind {
            NodeKind::Repeat { by, .. } => Some(by),
            _ => None,
        }
    }

    /// Returns the names of the functions that a constant default can call; `None` if it can call none.
    pub fn default_functions(&self, node: NodeId) -> Option<&[String]> {
        let definition = self[node].definition?;
        self.roles.roles[self[definition].role].default_functions()
    }

    /// Returns true if a definition stands for several blocks, so that an index leads to one of them.
    pub fn is_many(&self, repeated: Option<FrameId>) -> bool {
        repeated.is_some_and(|frame| self.repetition(frame) != Some(Repetition::Enabled))
    }

    /// Finds the definition that the beginning of an address leads to in the files of the application. Also returns the
    /// number of these steps.
    pub fn find(&self, steps: &[&str]) -> Option<(DefinitionId, usize)> {
        let names = &self[ModuleId::ROOT].names;
        names
            .entry_at(NameId::ROOT, steps.iter().copied())
            .or_else(|| names.entry_at(NameId::RESULTS, steps.iter().copied()))
    }

    /// Returns the definition of a result of a call.
    pub fn result(&self, call: DefinitionId, name: &str) -> Option<DefinitionId> {
        let NodeKind::Object { members, .. } = &self[self[call].node].kind else { return None };
        let is_call = self.roles.roles[self[call].role].is_module();
        let (_, target) = members.iter().filter(|_| is_call).find(|(member, _)| &**member == name)?;
        match target {
            Target::Node(node) => self[*node].definition,
            _ => None,
        }
    }

    /// Returns the definition with an address, in any module.
    pub fn at_address(&self, address: &str) -> Option<DefinitionId> {
        let sorted = self.by_address.get_or_init(|| {
            let mut numbers: Vec<DefinitionId> = self.tables.definitions.ids().collect();
            sort_by_key(&mut numbers, |&number| &*self[number].address);
            numbers
        });
        let at = sorted.binary_search_by_key(&address, |&number| &*self[number].address).ok()?;
        Some(sorted[at])
    }

    /// Returns the names of given values that are no inputs of the application.
    pub fn check_inputs(&self, inputs: &Inputs) -> Vec<String> {
        inputs.names().filter(|name| !self[ModuleId::ROOT].inputs.contains_key(*name)).map(str::to_owned).collect()
    }
}

macro_rules! indexed {
    ($($id:ident $table:ident $item:ty,)+) => {$(
        impl Index<$id> for Program {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.tables.$table[id]
            }
        }

        impl IndexMut<$id> for Program {
            fn index_mut(&mut self, id: $id) -> &mut $item {
                &mut self.tables.$table[id]
            }
        }
    )+};
}

indexed! {
    ModuleId modules Module,
    FrameId frames Frame,
    NodeId nodes Node,
    DefinitionId definitions DefinitionEntry,
    FunctionId functions Arc<OwnFunction>,
}
