//! The start page and the page of the playground. The start page takes its text from the README, so that nothing is
//! written twice.

/// Makes the start page: in a template, `{{README: A}}` is the section of the README with the heading A, and
/// `{{README}}` is its beginning. A line `{{playground}}` is the frame of the playground.
///
/// # Errors
/// If the template names a section that the README does not have.
pub fn page(readme: &str, template: &str, has_playground: bool) -> Result<String, String> {
    let mut page = String::new();
    for line in template.lines() {
        let name = line.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
        match name.map(|name| name.split_once(": ").unwrap_or((name, ""))) {
            Some(("README", "")) => page += beginning(readme),
            Some(("README", heading)) => page += section(readme, heading)?,
            Some(("playground", _)) => page += &frame(has_playground),
            _ => page += line,
        }
        page.push('\n');
    }
    Ok(page)
}

/// Makes the page of the playground.
pub fn playground(has_playground: bool) -> String {
    format!(
        "# Playground\n\nCheck, evaluate, format and convert HCL 2 in the browser. It runs in this page, sends nothing anywhere, \
         and works offline.\n\n{}\n",
        frame(has_playground)
    )
}

/// Returns the playground as a frame of a page in the top folder.
fn frame(has_playground: bool) -> String {
    if !has_playground {
        return "This copy of the site was built without the playground, which needs WebAssembly.\n".to_owned();
    }
    "<iframe class=\"playground\" src=\"playground/index.html\" title=\"HCL playground: a file, and its errors, tree, value and \
     JSON\" loading=\"lazy\"></iframe>\n\n<p><a href=\"playground/index.html\">Open the playground on a page of its own</a></p>\n"
        .to_owned()
}

/// The text before the first heading of level 2.
fn beginning(readme: &str) -> &str {
    readme.split_once("\n## ").map_or(readme, |(before, _)| before)
}

/// The text of a section without its heading.
///
/// # Errors
/// If there is no such section.
pub fn section<'r>(readme: &'r str, heading: &str) -> Result<&'r str, String> {
    let start = format!("\n## {heading}\n");
    let rest = readme.split_once(&start).ok_or_else(|| format!("README.md has no section `{heading}`"))?.1;
    Ok(rest.split_once("\n## ").map_or(rest, |(section, _)| section).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_from_the_readme() {
        let readme = "# A\n\nb\n\n## C\n\nd\n\n## E\n\nf\n";
        let made = page(readme, "{{README}}\n{{README: C}}\n## G\n{{README: E}}\n", true);
        assert_eq!(made.expect("sections"), "# A\n\nb\n\nd\n## G\nf\n");
        assert!(page(readme, "{{README: X}}\n", true).is_err());
    }
}
