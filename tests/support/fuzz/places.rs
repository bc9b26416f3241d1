//! Addresses and queries.

use std::sync::LazyLock;

use hcl_lr::convert::ConversionSchema;
use hcl_lr::json::Document;
use hcl_lr::source::Source;
use hcl_lr::{Expression, File, parse};
use hcl_lr_edit::address::{Address, JsonTemplates, TargetKind};
use hcl_lr_edit::query::{Query, Subject};

use super::parts;
use super::world::diagnostics;

/// A file, then an address, then a condition.
pub fn query(input: &str) {
    let parts = parts(input);
    let (file, list) = parse::<File>(Source::new("q.hcl", parts[0])).into_parts();
    if !list.has_errors() {
        own_addresses(&file, input);
    }
    let Some(text) = parts.get(1) else { return };
    let address = match Address::parse(Source::new("address", *text)) {
        Ok(address) => address,
        Err(list) => return diagnostics(&list, input),
    };
    let again: Address = address.to_string().parse().unwrap_or_else(|why| panic!("{address}: {why}\n{input}"));
    assert_eq!(again, address, "{input}");
    let mut query = Query::new(address);
    if let Some(text) = parts.get(2) {
        let (condition, list) = parse::<Expression>(Source::new("condition.hcl", *text)).into_parts();
        diagnostics(&list, input);
        if !list.has_errors() {
            query = query.with_condition(condition.clone()).with_result(condition);
        }
    }
    let (document, json) = parse::<Document>(Source::new("q.json", parts[0])).into_parts();
    static BLOCKS: LazyLock<ConversionSchema> = LazyLock::new(|| {
        let text = "block_a \"x\" {\n  inner {}\n}\nresource \"a\" \"b\" {\n  lifecycle {}\n}\nvariable \"a\" {}\n";
        ConversionSchema::of(parse::<File>(text).into_value().body())
    });
    let (schema, templates) = (&*BLOCKS, JsonTemplates::of(&document));
    let subjects = [
        (list.has_errors(), Subject::Native(&file)),
        (json.has_errors(), Subject::Json(&document, schema, Some(&templates))),
    ];
    for (_, subject) in subjects.into_iter().filter(|(wrong, _)| !wrong) {
        let answer = query.run(subject);
        diagnostics(answer.diagnostics(), input);
        let mut last = 0;
        for found in answer.matches() {
            let span = found.place().span();
            assert!(span.start() >= last, "not in order: {input}");
            last = span.start();
            let (text, raw) = (found.target().text(), &parts[0][span.range()]);
            // Within a string of JSON, the text is without its escape sequences.
            let decoded = || serde_json::from_str::<String>(&format!("\"{raw}\"")).ok();
            assert!(text == raw || decoded().as_deref() == Some(text), "{text} is not {raw}: {input}");
            drop((found.kind(), found.name(), found.labels(), found.comment(), found.position()));
        }
    }
}

/// Its own address leads to each thing in a file.
fn own_addresses(file: &hcl_lr::syntax::File, input: &str) {
    let everything = Address::root().deep().resolve(file.body());
    // To resolve each takes as long as the file is.
    let every = 1 + everything.len() / 40;
    for target in everything.iter().step_by(every) {
        let address = target.address();
        let again: Address = address.to_string().parse().unwrap_or_else(|why| panic!("{address}: {why}\n{input}"));
        assert_eq!(again, address, "{input}");
        let found = address.resolve(file.body());
        let span = target.span();
        let there = found.iter().any(|other| match target.kind() {
            // A value has the address of what has this value, which is around it.
            TargetKind::Expression(_) => other.span().start() <= span.start() && other.span().end() >= span.end(),
            _ => other.span() == span,
        });
        assert!(there, "{address} does not lead back: {input}");
    }
}
