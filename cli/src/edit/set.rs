//! `hcl set`: another value.

use super::{Edits, Files, address, container, member};
use hcl_lr::address::{Address, AddressStep, Target, TargetKind};
use hcl_lr::build::NewExpression;
use hcl_lr::edit::{Container, Editor, InsertionPoint, Item, NewItem};
use hcl_lr::model::Value;
use hcl_lr::syntax::ast::ExpressionKind;
use hcl_lr::syntax::{File, is_identifier};

const EXAMPLES: &str = "\
Examples:
  hcl set service.web.port 8080 main.hcl
  hcl set resource.aws_instance.web.tags.Name '\"${var.name}-web\"' main.tf
  hcl set --string terraform.required_version '>= 1.5' versions.tf
  hcl set --all 'module[*].version' '\"2.0.0\"' .       in all modules of all files
  hcl set --create locals.region '\"eu-west-1\"' main.tf
  hcl set --diff 'zones[0]' '\"a\"' main.hcl            show what would change";

/// Give attributes, entries of objects and elements of lists another value
///
/// All else in the file stays as it is. The value is an expression in HCL; a text needs its quotes, or
/// --string.
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Set {
    /// Where the value is: service.web.port, tags["a b"], rules[0].name
    #[arg(value_parser = address)]
    address: Address,

    /// The value, an expression in HCL
    #[arg(allow_negative_numbers = true)]
    value: String,

    /// The value is a text as it is, without quotes and escapes
    #[arg(long)]
    string: bool,

    /// Where the attribute or entry is not there, but what it would stand in is: add it
    #[arg(long)]
    create: bool,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", super::STATUS)
}

impl Set {
    pub fn run(&self) -> Result<super::Status, String> {
        let value = match self.string {
            true => NewExpression::from(Value::from(self.value.as_str())),
            false => NewExpression::parse(&self.value)
                .map_err(|error| format!("the value is {error}; with `--string`, the value is taken as a text"))?,
        };
        super::run(&self.files, &Setting { args: self, value })
    }
}

struct Setting<'a> {
    args: &'a Set,
    value: NewExpression,
}

impl Setting<'_> {
    /// Returns the containers in which the attribute or entry is missing. `found` lists those that have it already.
    fn parents<'f>(&self, file: &'f File, found: &[Target<'f>]) -> Vec<Target<'f>> {
        let Some((parent, AddressStep::Name(_))) = self.args.address.split_last().filter(|_| self.args.create) else {
            return Vec::new();
        };
        // The matches of `**` lie within one another, so the item is not missing in all of them.
        if parent.steps().contains(&AddressStep::Deep) {
            return Vec::new();
        }
        let starts: Vec<usize> = found.iter().map(|target| target.span().start()).collect();
        let has_it = |target: &Target<'f>| {
            let (start, end) = (target.span().start(), target.span().end());
            starts.get(starts.partition_point(|&at| at < start)).is_some_and(|&at| at < end)
        };
        let can_have = |target: &Target<'f>| match target.kind() {
            TargetKind::Body(_) => true,
            TargetKind::Block(block) => target.labels_named() == block.labels().len(),
            _ => target.expression().is_some_and(|value| matches!(value.kind(), ExpressionKind::Object(_))),
        };
        let parents = parent.resolve(file.body()).into_iter();
        // The whole file has what it has at its top only, and that is found there.
        let missing = |target: &Target<'f>| match target.kind() {
            TargetKind::Body(_) => found.is_empty(),
            _ => !has_it(target),
        };
        parents.filter(|target| can_have(target) && missing(target)).collect()
    }
}

impl Edits for Setting<'_> {
    fn find<'f>(&self, file: &'f File) -> Vec<Target<'f>> {
        let mut found = self.args.address.resolve(file.body());
        let parents = self.parents(file, &found);
        found.extend(parents);
        found
    }

    fn edit<'f>(&self, file: &'f File, targets: &[Target<'f>], editor: &mut Editor<'f>) -> Result<(), String> {
        let there = self.args.address.resolve(file.body()).len();
        let (found, parents) = targets.split_at(there.min(targets.len()));
        for target in found {
            editor.set(member(target)?, self.value.clone());
        }
        let Some((_, AddressStep::Name(name))) = self.args.address.split_last() else { return Ok(()) };
        for target in parents {
            let place = container(target)?;
            let item = match place {
                Container::Body(_) => NewItem::attribute(name, self.value.clone()),
                Container::Collection(_) => NewItem::entry(name, self.value.clone()),
            };
            editor.insert(InsertionPoint::End(place), item);
        }
        Ok(())
    }

    /// A shell takes away the quotes of `hcl set name "web"`.
    fn note(&self, targets: &[Target<'_>]) -> Option<String> {
        let word = self.args.value.trim();
        let is_word = !self.args.string && is_identifier(word) && !["true", "false", "null"].contains(&word);
        let was_text = |target: &Target<'_>| {
            let value = member(target).ok().and_then(Item::value);
            value.is_some_and(|value| matches!(value.kind(), ExpressionKind::Template(_)))
        };
        let target = targets.iter().find(|target| is_word && was_text(target))?;
        let place = super::place(target);
        Some(format!("{place}: `{word}` is a reference, and a text was there before; `--string` writes it as a text"))
    }
}
