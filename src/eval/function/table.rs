//! Functions by name.

use std::fmt;
use std::sync::Arc;

use super::Function;
use crate::eval::Table;
use crate::sorting::sort_by_key;

/// A table of functions by name. Cheap to clone.
///
/// ```
/// use hcl_lr::{eval::Functions, functions};
///
/// let upper = functions::standard().get("upper").expect("it is there").clone();
/// let own = Functions::default().with("text::upper", upper);
/// assert_eq!(own.names().collect::<Vec<_>>(), ["text::upper"]);
/// ```
#[derive(Clone, Default)]
pub struct Functions(Arc<Table<Function>>);

impl Functions {
    /// Adds a function to the table. The name may have namespaces, each followed by `::`.
    pub fn with(mut self, name: impl Into<String>, function: Function) -> Self {
        Arc::make_mut(&mut self.0).insert(name.into(), function);
        self
    }

    /// Adds all functions of another table, with a namespace before their names.
    ///
    /// ```
    /// use hcl_lr::{eval::Functions, functions};
    /// let functions = Functions::default().with_namespace("core", &functions::standard());
    /// assert!(functions.get("core::upper").is_some());
    /// ```
    pub fn with_namespace(mut self, namespace: &str, functions: &Functions) -> Self {
        let named = functions.0.iter().map(|(name, function)| (format!("{namespace}::{name}"), function.clone()));
        Arc::make_mut(&mut self.0).extend(named);
        self
    }

    /// The table with all functions of another one.
    pub fn with_all(mut self, functions: &Functions) -> Self {
        let named = functions.0.iter().map(|(name, function)| (name.clone(), function.clone()));
        Arc::make_mut(&mut self.0).extend(named);
        self
    }

    /// The function with a name.
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.0.get(name)
    }

    /// All names, in alphabetic order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.in_order().into_iter().map(|(name, _)| name)
    }

    /// Returns the number of functions.
    pub(in crate::eval) fn count(&self) -> usize {
        self.0.len()
    }

    fn in_order(&self) -> Vec<(&str, &Function)> {
        let mut functions: Vec<_> = self.0.iter().map(|(name, function)| (name.as_str(), function)).collect();
        sort_by_key(&mut functions, |(name, _)| *name);
        functions
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.in_order()).finish()
    }
}

impl<N: Into<String>> FromIterator<(N, Function)> for Functions {
    fn from_iter<I: IntoIterator<Item = (N, Function)>>(functions: I) -> Self {
        Functions(Arc::new(functions.into_iter().map(|(name, function)| (name.into(), function)).collect()))
    }
}

/// Adds functions; those of the same names are replaced.
impl<N: Into<String>> Extend<(N, Function)> for Functions {
    fn extend<I: IntoIterator<Item = (N, Function)>>(&mut self, functions: I) {
        Arc::make_mut(&mut self.0).extend(functions.into_iter().map(|(name, function)| (name.into(), function)));
    }
}
