//! The tables in a folder, with the reasons beside them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hcl_lr_language::schema::Schema;

use crate::compare::{Comparison, compare};
use crate::reasons::Reasons;
use crate::table::Names;

/// The names of one kind of files, as programs have them, and how the shipped schema differs.
#[derive(Clone, Debug)]
pub struct Table {
    /// The language and the kind of files: `nomad.job`.
    pub name: String,
    /// The names that programs have.
    pub program: Names,
    /// The number of shared names, and the differences.
    pub comparison: Comparison,
    /// The reasons for differences.
    pub reasons: Reasons,
}

impl Table {
    /// Reads all tables of a folder. `LANGUAGE.KIND.txt` and `LANGUAGE.KIND.OTHER.txt` are those of two programs for one kind of files,
    /// `LANGUAGE.KIND.reasons` has the reasons.
    ///
    /// # Errors
    ///
    /// A message for a file that cannot be read or has another form, and for a language or a kind of files that no schema has.
    pub fn all(folder: &Path) -> Result<Vec<Table>, String> {
        let mut files: Vec<_> = fs::read_dir(folder)
            .map_err(|error| format!("cannot read {}: {error}", folder.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
            .collect();
        files.sort();
        let mut programs: BTreeMap<String, Names> = BTreeMap::new();
        for path in files {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = stem.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
            let names = Names::of_table(&read(&path)?).map_err(|message| format!("{stem}.txt: {message}"))?;
            match programs.remove(&name) {
                Some(mut known) => {
                    known.join(names);
                    programs.insert(name, known);
                }
                None => drop(programs.insert(name, names)),
            }
        }
        programs.into_iter().map(|(name, program)| Table::of(folder, name, program)).collect()
    }

    fn of(folder: &Path, name: String, program: Names) -> Result<Table, String> {
        let (language, kind) = name.split_once('.').ok_or_else(|| format!("{name}: no kind of files"))?;
        let schema = Schema::by_name(language).ok_or_else(|| format!("{name}: no language `{language}`"))?;
        let names = Names::of_schema(schema, kind).ok_or_else(|| format!("{name}: no kind of files `{kind}`"))?;
        let comparison = compare(&program, &names);
        let path = folder.join(format!("{name}.reasons"));
        let reasons = if path.exists() { Reasons::read(&read(&path)?) } else { Ok(Reasons::default()) };
        let reasons = reasons.map_err(|message| format!("{name}.reasons: {message}"))?;
        Ok(Table { name, program, comparison, reasons })
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}
