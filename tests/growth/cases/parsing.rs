//! Sources in native syntax: what nests, what is wrong in great numbers, and long lines.

use hcl_lr::diagnostic::Diagnostics;

use super::Case;

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    File,
    Expression,
    Template,
}
use Kind::{Expression, File, Template};

pub fn parse(kind: Kind, text: String) -> Diagnostics {
    let source = ("input.hcl", text);
    match kind {
        File => hcl_lr::parse::<hcl_lr::File>(source).into_parts().1,
        Expression => hcl_lr::parse::<hcl_lr::Expression>(source).into_parts().1,
        Template => hcl_lr::parse::<hcl_lr::Template>(source).into_parts().1,
    }
}

fn parsed(kind: Kind, size: usize, name: String, text: impl Fn(usize) -> String + 'static) -> Case {
    Case::new(format!("{kind:?} {name:?}"), size, move |size| {
        let text = text(size);
        move || drop(parse(kind, text))
    })
}

/// The opening text, the middle, and the closing text.
const NESTS: &[(Kind, &str, &str, &str)] = &[
    (Expression, "(", "1", ")"),
    (Expression, "[", "1", "]"),
    (Expression, "{ a = ", "1", "}"),
    (Expression, "{\n a = ", "1", "\n}"),
    (Expression, "f(", "1", ")"),
    (Expression, "a[", "1", "]"),
    (Expression, "[for x in ", "y", ": x]"),
    (Expression, "{ for x in y : x => ", "z", " }"),
    (Expression, "-", "1", ""),
    (Expression, "!", "true", ""),
    (Expression, "a ? b : ", "c", ""),
    (Expression, "a ? ", "c", " : d"),
    (Expression, "", "a", "[*]"),
    (Expression, "", "a", ".b"),
    (Expression, "", "a", "[0]"),
    (Expression, "", "a", "[b]"),
    (Expression, "", "a", ".0.b"),
    (Expression, "", "a", ".*"),
    (Expression, "", "1", " + 1"),
    (Expression, "", "1", "\n+ 1"),
    (Expression, "", "1", " == 2 && x || -3 * y"),
    (Expression, "\"${", "1", "}\""),
    (Expression, "[\"a%{ if ", "b", " }c%{ endif }\"]"),
    (Expression, "1 + (", "1", ")"),
    (Expression, "!a || [", "1", "][0]"),
    (File, "b {\n", "a = 1\n", "}\n"),
    (Template, "${\"", "a", "\"}"),
    (Template, "", "a", "${b}"),
    (Template, "%{if x}", "a", "%{endif}"),
    (Template, "%{for a in b}", "a", "%{endfor}"),
];

/// Nests that are closed and such that are not, deeper than is allowed.
pub fn nests() -> Vec<Case> {
    let mut cases = Vec::new();
    for &(kind, open, middle, close) in NESTS {
        let closed = move |size| format!("{}{middle}{}", open.repeat(size), close.repeat(size));
        cases.push(parsed(kind, 4_000, closed(1), closed));
        if !open.is_empty() {
            cases.push(parsed(kind, 4_000, open.to_owned(), move |size| open.repeat(size)));
        }
        if matches!(kind, Expression) {
            let attribute = move |size| format!("a = {}\n", closed(size));
            cases.push(parsed(File, 4_000, attribute(1), attribute));
        }
        if matches!(kind, Template) {
            let heredoc = move |size| format!("a = <<EOT\n{}\nEOT\n", closed(size));
            cases.push(parsed(File, 4_000, heredoc(1), heredoc));
        }
    }
    cases
}

const GARBAGE: &[&str] =
    &["@", "'", ")", "]", "}", "\"\n", "<<X\n", "/*", "$", "\\", "é", "\u{1a}", "“", ":=", "\n", "<<<<<<<\n"];

/// The texts before each piece of garbage.
const BEFORE: &[(Kind, &str)] = &[
    (File, ""),
    (File, "a = "),
    (File, "a = ("),
    (File, "b {\n"),
    (File, "b {"),
    (Expression, "["),
    (Expression, "{ a = "),
    (Expression, "f("),
    (Expression, "\"${"),
    (Expression, "- "),
    (Expression, "a ? b : "),
    (Template, "${"),
    (Template, "%{ if x "),
];

const MISTAKES: &[(Kind, &str)] = &[
    (File, "b { 'x' \n"),
    (Expression, "[)"),
    (Expression, "(]"),
    (File, "a = \"\n"),
    (File, "a = <<X\n"),
    (File, "a = 1 /*"),
    (Expression, "\"${@"),
    (File, "a = = 1\n"),
    (File, "b { c = 1, d = 2 }\n"),
    (Template, "%{ for a in b }${a 1}%{ endfor }"),
    (Template, "%{ if x ' }"),
    (Template, "%{ else }"),
    (Template, "%{ endfor }"),
    (Template, "${"),
    (File, "a = <<EOT\n"),
    (File, "}\n"),
    (File, "b {\n}}\n"),
    (File, "a = 1\n"),
    (File, "a: 1\n"),
    (File, "a = https://b.c/d\n"),
];

pub fn mistakes() -> Vec<Case> {
    let mut pieces: Vec<(Kind, String)> = MISTAKES.iter().map(|&(kind, piece)| (kind, piece.to_owned())).collect();
    for garbage in GARBAGE {
        pieces.extend(BEFORE.iter().map(|(kind, before)| (*kind, format!("{before}{garbage}"))));
    }
    let case = |(kind, piece): (Kind, String)| parsed(kind, 4_000, piece.clone(), move |size| piece.repeat(size));
    pieces.into_iter().map(case).collect()
}

/// The text before, the pieces, and the text after them.
const LONG: &[(Kind, &str, &str, &str)] = &[
    (File, "a = (", "()", "\n"),
    (File, "a = (", "[1],", "\n"),
    (File, "b {\n a = [", "{},", "\n}\n"),
    (File, "a = [", "1 2, ", "]\n"),
    (File, "a = [", "(1 2), ", "]\n"),
    (File, "a = {", "b 1, ", "}\n"),
    (File, "b {\n", "a = 1\n", "}\n"),
    (File, "a = \"", "${b c}", "\"\n"),
    (File, "a = <<-EOT\n", "  ${b}\n", "  EOT\n"),
    (File, "a = <<-EOT\n", "  ${b c}\n", "  EOT\n"),
    (File, "a = <<EOT\n", "b\n", ""),
    (File, "a = 1", "0", "\n"),
    (File, "a = ", "a::", "b()\n"),
    (File, "", "a ", "\n"),
    (File, "", "b \"l\" ", "{\n}\n"),
    (File, "a", "é", " = 1\n"),
    (File, "", "# c\n", "a = 1\n"),
    (File, "a = 1 ", "/**/", "\n"),
    (File, "a = \"", "\\n$${x\\u00e9 ", "\"\n"),
    (File, "a = [\n", "  1,\n", "]\n"),
    (File, "a = {\n", "  b = 1\n", "}\n"),
];

fn long_text((_, before, piece, after): &(Kind, &str, &str, &str), size: usize) -> String {
    format!("{before}{}{after}", piece.repeat(size))
}

pub fn long() -> Vec<Case> {
    let case = |line: &'static (Kind, _, _, _)| parsed(line.0, 4_000, long_text(line, 1), |size| long_text(line, size));
    LONG.iter().map(case).collect()
}

fn show(diagnostics: &Diagnostics) {
    drop((diagnostics.render().to_string(), diagnostics.short(), diagnostics.to_json()));
}

/// Diagnostics in all their forms. Of all sources a thousand errors are shown, so that it is the line
/// they are in that grows: a program writes a file in one line, and that a column counts characters must
/// not make each error at its end cost as much as the line is long.
pub fn shown() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in LONG {
        cases.push(Case::new(format!("shown {:?}", long_text(line, 1)), 4_000, move |size| {
            let diagnostics = parse(line.0, long_text(line, size));
            // With what the parser does, so that there is work where there are no errors.
            let text = long_text(line, size);
            move || {
                show(&diagnostics);
                drop(parse(line.0, text));
            }
        }));
    }
    cases.push(Case::new("errors at the end of a long line", 100, |size| {
        let text = format!("[\"é{}\"{}]", "x".repeat(1_000 * size), ", \"${1 +}\"".repeat(size));
        let (_, diagnostics) = hcl_lr::ParseOptions::new()
            .with_json_checks(true)
            .parse::<hcl_lr::json::Document>(("long.json", text))
            .into_parts();
        move || show(&diagnostics)
    }));
    cases
}
