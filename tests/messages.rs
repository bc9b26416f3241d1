//! All messages of the library and the programs in one list, and the rules for their wording.
//!
//! Prints the list, sorted by code, with parts in quotes and numbers left out:
//!
//! ```sh
//! cargo test --test messages -- --nocapture
//! ```
//!
//! The messages are read from the recorded output in `tests/fixtures`, `src/diagnostic/explain` and `crates/lsp/tests/sessions`,
//! where every message has its full text. Messages without a code are listed as those of `programs` and `edits`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use hcl_lr::construct::{BuildError, NewExpression};
use hcl_lr::diagnostic::Code;
use hcl_lr::source::Span;
use hcl_lr_edit::EditError;

#[path = "support/cases.rs"]
mod cases;
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
            add(messages, code, part, text, file);
        }
    }
}

/// Adds a message to those of a code.
fn add(messages: &mut Messages, code: &str, part: Part, text: &str, file: &str) {
    let all = messages.entry(code.to_owned()).or_default();
    all.entry((part, without_details(text))).or_insert_with(|| file.to_owned());
}

/// Collects the messages without a code that a program writes to standard error: `! error: …` and `! note: …`.
fn collect_of_programs(file: &str, recorded: &str, messages: &mut Messages) {
    for line in recorded.lines() {
        let Some(line) = line.strip_prefix("! ") else { continue };
        let starts = [("error: ", Part::Summary), ("warning: ", Part::Summary), ("note: ", Part::Label)];
        for (start, part) in starts {
            if let Some(text) = line.strip_prefix(start) {
                add(messages, "programs", part, text, file);
            }
        }
    }
}

/// Collects the messages of edits that are refused: the blocks of the language `error`.
fn collect_of_edits(file: &str, recorded: &str, messages: &mut Messages) {
    let mut is_message = false;
    for line in recorded.lines() {
        if line.starts_with("```") {
            is_message = line == "```error";
        } else if is_message {
            add(messages, "edits", Part::Detail, line, file);
        }
    }
}

/// Collects the messages of the errors that no fixture of an edit has.
fn collect_of_errors(messages: &mut Messages) {
    let span = Span::new(0, 0);
    let heredocs = ["no newline", "a bell \u{7}\n"].map(|text| NewExpression::heredoc(text).text().err());
    let build = [BuildError::Name("a b".to_owned())];
    let edit = [EditError::Conflict(span), EditError::NotAsAsked(span), EditError::Elsewhere, EditError::Unreadable];
    let build = build.into_iter().chain(heredocs.into_iter().flatten());
    for error in build.map(EditError::Build).chain(edit) {
        add(messages, "edits", Part::Detail, &error.to_string(), "tests/messages.rs");
    }
}

/// Collects the messages that the language server shows: the members `code` and `message` of recorded answers. The lines
/// of a message are the summary with the detail, and the help.
fn collect_of_answers(file: &str, recorded: &str, messages: &mut Messages) {
    let mut code = None;
    let mut is_message = false;
    for line in recorded.lines().map(str::trim_start) {
        let text = if let Some(found) = line.strip_prefix("code: \"") {
            code = Some(found.trim_end_matches('"'));
            continue;
        } else if let Some(text) = line.strip_prefix("message:") {
            is_message = true;
            let text = text.trim().trim_matches('"');
            text.replace("\\\"", "\"")
        } else if let Some(text) = line.strip_prefix("| ").filter(|_| is_message) {
            text.to_owned()
        } else {
            is_message = false;
            continue;
        };
        let Some(code) = code.filter(|_| !text.is_empty()) else { continue };
        match text.strip_prefix("help: ") {
            Some(help) => add(messages, code, Part::Help, help, file),
            None => match text.split_once(": ") {
                Some((summary, detail)) => {
                    add(messages, code, Part::Summary, summary, file);
                    add(messages, code, Part::Detail, detail, file);
                }
                None => add(messages, code, Part::Summary, &text, file),
            },
        }
    }
}

/// All messages: those of codes of the library, of schemas and of analyses, and those without a code.
fn all() -> Messages {
    let mut paths = golden::fixtures("", &["txt", "md"]);
    for folder in ["src/diagnostic/explain", "crates/lsp/tests/sessions"] {
        let files = std::fs::read_dir(golden::root().join(folder)).expect("a readable folder");
        paths.extend(files.map(|entry| entry.expect("a readable entry").path()));
    }
    let mut messages = Messages::new();
    for path in paths {
        let Ok(recorded) = std::fs::read_to_string(&path) else { continue };
        let file = path.strip_prefix(golden::root()).unwrap_or(&path).display().to_string();
        collect(&file, &recorded, &mut messages);
        if file.starts_with("tests/fixtures/cli/") {
            collect_of_programs(&file, &recorded, &mut messages);
        }
        if file.starts_with("tests/fixtures/edit/") {
            collect_of_edits(&file, &recorded, &mut messages);
        }
        if file.starts_with("crates/lsp/tests/sessions/") {
            collect_of_answers(&file, &recorded, &mut messages);
        }
    }
    collect_of_errors(&mut messages);
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
    ("what depends", "what the reader calls it"),
    (", for it", ", because it"),
    ("leads to", "the address matches, or finds, something"),
    ("left open", "undecided"),
    ("whether", "if"),
    ("failed at it", "internal error: …; please report this"),
    ("looked at", "checked, searched or read"),
];

/// Phrases that contain one of those, and are good.
const ALLOWED: &[&str] =
    &["there is no ", "is no longer", "did you mean", "stands for", "what is missing", "please report this"];

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
