//! Diagnostics as workflow commands of GitHub Actions.

use hcl_lr::diagnostic::{Diagnostic, Diagnostics, Severity};
use hcl_lr::source::visible;

/// A line for each.
pub fn commands(diagnostics: &Diagnostics) -> String {
    diagnostics.iter().map(command).collect()
}

/// Returns the line for something that could not be checked.
pub fn failure(message: &str) -> String {
    format!("::error::{}\n", data(message))
}

fn command(diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "notice",
    };
    let (source, span) = (diagnostic.source(), diagnostic.span());
    let (start, end) = (source.position(span.start()), source.position(span.end()));
    let mut properties = format!("file={},line={},endLine={}", property(source.name()), start.line, end.line);
    // Columns are for places within a line only.
    if start.line == end.line {
        properties += &format!(",col={},endColumn={}", start.column, end.column);
    }
    let (headline, detail) = diagnostic.in_two_parts();
    let mut message = if detail.is_empty() { headline.to_owned() } else { detail.to_owned() };
    if let Some(help) = diagnostic.help() {
        message += &format!("\nhelp: {help}");
    }
    let title = property(&format!("{headline} [{}]", diagnostic.code()));
    format!("::{level} {properties},title={title}::{}\n", data(&message))
}

/// Escapes the text after the `::`, which is also shown in the log of a terminal.
fn data(text: &str) -> String {
    visible::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hcl_lr::source::Source;
    use hcl_lr::{File, parse};

    #[test]
    fn what_has_a_meaning_is_escaped() {
        let source = Source::new("a,b:c%\n.tf", "x = 'a'\n");
        let commands = commands(&parse::<File>(source).into_parts().1);
        assert!(commands.starts_with("::error file=a%2Cb%3Ac%25%0A.tf,line=1,endLine=1,col=5,endColumn=8,title="));
        assert!(commands.contains("%0Ahelp: ") && commands.lines().count() == 1, "{commands}");
        assert_eq!(failure("cannot read `x`\n100%"), "::error::cannot read `x`%0A100%25\n");
    }
}
