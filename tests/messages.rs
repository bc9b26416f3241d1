//! All messages of the library and the programs in one list, and the rules for their wording.
//!
//! Prints the list, sorted by code, with parts in quotes and numbers left out:
//!
//! ```sh
//! cargo test --test messages -- --nocapture
//! ```
//!
//! The messages are read from the recorded output in `tests/fixtures` and `src/diagnostic/explain`, where every message
//! has its full text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use hcl_lr::diagnostic::Code;

#[path = "support/golden.rs"]
mod golden;

/// The part of a diagnostic that a text is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Summary,
    Detail,
    Label,
    Help,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Summary => "summary",
            Part::Detail => "detail",
            Part::Label => "label",
            Part::Help => "help",
        }
    }
}

/// The messages of each code, with one of the files in which each is recorded.
type Messages = BTreeMap<String, BTreeMap<(Part, String), String>>;

/// The code and the summary in the first line of a rendered diagnostic.
fn headline(line: &str) -> Option<(&str, &str)> {
    let rest = ["error[", "warning[", "note["].iter().find_map(|start| line.strip_prefix(start))?;
    let (code, summary) = rest.split_once("]: ")?;
    code.chars().all(|c| c.is_ascii_alphanumeric() || "-/".contains(c)).then_some((code, summary))
}

/// Returns true for the characters with which a rendered diagnostic is drawn.
fn is_drawn(c: char) -> bool {
    " │·^-─╭╮╰╯┌'".contains(c)
}

/// The message at the end of a line below an excerpt: a detail below `^^^`, a label below `---` or beside a line.
fn annotation(line: &str) -> Option<(Part, &str)> {
    let text = line.trim_start_matches(is_drawn);
    let drawing = &line[..line.len() - text.len()];
    let is_annotated = drawing.trim_start().starts_with('│') && text.contains(char::is_alphabetic);
    let part = if drawing.trim_end().ends_with('^') { Part::Detail } else { Part::Label };
    is_annotated.then_some((part, text))
}

/// Leaves out what differs from one use of a message to the next: texts in backticks or quotes, and numbers.
fn without_details(message: &str) -> String {
    let mut text = String::new();
    let mut quote = None;
    for c in message.chars() {
        match quote {
            Some(open) if c == open => {
                write!(text, "…{c}").expect("a string takes all");
                quote = None;
            }
            Some(_) => {}
            None if matches!(c, '`' | '"') => {
                text.push(c);
                quote = Some(c);
            }
            None if c.is_ascii_digit() => {
                if !text.ends_with('#') {
                    text.push('#');
                }
            }
            None => text.push(c),
        }
    }
    text
}

/// Collects the messages of the diagnostics in a recorded output.
fn collect(file: &str, recorded: &str, messages: &mut Messages) {
    let mut code = None;
    for line in recorded.lines() {
        let line = line.strip_prefix("| ").or_else(|| line.strip_prefix("! ")).unwrap_or(line);
        let found = if let Some((found, summary)) = headline(line) {
            code = Some(found.to_owned());
            // In one line, the summary is followed by the detail.
            (Part::Summary, summary)
        } else if let Some(help) = line.trim_start().strip_prefix("= help: ") {
            (Part::Help, help)
        } else if let Some(annotation) = annotation(line) {
            annotation
        } else {
            if line.trim().is_empty() || line.starts_with("```") {
                code = None;
            }
            continue;
        };
        if let Some(code) = &code {
            let (part, text) = found;
            let all = messages.entry(code.clone()).or_default();
            all.entry((part, without_details(text))).or_insert_with(|| file.to_owned());
        }
    }
}

/// All messages of codes of the library.
fn all() -> Messages {
    let mut paths = golden::fixtures("", &["txt", "md"]);
    let explained = std::fs::read_dir(golden::root().join("src/diagnostic/explain")).expect("a readable folder");
    paths.extend(explained.map(|entry| entry.expect("a readable entry").path()));
    let mut messages = Messages::new();
    for path in paths {
        let Ok(recorded) = std::fs::read_to_string(&path) else { continue };
        let file = path.strip_prefix(golden::root()).unwrap_or(&path).display().to_string();
        collect(&file, &recorded, &mut messages);
    }
    messages.retain(|code, _| Code::named(code).is_some());
    messages
}

/// Phrases that a reader stumbles over, each with what to write instead.
const AVOIDED: &[(&str, &str)] = &[
    ("may not ", "cannot, or must not"),
    (" is no ", "is not a"),
    ("what is ", "the noun"),
    ("please", "nothing"),
    ("stands ", "is"),
    ("illegal", "not allowed"),
    ("you ", "the imperative"),
];

/// Phrases that contain one of those, and are good.
const ALLOWED: &[&str] = &["there is no ", "did you mean", "stands for", "what is missing"];

/// The first rule that a message breaks.
fn broken_rule(code: &str, message: &str) -> Option<String> {
    let first = message.chars().next()?;
    let word = message.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    // A name such as JSON or NaN is written as it is.
    let is_name = word.chars().skip(1).any(|c| c.is_ascii_uppercase() || c.is_ascii_digit()) || word == "U";
    if first.is_uppercase() && !is_name {
        return Some("a message begins with a small letter".to_owned());
    }
    if message.ends_with('.') && !message.ends_with("...") {
        return Some("a message has no period".to_owned());
    }
    let plain = ALLOWED.iter().fold(message.to_owned(), |text, allowed| text.replace(allowed, ""));
    if let Some((phrase, better)) = AVOIDED.iter().find(|(phrase, _)| plain.contains(phrase)) {
        return Some(format!("not `{}`, but {better}", phrase.trim()));
    }
    // The name in quotes may begin with a vowel.
    if [" a \"…\" block", " an \"…\" block"].iter().any(|article| format!(" {message}").contains(article)) {
        return Some("no article before a name that is filled in: `this \"name\" block`, `\"name\" blocks`".to_owned());
    }
    let spelled = message.to_lowercase().replace([' ', '_'], "-");
    (spelled == code).then(|| "the words of the code are there already".to_owned())
}

/// Messages of programs and of tests, which choose their own words; and names that look like sentences.
fn is_of_an_application(code: &str, part: Part) -> bool {
    matches!(code, "invalid-value" | "function-failed") && part != Part::Summary
}

#[test]
fn each_code_has_a_recorded_message() {
    let messages = all();
    let mut missing: BTreeSet<&str> = Code::ALL.iter().map(Code::as_str).collect();
    missing.retain(|code| !messages.contains_key(*code));
    // A source of 4 GiB is not recorded; an example in `src/reading.rs` has the message.
    missing.remove("source-too-large");
    assert!(missing.is_empty(), "no fixture has a message of {missing:?}");
}

#[test]
fn messages_follow_the_rules_of_wording() {
    let (mut list, mut wrong) = (String::new(), String::new());
    for (code, messages) in all() {
        writeln!(list, "\n{code}").expect("a string takes all");
        for ((part, message), file) in messages {
            writeln!(list, "    {:8} {message}", part.name()).expect("a string takes all");
            if let Some(rule) = broken_rule(&code, &message).filter(|_| !is_of_an_application(&code, part)) {
                writeln!(wrong, "{file}: {code}: {message}\n    {rule}").expect("a string takes all");
            }
        }
    }
    println!("{list}");
    assert!(wrong.is_empty(), "{wrong}");
}
