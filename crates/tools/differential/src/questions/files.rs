//! Random bodies: attributes, blocks, heredocs and comments.

use super::expressions::Writer;

/// Names of attributes and blocks. There are few, so that some occur twice in a body.
const NAMES: [&str; 12] = ["a", "b", "c", "d", "port", "name-x", "x_1", "é", "for", "if", "null", "_u"];

/// A body that has nothing but attributes, mostly.
pub fn attributes(writer: &mut Writer<'_>) -> String {
    let mut text = String::new();
    for _ in 0..1 + writer.random.below(4) {
        match writer.random.below(40) {
            0 => block(writer, 1, "", &mut text),
            1..5 => trivia(writer, "", &mut text),
            _ => attribute(writer, "", &mut text),
        }
    }
    finished(writer, text)
}

/// A configuration file.
pub fn file(writer: &mut Writer<'_>) -> String {
    let mut text = String::new();
    body(writer, 3, "", &mut text);
    finished(writer, text)
}

/// Some files have other line ends than others, and some none at their end.
fn finished(writer: &mut Writer<'_>, mut text: String) -> String {
    if writer.random.chance(6) {
        text.pop();
    }
    match writer.random.below(40) {
        0 | 1 => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        2 => format!("\u{feff}{text}"),
        _ => text,
    }
}

fn body(writer: &mut Writer<'_>, depth: usize, indent: &str, text: &mut String) {
    for _ in 0..writer.random.below(4) {
        match writer.random.below(10) {
            0..5 => attribute(writer, indent, text),
            5..8 => block(writer, depth, indent, text),
            _ => trivia(writer, indent, text),
        }
    }
}

fn trivia(writer: &mut Writer<'_>, indent: &str, text: &mut String) {
    let line = writer.random.pick(&["", "# note", "// note", "/* a\n b */", "/**/ // x", "\t", "#"]);
    *text += &format!("{indent}{line}\n");
}

fn attribute(writer: &mut Writer<'_>, indent: &str, text: &mut String) {
    let (name, equals) = (writer.random.pick(&NAMES), writer.random.pick(&[" = ", " = ", "=", " =\t", "/**/ = "]));
    let depth = 1 + writer.random.below(3);
    let value = match writer.random.below(10) {
        0..7 => writer.expression(depth),
        7 => return heredoc(writer, &format!("{indent}{name}{equals}"), "", text),
        8 => return heredoc(writer, &format!("{indent}{name}{equals}upper("), ")", text),
        _ => format!("{{\n{indent}  k = {}\n{indent}}}", writer.expression(depth)),
    };
    // A newline would end the value, so it goes in parentheses.
    let value = if value.contains('\n') && writer.random.chance(70) { format!("({value})") } else { value };
    let comment = writer.random.pick(&["", "", "", "", " # note", " // note", " /* a */", "  "]);
    *text += &format!("{indent}{name}{equals}{value}{comment}\n");
}

/// A heredoc between what stands before and after it.
fn heredoc(writer: &mut Writer<'_>, front: &str, after: &str, text: &mut String) {
    let (marker, dash) = (writer.random.pick(&["EOT", "E", "a-b", "é"]), writer.random.pick(&["", "-", "-"]));
    *text += &format!("{front}<<{dash}{marker}\n");
    for _ in 0..writer.random.below(4) {
        let indent = writer.random.pick(&["", "  ", "    ", "\t", " "]);
        let line = match writer.random.below(8) {
            0 => String::new(),
            1 => writer.random.pick(&["EOTX", "\\n", "\"", "$${a}", "x # y", "é", "  "]).to_owned(),
            2..4 => "text".to_owned(),
            _ => writer.template(2),
        };
        *text += &format!("{indent}{line}\n");
    }
    *text += writer.random.pick(&["", "", "  ", "\t"]);
    *text += marker;
    *text += if writer.random.chance(4) { " \n" } else { "\n" };
    if !after.is_empty() {
        *text += &format!("{after}\n");
    }
}

fn block(writer: &mut Writer<'_>, depth: usize, indent: &str, text: &mut String) {
    *text += &format!("{indent}{}", writer.random.pick(&NAMES));
    for _ in 0..writer.random.below(3) {
        *text += writer.random.pick(&[" x", " \"label\"", " \"a b\"", " \"é\\n\"", " \"$${a}\"", " if", "\"y\""]);
    }
    if depth == 0 || writer.random.chance(25) {
        let inner = match writer.random.below(10) {
            0..4 => String::new(),
            4..9 => format!(" {} = {} ", writer.random.pick(&NAMES), writer.expression(1)),
            _ => " a {} ".to_owned(),
        };
        *text += &format!(" {{{inner}}}\n");
        return;
    }
    *text += writer.random.pick(&[" {\n", " {\n", "{\n", " { # note\n"]);
    body(writer, depth - 1, &format!("{indent}  "), text);
    *text += &format!("{indent}}}\n");
}
