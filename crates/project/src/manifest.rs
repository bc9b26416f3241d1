//! The list of installed modules that Terraform and OpenTofu write: `.terraform/modules/modules.json`.

use hcl_lr::Source;
use hcl_lr::eval::Scope;
use hcl_lr::model::Value;

use crate::files::Document;
use crate::paths::join;

/// The path of the list, from the folder of the program.
pub const MANIFEST: &str = ".terraform/modules/modules.json";

/// The path of the schemas of providers that `hcl providers import` keeps in a folder.
pub const PROVIDER_SCHEMAS: &str = ".terraform/hcl-providers.json";

/// The modules that are installed for a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifest {
    modules: Vec<Installed>,
}

#[derive(Clone, Debug)]
struct Installed {
    /// The names of the calls that lead to the module, with dots between them.
    key: String,
    source: String,
    folder: String,
}

impl Manifest {
    /// Reads a list. `root` is the folder of the program, from which its paths start. What is malformed is left out:
    /// the program writes the list, and people do not.
    pub(crate) fn read(root: &str, text: &[u8]) -> Manifest {
        let document = Document::parse(Source::from_bytes(MANIFEST, text), &hcl_lr::ParseOptions::new());
        let attributes = document.file.body().attributes().into_value();
        let entries = attributes.get("Modules").and_then(|all| all.expression().evaluate(&Scope::new()).ok());
        let entries = entries.as_ref().and_then(Value::elements).into_iter().flatten();
        let modules = entries.filter_map(|entry| {
            let text = |name: &str| Some(entry.get(name)?.as_str()?.to_owned());
            Some(Installed { key: text("Key")?, source: text("Source")?, folder: join(root, &text("Dir")?) })
        });
        Manifest { modules: modules.collect() }
    }

    /// Returns the folder of the module that a call in the files of a folder leads to.
    pub(crate) fn folder(&self, caller: &str, name: &str, source: &str) -> Option<&str> {
        let callers = self.modules.iter().filter(|module| module.folder == caller);
        let mut keys = callers.map(|module| match module.key.is_empty() {
            true => name.to_owned(),
            false => format!("{}.{name}", module.key),
        });
        keys.find_map(|key| {
            let found = self.modules.iter().find(|module| module.key == key)?;
            // Registry addresses are listed with their host, and paths in archives after `//`.
            let is_same = found.source == source || found.source.ends_with(&format!("/{source}"));
            is_same.then_some(&*found.folder)
        })
    }
}

/// Returns the folders of the modules that are installed for a program, by the list that the program wrote. `root` is the
/// folder of the program.
pub fn installed_folders(root: &str, text: &[u8]) -> Vec<String> {
    let modules = Manifest::read(root, text).modules.into_iter();
    modules.filter(|module| !module.key.is_empty()).map(|module| module.folder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_lead_to_installed_modules() {
        let text = r#"{"Modules": [
            {"Key": "", "Source": "", "Dir": "."},
            {"Key": "net", "Source": "registry.terraform.io/acme/net/aws", "Version": "1.2.0", "Dir": ".terraform/modules/net"},
            {"Key": "net.sub", "Source": "./sub", "Dir": ".terraform/modules/net/sub"},
            {"Key": 5}
        ]}"#;
        let manifest = Manifest::read("/app", text.as_bytes());
        assert_eq!(manifest.folder("/app", "net", "acme/net/aws"), Some("/app/.terraform/modules/net"));
        assert_eq!(
            manifest.folder("/app/.terraform/modules/net", "sub", "./sub"),
            Some("/app/.terraform/modules/net/sub")
        );
        // The call has changed since the module was installed.
        assert_eq!(manifest.folder("/app", "net", "acme/other/aws"), None);
        assert_eq!(Manifest::read("/app", b"[1").folder("/app", "net", "x"), None);
    }
}
