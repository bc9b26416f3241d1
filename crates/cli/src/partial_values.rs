//! Prints the known part of evaluated files, and the simplified rest, as HCL and as JSON.

use std::collections::{HashMap, HashSet};

use super::error::Error;
use super::values::{attribute_name, json_line, pretty};
use super::written_blocks::{WrittenBlock, WrittenBlocks, WrittenFile};
use hcl_lr::body::{Expression, Simplified};
use hcl_lr::construct::key;
use hcl_lr::eval::Scope;
use hcl_lr::format::format;
use hcl_lr::internal::EPHEMERAL;
use hcl_lr::model::{Mark, MarkSet, Number, Type, Value};
use hcl_lr::source::Place;
use hcl_lr::syntax::ast::AccessStep;
use hcl_lr::{parse, stack};
use hcl_lr_language::definitions::{Definition, Evaluated, Instance, Roles};

/// The maximum number of steps of an address that become levels; the rest becomes one name.
const MAX_STEPS: usize = 64;

/// The maximum number of indented levels; deeper ones are on one line.
const MAX_LEVELS: usize = 30;

/// The known part of a value or definition.
#[derive(Clone, Debug)]
pub enum Known {
    /// The whole value.
    Value(Value),
    /// The simplified rest of an expression, its type as far as it is known, true if it is marked, and the names that
    /// it needs.
    Rest { text: String, ty: Type, marked: bool, needs: Vec<String> },
    /// Only the type is known, with the reason.
    Nothing { ty: Type, why: Reason },
    /// Its parts.
    Object(Vec<(String, Known)>),
    /// Its elements.
    List(Vec<Known>),
}

/// The reason why nothing but the type of a value is known.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    Later,
    /// It is an input without a value.
    NotGiven,
    /// It is an input whose value does not fit.
    Wrong,
    Marked,
    /// It is marked as ephemeral.
    Ephemeral,
}

impl Reason {
    fn as_str(self) -> &'static str {
        match self {
            Reason::Later => "only known later",
            Reason::NotGiven => "not given",
            Reason::Wrong => "its value does not fit",
            Reason::Marked => "marked",
            Reason::Ephemeral => "ephemeral value",
        }
    }

    /// Returns the reason for hiding a marked value.
    fn of_marks(marks: &MarkSet) -> Reason {
        match marks.contains(&Mark::new(EPHEMERAL)) {
            true => Reason::Ephemeral,
            false => Reason::Marked,
        }
    }
}

impl Known {
    /// Returns the known part of an expression. A known expression is stored as a value, because values that share
    /// parts can be small where their text is not.
    pub fn of(expression: &Expression, scope: &Scope<'_>) -> Known {
        if let Ok(value) = expression.evaluate(scope)
            && can_be_written(&value)
        {
            return Known::Value(value);
        }
        Known::of_simplified(&expression.simplify(scope).into_value())
    }

    /// Returns the known part of the definition with an address. `None` if there is none, or if nothing more than its
    /// name is known.
    pub fn of_address(address: &str, project: &Evaluated) -> Option<Known> {
        let definition = project.definitions().find(|definition| definition.address() == address)?;
        let known = Known::of_definition(definition, project, None);
        matches!(known, Known::Rest { .. } | Known::Object(_)).then_some(known)
    }

    /// Formats the value of an expression. If it is unknown, formats the simplified rest with the names that it needs.
    pub fn with_needs(self) -> String {
        match self {
            Known::Rest { text, needs, .. } if needs == [text.as_str()] => format!("{text}  # not known"),
            Known::Rest { text, needs, .. } if !needs.is_empty() => {
                format!("{text}  # not known: {}", needs.join(", "))
            }
            Known::Rest { text, .. } => text,
            Known::Object(_) => {
                format!("{{\n{}}}", self.to_hcl().lines().map(|line| format!("  {line}\n")).collect::<String>())
            }
            known => pretty(&known.to_value()),
        }
    }

    /// Returns the known part of a value that the language calls sensitive.
    pub fn hidden() -> Known {
        Known::Nothing { ty: Type::Dynamic, why: Reason::Marked }
    }

    /// Returns the known part of a simplified expression.
    pub fn of_simplified(simplified: &Simplified) -> Known {
        match simplified.known() {
            Some(value) if can_be_written(value) => Known::Value(value.clone()),
            // The unknown part can change no more than its type, as in `false ? later : []`.
            None if simplified.value().is_wholly_known() && !simplified.value().contains_marks() => {
                Known::Value(simplified.value().clone())
            }
            _ => {
                let value = simplified.value();
                let needs = needs_of(simplified.expression());
                let (ty, marked) = (value.shown_type(), value.contains_marks());
                Known::Rest { text: simplified.to_string(), ty, marked, needs }
            }
        }
    }

    /// Returns the known part of a value; unknown and marked parts become `Nothing`.
    pub fn of_value(value: &Value) -> Known {
        if value.is_wholly_known() && !value.contains_marks() {
            return Known::Value(value.clone());
        }
        let nothing = |why| Known::Nothing { ty: value.shown_type(), why };
        if value.is_marked() {
            return nothing(Reason::of_marks(&value.marks()));
        }
        match (value.entries(), value.elements()) {
            (Some(entries), _) => stack::with_room(|| {
                Known::Object(entries.map(|(name, part)| (name.to_owned(), Known::of_value(part))).collect())
            }),
            (None, Some(elements)) => stack::with_room(|| Known::List(elements.iter().map(Known::of_value).collect())),
            _ => nothing(Reason::Later),
        }
    }

    /// Returns the known part of a definition. The blocks in the written block, if there is one, are included.
    fn of_definition(definition: Definition<'_>, evaluated: &Evaluated, written: Option<&WrittenBlock<'_>>) -> Known {
        if definition.is_input() {
            return match Known::of_value(&evaluated.value(&definition)) {
                Known::Nothing { ty, why: Reason::Later } => {
                    let why = if evaluated.is_wrong(&definition) { Reason::Wrong } else { Reason::NotGiven };
                    Known::Nothing { ty, why }
                }
                known => known,
            };
        }
        if definition.is_module() || definition.is_sensitive() {
            return Known::of_value(&evaluated.value(&definition));
        }
        let value = evaluated.value(&definition);
        let has_blocks = definition.expression().is_none() && written.is_some_and(WrittenBlock::has_blocks);
        if can_be_written(&value) && (!has_blocks || value.is_null()) {
            return Known::Value(value);
        }
        if let Some(expression) = definition.expression() {
            let simplified = expression.simplify(&evaluated.scope_in(&definition, expression)).into_value();
            return Known::of_simplified(&simplified).limited_to(Some(&value));
        }
        if let Some(instances) = evaluated.instances(&definition) {
            return Known::of_instances(definition, &instances, written);
        }
        let mut parts: Vec<(String, Known)> = definition
            .parts()
            .filter_map(|part| {
                let expression = part.expression()?;
                let known = Known::of(expression, &evaluated.scope_in(&definition, expression));
                let value = evaluated.attribute_value(&definition, part.name());
                Some((part.name().to_owned(), known.limited_to(value.as_ref())))
            })
            .collect();
        // Blocks have no expression, so their known parts come from the value.
        let names: HashSet<String> = parts.iter().map(|(name, _)| name.clone()).collect();
        let shown = evaluated.shown_value(&definition);
        let blocks = shown.entries().filter(|_| !value.is_marked()).into_iter().flatten();
        let blocks = blocks.filter(|(name, _)| !names.contains(*name));
        parts.extend(blocks.map(|(name, block)| (name.to_owned(), Known::of_value(block))));
        if let Some(written) = written.filter(|_| !value.is_marked()) {
            written.add_blocks(&mut parts, &|expression| evaluated.scope_in(&definition, expression));
        }
        match parts.is_empty() && definition.is_open() {
            true => Known::Nothing { ty: Type::Dynamic, why: Reason::Later },
            false => Known::Object(parts),
        }
    }

    /// Replaces what an expression shows by what its evaluation allows: values that are marked only because of their
    /// use, such as the value of a password, are hidden, and a null argument that may be computed is not known.
    fn limited_to(self, value: Option<&Value>) -> Known {
        let Some(value) = value else { return self };
        match self {
            known @ Known::Rest { marked: true, .. } => known,
            _ if value.is_marked() => Known::Nothing { ty: value.shown_type(), why: Reason::of_marks(&value.marks()) },
            Known::Value(null) if null.is_null() && !value.is_known() => {
                Known::Nothing { ty: value.shown_type(), why: Reason::Later }
            }
            known => known,
        }
    }

    /// Returns the known part of the instances of a repeated block: an object by their keys, or a list.
    fn of_instances(
        definition: Definition<'_>,
        instances: &[Instance<'_>],
        written: Option<&WrittenBlock<'_>>,
    ) -> Known {
        // The name of the collection behind `each.value`, if it has one.
        let source = definition.repeated_by().and_then(Expression::as_native);
        let source = source.filter(|source| source.as_traversal().is_some()).map(|source| source.text());
        let of = |instance: &Instance<'_>| {
            let key = instance.key();
            let element = source.filter(|_| key.as_str().is_some()).map(|source| format!("{source}[{}]", pretty(&key)));
            let parts = definition.parts().filter_map(|part| {
                let expression = part.expression()?;
                let known = Known::of(expression, &instance.scope_for(expression));
                let known = known.limited_to(instance.attribute_value(part.name()).as_ref());
                let known = match &element {
                    Some(element) => known.with_element(element),
                    None => known,
                };
                Some((part.name().to_owned(), known))
            });
            let mut parts: Vec<_> = parts.collect();
            if let Some(written) = written {
                written.add_blocks(&mut parts, &|expression| instance.scope_for(expression));
            }
            match parts.is_empty() && definition.is_open() {
                true => Known::Nothing { ty: Type::Dynamic, why: Reason::Later },
                false => Known::Object(parts),
            }
        };
        let all: Vec<Known> = instances.iter().map(of).collect();
        if !all.is_empty() && all.iter().all(|part| matches!(part, Known::Nothing { .. })) {
            return Known::Nothing { ty: Type::Dynamic, why: Reason::Later };
        }
        let keys: Vec<Value> = instances.iter().map(Instance::key).collect();
        match keys.iter().map(|key| key.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>() {
            Some(keys) if !keys.is_empty() => Known::Object(keys.into_iter().zip(all).collect()),
            _ => Known::List(all),
        }
    }

    /// Replaces `each.value`, which differs in each instance, by an element of a named collection.
    fn with_element(self, element: &str) -> Known {
        let Known::Rest { text, ty, marked, needs } = self else { return self };
        let again = |text: String| Known::Rest { text, ty: ty.clone(), marked, needs: needs.clone() };
        if !text.contains("each") {
            return again(text);
        }
        let Ok(expression) = parse::<Expression>(("what is left", format!("{text}\n"))).into_result() else {
            return again(text);
        };
        let (mut out, mut done) = (String::new(), 0);
        for path in expression.variables() {
            let Some(node) = path.node().filter(|node| node.root().text() == "each") else { continue };
            let Some(AccessStep::Attribute(name)) = node.steps().next() else { continue };
            if name.text() == "value" {
                out += &text[done..node.root().span().start()];
                out += element;
                done = name.span().end();
            }
        }
        if done == 0 {
            return again(text);
        }
        out += &text[done..];
        let needs =
            parse::<Expression>(("what is left", format!("{out}\n"))).into_result().map_or(needs, |now| needs_of(&now));
        Known::Rest { text: out, ty, marked, needs }
    }

    /// Returns the known part of the definitions in the files of a project, without those of modules, and of the blocks in
    /// some files that define nothing. `is_meant` accepts the places of the definitions to include.
    pub fn of_project(
        evaluated: &Evaluated,
        (files, roles): (&[WrittenFile], &Roles),
        is_meant: impl Fn(&Place) -> bool,
    ) -> Known {
        let (mut all, mut index) = (Vec::new(), Index::default());
        let mut blocks = WrittenBlocks::of(files, roles);
        for definition in evaluated.definitions() {
            if definition.module().is_some() || definition.is_function() || !is_meant(definition.name_place()) {
                continue;
            }
            // A label may have any number of dots in it.
            let steps: Vec<&str> = definition.address().splitn(MAX_STEPS, '.').collect();
            let written = blocks.defining(&definition);
            insert(&mut all, &mut index, &steps, Known::of_definition(definition, evaluated, written));
        }
        for block in blocks.others() {
            block.add_to(&mut all, &mut index, &|expression| evaluated.scope_for(expression));
        }
        Known::Object(all)
    }

    /// Returns the maximum number of bytes of the full text: values and types count each time they occur, together
    /// with their addresses.
    pub fn size(&self) -> u64 {
        self.size_at(0)
    }

    /// The same at an address of a length.
    fn size_at(&self, address: u64) -> u64 {
        /// A name or an index with its surroundings.
        const MEMBER: u64 = 16;
        let total = |sizes: &mut dyn Iterator<Item = u64>| sizes.fold(0_u64, u64::saturating_add);
        match self {
            Known::Value(value) => value.size(),
            Known::Rest { text, ty, needs, .. } => {
                let needs = needs.iter().map(|name| name.len() as u64 + MEMBER).sum::<u64>();
                ty.size().saturating_add(text.len() as u64 + needs + address)
            }
            Known::Nothing { ty, .. } => ty.size().saturating_add(address),
            Known::Object(parts) => stack::with_room(|| {
                total(&mut parts.iter().map(|(name, part)| {
                    let member = MEMBER + name.len() as u64;
                    part.size_at(address.saturating_add(member)).saturating_add(member)
                }))
            }),
            Known::List(elements) => stack::with_room(|| {
                total(&mut elements.iter().map(|part| part.size_at(address + MEMBER).saturating_add(MEMBER)))
            }),
        }
    }

    /// Returns the number of bytes that a table of it has, at most: each row shows an address.
    pub fn size_of_rows(&self) -> u64 {
        self.size_of_rows_at(0)
    }

    fn size_of_rows_at(&self, address: u64) -> u64 {
        match self {
            Known::Object(parts) => stack::with_room(|| {
                let row = |(name, part): &(String, Known)| part.size_of_rows_at(address + 2 + name.len() as u64);
                parts.iter().map(row).fold(address, u64::saturating_add)
            }),
            other => other.size_at(address).saturating_add(address),
        }
    }

    /// Returns it as the attributes of an HCL file. Entirely unknown attributes become comments.
    pub fn to_hcl(&self) -> String {
        let mut out = String::new();
        match self {
            Known::Object(parts) => entries(parts, 0, &mut out),
            other => {
                write(other, 0, &mut out);
                end_line(&mut out);
            }
        }
        format(&out)
    }

    /// Returns the value, with unknown values in place of unknown parts.
    pub fn to_value(&self) -> Value {
        match self {
            Known::Value(value) => value.clone(),
            Known::Rest { ty, .. } | Known::Nothing { ty, .. } => Value::unknown(ty.clone()),
            Known::Object(parts) => stack::with_room(|| {
                Value::object(parts.iter().map(|(name, part)| (name.clone(), part.to_value())).collect::<Vec<_>>())
            }),
            Known::List(elements) => {
                stack::with_room(|| Value::tuple(elements.iter().map(Known::to_value).collect::<Vec<_>>()))
            }
        }
    }

    /// Returns JSON: an object with all known values, and one with the known part of each other value by its address.
    /// If nothing is known, the value is null, and the address `.`.
    ///
    /// # Errors
    /// A message, if there is no JSON for a value.
    pub fn to_json(&self) -> Result<String, Error> {
        let mut unknown = Vec::new();
        let mut values = String::new();
        if !json(self, 1, &mut String::new(), &mut unknown, &mut values)? {
            values.push_str("null");
        }
        let mut out = std::format!("{{\n  \"values\": {values},\n  \"unknown\": {{");
        for (index, (address, what)) in unknown.iter().enumerate() {
            out += if index == 0 { "\n" } else { ",\n" };
            out += &format!("    {}: {{ {what} }}", text(of_whole(address))?);
        }
        out += if unknown.is_empty() { "}\n}\n" } else { "\n  }\n}\n" };
        Ok(out)
    }

    /// Returns the rows of a table: address, type, and known part.
    pub fn rows(&self) -> Vec<[String; 3]> {
        let mut rows = Vec::new();
        self.add_rows(&mut String::new(), &mut rows);
        rows.iter_mut().for_each(|[address, ..]| *address = of_whole(address).to_owned());
        rows
    }

    fn add_rows(&self, address: &mut String, rows: &mut Vec<[String; 3]>) {
        match self {
            Known::Object(parts) if !parts.is_empty() => {
                for (name, part) in parts {
                    within(address, name, |address| stack::with_room(|| part.add_rows(address, rows)));
                }
            }
            Known::Value(value) => rows.push([address.clone(), value.ty().to_string(), value.to_string()]),
            Known::Rest { text, ty, .. } => rows.push([address.clone(), ty.to_string(), one_line(text)]),
            Known::Nothing { ty, why } => rows.push([address.clone(), ty.to_string(), format!("({})", why.as_str())]),
            Known::Object(_) => rows.push([address.clone(), "object".to_owned(), "{}".to_owned()]),
            Known::List(_) => {
                let mut out = String::new();
                write(self, 0, &mut out);
                rows.push([address.clone(), "tuple".to_owned(), one_line(&out)]);
            }
        }
    }
}

/// The names that an expression needs, each once.
fn needs_of(expression: &Expression) -> Vec<String> {
    let mut seen = HashSet::new();
    let paths = expression.variables().into_iter().map(|path| path.to_string());
    paths.filter(|path| seen.insert(path.clone())).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if a value has a text that may be shown. An infinite number has none.
fn can_be_written(value: &Value) -> bool {
    value.is_wholly_known() && !value.contains_marks() && !value.as_number().is_some_and(Number::is_infinite)
}

/// The places of the parts of an object, recursively.
#[derive(Default)]
pub struct Index {
    /// Built on demand, because an object may have received all its parts at once.
    places: Option<HashMap<String, usize>>,
    within: HashMap<usize, Index>,
}

impl Index {
    fn places(&mut self, parts: &[(String, Known)]) -> &mut HashMap<String, usize> {
        self.places.get_or_insert_with(|| parts.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect())
    }
}

/// Inserts a part at a path. The parts of two definitions at the same path are merged.
pub fn insert(mut all: &mut Vec<(String, Known)>, mut index: &mut Index, steps: &[&str], known: Known) {
    let Some((&last, before)) = steps.split_last() else { return };
    for &step in before {
        let (level, places) = (all, index);
        let at = place_of(level, places, step).unwrap_or_else(|| add(level, places, step, Known::Object(Vec::new())));
        let there = &mut level[at].1;
        if !matches!(there, Known::Object(_)) {
            *there = Known::Object(Vec::new());
            places.within.remove(&at);
        }
        let Known::Object(parts) = there else { return };
        (all, index) = (parts, places.within.entry(at).or_default());
    }
    let Some(at) = place_of(all, index, last) else {
        add(all, index, last, known);
        return;
    };
    index.within.remove(&at);
    match (&mut all[at].1, known) {
        (Known::List(elements), Known::List(more)) => elements.extend(more),
        (Known::Object(parts), Known::Object(more)) => {
            let names: HashSet<&str> = more.iter().map(|(name, _)| name.as_str()).collect();
            parts.retain(|(name, _)| !names.contains(name.as_str()));
            parts.extend(more);
        }
        (there, known) => *there = known,
    }
}

/// Returns an address; `.` stands for the whole.
pub fn of_whole(address: &str) -> &str {
    if address.is_empty() { "." } else { address }
}

/// The place of a name in an object.
fn place_of(all: &[(String, Known)], index: &mut Index, name: &str) -> Option<usize> {
    index.places(all).get(name).copied()
}

/// Adds a new name to an object, and returns its place.
fn add(all: &mut Vec<(String, Known)>, index: &mut Index, name: &str, known: Known) -> usize {
    let at = all.len();
    index.places(all).insert(name.to_owned(), at);
    all.push((name.to_owned(), known));
    at
}

/// Runs the work with a name appended to the address.
fn within<R>(address: &mut String, name: &str, work: impl FnOnce(&mut String) -> R) -> R {
    let length = address.len();
    if !address.is_empty() {
        address.push('.');
    }
    address.push_str(&attribute_name(name));
    let result = work(address);
    address.truncate(length);
    result
}

fn entries(parts: &[(String, Known)], level: usize, out: &mut String) {
    let indent = "  ".repeat(level);
    for (name, known) in parts {
        out.push_str(&indent);
        // The outermost parts are the attributes of a file.
        let name = if level == 0 { attribute_name(name) } else { key(name) };
        if let Known::Nothing { ty, why } = known {
            out.push_str(&format!("# {name}: {}{}\n", why.as_str(), of_type(ty)));
            continue;
        }
        out.push_str(&name);
        out.push_str(" = ");
        stack::with_room(|| write(known, level, out));
        end_line(out);
    }
}

/// Ends a line, unless a heredoc has ended it.
fn end_line(out: &mut String) {
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Writes an object on one line, because each indented level would lengthen everything inside.
fn in_a_line(parts: &[(String, Known)], level: usize, out: &mut String) {
    out.push_str("{ ");
    for (name, known) in parts {
        if let Known::Nothing { ty, why } = known {
            let comment = format!("{}: {}{}", key(name), why.as_str(), of_type(ty));
            out.push_str(&format!("/* {} */ ", comment.replace("*/", "* /")));
            continue;
        }
        out.push_str(&key(name));
        out.push_str(" = ");
        let start = out.len();
        stack::with_room(|| write(known, level + 1, out));
        // A heredoc needs the end of its line.
        out.push_str(if out[start..].contains('\n') { "\n" } else { ", " });
    }
    out.push('}');
}

fn of_type(ty: &Type) -> String {
    if *ty == Type::Dynamic { String::new() } else { format!(", {ty}") }
}

fn write(known: &Known, level: usize, out: &mut String) {
    match known {
        // Several blocks are written one below the other.
        Known::List(elements) if elements.len() > 1 && level < MAX_LEVELS && are_blocks(elements) => {
            out.push_str("[\n");
            for element in elements {
                out.push_str(&"  ".repeat(level + 1));
                if let Known::Nothing { ty, why } = element {
                    out.push_str(&format!("null, # {}{}\n", why.as_str(), of_type(ty)));
                    continue;
                }
                stack::with_room(|| write(element, level + 1, out));
                out.push_str(",\n");
            }
            out.push_str(&"  ".repeat(level));
            out.push(']');
        }
        // Text inside a string with line breaks is never indented: the indentation would become part of it.
        Known::Value(value) if level >= MAX_LEVELS => out.push_str(&value.to_string()),
        Known::Value(value) => out.push_str(&pretty(value).replace('\n', &format!("\n{}", "  ".repeat(level)))),
        Known::Rest { text, .. } => out.push_str(text),
        Known::Nothing { .. } => out.push_str("null"),
        Known::Object(parts) if parts.is_empty() => out.push_str("{}"),
        Known::Object(parts) if level >= MAX_LEVELS => in_a_line(parts, level, out),
        Known::Object(parts) => {
            out.push_str("{\n");
            entries(parts, level + 1, out);
            out.push_str(&"  ".repeat(level));
            out.push('}');
        }
        Known::List(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                match element {
                    Known::Nothing { .. } => out.push_str("null"),
                    element => stack::with_room(|| write(element, level, out)),
                }
            }
            out.push(']');
        }
    }
}

/// Returns true if a list of several elements is written in lines: all are objects, of which some may be unknown.
fn are_blocks(elements: &[Known]) -> bool {
    let is_open = |element: &Known| matches!(element, Known::Nothing { .. });
    let is_object = |element: &Known| match element {
        Known::Object(_) => true,
        Known::Value(value) => elements.iter().any(is_open) && value.entries().is_some(),
        _ => false,
    };
    elements.iter().any(is_object) && elements.iter().all(|element| is_object(element) || is_open(element))
}

fn text(text: &str) -> Result<String, Error> {
    json_line(&Value::from(text))
}

fn json(
    known: &Known,
    level: usize,
    address: &mut String,
    unknown: &mut Vec<(String, String)>,
    out: &mut String,
) -> Result<bool, Error> {
    // Deeper levels are not indented: each would make all that is in it longer.
    let indent = |levels: usize| "  ".repeat(levels.min(MAX_LEVELS));
    match known {
        Known::Value(value) => out.push_str(&json_line(value)?),
        Known::Rest { text: rest, ty, marked, needs } => {
            let mut what = format!("\"expression\": {}, \"type\": {}", text(rest)?, text(&ty.describe())?);
            if *marked {
                what += ", \"marked\": true";
            }
            let needs = needs.iter().map(|name| text(name)).collect::<Result<Vec<_>, _>>()?;
            what += &format!(", \"needs\": [{}]", needs.join(", "));
            unknown.push((address.clone(), what));
            return Ok(false);
        }
        Known::Nothing { ty, why } => {
            unknown.push((
                address.clone(),
                format!("\"why\": {}, \"type\": {}", text(why.as_str())?, text(&ty.describe())?),
            ));
            return Ok(false);
        }
        Known::Object(parts) => {
            out.push('{');
            let mut first = true;
            for (name, part) in parts {
                let start = out.len();
                out.push_str(if first { "\n" } else { ",\n" });
                out.push_str(&indent(level + 1));
                out.push_str(&text(name)?);
                out.push_str(": ");
                let known =
                    within(address, name, |address| stack::with_room(|| json(part, level + 1, address, unknown, out)))?;
                if known {
                    first = false;
                } else {
                    out.truncate(start);
                }
            }
            if !first {
                out.push('\n');
                out.push_str(&indent(level));
            }
            out.push('}');
        }
        Known::List(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                let length = address.len();
                address.push_str(&format!("[{index}]"));
                if !stack::with_room(|| json(element, level, address, unknown, out))? {
                    out.push_str("null");
                }
                address.truncate(length);
            }
            out.push(']');
        }
    }
    Ok(true)
}
