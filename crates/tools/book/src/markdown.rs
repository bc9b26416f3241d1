//! Changes of Markdown by the places of its parts: links, names that lead somewhere, headings with anchors.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use hcl_lr::diagnostic::Code;
use hcl_lr_conformance::suite::Suite;
use pulldown_cmark::{Event, HeadingLevel, OffsetIter, Options, Parser, Tag, TagEnd};

/// Targets of links outside the site begin with this.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Names that become links in code style: statements, examples and codes of diagnostics.
pub struct Known {
    /// The page and the anchor of each name.
    places: BTreeMap<String, (String, String)>,
}

impl Known {
    pub fn new(suite: &Suite) -> Known {
        let codes = Code::ALL.iter().map(|code| (code.to_string(), ("diagnostics.md".to_owned(), code.to_string())));
        let statements = suite.statements.iter().map(|statement| (&statement.id, &statement.place));
        let examples = suite.examples.iter().map(|example| (&example.id, &example.place));
        let in_chapters = statements.chain(examples).map(|(id, place)| {
            let file = place.split(':').next().unwrap_or_default();
            (id.clone(), (format!("tests/spec/{file}"), id.clone()))
        });
        Known { places: codes.chain(in_chapters).collect() }
    }
}

pub(crate) fn events(text: &str) -> OffsetIter<'_> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_HEADING_ATTRIBUTES;
    Parser::new_ext(text, options).into_offset_iter()
}

/// Makes replacements, which are in the order of their places.
pub(crate) fn replaced(text: &str, replacements: Vec<(Range<usize>, String)>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for (range, new) in replacements {
        result += &text[done..range.start];
        result += &new;
        done = range.end;
    }
    result + &text[done..]
}

/// Returns the text with HTML as text, except for comments, which are removed.
pub fn without_html(text: &str) -> String {
    let html = events(text).filter_map(|(event, range)| match event {
        Event::Html(html) | Event::InlineHtml(html) if html.trim_start().starts_with("<!--") => {
            Some((range, String::new()))
        }
        Event::Html(html) | Event::InlineHtml(html) => Some((range, html.replace('<', "\\<"))),
        _ => None,
    });
    replaced(text, html.collect())
}

/// Returns a page with the title that the contents have, so that both agree.
pub fn with_title(text: &str, title: &str) -> String {
    let first = text.find("# ").filter(|start| text[..*start].trim().is_empty());
    let rest = first.and_then(|start| text[start..].split_once('\n')).map_or(text, |(_, rest)| rest);
    format!("# {title}\n{rest}")
}

/// Returns a chapter of the specification with a section around its statements, if it has none, so that no level of headings is
/// left out.
pub fn with_section(text: &str) -> String {
    match (text.find("\n## "), text.find("\n### ")) {
        (section, Some(first)) if section.is_none_or(|section| section > first) => {
            format!("{}\n## Statements\n{}", &text[..first], &text[first..])
        }
        _ => text.to_owned(),
    }
}

/// Adds words that people search for at the end of the introduction of a page.
pub fn with_words(text: &str, words: &str) -> String {
    let mut headings = events(text)
        .filter_map(|(event, range)| matches!(event, Event::Start(Tag::Heading { .. })).then_some(range.start));
    let end = headings.nth(1).unwrap_or(text.len());
    format!(
        "{}\n\n<p class=\"words\">Also searched as: {}.</p>\n\n{}",
        text[..end].trim_end(),
        crate::escaped(words),
        &text[end..]
    )
}

/// A heading: its level, its title, the anchor that it names itself, and its place.
type Heading = (HeadingLevel, String, Option<String>, Range<usize>);

fn headings(text: &str) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut is_inside = false;
    for (event, range) in events(text) {
        match event {
            Event::Start(Tag::Heading { level, id, .. }) => {
                is_inside = true;
                found.push((level, String::new(), id.map(|id| id.to_string()), range));
            }
            Event::End(TagEnd::Heading(_)) => is_inside = false,
            Event::Text(part) | Event::Code(part) if is_inside => found.last_mut().expect("a heading").1 += &part,
            _ => {}
        }
    }
    found
}

/// Returns the anchors of a page: those of its headings, of its HTML and of the examples in it.
pub fn anchors(text: &str, known: &Known) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, title, id, _) in headings(text) {
        let id = id.unwrap_or_else(|| if known.places.contains_key(&title) { title.clone() } else { slug(&title) });
        let numbered = (1..).map(|number| format!("{id}-{number}"));
        let free = std::iter::once(id.clone()).chain(numbered).find(|id| !anchors.contains(id));
        anchors.extend(free);
    }
    anchors.extend(text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned));
    let fences = text.lines().filter_map(|line| line.strip_prefix("```"));
    anchors.extend(
        fences
            .filter_map(|info| info.split(' ').nth(1))
            .filter(|name| known.places.contains_key(*name))
            .map(str::to_owned),
    );
    anchors
}

/// Makes the anchor of a heading, as the usual hosts of repositories and mdBook make it.
pub fn slug(title: &str) -> String {
    let kept = title.chars().filter(|character| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// A page whose links are made.
pub struct Page<'p> {
    pub root: &'p Path,
    /// The path of the page in the repository.
    pub path: &'p str,
    pub known: &'p Known,
    /// The anchors of each page.
    pub anchors: &'p BTreeMap<String, BTreeSet<String>>,
    /// The pictures and pages that are copied, because this page links to them.
    pub assets: BTreeSet<String>,
    pub problems: Vec<String>,
}

impl Page<'_> {
    /// Returns the text with links that lead somewhere in the site, and with anchors for statements.
    pub fn linked(&mut self, text: &str) -> String {
        let mut replacements: Vec<(Range<usize>, String)> = Vec::new();
        let mut inside = 0;
        for (event, range) in events(text) {
            match event {
                Event::Start(Tag::Heading { .. }) => inside += 1,
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    inside += 1;
                    let source = &text[range.clone()];
                    if let (Some(new), Some(at)) = (self.target(&dest_url), source.rfind(&*dest_url)) {
                        let start = range.start + at;
                        replacements.push((start..start + dest_url.len(), new));
                    }
                }
                Event::End(TagEnd::Link | TagEnd::Image | TagEnd::Heading(_)) => inside -= 1,
                Event::Code(code) if inside == 0 => {
                    if let Some((page, anchor)) = self.known.places.get(&*code) {
                        let url = relative(self.path, page);
                        replacements.push((range.clone(), format!("[{}]({url}#{anchor})", &text[range])));
                    }
                }
                _ => {}
            }
        }
        for (_, title, _, range) in headings(text).into_iter().filter(|(_, title, ..)| title.contains('.')) {
            if self.known.places.contains_key(&title) {
                let end = range.start + text[range].trim_end().len();
                replacements.push((end..end, format!(" {{#{title}}}")));
            }
        }
        replacements.sort_by_key(|(range, _)| range.start);
        replaced(text, replacements)
    }

    /// Returns the target of a link, if it is another one than that which is written.
    fn target(&mut self, written: &str) -> Option<String> {
        if written.contains("://") || written.starts_with("mailto:") {
            return None;
        }
        let (file, anchor) = written.split_once('#').map_or((written, None), |(file, anchor)| (file, Some(anchor)));
        let path = if file.is_empty() { self.path.to_owned() } else { resolved(self.path, file) };
        let hash = anchor.map_or(String::new(), |anchor| format!("#{anchor}"));
        if let Some(anchors) = self.anchors.get(&path) {
            if anchor.is_some_and(|anchor| !anchors.contains(anchor)) {
                // The start page has only some sections of the README.
                if path == "README.md" && anchor.is_some_and(|anchor| self.is_in_readme(anchor)) {
                    return Some(format!("{REPOSITORY}{path}{hash}"));
                }
                self.problems.push(format!("{}: the link `{written}` leads to no heading", self.path));
            }
            return (!file.is_empty()).then(|| format!("{}{hash}", relative(self.path, &path)));
        }
        if !self.root.join(&path).exists() {
            self.problems.push(format!("{}: the link `{written}` leads nowhere", self.path));
            return None;
        }
        if path.starts_with("docs/") && [".svg", ".html"].iter().any(|ending| path.ends_with(ending)) {
            self.assets.insert(path.clone());
            return Some(relative(self.path, &path));
        }
        Some(format!("{REPOSITORY}{path}{hash}"))
    }

    fn is_in_readme(&self, anchor: &str) -> bool {
        std::fs::read_to_string(self.root.join("README.md"))
            .is_ok_and(|text| anchors(&text, self.known).contains(anchor))
    }
}

/// Returns the path that a relative link of a page leads to.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/').filter(|part| !part.is_empty()) {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the link from one page to another. mdBook writes `README.md` as `index.html`.
fn relative(from: &str, to: &str) -> String {
    let to = to.strip_suffix("README.md").map_or_else(|| to.to_owned(), |folder| format!("{folder}index.md"));
    let up = from.split('/').count() - 1;
    let common = from.split('/').zip(to.split('/')).take(up).take_while(|(one, other)| one == other).count();
    let rest: Vec<&str> = to.split('/').skip(common).collect();
    format!("{}{}", "../".repeat(up - common), rest.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, text: &str) -> (String, Vec<String>) {
        let mut suite = Suite::default();
        suite.add("01-sums.md", "# Sums\n\n### native.sum.1\n\nIt is a sum.\n\n```expr native.sum.1.1\n1\n```\n");
        let known = Known::new(&suite);
        let pages = [("docs/a.md", "# A\n"), ("docs/c.md", "# C\n\n## D\n\n## D\n"), ("README.md", "# R\n")];
        let anchors = pages.iter().map(|(path, text)| ((*path).to_owned(), anchors(text, &known))).collect();
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."));
        let mut page =
            Page { root, path, known: &known, anchors: &anchors, assets: BTreeSet::new(), problems: Vec::new() };
        (page.linked(text), page.problems)
    }

    #[test]
    fn links_lead_to_pages_or_to_the_repository() {
        let (text, problems) =
            page("docs/a.md", "[b](../src/lib.rs) [c](c.md#d-1) [e](../README.md) [f](https://f.example/)\n");
        let expected = format!("[b]({REPOSITORY}src/lib.rs) [c](c.md#d-1) [e](../index.md) [f](https://f.example/)\n");
        assert_eq!((text, problems), (expected, vec![]));
    }

    #[test]
    fn broken_links_are_problems() {
        let (_, problems) = page("docs/a.md", "[b](b.md) [c](c.md#x) [here](#y)\n");
        let expected = [
            "docs/a.md: the link `b.md` leads nowhere",
            "docs/a.md: the link `c.md#x` leads to no heading",
            "docs/a.md: the link `#y` leads to no heading",
        ];
        assert_eq!(problems, expected);
    }

    #[test]
    fn names_of_statements_and_codes_are_links() {
        let (text, _) = page(
            "docs/a.md",
            "# `single-quotes`\n\nSee `native.sum.1` and `single-quotes`, not `x`.\n\n### native.sum.1\n",
        );
        let expected = "# `single-quotes`\n\nSee [`native.sum.1`](../tests/spec/01-sums.md#native.sum.1) and \
                        [`single-quotes`](../diagnostics.md#single-quotes), not `x`.\n\n### native.sum.1 {#native.sum.1}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn html_in_a_text_is_text_and_comments_are_removed() {
        assert_eq!(without_html("A <b>c</b>\n\n<!-- d -->\n\n`<e>`\n"), "A \\<b>c\\</b>\n\n\n`<e>`\n");
    }

    #[test]
    fn links_between_pages() {
        assert_eq!(relative("docs/edit.md", "docs/serde.md"), "serde.md");
        assert_eq!(relative("docs/edit.md", "tests/spec/01.md"), "../tests/spec/01.md");
        assert_eq!(relative("README.md", "crates/js/npm/README.md"), "crates/js/npm/index.md");
    }
}
