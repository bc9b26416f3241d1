//! The statements of the specification about each production, with some of their examples. They come from the chapters
//! of `tests/spec`, which are not part of the package; `statements.jsonl` is the packaged extract.

use serde_json::Value;

/// The statements of each production: their names, or the prefix before the number for a group.
pub const OF_PRODUCTIONS: &[(&str, &[&str])] = &[
    ("ConfigFile", &["native.body", "ruling.end"]),
    ("Body", &["native.body", "native.attribute.5"]),
    ("Attribute", &["native.attribute"]),
    ("Block", &["native.block"]),
    ("OneLineBlock", &["native.block.8", "native.block.9", "native.block.10"]),
    ("Expression", &["native.term"]),
    ("ExprTerm", &["native.term.3", "native.access.1"]),
    ("Unsplat", &["native.access.1", "native.index.1"]),
    ("LiteralValue", &["native.literal", "native.number"]),
    ("VariableExpr", &["native.variable"]),
    ("TemplateExpr", &["native.quoted", "native.heredoc"]),
    ("tuple", &["native.tuple"]),
    ("object", &["native.object", "ruling.newline.2"]),
    ("objectelem", &["ruling.object.1", "native.object.4", "native.object.5", "native.object.6"]),
    ("FunctionCall", &["native.call", "ruling.call"]),
    ("forTupleExpr", &["native.for.1", "native.for.2", "native.for.6"]),
    ("forObjectExpr", &["native.for.7", "native.for.8", "native.for.9"]),
    ("forIntro", &["native.for.3", "native.for.4"]),
    ("forCond", &["native.for.4", "native.for.5"]),
    ("GetAttr", &["native.access"]),
    ("Index", &["native.index", "ruling.index"]),
    ("attrSplat", &["native.splat.1", "native.splat.2", "ruling.splat.1"]),
    ("fullSplat", &["native.splat.3", "native.splat.5"]),
    ("Each", &["native.splat.3", "native.splat.4"]),
    ("EachUnsplat", &["native.splat.3"]),
    ("EachAttrSplat", &["native.splat.4"]),
    ("Operation", &["native.operation"]),
    ("unaryOp", &["native.operation.1", "native.operation.3", "ruling.operation.1"]),
    ("binaryOp", &["native.operation.5", "native.operation.7", "native.operation.8"]),
    ("binaryOperator", &["native.operation.5", "native.operation.6", "ruling.operation.2"]),
    ("Conditional", &["native.conditional"]),
    ("Template", &["native.text"]),
    ("TemplateInterpolation", &["native.interpolation"]),
    ("TemplateIf", &["native.if", "native.directive"]),
    ("TemplateFor", &["native.join", "native.directive"]),
];

/// A statement with some examples.
#[derive(Debug)]
pub struct Statement {
    pub id: String,
    /// The name of its chapter's file, without the ending.
    pub chapter: String,
    pub text: String,
    /// Sources, and whether each is right.
    pub examples: Vec<(String, bool)>,
}

/// Returns the statements about productions, in the order of the chapters.
///
/// # Errors
/// If the file is malformed.
pub fn statements() -> Result<Vec<Statement>, String> {
    let read = |line: &str| -> Option<Statement> {
        let line: Value = serde_json::from_str(line).ok()?;
        let text = |name: &str| line[name].as_str().map(str::to_owned);
        let example = |example: &Value| Some((example[0].as_str()?.to_owned(), example[1].as_bool()?));
        let examples = line["examples"].as_array()?.iter().map(example).collect::<Option<_>>()?;
        Some(Statement { id: text("id")?, chapter: text("chapter")?, text: text("text")?, examples })
    };
    let lines = include_str!("statements.jsonl").lines();
    lines.map(|line| read(line).ok_or_else(|| format!("this is no statement: {line}"))).collect()
}

/// Returns true if a name means a statement: its full name, or the part before its number.
pub fn is_named(id: &str, name: &str) -> bool {
    id == name || id.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns the names of the statements of a production.
pub fn of(production: &str) -> &'static [&'static str] {
    OF_PRODUCTIONS.iter().find(|(name, _)| *name == production).map_or(&[], |(_, names)| names)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::Coverage;
    use crate::examples::suite;
    use crate::{coverage, ebnf, grammars};
    use hcl_lr_conformance::suite::Suite;

    /// The limits of the examples shown: the length of each, and the number of valid and invalid ones of a statement.
    const LONGEST: usize = 90;
    const MOST: [usize; 2] = [4, 2];

    /// Returns true for a chapter about syntax: the first twenty are about syntax, the others about meaning.
    fn is_about_syntax(place: &str) -> bool {
        place < "20"
    }

    fn lines(suite: &Suite) -> String {
        let (cases, _) = suite.cases();
        let right: HashMap<&str, bool> =
            cases.iter().map(|case| (case.id.as_str(), case.answer["ok"] != false)).collect();
        let mut text = String::new();
        for statement in &suite.statements {
            let named = OF_PRODUCTIONS.iter().flat_map(|(_, names)| *names);
            let mut named = named.filter(|name| is_named(&statement.id, name));
            if named.next().is_none() || !is_about_syntax(&statement.place) {
                continue;
            }
            let mut left = MOST;
            let mut examples = Vec::new();
            for example in suite.examples.iter().filter(|example| example.covers.contains(&statement.id)) {
                let is_text = ["hcl", "expr", "template"].contains(&example.kind.as_str());
                let Some(&ok) = right.get(example.id.as_str()).filter(|_| is_text) else { continue };
                let left = &mut left[usize::from(!ok)];
                if *left > 0 && example.shown.len() <= LONGEST {
                    *left -= 1;
                    examples.push(json!([example.shown, ok]));
                }
            }
            let chapter = statement.place.split(".md").next().unwrap_or_default();
            let line = json!({ "id": statement.id, "chapter": chapter, "text": statement.text, "examples": examples });
            text += &format!("{line}\n");
        }
        text
    }

    #[test]
    fn the_statements_are_those_of_the_chapters() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/statements.jsonl");
        let lines = lines(&suite());
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &lines).expect("a writable file");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == lines, "statements.jsonl is not what the chapters say; UPDATE_GOLDEN=1 writes it");
        assert!(statements().expect("they are readable").len() > 50);
    }

    /// Every production has statements, and among their examples are some in which the parsers find it.
    #[test]
    fn each_production_stands_in_an_example_of_its_statements() {
        let (grammars, suite) = (grammars().expect("the grammars"), suite());
        let (cases, _) = suite.cases();
        let all = grammars.iter().flat_map(ebnf::definitions);
        let mut checked = 0;
        for definition in all {
            let name = &definition.production.name;
            let named = of(name);
            let is_meant = |id: &String| named.iter().any(|name| is_named(id, name));
            for name in named {
                assert!(suite.statements.iter().any(|other| is_named(&other.id, name)), "there is no {name}");
            }
            let mut counted = Coverage::new();
            for example in suite.examples.iter().filter(|example| example.covers.iter().any(is_meant)) {
                for case in cases.iter().filter(|case| case.id == example.id && case.answer["ok"] != false) {
                    crate::examples::count(case, &mut counted);
                }
            }
            let rule = grammars.iter().find_map(|grammar| grammar.rule(&definition.rule)).expect("its rule");
            let lines: Vec<usize> =
                definition.alternatives.iter().map(|&index| rule.alternatives[index].line).collect();
            let used = coverage::used(&grammars, &counted);
            let found = used
                .iter()
                .any(|used| used.grammar == definition.grammar && lines.contains(&used.line) && used.count > 0);
            assert!(found || lines.is_empty(), "no example of the statements of {name} has one");
            assert!(!named.is_empty(), "{name} has no statements");
            checked += 1;
        }
        assert_eq!(checked, OF_PRODUCTIONS.len(), "there are statements for what is no production");
    }
}
