//! The kind of an input, and the check that it is complete.

use hcl_lr::diagnostic::Code;
use hcl_lr::parse;
use hcl_lr::source::Source;
use hcl_lr::syntax::ExpressionFile;
use hcl_lr::syntax::is_identifier;
use hcl_lr::syntax::unfinished::{Open, Unfinished};

use super::commands::Command;

/// The kind of an input at the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Begins with a colon.
    Command,
    /// `name = expression`, or a block: what stands in a file.
    Items,
    Expression,
}

/// The state of an input: complete, or continued on another line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Complete,
    GoesOn,
    /// The input is incomplete, and an empty line ends it.
    Abandoned,
}

/// Returns the kind of an input, decided by its first words.
pub fn kind(input: &[u8]) -> Kind {
    let text = String::from_utf8_lossy(input);
    let text = text.trim_start();
    if text.starts_with(':') {
        return Kind::Command;
    }
    let mut rest = text;
    let mut words = 0;
    while let Some((is_name, after)) = word(rest) {
        if words == 0 && is_name && (after.starts_with(":=") || begins_value(after)) {
            return Kind::Items;
        }
        if words == 0 && !is_name {
            return if begins_value(after) { Kind::Items } else { Kind::Expression };
        }
        words += 1;
        rest = after;
    }
    // Only a block has a brace after words.
    if words > 0 && rest.starts_with('{') { Kind::Items } else { Kind::Expression }
}

/// `=`, but neither `==` nor `=>`.
fn begins_value(text: &str) -> bool {
    text.strip_prefix('=').is_some_and(|rest| !rest.starts_with(['=', '>']))
}

/// Splits a name or quoted string off the start of a text. Returns true for a name, and the rest after blanks.
fn word(text: &str) -> Option<(bool, &str)> {
    let (is_name, end) = match text.strip_prefix('"') {
        Some(quoted) => (false, quoted.find(['"', '\n']).filter(|&end| quoted[end..].starts_with('"'))? + 2),
        None => {
            let end = text.find(|char: char| char.is_whitespace() || "={\":([.?+*/<>!&|,)]}%".contains(char));
            let end = end.unwrap_or(text.len());
            (true, is_identifier(&text[..end]).then_some(end)?)
        }
    };
    Some((is_name, text[end..].trim_start_matches([' ', '\t'])))
}

/// Returns the innermost construct that is open at the end of an input, decided by the lexer.
fn open(input: &[u8]) -> Option<Open> {
    let (body, text) = match kind(input) {
        Kind::Command => (false, Command::argument(input)?),
        kind => (kind == Kind::Items, input),
    };
    // An item such as `:ast a = [` counts, too.
    let body = body || kind(text) == Kind::Items;
    let text = [text, b"\n"].concat();
    Unfinished::read(Source::from_bytes("", text), body).open
}

/// Returns true if an input has only white space and comments.
pub fn says_nothing(input: &[u8]) -> bool {
    let text = input.trim_ascii_start();
    let comment = text.starts_with(b"#") || text.starts_with(b"//") || text.starts_with(b"/*");
    let only_comments = || {
        let parse = parse::<ExpressionFile>(("", text));
        let tokens = parse.value().tokens().len();
        tokens == 1 && parse.diagnostics().iter().all(|error| error.code() == Code::MissingExpression)
    };
    text.is_empty() || comment && open(text).is_none() && only_comments()
}

/// Checks that an input is complete. It has just been ended by a line break, which is not part of it.
pub fn state(input: &[u8]) -> State {
    let last_line = input.rsplit(|&byte| byte == b'\n').next().unwrap_or(input);
    let several = last_line.len() < input.len();
    match open(input) {
        None => State::Complete,
        // In a heredoc or comment an empty line is text.
        Some(Open::Bracket) if several && last_line.trim_ascii().is_empty() => State::Abandoned,
        Some(_) => State::GoesOn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_say_what_it_is() {
        for text in ["a = 1", "  a=[", "a := 1", "\"a\" = 1", "a {", "service \"web\" {\n}", "a b \"c\" {}"] {
            assert_eq!(kind(text.as_bytes()), Kind::Items, "{text}");
        }
        for text in
            ["", "a", "a == 1", "a => 1", "{ a = 1 }", "\"a\"", "\"a\" == b", "a.b = 1", "f(a)", "for", "a ? {} : {}"]
        {
            assert_eq!(kind(text.as_bytes()), Kind::Expression, "{text}");
        }
        assert_eq!(kind(b" :type a"), Kind::Command);
        assert_eq!(kind(b"\xff = 1"), Kind::Expression);
    }

    #[test]
    fn what_is_open_goes_on() {
        for text in [
            "[",
            "f(1,",
            "{ a = 1",
            "a = {",
            "a {",
            "<<EOT",
            "x = <<-EOT\ntext",
            "\"${",
            "\"%{ if a",
            "[1, # (",
            "/* a",
            "1 + /*",
            "[for x in y :",
            ":type [",
            ":ast a = [",
            "<<EOT\n\n",
            "/*\n\n",
            "[\n<<EOT\n\n",
            "[\n 1,\n2,\n3",
            "f(\n<<EOT\na\nEOT",
            "<<EOT\n${",
            "<<EOT\n%{ if x }\n",
        ] {
            assert_eq!(state(text.as_bytes()), State::GoesOn, "{text}");
        }
    }

    #[test]
    fn what_further_lines_do_not_mend_is_complete() {
        for text in [
            "",
            "1",
            "1 +",
            "a ?",
            "\"a",
            "'a'",
            "(1]",
            "]",
            "[1, 'a',",
            "\"${a\"",
            "a = ",
            "<<EOT\na\nEOT",
            ":quit",
            ":nonsense [",
            "[1,\n2]",
            "a = {\n}\n",
            "a {\n}",
            "# [",
            "1 /* [ */",
            "[ \u{0}",
            "[ \"a",
            "<< EOT",
        ] {
            assert_eq!(state(text.as_bytes()), State::Complete, "{text}");
        }
        assert_eq!(state(b"[\xff"), State::Complete);
    }

    #[test]
    fn comments_say_nothing() {
        for text in ["", " \t", "# a", "// a\n/* b */"] {
            assert!(says_nothing(text.as_bytes()), "{text}");
        }
        for text in ["1 # a", "/* a */ 1", "/* a", "/**/ \u{1}"] {
            assert!(!says_nothing(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn an_empty_line_abandons_what_is_no_text() {
        for text in ["[\n", "a = {\n  b = 1\n  ", "\"${\n\t", "a {\n\n"] {
            assert_eq!(state(text.as_bytes()), State::Abandoned, "{text:?}");
        }
    }
}
