//! Asks the analysis what a case asks, and compares the answers.

use hcl_lr::diagnostic::Severity;
use hcl_lr::source::Span;
use hcl_lr_analysis::completion::{Item, ItemKind};
use hcl_lr_analysis::tokens::WordKind;
use hcl_lr_analysis::{Snapshot, Workspace};
use serde_json::Value;

use super::cases::Case;
use super::schema::{LATER, Reason, Translated, address, translate};

/// A question with its answer.
pub struct Answer {
    /// The kind of question: `completion`, `hover`, `target`, `origin`, `token`, `validation`.
    pub kind: &'static str,
    /// The question within its case; empty if it is the only one.
    pub about: String,
    /// The difference from hcl-lang, if there is one.
    pub wrong: Option<String>,
}

/// The folder of the files of a case.
const FOLDER: &str = "/w";

/// The files of a case.
struct Files {
    snapshot: Snapshot,
    /// The path of the case's file.
    path: String,
    text: String,
}

impl Files {
    fn new(case: &Case, translated: &Translated, text: &str, uses: &str) -> Result<Files, Reason> {
        let path = match case.test.to_lowercase().contains("json") {
            true => format!("{FOLDER}/test.ours.json"),
            false => format!("{FOLDER}/test.ours"),
        };
        let mut workspace = Workspace::default();
        workspace.set(&format!("{FOLDER}/s.schema.hcl"), translated.schema.as_str());
        workspace.set(&format!("{FOLDER}/.hcl-schema"), "s.schema.hcl\n");
        workspace.set(&format!("{FOLDER}/given.ours"), translated.definitions.as_str());
        workspace.set(&format!("{FOLDER}/uses.ours"), uses);
        workspace.set(&path, text);
        let snapshot = workspace.snapshot();
        let schema = snapshot.diagnostics(&format!("{FOLDER}/s.schema.hcl")).expect("an answer");
        if let Some(error) = schema.iter().find(|finding| finding.severity == Severity::Error) {
            let (summary, detail) = (error.diagnostic.summary(), error.diagnostic.detail());
            if std::env::var_os("HCL_LANG_SHOWN").is_some() {
                println!("{} {}: {summary}: {detail}\n{}", case.test, case.number, translated.schema);
            }
            return Err(format!("HCL Schema says: {summary}: {detail}"));
        }
        Ok(Files { snapshot, path, text: text.to_owned() })
    }

    /// Returns true if an item is no error where it is offered.
    fn accepts(&self, item: &Item) -> bool {
        let text = format!("{}{}{}", &self.text[..item.span.start()], item.text, &self.text[item.span.end()..]);
        let end = item.span.start() + item.text.len();
        let mut workspace = Workspace::default();
        for name in ["s.schema.hcl", ".hcl-schema", "given.ours", "uses.ours"] {
            let path = format!("{FOLDER}/{name}");
            workspace.set(&path, self.snapshot.file(&path).expect("a file").source().text().to_owned());
        }
        workspace.set(&self.path, text);
        let found = workspace.snapshot().diagnostics(&self.path).expect("an answer");
        let mut errors = found.iter().filter(|finding| finding.severity == Severity::Error);
        let is_in_item = |found: Span| found.start() < end && item.span.start() < found.end();
        item.is_start || !errors.any(|finding| is_in_item(finding.diagnostic.span()))
    }

    fn has_hover(&self, path: &str, offset: usize) -> bool {
        self.snapshot.hover(path, offset).expect("an answer").is_some()
    }
}

fn span_of(range: &Value) -> Option<Span> {
    let end = |name: &str| range[name]["Byte"].as_u64().and_then(|at| usize::try_from(at).ok());
    Some(Span::new(end("Start")?, end("End")?))
}

fn overlaps(one: Span, other: Span) -> bool {
    one.start() < other.end() && other.start() < one.end() || one == other
}

fn field<'v>(case: &'v Case, names: &[&str]) -> Option<&'v Value> {
    names.iter().find_map(|name| case.fields.get(*name))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns the answers to a case.
///
/// # Errors
/// The case says nothing about this project.
pub fn ask(case: &Case) -> Result<Vec<Answer>, Reason> {
    let text = field(case, &["cfg", "config", "src"]).and_then(Value::as_str).ok_or("the case has no text")?;
    let offset = || case.fields["pos"]["Byte"].as_u64().unwrap_or_default() as usize;
    let hooks = case.fields.to_string();
    if hooks.contains("\"CompletionHooks\":[{") {
        return Err("the values come from a program of the application".to_owned());
    }
    let translated = |targets: &[Value], uses| translate(&case.fields, targets, uses);
    if let Some(expected) = field(case, &["expectedCandidates"]) {
        let files = Files::new(case, &translated(&[], 0)?, text, "")?;
        let has_functions = field(case, &["funcSignatures", "functions"]).is_some_and(|all| !all.is_null());
        return completion(&files, offset(), expected, has_functions).map(|answer| vec![answer]);
    }
    if let Some(expected) = field(case, &["expectedHoverData", "expectedData"]) {
        let files = Files::new(case, &translated(&[], 0)?, text, "")?;
        return hover(&files, offset(), expected).map(|answer| vec![answer]);
    }
    if let Some(expected) = field(case, &["expectedSemanticTokens", "expectedTokens"]) {
        let files = Files::new(case, &translated(&[], 0)?, text, "")?;
        return Ok(vec![tokens(&files, expected)]);
    }
    if let Some(expected) = field(case, &["expectedDiagnostics"]) {
        let files = Files::new(case, &translated(&[], 0)?, text, "")?;
        return validation(&files, expected).map(|answer| vec![answer]);
    }
    if let Some(expected) = field(case, &["expectedRefOrigins", "expectedOrigins"]) {
        return origins(case, text, expected);
    }
    if let Some(expected) = field(case, &["expectedRefTargets", "expectedRefs"]) {
        return targets(case, text, expected);
    }
    Err("the case asks for something else".to_owned())
}

/// Functions whose results have another type in the signatures of hcl-lang's tests, or that only these have.
const OTHER_FUNCTIONS: [&str; 4] = ["element", "keys", "namespaced::function", "provider::framework::example"];

/// Returns the form in which this project labels what hcl-lang does.
fn label(text: &str) -> String {
    let is_call = |text: &&str| text.ends_with("(…)") || text.ends_with("([…])") || text.ends_with("({…})");
    if let Some(name) = Some(text).filter(is_call).and_then(|text| text.split('(').next()) {
        return name.to_owned();
    }
    match text {
        _ if text.starts_with('[') => "[]".to_owned(),
        _ if text.starts_with('{') => "{}".to_owned(),
        _ if text.starts_with("\"key\" = ") => "key".to_owned(),
        _ => text.trim_matches('"').to_owned(),
    }
}

fn completion(files: &Files, offset: usize, expected: &Value, has_functions: bool) -> Result<Answer, Reason> {
    let labels = list(&expected["List"]).filter_map(|one| one["Label"].as_str());
    let all: Vec<&str> = labels.collect();
    let wanted: Vec<String> = all.iter().filter(|one| !OTHER_FUNCTIONS.contains(one)).map(|one| label(one)).collect();
    if wanted.is_empty() && !all.is_empty() {
        return Err("the functions have other signatures".to_owned());
    }
    let completion = files.snapshot.completion(&files.path, offset).expect("an answer");
    // HCL Schema has no language without functions, and hcl-lang never offers `null`.
    let is_compared = |item: &&Item| {
        let is_function = item.kind == ItemKind::Function && !has_functions && wanted.is_empty();
        !is_function && item.label != "null" && item.label != LATER
    };
    let items = completion.items.iter().filter(is_compared);
    let found: Vec<String> = items.map(|item| item.label.trim_matches('"').to_owned()).collect();
    // A member is offered by its own name where hcl-lang offers the address.
    let is_found = |one: &&String| {
        let last = one.rsplit('.').next().unwrap_or(one);
        let last = last.split_once('[').map_or(last, |(_, key)| key.trim_matches(['"', ']']));
        found.iter().any(|found| found == *one || found == last)
    };
    let missing: Vec<&String> = wanted.iter().filter(|one| !is_found(one)).collect();
    let shown = || found.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
    let wrong = if !missing.is_empty() {
        if list(&expected["List"]).all(|one| is_broken_by(&files.text, &one["TextEdit"])) {
            return Err("what hcl-lang offers would be a syntax error".to_owned());
        }
        Some(format!("missing: {missing:?}; offered: {}", shown()))
    } else if wanted.is_empty() && !found.is_empty() {
        let items: Vec<&Item> = completion.items.iter().filter(is_compared).collect();
        if items.iter().all(|item| files.accepts(item)) {
            return Err("hcl-lang offers nothing, and what is offered here is right".to_owned());
        }
        Some(format!("offered: {}", shown()))
    } else {
        None
    };
    Ok(Answer { kind: "completion", about: String::new(), wrong })
}

/// Returns true if an edit that hcl-lang offers breaks the syntax of a text.
fn is_broken_by(text: &str, edit: &Value) -> bool {
    let (Some(span), Some(new)) = (span_of(&edit["Range"]), edit["NewText"].as_str()) else { return false };
    let Some((before, after)) = text.get(..span.start()).zip(text.get(span.end()..)) else { return false };
    let after = format!("{before}{new}{after}");
    hcl_lr::parse::<hcl_lr::File>(after.as_str()).diagnostics().has_errors()
}

/// Returns true for a number, a word such as `true`, and a string.
fn is_literal(text: &str) -> bool {
    let is_word = |text: &str| matches!(text, "true" | "false" | "null");
    text.starts_with(['"', '-'])
        || text.starts_with("<<")
        || text.starts_with(|char: char| char.is_ascii_digit())
        || is_word(text)
}

fn hover(files: &Files, offset: usize, expected: &Value) -> Result<Answer, Reason> {
    // What is around the place, up to blanks and brackets.
    let is_part = |char: char| char.is_alphanumeric() || char == '"';
    let start = files.text[..offset].trim_end_matches(is_part).len();
    let word: String = files.text[start..].chars().take_while(|char| is_part(*char)).collect();
    if matches!(expected["Content"]["Value"].as_str(), Some("_string_" | "_number_" | "_bool_"))
        || expected.is_null() && is_literal(&word)
    {
        return Err("a literal says itself what it is".to_owned());
    }
    let found = files.snapshot.hover(&files.path, offset).expect("an answer");
    let wrong = match (expected.is_null(), &found) {
        (false, None) => Some(format!("missing: {}", expected["Content"]["Value"])),
        (true, Some(found)) => Some(format!("said: {}", found.markdown.replace('\n', " "))),
        _ => None,
    };
    Ok(Answer { kind: "hover", about: String::new(), wrong })
}

/// Returns true if words of a kind are what hcl-lang calls tokens of a type.
fn is_token(ty: &str, kind: WordKind) -> bool {
    use WordKind::{Attribute, Block, Function, Key, Keyword, Label, Member, Number, Parameter, String, Variable};
    match ty {
        // Attributes of types are keys in brackets.
        "hcl-attrName" => matches!(kind, Attribute | Key),
        "hcl-blockType" => kind == Block,
        "hcl-blockLabel" => kind == Label,
        "hcl-bool" => kind == Keyword,
        "hcl-string" => kind == String,
        "hcl-number" => kind == Number,
        "hcl-referenceStep" => matches!(kind, Variable | Member | Parameter | String | Number),
        "hcl-functionName" => kind == Function,
        "hcl-mapKey" | "hcl-objectKey" => matches!(kind, Key | Number | String),
        "hcl-keyword" | "hcl-typePrimitive" => matches!(kind, Keyword | Variable),
        "hcl-typeComplex" => matches!(kind, Function | Variable),
        _ => false,
    }
}

fn tokens(files: &Files, expected: &Value) -> Answer {
    let words = files.snapshot.words(&files.path, None);
    let missing = list(expected).filter(|token| {
        let Some(span) = span_of(&token["Range"]).filter(|span| !span.is_empty()) else { return false };
        let ty = token["Type"].as_str().unwrap_or_default();
        let is_it = |word: &hcl_lr_analysis::tokens::Word| overlaps(word.span, span) && is_token(ty, word.kind);
        !words.iter().any(is_it)
    });
    let missing: Vec<String> = missing.map(|token| token["Type"].to_string()).collect();
    let wrong = (!missing.is_empty()).then(|| format!("missing: {}", missing.join(", ")));
    Answer { kind: "token", about: String::new(), wrong }
}

fn validation(files: &Files, expected: &Value) -> Result<Answer, Reason> {
    let expected: Vec<&Value> = match expected {
        Value::Object(files) => files.values().flat_map(list).collect(),
        expected => list(expected).collect(),
    };
    let found = files.snapshot.diagnostics(&files.path).expect("an answer");
    let is_wanted = |severity: Severity| matches!(severity, Severity::Error | Severity::Warning);
    let found: Vec<_> = found.into_iter().filter(|finding| is_wanted(finding.severity)).collect();
    let severity = |one: &Value| if one["Severity"] == 1 { Severity::Error } else { Severity::Warning };
    let missing = expected.iter().find(|one| {
        let span = span_of(&one["Subject"]).unwrap_or_default();
        let line = |at: usize| files.text[..at].matches('\n').count();
        let is_it = |found: Span| overlaps(span, found) || line(span.start()) == line(found.start());
        !found.iter().any(|finding| finding.severity == severity(one) && is_it(finding.diagnostic.span()))
    });
    let wrong = match missing {
        Some(missing) => Some(format!("missing: {}", missing["Summary"])),
        None if found.len() > expected.len() => Some(format!("{} findings, not {}", found.len(), expected.len())),
        None => None,
    };
    if wrong.is_some() && expected.is_empty() && files.text.contains("dynamic") {
        return Err("hcl-lang does not check what a `dynamic` block generates".to_owned());
    }
    Ok(Answer { kind: "validation", about: String::new(), wrong })
}

/// Asks for the definition of each reference, and that nothing else is one.
fn origins(case: &Case, text: &str, expected: &Value) -> Result<Vec<Answer>, Reason> {
    let is_local = |origin: &&Value| origin["$go"] == "reference.LocalOrigin";
    let mut known: Vec<&Value> = list(expected).collect();
    if !known.iter().all(is_local) {
        return Err("references lead to other folders".to_owned());
    }
    let target = |origin: &&Value| {
        let constraint = &origin["Constraints"][0];
        serde_json::json!({ "Addr": origin["Addr"], "Type": constraint["OfType"], "ScopeId": constraint["OfScopeId"] })
    };
    let mut targets: Vec<Value> = Vec::new();
    for origin in &known {
        let target = target(origin);
        if !targets.iter().any(|other| other["Addr"] == target["Addr"]) {
            targets.push(target);
        }
    }
    let files = Files::new(case, &translate(&case.fields, &targets, 0)?, text, "")?;
    let leads = |offset: usize| {
        let found = files.snapshot.definition(&files.path, offset).expect("an answer");
        found.is_some_and(|(_, place, _)| place.path.ends_with("given.ours"))
    };
    // hcl-lang takes the names of a `for` for references.
    let is_own_name = |span: Span| {
        let found = files.snapshot.definition(&files.path, span.start()).expect("an answer");
        found.is_some_and(|(_, place, _)| *place.path == *files.path)
    };
    known.retain(|origin| span_of(&origin["Range"]).is_none_or(|span| !is_own_name(span)));
    if files.path.ends_with(".json") && text.contains('\\') {
        return Err("hcl-lang's places in JSON are wrong after an escape sequence".to_owned());
    }
    let spans: Vec<Span> = known.iter().filter_map(|origin| span_of(&origin["Range"])).collect();
    let missing = spans.iter().zip(&known).find(|(span, _)| !leads(span.start()) && !leads(span.end() - 1));
    let other = text.char_indices().map(|(at, _)| at).find(|at| {
        let is_known = spans.iter().any(|span| span.start() <= *at && *at <= span.end());
        !is_known && leads(*at)
    });
    let wrong = match (missing, other) {
        (Some((_, origin)), _) => Some(format!("missing: {}", address(&origin["Addr"]))),
        (None, Some(at)) => Some(format!("a reference at byte {at}")),
        (None, None) => None,
    };
    Ok(vec![Answer { kind: "origin", about: String::new(), wrong }])
}

/// Collects targets with those in them.
fn flattened<'v>(targets: &'v Value, found: &mut Vec<&'v Value>) {
    for target in list(targets) {
        if list(&target["Addr"]).next().is_some() {
            found.push(target);
        }
        flattened(&target["NestedTargets"], found);
    }
}

/// Asks for the definition and the description of each target, by a reference to it.
fn targets(case: &Case, text: &str, expected: &Value) -> Result<Vec<Answer>, Reason> {
    let mut known = Vec::new();
    flattened(expected, &mut known);
    let uses = known.iter().enumerate();
    let uses: String =
        uses.map(|(at, target)| format!("use_{at} {{\n  value = {}\n}}\n", address(&target["Addr"]))).collect();
    let files = Files::new(case, &translate(&case.fields, &[], known.len())?, text, &uses)?;
    let path = format!("{FOLDER}/uses.ours");
    let mut answers = Vec::new();
    let mut line = 0;
    for (at, target) in known.into_iter().enumerate() {
        let written = address(&target["Addr"]);
        line += format!("use_{at} {{\n  value = ").len();
        // The last name, or the text in brackets.
        let offset = line + written.len() - if written.ends_with(']') { 2 } else { 1 };
        line += written.len() + "\n}\n".len();
        let place = files.snapshot.definition(&path, offset).expect("an answer").map(|(_, place, _)| place);
        let range = span_of(&target["RangePtr"]).filter(|span| !span.is_empty());
        // In JSON, hcl-lang's range is the value after the name.
        let is_before = |place: Span, range: Span| {
            let between = files.text.get(place.end()..range.start());
            between.is_some_and(|text| text.trim_matches(['"', ' ', '\n', '\t', ':', '[', '{']).is_empty())
        };
        let is_at = |range: Span| {
            let found = place.as_ref().filter(|place| *place.path == *files.path);
            found.is_some_and(|place| overlaps(place.span, range) || is_before(place.span, range))
        };
        let wrong = if !files.has_hover(&path, offset) {
            Some(format!("not described; in {:?}", files.text))
        } else if range.is_some_and(|range| !is_at(range)) {
            Some(format!("leads to {:?}; in {:?}", place.map(|place| place.span), files.text))
        } else {
            None
        };
        answers.push(Answer { kind: "target", about: written, wrong });
    }
    Ok(answers)
}
