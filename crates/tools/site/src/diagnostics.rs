//! The page of all diagnostics: what `hcl explain` says of each.

use hcl_lr::diagnostic::Code;

use crate::markdown::{Known, Renderer};
use crate::page::{Page, Section};

pub fn page(known: &Known) -> Page {
    let mut text = "# Diagnostics\n\nEach error and warning has a code, which stands in brackets in what is printed. \
                    `hcl explain CODE` shows what stands here.\n\n| code | what is wrong |\n| --- | --- |\n"
        .to_owned();
    for code in Code::ALL {
        text += &format!("| `{code}` | {} |\n", code.summary().replace('|', "\\|"));
    }
    for code in Code::ALL {
        let explanation = code.explanation().unwrap_or_default();
        text += &format!("\n## {code}\n\n{}\n\n{explanation}\n", code.summary());
    }
    let path = "diagnostics.html";
    let rendered = Renderer::new("diagnostics.md", path, Section::Reference, known).render(&text);
    Page {
        path: path.to_owned(),
        title: "Diagnostics".to_owned(),
        section: Section::Reference,
        content: rendered.html,
        // They stand in the table already.
        headings: Vec::new(),
        linked: rendered.linked,
        entries: rendered.entries,
    }
}
