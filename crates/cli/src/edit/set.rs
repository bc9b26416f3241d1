//! `hcl set`: changes values.

use std::path::PathBuf;

use super::changes::Texts;
use super::create::missing_item;
use super::edits::{Edit, Edits};
use super::options::{Files, STATUS, text_from};
use super::run::run;
use super::targets::{Refusal, container, item, place};
use crate::args::{AddressArgument, address, expression};
use crate::context::Context;
use crate::error::Error;
use crate::files::has_item;
use crate::status::Status;
use hcl_lr::Expression;
use hcl_lr::construct::NewExpression;
use hcl_lr::model::Value;
use hcl_lr::syntax::ast::ExpressionKind;
use hcl_lr::syntax::is_identifier;
use hcl_lr_edit::address::{AddressStep, Miss, NotFound, TargetKind};
use hcl_lr_edit::query::{Query, QueryMatch, Subject};
use hcl_lr_edit::{InsertionPoint, NewItem};

const EXAMPLES: &str = "\
Examples:
  hcl set service.web.port 8080 main.hcl
  hcl set resource.aws_instance.web.tags.Name '\"${var.name}-web\"' main.tf
  hcl set --string terraform.required_version '>= 1.5' versions.tf
  hcl set --all 'module[*].version' '\"2.0.0\"' .      in all modules of all files
  hcl set --all 'module[*].source' --eval 'replace(self, \"v1\", \"v2\")' \\
      --where 'startswith(self, \"git::\")'
  hcl set --create locals.region '\"eu-west-1\"' main.tf
  hcl set --all --if-missing 'resource[*][*].tags.Team' '\"shop\"' .
  hcl set service.web --from web.hcl main.hcl        replace a block
  hcl set --diff 'zones[0]' '\"a\"' main.hcl           show what would change

With --eval, the value is computed for each place: `self` is the value so far,
and `node` is as in `hcl query`. With --create and --if-missing, `self` is null
where the value is missing, and node.parent is the place where it is added.";

#[derive(clap::Args)]
#[command(after_help = help())]
#[command(override_usage = "hcl set [OPTIONS] <ADDRESS> [VALUE] [PATH|-]...")]
pub struct Set {
    /// Address of the value: service.web.port, tags["a b"], rules[0].name
    #[arg(value_name = "ADDRESS", value_parser = address)]
    address: AddressArgument,

    /// The new value, an HCL expression; for a block, the whole block
    #[arg(allow_negative_numbers = true)]
    value: Option<String>,

    /// Compute the value of each place by an expression over `self` and `node`
    #[arg(long, value_name = "EXPRESSION", value_parser = computed, conflicts_with_all = ["from", "string", "heredoc"])]
    eval: Option<Expression>,

    /// Read the value from a file, or from standard input for `-`
    #[arg(long, value_name = "FILE|-")]
    from: Option<PathBuf>,

    /// Use the value as a string, without quotes and escapes
    #[arg(long)]
    string: bool,

    /// Use the value as a string, and write it as a heredoc
    #[arg(long, conflicts_with = "string")]
    heredoc: bool,

    /// Add the attribute or entry where it is missing, with the blocks and objects
    /// that it is in
    #[arg(long)]
    create: bool,

    /// Add it where it is missing, and change nothing where it is not
    #[arg(long)]
    if_missing: bool,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", STATUS)
}

/// Reads the expression of `--eval`.
fn computed(text: &str) -> Result<Expression, crate::args::Malformed> {
    expression("--eval", text)
}

impl Set {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let elsewhere = self.eval.is_some() || self.from.is_some();
        let (text, paths) = self.files.text_and_paths(self.value.as_deref(), elsewhere)?;
        let text = match &self.from {
            Some(path) => text_from(context, path, &paths)?,
            None => text.unwrap_or_default(),
        };
        let value = match &self.eval {
            Some(_) => Ok(NewExpression::from(Value::from(true))),
            None if self.string => Ok(NewExpression::from(Value::from(text.as_str()))),
            None if self.heredoc => {
                let line_end = if text.ends_with('\n') { "" } else { "\n" };
                Ok(NewExpression::heredoc(&format!("{text}{line_end}")))
            }
            None => NewExpression::parse(&text)
                .map_err(|error| format!("the value is {error}; with `--string`, the value is taken as a string")),
        };
        run(context, &self.files, &paths, &Setting { args: self, text, value })
    }

    /// Returns true if missing values are added.
    fn adds(&self) -> bool {
        self.create || self.if_missing
    }
}

struct Setting<'a> {
    args: &'a Set,
    text: String,
    /// The value, or an error if the text is not one.
    value: Result<NewExpression, String>,
}

impl Setting<'_> {
    /// Returns the value for a place.
    fn value_for(&self, found: &QueryMatch<'_>) -> Result<NewExpression, String> {
        match (&self.args.eval, found.result()) {
            (Some(_), Some(value)) => Ok(NewExpression::from(value.clone())),
            _ => self.value.clone(),
        }
    }
}

impl Edits for Setting<'_> {
    fn address(&self) -> &AddressArgument {
        &self.args.address
    }

    fn query(&self, query: Query) -> Query {
        let query = if self.args.adds() { query.including_missing() } else { query };
        match &self.args.eval {
            Some(eval) => query.with_evaluated_result(eval.clone()),
            None => query,
        }
    }

    fn expression(&self) -> Option<&Expression> {
        self.args.eval.as_ref()
    }

    fn leaves(&self, found: &QueryMatch<'_>) -> Option<String> {
        if self.args.if_missing && found.missing().is_empty() {
            return Some("it is there already".to_owned());
        }
        let value = found.result()?;
        if value.contains_marks() {
            return Some("its new value depends on a sensitive or ephemeral value, which is not written".to_owned());
        }
        (!value.is_wholly_known()).then(|| "its new value depends on values that are not constant".to_owned())
    }

    fn passes_by(&self, miss: &Miss<'_>) -> Option<String> {
        if miss.is_label() || miss.target().address().steps().is_empty() {
            return None;
        }
        let AddressStep::Name(name) = self.args.address.steps().get(miss.step())? else { return None };
        let kind = miss.target().expression().map(|value| value.kind().name());
        Some(match kind {
            Some(kind) if kind != "object" => {
                let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                format!("the value is written as {article} {kind}, which cannot get `{name}`")
            }
            _ => format!("there is no `{name}`, and `--create` adds it"),
        })
    }

    fn tip(&self, why: &NotFound) -> Option<String> {
        let missing = why.missing(&self.args.address).filter(|_| !self.args.adds())?;
        let Some(AddressStep::Name(last)) = missing.last() else { return None };
        Some(format!("`--create` adds `{last}`"))
    }

    fn edit(&self, edit: &mut Edit<'_, '_>) -> Result<(), Refusal> {
        for found in edit.found {
            let target = found.target();
            if !found.missing().is_empty() {
                let container = container(target)?;
                let value = self.value_for(found)?;
                edit.changes.add(|| Texts { before: None, after: value.text().ok() });
                let of_native;
                let (file, known) = match edit.subject {
                    Subject::Json(_, schema, _) => (None, schema),
                    Subject::Native(file) => {
                        of_native = edit.languages.blocks(edit.origin, |name| has_item(file, name));
                        (Some(file), &*of_native)
                    }
                    _ => return Err(Error::from("this file has no blocks").into()),
                };
                let item = missing_item((file, known), (target, container), found.missing(), value)?;
                edit.editor.insert(InsertionPoint::End(container), item);
            } else if let TargetKind::Block(_) | TargetKind::JsonBlock(_) = target.kind() {
                if self.args.eval.is_some() {
                    return Err(format!("{}: a block has no value that can be computed", place(target)).into());
                }
                edit.changes.add(|| Texts::changed(target.text(), self.text.trim_end()));
                edit.editor.replace(item(target)?, NewItem::parse(&self.text));
            } else {
                let (item, value) = (item(target)?, self.value_for(found)?);
                edit.changes.add(|| {
                    let before = target.value_text().unwrap_or(target.text()).to_owned();
                    Texts { before: Some(before), after: edit.editor.text_of(item, &value).ok() }
                });
                edit.editor.set(item, value);
            }
            edit.check(target)?;
        }
        Ok(())
    }

    fn note(&self, found: &[QueryMatch<'_>]) -> Option<String> {
        if self.args.string && self.text.trim_end_matches('\n').contains('\n') {
            return Some("the string has several lines; `--heredoc` writes it as a heredoc".to_owned());
        }
        // A shell removes the quotes of `hcl set name "web"`.
        let word = self.text.trim();
        let is_literal = self.args.string || self.args.heredoc || self.args.eval.is_some();
        let is_word = !is_literal && is_identifier(word) && !["true", "false", "null"].contains(&word);
        let was_text = |found: &&QueryMatch<'_>| {
            let value = found.target().expression();
            value.is_some_and(|value| matches!(value.kind(), ExpressionKind::Template(_)))
        };
        let found = found.iter().find(|found| is_word && found.missing().is_empty() && was_text(found))?;
        let place = place(found.target());
        Some(format!(
            "{place}: `{word}` is a reference, and a string was there before; `--string` writes it as a string"
        ))
    }
}
