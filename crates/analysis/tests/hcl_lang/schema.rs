//! HCL Schema of the schemas that hcl-lang's cases have, and files with what they refer to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;

/// The reason why a case says nothing about this project.
pub type Reason = String;

/// A schema, and a file of its language with the definitions that a case presupposes.
pub struct Translated {
    pub schema: String,
    pub definitions: String,
}

/// A name of the translated languages whose value is known only later.
pub const LATER: &str = "later_thing";

/// Returns a text as a string in HCL.
pub fn quoted(text: &str) -> String {
    hcl_lr::Value::from(text).to_string()
}

/// Returns a name in which all characters but letters, digits and underscores are underscores.
fn word(text: &str) -> String {
    text.chars().map(|char| if char.is_alphanumeric() { char } else { '_' }).collect()
}

/// Returns a type of cty, without the wrapping object.
fn inner_type(ty: &Value) -> &Value {
    ty.get("$type").unwrap_or(ty)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn is_set(value: &Value, name: &str) -> bool {
    value[name].as_bool().unwrap_or_default()
}

fn go_type(value: &Value) -> &str {
    value["$go"].as_str().unwrap_or_default()
}

/// Returns a type of cty as a type of HCL Schema.
pub fn type_text(ty: &Value) -> Result<String, Reason> {
    let ty = inner_type(ty);
    if let Some(name) = ty.as_str() {
        return Ok(if name == "dynamic" { "any" } else { name }.to_owned());
    }
    let Some([kind, of, ..]) = ty.as_array().map(Vec::as_slice) else { return Ok("any".to_owned()) };
    Ok(match kind.as_str().unwrap_or_default() {
        kind @ ("list" | "set" | "map") => format!("{kind}({})", type_text(of)?),
        "tuple" => format!("tuple([{}])", list(of).map(type_text).collect::<Result<Vec<_>, _>>()?.join(", ")),
        "object" => {
            let is_optional = |name: &str| list(&ty[2]).any(|other| other == name);
            let attributes = members(of).map(|(name, ty)| {
                let ty = type_text(ty)?;
                let ty = if is_optional(name) { format!("optional({ty})") } else { ty };
                Ok(format!("{} = {ty}", quoted(name)))
            });
            format!("object({{ {} }})", attributes.collect::<Result<Vec<_>, Reason>>()?.join(", "))
        }
        _ => return Err(format!("the type {ty} is not one of HCL")),
    })
}

/// Returns an expression whose value is of a type of cty.
fn value_of(ty: &Value) -> String {
    let ty = inner_type(ty);
    match ty.as_str() {
        // A string that is a number, too, may stand where any of hcl-lang's strings may.
        Some("string") => return "\"1\"".to_owned(),
        Some("number") => return "1".to_owned(),
        Some("bool") => return "true".to_owned(),
        Some("dynamic") => return LATER.to_owned(),
        _ => {}
    }
    let Some([kind, of, ..]) = ty.as_array().map(Vec::as_slice) else { return "\"x\"".to_owned() };
    match kind.as_str().unwrap_or_default() {
        "list" => format!("tolist([{}])", value_of(of)),
        "set" => format!("toset([{}])", value_of(of)),
        "map" => format!("tomap({{ \"k\" = {} }})", value_of(of)),
        "tuple" => format!("[{}]", list(of).map(value_of).collect::<Vec<_>>().join(", ")),
        _ => {
            let attributes = members(of).map(|(name, ty)| format!("{} = {}", quoted(name), value_of(ty)));
            format!("{{ {} }}", attributes.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns true if a value of a type may stand where another type is expected.
fn converts(from: &Value, to: &Value) -> bool {
    let (from, to) = (inner_type(from), inner_type(to));
    let is_any = |ty: &Value| ty.is_null() || ty == "dynamic";
    if is_any(from) || is_any(to) {
        return true;
    }
    match (from.as_str(), to.as_str()) {
        (Some(from), Some(to)) => from == to || from == "string" || to == "string",
        (None, None) => match (from[0].as_str().unwrap_or_default(), to[0].as_str().unwrap_or_default()) {
            ("tuple", "list" | "set") | ("object", "map") => true,
            ("list" | "set", "list" | "set") | ("map", "map") => converts(&from[1], &to[1]),
            (one, other) => one == other,
        },
        _ => false,
    }
}

/// Returns the key of an index as it is written in brackets.
fn key_text(key: &Value) -> String {
    match &key["$value"] {
        Value::String(text) => quoted(text),
        other => other.to_string(),
    }
}

/// Returns an address as expressions write it.
pub fn address(steps: &Value) -> String {
    list(steps).fold(String::new(), |text, step| match go_type(step) {
        "lang.IndexStep" => format!("{text}[{}]", key_text(&step["Key"])),
        "lang.AttrStep" => format!("{text}.{}", step["Name"].as_str().unwrap_or_default()),
        _ => format!("{text}{}", step["Name"].as_str().unwrap_or_default()),
    })
}

/// A definition that a case presupposes.
struct Target<'c> {
    steps: &'c Value,
    ty: &'c Value,
    scope: &'c str,
    kind: String,
}

impl Target<'_> {
    fn of(target: &Value) -> Option<Target<'_>> {
        let scope = target["ScopeId"].as_str().unwrap_or_default();
        let (steps, ty) = (&target["Addr"], &target["Type"]);
        let kind = format!("kind_{}_{}", word(scope), word(&inner_type(ty).to_string()));
        list(steps).next().map(|_| Target { steps, ty, scope, kind })
    }
}

/// The translation of a schema.
struct Translation<'c> {
    /// The parts that objects have become.
    parts: Vec<String>,
    targets: Vec<Target<'c>>,
    /// The kinds of definitions that references name.
    named: BTreeSet<String>,
}

impl Translation<'_> {
    /// Returns the kinds of definitions that a reference may mean.
    fn kinds(&mut self, scope: &str, ty: &Value) -> String {
        if scope.is_empty() && self.targets.is_empty() {
            return String::new();
        }
        let fits = |target: &&Target<'_>| {
            (scope.is_empty() || target.scope == scope)
                && (inner_type(ty).is_null() || !inner_type(target.ty).is_null() && converts(target.ty, ty))
        };
        let mut kinds: BTreeSet<String> = self.targets.iter().filter(fits).map(|target| target.kind.clone()).collect();
        if !scope.is_empty() {
            kinds.insert(format!("scope_{}", word(scope)));
        }
        kinds.extend(kinds.is_empty().then(|| "nothing".to_owned()));
        self.named.extend(kinds.iter().cloned());
        kinds.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// Returns blocks that define the kinds that references name and a schema does not define.
    fn other_kinds(&self, schema: &str) -> String {
        let others = self.named.iter().filter(|kind| !schema.contains(&format!("defines \"{kind}\"")));
        let block = |kind: &String| {
            let defines = format!("defines \"{kind}\" {{\naddress = \"no_{kind}.{{name}}\"\n}}");
            format!("block \"no_{kind}\" {{\nlabel \"name\" {{\n}}\n{defines}\n}}\n")
        };
        others.map(block).collect()
    }

    /// Returns the type for a constraint. `None` if it allows everything.
    fn constraint(&mut self, constraint: &Value) -> Result<Option<String>, Reason> {
        let of = |this: &mut Self, constraint: &Value| Ok(this.constraint(constraint)?.unwrap_or("any".to_owned()));
        Ok(Some(match go_type(constraint) {
            "" => return Ok(None),
            "schema.AnyExpression" => type_text(&constraint["OfType"])?,
            "schema.LiteralType" => type_text(&constraint["Type"])?,
            "schema.LiteralValue" => match &constraint["Value"]["$value"] {
                Value::String(text) => quoted(text),
                value @ (Value::Number(_) | Value::Bool(_)) => value.to_string(),
                _ => return Err("a literal of HCL Schema is a string, a number or a bool".to_owned()),
            },
            "schema.Keyword" => format!("keyword({})", constraint["Keyword"].as_str().unwrap_or_default()),
            "schema.Reference" => {
                let kinds = self.kinds(constraint["OfScopeId"].as_str().unwrap_or_default(), &constraint["OfType"]);
                format!("reference({kinds})")
            }
            kind @ ("schema.List" | "schema.Set" | "schema.Map") => {
                let kind = kind.trim_start_matches("schema.").to_lowercase();
                format!("{kind}({})", of(self, &constraint["Elem"])?)
            }
            "schema.Tuple" => {
                let elements = list(&constraint["Elems"]).map(|element| of(self, element));
                format!("tuple([{}])", elements.collect::<Result<Vec<_>, Reason>>()?.join(", "))
            }
            "schema.Object" => {
                let at = self.parts.len();
                let name = format!("object_{at}");
                self.parts.push(String::new());
                let attributes = self.attributes(&constraint["Attributes"])?;
                self.parts[at] = format!("part \"{name}\" {{\n{attributes}}}\n");
                format!("object({name})")
            }
            "schema.OneOf" => {
                let all: Vec<&Value> = list(&constraint["all"]).collect();
                let words: Option<Vec<&str>> = all.iter().map(|one| one["Keyword"].as_str()).collect();
                match (words, all.is_empty()) {
                    (_, true) => return Ok(None),
                    (Some(words), _) => format!("keyword({})", words.join(", ")),
                    (None, _) => {
                        let types = all.into_iter().map(|one| of(self, one)).collect::<Result<Vec<_>, Reason>>()?;
                        format!("one_of({})", types.join(", "))
                    }
                }
            }
            "schema.TypeDeclaration" => "type".to_owned(),
            other => return Err(format!("HCL Schema has no {other}")),
        }))
    }

    fn attributes(&mut self, attributes: &Value) -> Result<String, Reason> {
        members(attributes).map(|(name, attribute)| self.attribute(name, attribute)).collect()
    }

    fn attribute(&mut self, name: &str, attribute: &Value) -> Result<String, Reason> {
        let mut lines: Vec<String> = Vec::new();
        let ty = self.constraint(&attribute["Constraint"])?;
        lines.extend(match is_set(attribute, "IsRequired") {
            true => Some(format!("type = required({})", ty.as_deref().unwrap_or("any"))),
            false => ty.map(|ty| format!("type = {ty}")),
        });
        let description = attribute["Description"]["Value"].as_str().filter(|text| !text.is_empty());
        let is_deprecated = is_set(attribute, "IsDeprecated");
        lines.extend(description.filter(|_| !is_deprecated).map(|text| format!("description = {}", quoted(text))));
        for (field, flag) in [("IsSensitive", "sensitive"), ("IsComputed", "computed"), ("IsWriteOnly", "write_only")] {
            lines.extend(is_set(attribute, field).then(|| format!("{flag} = true")));
        }
        if is_set(attribute, "IsComputed") && !is_set(attribute, "IsOptional") && !is_set(attribute, "IsRequired") {
            lines.push("read_only = true".to_owned());
        }
        if is_deprecated {
            lines.push(format!("deprecated {{\nmessage = {}\n}}", quoted(description.unwrap_or("old"))));
        }
        if is_only_literals(&attribute["Constraint"]) {
            lines.push("constant = true".to_owned());
        }
        let defined = &attribute["Address"];
        if !defined.is_null() {
            let address = address_pattern(&defined["Steps"], &[])?;
            let kind = format!("scope_{}", word(defined["ScopeId"].as_str().unwrap_or_default()));
            lines.push(format!("defines \"{kind}\" {{\naddress = {}\nvalue = value\n}}", quoted(&address)));
        }
        Ok(format!("attribute {} {{\n{}\n}}\n", quoted(name), lines.join("\n")))
    }

    fn body(&mut self, body: &Value) -> Result<String, Reason> {
        let mut text = self.attributes(&body["Attributes"])?;
        if !body["AnyAttribute"].is_null() {
            text += &self.attribute("*", &body["AnyAttribute"])?;
        }
        let extensions = &body["Extensions"];
        let has = |name: &str| !body["Attributes"][name].is_null();
        if is_set(extensions, "Count") && !has("count") {
            text += "attribute \"count\" {\ntype = number\nrole = count\n}\n";
        }
        if is_set(extensions, "ForEach") && !has("for_each") {
            text += "attribute \"for_each\" {\ntype = one_of(map(any), set(string))\nrole = for_each\n}\n";
        }
        if is_set(extensions, "DynamicBlocks") {
            text += "dynamic = true\n";
        }
        for (name, block) in members(&body["Blocks"]) {
            text += &self.block(name, block)?;
        }
        Ok(text)
    }

    fn block(&mut self, name: &str, block: &Value) -> Result<String, Reason> {
        let mut text = format!("block {} {{\n", quoted(name));
        let description = block["Description"]["Value"].as_str().filter(|text| !text.is_empty());
        match (is_set(block, "IsDeprecated"), description) {
            (true, reason) => {
                let _ = writeln!(text, "deprecated {{\nmessage = {}\n}}", quoted(reason.unwrap_or("old")));
            }
            (false, Some(about)) => {
                let _ = writeln!(text, "description = {}", quoted(about));
            }
            _ => {}
        }
        for (field, limit) in [("MinItems", "min"), ("MaxItems", "max")] {
            if let Some(count) = block[field].as_u64().filter(|count| *count > 0) {
                let _ = writeln!(text, "{limit} = {count}");
            }
        }
        let mut labels: Vec<String> = Vec::new();
        for (at, label) in list(&block["Labels"]).enumerate() {
            let name = word(label["Name"].as_str().filter(|name| !name.is_empty()).unwrap_or("label"));
            let name = if labels.contains(&name) || name == "label" { format!("{name}{at}") } else { name };
            let about = label["Description"]["Value"].as_str().filter(|text| !text.is_empty());
            let about = about.map(|about| format!("description = {}", quoted(about))).unwrap_or_default();
            let _ = writeln!(text, "label {} {{\n{about}\n}}", quoted(&name));
            labels.push(name);
        }
        let defined = &block["Address"];
        if !defined.is_null() {
            let address = address_pattern(&defined["Steps"], &labels)?;
            let kind = format!("scope_{}", word(defined["ScopeId"].as_str().unwrap_or_default()));
            let _ = writeln!(text, "defines \"{kind}\" {{\naddress = {}\nnested = true", quoted(&address));
            let is_self = is_set(defined, "BodySelfRef") || is_set(defined, "DependentBodySelfRef");
            if is_self && block.to_string().contains("\"SelfRefs\":true") {
                text += "itself = \"self\"\n";
            }
            text += "}\n";
        }
        text += &self.body(&block["Body"])?;
        let is_key = list(&block["Labels"]).any(|label| is_set(label, "IsDepKey"));
        if is_key && members(&block["DependentBody"]).next().is_none() {
            text += "open = true\n";
        }
        text += &self.dependent_bodies(&block["DependentBody"], &labels)?;
        text += "}\n";
        Ok(text)
    }

    /// Returns the cases of a block whose contents depend on a label or an attribute.
    fn dependent_bodies(&mut self, bodies: &Value, labels: &[String]) -> Result<String, Reason> {
        let mut cases: BTreeMap<String, Vec<(String, &Value)>> = BTreeMap::new();
        for (key, body) in members(bodies) {
            let parts: Value = serde_json::from_str(key).expect("a key in JSON");
            let by_labels: Vec<&Value> = list(&parts["labels"]).collect();
            let by_attributes: Vec<&Value> = list(&parts["attrs"]).collect();
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let found = match (&by_labels[..], &by_attributes[..]) {
                ([label], []) => {
                    let at = label["index"].as_u64().unwrap_or_default() as usize;
                    labels.get(at).cloned().zip(text(&label["value"]))
                }
                ([], [attribute]) => text(&attribute["name"]).zip(text(&attribute["expr"]["static"])),
                _ => None,
            };
            let (name, value) = found.ok_or("HCL Schema chooses a body by one label or attribute")?;
            cases.entry(name).or_default().push((value, body));
        }
        let mut out = String::new();
        for (name, bodies) in cases {
            let _ = writeln!(out, "match {} {{", quoted(&name));
            for (value, body) in bodies {
                let _ = writeln!(out, "case {} {{\n{}}}", quoted(&value), self.body(body)?);
            }
            out += "otherwise {\nopen = true\n}\n}\n";
        }
        Ok(out)
    }

    /// Returns the blocks that define what the case presupposes, and a file with such blocks.
    fn definitions(&self) -> (String, String) {
        let mut groups: BTreeMap<String, Vec<(&Target<'_>, &[Value])>> = BTreeMap::new();
        for target in &self.targets {
            let steps = target.steps.as_array().map(Vec::as_slice).unwrap_or_default();
            let length = steps.iter().take_while(|step| go_type(step) != "lang.IndexStep").count();
            let (whole, rest) = steps.split_at(length);
            groups.entry(address(&Value::Array(whole.to_vec()))).or_default().push((target, rest));
        }
        let (mut schema, mut file) = (String::new(), String::new());
        for (at, (address, all)) in groups.iter().enumerate() {
            let whole = all.iter().find(|(_, rest)| rest.is_empty());
            let (target, value) = match whole {
                Some((target, _)) => {
                    // The keys of a map are those that the case names.
                    let keys = all.iter().filter_map(|(inner, rest)| Some((inner, rest.first()?)));
                    let keys = keys.filter(|(_, step)| step["Key"]["$value"].is_string());
                    let keys: Vec<String> = keys
                        .map(|(inner, step)| format!("{} = {}", key_text(&step["Key"]), value_of(inner.ty)))
                        .collect();
                    let ty = inner_type(target.ty);
                    let is_map = (ty[0] == "map" || ty.is_null()) && !keys.is_empty();
                    (target, if is_map { format!("tomap({{ {} }})", keys.join(", ")) } else { value_of(target.ty) })
                }
                None => {
                    let (target, rest) = &all[0];
                    let value = value_of(target.ty);
                    let is_key = rest[0]["Key"]["$value"].is_string();
                    let key = key_text(&rest[0]["Key"]);
                    (target, if is_key { format!("{{ {key} = {value} }}") } else { format!("[{value}]") })
                }
            };
            let _ = writeln!(
                schema,
                "block \"given_{at}\" {{\ndefines \"{}\" {{\naddress = {}\nvalue = value\n}}\n\
                 attribute \"value\" {{\ntype = any\nrole = value\n}}\n}}",
                target.kind,
                quoted(address)
            );
            let _ = writeln!(file, "given_{at} {{\n  value = {value}\n}}");
        }
        (schema, file)
    }
}

/// Returns true if a constraint allows only constants: it consists of literals alone.
fn is_only_literals(constraint: &Value) -> bool {
    match go_type(constraint) {
        "schema.LiteralType" | "schema.LiteralValue" => true,
        "schema.List" | "schema.Set" | "schema.Map" => is_only_literals(&constraint["Elem"]),
        "schema.Tuple" => {
            list(&constraint["Elems"]).all(is_only_literals) && list(&constraint["Elems"]).next().is_some()
        }
        "schema.OneOf" => list(&constraint["all"]).all(is_only_literals) && list(&constraint["all"]).next().is_some(),
        _ => false,
    }
}

/// Returns the address of definitions, with labels in braces.
fn address_pattern(steps: &Value, labels: &[String]) -> Result<String, Reason> {
    let steps = list(steps).map(|step| match go_type(step) {
        "schema.StaticStep" => Ok(step["Name"].as_str().unwrap_or_default().to_owned()),
        "schema.AttrNameStep" => Ok("{attribute}".to_owned()),
        "schema.AttrValueStep" => Ok(format!("{{{}}}", step["Name"].as_str().unwrap_or_default())),
        "schema.LabelStep" => {
            let label = labels.get(step["Index"].as_u64().unwrap_or_default() as usize);
            Ok(format!("{{{}}}", label.ok_or("an address by a label that the block does not have")?))
        }
        other => Err(format!("HCL Schema has no {other}")),
    });
    Ok(steps.collect::<Result<Vec<_>, Reason>>()?.join("."))
}

/// Collects a target with those in it.
fn with_nested<'c>(target: &'c Value, found: &mut Vec<&'c Value>) {
    found.push(target);
    list(&target["NestedTargets"]).for_each(|inner| with_nested(inner, found));
}

/// Translates the schema of a case. `uses` is the number of blocks `use_N` with an attribute `value` of any type.
///
/// # Errors
/// HCL Schema cannot express it.
pub fn translate(fields: &Value, targets: &[Value], uses: usize) -> Result<Translated, Reason> {
    let field = |names: &[&str]| names.iter().map(|name| &fields[*name]).find(|value| !value.is_null());
    let given = field(&["refTargets", "referenceTargets", "RefTargets"]);
    let mut all = Vec::new();
    given.into_iter().flat_map(list).chain(targets).for_each(|target| with_nested(target, &mut all));
    let targets = all.into_iter().filter_map(Target::of).collect();
    let mut translation = Translation { parts: Vec::new(), targets, named: BTreeSet::new() };
    let attributes = field(&["attrSchema"]);
    let body = match (attributes, field(&["bodySchema", "rootSchema", "schema"])) {
        (Some(attributes), _) => translation.attributes(attributes)?,
        (None, Some(body)) => translation.body(body)?,
        (None, None) => return Err("the case has no schema".to_owned()),
    };
    let (given, definitions) = translation.definitions();
    let uses: String =
        (0..uses).map(|at| format!("block \"use_{at}\" {{\nattribute \"value\" {{\ntype = any\n}}\n}}\n")).collect();
    let others = translation.other_kinds(&format!("{body}{given}{}", translation.parts.concat()));
    let schema = format!(
        "language \"ours\" {{\nfunctions = [\"terraform\"]\nlater = [\"{LATER}\"]\nfiles \"ours\" {{\n\
         patterns = [\"*.ours\", \"*.ours.json\"]\ntogether = true\nbody = root\n}}\n}}\n\
         part \"root\" {{\n{body}{given}{uses}{others}}}\n{}",
        translation.parts.concat()
    );
    Ok(Translated { schema, definitions })
}
