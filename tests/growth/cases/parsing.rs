//! Sources in native syntax: what nests, what is wrong in great numbers, and long lines.

use hcl_lr::diagnostic::Diagnostics;

use super::Case;
use crate::inputs;

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    File,
    Expression,
    Template,
}
use Kind::{Expression, File, Template};

impl Kind {
    pub fn named(name: &str) -> Kind {
        [File, Expression, Template].into_iter().find(|kind| format!("{kind:?}") == name).expect("a kind")
    }
}

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

/// Nests that are closed and such that are not, deeper than is allowed.
pub fn nests() -> Vec<Case> {
    let mut cases = Vec::new();
    for [kind, open, middle, close, ..] in inputs::rows::<6>("nests") {
        let kind = Kind::named(kind);
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

pub fn mistakes() -> Vec<Case> {
    let mistakes = inputs::rows("mistakes").map(|[kind, piece]| (Kind::named(kind), piece.to_owned()));
    let mut pieces: Vec<(Kind, String)> = mistakes.collect();
    for garbage in inputs::texts("garbage") {
        let before = inputs::rows("before garbage");
        pieces.extend(before.map(|[kind, before]| (Kind::named(kind), format!("{before}{garbage}"))));
    }
    let case = |(kind, piece): (Kind, String)| parsed(kind, 4_000, piece.clone(), move |size| piece.repeat(size));
    pieces.into_iter().map(case).collect()
}

/// A line: the text before, the piece that is repeated, and the text after it.
type Line = [&'static str; 4];

fn long_text([_, before, piece, after]: Line, size: usize) -> String {
    format!("{before}{}{after}", piece.repeat(size))
}

pub fn long() -> Vec<Case> {
    let case = |line: Line| parsed(Kind::named(line[0]), 4_000, long_text(line, 1), move |size| long_text(line, size));
    inputs::rows("long lines").map(case).collect()
}

fn show(diagnostics: &Diagnostics) {
    drop((diagnostics.render().to_string(), diagnostics.short(), diagnostics.to_json()));
}

/// Diagnostics in all their forms. A thousand errors are shown for every source, so only the length of their line
/// grows: generated files may be one line, and the column, which counts characters, must not make each error at its
/// end cost as much as the line is long.
pub fn shown() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in inputs::rows("long lines") {
        let kind = Kind::named(line[0]);
        cases.push(Case::new(format!("shown {:?}", long_text(line, 1)), 4_000, move |size| {
            let diagnostics = parse(kind, long_text(line, size));
            // With what the parser does, so that there is work where there are no errors.
            let text = long_text(line, size);
            move || {
                show(&diagnostics);
                drop(parse(kind, text));
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
