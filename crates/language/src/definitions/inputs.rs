//! Values from outside.

use std::collections::{HashMap, HashSet};
use std::fmt;

use hcl_lr::body::Expression;
use hcl_lr::model::Value;
use hcl_lr::source::{Source, Span};

/// Values that are given to the inputs of files, by name.
///
/// ```
/// use hcl_lr::{Scope, Value, parse};
/// use hcl_lr_language::definitions::{Definitions, Inputs};
/// use hcl_lr_language::schema::Schema;
/// use hcl_lr::ConfigFile;
///
/// let file = parse::<ConfigFile>("variable \"zones\" {\n  type = list(string)\n}\n").into_result()?;
/// let definitions = Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [file]).into_result()?;
/// // From an environment variable there is only text.
/// let inputs = Inputs::new().with_text("zones", ("TF_VAR_zones", r#"["a", "b"]"#));
/// let evaluated = definitions.evaluate_with(&inputs, &Scope::new());
/// assert_eq!(evaluated.get("var.zones").map(|value| value.to_string()), Some(r#"["a", "b"]"#.to_owned()));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Default)]
pub struct Inputs {
    given: HashMap<String, Given>,
    /// The spans of expressions with sensitive values, by the name of their source.
    sensitive: HashMap<String, HashSet<Span>>,
    /// The spans of expressions whose values are not stored, by the name of their source.
    write_only: HashMap<String, HashSet<Span>>,
    /// True if values are sensitive whose names suggest it.
    hides_secret_names: bool,
    /// True if all values are unknown, whatever is given.
    are_any: bool,
}

#[derive(Clone)]
pub(super) enum Given {
    Value(Value),
    Text(Source),
    Json(Source),
}

impl Inputs {
    /// No values.
    pub fn new() -> Self {
        Inputs::default()
    }

    /// The inputs with one more value. An earlier one of the same name is replaced.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a value.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.given.insert(name.into(), Given::Value(value.into()));
    }

    /// The inputs with one more value as a text, such as that of an environment variable. The type of the input
    /// says what it means: the text of a string, number or bool; for any other type an expression. The name of
    /// the source is used in messages.
    pub fn with_text(mut self, name: impl Into<String>, text: impl Into<Source>) -> Self {
        self.set_text(name, text);
        self
    }

    /// Sets a value that is given as a text.
    pub fn set_text(&mut self, name: impl Into<String>, text: impl Into<Source>) {
        self.given.insert(name.into(), Given::Text(text.into()));
    }

    /// Sets a value that is given as a text in JSON. Strings in it are just strings.
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Definitions, Inputs};
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr::{ConfigFile, Scope, parse};
    ///
    /// let file = parse::<ConfigFile>(("docker-bake.hcl", "variable \"TAGS\" {\n  type = list(string)\n}\n")).into_result()?;
    /// let definitions = Definitions::of(&Schema::by_name("bake").expect("it is there").roles(), [file]).into_result()?;
    /// let mut inputs = Inputs::new();
    /// inputs.set_json("TAGS", ("TAGS_JSON", "[\"a\", \"${b}\"]"));
    /// let evaluated = definitions.evaluate_with(&inputs, &Scope::new());
    /// assert_eq!(evaluated.get("TAGS").expect("it is there").to_string(), "[\"a\", \"$${b}\"]");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn set_json(&mut self, name: impl Into<String>, text: impl Into<Source>) {
        self.given.insert(name.into(), Given::Json(text.into()));
    }

    /// The names, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    /// Marks the values of the expressions at some spans of a source as sensitive, whatever the file says, such as those
    /// of the attributes that a schema calls sensitive: [`Checker::sensitive`](crate::schema::Checker::sensitive).
    ///
    /// ```
    /// use hcl_lr_language::definitions::{Definitions, Inputs};
    /// use hcl_lr_language::schema::Schema;
    /// use hcl_lr::source::Span;
    /// use hcl_lr::{ConfigFile, Scope, parse};
    ///
    /// let text = "locals {\n  key  = \"abc\"\n  name = \"x-${local.key}\"\n}\n";
    /// let file = parse::<ConfigFile>(("main.tf", text)).into_result()?;
    /// let roles = Schema::by_name("terraform").expect("it is there").roles();
    /// let definitions = Definitions::of(&roles, [file]).into_result()?;
    /// let mut inputs = Inputs::new();
    /// inputs.set_sensitive("main.tf", [Span::new(18, 23)]);
    /// let evaluated = definitions.evaluate_with(&inputs, &Scope::new());
    /// assert!(evaluated.get("local.name").is_some_and(|value| value.contains_marks()));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn set_sensitive(&mut self, source: impl Into<String>, spans: impl IntoIterator<Item = Span>) {
        self.sensitive.entry(source.into()).or_default().extend(spans);
    }

    /// Allows ephemeral values in the expressions at some spans of a source, such as those of the attributes that a schema
    /// calls write-only: [`Checker::hidden`](crate::schema::Checker::hidden).
    pub fn set_write_only(&mut self, source: impl Into<String>, spans: impl IntoIterator<Item = Span>) {
        self.write_only.entry(source.into()).or_default().extend(spans);
    }

    /// Returns true if the value of an expression is sensitive by its place.
    pub(super) fn makes_sensitive(&self, expression: &Expression) -> bool {
        contains(&self.sensitive, expression)
    }

    /// Returns true if the value of an expression is not stored, by its place.
    pub(super) fn is_write_only(&self, expression: &Expression) -> bool {
        contains(&self.write_only, expression)
    }

    /// The inputs for values that are shown where they are not written, as in an editor: values are sensitive whose names suggest
    /// that they are secret ([`is_secret_name`](hcl_lr::model::hidden::is_secret_name)), be it a definition, an attribute of a block
    /// or object, or the key of a map, and so is what comes of them. Nothing is wrong because of that.
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, Scope, parse};
    /// use hcl_lr_language::definitions::{Definitions, Inputs};
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let text = "locals {\n  db   = { user = \"a\", password = \"b\" }\n  line = \"${local.db.user}:${local.db.password}\"\n}\n";
    /// let file = parse::<ConfigFile>(text).into_result()?;
    /// let roles = Schema::by_name("terraform").expect("it is there").roles();
    /// let definitions = Definitions::of(&roles, [file]).into_result()?;
    /// let evaluated = definitions.evaluate_with(&Inputs::new().with_secret_names_hidden(), &Scope::new());
    /// let shown = |address: &str| evaluated.get(address).map(|value| value.to_string());
    /// assert_eq!(shown("local.db").as_deref(), Some("{ password = (marked sensitive), user = \"a\" }"));
    /// assert_eq!(shown("local.line").as_deref(), Some("(marked sensitive)"));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    #[must_use]
    pub fn with_secret_names_hidden(mut self) -> Self {
        self.hides_secret_names = true;
        self
    }

    /// The inputs with unknown values of their types.
    pub(super) fn as_any(&self) -> Inputs {
        Inputs { given: HashMap::new(), are_any: true, ..self.clone() }
    }

    /// Returns true if the value of each input is unknown.
    pub(super) fn are_any(&self) -> bool {
        self.are_any
    }

    pub(super) fn hides_secret_names(&self) -> bool {
        self.hides_secret_names
    }

    pub(super) fn get(&self, name: &str) -> Option<&Given> {
        self.given.get(name)
    }
}

/// Returns true if the place of an expression is among the spans in its source.
fn contains(all: &HashMap<String, HashSet<Span>>, expression: &Expression) -> bool {
    if all.is_empty() {
        return false;
    }
    let place = expression.place();
    all.get(place.source().name()).is_some_and(|spans| spans.contains(&place.span()))
}

/// The names, not the values: those may be secret.
impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<&str> = self.names().collect();
        names.sort_unstable();
        f.debug_struct("Inputs").field("names", &names).finish()
    }
}

/// Values by name.
impl<N: Into<String>, T: Into<Value>> FromIterator<(N, T)> for Inputs {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(values: I) -> Self {
        values.into_iter().fold(Inputs::new(), |inputs, (name, value)| inputs.with(name, value))
    }
}
