//! Pages of the reference: diagnostics, statements, and the diagrams of the grammars.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hcl_lr::diagnostic::Code;
use hcl_lr_conformance::suite::Suite;

use crate::markdown::without_html;

/// Makes the page of all diagnostics: what `hcl explain` says about each.
pub fn diagnostics() -> String {
    let mut text = "# Errors and warnings by code\n\nEach error and warning has a code, which is printed in brackets. `hcl explain CODE` \
                    prints the explanation below.\n\n| code | meaning |\n| --- | --- |\n"
        .to_owned();
    for code in Code::ALL {
        let _ = writeln!(text, "| `{code}` | {} |", in_cell(code.summary()));
    }
    for code in Code::ALL {
        let explanation = without_html(code.explanation().unwrap_or_default());
        let _ = write!(text, "\n## {code}\n\n{}\n\n{explanation}\n", code.summary());
    }
    text
}

/// Makes the page of all statements of the specification, each with the number of its examples.
pub fn statements(suite: &Suite) -> String {
    let mut examples: BTreeMap<&str, usize> = BTreeMap::new();
    for statement in suite.examples.iter().flat_map(|example| &example.covers) {
        *examples.entry(statement).or_default() += 1;
    }
    let mut text = format!(
        "# All statements\n\nThe specification of HCL in {} statements with {} examples. \
         [The protocol](crates/conformance/PROTOCOL.md) asks any implementation of HCL for them.\n",
        suite.statements.len(),
        suite.examples.len(),
    );
    let mut chapter = "";
    for statement in &suite.statements {
        if statement.chapter != chapter {
            chapter = &statement.chapter;
            let _ = write!(text, "\n## {chapter}\n\n| statement | meaning | examples |\n| --- | --- | ---: |\n");
        }
        let count = examples.get(statement.id.as_str()).copied().unwrap_or_default();
        let _ = writeln!(text, "| `{}` | {} | {count} |", statement.id, in_cell(&statement.text));
    }
    text
}

/// Makes the page of the diagrams, from the page that `hcl grammar` writes.
///
/// # Errors
/// If the grammars or their statements cannot be read.
pub fn railroad() -> Result<String, String> {
    let page = hcl_lr_grammar_kit::page(&hcl_lr_grammar_kit::grammars()?, Some("../tests/spec"))?;
    let body = page.split_once("<h1>").and_then(|(_, rest)| rest.split_once("</h1>")).map(|(_, rest)| rest);
    let body = body.and_then(|body| body.split_once("</body>")).ok_or("the page of the grammars has no body")?.0;
    // An empty line ends a block of HTML.
    let body = body.trim().replace("\n\n", "\n&#10;");
    Ok(format!("# Railroad diagrams and EBNF\n\n<div class=\"grammar\">\n{body}\n</div>\n"))
}

fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "\\<")
}
