//! The sets of functions for each program.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use super::entry::Entry;
use super::host::{Host, Nothing};
use super::library;
use crate::eval::Functions;

/// A set of functions that belong together.
///
/// Sets disagree about some names: `index(["a", "b"], "b")` is an error in the official library and 1
/// in Terraform. Each set keeps its own meaning; `docs/functions.md` has a table of them.
///
/// ```
/// use hcl_lr::functions::Set;
/// let set: Set = "terraform".parse()?;
/// assert_eq!(set, Set::Terraform);
/// assert!(set.functions().get("startswith").is_some() && set.functions().get("strlen").is_none());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Set {
    /// The library of the official engine.
    Standard,
    /// The library of the official engine, and what Terraform and OpenTofu have under other names.
    Extended,
    /// The functions of Terraform and OpenTofu, as they define them.
    Terraform,
    /// The functions of Packer.
    Packer,
    /// The functions of Nomad for job files.
    Nomad,
}

impl Set {
    /// All sets.
    pub const ALL: [Set; 5] = [Set::Standard, Set::Extended, Set::Terraform, Set::Packer, Set::Nomad];

    /// The name, as a text can say which set it means.
    pub fn name(self) -> &'static str {
        match self {
            Set::Standard => "standard",
            Set::Extended => "extended",
            Set::Terraform => "terraform",
            Set::Packer => "packer",
            Set::Nomad => "nomad",
        }
    }

    /// The functions as a table.
    pub fn functions(self) -> Functions {
        table(self)
    }

    /// Returns the entries of the functions, in alphabetic order. Those that need a [`Host`] are not among them.
    pub fn entries(self) -> &'static [Entry] {
        static SETS: [OnceLock<Vec<Entry>>; 5] = [const { OnceLock::new() }; 5];
        SETS[self as usize].get_or_init(|| collect(self))
    }

    /// Returns the entry of a function of the set.
    ///
    /// ```
    /// use hcl_lr::functions::Set;
    /// assert!(Set::Standard.entry("strlen").is_some() && Set::Terraform.entry("strlen").is_none());
    /// ```
    pub fn entry(self, name: &str) -> Option<&'static Entry> {
        let all = self.entries();
        all.binary_search_by(|entry| entry.name().cmp(name)).ok().map(|at| &all[at])
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Set {
    type Err = String;

    fn from_str(text: &str) -> Result<Set, String> {
        let names = || Set::ALL.map(Set::name).join(", ");
        let found = Set::ALL.into_iter().find(|set| set.name() == text);
        found.ok_or_else(|| format!("there is no set of functions named \"{text}\"; there are {}", names()))
    }
}

/// The table of a set. It is made once.
pub(super) fn table(set: Set) -> Functions {
    static TABLES: [OnceLock<Functions>; 5] = [const { OnceLock::new() }; 5];
    let make = || set.entries().iter().map(|entry| (entry.name(), entry.function().clone())).collect();
    TABLES[set as usize].get_or_init(make).clone()
}

/// Returns the entries of the functions that need the outside world, without a host: all of them fail.
pub fn host_entries() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = library::files::all(&(Arc::new(Nothing) as Arc<dyn Host>));
        all.sort_by_key(Entry::name);
        all
    })
}

fn collect(set: Set) -> Vec<Entry> {
    let entries = match set {
        Set::Standard => by_name(official()),
        Set::Extended => {
            let mut all = by_name(beyond());
            all.extend(by_name(official()));
            all
        }
        Set::Terraform => {
            let mut all = by_name(official());
            all.retain(|name, _| !NOT_TERRAFORM.contains(name));
            all.extend(by_name(beyond()));
            all.extend(by_name(library::terraform::own()));
            all
        }
        Set::Packer | Set::Nomad => {
            let own = if set == Set::Packer { PACKER } else { NOMAD };
            let mut all = by_name(beyond());
            all.extend(by_name(official()));
            if set == Set::Packer {
                all.extend(
                    by_name(library::terraform::own())
                        .into_iter()
                        .filter(|(name, _)| ["index", "length"].contains(name)),
                );
            }
            if let Some(replace) = all.get("regexreplace") {
                all.insert("regex_replace", replace.named("regex_replace"));
            }
            all.retain(|name, _| PACKER_AND_NOMAD.contains(name) || own.contains(name));
            all
        }
    };
    entries.into_values().collect()
}

fn by_name(entries: Vec<Entry>) -> BTreeMap<&'static str, Entry> {
    entries.into_iter().map(|entry| (entry.name(), entry)).collect()
}

/// The functions of the official library.
fn official() -> Vec<Entry> {
    let mut all = Vec::new();
    all.extend(library::attempt::all());
    all.extend(library::conversion::all());
    all.extend(library::dates::all());
    all.extend(library::encoding::all());
    #[cfg(feature = "yaml")]
    all.extend(library::encoding::yaml());
    all.extend(library::formatting::all());
    #[cfg(feature = "hashes")]
    all.extend(library::hashes::all());
    all.extend(library::lists::all());
    all.extend(library::logic::all());
    all.extend(library::maps::all());
    all.extend(library::network::all());
    all.extend(library::numbers::all());
    all.extend(library::paths::all());
    #[cfg(feature = "regex")]
    all.extend(library::patterns::all());
    all.extend(library::products::all());
    all.extend(library::sets::all());
    all.extend(library::strings::all());
    all
}

/// Returns the functions of Terraform and OpenTofu that the library lacks.
fn beyond() -> Vec<Entry> {
    let mut all = library::terraform::all();
    all.extend(library::assume::all());
    all.extend(library::charsets::all());
    all.extend(library::marks::all());
    all.extend(library::templates::all());
    #[cfg(feature = "hashes")]
    all.extend(library::terraform::hashes());
    #[cfg(feature = "compression")]
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
