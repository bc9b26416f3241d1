//! A rule of a linter. Its findings are ordinary diagnostics, with their own code, summary and suggested edit.
//!
//! ```sh
//! cargo run --example lint_rule -- *.tf
//! ```

use hcl_lr::diagnostic::{Diagnostic, Diagnostics, Suggestion};
use hcl_lr::syntax::ast::BodyNode;

/// Reports attribute names with capital letters, in all blocks.
fn check(body: BodyNode<'_>, found: &mut Diagnostics) {
    for attribute in body.attributes() {
        let name = attribute.name();
        let small = name.to_lowercase();
        if name != small {
            let place = attribute.name_token().place();
            let rename = Suggestion::new("write it in lower case").replace(place.clone(), small.clone());
            let diagnostic =
                Diagnostic::warning("style/capital-letters", place, format!("`{name}` has capital letters"))
                    .with_summary("names are written in lower case")
                    .with_help(format!("write `{small}`"))
                    .with_suggestion(rename);
            found.push(diagnostic);
        }
    }
    body.blocks().for_each(|block| check(block.body(), found));
}

fn main() {
    let mut diagnostics = Diagnostics::new();
    for path in std::env::args().skip(1) {
        let file = hcl_lr::parse_file::<hcl_lr::File>(&path).into_value_reporting_to(&mut diagnostics);
        check(file.body(), &mut diagnostics);
    }
    eprint!("{}", diagnostics.render());
}
