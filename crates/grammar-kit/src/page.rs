//! The page with a diagram of each production. It is self-contained: no scripts, no external resources.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::ebnf::{Definition, definitions, lexical};
use crate::railroad::svg;
use crate::statements::{Statement, is_named, of, statements};
use hcl_lr_grammar_check::Grammar;

const STYLE: &str = "\
:root { color-scheme: light dark; --text: #1d2530; --soft: #5b6675; --back: #fff; --panel: #f5f7fa; --line: #d6dce4;
  --link: #0b5cad; --terminal: #e3f1e4; --terminal-line: #4a8a52; --name: #e4ecf8; --name-line: #4871b5; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #dfe5ec; --soft: #9aa6b5; --back: #14181d; --panel: #1b2129;
  --line: #323b47; --link: #7db7f5; --terminal: #1d3524; --terminal-line: #67a770; --name: #1c2b44; --name-line: #6b93d6;
  --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; color: var(--text); background: var(--back);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 3rem; } h3 { margin: 2.2rem 0 .5rem; }
a { color: var(--link); } code, pre { font: .875rem/1.45 ui-monospace, monospace; }
nav p { margin: .4rem 0; } nav a { display: inline-block; margin-right: .8rem; }
.soft { color: var(--soft); font-size: .875rem; font-weight: normal; }
.scroll, pre { overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; }
.scroll { padding: .25rem; } .scroll svg { display: block; height: auto; max-width: none; }
pre { padding: .5rem .75rem; margin: .5rem 0; white-space: pre; }
pre.ebnf { white-space: pre-wrap; }
pre.wrong { border-left: 3px solid var(--bad); }
ul.statements { padding-left: 1.2rem; } .statement { margin: 1.5rem 0; }
svg.railroad path { stroke: var(--text); stroke-width: 2px; fill: none; }
svg.railroad rect.railroad_canvas { fill: none; stroke: none; }
svg.railroad text { font: 14px ui-monospace, monospace; text-anchor: middle; fill: var(--text); }
svg.railroad .terminal rect { fill: var(--terminal); stroke: var(--terminal-line); stroke-width: 1.5px; }
svg.railroad .nonterminal rect { fill: var(--name); stroke: var(--name-line); stroke-width: 1.5px; }
svg.railroad a:hover rect, svg.railroad a:focus rect { stroke-width: 3px; } svg.railroad a text { text-decoration: underline; }
:target { outline: 2px solid var(--link); outline-offset: .3rem; }
";

/// The page.
///
/// # Errors
/// If the statements cannot be read.
pub fn page(grammars: &[Grammar], base: Option<&str>) -> Result<String, String> {
    let statements = statements()?;
    let definitions: Vec<(&Grammar, Vec<Definition>)> =
        grammars.iter().map(|grammar| (grammar, definitions(grammar))).collect();
    let lexical = lexical(grammars);
    let mut known: HashSet<&str> = lexical.iter().map(|(name, _)| name.as_str()).collect();
    known.extend(definitions.iter().flat_map(|(_, all)| all).map(|definition| definition.production.name.as_str()));

    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>The grammar of HCL</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<h1>The grammar of HCL</h1>\n<p>The productions that hcl-lr {} parses by, from its grammars, \
         each with the statements of the specification that it is about and their examples. Green is what is \
         written, blue is another production.</p>\n",
        env!("CARGO_PKG_VERSION")
    );
    page += "<nav>\n";
    for (grammar, all) in &definitions {
        let links: String = all.iter().map(|definition| link(&definition.production.name)).collect();
        let _ = writeln!(page, "<p><b>{}</b> {links}</p>", title(grammar));
    }
    let links: String = lexical.iter().map(|(name, _)| link(name)).collect();
    let _ = writeln!(page, "<p><b>Lexer</b> {links}</p>\n</nav>");

    for (grammar, all) in &definitions {
        let _ = writeln!(page, "<h2>{}</h2>", title(grammar));
        for definition in all {
            page += &section(definition, &known, &statements);
        }
    }
    page += "<h2>Lexer</h2>\n<p>What the lexer settles, as the specification says it.</p>\n";
    for (name, is) in &lexical {
        let _ = writeln!(page, "<h3 id=\"{name}\">{name}</h3>\n<pre>{}</pre>", escaped(&format!("{name} = {is};")));
    }
    page += "<h2>Statements and examples</h2>\n<p>Examples with a bar beside them are errors.</p>\n";
    for statement in &statements {
        page += &with_examples(statement, base);
    }
    page += "</body>\n</html>\n";
    Ok(page)
}

fn title(grammar: &Grammar) -> &'static str {
    match grammar.name {
        "body" => "Bodies",
        "expression" => "Expressions",
        _ => "Templates",
    }
}

fn link(name: &str) -> String {
    format!("<a href=\"#{name}\">{name}</a> ")
}

/// A production: the diagram, the notation, and the statements.
fn section(definition: &Definition, known: &HashSet<&str>, statements: &[Statement]) -> String {
    let production = &definition.production;
    let mut text = format!(
        "<h3 id=\"{name}\">{name} <span class=\"soft\">grammar/{}.lalrpop:{}</span></h3>\n<div class=\"scroll\">{}</div>\n\
         <pre class=\"ebnf\">{}</pre>\n",
        definition.grammar,
        definition.line,
        svg(&production.is, &|name| known.contains(name)),
        escaped(&production.to_string()),
        name = production.name,
    );
    let named = of(&production.name);
    let about: Vec<&Statement> =
        statements.iter().filter(|statement| named.iter().any(|name| is_named(&statement.id, name))).collect();
    if !about.is_empty() {
        text += "<ul class=\"statements\">\n";
        for statement in about {
            let id = &statement.id;
            let _ = writeln!(text, "<li><a href=\"#{id}\">{id}</a> {}</li>", inline(first(&statement.text)));
        }
        text += "</ul>\n";
    }
    text
}

fn with_examples(statement: &Statement, base: Option<&str>) -> String {
    let Statement { id, chapter, text, examples } = statement;
    let name = match base {
        Some(base) => format!("<a href=\"{}/{chapter}.html#{id}\">{id}</a>", escaped(base.trim_end_matches('/'))),
        None => format!("{id} <span class=\"soft\">tests/spec/{chapter}.md</span>"),
    };
    let mut shown = format!("<div class=\"statement\" id=\"{id}\">\n<b>{name}</b>\n<p>{}</p>\n", inline(text));
    for (source, right) in examples {
        let class = if *right { "" } else { " class=\"wrong\"" };
        let _ = writeln!(shown, "<pre{class}>{}</pre>", escaped(source.trim_end_matches('\n')));
    }
    shown += "</div>\n";
    shown
}

/// The first sentence.
fn first(text: &str) -> &str {
    let end = text.match_indices(". ").next().map_or(text.len(), |(at, _)| at + 1);
    &text[..end]
}

/// A paragraph of Markdown, of which code is all that statements have.
fn inline(text: &str) -> String {
    let mut shown = String::new();
    for (index, part) in text.split('`').enumerate() {
        let part = escaped(part);
        shown += &if index % 2 == 1 { format!("<code>{part}</code>") } else { part };
    }
    shown
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammars;

    #[test]
    fn every_link_of_the_page_leads_somewhere() {
        let page = page(&grammars().expect("the grammars"), None).expect("the page");
        let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let targets: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), targets.len(), "an id is there twice");
        let links: Vec<&str> = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(links.len() > 200, "only {} links", links.len());
        let lost: Vec<&&str> =
            links.iter().filter(|link| link.strip_prefix('#').is_none_or(|id| !targets.contains(id))).collect();
        assert!(lost.is_empty(), "{lost:?}");
        assert!(!page.contains("<script") && !page.contains("src="));
    }

    #[test]
    fn statements_lead_to_the_chapters_if_they_are_somewhere() {
        let page = page(&grammars().expect("the grammars"), Some("https://example.com/spec/")).expect("the page");
        assert!(page.contains("href=\"https://example.com/spec/07-collections.html#native.tuple.1\""));
    }

    #[test]
    fn what_is_shown_is_escaped() {
        assert_eq!(inline("a `<b>` & c"), "a <code>&lt;b&gt;</code> &amp; c");
        assert_eq!(first("One. Two."), "One.");
    }
}
