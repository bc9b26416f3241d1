//! Checks that all links within the site have a target.

use std::collections::{BTreeMap, BTreeSet};

/// The links that do not, each with its page.
pub fn problems(files: &BTreeMap<String, String>) -> Vec<String> {
    let anchors: BTreeMap<&str, BTreeSet<&str>> =
        files.iter().map(|(path, html)| (path.as_str(), attributes(html, " id=\"").collect())).collect();
    let mut problems = Vec::new();
    for (path, html) in files {
        for link in attributes(html, " href=\"").filter(|link| !link.contains("://") && !link.ends_with(".css")) {
            let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
            let target = if file.is_empty() { path.clone() } else { resolved(path, file) };
            match anchors.get(target.as_str()) {
                None => problems.push(format!("{path}: the link `{link}` leads nowhere")),
                Some(ids) if anchor.is_some_and(|anchor| !ids.contains(anchor)) => {
                    problems.push(format!("{path}: the link `{link}` leads to no heading"));
                }
                Some(_) => {}
            }
        }
    }
    problems
}

/// The values of an attribute in HTML that this program has made.
fn attributes<'h>(html: &'h str, name: &'h str) -> impl Iterator<Item = &'h str> {
    html.split(name).skip(1).filter_map(|rest| rest.split('"').next())
}

/// A path that is relative to a page.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_nowhere_is_found() {
        let page = |html: &str| format!("<a id=\"top\" href=\"#top\">up</a>{html}");
        let files = BTreeMap::from([
            ("a.html".to_owned(), page("<a href=\"b/c.html#top\"> <a href=\"d.html\"> <a href=\"b/c.html#x\">")),
            ("b/c.html".to_owned(), page("<a href=\"../a.html\"> <a href=\"https://e.example/\">")),
        ]);
        assert_eq!(
            problems(&files),
            ["a.html: the link `d.html` leads nowhere", "a.html: the link `b/c.html#x` leads to no heading"]
        );
    }
}
