//! Object types, and bodies written as objects.

use super::problem::{missing, read_only, rule, unsupported};
use super::{Judge, Judgement, MAX_DEPTH, MetPart, Problem};
use crate::schema::check::shape::{Expr, Key, Shape};
use crate::schema::index::Layers;
use crate::schema::model::{Attribute, Block, ObjectAttribute, ObjectType};
use hcl_lr::diagnostic::Code;
use hcl_lr::source::{Place, Span};
use hcl_lr::stack;

impl MetPart {
    /// Creates a part without settings.
    fn of(name: &str, span: Span) -> MetPart {
        MetPart {
            name: name.to_owned(),
            span,
            sensitive: false,
            since: None,
            until: None,
            deprecated: None,
            checks: None,
            place: Place::nowhere(),
        }
    }
}

impl<'c> Judge<'c> {
    pub(super) fn object(
        &self,
        object: &ObjectType,
        entries: &[(Key<'_>, Expr<'_>)],
        span: Span,
        depth: u32,
    ) -> Judgement {
        let mut problems = Vec::new();
        let mut known = true;
        for (key, value) in entries {
            let Some(name) = &key.name else {
                known = false;
                continue;
            };
            let attribute = object.attribute(name);
            if attribute.is_some_and(|attribute| attribute.read_only) && self.is_set(value) {
                problems.push(read_only(name, key.span, depth));
                continue;
            }
            if let Some(ObjectAttribute { sensitive, deprecated, .. }) = attribute {
                self.note(MetPart {
                    sensitive: *sensitive,
                    deprecated: deprecated.clone(),
                    ..MetPart::of(name, key.span)
                });
            }
            let ty = attribute.map(|attribute| &attribute.ty).or(object.others.as_ref());
            let Some(ty) = ty else {
                if object.drops_others {
                    continue;
                }
                let names = object.attributes.iter().map(|attribute| attribute.name.as_str());
                problems.push(unsupported(name, key.span, names, depth));
                continue;
            };
            let is_sensitive = attribute.is_some_and(|attribute| attribute.sensitive);
            match self.within(ty, value, depth + 1).concealed_if(is_sensitive) {
                Judgement::Right => {}
                Judgement::Unknown => known = false,
                Judgement::Wrong(more) => problems.extend(more),
            }
        }
        let has = |name: &str| entries.iter().any(|(key, _)| key.name.as_deref() == Some(name));
        let all_keys = entries.iter().all(|(key, _)| key.name.is_some());
        for attribute in object.attributes.iter().filter(|attribute| !attribute.optional && all_keys) {
            if !has(&attribute.name) {
                problems.push(missing(&attribute.name, span, depth));
            }
        }
        match (problems.is_empty(), known) {
            (false, _) => Judgement::Wrong(problems),
            (true, true) => Judgement::Right,
            (true, false) => Judgement::Unknown,
        }
    }

    /// Judges an object with the attributes of a schema part.
    pub(super) fn part(
        &self,
        layers: &Layers<'_>,
        entries: &[(Key<'_>, Expr<'_>)],
        span: Span,
        depth: u32,
    ) -> Judgement {
        let find = |name: &str| entries.iter().find(|(key, _)| key.name.as_deref() == Some(name));
        let mut layers = layers.clone();
        for key in layers.matches().map(|key| key.key.clone()).collect::<Vec<_>>() {
            let value = match find(&key).map(|(_, value)| value.shape(self)) {
                Some(Shape::Text(text)) => Some(text.into_owned()),
                Some(Shape::Number(number)) => Some(number.to_string()),
                Some(Shape::Bool(value)) => Some(value.to_string()),
                Some(_) => None,
                None => layers.attribute(&key).and_then(|attribute| attribute.default_text()),
            };
            match value {
                Some(value) => layers = layers.with_case(&key, &value),
                None => layers.set_open(),
            }
        }
        self.entries(&layers, entries, span, depth)
    }

    /// Judges an object with the attributes of a body and its cases.
    pub fn entries(&self, layers: &Layers<'_>, entries: &[(Key<'_>, Expr<'_>)], span: Span, depth: u32) -> Judgement {
        let mut problems = Vec::new();
        let mut known = true;
        let find = |name: &str| entries.iter().find(|(key, _)| key.name.as_deref() == Some(name));
        for (key, value) in entries {
            let Some(name) = &key.name else {
                known = false;
                continue;
            };
            let block = layers.block(name);
            let judgement = match (layers.attribute(name), block, layers.free_attribute()) {
                (Some(attribute), ..) | (None, None, Some(attribute)) if attribute.read_only && self.is_set(value) => {
                    Judgement::Wrong(vec![read_only(name, key.span, depth)])
                }
                (Some(attribute), ..) | (None, None, Some(attribute)) => {
                    self.note_attribute(attribute, name, key.span, value);
                    self.within(&attribute.ty, value, depth + 1).concealed_if(attribute.is_hidden())
                }
                (None, Some((block, inner)), _) => {
                    let Block { since, until, deprecated, place, .. } = &**block;
                    let (since, until, deprecated) = (since.clone(), until.clone(), deprecated.clone());
                    let part = MetPart::of(name, key.span);
                    self.note(MetPart { since, until, deprecated, place: place.clone(), ..part });
                    self.nested(block, &inner, value, depth + 1)
                }
                (None, None, None) if layers.is_open() => Judgement::Unknown,
                (None, None, None) => {
                    let names = layers.attributes().map(|attribute| attribute.name.as_str());
                    Judgement::Wrong(vec![unsupported(name, key.span, names, depth)])
                }
            };
            match judgement {
                Judgement::Right => {}
                Judgement::Unknown => known = false,
                Judgement::Wrong(more) => problems.extend(more),
            }
        }
        if entries.iter().all(|(key, _)| key.name.is_some()) {
            for attribute in layers.attributes().filter(|attribute| attribute.required) {
                if find(&attribute.name).is_none() {
                    problems.push(missing(&attribute.name, span, depth));
                }
            }
            for (kind, names) in layers.rules() {
                let there = names.iter().filter(|name| find(name).is_some()).count();
                if let Some(detail) = rule(kind, names, there) {
                    let problem = Problem::new(span, detail, depth + 1);
                    problems.push(Problem { code: Code::ConflictingArguments, ..problem });
                }
            }
        }
        match (problems.is_empty(), known) {
            (false, _) => Judgement::Wrong(problems),
            (true, true) => Judgement::Right,
            (true, false) => Judgement::Unknown,
        }
    }

    fn note_attribute(&self, attribute: &Attribute, name: &str, span: Span, value: &Expr<'_>) {
        let Attribute { since, until, deprecated, checks, place, .. } = attribute;
        let checks = (!checks.is_empty()).then(|| (checks.clone(), value.handle()));
        let (since, until, deprecated) = (since.clone(), until.clone(), deprecated.clone());
        let (sensitive, place) = (attribute.is_hidden(), place.clone());
        self.note(MetPart { sensitive, since, until, deprecated, checks, place, ..MetPart::of(name, span) });
    }

    /// Judges blocks that are written inside an object, as an object or a list of objects.
    fn nested(&self, block: &Block, inner: &Layers<'_>, value: &Expr<'_>, depth: u32) -> Judgement {
        if depth > MAX_DEPTH || !block.labels.is_empty() {
            return Judgement::Unknown;
        }
        stack::with_room(|| match value.shape(self) {
            Shape::Object(entries) => self.part(inner, &entries, value.span(), depth),
            Shape::List(elements) => {
                self.all(elements.iter().map(|element| self.nested(block, inner, element, depth + 1)))
            }
            _ => Judgement::Unknown,
        })
    }
}
