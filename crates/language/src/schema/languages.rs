//! The languages shipped with the library.

use std::sync::LazyLock;

use super::check::Checker;
use super::model::Schema;

/// A shipped language.
#[derive(Clone, Copy, Debug)]
struct Language {
    name: &'static str,
    text: &'static str,
    schema: fn() -> &'static Schema,
}

macro_rules! languages {
    ($($name:literal),+ $(,)?) => {
        /// The names of the shipped languages.
        ///
        /// ```
        /// use hcl_lr_language::schema::{LANGUAGES, Schema};
        ///
        /// assert!(LANGUAGES.iter().all(|name| Schema::by_name(name).is_some()));
        /// ```
        pub const LANGUAGES: &[&str] = &[$($name),+];

        const ALL: &[Language] = &[$(Language {
            name: $name,
            text: include_str!(concat!("languages/", $name, ".hcl")),
            schema: || {
                static SCHEMA: LazyLock<Schema> =
                    LazyLock::new(|| read($name, include_str!(concat!("languages/", $name, ".hcl"))));
                &SCHEMA
            },
        }),+];
    };
}

languages!(
    "terraform",
    "opentofu",
    "terraform-stack",
    "packer",
    "nomad",
    "nomad-agent",
    "bake",
    "terragrunt",
    "tflint",
    "terramate",
    "waypoint",
    "boundary",
    "vault",
    "vault-policy",
    "consul",
    "consul-policy",
    "nomad-policy",
    "hcldec",
    "schema"
);

/// Reads a shipped schema. Tests check that it has no errors.
fn read(name: &str, text: &str) -> Schema {
    Schema::parse_unchecked((format!("{name}.schema.hcl").as_str(), text)).into_value()
}

/// Returns the names, for messages.
pub(super) fn names() -> String {
    LANGUAGES.join(", ")
}

/// Returns the checker for schema files.
pub(super) fn checker() -> &'static Checker {
    static CHECKER: LazyLock<Checker> = LazyLock::new(|| {
        let language = ALL.iter().find(|language| language.name == "schema");
        // A test checks that it exists.
        Checker::new(language.map_or(&EMPTY, |language| (language.schema)()))
    });
    &CHECKER
}

static EMPTY: LazyLock<Schema> = LazyLock::new(|| Schema::new("schema"));

impl Schema {
    /// Returns the shipped language with a name: one of [`LANGUAGES`].
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let terraform = Schema::by_name("terraform").expect("it comes with the library");
    /// assert!(terraform.part("module").is_some());
    /// ```
    pub fn by_name(name: &str) -> Option<&'static Schema> {
        ALL.iter().find(|language| language.name == name).map(|language| (language.schema)())
    }

    /// Returns the text of the schema of a shipped language.
    pub fn text_of(name: &str) -> Option<&'static str> {
        ALL.iter().find(|language| language.name == name).map(|language| language.text)
    }

    /// Returns the first shipped language whose file names fit.
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    ///
    /// assert_eq!(Schema::for_file("net/main.tf").expect("a language").name, "terraform");
    /// assert!(Schema::for_file("main.hcl").is_none());
    /// ```
    pub fn for_file(path: &str) -> Option<&'static Schema> {
        Schema::all_for_file(path).next()
    }

    /// Returns all shipped languages whose file names fit, such as Terraform and OpenTofu for `main.tf`.
    pub fn all_for_file(path: &str) -> impl Iterator<Item = &'static Schema> {
        Schema::all().filter(move |schema| schema.files_of(path).is_some())
    }

    /// Returns the shipped language whose file names fit best and whose contents do not contradict: the one with the
    /// longest matching pattern, and the first one of several. `has` returns true
    /// if the top level of the file has an attribute or block with a name. Some names are used by several programs, so
    /// their files count only if the file has what distinguishes them: see [`has_at_top`](super::has_at_top).
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    ///
    /// assert_eq!(Schema::detect_for_file("net/main.tf", |_| false).expect("a language").name, "terraform");
    /// ```
    pub fn detect_for_file(path: &str, has: impl Fn(&str) -> bool) -> Option<&'static Schema> {
        let fitting = Schema::all().filter_map(|schema| Some((schema.length_of_fit(path, &has)?, schema)));
        // The first one of several wins.
        let longest = fitting.reduce(|first, next| if next.0 > first.0 { next } else { first });
        longest.map(|(_, schema)| schema)
    }

    /// Returns the language to read files as: the first shipped language that fits, or the language that extends it if
    /// that fits, too, because it includes the first. So files that may be for Terraform or OpenTofu are read as
    /// OpenTofu.
    ///
    /// ```
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let chosen = |name: &str| Schema::choose(|schema| schema.files_of(name).is_some()).map(|schema| &*schema.name);
    /// assert_eq!(chosen("main.tf"), Some("opentofu"));
    /// assert_eq!(chosen("image.pkr.hcl"), Some("packer"));
    /// assert_eq!(chosen("main.hcl"), None);
    /// ```
    pub fn choose(fits: impl Fn(&Schema) -> bool) -> Option<&'static Schema> {
        let first = Schema::all().find(|schema| fits(schema))?;
        Some(first.extension().filter(|schema| fits(schema)).unwrap_or(first))
    }

    /// Returns the shipped language that this one extends: Terraform for OpenTofu.
    pub fn extended(&self) -> Option<&'static Schema> {
        Schema::by_name(self.extends.as_deref()?)
    }

    /// Returns the shipped language that extends this one: OpenTofu for Terraform.
    pub fn extension(&self) -> Option<&'static Schema> {
        Schema::all().find(|schema| schema.extends.as_deref() == Some(&*self.name))
    }

    /// Returns all shipped languages.
    fn all() -> impl Iterator<Item = &'static Schema> {
        ALL.iter().map(|language| (language.schema)())
    }
}
