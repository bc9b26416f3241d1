//! The sets of functions for each program.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use super::entry::FunctionEntry;
use super::host::{Host, Nothing};
use super::library;
use crate::eval::Functions;

/// A set of functions that belong together.
///
/// Sets disagree about some names: `index(["a", "b"], "b")` is an error in the official library and 1 in Terraform.
/// Each set keeps its own definition; `docs/functions.md` has a table of them.
///
/// ```
/// use hcl_lr::functions::FunctionSet;
/// let set: FunctionSet = "terraform".parse()?;
/// assert_eq!(set, FunctionSet::Terraform);
/// assert!(set.functions().get("startswith").is_some() && set.functions().get("strlen").is_none());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FunctionSet {
    /// The library of the official engine.
    Standard,
    /// The functions of the official engine, and those of Terraform and OpenTofu with other names.
    Extended,
    /// The functions of Terraform and OpenTofu, as they define them.
    Terraform,
    /// The functions of Packer.
    Packer,
    /// The functions of Nomad for job files.
    Nomad,
}

impl FunctionSet {
    /// All sets.
    pub const ALL: [FunctionSet; 5] =
        [FunctionSet::Standard, FunctionSet::Extended, FunctionSet::Terraform, FunctionSet::Packer, FunctionSet::Nomad];

    /// Returns the name of the set, as a text can select it.
    pub fn name(self) -> &'static str {
        match self {
            FunctionSet::Standard => "standard",
            FunctionSet::Extended => "extended",
            FunctionSet::Terraform => "terraform",
            FunctionSet::Packer => "packer",
            FunctionSet::Nomad => "nomad",
        }
    }

    /// The functions as a table.
    pub fn functions(self) -> Functions {
        table(self)
    }

    /// Returns the entries of the functions, in alphabetic order, without those that need a [`Host`].
    pub fn entries(self) -> &'static [FunctionEntry] {
        static SETS: [OnceLock<Vec<FunctionEntry>>; 5] = [const { OnceLock::new() }; 5];
        SETS[self as usize].get_or_init(|| collect(self))
    }

    /// Returns the namespace in which the program also offers all functions of the set: `core::upper` is `upper` in
    /// OpenTofu since 1.7 and in Terraform since 1.8.
    ///
    /// ```
    /// use hcl_lr::functions::FunctionSet;
    /// assert_eq!(FunctionSet::Terraform.namespace(), Some("core"));
    /// assert!(FunctionSet::Terraform.functions().get("core::upper").is_some());
    /// assert_eq!(FunctionSet::Packer.namespace(), None);
    /// ```
    pub fn namespace(self) -> Option<&'static str> {
        (self == FunctionSet::Terraform).then_some("core")
    }

    /// Returns the name of a function without the [`namespace`](FunctionSet::namespace) of the set.
    pub fn plain_name(self, name: &str) -> &str {
        let plain = self.namespace().and_then(|namespace| name.strip_prefix(namespace)?.strip_prefix("::"));
        plain.unwrap_or(name)
    }

    /// Returns the entry of a function of the set, by its name with or without the namespace of the set.
    pub fn entry(self, name: &str) -> Option<&'static FunctionEntry> {
        let (all, name) = (self.entries(), self.plain_name(name));
        all.binary_search_by(|entry| entry.name().cmp(name)).ok().map(|at| &all[at])
    }
}

impl fmt::Display for FunctionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for FunctionSet {
    type Err = String;

    fn from_str(text: &str) -> Result<FunctionSet, String> {
        let names = || FunctionSet::ALL.map(FunctionSet::name).join(", ");
        let set = FunctionSet::ALL.into_iter().find(|set| set.name() == text);
        set.ok_or_else(|| format!("there is no set of functions named \"{text}\"; there are {}", names()))
    }
}

/// The table of a set. It is made once.
pub(super) fn table(set: FunctionSet) -> Functions {
    static TABLES: [OnceLock<Functions>; 5] = [const { OnceLock::new() }; 5];
    let make = || {
        let plain: Functions = set.entries().iter().map(|entry| (entry.name(), entry.function().clone())).collect();
        match set.namespace() {
            Some(namespace) => plain.clone().with_namespace(namespace, &plain),
            None => plain,
        }
    };
    TABLES[set as usize].get_or_init(make).clone()
}

/// Returns the entries of the functions that need a host, without one: all of them fail.
pub fn host_entries() -> &'static [FunctionEntry] {
    static ALL: OnceLock<Vec<FunctionEntry>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = library::files::all(&(Arc::new(Nothing) as Arc<dyn Host>));
        all.sort_by_key(FunctionEntry::name);
        all
    })
}

fn collect(set: FunctionSet) -> Vec<FunctionEntry> {
    let entries = match set {
        FunctionSet::Standard => by_name(official()),
        FunctionSet::Extended => {
            let mut all = by_name(beyond());
            all.extend(by_name(official()));
            // The function of the official engine returns no length for objects, and without types most values are
            // objects.
            all.extend(by_name(library::terraform::own()).into_iter().filter(|(name, _)| *name == "length"));
            all
        }
        FunctionSet::Terraform => {
            let mut all = by_name(official());
            all.retain(|name, _| !NOT_TERRAFORM.contains(name));
            all.extend(by_name(beyond()));
            all.extend(by_name(library::terraform::own()));
            all
        }
        FunctionSet::Packer | FunctionSet::Nomad => {
            let additional = if set == FunctionSet::Packer { PACKER } else { NOMAD };
            let mut all = by_name(beyond());
            all.extend(by_name(official()));
            if set == FunctionSet::Packer {
                all.extend(
                    by_name(library::terraform::own())
                        .into_iter()
                        .filter(|(name, _)| ["index", "length"].contains(name)),
                );
            }
            if let Some(replace) = all.get("regexreplace") {
                all.insert("regex_replace", replace.named("regex_replace"));
            }
            all.retain(|name, _| PACKER_AND_NOMAD.contains(name) || additional.contains(name));
            all
        }
    };
    entries.into_values().collect()
}

fn by_name(entries: Vec<FunctionEntry>) -> BTreeMap<&'static str, FunctionEntry> {
    entries.into_iter().map(|entry| (entry.name(), entry)).collect()
}

/// The functions of the official library.
fn official() -> Vec<FunctionEntry> {
    let mut all = Vec::new();
    all.extend(library::attempt::all());
    all.extend(library::conversion::all());
    all.extend(library::dates::all());
    all.extend(library::encoding::all());
    all.extend(library::encoding::yaml());
    all.extend(library::formatting::all());
    #[cfg(feature = "functions")]
    all.extend(library::hashes::all());
    all.extend(library::lists::all());
    all.extend(library::logic::all());
    all.extend(library::maps::all());
    all.extend(library::network::all());
    all.extend(library::numbers::all());
    all.extend(library::paths::all());
    #[cfg(feature = "functions")]
    all.extend(library::patterns::all());
    all.extend(library::products::all());
    all.extend(library::sets::all());
    all.extend(library::strings::all());
    all
}

/// Returns the functions of Terraform and OpenTofu that the library lacks.
fn beyond() -> Vec<FunctionEntry> {
    let mut all = library::terraform::all();
    all.extend(library::assume::all());
    all.extend(library::charsets::all());
    all.extend(library::marks::all());
    all.extend(library::templates::all());
    #[cfg(feature = "functions")]
    all.extend(library::terraform::hashes());
    #[cfg(feature = "functions")]
    all.extend(library::terraform::compression());
    all
}

/// Functions of the official library that Terraform does not offer.
const NOT_TERRAFORM: &[&str] = &[
    "add",
    "and",
    "assertnotnull",
    "divide",
    "equal",
    "greaterthan",
    "hasindex",
    "int",
    "lessthan",
    "modulo",
    "multiply",
    "negate",
    "not",
    "notequal",
    "or",
    "regexreplace",
    "sethaselement",
    "setsymmetricdifference",
    "strlen",
    "subtract",
];

/// The functions of both Packer and Nomad.
const PACKER_AND_NOMAD: &[&str] = &[
    "abs",
    "base64decode",
    "base64encode",
    "basename",
    "can",
    "ceil",
    "chomp",
    "chunklist",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "cidrsubnets",
    "coalesce",
    "coalescelist",
    "compact",
    "concat",
    "contains",
    "convert",
    "csvdecode",
    "dirname",
    "distinct",
    "element",
    "flatten",
    "floor",
    "format",
    "formatdate",
    "formatlist",
    "indent",
    "index",
    "join",
    "jsondecode",
    "jsonencode",
    "keys",
    "length",
    "log",
    "lookup",
    "lower",
    "max",
    "md5",
    "merge",
    "min",
    "parseint",
    "pow",
    "range",
    "regex_replace",
    "replace",
    "reverse",
    "setintersection",
    "setproduct",
    "setunion",
    "sha1",
    "sha256",
    "sha512",
    "signum",
    "slice",
    "sort",
    "split",
    "strrev",
    "substr",
    "timeadd",
    "title",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "try",
    "upper",
    "urlencode",
    "uuidv5",
    "values",
    "yamldecode",
    "yamlencode",
    "zipmap",
];

/// The further functions of Packer.
const PACKER: &[&str] = &[
    "alltrue",
    "anytrue",
    "endswith",
    "regex",
    "regexall",
    "startswith",
    "strcontains",
    "sum",
    "textdecodebase64",
    "textencodebase64",
];

/// The further functions of Nomad.
const NOMAD: &[&str] = &["strlen"];
