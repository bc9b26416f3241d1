//! The index of the search. It is a script instead of data, so that pages can be read from a folder.

use serde_json::json;

use crate::page::Page;

/// The script that defines the index: title, title of the page, place and text of each heading.
pub fn index(pages: &[Page]) -> String {
    let mut lines = Vec::new();
    for page in pages {
        for entry in &page.entries {
            let context = if entry.title == page.title { entry.section.title() } else { &page.title };
            let text = entry.text.split_whitespace().collect::<Vec<_>>().join(" ");
            lines.push(json!([entry.title, context, entry.url, text]).to_string());
        }
    }
    format!("const searchIndex = [\n{}\n];\n", lines.join(",\n"))
}
