//! Markdown to HTML: headings with anchors, links between pages, colours, and the examples of chapters.

use std::collections::{BTreeMap, BTreeSet};

use hcl_lr::diagnostic::Code;
use hcl_lr_conformance::suite::Suite;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::page::{Heading, Section, path_of, relative};
use crate::{Entry, escaped, highlight};

/// Names that lead somewhere wherever they stand in a text: statements, examples and codes of diagnostics.
pub struct Known {
    urls: BTreeMap<String, String>,
}

impl Known {
    pub fn new(suite: &Suite) -> Known {
        let mut urls = BTreeMap::new();
        for code in Code::ALL {
            urls.insert(code.as_str().to_owned(), format!("diagnostics.html#{code}"));
        }
        let places = suite.statements.iter().map(|statement| (&statement.id, &statement.place));
        for (id, place) in places.chain(suite.examples.iter().map(|example| (&example.id, &example.place))) {
            let file = place.split(':').next().unwrap_or_default();
            urls.insert(id.clone(), format!("{}#{id}", path_of(&format!("tests/spec/{file}"))));
        }
        Known { urls }
    }

    /// Returns the URL of something in the site, by its name.
    pub fn url(&self, name: &str) -> Option<&str> {
        self.urls.get(name).map(String::as_str)
    }
}

/// The contents of a page.
pub struct Rendered {
    pub html: String,
    pub headings: Vec<Heading>,
    pub linked: Vec<String>,
    pub entries: Vec<Entry>,
}

/// Renders one file.
pub struct Renderer<'k> {
    /// The folder of the file in the repository.
    folder: String,
    path: String,
    section: Section,
    known: &'k Known,
    /// True if the file is a chapter of the specification.
    chapter: bool,
    anchors: BTreeSet<String>,
    result: Rendered,
}

impl<'k> Renderer<'k> {
    /// For a file of the repository, to a page of the site.
    pub fn new(source: &str, path: &str, section: Section, known: &'k Known) -> Renderer<'k> {
        Renderer {
            folder: source.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
            path: path.to_owned(),
            section,
            known,
            chapter: source.starts_with("tests/spec/"),
            anchors: BTreeSet::new(),
            result: Rendered { html: String::new(), headings: Vec::new(), linked: Vec::new(), entries: Vec::new() },
        }
    }

    pub fn render(mut self, text: &str) -> Rendered {
        let mut events = Vec::new();
        let mut parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
        // The example that further fences belong to is open.
        let mut open = false;
        let mut inside_link = false;
        while let Some(event) = parser.next() {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let mut code = String::new();
                    for event in parser.by_ref() {
                        match event {
                            Event::Text(text) => code += &text,
                            _ => break,
                        }
                    }
                    let info = match &kind {
                        CodeBlockKind::Fenced(info) => info.as_ref(),
                        CodeBlockKind::Indented => "",
                    };
                    let html = self.code(info, &code, &mut open);
                    events.push(Event::Html(html.into()));
                    continue;
                }
                Event::Start(Tag::Heading { level, .. }) => {
                    self.close(&mut open, &mut events);
                    let inner: Vec<Event> =
                        parser.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))).collect();
                    self.heading(level, inner, &mut events);
                    continue;
                }
                Event::Start(Tag::Paragraph | Tag::List(_) | Tag::Table(_)) => self.close(&mut open, &mut events),
                Event::Text(ref text) => self.found(text),
                Event::SoftBreak | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => self.found(" "),
                _ => {}
            }
            let event = match event {
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    inside_link = true;
                    let dest_url = self.link(&dest_url).into();
                    Event::Start(Tag::Link { link_type, dest_url, title, id })
                }
                Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                    let dest_url = self.link(&dest_url).into();
                    Event::Start(Tag::Image { link_type, dest_url, title, id })
                }
                Event::End(TagEnd::Link) => {
                    inside_link = false;
                    event
                }
                Event::Start(Tag::Table(_)) => {
                    events.push(Event::Html("<div class=\"wide\">".into()));
                    event
                }
                Event::End(TagEnd::Table) => {
                    events.push(event);
                    Event::Html("</div>\n".into())
                }
                Event::Code(code) => {
                    self.found(&code);
                    let url = self.known.url(&code).filter(|_| !inside_link).map(|url| relative(&self.path, url));
                    let shown = escaped(&code);
                    Event::InlineHtml(match url {
                        Some(url) => format!("<a href=\"{}\"><code>{shown}</code></a>", escaped(&url)).into(),
                        None => format!("<code>{shown}</code>").into(),
                    })
                }
                // Markdown may hold HTML; ours has none, and what looks like it is text.
                Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
                event => event,
            };
            events.push(event);
        }
        self.close(&mut open, &mut events);
        html::push_html(&mut self.result.html, events.into_iter());
        self.result
    }

    fn close(&self, open: &mut bool, events: &mut Vec<Event>) {
        if std::mem::take(open) {
            events.push(Event::Html("</div>\n".into()));
        }
    }

    /// Adds to what a search finds at the last heading.
    fn found(&mut self, text: &str) {
        const LENGTH: usize = 500;
        if let Some(entry) = self.result.entries.last_mut()
            && entry.text.len() < LENGTH
        {
            entry.text += text;
        }
    }

    fn heading<'e>(&mut self, level: HeadingLevel, inner: Vec<Event<'e>>, events: &mut Vec<Event<'e>>) {
        let title: String = inner
            .iter()
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        // Statements keep their names.
        let id = if self.chapter && self.known.url(&title).is_some() { title.clone() } else { slug(&title) };
        let id = self.anchor(id);
        let number = level as usize;
        events.push(Event::Html(format!("<h{number} id=\"{}\">", escaped(&id)).into()));
        events.extend(inner.into_iter().map(|event| match event {
            Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link) => Event::Text(CowStr::Borrowed("")),
            event => event,
        }));
        events.push(Event::Html(
            format!(
                " <a class=\"here\" href=\"#{}\" aria-label=\"Link to this heading\">#</a></h{number}>\n",
                escaped(&id)
            )
            .into(),
        ));
        let url = if number == 1 { self.path.clone() } else { format!("{}#{id}", self.path) };
        self.result.entries.push(Entry { title: title.clone(), url, section: self.section, text: String::new() });
        self.result.headings.push(Heading { level: number, id, title });
    }

    /// An anchor that no other heading of the page has, numbered as on the usual hosts of repositories.
    fn anchor(&mut self, id: String) -> String {
        let mut anchor = id.clone();
        for number in 1.. {
            if self.anchors.insert(anchor.clone()) {
                break;
            }
            anchor = format!("{id}-{number}");
        }
        anchor
    }

    /// A block of code. In a chapter, sources begin examples, and what they need and give follows them.
    fn code(&mut self, info: &str, code: &str, open: &mut bool) -> String {
        let code = code.strip_suffix('\n').unwrap_or(code);
        let shown;
        let code = if info == "rust" {
            shown = without_hidden(code);
            &shown
        } else {
            code
        };
        let mut words = info.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let id = words.next();
        let plain = || format!("<pre><code>{}</code></pre>\n", highlight::source(kind, code));
        if !self.chapter {
            // The name of a file after the language.
            return match id.filter(|id| kind != "text" && id.contains('.')) {
                Some(name) => format!("<div class=\"file\">{}</div>\n{}", escaped(name), plain()),
                None => plain(),
            };
        }
        match id.filter(|id| self.known.url(id).is_some()) {
            Some(id) => {
                let before = if std::mem::replace(open, true) { "</div>\n" } else { "" };
                let marks: String =
                    words.map(|word| format!(" <span class=\"mark\">{}</span>", escaped(word))).collect();
                format!(
                    "{before}<div class=\"example\" id=\"{id}\"><p class=\"bar\"><a href=\"#{id}\">{id}</a> \
                     <span>{kind}</span>{marks}</p>\n{}",
                    plain(),
                    id = escaped(id),
                )
            }
            None if *open => {
                let text = if code.is_empty() { String::new() } else { plain() };
                format!("<p class=\"part part-{kind}\">{}</p>{text}\n", escaped(info), kind = escaped(kind))
            }
            None => plain(),
        }
    }

    /// Returns the target of a link, which may be a file of the repository.
    fn link(&mut self, target: &str) -> String {
        if target.starts_with('#') || target.contains("://") || target.starts_with("mailto:") {
            return target.to_owned();
        }
        let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
        let mut parts: Vec<&str> = self.folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in file.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let source = parts.join("/");
        let url = relative(&self.path, &path_of(&source));
        self.result.linked.push(source);
        anchor.map_or(url.clone(), |anchor| format!("{url}#{anchor}"))
    }
}

/// Rust without the lines that only make it run as a test.
fn without_hidden(code: &str) -> String {
    let lines: Vec<&str> = code.lines().filter(|line| *line != "#" && !line.starts_with("# ")).collect();
    lines.join("\n")
}

/// The anchor of a heading, as the usual hosts of repositories make it.
pub fn slug(title: &str) -> String {
    title
        .to_lowercase()
        .chars()
        .filter(|character| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_'))
        .map(|character| if character == ' ' { '-' } else { character })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(source: &str, text: &str) -> Rendered {
        let mut suite = Suite::default();
        suite.add("01-sums.md", "# Sums\n\n### native.sum.1\n\nIt is a sum.\n\n```expr native.sum.1.1\n1\n```\n");
        let known = Known::new(&suite);
        Renderer::new(source, &path_of(source), Section::Guides, &known).render(text)
    }

    #[test]
    fn headings_have_anchors_of_their_own() {
        let page = rendered("docs/a.md", "# A `b` & c\n\n## Same\n\n## Same\n");
        let ids: Vec<&str> = page.headings.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["a-b--c", "same", "same-1"]);
    }

    #[test]
    fn links_lead_to_pages() {
        let page = rendered("docs/a.md", "[b](../src/b.rs) [c](c.md#d) [e](../README.md) [f](https://f.example/)\n");
        for url in ["../files/src/b.rs.html", "c.html#d", "../index.html", "https://f.example/"] {
            assert!(page.html.contains(&format!("href=\"{url}\"")), "{url} in {}", page.html);
        }
        assert_eq!(page.linked, ["src/b.rs", "docs/c.md", "README.md"]);
    }

    #[test]
    fn names_of_statements_and_codes_lead_to_them() {
        let page = rendered("docs/a.md", "See `native.sum.1` and `single-quotes`, not `x`.\n");
        assert!(page.html.contains("<a href=\"../spec/01-sums.html#native.sum.1\">"), "{}", page.html);
        assert!(page.html.contains("<a href=\"../diagnostics.html#single-quotes\">"), "{}", page.html);
        assert!(page.html.contains("<code>x</code>"), "{}", page.html);
    }

    #[test]
    fn examples_hold_what_they_give() {
        let text = "# Sums\n\n### native.sum.1\n\nIt is.\n\n```expr native.sum.1.1 engine\n1 < 2\n```\n```value\ntrue\n```\n\nText.\n";
        let page = rendered("tests/spec/01-sums.md", text);
        let example = page.html.find("id=\"native.sum.1.1\"").expect("the example");
        let (value, end) =
            (page.html.find("part-value").expect("its value"), page.html.rfind("</div>").expect("its end"));
        assert!(
            example < value && value < end && end < page.html.find("Text.").expect("what follows"),
            "{}",
            page.html
        );
        assert!(page.html.contains("<span class=\"literal\">1</span> &lt; "), "{}", page.html);
        assert!(page.html.contains("<span class=\"mark\">engine</span>"), "{}", page.html);
    }

    #[test]
    fn html_in_a_text_is_text() {
        assert!(!rendered("docs/a.md", "A <script>alert(1)</script> b\n").html.contains("<script>"));
    }
}
