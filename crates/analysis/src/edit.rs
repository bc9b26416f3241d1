//! Edits that stay inside one item of a file, so that the names that the file defines, and their places, are as before.

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BlockNode, BodyItem, BodyNode};
use hcl_lr_language::definitions::Roles;

use crate::file::File;

/// The part of a text that differs from another text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The start of the part, which is the same in both texts.
    start: usize,
    /// The end of the part in the text before the edit.
    before: usize,
    /// The end of the part in the text after the edit.
    after: usize,
}

impl Edit {
    /// Returns the edit between two texts of a file in native syntax, which may be equal. `None` if it changes more than one
    /// item of a body, or if other names may be defined after it: it has to stay inside the value of an attribute, or
    /// inside a block at the top whose attributes are no definitions.
    pub fn inside_item(before: &File, after: &File, roles: &Roles) -> Option<Edit> {
        let (before, after) = (before.native()?, after.native()?);
        let edit = Edit::between(before.source().text().as_bytes(), after.source().text().as_bytes());
        if edit.is_empty() {
            return Some(edit);
        }
        let is_inside = match edit.changed(before.body(), after.body())? {
            (Some(BodyItem::Block(old)), Some(BodyItem::Block(new))) if edit.is_within(old, new) => {
                let mut roles = roles.roles().iter();
                let has_definitions =
                    roles.any(|role| role.block_type() == Some(old.block_type()) && role.defines_attributes());
                match edit.changed(old.body(), new.body())? {
                    items if has_definitions => edit.is_in_value(items),
                    items => edit.is_one_item(items),
                }
            }
            items => edit.is_in_value(items),
        };
        is_inside.then_some(edit)
    }

    /// Returns the edit between two texts. Equal ones have an empty edit at their end.
    fn between(before: &[u8], after: &[u8]) -> Edit {
        let shorter = before.len().min(after.len());
        let start = before.iter().zip(after).position(|(one, other)| one != other).unwrap_or(shorter);
        let mut ends = before[start..].iter().rev().zip(after[start..].iter().rev());
        let end = ends.position(|(one, other)| one != other).unwrap_or(shorter - start);
        Edit { start, before: before.len() - end, after: after.len() - end }
    }

    /// Returns true if the texts are equal.
    fn is_empty(&self) -> bool {
        self.before == self.start && self.after == self.start
    }

    /// Returns the place that a place in the text after the edit had in the text before it.
    pub fn place_before(&self, offset: usize) -> usize {
        match offset.checked_sub(self.after) {
            Some(beyond) => self.before + beyond,
            None => offset.min(self.before),
        }
    }

    /// Returns true if an item is the same before the edit and after it, perhaps at another place.
    fn is_same(&self, old: BodyItem<'_>, new: BodyItem<'_>) -> bool {
        let (old, new) = match (old, new) {
            (BodyItem::Attribute(old), BodyItem::Attribute(new)) => (old.span(), new.span()),
            (BodyItem::Block(old), BodyItem::Block(new)) => (old.span(), new.span()),
            (BodyItem::Error(old), BodyItem::Error(new)) => (old.span(), new.span()),
            _ => return false,
        };
        let moved = |offset: usize| offset - self.before + self.after;
        match old.end() < self.start {
            true => old == new,
            false => old.start() > self.before && moved(old.start()) == new.start() && moved(old.end()) == new.end(),
        }
    }

    /// Returns the item of a body that the edit changes, as it was and as it is, or which it adds or removes. `None` if there
    /// are more.
    fn changed<'o, 'n>(&self, old: BodyNode<'o>, new: BodyNode<'n>) -> Option<ChangedItem<'o, 'n>> {
        let (mut olds, mut news) = (old.items().peekable(), new.items().peekable());
        while let (Some(old), Some(new)) = (olds.peek(), news.peek())
            && self.is_same(*old, *new)
        {
            olds.next();
            news.next();
        }
        let (olds, news): (Vec<BodyItem<'o>>, Vec<BodyItem<'n>>) = (olds.collect(), news.collect());
        let ends = olds.iter().rev().zip(news.iter().rev());
        let same = ends.take_while(|(old, new)| self.is_same(**old, **new)).count();
        match (&olds[..olds.len() - same], &news[..news.len() - same]) {
            (olds @ ([] | [_]), news @ ([] | [_])) => Some((olds.first().copied(), news.first().copied())),
            _ => None,
        }
    }

    /// Returns true if the edit stays within the braces of a block.
    fn is_within(&self, old: BlockNode<'_>, new: BlockNode<'_>) -> bool {
        let header = old.header_span();
        header == new.header_span() && header.end() < self.start
    }

    /// Returns true if the edit changes one attribute, or one item of a block within.
    fn is_one_item(&self, mut items: ChangedItem<'_, '_>) -> bool {
        while let (Some(BodyItem::Block(old)), Some(BodyItem::Block(new))) = items
            && self.is_within(old, new)
        {
            match self.changed(old.body(), new.body()) {
                Some(inner) => items = inner,
                None => return false,
            }
        }
        true
    }

    /// Returns true if the edit stays in the value of an attribute.
    fn is_in_value(&self, items: ChangedItem<'_, '_>) -> bool {
        let (Some(BodyItem::Attribute(old)), Some(BodyItem::Attribute(new))) = items else { return false };
        let name: Span = old.name_token().span();
        name == new.name_token().span() && name.end() < self.start && self.before <= old.span().end().max(self.start)
    }
}

/// An item of a body before and after an edit. An edit can add it or remove it.
type ChangedItem<'o, 'n> = (Option<BodyItem<'o>>, Option<BodyItem<'n>>);

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use hcl_lr_language::schema::Schema;
    use hcl_lr_project::{Chosen, Language};

    use super::*;
    use crate::file::Text;

    fn edit(before: &str, after: &str) -> Option<Edit> {
        let file = |text: &str| {
            let chosen = Chosen::of(Language::plain());
            File::new("/main.tf", chosen, Text::Text(text.into()), OnceLock::new())
        };
        Edit::inside_item(&file(before), &file(after), &Schema::by_name("terraform").expect("it is there").roles())
    }

    #[test]
    fn edits_in_values_and_blocks_leave_the_names_as_they_are() {
        for (before, after) in [
            ("locals {\n  a = 1\n  b = 2\n}\n", "locals {\n  a = 12\n  b = 2\n}\n"),
            ("locals {\n  a = var.\n}\nx {}\n", "locals {\n  a = var.x\n}\nx {}\n"),
            ("locals {\n  a = var.x\n}\nx {}\n", "locals {\n  a = var.\n}\nx {}\n"),
            ("locals {\n  a = var.x\n}\n", "locals {\n  a = var.\n}\n"),
            ("locals {\n  a = var.\n}\n", "locals {\n  a = var.x\n}\n"),
            ("locals {\n  a = \n  b = 2\n}\n", "locals {\n  a = v\n  b = 2\n}\n"),
            ("locals {\n  a = [1]\n}\n", "locals {\n  a = []\n}\n"),
            ("resource \"a\" \"b\" {\n  c = 1\n  \n}\ny = 1\n", "resource \"a\" \"b\" {\n  c = 1\n  d\n}\ny = 1\n"),
            ("a = 1\nb = 2\n", "a = x.y\nb = 2\n"),
            ("a = 1\n", "a = 1\n"),
            ("x {\n  y {\n    a = 1\n  }\n}\n", "x {\n  y {\n    a = 1\n    b = c\n  }\n}\n"),
            ("x {\n  y {\n    a = 1\n  }\n}\n", "x {\n  y {\n    a = 1\n  }\n  z {}\n}\n"),
            ("x {\n  a = 1\n  b = 2\n}\n", "x {\n  a = 1\n}\n"),
        ] {
            assert!(edit(before, after).is_some(), "{before:?} {after:?}");
        }
        for (before, after) in [
            ("locals {\n  a = 1\n  b = 2\n}\n", "locals {\n  ab = 1\n  b = 2\n}\n"),
            ("locals {\n  a = 1\n  b = 2\n}\n", "locals {\n  a = 1\n  bc\n  b = 2\n}\n"),
            ("locals {\n  a = 1\n  b = 2\n}\n", "locals {\n  a = 12\n  c = 2\n}\n"),
            ("module \"a\" {\n}\n", "module \"a\" {\n  source = \"./a\"\n  b\n}\n"),
            ("x {\n  y {\n    a = 1\n    b = 2\n  }\n}\n", "x {\n  y {\n    a = 11\n    b = 21\n  }\n}\n"),
            ("resource \"a\" \"b\" {\n}\n", "resource \"a\" \"bc\" {\n}\n"),
            ("x {\n  a = 1\n}\ny {}\n", "x {\n  a = <<E\n}\ny {}\n"),
            ("x {\n  a = 1\n}\ny {}\n", "x {\n  a = 1\n}\nvariable \"z\" {}\ny {}\n"),
            ("x {\n}\ny {}\n", "x {\n}\n}\ny {}\n"),
        ] {
            assert_eq!(edit(before, after), None, "{before:?} {after:?}");
        }
    }

    #[test]
    fn places_are_those_before_the_edit() {
        let edit = Edit::between(b"ab12cd", b"ab345cd");
        assert_eq!((edit.start, edit.before, edit.after), (2, 4, 5));
        let before: Vec<usize> = (0..=7).map(|offset| edit.place_before(offset)).collect();
        assert_eq!(before, [0, 1, 2, 3, 4, 4, 5, 6]);
        assert_eq!(Edit::between(b"aa", b"aaa"), Edit { start: 2, before: 2, after: 3 });
        assert_eq!(Edit::between(b"aaa", b"aa"), Edit { start: 2, before: 3, after: 2 });
        assert!(Edit::between(b"a", b"a").is_empty());
    }
}
