//! Pages: from a file of the repository to a page of the site, and what stands around its content.

use std::fs;
use std::path::Path;

use crate::markdown::{self, Known};
use crate::{Entry, escaped, highlight};

/// The parts of the navigation, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    Start,
    Guides,
    Reference,
    Specification,
    Project,
    /// Files that are linked to, but not in the navigation.
    Files,
}

impl Section {
    pub fn title(self) -> &'static str {
        match self {
            Section::Start => "Start",
            Section::Guides => "Guides",
            Section::Reference => "Reference",
            Section::Specification => "Specification",
            Section::Project => "Project",
            Section::Files => "Files",
        }
    }

    /// The section of a file.
    fn of(source: &str) -> Section {
        match source {
            "README.md" => Section::Start,
            "DIVERGENCES.md"
            | "crates/conformance/PROTOCOL.md"
            | "docs/decisions.md"
            | "docs/functions.md"
            | "docs/scoreboard.md"
            | "docs/strict.md" => Section::Reference,
            "CHANGELOG.md" | "CONTRIBUTING.md" | "SECURITY.md" => Section::Project,
            "grammar/README.md" => Section::Specification,
            _ if source.starts_with("docs/") => Section::Guides,
            _ if source.starts_with("tests/spec/") => Section::Specification,
            _ => Section::Files,
        }
    }
}

/// A heading of a page.
pub struct Heading {
    pub level: usize,
    pub id: String,
    pub title: String,
}

/// A page of the site.
pub struct Page {
    /// Its path in the site.
    pub path: String,
    pub title: String,
    pub section: Section,
    /// Its content, as HTML.
    pub content: String,
    pub headings: Vec<Heading>,
    /// Files of the repository that it links to.
    pub linked: Vec<String>,
    pub entries: Vec<Entry>,
}

impl Page {
    /// Returns the key by which the navigation sorts pages.
    pub fn order(&self) -> (Section, bool, &str) {
        // Chapters have numbers; other pages of their section come first.
        (self.section, self.path.starts_with("spec/"), &self.path)
    }
}

/// The path in the site of a file of the repository.
pub fn path_of(source: &str) -> String {
    match source.strip_suffix(".md") {
        Some("README") => "index.html".to_owned(),
        Some("docs/README") => "docs/index.html".to_owned(),
        Some(name) => {
            format!("{}.html", name.strip_prefix("tests/").filter(|name| name.starts_with("spec/")).unwrap_or(name))
        }
        // A page or a picture already.
        None if source.ends_with(".html") || source.ends_with(".svg") => source.to_owned(),
        None => format!("files/{}.html", source.trim_end_matches('/')),
    }
}

/// The diagrams of the grammars, which are a page with a style of their own.
pub fn railroad() -> Result<Page, String> {
    let path = "grammar/railroad.html";
    let entry = Entry {
        title: "Railroad diagrams".to_owned(),
        url: path.to_owned(),
        section: Section::Specification,
        text: "A diagram of each production of the grammars, with its statements and examples.".to_owned(),
    };
    Ok(Page {
        path: path.to_owned(),
        title: "Railroad diagrams".to_owned(),
        section: Section::Specification,
        content: hcl_lr_grammar_kit::page(&hcl_lr_grammar_kit::grammars()?, Some("../spec"))?,
        headings: Vec::new(),
        linked: Vec::new(),
        entries: vec![entry],
    })
}

/// Makes the page of a file or folder of the repository.
pub fn read(root: &Path, source: &str, known: &Known) -> Result<Page, String> {
    let file = root.join(source);
    let section = Section::of(source);
    let path = path_of(source);
    if source.ends_with(".md") {
        let text = fs::read_to_string(&file).map_err(|why| why.to_string())?;
        let rendered = markdown::Renderer::new(source, &path, section, known).render(&text);
        let title = rendered.headings.first().map_or_else(|| source.to_owned(), |heading| heading.title.clone());
        return Ok(Page {
            path,
            title,
            section,
            content: rendered.html,
            headings: rendered.headings,
            linked: rendered.linked,
            entries: rendered.entries,
        });
    }
    let mut content = format!("<h1><code>{}</code></h1>\n", escaped(source));
    let mut linked = Vec::new();
    if file.is_dir() {
        content += "<ul>\n";
        let mut names: Vec<String> = fs::read_dir(&file)
            .map_err(|why| why.to_string())?
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        for name in names {
            let child = format!("{}/{name}", source.trim_end_matches('/'));
            let url = relative(&path, &path_of(&child));
            content += &format!("<li><a href=\"{}\"><code>{}</code></a></li>\n", escaped(&url), escaped(&name));
            linked.push(child);
        }
        content += "</ul>\n";
    } else {
        let bytes = fs::read(&file).map_err(|why| why.to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        content += &format!("<pre><code>{}</code></pre>\n", highlight::file(source, &text));
    }
    let entries = Vec::new();
    Ok(Page { path, title: source.to_owned(), section, content, headings: Vec::new(), linked, entries })
}

/// The way from one page to another, both by their paths in the site.
pub fn relative(from: &str, to: &str) -> String {
    let up = from.split('/').count() - 1;
    let common = from.split('/').zip(to.split('/')).take(up).take_while(|(one, other)| one == other).count();
    // The file itself is never common.
    let rest: Vec<&str> = to.split('/').skip(common).collect();
    format!("{}{}", "../".repeat(up - common), rest.join("/"))
}

/// A page with header, menu and footer.
pub fn whole(page: &Page, pages: &[Page]) -> String {
    if page.content.starts_with("<!DOCTYPE html>") {
        return page.content.clone();
    }
    let root = "../".repeat(page.path.split('/').count() - 1);
    let title = if page.path == "index.html" { "hcl-lr".to_owned() } else { format!("{} · hcl-lr", page.title) };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"{root}style.css\">\n\
         <script defer src=\"{root}search-index.js\"></script>\n\
         <script defer src=\"{root}search.js\" data-root=\"{root}\"></script>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n\
         <header><a class=\"name\" href=\"{root}index.html\">hcl-lr</a>\n\
         <search><input id=\"search\" type=\"search\" placeholder=\"Search (press /)\" aria-label=\"Search\" \
         autocomplete=\"off\"><ul id=\"found\" hidden></ul></search></header>\n\
         <div class=\"columns\">\n{}<main id=\"content\">\n{}</main>\n{}</div>\n</body>\n</html>\n",
        navigation(page, pages),
        page.content,
        contents(page),
        title = escaped(&title),
    )
}

/// The list of all pages, with the section of this one open.
fn navigation(page: &Page, pages: &[Page]) -> String {
    let mut html = "<nav aria-label=\"Pages\">\n<details class=\"menu\" open><summary>Pages</summary>\n".to_owned();
    let sections = [Section::Start, Section::Guides, Section::Reference, Section::Specification, Section::Project];
    for section in sections {
        let open = if section == page.section || page.section == Section::Start { " open" } else { "" };
        let plain = section == Section::Start;
        if !plain {
            html += &format!("<details{open}><summary>{}</summary>\n", section.title());
        }
        html += "<ul>\n";
        for other in pages.iter().filter(|other| other.section == section) {
            let current = if other.path == page.path { " aria-current=\"page\"" } else { "" };
            let title = if plain { "Start" } else { &other.title };
            let url = relative(&page.path, &other.path);
            html += &format!("<li><a href=\"{}\"{current}>{}</a></li>\n", escaped(&url), escaped(title));
        }
        html += if plain { "</ul>\n" } else { "</ul>\n</details>\n" };
    }
    html + "</details>\n</nav>\n"
}

/// The headings of a page, if they are worth a list.
fn contents(page: &Page) -> String {
    let headings: Vec<&Heading> = page.headings.iter().filter(|heading| (2..=3).contains(&heading.level)).collect();
    if headings.len() < 3 {
        return String::new();
    }
    let mut html = "<aside aria-label=\"On this page\">\n<p>On this page</p>\n<ul>\n".to_owned();
    for heading in headings {
        let Heading { level, id, title } = heading;
        html += &format!("<li class=\"level-{level}\"><a href=\"#{}\">{}</a></li>\n", escaped(id), escaped(title));
    }
    html + "</ul>\n</aside>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_pages() {
        assert_eq!(relative("index.html", "docs/serde.html"), "docs/serde.html");
        assert_eq!(relative("docs/edit.html", "docs/serde.html"), "serde.html");
        assert_eq!(relative("docs/edit.html", "index.html"), "../index.html");
        assert_eq!(relative("files/src/a/b.html", "files/src/c.html"), "../c.html");
        assert_eq!(relative("spec/01.html", "docs/spec/01.html"), "../docs/spec/01.html");
    }
}
