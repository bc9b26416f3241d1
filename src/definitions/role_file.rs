//! Reads tables of roles from files.

use std::fmt;
use std::str::FromStr;

use super::companions::CompanionFiles;
use super::roles::{Duplicates, Role, Roles};
use super::string_references::StringReferences;
use crate::body::{Attribute, Block, Body, BodySchema, Content};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use crate::eval::{Functions, Scope};
use crate::functions::{self, FunctionSet};
use crate::model::Value;
use crate::reading::{Parse, ParseOptions, parse};
use crate::source::Source;
use crate::syntax::similar_name;

/// The tables of roles for files of well-known programs.
///
/// ```
/// use hcl_lr::definitions::RoleTable;
///
/// let table: RoleTable = "packer".parse()?;
/// assert!(table.roles().roles().iter().any(|role| role.block_type() == Some("locals")));
/// assert!(table.text().contains("define \"locals\""));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RoleTable {
    /// Terraform and OpenTofu.
    Terraform,
    /// Packer.
    Packer,
    /// Nomad.
    Nomad,
    /// `docker buildx bake`.
    Bake,
    /// Terragrunt.
    Terragrunt,
}

impl RoleTable {
    /// All of them.
    pub const ALL: [RoleTable; 5] =
        [RoleTable::Terraform, RoleTable::Packer, RoleTable::Nomad, RoleTable::Bake, RoleTable::Terragrunt];

    /// The name, as a text can say which table it means.
    pub fn name(self) -> &'static str {
        match self {
            RoleTable::Terraform => "terraform",
            RoleTable::Packer => "packer",
            RoleTable::Nomad => "nomad",
            RoleTable::Bake => "bake",
            RoleTable::Terragrunt => "terragrunt",
        }
    }

    /// The table as it is written.
    pub fn text(self) -> &'static str {
        match self {
            RoleTable::Terraform => include_str!("roles/terraform.hcl"),
            RoleTable::Packer => include_str!("roles/packer.hcl"),
            RoleTable::Nomad => include_str!("roles/nomad.hcl"),
            RoleTable::Bake => include_str!("roles/bake.hcl"),
            RoleTable::Terragrunt => include_str!("roles/terragrunt.hcl"),
        }
    }

    /// The table.
    pub fn roles(self) -> Roles {
        // Tests check that it has no errors.
        parse::<Roles>((self.name(), self.text())).into_value()
    }
}

impl fmt::Display for RoleTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RoleTable {
    type Err = String;

    fn from_str(text: &str) -> Result<RoleTable, String> {
        let names = || RoleTable::ALL.map(RoleTable::name).join(", ");
        let found = RoleTable::ALL.into_iter().find(|program| program.name() == text);
        found.ok_or_else(|| format!("there is no table of roles named \"{text}\"; there are {}", names()))
    }
}

/// Reads a table that is written as a file:
///
/// ```
/// use hcl_lr::definitions::Roles;
///
/// let text = r#"
/// functions = "standard"
/// later     = ["env"]
///
/// define "variable" {
///   kind    = input
///   address = "var.{name}"
/// }
///
/// define "task" {
///   kind         = object
///   address      = "task.{name}"
///   by_attribute = true
///   for_each     = "for_each"
/// }
/// "#;
/// let roles = hcl_lr::parse::<Roles>(("tasks.roles.hcl", text)).into_result()?;
/// assert_eq!(roles.roles().len(), 2);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
///
/// | in the file | meaning |
/// | --- | --- |
/// | `functions` | the functions that the files can use: a [set](FunctionSet) by its name, or several, of which the later ones count |
/// | `later` | names that stand for something only known later |
/// | `later_functions` | functions whose results are only known later; `provider::*` is all of a namespace |
/// | `overriding_files` | files that change what others define, by their names without extension, such as `*_override` |
/// | `check_blocks` | whether names that are not defined are errors in all blocks: see [`Roles::checking_blocks`] |
/// | `protect_sensitive` | whether results must say that they are sensitive: see [`Roles::protecting_sensitive`] |
/// | `undefined_is_text` | whether variables that nothing defines are texts: see [`Roles::with_undefined_as_text`] |
/// | `elsewhere` | blocks with names below which other files define more, as `include.dependency`: see [`Roles::with_elsewhere`] |
/// | `addresses` | attributes, as `moved.from`, in which they are none: see [`Roles::with_addresses_in`] |
/// | `names "PATH" { … }` | the strings in blocks without a role that name definitions: see [`Roles::with_names`] |
/// | `beside { … }` | files beside these, with values for the inputs, or tests: see [`CompanionFiles`] |
/// | `define "TYPE" { … }` | the role of the blocks of a type |
/// | `top_level { … }` | the role of the attributes of the files themselves |
///
/// | in a role | meaning |
/// | --- | --- |
/// | `kind` | `attributes`, `input`, `inputs`, `value`, `object`, `module`, `later` or `function`: see the methods of [`Role`] with these names |
/// | `address` | how it is referred to, such as `"data.{type}.{name}"`; without it, nothing can refer to it |
/// | `aliases` | other addresses by which expressions can refer to it |
/// | `labels` | what the labels of the blocks are called, if these are not just those in the address |
/// | `value` | the attribute whose value it has (`value`) |
/// | `source` | the attribute that says where the module is (`module`) |
/// | `otherwise` | the value without any other (`input`) |
/// | `constant`, `functions` | the default is a constant, and may call only these functions (`input`, `inputs`): see [`Role::constant_default`] |
/// | `typed_by_default` | see [`Role::typed_by_default`] (`input`) |
/// | `open`, `by_attribute` | see [`Role::open`], [`Role::by_attribute`] |
/// | `ignore`, `blocks`, `nested` | see [`Role::ignore`], [`Role::with_blocks`], [`Role::nested`] |
/// | `for_each`, `count` | the attributes by which blocks are repeated |
/// | `enabled` | the attribute that says whether there is such a block: see [`Role::enabled`] |
/// | `checks` | the blocks in it that say what must hold, such as `lifecycle.precondition`: see [`Role::checks`] |
/// | `itself` | how expressions in the block refer to it |
/// | `variables` | see [`Role::variables`] |
/// | `names "PATH" { … }` | the strings of an attribute name definitions, see [`StringReferences`] |
/// | `duplicates` | `error`, `last` or `merge`: see [`Duplicates`] |
///
/// | in `names` | meaning |
/// | --- | --- |
/// | `addresses` | what the strings name; without it, they are addresses as expressions write them |
/// | `written` | how the strings are written, if the name is not all of them: see [`StringReferences::written`] |
/// | `prefix`, `needed`, `optional` | see [`StringReferences::after`], [`StringReferences::needed`], [`StringReferences::optional`] |
///
/// | in `beside` | meaning |
/// | --- | --- |
/// | `files` | the names of the files, in which `*` stands for any characters |
/// | `given` | those that the program reads without being told to: see [`CompanionFiles::given`] |
/// | `folders` | folders below that of the other files where they are, too |
/// | `inputs` | the attributes that give values to inputs: see [`CompanionFiles::inputs`] |
/// | `results` | how expressions refer to results: see [`CompanionFiles::results`] |
/// | `result_keys` | attributes whose keys are results: see [`CompanionFiles::result_keys`] |
/// | `others` | blocks that say that the one around them is about other files: see [`CompanionFiles::others`] |
///
/// If there are errors, the table has the rest.
impl Parse for Roles {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Roles> {
        let (body, mut diagnostics) = options.parse::<Body>(source).into_parts();
        let roles = Reader { diagnostics: &mut diagnostics, scope: Scope::new().sharing_meter() }.roles(&body);
        diagnostics.sort();
        Outcome::new(roles, diagnostics)
    }
}

impl Roles {
    /// The table for Terraform and OpenTofu.
    pub fn terraform() -> Self {
        RoleTable::Terraform.roles()
    }

    /// The table for Packer.
    pub fn packer() -> Self {
        RoleTable::Packer.roles()
    }

    /// The table for Nomad.
    pub fn nomad() -> Self {
        RoleTable::Nomad.roles()
    }

    /// The table for `docker buildx bake`.
    pub fn bake() -> Self {
        RoleTable::Bake.roles()
    }

    /// The table for Terragrunt.
    pub fn terragrunt() -> Self {
        RoleTable::Terragrunt.roles()
    }
}

struct Reader<'d> {
    diagnostics: &'d mut Diagnostics,
    /// Nothing to refer to, and one budget for the whole table.
    scope: Scope<'static>,
}

impl Reader<'_> {
    fn roles(&mut self, body: &Body) -> Roles {
        let schema = BodySchema::new()
            .optional("functions")
            .optional("later")
            .optional("later_functions")
            .optional("overriding_files")
            .optional("check_blocks")
            .optional("protect_sensitive")
            .optional("undefined_is_text")
            .optional("elsewhere")
            .optional("addresses")
            .block("define", &["type"])
            .block("names", &["path"])
            .block("beside", &[])
            .block("top_level", &[]);
        let content = body.content(&schema).into_value_reporting_to(self.diagnostics);
        let mut roles = Roles::new();
        let mut sets: Option<Functions> = None;
        for (name, attribute) in self.text_or_texts(&content, "functions") {
            match name.parse::<FunctionSet>() {
                Ok(set) => sets = Some(sets.map_or_else(|| set.functions(), |sets| sets.with_all(&set.functions()))),
                Err(why) => self.error(&attribute, why),
            }
        }
        if let Some(sets) = sets {
            // Functions that look outside are there, but what they give is only known later.
            let host = functions::host_entries().iter().map(|entry| entry.name().to_owned());
            roles = roles.with_functions(sets).with_later_functions(host);
        }
        for name in self.texts(&content, "later") {
            roles = roles.with_later(name);
        }
        roles = roles.with_later_functions(self.texts(&content, "later_functions"));
        for name in self.texts(&content, "overriding_files") {
            roles = roles.with_overriding_files(name);
        }
        if self.flag(&content, "check_blocks") {
            roles = roles.checking_blocks();
        }
        if self.flag(&content, "protect_sensitive") {
            roles = roles.protecting_sensitive();
        }
        if self.flag(&content, "undefined_is_text") {
            roles = roles.with_undefined_as_text();
        }
        type Add = fn(Roles, &str, &str) -> Roles;
        let in_blocks: [(&str, &str, Add); 2] = [
            ("addresses", "an attribute", |roles, block_type, name| roles.with_addresses_in(block_type, name)),
            ("elsewhere", "what it defines", |roles, block_type, name| roles.with_elsewhere(block_type, name)),
        ];
        for (list, what, add) in in_blocks {
            for (name, attribute) in self.text_or_texts(&content, list) {
                match name.split_once('.') {
                    Some((block_type, name)) => roles = add(roles, block_type, name),
                    None => self.error(&attribute, format!("write the type of a block, a dot and the name of {what}")),
                }
            }
        }
        for block in content.blocks() {
            match block.block_type() {
                "names" => {
                    if let Some(names) = self.names_in_block(block) {
                        roles = roles.with_names(names);
                    }
                }
                "beside" => roles = roles.with_companions(self.beside(block)),
                _ => {
                    if let Some(role) = self.role(block) {
                        roles = roles.with(role);
                    }
                }
            }
        }
        roles
    }

    /// The strings in blocks without a role.
    fn names_in_block(&mut self, block: &Block) -> Option<StringReferences> {
        let label = block.labels().first()?;
        if !label.text().contains('.') {
            let detail = "write the type of a block, a dot and the name of an attribute".to_owned();
            self.diagnostics.push(Diagnostic::error(Code::InvalidRoles, label.place(), detail));
            return None;
        }
        self.names(block)
    }

    fn beside(&mut self, block: &Block) -> CompanionFiles {
        const NAMES: &[&str] = &["given", "folders", "inputs", "results", "others", "result_keys"];
        let schema = NAMES.iter().fold(BodySchema::new().required("files"), |schema, name| schema.optional(*name));
        let content = block.body().content(&schema).into_value_reporting_to(self.diagnostics);
        CompanionFiles::new(self.texts(&content, "files"))
            .given(self.texts(&content, "given"))
            .in_folders(self.texts(&content, "folders"))
            .inputs(self.texts(&content, "inputs"))
            .results(self.texts(&content, "results"))
            .others(self.texts(&content, "others"))
            .result_keys(self.texts(&content, "result_keys"))
    }

    fn role(&mut self, block: &Block) -> Option<Role> {
        const NAMES: &[&str] = &[
            "address",
            "labels",
            "value",
            "source",
            "otherwise",
            "open",
            "by_attribute",
            "ignore",
            "blocks",
            "for_each",
            "count",
            "enabled",
            "constant",
            "functions",
            "typed_by_default",
            "nested",
            "variadic",
            "itself",
            "variables",
            "duplicates",
            "aliases",
            "checks",
        ];
        let schema = NAMES.iter().fold(BodySchema::new(), |schema, name| schema.optional(*name));
        let schema = match block.block_type() == "define" {
            true => schema.required("kind").block("names", &["attribute"]),
            false => schema,
        };
        let content = block.body().content(&schema).into_value_reporting_to(self.diagnostics);
        let address = match self.text(&content, "address") {
            Some((address, attribute)) => {
                self.check_address(&address, &attribute);
                address
            }
            None => String::new(),
        };
        let mut role = match block.label(0) {
            None => Role::top_level(&address),
            Some(block_type) => self.kind(block_type, &address, &content)?,
        };
        if content.attribute("labels").is_some() {
            role = role.labels(self.texts(&content, "labels"));
        }
        if let Some(value) = content.attribute("otherwise").and_then(|attribute| self.value(attribute)) {
            role = role.otherwise(value);
        }
        if self.flag(&content, "open") {
            role = role.open();
        }
        if self.flag(&content, "by_attribute") {
            role = role.by_attribute();
        }
        if let Some((attribute, _)) = self.text(&content, "variadic") {
            role = role.variadic(attribute);
        }
        if self.flag(&content, "nested") {
            role = role.nested();
        }
        role = role.ignore(self.texts(&content, "ignore"));
        for block_type in self.texts(&content, "blocks") {
            role = role.with_blocks(block_type);
        }
        if let Some((name, _)) = self.text(&content, "for_each") {
            role = role.for_each(name);
        }
        if let Some((name, _)) = self.text(&content, "count") {
            role = role.count(name);
        }
        if let Some((path, _)) = self.text(&content, "enabled") {
            role = role.enabled(&path);
        }
        let functions = self.texts(&content, "functions");
        if self.flag(&content, "constant") {
            role = role.constant_default(functions);
        }
        if self.flag(&content, "typed_by_default") {
            role = role.typed_by_default();
        }
        if let Some((name, _)) = self.text(&content, "itself") {
            role = role.itself(name);
        }
        if let Some((name, _)) = self.text(&content, "variables") {
            role = role.variables(name);
        }
        for path in self.texts(&content, "checks") {
            role = role.checks(&path);
        }
        for address in self.texts(&content, "aliases") {
            role = role.alias(&address);
        }
        for block in content.blocks() {
            role = role.names(self.names(block)?);
        }
        const DUPLICATES: &[(&str, Duplicates)] =
            &[("error", Duplicates::Error), ("last", Duplicates::Last), ("merge", Duplicates::Merge)];
        if let Some(duplicates) = self.keyword(&content, "duplicates", DUPLICATES) {
            role = role.duplicates(duplicates);
        }
        Some(role)
    }

    fn names(&mut self, block: &Block) -> Option<StringReferences> {
        const NAMES: &[&str] = &["addresses", "written", "prefix", "needed", "optional"];
        let schema = NAMES.iter().fold(BodySchema::new(), |schema, name| schema.optional(*name));
        let content = block.body().content(&schema).into_value_reporting_to(self.diagnostics);
        for name in ["addresses", "written"] {
            if let Some(attribute) = content.attribute(name).cloned() {
                self.texts(&content, name).iter().for_each(|address| self.check_address(address, &attribute));
            }
        }
        let names = StringReferences::new(block.label(0)?, self.texts(&content, "addresses"));
        let mut names = names.written(self.texts(&content, "written"));
        if let Some((prefix, _)) = self.text(&content, "prefix") {
            names = names.after(prefix);
        }
        if self.flag(&content, "needed") {
            names = names.needed();
        }
        Some(if self.flag(&content, "optional") { names.optional() } else { names })
    }

    fn kind(&mut self, block_type: &str, address: &str, content: &Content) -> Option<Role> {
        type Make = fn(&str, &str, &str) -> Role;
        const KINDS: &[(&str, Make)] = &[
            ("attributes", |block_type, address, _| Role::attributes(block_type, address)),
            ("input", |block_type, address, _| Role::input(block_type, address)),
            ("inputs", |block_type, address, _| Role::inputs(block_type, address)),
            ("value", Role::value),
            ("object", |block_type, address, _| Role::object(block_type, address)),
            ("module", Role::module),
            ("later", |block_type, address, _| Role::later(block_type, address)),
            ("function", |block_type, _, _| Role::function(block_type)),
        ];
        let make = self.keyword(content, "kind", KINDS)?;
        let value = self.text(content, "value").or_else(|| self.text(content, "source"));
        let needed = match content.attribute("kind")?.expression().keyword().as_deref() {
            Some("value") => Some("value"),
            Some("module") => Some("source"),
            _ => None,
        };
        if let (Some(name), None) = (needed, &value) {
            let place = content.attribute("kind")?.expression().place();
            let detail = format!("with this kind, the argument \"{name}\" is required");
            self.diagnostics.push(Diagnostic::error(Code::InvalidRoles, place, detail));
            return None;
        }
        Some(make(block_type, address, value.as_ref().map_or("", |(value, _)| value)))
    }

    /// Checks the braces of an address: each contains the name of a label, and fills a whole step.
    fn check_address(&mut self, address: &str, attribute: &Attribute) {
        let wrong = address.split('.').find(|step| {
            let inner = step.strip_prefix('{').and_then(|step| step.strip_suffix('}')).unwrap_or(step);
            inner.is_empty() || inner.contains(['{', '}'])
        });
        if let Some(step) = wrong {
            let detail = format!("\"{step}\" is neither a name nor a name in braces");
            let error = Diagnostic::error(Code::InvalidRoles, attribute.expression().place(), detail);
            let help = "write names with dots between them, and labels in braces, such as \"data.{type}.{name}\"";
            self.diagnostics.push(error.with_help(help));
        }
    }

    fn error(&mut self, attribute: &Attribute, detail: impl Into<String>) {
        let place = attribute.expression().place();
        self.diagnostics.push(Diagnostic::error(Code::InvalidRoles, place, detail.into()));
    }

    fn value(&mut self, attribute: &Attribute) -> Option<Value> {
        attribute.evaluate(&self.scope).map_err(|problems| self.diagnostics.append(problems)).ok()
    }

    fn text(&mut self, content: &Content, name: &str) -> Option<(String, Attribute)> {
        let attribute = content.attribute(name)?.clone();
        let value = self.value(&attribute)?;
        match value.as_str() {
            Some(text) => Some((text.to_owned(), attribute)),
            None => {
                self.error(&attribute, "a string is required here");
                None
            }
        }
    }

    /// A string, or several in a list.
    fn text_or_texts(&mut self, content: &Content, name: &str) -> Vec<(String, Attribute)> {
        let Some(attribute) = content.attribute(name).cloned() else { return Vec::new() };
        match attribute.expression().static_list() {
            Ok(_) => self.texts(content, name).into_iter().map(|text| (text, attribute.clone())).collect(),
            Err(_) => self.text(content, name).into_iter().collect(),
        }
    }

    fn texts(&mut self, content: &Content, name: &str) -> Vec<String> {
        let Some(attribute) = content.attribute(name).cloned() else { return Vec::new() };
        let Some(value) = self.value(&attribute) else { return Vec::new() };
        let texts = value.elements().map(|all| all.iter().map(|one| one.as_str().map(str::to_owned)).collect());
        let texts: Option<Option<Vec<String>>> = texts;
        match texts.flatten() {
            Some(texts) => texts,
            None => {
                self.error(&attribute, "a list of strings is required here");
                Vec::new()
            }
        }
    }

    fn flag(&mut self, content: &Content, name: &str) -> bool {
        let Some(attribute) = content.attribute(name).cloned() else { return false };
        let Some(value) = self.value(&attribute) else { return false };
        value.as_bool().unwrap_or_else(|| {
            self.error(&attribute, "true or false is required here");
            false
        })
    }

    fn keyword<T: Copy>(&mut self, content: &Content, name: &str, all: &[(&str, T)]) -> Option<T> {
        let attribute = content.attribute(name)?;
        let keyword = attribute.expression().keyword();
        let found = all.iter().find(|(known, _)| Some(*known) == keyword.as_deref());
        if found.is_none() {
            let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
            let detail = format!("one of these is required here, without quotes: {}", names.join(", "));
            let error = Diagnostic::error(Code::InvalidRoles, attribute.expression().place(), detail);
            let meant = keyword.as_deref().and_then(|keyword| similar_name(keyword, names));
            self.diagnostics.push(match meant {
                Some(meant) => error.with_help(format!("did you mean \"{meant}\"?")),
                None => error,
            });
        }
        found.map(|(_, value)| *value)
    }
}
