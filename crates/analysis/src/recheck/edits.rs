//! Edits of files that leave their items, and the names of these, as they are.

use std::collections::HashMap;
use std::sync::Arc;

use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::ast::BodyItem;
use hcl_lr_language::schema::Facts;

use super::items::{FileItems, Item, ItemId, Items, Set, header_end, position, units};
use crate::file::File;

/// Edits of files.
pub(super) struct Edits {
    /// The edited items.
    changed: Set,
    /// The edited files, by path.
    files: HashMap<Arc<str>, Edited>,
}

/// A file after edits.
struct Edited {
    file: Arc<File>,
    items: Vec<Item>,
}

impl Edits {
    /// Returns the edits that lead to other files. `None` if they change more than the insides of items.
    pub fn between(all: &Items, files: Vec<Arc<File>>) -> Option<Edits> {
        let mut edits = Edits { changed: Set::new(all.len()), files: HashMap::new() };
        for file in files {
            let known = all.file(file.path()).filter(|known| !known.is_one)?;
            let items = aligned(known, &file, &mut edits.changed)?;
            edits.files.insert(file.path().clone(), Edited { file, items });
        }
        Some(edits)
    }

    /// Returns the edited items.
    pub fn all_changed(&self) -> &Set {
        &self.changed
    }

    /// Returns true if an item has been edited.
    pub fn changed(&self, item: ItemId) -> bool {
        self.changed.has(item)
    }

    /// Returns a file after the edits.
    pub fn file<'e>(&'e self, known: &'e FileItems) -> &'e Arc<File> {
        self.files.get(known.file.path()).map_or(&known.file, |edited| &edited.file)
    }

    /// Returns the items of a file after the edits.
    pub fn items<'e>(&'e self, known: &'e FileItems) -> &'e [Item] {
        self.files.get(known.file.path()).map_or(&known.items, |edited| &edited.items)
    }

    /// Returns the item at a place of a file after the edits.
    pub fn at(&self, all: &Items, place: &Place) -> Option<ItemId> {
        let known = all.file(place.source().name())?;
        position(self.items(known), place.span()).map(|at| known.first + at)
    }

    /// Returns true if a place of a file after the edits is in an edited item.
    pub fn are_at(&self, all: &Items, place: &Place) -> bool {
        self.at(all, place).is_some_and(|item| self.changed(item))
    }

    /// Returns the place now of a place before the edits. `None` in an edited item, except in its type, labels or name.
    pub fn moved(&self, all: &Items, place: &Place) -> Option<Place> {
        let Some(known) = all.of_source(place.source()) else { return Some(place.clone()) };
        let Some(edited) = self.files.get(known.file.path()) else { return Some(place.clone()) };
        let span = place.span();
        let at = known.items.partition_point(|item| item.span.start() <= span.start()).checked_sub(1);
        let (from, to) = match at {
            None => (0, 0),
            Some(at) => {
                let (before, now) = (&known.items[at], &edited.items[at]);
                let is_moved = span.end() <= before.header_end || !self.changed(known.first + at);
                match span.start() < before.span.end() {
                    true => is_moved.then_some((before.span.start(), now.span.start()))?,
                    false => (before.span.end(), now.span.end()),
                }
            }
        };
        let span = Span::new(span.start() - from + to, span.end() - from + to);
        Some(Place::new(edited.file.source(), span))
    }
}

/// Returns the items of a file after edits, if they are as many, with the same names in the same order, and with the same text
/// between them. The numbers of those with another text are added to `changed`.
fn aligned(known: &FileItems, file: &File, changed: &mut Set) -> Option<Vec<Item>> {
    let (before, after) = (known.file.native()?, file.native()?);
    if after.source().text().len() != file.length() {
        return None;
    }
    let (old, new) = (before.source().text(), after.source().text());
    let (mut old_end, mut new_end) = (0, 0);
    let mut items = Vec::with_capacity(known.items.len());
    let roles = file.language().roles();
    let (mut olds, mut news) = (units(before.body(), roles).into_iter(), units(after.body(), roles).into_iter());
    let states_facts = file.language().schema().map(Facts::block_test);
    for (at, item) in known.items.iter().enumerate() {
        let (one, other) = (olds.next()?, news.next()?);
        let (old_span, new_span) = (item.span, other.span());
        if old.get(old_end..old_span.start())? != new.get(new_end..new_span.start())? {
            return None;
        }
        (old_end, new_end) = (old_span.end(), new_span.end());
        let header_end = header_end(other);
        let inside = match old[old_span.range()] == new[new_span.range()] {
            true => item.inside.map(|inside| {
                let place = |offset: usize| offset - old_span.start() + new_span.start();
                Span::new(place(inside.start()), place(inside.end()))
            }),
            false => {
                let is_kind = matches!(
                    (one, other),
                    (BodyItem::Attribute(_), BodyItem::Attribute(_)) | (BodyItem::Block(_), BodyItem::Block(_))
                );
                let is_named = old[old_span.start()..item.header_end] == new[new_span.start()..header_end];
                let can_state_facts = |block: &BodyItem<'_>, text: &str| match (block, &states_facts) {
                    (BodyItem::Block(block), Some(test)) => test(block.block_type(), text.as_bytes()),
                    _ => false,
                };
                if !is_kind
                    || !is_named
                    || can_state_facts(&one, &old[old_span.range()])
                    || can_state_facts(&other, &new[new_span.range()])
                {
                    return None;
                }
                changed.insert(known.first + at);
                None
            }
        };
        items.push(Item { span: new_span, header_end, inside });
    }
    (news.next().is_none() && old.get(old_end..)? == new.get(new_end..)?).then_some(items)
}
