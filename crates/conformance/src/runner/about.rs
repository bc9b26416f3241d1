//! A driver's description of itself, which decides which cases it gets.

use std::collections::HashSet;

use serde_json::Value;

use crate::PROTOCOL_VERSION;
use crate::suite::{Case, Level, Need, Typing};

/// The description that a driver gives of itself.
pub(super) struct About {
    /// The whole answer.
    pub json: Value,
    /// The operations that it has; `None` if it does not say.
    operations: Option<HashSet<String>>,
    dialects: HashSet<String>,
    lacks: Vec<Need>,
    /// True if it reads only whole files.
    reads_files: bool,
}

impl About {
    /// Reads the answer to `about`.
    ///
    /// # Errors
    /// If it has no name, speaks another protocol, or has values that this runner does not understand.
    pub fn read(json: Value) -> Result<About, String> {
        let says = "the answer to `about`";
        if !json["name"].is_string() {
            return Err(format!("{says} has no `name`: answer {{\"name\": …, \"version\": …, \"protocol\": 1}}"));
        }
        match json["protocol"].as_u64() {
            Some(version) if version == u64::from(PROTOCOL_VERSION) => {}
            Some(version) => {
                return Err(format!(
                    "the driver speaks protocol {version}, and this runner protocol {PROTOCOL_VERSION}"
                ));
            }
            None => return Err(format!("{says} has no `protocol`: add \"protocol\": {PROTOCOL_VERSION}")),
        }
        let texts = |member: &str| -> Result<Option<Vec<String>>, String> {
            let Some(list) = json.get(member) else { return Ok(None) };
            let list = list.as_array().ok_or_else(|| format!("`{member}` in {says} is no list"))?;
            let text = |text: &Value| text.as_str().map(str::to_owned);
            let texts: Option<Vec<String>> = list.iter().map(text).collect();
            texts.map(Some).ok_or_else(|| format!("`{member}` in {says} is no list of strings"))
        };
        let need = |name: &String| {
            let names = || Need::ALL.map(Need::as_str).join(", ");
            Need::named(name).ok_or_else(|| format!("`lacks` in {says} has {name}: it is one of {}", names()))
        };
        let lacks = texts("lacks")?.unwrap_or_default().iter().map(need).collect::<Result<_, _>>()?;
        let reads_files = match json.get("reads").map(|reads| reads.as_str().unwrap_or_default()) {
            None | Some("expressions") => false,
            Some("files") => true,
            Some(_) => return Err(format!("`reads` in {says} is either \"expressions\" or \"files\"")),
        };
        let operations = texts("operations")?.map(HashSet::from_iter);
        let dialects = texts("dialects")?.unwrap_or_else(|| vec!["engine".to_owned()]).into_iter().collect();
        Ok(About { operations, dialects, lacks, reads_files, json })
    }

    /// Returns the request for a case and the levels of its answer.
    ///
    /// # Errors
    /// The reason why the driver cannot answer the case.
    pub fn question<'c>(&self, case: &'c Case) -> Result<(&'c Value, Vec<Level>), String> {
        let dialect = case.request["dialect"].as_str().unwrap_or("engine");
        if !self.dialects.contains(dialect) {
            return Err(format!("the dialect {dialect}"));
        }
        for need in &self.lacks {
            let is_value =
                *need == Need::Types && ["expr", "template", "attributes"].contains(&operation(&case.request));
            if case.needs.contains(need) && !(is_value && case.answer.get("type").is_none()) {
                return Err(format!("the ability `{}`", need.as_str()));
            }
        }
        let has = |request: &Value| self.operations.as_ref().is_none_or(|known| known.contains(operation(request)));
        let is_of_source = ["expr", "template"].contains(&operation(&case.request));
        if self.reads_files && is_of_source {
            let Some(form) = case.forms.iter().rfind(|form| has(&form.request)) else {
                return Err("a file of the same meaning".to_owned());
            };
            let levels = form.levels().into_iter().filter(|level| case.levels.contains(level)).collect();
            return Ok((&form.request, levels));
        }
        if !has(&case.request) {
            return Err(format!("the operation {}", operation(&case.request)));
        }
        Ok((&case.request, case.levels.clone()))
    }

    pub fn typing(&self) -> Typing {
        if self.lacks.contains(&Need::Types) { Typing::Untyped } else { Typing::Typed }
    }

    pub fn name(&self) -> String {
        let name = self.json["name"].as_str().unwrap_or_default();
        match self.json["version"].as_str() {
            Some(version) => format!("{name} {version}"),
            None => name.to_owned(),
        }
    }
}

fn operation(request: &Value) -> &str {
    request["op"].as_str().unwrap_or_default()
}
