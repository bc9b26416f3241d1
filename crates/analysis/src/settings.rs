//! The options of the answers.

use std::collections::HashMap;

use globset::GlobMatcher;
use hcl_lr::Limits;
use hcl_lr::diagnostic::Severity;

use hcl_lr_project::Languages;
use hcl_lr_project::languages::pattern_of;

/// Options of the answers.
#[derive(Clone)]
pub struct Settings {
    /// The languages of files.
    pub languages: Languages,
    /// Overrides of the default severities, by code; `None` drops diagnostics with this code.
    pub severities: HashMap<String, Option<Severity>>,
    /// Files that are neither read nor reported on, unless they are open in the editor.
    pub excluded: Vec<GlobMatcher>,
    /// The limits of each evaluation.
    pub limits: Limits,
    /// True to compute values for diagnostics, hovers and hints.
    pub evaluates: bool,
    /// The number of bytes above which a project is large. In a large project, answers after an edit come from the project before
    /// it as far as the edit leaves that as it is.
    pub large: usize,
    /// The paths of schemas. A file belongs to the language of a schema if the schema has a pattern for its name.
    pub schemas: Vec<String>,
}

/// 5 million steps and 64 MiB for each evaluation; `.terraform` and `.git` are excluded.
impl Default for Settings {
    fn default() -> Self {
        let excluded = ["**/.terraform/**", "**/.git/**", "**/.terragrunt-cache/**", "**/node_modules/**"];
        Settings {
            languages: Languages::default(),
            severities: HashMap::new(),
            excluded: excluded.iter().filter_map(|pattern| pattern_of(pattern).ok()).collect(),
            limits: Limits::new().max_steps(5_000_000).max_bytes(64 << 20),
            evaluates: true,
            large: 100_000,
            schemas: Vec::new(),
        }
    }
}

impl Settings {
    /// Returns the languages with those of the schemas.
    pub(crate) fn all_languages(&self) -> Languages {
        self.languages.clone().with_schemas(self.schemas.iter().cloned())
    }

    /// Returns true if a path is excluded.
    pub fn excludes(&self, path: &str) -> bool {
        self.excluded.iter().any(|pattern| pattern.is_match(path))
    }
}
