//! Options from the client.

use std::collections::HashMap;

use hcl_lr::diagnostic::Severity;
use hcl_lr::parse;
use hcl_lr_analysis::hints::HintOptions;
use hcl_lr_analysis::{Language, Languages, Settings};
use hcl_lr_language::schema::{LANGUAGES, Schema};
use hcl_lr_project::languages::pattern_of;
use serde::Deserialize;
use serde_json::Value;

use crate::disk::{Disk, MAX_FILE};

/// The options as clients write them, all of which may be missing.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Written {
    severity: HashMap<String, String>,
    exclude: Option<Vec<String>>,
    languages: Vec<WrittenLanguage>,
    schemas: Vec<String>,
    folders: Vec<String>,
    providers: Vec<String>,
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
    /// The patterns of files of configured languages, as patterns of paths.
    pub patterns: Vec<String>,
    /// The source text of the patterns of excluded files.
    excluded: Option<Vec<String>>,
    /// Folders outside of the workspace that files may be read from.
    pub folders: Vec<String>,
    pub hints: HintOptions,
    pub no_lenses: bool,
}

impl Options {
    /// The options that say which files belong to the workspace.
    pub fn files(&self) -> impl PartialEq {
        (self.patterns.clone(), self.excluded.clone(), self.analysis.schemas.clone(), self.folders.clone())
    }
}

/// Reads options. Invalid ones are reported and ignored.
pub fn read(value: &Value, root: Option<&str>, disk: &mut Disk) -> (Options, Vec<String>) {
    let mut options = Options::default();
    let mut wrong = Vec::new();
    if value.is_null() {
        if let Some(providers) = crate::providers::read(&[], root, disk, &mut wrong) {
            options.analysis.languages = Languages::default().with_catalog(providers);
        }
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
                wrong.push(format!("`{other}` is not a severity; write off, error, warning or hint for `{code}`"));
                continue;
            }
        };
        options.analysis.severities.insert(code, severity);
    }
    options.excluded = written.exclude.clone();
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
    for written in written.languages {
        let Some(language) = language(&written, root, disk, &mut wrong) else { continue };
        for pattern in &written.files {
            match languages.clone().with(pattern, language.clone()) {
                Ok(more) => {
                    languages = more;
                    let is_whole = pattern.starts_with(['/', '*']) && pattern.contains('/');
                    options.patterns.push(if is_whole { pattern.clone() } else { format!("**/{pattern}") });
                }
                Err(why) => wrong.push(why),
            }
        }
    }
    if let Some(providers) = crate::providers::read(&written.providers, root, disk, &mut wrong) {
        languages = languages.with_catalog(providers);
    }
    options.analysis.languages = languages;
    let in_root = |path: String| match path.starts_with('/') {
        true => path,
        false => format!("{}/{path}", root.unwrap_or_default()),
    };
    options.analysis.schemas = written.schemas.into_iter().map(in_root).collect();
    options.folders = written.folders.into_iter().map(in_root).map(|path| normal(&path)).collect();
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

/// Returns a path without `.` and `..`, like the URIs of documents.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

fn language(
    written: &WrittenLanguage,
    root: Option<&str>,
    disk: &mut Disk,
    wrong: &mut Vec<String>,
) -> Option<Language> {
    let Some(name) = &written.schema else {
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
    let Some(bytes) = disk.read_named(&path, MAX_FILE) else {
        let names = LANGUAGES.join(", ");
        wrong.push(format!("there is no language named `{name}`, and no such file; there are {names}"));
        return None;
    };
    let (schema, found) = parse::<Schema>((path.as_str(), bytes)).into_parts();
    wrong.extend(found.iter().map(|error| format!("{}: {error}", error.place())));
    (!found.has_errors()).then(|| Language::of_schema(&schema))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The client sends the extension's declared defaults for settings that the user has not changed.
    #[test]
    fn the_extension_has_the_same_defaults() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode/package.json");
        let package: Value = serde_json::from_slice(&std::fs::read(path).expect("the extension")).expect("JSON");
        let properties = &package["contributes"]["configuration"]["properties"];
        let declared = properties.as_object().into_iter().flatten().map(|(name, property)| {
            let name = name.trim_start_matches("hcl.").to_owned();
            let is_list = property["type"] == "array";
            // A list without a default is sent empty.
            (
                name,
                property
                    .get("default")
                    .cloned()
                    .unwrap_or_else(|| if is_list { Value::Array(vec![]) } else { Value::Null }),
            )
        });
        let declared: Value = Value::Object(declared.collect());
        let (options, wrong) = read(&declared, None, &mut Disk::default());
        let usual = Options::default();
        let globs = |options: &Options| -> Vec<String> {
            options.analysis.excluded.iter().map(|pattern| pattern.glob().glob().to_owned()).collect()
        };
        assert_eq!((globs(&options), wrong), (globs(&usual), vec![]));
        assert_eq!(options.analysis.evaluates, usual.analysis.evaluates);
        assert_eq!(format!("{:?}", options.hints), format!("{:?}", usual.hints));
        assert_eq!(options.no_lenses, usual.no_lenses);
    }
}
