//! The JSON syntax, conversion between the syntaxes, and formatting.

use hcl_lr::convert::{
    ConversionOptions, ConversionSchema, JsonBlocks, JsonStrings, to_hcl2json, to_json, to_native, to_python_hcl2,
};
use hcl_lr::format::{self, Style};
use hcl_lr::json::Document;
use hcl_lr::json::{Node, NodeKind};
use hcl_lr::source::Source;
use hcl_lr::syntax::{Token, TokenKind};
use hcl_lr::{Body, File, ParseOptions, Syntax, parse};
use hcl_lr_conformance::json_to_json;

use super::evaluation;
use super::there_and_back::{Back, FORMS, normal, there_and_back, tree};
use super::world::{diagnostics, evaluated, world};

/// Bytes as a document, as a configuration, and its strings as templates.
pub fn json(bytes: &[u8]) {
    let source = || Source::from_bytes("j.json", bytes);
    let text = source().text().to_owned();
    let (document, list) = parse::<Document>(source()).into_parts();
    diagnostics(&list, &text);
    node(document.root(), (0, text.len()), &text);
    drop(hcl_lr::json::NodeDump(document.root()).to_string());
    if !list.has_errors() && source().invalid_utf8().is_empty() {
        // Accepted text is valid JSON.
        let known: Result<serde_json::Value, _> = serde_json::from_str(text.trim_start_matches('\u{feff}'));
        if let Err(why) = known {
            let (what, depth) = (why.to_string(), text.matches(['[', '{']).count());
            let beyond = what.contains("recursion limit") || what.contains("out of range") || depth > 120;
            assert!(beyond || what.contains("surrogate") || what.contains("hex escape"), "{why}: {text}");
        }
    }
    let (configuration, list) = parse::<Document>(source()).into_parts();
    diagnostics(&list, &text);
    drop(json_to_json(&configuration));
    diagnostics(ParseOptions::new().with_json_checks(true).parse::<Document>(source()).diagnostics(), &text);
    let (body, list) = ParseOptions::new().with_syntax(Syntax::Json).parse::<Body>(source()).into_parts();
    diagnostics(&list, &text);
    if list.has_errors() {
        return;
    }
    let (attributes, list) = body.attributes().into_parts();
    diagnostics(&list, &text);
    for attribute in attributes.iter().take(50) {
        let expression = attribute.expression();
        evaluation::check(expression, &text);
        let (literal, meter) = world();
        let (value, list) = expression.evaluate_partially(&hcl_lr::Scope::new().with_meter(&meter)).into_parts();
        evaluated(&value, &list, &meter, &text);
        drop((expression.static_list().is_ok(), expression.static_map().is_ok(), expression.keyword()));
        drop((expression.static_call().is_ok(), expression.static_traversal().is_ok(), literal));
    }
}

/// Nodes are within one another, in order, and on character boundaries.
fn node(node: Node<'_>, outer: (usize, usize), text: &str) {
    let span = node.span();
    let (start, end) = (span.start(), span.end());
    assert!(outer.0 <= start && start <= end && end <= outer.1, "{span:?} is not within {outer:?}: {text:?}");
    assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{span:?} cuts a character: {text:?}");
    assert_eq!(node.text(), &text[span.range()]);
    let mut at = start;
    match node.kind() {
        NodeKind::Object(object) => {
            for member in object.properties() {
                self::node(member.name_node(), (at, end), text);
                self::node(member.value(), (member.name_span().end(), end), text);
                at = member.span().end();
                drop(member.name());
            }
        }
        NodeKind::Array(array) => {
            for element in array.elements() {
                self::node(element, (at, end), text);
                at = element.span().end();
            }
        }
        NodeKind::String(string) => drop((string.text(), string.offsets(), string.inner_span())),
        NodeKind::Number(number) => drop(number.value()),
        _ => {}
    }
}

/// A file in either syntax becomes one in the other, and what comes back means the same.
pub fn convert(input: &str) {
    let (file, list) = parse::<File>(Source::new("c.hcl", input)).into_parts();
    let (document, json) = parse::<Document>(Source::new("c.json", input)).into_parts();
    let schema = ConversionSchema::of(file.body());
    for blocks in FORMS {
        for strings in [JsonStrings::Template, JsonStrings::Literal] {
            let conversion = ConversionOptions::new().with_blocks(blocks).with_strings(strings).with_schema(&schema);
            diagnostics(to_native(&document, &conversion).diagnostics(), input);
            diagnostics(to_json(&file, &conversion).diagnostics(), input);
        }
        if !list.has_errors() {
            for comments in [false, true] {
                if let Back::Wrong(why) = there_and_back(&file, blocks, comments) {
                    panic!("{blocks:?}, comments {comments}: {why}\n--- input\n{input}");
                }
            }
        }
    }
    let shapes = [to_hcl2json(&file), to_python_hcl2(&file)];
    for json in shapes.into_iter().filter_map(|shape| shape.into_result().ok()).filter(|_| !list.has_errors()) {
        let known: Result<serde_json::Value, _> = serde_json::from_str(&json);
        let deep = |why: &serde_json::Error| why.to_string().contains("recursion limit");
        assert!(known.as_ref().is_ok() || known.as_ref().is_err_and(deep), "{known:?}: {json}\n--- input\n{input}");
    }
    if json.has_errors()
        || ParseOptions::new().with_json_checks(true).parse::<Document>(Source::new("c.json", input)).has_errors()
    {
        return;
    }
    let Ok(native) = to_native(&document, &ConversionOptions::default()).into_result() else { return };
    let back = parse::<File>(native.text.as_str()).into_result();
    let back = back.unwrap_or_else(|why| panic!("{why}\n{}\n--- input\n{input}", native.text));
    let Ok(before) = serde_json::from_str(&json_to_json(&document)) else { return };
    let (before, after) = (normal(before, false), tree(&back, JsonBlocks::Array));
    assert_eq!(before, after, "{}\n--- input\n{input}", native.text);
}

const PLAIN: Style = Style::new();

/// All styles: each rule by itself, and all at once.
fn styles() -> [Style; 8] {
    [
        PLAIN.with_terraform_rules(true),
        PLAIN.with_switches(true),
        PLAIN.with_final_newline(true),
        PLAIN.with_one_blank_line(true),
        PLAIN.with_alignment(false),
        PLAIN.with_sorted_attributes(true),
        PLAIN.with_sorted_blocks(true),
        PLAIN
            .with_terraform_rules(true)
            .with_switches(true)
            .with_final_newline(true)
            .with_one_blank_line(true)
            .with_sorted_attributes(true)
            .with_sorted_blocks(true),
    ]
}

/// The tokens of a text, if it is without errors.
fn tokens(text: &str) -> Option<Vec<String>> {
    let (file, list) = parse::<File>(text).into_parts();
    (!list.has_errors())
        .then(|| file.tokens().iter().map(|token| format!("{:?} {}", token.kind(), spelling(&token))).collect())
}

/// The text of a token, without blanks where it may have some.
fn spelling(token: &Token) -> String {
    match token.kind() {
        TokenKind::Literal | TokenKind::String | TokenKind::Template | TokenKind::TemplateLiteral => {
            token.text().into()
        }
        _ => token.text().replace([' ', '\t'], ""),
    }
}

fn without_blanks(text: &[u8]) -> Vec<u8> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.iter().copied().filter(|byte| !b" \t".contains(byte)).collect()
}

/// Nothing but blanks changes, formatting again changes nothing, and valid texts keep their tokens and
/// stay valid in every style.
pub fn format(bytes: &[u8]) {
    let formatted = PLAIN.format_bytes(bytes);
    assert_eq!(without_blanks(&formatted), without_blanks(bytes), "{}", bytes.escape_ascii());
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let before = tokens(text);
    let formatted = format::format(text);
    // A text that begins with zeros where UTF-16 has some is taken for that.
    if formatted.bytes().take(4).any(|byte| byte == 0) {
        return;
    }
    if before.is_some() {
        assert_eq!(format::format(&formatted), formatted, "it changes again: {text:?}");
        assert_eq!(tokens(&formatted), before, "{text:?}");
    }
    for style in styles() {
        let formatted = style.format(text);
        if before.is_some() {
            assert!(tokens(&formatted).is_some(), "broken by {style:?}: {text:?}\n{formatted}");
            assert_eq!(style.format(&formatted), formatted, "{style:?} changes it again: {text:?}");
        }
    }
}
