//! The failures that are expected of a driver.

/// The failures that are known, so that a run fails only if something changes.
///
/// ```
/// use hcl_lr_conformance::runner::Baseline;
///
/// let baseline = Baseline::read("native.for.7.2  # not yet\n\n");
/// assert_eq!(baseline.ids(), ["native.for.7.2"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(Vec<String>);

/// The differences between a run and its baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The cases that fail and are not in the baseline.
    pub failures: Vec<String>,
    /// The cases of the baseline that are right.
    pub passes: Vec<String>,
    /// The cases of the baseline that got no answer.
    pub unanswered: Vec<String>,
}

impl Changes {
    pub fn are_none(&self) -> bool {
        *self == Changes::default()
    }
}

impl Baseline {
    /// Reads the names of cases, one a line. What follows a `#` is a comment.
    pub fn read(text: &str) -> Baseline {
        let names = text.lines().filter_map(|line| line.split('#').next()).map(str::trim);
        Baseline(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// The names of the cases.
    pub fn ids(&self) -> &[String] {
        &self.0
    }

    /// The baseline of these cases.
    pub(super) fn of<'c>(ids: impl Iterator<Item = &'c str>) -> Baseline {
        Baseline(ids.map(str::to_owned).collect())
    }

    /// Returns the text of its file, with a line for each case.
    pub fn to_text(&self) -> String {
        let mut text =
            String::from("# Expected failures: the names of cases. The option `--write-baseline` writes this file.\n");
        self.0.iter().for_each(|id| text.extend([id.as_str(), "\n"]));
        text
    }
}
