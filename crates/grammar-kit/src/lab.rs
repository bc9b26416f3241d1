//! Examples with their trees, derivations and values, for those who change the language.
//!
//! A file of examples has one in each line: an expression, an attribute, or a template that begins with `${` or `%{`. Empty
//! lines and comments are skipped. An attribute defines a variable for the lines below it.
//!
//! ```text
//! a = 2
//! a + 1 * 3
//! ```

use std::fmt::Write as _;

use hcl_lr::syntax::ast::TreeDump;
use hcl_lr::{ParseOptions, Scope, Source, Value};

use crate::derive::derive;
use crate::parse::Syntax;
use crate::{Grammar, precedence};

/// The variables of a session.
#[derive(Clone, Debug, Default)]
pub struct Session {
    scope: Scope<'static>,
}

impl Session {
    /// Creates a session without variables.
    pub fn new() -> Session {
        Session::default()
    }

    /// Evaluates a line. The result is its value, or its errors as a report.
    ///
    /// ```
    /// let mut session = hcl_lr_grammar_kit::Session::new();
    /// assert_eq!(session.evaluate("a = 1 + 1"), Ok("a = 2".to_owned()));
    /// assert_eq!(session.evaluate("a * 2"), Ok("4".to_owned()));
    /// assert!(session.evaluate("a +").unwrap_err().starts_with("error["));
    /// ```
    ///
    /// # Errors
    /// The line has errors, or cannot be evaluated.
    pub fn evaluate(&mut self, line: &str) -> Result<String, String> {
        let syntax = syntax_of(line);
        let outcome = syntax.parse(Source::new("example", line), &ParseOptions::new());
        if outcome.diagnostics().has_errors() {
            return Err(outcome.diagnostics().render().to_string());
        }
        let file = outcome.value();
        let value = match syntax {
            Syntax::Expression => file.expression().evaluate(&self.scope),
            Syntax::Template => file.template().evaluate(&self.scope),
            Syntax::Config => return self.define(file),
        };
        value.map(|value| value.to_string()).map_err(|why| why.render().to_string())
    }

    /// Defines the attributes of a file.
    fn define(&mut self, file: &hcl_lr::File) -> Result<String, String> {
        let values = file.body().evaluate_attributes(&self.scope).into_result();
        let values = values.map_err(|why| why.render().to_string())?;
        let values: Vec<(String, Value)> =
            values.into_iter().map(|(attribute, value)| (attribute.name().to_owned(), value)).collect();
        let lines: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        for (name, value) in values {
            self.scope.set(name, value);
        }
        Ok(lines.join("\n"))
    }
}

/// The language of a line: that in which it has no errors, or else an expression.
fn syntax_of(line: &str) -> Syntax {
    if line.starts_with("${") || line.starts_with("%{") {
        return Syntax::Template;
    }
    let is_free =
        |syntax: &Syntax| !syntax.parse(Source::new("example", line), &ParseOptions::new()).diagnostics().has_errors();
    [Syntax::Expression, Syntax::Config].into_iter().find(is_free).unwrap_or(Syntax::Expression)
}

/// Returns the tree, the derivation and the value of each example of a file.
///
/// # Errors
/// An example is too long to be derived.
///
/// ```
/// let grammars = hcl_lr_grammar_kit::grammars()?;
/// let shown = hcl_lr_grammar_kit::shown(&grammars, "1 + 2 * 3\n")?;
/// assert!(shown.starts_with("# 1 + 2 * 3\nvalue: 7\n"), "{shown}");
/// # Ok::<(), String>(())
/// ```
pub fn shown(grammars: &[Grammar], examples: &str) -> Result<String, String> {
    let mut session = Session::new();
    let mut text = String::new();
    for line in examples.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let syntax = syntax_of(line);
        let source = Source::new("example", line);
        let _ = writeln!(text, "# {line}");
        let _ = match session.evaluate(line) {
            Ok(value) => writeln!(text, "value: {value}"),
            Err(why) => writeln!(text, "{}", why.trim_end()),
        };
        text += "tree:\n";
        text += &indented(&TreeDump::of_file(syntax.parse(source.clone(), &ParseOptions::new()).value()).to_string());
        let derivation = derive(grammars, &source, syntax)?;
        match derivation.error {
            None => text += &format!("derivation:\n{}", indented(&derivation.text)),
            Some(stop) => {
                let (column, expected) = (stop.column, stop.expected.join(", "));
                let _ = writeln!(
                    text,
                    "no derivation: {} in column {column} cannot follow\n  expected one of {expected}",
                    stop.found
                );
            }
        }
        text += &indented(&precedence::chains(&source, syntax));
        text.push('\n');
    }
    Ok(text)
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// Returns the lines of a text that are not in another one with `+`, and those that are only there with `-`, each below
/// the heading of its example.
///
/// ```
/// let (before, after) = ("# 1 + 2\nvalue: 3\n\n# 3\nvalue: 3\n", "# 1 + 2\nvalue: 4\n\n# 3\nvalue: 3\n");
/// assert_eq!(hcl_lr_grammar_kit::changes(before, after), "# 1 + 2\n- value: 3\n+ value: 4\n");
/// assert_eq!(hcl_lr_grammar_kit::changes(after, after), "nothing has changed\n");
/// ```
pub fn changes(before: &str, after: &str) -> String {
    let old = sections(before);
    let new = sections(after);
    let mut text = String::new();
    for (heading, lines) in &new {
        let none = Vec::new();
        let others = old.iter().find(|(other, _)| other == heading).map_or(&none, |(_, lines)| lines);
        text += &section_changes(heading, others, lines);
    }
    for (heading, lines) in old.iter().filter(|(heading, _)| new.iter().all(|(other, _)| other != heading)) {
        text += &section_changes(heading, lines, &Vec::new());
    }
    if text.is_empty() { "nothing has changed\n".to_owned() } else { text }
}

/// The lines below each heading.
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sections = vec![("", Vec::new())];
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line.starts_with("# ") {
            sections.push((line, Vec::new()));
        } else if let Some((_, lines)) = sections.last_mut() {
            lines.push(line);
        }
    }
    sections
}

fn section_changes(heading: &str, old: &[&str], new: &[&str]) -> String {
    if old == new {
        return String::new();
    }
    // Common lines at both ends are not shown.
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let common_end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(one, other)| one == other);
    let end = common_end.count();
    let lines = |sign: char, lines: &[&str]| -> String {
        lines[start..lines.len() - end].iter().map(|line| format!("{sign} {line}\n")).collect()
    };
    let heading = if heading.is_empty() { String::new() } else { format!("{heading}\n") };
    format!("{heading}{}{}", lines('-', old), lines('+', new))
}
