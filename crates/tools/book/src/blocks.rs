//! The preprocessor of mdBook: colours blocks of HCL by the tokens of the lexer, and those of consoles by their prompts.
//! In chapters of the specification, each source gets the anchor of its example, and each result a label.

use std::ops::Range;

use hcl_lr::syntax::{File, TokenKind, TriviaKind};
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use serde_json::Value;

use crate::{escaped, markdown};

/// Returns the book of a call `[context, book]` of mdBook with its blocks coloured.
///
/// # Errors
/// If the text is no such call.
pub fn preprocess(call: &str) -> Result<String, String> {
    let call: Value = serde_json::from_str(call).map_err(|why| format!("the book cannot be read: {why}"))?;
    let Value::Array(parts) = call else { return Err("the book cannot be read: a list is expected".to_owned()) };
    let mut book = parts.into_iter().nth(1).ok_or("the book cannot be read: it is missing")?;
    chapters(&mut book);
    Ok(book.to_string())
}

/// Colours all chapters, at any depth.
fn chapters(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(chapters),
        Value::Object(fields) => {
            let is_chapter = fields.contains_key("sub_items");
            for (name, field) in fields.iter_mut() {
                match field {
                    Value::String(text) if is_chapter && name == "content" => *text = coloured(text),
                    Value::Array(_) | Value::Object(_) => chapters(field),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Colours the blocks of a page.
pub fn coloured(text: &str) -> String {
    let mut replacements: Vec<(Range<usize>, String)> = Vec::new();
    let mut events = markdown::events(text);
    while let Some((event, range)) = events.next() {
        let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) = event else { continue };
        let mut code = String::new();
        for (event, _) in events.by_ref() {
            match event {
                Event::Text(part) => code += &part,
                Event::End(TagEnd::CodeBlock) => break,
                _ => {}
            }
        }
        if let Some(html) = block(&info, code.strip_suffix('\n').unwrap_or(&code)) {
            // In a list each line is indented like the first one.
            let column = range.start - text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
            let html = html.replace('\n', &format!("\n{}", " ".repeat(column)));
            replacements.push((range.start..range.start + text[range].trim_end().len(), html));
        }
    }
    markdown::replaced(text, replacements)
}

/// Returns a block as HTML, or nothing if mdBook's own colours do.
fn block(info: &str, code: &str) -> Option<String> {
    let mut words = info.split_whitespace();
    let kind = words.next().unwrap_or_default();
    let name = words.next().filter(|name| name.contains('.'));
    let colours = match kind {
        "hcl" | "schema" | "spec" | "language" => Some(source(code, "", "")),
        // In brackets an expression may have lines and comments, as it may alone.
        "expr" => Some(source(code, "x = (", "\n)\n")),
        "console" | "pycon" => Some(console(code)),
        _ => None,
    };
    // Names of examples end with a number, those of files do not.
    let is_example = name.is_some_and(|name| name.ends_with(|last: char| last.is_ascii_digit()));
    let is_part = PARTS.contains(&kind);
    if colours.is_none() && !is_example && !is_part {
        return None;
    }
    let html = colours.unwrap_or_else(|| escaped(code));
    let (id, label) = match name {
        Some(name) if is_example => {
            let rest: Vec<&str> = std::iter::once(kind).chain(words).collect();
            let name = escaped(name);
            (format!(" id=\"{name}\""), format!("<a href=\"#{name}\">{name}</a> {}", escaped(&rest.join(" "))))
        }
        Some(name) => (String::new(), escaped(name)),
        None if is_part => (String::new(), escaped(info)),
        None => (String::new(), String::new()),
    };
    let label = if label.is_empty() { label } else { format!("<span class=\"label\">{label}</span>") };
    let class = if is_part { " class=\"part\"" } else { "" };
    Some(format!("<pre{id}{class}>{label}<code class=\"nohighlight hljs\">{html}</code></pre>"))
}

/// The kinds of blocks that follow the source of an example in the chapters.
const PARTS: &[&str] = &[
    "constraint",
    "content",
    "convert",
    "error",
    "given",
    "providers",
    "scopes",
    "strict",
    "survives",
    "tokens",
    "tree",
    "type",
    "unify",
    "value",
    "values",
    "vars",
    "warning",
];

/// Colours a source, which the lexer reads between two others.
///
/// Examples may contain signs for invisible characters, such as `␉`. To the lexer they are illegal, and stay as they are.
fn source(text: &str, before: &str, after: &str) -> String {
    let file = hcl_lr::parse::<File>(format!("{before}{text}{after}")).into_value();
    let mut html = String::new();
    let mut done = 0;
    let mut piece = |range: Range<usize>, class: Option<&str>| {
        let places = (range.start.checked_sub(before.len()), range.end.checked_sub(before.len()));
        let (Some(class), (Some(from), Some(to))) = (class, places) else { return };
        if let (Some(between), Some(inside)) = (text.get(done..from), text.get(from..to)) {
            html += &escaped(between);
            html += &format!("<span class=\"hljs-{class}\">{}</span>", escaped(inside));
            done = to;
        }
    };
    for token in file.tokens().iter() {
        for trivia in token.trivia_before().filter(|trivia| trivia.kind() == TriviaKind::Comment) {
            piece(trivia.span().range(), Some("comment"));
        }
        piece(token.span().range(), class(token.kind(), token.text()));
    }
    html + &escaped(&text[done..])
}

/// The class of a token in the style sheets of mdBook.
fn class(kind: TokenKind, text: &str) -> Option<&'static str> {
    match kind {
        TokenKind::For | TokenKind::In | TokenKind::If | TokenKind::Keyword => Some("keyword"),
        TokenKind::Literal if text.starts_with('"') => Some("string"),
        TokenKind::Literal => Some("literal"),
        TokenKind::String | TokenKind::TemplateLiteral | TokenKind::Template | TokenKind::CloseTemplate => {
            Some("string")
        }
        TokenKind::Interpolation | TokenKind::CloseSequence => Some("keyword"),
        _ => None,
    }
}

/// Colours what is typed, and the severity of messages.
fn console(text: &str) -> String {
    const HEADS: &[(&str, &str)] =
        &[("error", "deletion"), ("warning", "built_in"), ("note", "comment"), ("help", "comment")];
    let lines = text.split('\n').map(|line| {
        for prompt in ["$ ", "> ", ">>> ", "... "] {
            if let Some(typed) = line.strip_prefix(prompt) {
                return format!("<span class=\"hljs-comment\">{}</span><b>{}</b>", escaped(prompt), escaped(typed));
            }
        }
        for (head, class) in HEADS {
            let end = line.find(": ").filter(|_| line.starts_with(head));
            if let Some((head, rest)) = end.and_then(|end| line.split_at_checked(end)) {
                return format!("<span class=\"hljs-{class}\">{}</span>{}", escaped(head), escaped(rest));
            }
        }
        escaped(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hcl_is_coloured_by_its_tokens() {
        let text = "```hcl main.hcl\na = \"b\" # <c>\n```\n";
        let html = "<pre><span class=\"label\">main.hcl</span><code class=\"nohighlight hljs\">a = \
                    <span class=\"hljs-string\">&quot;b&quot;</span> \
                    <span class=\"hljs-comment\"># &lt;c&gt;</span></code></pre>\n";
        assert_eq!(coloured(text), html);
    }

    #[test]
    fn examples_have_anchors_and_their_parts_have_labels() {
        let html = coloured("```expr native.sum.1.1 engine\n1\n```\n```value\n1\n```\n");
        assert!(
            html.starts_with("<pre id=\"native.sum.1.1\"><span class=\"label\"><a href=\"#native.sum.1.1\">"),
            "{html}"
        );
        assert!(html.contains("expr engine</span>"), "{html}");
        assert!(html.contains("<pre class=\"part\"><span class=\"label\">value</span>"), "{html}");
    }

    #[test]
    fn typed_lines_and_messages_of_consoles_are_coloured() {
        let html = coloured("- a\n\n  ```console 1\n  $ hcl check\n  error[a]: b\n\n  c\n  ```\n");
        let expected = "- a\n\n  <pre><code class=\"nohighlight hljs\"><span class=\"hljs-comment\">$ </span><b>hcl check</b>\n  \
                        <span class=\"hljs-deletion\">error[a]</span>: b\n  \n  c</code></pre>\n";
        assert_eq!(html, expected);
    }

    #[test]
    fn other_blocks_stay() {
        let text = "```rust\nlet a = 1;\n```\n\n    indented\n";
        assert_eq!(coloured(text), text);
    }

    #[test]
    fn chapters_of_a_book_are_coloured_at_any_depth() {
        let chapter =
            |content: &str, below: Value| serde_json::json!({ "Chapter": { "content": content, "sub_items": below } });
        let book = serde_json::json!([{}, { "items": [chapter("a", Value::Array(vec![chapter("```console\n$ b\n```\n", Value::Array(vec![]))]))] }]);
        let answer = preprocess(&book.to_string()).expect("a book");
        assert!(answer.contains("<b>b</b>"), "{answer}");
        assert!(preprocess("{}").is_err());
    }
}
