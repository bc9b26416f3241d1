//! Combines schemas: languages that extend others, and imported files.

use std::collections::HashSet;
use std::sync::Arc;

use super::fields::Reading;
use crate::schema::model::{Attribute, Block, Body, Form, Nesting, Otherwise, Schema};
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::source::Place;
use hcl_lr::stack;

/// Returns a language with everything of the one it extends. Its files, parts, attributes, blocks and types replace
/// those of the same name in the base; the bodies of parts and blocks are merged. The versions in the base belong to
/// another program and are left out.
pub(super) fn extend(base: &Schema, own: Schema, reading: &mut Reading) -> Schema {
    let mut schema = base.clone();
    for part in &mut schema.parts {
        part.body = Arc::new(without_versions(&part.body));
    }
    schema.name = own.name;
    schema.extends = own.extends;
    schema.place = own.place;
    schema.title = own.title.or(schema.title);
    schema.description = own.description.or(schema.description);
    schema.docs = own.docs.or(schema.docs);
    schema.environment = own.environment.or(schema.environment);
    schema.version = own.version.or(schema.version);
    schema.first_version = own.first_version;
    schema.checks_names |= own.checks_names;
    schema.protects_sensitive |= own.protects_sensitive;
    schema.protects_ephemeral |= own.protects_ephemeral;
    schema.undefined_is_text |= own.undefined_is_text;
    schema.ignores_unknown |= own.ignores_unknown;
    schema.reads_hcl_1 |= own.reads_hcl_1;
    schema.elsewhere.extend(own.elsewhere);
    schema.application.extend(own.application);
    schema.functions.extend(own.functions);
    schema.later.extend(own.later);
    schema.later_functions.extend(own.later_functions);
    schema.types.extend(own.types);
    for files in own.files {
        match schema.files.iter_mut().find(|known| known.name == files.name) {
            Some(known) => *known = files,
            None => schema.files.push(files),
        }
    }
    for catalog in own.catalogs {
        schema.catalogs.retain(|known| known.name != catalog.name);
        schema.catalogs.push(catalog);
    }
    for part in own.parts {
        match schema.parts.iter_mut().find(|known| known.name == part.name) {
            Some(known) => {
                known.body = Arc::new(body(&known.body, &part.body, reading));
                known.description = part.description.or(known.description.take());
                known.place = part.place;
            }
            None => schema.parts.push(part),
        }
    }
    schema
}

/// Adds the parts, types and catalogs of another file. Existing ones win: `parts` has the names of the existing parts.
pub(super) fn import(schema: &mut Schema, other: Schema, parts: &mut HashSet<String>) {
    schema.parts.extend(other.parts.into_iter().filter(|part| parts.insert(part.name.clone())));
    for (name, ty) in other.types {
        schema.types.entry(name).or_insert(ty);
    }
    for catalog in other.catalogs {
        if schema.catalog(&catalog.name).is_none() {
            schema.catalogs.push(catalog);
        }
    }
}

/// Returns a body with the additions, changes and removals of another one.
fn body(base: &Body, own: &Body, reading: &mut Reading) -> Body {
    let mut merged = base.clone();
    for (name, place) in &own.without {
        take_out(name, place, &mut merged, reading);
    }
    for attribute in &own.attributes {
        put(&mut merged.attributes, attribute, |attribute: &Attribute| &attribute.name);
    }
    for block in &own.blocks {
        match merged.blocks.iter_mut().find(|known| known.name == block.name) {
            Some(known) => *known = Arc::new(stack::with_room(|| merged_block(known, block, reading))),
            None => merged.blocks.push(block.clone()),
        }
    }
    merged.includes.extend(own.includes.iter().cloned());
    for matched in &own.matches {
        let known = merged.matches.iter_mut().find(|known| known.key == matched.key);
        let Some(known) = known else {
            merged.matches.push(matched.clone());
            continue;
        };
        known.cases.splice(0..0, matched.cases.iter().cloned());
        if let Otherwise::Body(_) = matched.otherwise {
            known.otherwise = matched.otherwise.clone();
        }
        known.catalog = matched.catalog.clone().or(known.catalog.take());
    }
    merged.open |= own.open;
    merged.dynamic = own.dynamic.or(merged.dynamic);
    merged.rules.extend(own.rules.iter().cloned());
    merged.checks.extend(own.checks.iter().cloned());
    merged.place = own.place.clone();
    merged
}

/// Removes an attribute or a type of block from a body, and from its rules.
fn take_out(name: &str, place: &Place, from: &mut Body, reading: &mut Reading) {
    let attributes = from.attributes.iter().map(|attribute| attribute.name.as_str());
    let known: Vec<&str> = attributes.chain(from.blocks.iter().map(|block| block.name.as_str())).collect();
    if !known.contains(&name) {
        let detail = format!("the extended language has neither an attribute nor a block \"{name}\" here");
        let error = Diagnostic::error(Code::InvalidSchema, place, detail);
        reading.diagnostics.push(error.with_similar(name, place, known));
    }
    from.attributes.retain(|attribute| attribute.name != name);
    from.blocks.retain(|block| block.name != name);
    for rule in &mut from.rules {
        rule.names.retain(|other| other != name);
    }
    // With only one name, a rule adds nothing to `required`.
    from.rules.retain(|rule| rule.names.len() > 1);
}

/// Returns a body without versions, for a language with its own versions.
fn without_versions(body: &Body) -> Body {
    let mut made = body.clone();
    for attribute in &mut made.attributes {
        let attribute = Arc::make_mut(attribute);
        (attribute.since, attribute.until) = (None, None);
        attribute.deprecated.iter_mut().for_each(|deprecated| deprecated.since = None);
    }
    let inner = |body: &Arc<Body>| Arc::new(stack::with_room(|| without_versions(body)));
    for block in &mut made.blocks {
        let block = Arc::make_mut(block);
        (block.since, block.until) = (None, None);
        block.deprecated.iter_mut().for_each(|deprecated| deprecated.since = None);
        block.body = inner(&block.body);
    }
    for matched in &mut made.matches {
        matched.cases.iter_mut().for_each(|case| case.body = inner(&case.body));
        if let Otherwise::Body(body) = &mut matched.otherwise {
            *body = inner(body);
        }
    }
    made
}

/// Returns blocks of a type with the additions and changes of another language. Settings that it leaves out, or at
/// their default, come from the base.
fn merged_block(base: &Block, own: &Block, reading: &mut Reading) -> Block {
    let mut merged = base.clone();
    merged.body = Arc::new(body(&base.body, &own.body, reading));
    if !own.labels.is_empty() {
        merged.labels = own.labels.clone();
    }
    merged.description = own.description.clone().or(merged.description);
    merged.docs = own.docs.clone().or(merged.docs);
    merged.deprecated = own.deprecated.clone().or(merged.deprecated);
    merged.defines = own.defines.clone().or(merged.defines);
    merged.role = own.role.or(merged.role);
    merged.since = own.since.clone().or(merged.since);
    merged.until = own.until.clone().or(merged.until);
    merged.max = own.max.or(merged.max);
    merged.unique |= own.unique;
    merged.once |= own.once;
    if own.min > 0 {
        merged.min = own.min;
    }
    if own.nesting != Nesting::default() {
        merged.nesting = own.nesting;
    }
    if own.form != Form::default() {
        merged.form = own.form;
    }
    let names = own.names.iter().filter(|name| !base.names.contains(name));
    merged.names.extend(names.cloned());
    merged.place = own.place.clone();
    merged
}

fn put<T>(items: &mut Vec<Arc<T>>, item: &Arc<T>, name: impl Fn(&T) -> &str) {
    match items.iter_mut().find(|known| name(known) == name(item)) {
        Some(known) => *known = item.clone(),
        None => items.push(item.clone()),
    }
}
