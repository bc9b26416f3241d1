//! A production as a railroad diagram. Its names link to their definitions on the page.

use railroad::{
    Choice, Diagram, Empty, Link, Node, NonTerminal, Optional, Repeat, Sequence, SimpleEnd, SimpleStart, Terminal,
};

use crate::notation::Notation;

/// Returns the diagram of a production as an SVG element. `known` returns true for names that the page defines.
pub fn svg(is: &Notation, known: &dyn Fn(&str) -> bool) -> String {
    let parts: Vec<Box<dyn Node>> = vec![Box::new(SimpleStart), node(is, known), Box::new(SimpleEnd)];
    let mut diagram = Diagram::new(Sequence::new(parts));
    // Its natural size: a page that is too narrow scrolls. One attribute only, as their order is left to chance.
    let width = diagram.width();
    diagram.attr("width".to_owned()).or_insert(width.to_string());
    diagram.to_string()
}

fn node(is: &Notation, known: &dyn Fn(&str) -> bool) -> Box<dyn Node> {
    match is {
        Notation::Name(name) if known(name) => {
            let mut link = Link::new(NonTerminal::new(name.clone()), format!("#{name}"));
            link.set_target(None);
            Box::new(link)
        }
        Notation::Name(name) => Box::new(NonTerminal::new(name.clone())),
        Notation::Text(text) => Box::new(Terminal::new(text.clone())),
        Notation::Sequence(parts) if parts.is_empty() => Box::new(Empty),
        Notation::Sequence(parts) => sequence(parts, known),
        Notation::Choice(parts) => Box::new(Choice::new(nodes(parts, known))),
        Notation::Optional(part) => Box::new(Optional::new(node(part, known))),
        Notation::Some(part) => Box::new(Repeat::new(node(part, known), Box::new(Empty) as Box<dyn Node>)),
        Notation::Repeat(part) => {
            Box::new(Optional::new(Repeat::new(node(part, known), Box::new(Empty) as Box<dyn Node>)))
        }
    }
}

fn nodes(parts: &[Notation], known: &dyn Fn(&str) -> bool) -> Vec<Box<dyn Node>> {
    parts.iter().map(|part| node(part, known)).collect()
}

/// `A (B A)*` is drawn as `A` that repeats, with `B` on the way back.
fn sequence(parts: &[Notation], known: &dyn Fn(&str) -> bool) -> Box<dyn Node> {
    let mut drawn: Vec<Box<dyn Node>> = Vec::new();
    let mut rest = parts;
    while let [part, after @ ..] = rest {
        rest = after;
        if let [Notation::Repeat(inner), after @ ..] = after
            && let Notation::Sequence(inner) = inner.as_ref()
            && let Some((last, before)) = inner.split_last()
            && last == part
        {
            let back = Notation::sequence(before.to_vec());
            drawn.push(Box::new(Repeat::new(node(part, known), node(&back, known))));
            rest = after;
        } else {
            drawn.push(node(part, known));
        }
    }
    Box::new(Sequence::new(drawn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_known_are_links() {
        let is = Notation::read("\"[\" (A (\",\" A)*)? B \"<\"").expect("a production");
        let drawn = svg(&is, &|name| name == "A");
        assert_eq!(drawn.matches("xlink:href=\"#A\"").count(), 1, "{drawn}");
        assert!(drawn.contains("&lt;") && !drawn.contains("href=\"#B\""), "{drawn}");
        assert_eq!(drawn, svg(&is, &|name| name == "A"));
    }
}
