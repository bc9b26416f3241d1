//! Options from the client.

use std::collections::HashMap;

use hcl_lr::diagnostic::Severity;
use hcl_lr::parse;
use hcl_lr::schema::{LANGUAGES, Schema};
use hcl_lr_analysis::hints::HintOptions;
use hcl_lr_analysis::language::pattern_of;
use hcl_lr_analysis::{Language, Languages, Settings};
use serde::Deserialize;
use serde_json::Value;

use crate::disk;

/// The options as clients write them, all of which may be missing.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Written {
    severity: HashMap<String, String>,
    exclude: Option<Vec<String>>,
    languages: Vec<WrittenLanguage>,
    schemas: Vec<String>,
    evaluate: Option<bool>,
    hints: WrittenHints,
    lenses: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WrittenLanguage {
    files: Vec<String>,
    #[serde(alias = "like")]
    schema: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WrittenHints {
    values: Option<bool>,
    labels: Option<bool>,
    types: Option<bool>,
}

/// The options of a server.
#[derive(Clone, Default)]
pub struct Options {
    pub analysis: Settings,
    pub hints: HintOptions,
    pub no_lenses: bool,
}

/// Reads options. What cannot be read is said, and left out.
pub fn read(value: &Value, root: Option<&str>) -> (Options, Vec<String>) {
    let mut options = Options::default();
    let mut wrong = Vec::new();
    if value.is_null() {
        return (options, wrong);
    }
    let written: Written = match Written::deserialize(value) {
        Ok(written) => written,
        Err(why) => {
            wrong.push(format!("the settings of hcl cannot be read: {why}"));
            return (options, wrong);
        }
    };
    for (code, severity) in written.severity {
        let severity = match severity.as_str() {
            "off" => None,
            "error" => Some(Severity::Error),
            "warning" => Some(Severity::Warning),
            "information" | "hint" => Some(Severity::Note),
            other => {
                wrong.push(format!("`{other}` is no severity; write off, error, warning or hint for `{code}`"));
                continue;
            }
        };
        options.analysis.severities.insert(code, severity);
    }
    if let Some(patterns) = written.exclude {
        options.analysis.excluded.clear();
        for pattern in patterns {
            match pattern_of(&pattern) {
                Ok(pattern) => options.analysis.excluded.push(pattern),
                Err(why) => wrong.push(why),
            }
        }
    }
    let mut languages = Languages::default();
    for one in written.languages {
        let Some(language) = language(&one, root, &mut wrong) else { continue };
        for pattern in &one.files {
            match languages.clone().with(pattern, language.clone()) {
                Ok(more) => languages = more,
                Err(why) => wrong.push(why),
            }
        }
    }
    options.analysis.languages = languages;
    let in_root = |path: String| match path.starts_with('/') {
        true => path,
        false => format!("{}/{path}", root.unwrap_or_default()),
    };
    options.analysis.schemas = written.schemas.into_iter().map(in_root).collect();
    options.analysis.evaluates = written.evaluate.unwrap_or(true);
    let usual = HintOptions::default();
    options.hints = HintOptions {
        values: written.hints.values.unwrap_or(usual.values),
        labels: written.hints.labels.unwrap_or(usual.labels),
        types: written.hints.types.unwrap_or(usual.types),
    };
    options.no_lenses = written.lenses == Some(false);
    (options, wrong)
}

fn language(one: &WrittenLanguage, root: Option<&str>, wrong: &mut Vec<String>) -> Option<Language> {
    let Some(name) = &one.schema else {
        wrong.push("a language needs `schema`: the name of one, or the path of a schema file".to_owned());
        return None;
    };
    if name == "none" || name == "hcl" {
        return Some(Language::plain());
    }
    if let Some(language) = Language::named(name) {
        return Some(language);
    }
    let path = match name.starts_with('/') {
        true => name.clone(),
        false => format!("{}/{name}", root.unwrap_or_default()),
    };
    let Some(bytes) = disk::read(&path) else {
        let names = LANGUAGES.join(", ");
        wrong.push(format!("there is no language named `{name}`, and no such file; there are {names}"));
        return None;
    };
    let (schema, found) = parse::<Schema>((path.as_str(), bytes)).into_parts();
    wrong.extend(found.iter().map(|one| format!("{}: {one}", one.place())));
    (!found.has_errors()).then(|| Language::of_schema(&schema))
}
