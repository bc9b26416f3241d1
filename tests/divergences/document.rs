//! `DIVERGENCES.md`, as the rows say.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::table::{Example, Section, Table, UsedParts};

pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("DIVERGENCES.md")
}

/// Returns the whole document.
pub fn text(table: &Table) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/divergences");
    let mut text = std::fs::read_to_string(folder.join("introduction.md")).expect("the introduction");
    for section in table.sections() {
        text += &format!("\n## {}\n\n", section.heading);
        if !section.introduction.is_empty() {
            text += &format!("{}\n\n", section.introduction);
        }
        text += &rows(section);
        text += &format!("\n### Examples: {}\n\n", section.heading);
        text += &examples(section);
    }
    text
}

pub fn heading(columns: &[&str]) -> String {
    format!("| {} |\n|{}\n", columns.join(" | "), " --- |".repeat(columns.len()))
}

fn rows(section: &Section) -> String {
    let mut columns = vec!["row"];
    columns.extend(section.columns.iter().map(String::as_str));
    let mut text = heading(&columns);
    for row in &section.rows {
        let cells = row.cells.iter().map(|cell| if cell.is_empty() { " |".to_owned() } else { format!(" {cell} |") });
        text += &format!("| `{}` |{}\n", row.id, cells.collect::<String>());
    }
    text
}

fn examples(section: &Section) -> String {
    let mut text = heading(&["row", "example", "official engine", "hcl-lr"]);
    for row in &section.rows {
        if let Some(why) = &row.not_shown {
            text += &format!("| `{}` | not shown: {why} | | |\n", row.id);
        }
        for example in row.examples() {
            let (engine, ours) = (answer(example.engine.as_ref()), answer(example.ours.as_ref()));
            let engine = if example.sometimes { format!("{engine}, sometimes") } else { engine };
            text += &format!("| `{}` | {} | {engine} | {ours} |\n", row.id, asked(example));
        }
    }
    text
}

/// Returns a short form of the question; the file has the whole question.
pub fn asked(example: &Example) -> String {
    match &example.asked {
        UsedParts::Hcldec(case) => {
            let file = case.path.file_name().unwrap_or_default().to_string_lossy();
            format!("[hcldec/{0}](tests/fixtures/hcldec/{file}#{0})", case.name)
        }
        UsedParts::OpenTofu(call) => code(call),
        UsedParts::TerraformFmt(text) => format!("`terraform fmt` of {}", code(text)),
        UsedParts::Request(request) => requested(request),
    }
}

fn requested(request: &Json) -> String {
    let op = request["op"].as_str().unwrap_or_default();
    let list = |name: &str| -> Vec<String> {
        request[name].as_array().into_iter().flatten().map(|element| value(element, 0)).collect()
    };
    match op {
        "expr" | "config" | "attributes" | "type" => with_variables(request, code(&source(request))),
        "template" => with_variables(request, format!("template {}", code(&source(request)))),
        "format" => format!("format {}", code(&source(request))),
        "json_attributes" => with_variables(request, format!("JSON {}", code(&source(request)))),
        "call" => code(&format!("{}({})", request["name"].as_str().unwrap_or_default(), list("args").join(", "))),
        "convert" => format!("convert {} to {}", code(&value(&request["value"], 0)), code(&ty(&request["type"]))),
        "json_value" => format!("JSON {} as {}", code(&source(request)), code(&ty(&request["type"]))),
        "echo" => code(&value(&request["value"], 0)),
        "defaults" => {
            let given = code(&value(&request["value"], 0));
            format!("defaults of {} applied to {given}", code(&source(request)))
        }
        "unify" => {
            let types: Vec<String> =
                request["types"].as_array().into_iter().flatten().map(|type_text| code(&ty(type_text))).collect();
            format!("unify {}", types.join(", "))
        }
        "content" | "decode" => {
            let files = request["files"].as_array().into_iter().flatten();
            let files: Vec<String> = files
                .map(|file| {
                    let text = code(file["src"].as_str().unwrap_or_default());
                    if file["name"].as_str().is_some_and(|name| name.ends_with(".json")) {
                        format!("JSON {text}")
                    } else {
                        text
                    }
                })
                .collect();
            let how = if op == "content" { "by a schema" } else { "by a spec" };
            with_variables(request, format!("{}, {how}", files.join(" and ")))
        }
        _ => code(&request.to_string()),
    }
}

fn source(request: &Json) -> String {
    request["src"].as_str().unwrap_or_default().to_owned()
}

fn with_variables(request: &Json, asked: String) -> String {
    let variables = request["vars"].as_object().into_iter().flatten();
    let variables: Vec<String> =
        variables.map(|(name, given)| code(&format!("{name} = {}", value(given, 0)))).collect();
    if variables.is_empty() { asked } else { format!("{asked} with {}", variables.join(", ")) }
}

/// An answer, in short.
pub fn answer(answer: Option<&Json>) -> String {
    let Some(answer) = answer else { return String::new() };
    if answer == "an error" {
        return "an error".to_owned();
    }
    if answer["panic"] == true {
        return "panic".to_owned();
    }
    // The answer is that of a program.
    if let Some(status) = answer["status"].as_i64() {
        return match answer["result"].as_str().unwrap_or_default().trim_end() {
            "" => format!("status {status}, {}", counted(answer["errors"].as_array().map_or(0, Vec::len), "error")),
            result => format!("status {status}, {}", code(result)),
        } + &match answer["warnings"].as_u64().unwrap_or(0) as usize {
            0 => String::new(),
            warnings => format!(", {}", counted(warnings, "warning")),
        };
    }
    let mut parts = Vec::new();
    for (name, part) in answer.as_object().into_iter().flatten() {
        match (name.as_str(), part) {
            ("ok", Json::Bool(true)) if answer.as_object().is_some_and(|parts| parts.len() == 1) => {
                parts.push("accepted".to_owned());
            }
            ("ok", Json::Bool(true)) => {}
            ("ok", _) if !["at", "errors"].iter().any(|name| answer.get(*name).is_some()) => {
                parts.push("an error".to_owned());
            }
            ("ok", _) => {}
            ("at", Json::Null) => parts.push("an error without a place".to_owned()),
            ("at", at) => parts.push(format!("an error at byte {at}")),
            ("bytes", bytes) => parts.push(format!("a text of {bytes} bytes")),
            ("column", column) => parts.push(format!("an error in column {column}")),
            ("errors" | "warnings", number) => {
                parts.push(counted(number.as_u64().unwrap_or(0) as usize, name.trim_end_matches('s')));
            }
            ("places", places) => parts.push(format!("errors at bytes {}", code(&places.to_string()))),
            ("text", Json::String(text)) => parts.push(code(text)),
            ("type" | "/type", found) => parts.push(code(&ty(found))),
            ("values", values) => {
                let values = values.as_object().into_iter().flatten();
                parts.extend(values.map(|(name, found)| code(&format!("{name} = {}", value(found, 0)))));
            }
            ("value", found) => parts.push(code(&value(found, 0))),
            (_, Json::Null) => parts.push("nothing".to_owned()),
            (pointer, part) if pointer.ends_with("/value") => parts.push(code(&value(part, 0))),
            (_, part) => parts.push(code(&part.to_string())),
        }
    }
    parts.join(", ")
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// A value as one would write it, as far as one could.
fn value(encoded: &Json, depth: usize) -> String {
    // No example nests deeply.
    if depth > 20 {
        return "…".to_owned();
    }
    let inner = |encoded: &Json| value(encoded, depth + 1);
    let list = |list: &Json| list.as_array().into_iter().flatten().map(inner).collect::<Vec<_>>().join(", ");
    let pairs = |pairs: &Json| {
        let pairs = pairs.as_object().into_iter().flatten();
        pairs.map(|(name, part)| format!("{name} = {}", inner(part))).collect::<Vec<_>>().join(", ")
    };
    let Some(members) = encoded.as_object() else { return encoded.to_string() };
    if let Some(number) = members.get("number").and_then(Json::as_str) {
        return number.to_owned();
    }
    if let Some(marks) = members.get("marks").and_then(Json::as_array) {
        let marks: Vec<&str> = marks.iter().filter_map(Json::as_str).collect();
        return format!("{} marked {}", inner(&members["value"]), marks.join(", "));
    }
    for (kind, what) in [("null", "null"), ("unknown", "unknown")] {
        if let Some(of) = members.get(kind) {
            let refined = members.get("refine").map(|refine| format!(", {}", refinement(refine)));
            let typed = if *of == "dynamic" { what.to_owned() } else { format!("{what}({})", ty(of)) };
            return typed + &refined.unwrap_or_default();
        }
    }
    let of = || members.get("of").map(ty).unwrap_or_default();
    match members.iter().find(|(name, _)| *name != "of") {
        Some((kind, parts)) if kind == "tuple" => format!("[{}]", list(parts)),
        Some((kind, parts)) if kind == "object" => format!("{{{}}}", pairs(parts)),
        Some((kind, parts)) if kind == "map" => format!("map({}) {{{}}}", of(), pairs(parts)),
        Some((kind, parts)) => format!("{kind}({}) [{}]", of(), list(parts)),
        None => encoded.to_string(),
    }
}

fn refinement(refine: &Json) -> String {
    let words = refine.as_object().into_iter().flatten().map(|(name, what)| match name.as_str() {
        "notnull" => "not null".to_owned(),
        "prefix" => format!("begins with {what}"),
        "min" | "max" => {
            let sign = match (name.as_str(), what[1] == true) {
                ("min", true) => "≥",
                ("min", false) => ">",
                (_, true) => "≤",
                _ => "<",
            };
            format!("{sign} {}", what[0].as_str().unwrap_or_default())
        }
        "minlen" => format!("length ≥ {what}"),
        _ => format!("length ≤ {what}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn ty(encoded: &Json) -> String {
    match encoded {
        Json::String(name) if name == "dynamic" => "any".to_owned(),
        Json::String(name) => name.clone(),
        Json::Array(parts) => {
            let kind = parts[0].as_str().unwrap_or_default();
            match (kind, parts.get(1)) {
                ("tuple", Some(Json::Array(of))) => {
                    format!("tuple([{}])", of.iter().map(ty).collect::<Vec<_>>().join(", "))
                }
                ("object", Some(Json::Object(of))) => {
                    let optional = |name: &String| {
                        parts
                            .get(2)
                            .and_then(Json::as_array)
                            .is_some_and(|names| names.iter().any(|candidate| candidate == name))
                    };
                    let attribute = |(name, of): (&String, &Json)| match optional(name) {
                        true => format!("{name} = optional({})", ty(of)),
                        false => format!("{name} = {}", ty(of)),
                    };
                    format!("object({{{}}})", of.iter().map(attribute).collect::<Vec<_>>().join(", "))
                }
                (_, Some(of)) => format!("{kind}({})", ty(of)),
                _ => encoded.to_string(),
            }
        }
        _ => encoded.to_string(),
    }
}

/// As code in a cell of a table: in one line, not too long, with characters that can be seen.
fn code(text: &str) -> String {
    const MOST: usize = 110;
    let mut shown = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == MOST {
            shown.push('…');
            break;
        }
        match character {
            '\n' => shown.push('⏎'),
            '\t' => shown.push('␉'),
            '\r' => shown.push('␍'),
            '|' => shown.push_str("\\|"),
            character if character.is_control() || is_invisible(character) => {
                shown += &format!("⟨U+{:04X}⟩", u32::from(character));
            }
            character => shown.push(character),
        }
    }
    if shown.is_empty() {
        return "an empty text".to_owned();
    }
    // A code span may hold fewer backticks in a row than it begins with.
    match shown.contains('`') {
        true => format!("`` {shown} ``"),
        false if shown.starts_with(' ') || shown.ends_with(' ') => format!("`{}`", shown.replace(' ', "␠")),
        false => format!("`{shown}`"),
    }
}

/// Returns true for combining characters and joiners.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}
