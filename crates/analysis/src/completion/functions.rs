//! Functions, and the names of types, which look like calls.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, FunctionCall};
use hcl_lr_language::schema::Checker;

use super::expected::{Expectation, SAME_TYPE};
use super::near::call_end;
use super::{Item, ItemKind, UsedParts, in_snippet};
use crate::cursor::{CallAt, Step};
use crate::knowledge::shape_key;
use crate::rank::{Context, HERE, share};
use crate::shape::{Shape, asked_by_call};
use crate::workspace::Cancelled;

/// Functions that files call often. They come first if nothing else decides.
const FREQUENT: [&str; 33] = [
    "try",
    "merge",
    "lookup",
    "length",
    "jsonencode",
    "concat",
    "format",
    "join",
    "toset",
    "file",
    "element",
    "templatefile",
    "replace",
    "can",
    "contains",
    "coalesce",
    "flatten",
    "keys",
    "values",
    "one",
    "compact",
    "distinct",
    "tostring",
    "split",
    "lower",
    "startswith",
    "base64encode",
    "yamlencode",
    "jsondecode",
    "tonumber",
    "range",
    "cidrsubnet",
    "regex",
];

/// Points for a function that the files define, and for one of these that nothing calls.
const OWN: i64 = 30;
const UNUSED: i64 = 200;

/// Functions whose results convert to no number and no bool.
const WORDS: [&str; 5] = ["type", "timestamp", "plantimestamp", "uuid", "bcrypt"];

impl UsedParts<'_> {
    /// Returns the functions that can be called, ranked by their uses elsewhere and by the arguments after the place.
    pub(super) fn ranked_functions(
        &self,
        expectation: &Expectation<'_>,
        context: &Context<'_>,
        prefix: Span,
    ) -> Result<Vec<Item>, Cancelled> {
        let behind = self.file.source().text().get(self.cursor.offset..).unwrap_or_default();
        let written = written_call(behind);
        let written = written.as_ref().and_then(|call| call.as_native()).and_then(|call| match call.kind() {
            ExpressionKind::FunctionCall(call) => Some(call),
            _ => None,
        });
        let mut shape = BTreeMap::new();
        if let Some(call) = written {
            let key = shape_key(call);
            shape = self
                .snapshot
                .shared(self.file.language(), |shared| shared.argument(&key).cloned().unwrap_or_default())?;
        }
        self.snapshot.check()?;
        let (mut items, functions) = (Vec::new(), self.functions(prefix));
        let here = self.file.learned().functions();
        let here_points = |name: &str| share(here, name, 300) + if here.contains_key(name) { HERE } else { 0 };
        let is_any = |checker: &Arc<Checker>| checker.schema().later_functions.iter().any(|name| name == "*");
        if !self.project.language().is_checked() || self.checkers.iter().any(is_any) {
            // The functions of a language whose signatures are unknown.
            let unknown_functions =
                context.functions.keys().filter(|name| !functions.iter().any(|known| known.label == **name));
            items.extend(unknown_functions.map(|name| Item {
                text: if behind.starts_with('(') { name.clone() } else { format!("{name}()") },
                snippet: (!behind.starts_with('(')).then(|| format!("{name}($0)")),
                points: context.call_points(name, &shape) + here_points(name),
                ..Item::new(name, ItemKind::Function, prefix)
            }));
        }
        let refuses_sensitive = self.refuses_sensitive();
        for function in functions {
            if refuses_sensitive && function.label == "sensitive" {
                continue;
            }
            if expectation.constant().is_some_and(|all| !all.contains(&function.label)) {
                continue;
            }
            let frequent =
                FREQUENT.iter().position(|name| *name == function.label).map_or(0, |at| (FREQUENT.len() - at) as i64);
            let takes = self.takes_arguments(&function.label, written);
            let result = match function.detail.as_deref() {
                Some(_) if WORDS.contains(&&*function.label) => Shape::Word,
                Some(signature) => Shape::of_result(signature),
                None => {
                    let own =
                        self.project.definitions().iter().find(|own| own.is_function() && own.name() == function.label);
                    own.map_or_else(|| Shape::of_name(&function.label), |own| Shape::of_definition(&self.project, &own))
                }
            };
            // A conversion has another type than what it converts.
            let converts = matches!(&*function.label, "toset" | "tolist" | "tomap");
            // The type of a list of arguments is not that of an argument.
            let written_first = written.filter(|call| !call.expands_last()).and_then(|call| call.arguments().next());
            let result = match written_first.filter(|_| !converts) {
                Some(first) if SAME_TYPE.contains(&&*function.label) => match self.shape_of_argument(first) {
                    Shape::Any => result,
                    shape => shape,
                },
                _ => result,
            };
            // Part of the result may fit, if the name is what is being typed.
            let is_start = expectation.excludes(context, result);
            if is_start && !self.is_typed(&function.label, prefix) {
                continue;
            }
            let fits = context.asked.map_or(0, |asked| 2 * asked.points(result)) + context.likeness(&function.label);
            let points = context.call_points(&function.label, &shape) + here_points(&function.label) + frequent + fits
                - if takes { 0 } else { 1_000 };
            items.push(Item { points: points + function.points, is_start, ..function });
        }
        Ok(items)
    }

    /// Returns the names of types.
    pub(super) fn types(&self, prefix: Span) -> Vec<Item> {
        const TYPES: [(&str, &str); 10] = [
            ("string", ""),
            ("number", ""),
            ("bool", ""),
            ("any", ""),
            ("list", "(string)"),
            ("map", "(string)"),
            ("set", "(string)"),
            ("object", "({})"),
            ("optional", "(string)"),
            ("tuple", "([])"),
        ];
        let steps = self.cursor.steps.as_deref().unwrap_or_default();
        match steps {
            // All of these have one argument.
            [.., Step::Argument(CallAt { argument: 1.., .. })] => return Vec::new(),
            // The attributes of an object, and the elements of a tuple, are in brackets of their own.
            [.., Step::Argument(call)] if call.name == "object" => {
                return vec![Item::new("{}", ItemKind::Value, prefix)];
            }
            [.., Step::Argument(call)] if call.name == "tuple" => {
                return vec![Item::new("[]", ItemKind::Value, prefix)];
            }
            // Braces and brackets are types only in these.
            [before @ .., Step::Key(_)] if !is_argument_of(before, "object") => return Vec::new(),
            [before @ .., Step::Element(_)] if !is_argument_of(before, "tuple") => return Vec::new(),
            _ => {}
        }
        let in_object = matches!(self.cursor.steps.as_deref(), Some([.., Step::Key(_)]));
        let is_called = self.rest().starts_with('(');
        let item = |(order, (name, rest)): (usize, &(&str, &str))| {
            let rest = if is_called { "" } else { rest };
            let first = *name == "optional" && in_object;
            let snippet = rest.strip_suffix(')').map(|start| match start.strip_suffix('}') {
                Some(start) => format!("{name}{}$0\\}})", in_snippet(start)),
                None => format!("{name}{}", in_snippet(start).replace("string", "${0:string}")) + ")",
            });
            Item {
                text: format!("{name}{rest}"),
                snippet,
                points: if first { 100 } else { 50 - order as i64 },
                ..Item::new(*name, ItemKind::Keyword, prefix)
            }
        };
        let fits =
            |(name, rest): &&(&str, &str)| (!is_called || !rest.is_empty()) && (in_object || *name != "optional");
        TYPES.iter().filter(fits).enumerate().map(item).collect()
    }

    /// Returns the shape of an argument of a call whose result has the type of its arguments.
    fn shape_of_argument(&self, argument: ExpressionNode<'_>) -> Shape {
        let text = argument.text();
        match self.project.definitions().get(text).filter(|definition| definition.address() == text) {
            Some(definition) => self.shape_of(&definition),
            None => Shape::of_expression(&self.project, argument),
        }
    }

    /// Returns an attribute of an object type, if one can be written at the place.
    pub(super) fn attribute_of_type(&self, prefix: Span) -> Option<Item> {
        let steps = self.cursor.steps.as_deref()?;
        let is_free = prefix.is_empty() && is_argument_of(steps, "object");
        is_free.then(|| Item {
            text: "name = string".to_owned(),
            snippet: Some("${1:name} = ${2:string}".to_owned()),
            ..Item::new("name = type", ItemKind::Snippet, prefix)
        })
    }

    /// Returns false if the arguments after the place do not fit the function.
    fn takes_arguments(&self, name: &str, written: Option<FunctionCall<'_>>) -> bool {
        let Some(call) = written.filter(|call| !call.expands_last()) else { return true };
        let count = call.arguments().count();
        let is_wrong = |first| asked_by_call(&self.project, name, 0).excludes(self.shape_of_argument(first));
        if call.arguments().next().is_some_and(is_wrong) {
            return false;
        }
        let Some(entry) = crate::project::entry_of(&self.project, name) else { return true };
        let (least, more) = (entry.function().parameters().len(), entry.function().variadic_parameter().is_some());
        count == least || count > least && more
    }

    /// Returns the functions that can be called.
    pub(super) fn functions(&self, prefix: Span) -> Vec<Item> {
        let set = self.project.language().functions();
        let own =
            self.project.definitions().iter().filter(|function| function.is_function() && function.module().is_none());
        // The arguments may already follow.
        let is_called = self.rest().starts_with('(');
        let text = |name: &str| if is_called { name.to_owned() } else { format!("{name}()") };
        let snippet = |name: &str| (!is_called).then(|| format!("{name}($0)"));
        // A function that nothing calls is probably defined for this place.
        let is_called_by =
            |name: &str| self.project.files().iter().any(|file| file.learned().functions().contains_key(name));
        let own = own.map(|function| Item {
            text: text(function.name()),
            snippet: snippet(function.name()),
            points: if is_called_by(function.name()) { OWN } else { UNUSED },
            ..Item::new(function.name(), ItemKind::Function, prefix)
        });
        // All functions of a library have two names. The longer one is offered once its start is typed.
        let namespace = set.namespace().map(|namespace| format!("{namespace}::"));
        let typed = self.file.source().text().get(prefix.range()).unwrap_or_default();
        let start = namespace.as_deref().filter(|namespace| typed.starts_with(*namespace)).unwrap_or_default();
        let entries = set.entries().iter().chain(hcl_lr::functions::host_entries().iter().filter(|entry| {
            self.project.language().roles().functions().get(entry.name()).is_some() && set.entry(entry.name()).is_none()
        }));
        let library = entries.map(|entry| {
            let name = format!("{start}{}", entry.name());
            Item {
                detail: Some(entry.signature()),
                documentation: Some(entry.summary().to_owned()),
                text: text(&name),
                snippet: snippet(&name),
                ..Item::new(&name, ItemKind::Function, prefix)
            }
        });
        let mut items: Vec<Item> = own.chain(library).collect();
        // Functions that exist only in the language, whose results are known when its program runs.
        let known: HashSet<String> = items.iter().map(|item| item.label.clone()).collect();
        let names = self.project.language().roles().functions().names();
        items.extend(names.filter(|name| !known.contains(*name) && !name.contains("::")).map(|name| Item {
            text: text(name),
            snippet: snippet(name),
            ..Item::new(name, ItemKind::Function, prefix)
        }));
        items
    }
}

/// Returns the call whose parentheses start a text. `None` if the text starts differently, they do not end nearby, or
/// there is an error in them.
fn written_call(text: &str) -> Option<hcl_lr::Expression> {
    hcl_lr::parse(format!("f{}", &text[..call_end(text)?]).as_str()).into_result().ok()
}

/// Returns true if steps lead into the first argument of a call.
fn is_argument_of(steps: &[Step], function: &str) -> bool {
    matches!(steps, [.., Step::Argument(CallAt { name, argument: 0 })] if name == function)
}
