//! The files that belong to a workspace, by their paths.

use std::collections::HashSet;
use std::sync::Arc;

use crate::settings::Settings;
use hcl_lr_project::Language;
use hcl_lr_project::languages::is_hcl;
use hcl_lr_project::paths::split;

/// Decides by their paths which files belong to a workspace: names of HCL files, the patterns of the settings and
/// their schemas, and schemas that files name. Cheap to clone, and usable on any thread.
#[derive(Clone)]
pub struct FileFilter {
    pub(crate) settings: Arc<Settings>,
    /// The schemas that files name.
    pub(crate) asked: Arc<HashSet<String>>,
    pub(crate) schemas: Vec<Language>,
    /// A folder whose files belong to the workspace although the settings exclude it.
    pub(crate) included: Option<Arc<str>>,
}

impl FileFilter {
    /// Returns true if a file belongs to the workspace.
    ///
    /// ```
    /// use hcl_lr_analysis::{Language, Settings, Workspace};
    ///
    /// let mut settings = Settings::default();
    /// settings.languages = settings.languages.with("*.tasks", Language::plain())?;
    /// let mut workspace = Workspace::default();
    /// workspace.set_settings(settings);
    /// let filter = workspace.filter();
    /// assert!(filter.wants("/a/main.tf") && filter.wants("/a/build.tasks") && !filter.wants("/a/readme.md"));
    /// assert!(!filter.wants("/a/.terraform/modules/net/main.tf"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn wants(&self, path: &str) -> bool {
        let is_named = || {
            is_hcl(split(path).1)
                || self.settings.languages.given(path).is_some()
                || self.settings.schemas.iter().any(|schema| schema == path)
                || self.asked.contains(path)
                || self.schemas.iter().any(|language| language.has_file(path))
        };
        let is_included = self.included.as_deref().is_some_and(|folder| split(path).0 == folder);
        (is_included || !self.settings.excludes(path)) && is_named()
    }

    /// Includes the files of a folder that the settings exclude, such as that of an installed module.
    #[must_use]
    pub fn including(mut self, folder: &str) -> FileFilter {
        self.included = Some(folder.into());
        self
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
