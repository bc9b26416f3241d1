//! The alternatives that may stand at the place, by the types of the schema, and the items that these types have.
//!
//! [`Checker::expected`] finds the types, and [`Checker::accepts`] judges each item, as in a check of the file: no item is
//! offered that would be an error.

use hcl_lr::eval::Scope;
use hcl_lr::source::Span;
use hcl_lr_language::schema::model::{Defines, DefinitionKind, NameIn};
use hcl_lr_language::schema::{Checker, Expected, Facts, Schema, Type, Within};

use super::{Item, ItemKind, UsedParts};
use crate::cursor::{CallAt, Place, Step};
use crate::description::{self, BodyIn};
use crate::knowledge::BodyAt;
use crate::rank::Context;
use crate::shape::Shape;

/// The alternatives at a place.
pub(super) struct Expectation<'c> {
    /// The alternatives, each with the checker of its schema. Empty if nothing is known.
    alternatives: Vec<(&'c Checker, Expected<'c>)>,
    /// True if only the alternatives may stand there, even if there are none.
    is_known: bool,
    /// The functions that can be called, if the value must be a constant.
    constant: Option<Vec<String>>,
    /// True if a type of a schema file is expected.
    is_schema_type: bool,
}

/// The type of the labels of generated blocks.
static LABELS: Type = Type::Tuple(Vec::new());

/// The type of the attributes of schema files whose values are types.
const TYPE_EXPRESSION: &str = "type_expression";

/// Functions whose results have the types of their arguments.
pub(super) const SAME_TYPE: [&str; 13] = [
    "try",
    "coalesce",
    "coalescelist",
    "toset",
    "tolist",
    "tomap",
    "merge",
    "concat",
    "sensitive",
    "nonsensitive",
    "assumenotnull",
    "assumeequal",
    "ephemeralasnull",
];

impl<'c> Expectation<'c> {
    const UNKNOWN: Expectation<'static> =
        Expectation { alternatives: Vec::new(), is_known: false, constant: None, is_schema_type: false };

    /// Returns true if the types of the schema do not say what may stand at the place.
    pub fn is_unknown(&self) -> bool {
        !self.is_known || self.alternatives.iter().any(|(_, expected)| expected.is_anything())
    }

    /// Returns true if the text around the place asks for another shape than this one.
    pub fn excludes(&self, context: &Context<'_>, shape: Shape) -> bool {
        let is_collection = matches!(shape, Shape::Map | Shape::List | Shape::Set);
        !self.is_unknown() && is_collection && !self.takes_collections()
            || context.asked.is_some_and(|asked| asked.excludes(shape))
    }

    /// Returns true if a list, set, map or object may stand at the place.
    fn takes_collections(&self) -> bool {
        self.alternatives.iter().any(|(_, expected)| match expected {
            Expected::Type(ty) => {
                use Type::{List, Map, Object, Set, Tuple};
                ty.is_static() || matches!(ty, List(_) | Set(_) | Map(_) | Tuple(_) | Object(_))
            }
            _ => true,
        })
    }

    /// Returns false if a bool would be converted at the place, or be wrong.
    pub fn takes_bools(&self) -> bool {
        let is_bool = |ty: &Type| matches!(ty, Type::Bool | Type::Literal(_));
        self.is_unknown() || self.alternatives.is_empty() || self.types().any(is_bool)
    }

    /// Returns the functions that can be called, if the value must be a constant.
    pub fn constant(&self) -> Option<&[String]> {
        self.constant.as_deref()
    }

    pub(super) fn types(&self) -> impl Iterator<Item = &'c Type> {
        self.alternatives.iter().filter_map(|(_, expected)| match expected {
            Expected::Type(ty) => Some(*ty),
            _ => None,
        })
    }

    /// Returns true if nothing at the place is evaluated, so that values and functions are wrong.
    pub fn is_static(&self) -> bool {
        // Addresses may be written in quotes, too.
        let is_name = |expected: &Expected<'_>| matches!(expected, Expected::Type(Type::Name(_)));
        let mut all = self.alternatives.iter().map(|(_, expected)| expected);
        let is_any = self.alternatives.is_empty() || all.clone().any(Expected::is_static);
        self.is_known && is_any && all.all(|expected| expected.is_static() || is_name(expected))
    }

    /// Returns true if a type is expected, as in `type = list(string)`.
    pub fn is_type(&self) -> bool {
        self.is_known && self.types().any(|ty| matches!(ty, Type::TypeExpression))
    }

    /// Returns true if only a list in brackets may stand at the place.
    pub fn is_brackets(&self) -> bool {
        self.types().any(|ty| std::ptr::eq(ty, &LABELS))
    }

    /// Returns true if a type of a schema file is expected.
    pub fn is_schema_type(&self) -> bool {
        self.is_schema_type
    }

    /// Returns the strings that may name definitions at the place.
    pub fn names(&self) -> impl Iterator<Item = (&'c Checker, &'c NameIn)> {
        self.alternatives.iter().filter_map(|(checker, expected)| match expected {
            Expected::Type(Type::Name(name)) => Some((*checker, &**name)),
            _ => None,
        })
    }

    /// Returns the alternatives.
    pub fn alternatives(&self) -> &[(&'c Checker, Expected<'c>)] {
        &self.alternatives
    }

    /// Returns true if an expression may stand at the place, as far as it is known.
    pub fn accepts(&self, text: &str) -> bool {
        if self.is_unknown() {
            return true;
        }
        let Ok(expression) = hcl_lr::parse::<hcl_lr::Expression>(text).into_result() else { return true };
        let facts = Facts::default();
        self.alternatives.iter().any(|(checker, expected)| checker.accepts(expected, &expression, &facts))
    }
}

impl UsedParts<'_> {
    /// Returns what may stand at the place in the value around it.
    pub(super) fn expectation(&self) -> Expectation<'_> {
        let found = self.expected_value();
        // The type of an operand is not that of the whole.
        let may_be_operand = matches!(self.cursor.place, Place::Expression { .. } | Place::Member { .. });
        match !may_be_operand || found.is_static() || found.is_schema_type || self.is_whole() {
            true => found,
            false => Expectation { constant: found.constant, ..Expectation::UNKNOWN },
        }
    }

    /// Returns what may be the value at the place, whatever is there.
    pub(super) fn expected_value(&self) -> Expectation<'_> {
        match (&self.cursor.attribute, &self.cursor.steps) {
            (Some(attribute), Some(steps)) => self.expected_after(attribute, steps),
            // An operand must be a constant, too, where the whole must be one.
            (Some(attribute), None) => {
                Expectation { constant: self.expected_after(attribute, &[]).constant, ..Expectation::UNKNOWN }
            }
            (None, _) => Expectation::UNKNOWN,
        }
    }

    /// Returns what may stand after some steps into the value of an attribute of the body around the place.
    fn expected_after(&self, attribute: &str, steps: &[Step]) -> Expectation<'_> {
        // The value of a string that consists of one interpolation is that of the expression in it.
        let steps = match steps {
            [outer @ .., Step::Template, Step::Interpolation] if self.is_whole_interpolation() => outer,
            all => all,
        };
        let has = |name: &str| {
            let native = self.file.native();
            native.is_some_and(|native| hcl_lr_language::schema::has_at_top(&native.into(), name))
        };
        let value = |depth: usize, name: &str| self.constant(depth, name);
        let at = BodyAt { path: self.file.path(), blocks: &self.cursor.blocks, value: &value, has: &has };
        let mut alternatives = Vec::new();
        let blocks: Vec<&str> = self.cursor.blocks.iter().map(|block| &*block.block_type).collect();
        let companion = self.project.language().roles().companions_of(self.file.name());
        let gives_values = companion.is_some_and(|files| files.gives_inputs(&blocks));
        let (mut is_known, mut constant) = (false, gives_values.then(Vec::new));
        let mut is_schema_type = false;
        let unknown = |constant, is_schema_type| Expectation { constant, is_schema_type, ..Expectation::UNKNOWN };
        // The default of an attribute in a type.
        let is_default =
            |step: &Step| matches!(step, Step::Argument(CallAt { name, argument: 1 }) if name == "optional");
        if steps.iter().any(is_default) {
            constant = Some(Vec::new());
        }
        for checker in &self.checkers {
            let (start, steps) = match description::find(checker, &at) {
                Some(BodyIn::Known { layers, block, .. }) => {
                    let defines = block.as_ref().and_then(|block| block.defines.as_ref());
                    let known = layers.attribute(attribute);
                    let listed = known.or_else(|| layers.free_attribute());
                    let own = listed.and_then(|listed| listed.defines.as_ref());
                    constant = constant
                        .or_else(|| constants(defines?, attribute))
                        .or_else(|| listed.filter(|listed| listed.constant == Some(true)).map(|_| Vec::new()))
                        .or_else(|| self.constant_elsewhere(checker, attribute))
                        .or_else(|| own.filter(|own| is_constant_input(own)).map(|own| own.functions.clone()))
                        .or_else(|| self.is_in_schema(listed.map(|listed| &listed.ty)).then(Vec::new));
                    let input = || self.input_type().filter(|_| known.is_none());
                    let ty = match input() {
                        Some(ty) => Some(ty),
                        None => listed.map(|listed| &listed.ty),
                    };
                    let Some(ty) = ty else {
                        // Blocks that may be written as objects.
                        if layers.block(attribute).is_some() {
                            let body = [Expected::Body(layers)];
                            let start = checker.expected_within(&body, Within::Key(attribute));
                            let Some(found) = descend(checker, start, steps) else {
                                return unknown(constant, is_schema_type);
                            };
                            is_known = true;
                            alternatives.extend(found.into_iter().map(|expected| (&**checker, expected)));
                            continue;
                        }
                        if layers.is_open() {
                            return unknown(constant, is_schema_type);
                        }
                        continue;
                    };
                    let is_input = defines.is_some_and(|defines| defines.value == DefinitionKind::Input);
                    let mut types = layers.attributes().filter(|other| matches!(other.ty, Type::TypeExpression));
                    is_schema_type |= self.is_in_schema(Some(ty)) && *ty == Type::Named(TYPE_EXPRESSION.to_owned());
                    let typed_by = match ty {
                        Type::TypedBy(other) => self.typed_by(other),
                        Type::Any if is_input && attribute == "default" => {
                            types.next().and_then(|other| self.typed_by(&other.name))
                        }
                        _ => None,
                    };
                    (checker.expected(typed_by.unwrap_or(ty)), steps)
                }
                Some(BodyIn::Dynamic(block)) => match (attribute, block, steps.split_first()) {
                    ("iterator", ..) => (Vec::new(), &[][..]),
                    // The labels must be in brackets, so that their number is known.
                    ("labels", _, None) => (vec![Expected::Type(&LABELS)], &[][..]),
                    ("labels", Some(block), Some((Step::Element(at), rest))) => {
                        match block.labels.get(*at).or(block.labels.last()) {
                            Some(label) => (self.label_types(checker, &label.ty), rest),
                            None => continue,
                        }
                    }
                    _ => return Expectation::UNKNOWN,
                },
                None => continue,
            };
            let Some(found) = descend(checker, start, steps) else {
                return unknown(constant, is_schema_type);
            };
            is_known = true;
            alternatives.extend(found.into_iter().map(|expected| (&**checker, expected)));
        }
        Expectation { alternatives, is_known, constant, is_schema_type }
    }

    /// Returns the functions that the default of an input can call, if other files of the language define such inputs.
    fn constant_elsewhere(&self, checker: &Checker, attribute: &str) -> Option<Vec<String>> {
        let [header] = &self.cursor.blocks[..] else { return None };
        let blocks = checker.schema().parts.iter().flat_map(|part| &part.body.blocks);
        let mut same = blocks.filter(|block| block.name == header.block_type && attribute == "default");
        same.find_map(|block| constants(block.defines.as_ref()?, attribute))
    }

    /// Returns true if the place is the whole of a string such as `"${name}"`.
    fn is_whole_interpolation(&self) -> bool {
        let text = self.file.source().text();
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
        let before = text.get(..self.cursor.offset).unwrap_or_default().trim_end_matches(is_part);
        let after = text.get(self.cursor.offset..).unwrap_or_default().trim_start_matches(is_part);
        before.trim_end().ends_with("\"${") && after.trim_start().starts_with("}\"")
    }

    /// Returns true if the value of an attribute of a type is read from a schema file, so that nothing in it is evaluated.
    fn is_in_schema(&self, ty: Option<&Type>) -> bool {
        let is_evaluated = ty.is_some_and(|ty| matches!(ty, Type::Any | Type::Expression));
        self.project.language().name() == "schema" && !is_evaluated
    }

    /// Returns the type that the value of another attribute of the body denotes.
    fn typed_by(&self, other: &str) -> Option<&Type> {
        let written = || {
            let attribute = self.body()?.attribute(other)?;
            let expression = hcl_lr::Expression::from(attribute.expression());
            let constraint = hcl_lr::type_expr::read_constraint(&expression).ok()?;
            Some(Type::for_values(constraint.ty()))
        };
        // Another file may have the type, which this one changes.
        let elsewhere = || {
            let name = self.cursor.blocks.last()?.labels.last()?;
            let mut inputs = self.project.definitions().iter().filter(|definition| definition.is_input());
            let input = inputs.find(|input| input.module().is_none() && input.name() == name)?;
            Some(Type::for_values(input.constraint()?.ty()))
        };
        let find = || written().or_else(elsewhere);
        self.typed_by.get_or_init(find).as_ref()
    }

    /// Returns true if sensitive values cannot be used at the place: in a result that does not say so, and in the
    /// collection that a block is repeated for.
    pub(super) fn refuses_sensitive(&self) -> bool {
        self.is_result(|schema| schema.protects_sensitive) && !self.is_true("sensitive") || self.is_collection()
    }

    /// Returns true if the place is in the collection that a block is repeated for, in a language that shows no sensitive
    /// values in addresses.
    fn is_collection(&self) -> bool {
        let is_collection = self.cursor.attribute.is_some() && self.repetition().0 == self.cursor.attribute.as_deref();
        is_collection && self.checkers.iter().any(|checker| checker.schema().protects_sensitive)
    }

    /// Returns true if the place is in the number or collection that a block is repeated by.
    pub(super) fn is_repetition(&self) -> bool {
        let (for_each, count) = self.repetition();
        let attribute = self.cursor.attribute.as_deref();
        attribute.is_some() && (attribute == for_each || attribute == count)
    }

    /// Returns true if the place is in the number that a block is repeated by.
    pub(super) fn is_count(&self) -> bool {
        let attribute = self.cursor.attribute.as_deref();
        attribute.is_some() && attribute == self.repetition().1
    }

    /// Returns the attributes of the block around the place that repeat it: by a collection, and by a number.
    pub(super) fn repetition(&self) -> (Option<&str>, Option<&str>) {
        let [outer] = &self.cursor.blocks[..] else { return (None, None) };
        let mut roles = self.project.language().roles().roles().iter();
        let role = roles.find(|role| role.block_type() == Some(&outer.block_type));
        role.map_or((None, None), |role| role.repeated_by())
    }

    /// Returns true if the place is in a result of the files, in a language of a kind.
    fn is_result(&self, of_kind: impl Fn(&Schema) -> bool) -> bool {
        let [outer] = &self.cursor.blocks[..] else { return false };
        self.checkers.iter().filter(|checker| of_kind(checker.schema())).any(|checker| {
            let block = description::find_top(checker, self.file.path(), outer);
            let defines = block.as_ref().and_then(|block| block.defines.as_ref());
            defines.is_some_and(|defines| defines.value == DefinitionKind::Value && defines.address.is_none())
        })
    }

    /// Returns true if an attribute of the body around the place is set to true.
    fn is_true(&self, name: &str) -> bool {
        let attribute = self.body().and_then(|body| body.attribute(name));
        let value = attribute.and_then(|attribute| attribute.expression().evaluate(&Scope::new()).ok());
        value.and_then(|value| value.as_bool()).unwrap_or(false)
    }

    /// Returns true if the place is in a result of an application, which is stored: files are certainly no module of another
    /// application if they have a block that only an application has.
    pub(super) fn is_stored_result(&self) -> bool {
        let has = |path: &String| {
            path.split_once('.').is_some_and(|(outer, inner)| {
                let files = self.project.files().iter().filter_map(|file| file.native());
                let mut outer = files.flat_map(|native| native.body().blocks_of_type(outer));
                outer.any(|block| block.body().blocks_of_type(inner).next().is_some())
            })
        };
        self.is_result(|schema| schema.protects_ephemeral && schema.application.iter().any(has))
    }

    /// Returns true if an ephemeral value cannot be kept at the place.
    pub(super) fn refuses_ephemeral(&self) -> bool {
        let (Some(outer), Some(attribute)) = (self.cursor.blocks.first(), &self.cursor.attribute) else { return false };
        if self.is_result(|schema| schema.protects_ephemeral) {
            return !self.is_true("ephemeral");
        }
        self.checkers.iter().filter(|checker| checker.schema().protects_ephemeral).any(|checker| {
            let Some(block) = description::find_top(checker, self.file.path(), outer) else { return false };
            let Some(defines) = &block.defines else { return false };
            let is_write_only = || {
                defines.write_only.iter().any(|pattern| match pattern.strip_prefix('*') {
                    Some(end) => attribute.ends_with(end),
                    None => pattern == attribute,
                })
            };
            defines.stored && !is_write_only()
        })
    }

    /// Returns the alternatives for a label of a generated block, whose type lives as long as the checker.
    fn label_types<'s>(&'s self, checker: &'s Checker, ty: &Type) -> Vec<Expected<'s>> {
        match ty {
            Type::String => vec![Expected::Type(&Type::String)],
            Type::Named(name) => checker.schema().types.get(name).map_or_else(Vec::new, |ty| checker.expected(ty)),
            _ => vec![Expected::Type(&Type::Any)],
        }
    }

    /// Returns the constant text of an attribute of a block around the place.
    fn constant(&self, depth: usize, name: &str) -> Option<String> {
        crate::diagnostics::value_in(self.file, &self.cursor.blocks, depth, name)
    }

    /// Returns the type of the module's input, or of the file's input, that the attribute at the place sets.
    fn input_type(&self) -> Option<&Type> {
        let find = || {
            let attribute = self.cursor.attribute.as_ref()?;
            let of_call = self.type_of_input(attribute);
            Some(Type::for_values(&of_call.or_else(|| self.type_of_given_input(attribute))?))
        };
        self.input.get_or_init(find).as_ref()
    }

    /// Returns the type of the input that an attribute of a file with values sets.
    fn type_of_given_input(&self, attribute: &str) -> Option<hcl_lr::model::Type> {
        let blocks: Vec<&str> = self.cursor.blocks.iter().map(|block| &*block.block_type).collect();
        let files = self.project.language().roles().companions_of(self.file.name())?;
        let mut inputs = self.project.definitions().iter().filter(|definition| definition.is_input());
        let input = inputs.find(|input| input.module().is_none() && input.name() == attribute)?;
        let ty = crate::hover::described(self.snapshot, &input).ty;
        ty.filter(|_| files.gives_inputs(&blocks))
    }

    /// Removes the items that would be wrong at the place. `before` is the text of the expression before the item.
    pub(super) fn retain_accepted(&self, expectation: &Expectation<'_>, before: &str, items: &mut Vec<Item>) {
        if !expectation.is_known {
            return;
        }
        let is_called = self.rest().starts_with('(');
        items.retain_mut(|item| {
            let text = || format!("{before}{}{}", item.text, if is_called { "()" } else { "" });
            if item.is_start || expectation.accepts(&text()) {
                return true;
            }
            // An operator or an index may follow a call.
            item.is_start = item.kind == ItemKind::Function && self.is_typed(&item.label, item.span);
            item.is_start
        });
    }

    /// Returns true if the name is being typed: the text at the place is its start.
    pub(super) fn is_typed(&self, name: &str, prefix: Span) -> bool {
        const LEAST: usize = 2;
        let typed = self.file.source().text().get(prefix.range()).unwrap_or_default();
        typed.len() >= LEAST && name.starts_with(typed)
    }

    /// Returns true if the name at the place is the whole expression, or an operand whose type is that of the whole.
    fn is_whole(&self) -> bool {
        let text = self.file.source().text();
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let mut after = text.get(self.cursor.offset..).unwrap_or_default().trim_start_matches(is_part);
        if after.starts_with('(') {
            match super::near::call_end(after) {
                Some(end) => after = &after[end..],
                None => return false,
            }
        }
        let is_open = matches!(self.cursor.steps.as_deref(), Some([.., Step::Element(_) | Step::Key(_)]));
        if after.starts_with(['.', '[']) {
            return false;
        }
        let after = after.trim_start_matches([' ', '\t']);
        after.is_empty() || after.starts_with(['\n', '\r', ',', ']', '}', ')', '#', ':']) || is_open && after.is_empty()
    }
}

fn is_constant_input(defines: &Defines) -> bool {
    defines.value == DefinitionKind::Input && defines.constant
}

/// Returns the functions that the value of an attribute can call, if it must be a constant: the default of some inputs,
/// and the flags of inputs and values.
fn constants(defines: &Defines, attribute: &str) -> Option<Vec<String>> {
    let is_flag = matches!(attribute, "sensitive" | "ephemeral" | "nullable");
    match defines.value {
        DefinitionKind::Input if attribute == "default" && is_constant_input(defines) => {
            Some(defines.functions.clone())
        }
        DefinitionKind::Input | DefinitionKind::Value if is_flag => Some(Vec::new()),
        _ => None,
    }
}

/// Returns what may stand after some steps into values of these alternatives. `None` if nothing is known there.
fn descend<'c>(checker: &'c Checker, start: Vec<Expected<'c>>, steps: &[Step]) -> Option<Vec<Expected<'c>>> {
    let mut around = start;
    for step in steps {
        let is_type = !around.is_empty()
            && around.iter().all(|expected| matches!(expected, Expected::Type(Type::TypeExpression)));
        if is_type {
            match step {
                // The default of an attribute.
                Step::Argument(CallAt { name, argument: 1.. }) if name == "optional" => return None,
                _ => continue,
            }
        }
        if around.iter().any(Expected::is_anything) {
            return None;
        }
        around = match step {
            Step::Element(at) => checker.expected_within(&around, Within::Element(*at)),
            Step::Key(Some(name)) => checker.expected_within(&around, Within::Key(name)),
            Step::Key(None) | Step::EachValue { is_object: true } => checker.expected_within(&around, Within::AnyKey),
            Step::EachValue { is_object: false } => checker.expected_within(&around, Within::Element(0)),
            Step::Argument(call) if SAME_TYPE.contains(&&*call.name) => around,
            Step::Argument(_) | Step::Template | Step::Interpolation | Step::Other => return None,
        };
    }
    Some(around)
}
