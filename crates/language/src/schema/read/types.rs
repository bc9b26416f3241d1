//! Reads types.

use std::borrow::Cow;
use std::sync::Arc;

use super::fields::Reading;
use crate::schema::model::{Format, NameIn, ObjectAttribute, ObjectType, Range, Type};
use hcl_lr::body::Expression;
use hcl_lr::model::{Number, Value};
use hcl_lr::stack;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, FunctionCall};

/// The type of an attribute, with the wrappers around it.
pub(super) struct Outer {
    pub ty: Type,
    /// `Some(true)` for `required(T)`, `Some(false)` for `optional(T)`.
    pub required: Option<bool>,
    pub default: Option<Value>,
    /// True for `repeated(T)`.
    pub repeated: bool,
}

const NAMES: &str = "string, number, integer, bool, any, type, expression, list(…), set(…), map(…), tuple([…]), \
                     object({…}), one_of(…), keyword(…), reference(…), address(…), path(body), string_name(…), \
                     typed_by(…), catalog(…), a literal value, a format such as duration, or a name of `types`";

impl Reading {
    /// Reads the type of an attribute or label. Errors are reported, and the type becomes `any`.
    pub fn outer(&mut self, expression: &Expression, is_label: bool) -> Outer {
        let plain = |ty| Outer { ty, required: None, default: None, repeated: false };
        let in_string;
        let node = match expression.as_native() {
            Some(node) => node,
            None => {
                in_string = expression.in_string();
                match in_string.as_ref().and_then(Expression::as_native) {
                    Some(node) => node,
                    None => {
                        self.error(expression.place(), "a type is required here");
                        return plain(Type::Any);
                    }
                }
            }
        };
        let read_whole = |reading: &mut Self, node| match is_label {
            true => reading.ty(node),
            false => reading.whole(node),
        };
        let ExpressionKind::FunctionCall(call) = node.kind() else { return plain(self.ty(node)) };
        let arguments: Vec<ExpressionNode<'_>> = call.arguments().collect();
        let name = call.name();
        let most = match &*name {
            "required" if !is_label => 1,
            "repeated" if is_label => 1,
            "optional" if is_label => 1,
            "optional" => 2,
            _ => return plain(read_whole(self, node)),
        };
        if arguments.is_empty() || arguments.len() > most {
            let wanted = if most == 1 { "one argument, a type" } else { "a type, and perhaps a default" };
            self.error(node.place(), format!("`{name}` takes {wanted}"));
            return plain(Type::Any);
        }
        let ty = read_whole(self, arguments[0]);
        let default = arguments.get(1).and_then(|default| self.default(*default, &ty));
        Outer {
            ty,
            required: (name != "repeated").then_some(name == "required"),
            default,
            repeated: name == "repeated",
        }
    }

    /// Reads the type of an attribute of a body.
    fn whole(&mut self, node: ExpressionNode<'_>) -> Type {
        let ExpressionKind::FunctionCall(call) = node.kind() else { return self.ty(node) };
        if call.name() != "typed_by" {
            return self.ty(node);
        }
        match &self.names(&call.arguments().collect::<Vec<_>>())[..] {
            [name] => Type::TypedBy(name.clone()),
            _ => {
                self.error(node.place(), "`typed_by` takes the name of an attribute");
                Type::Any
            }
        }
    }

    /// Reads a default: a value, or a word for the type `keyword`.
    fn default(&mut self, node: ExpressionNode<'_>, ty: &Type) -> Option<Value> {
        let takes =
            |ty: &Type, word: &str| matches!(ty, Type::Keyword(words) if words.iter().any(|known| known == word));
        if let Some(word) = node.as_traversal().and_then(|traversal| traversal.as_variable()) {
            let is_word = match ty {
                Type::OneOf(types) => types.iter().any(|ty| takes(ty, word)),
                ty => takes(ty, word),
            };
            if is_word {
                return Some(Value::from(word));
            }
        }
        self.value(&Expression::from(node))
    }

    /// Reads a type.
    pub fn ty(&mut self, node: ExpressionNode<'_>) -> Type {
        match node.kind() {
            ExpressionKind::Parentheses(parentheses) => stack::with_room(|| self.ty(parentheses.inner())),
            ExpressionKind::FunctionCall(call) => stack::with_room(|| self.call(node, call)),
            ExpressionKind::Traversal(traversal) => match traversal.as_variable() {
                Some(name) => named(name),
                None => self.no_type(node),
            },
            ExpressionKind::Object(_) => {
                self.error_with_help(node.place(), "an object is not a type", "write `object({ … })`");
                Type::Any
            }
            ExpressionKind::Tuple(_) => {
                self.error_with_help(
                    node.place(),
                    "a list is not a type",
                    "write `list(…)`, `tuple([…])` or `one_of(…)`",
                );
                Type::Any
            }
            _ => match self.value(&Expression::from(node)) {
                Some(value) => Type::Literal(value),
                None => Type::Any,
            },
        }
    }

    fn no_type(&mut self, node: ExpressionNode<'_>) -> Type {
        self.error_with_help(node.place(), "this is not a type", format!("types are {NAMES}"));
        Type::Any
    }

    fn call(&mut self, node: ExpressionNode<'_>, call: FunctionCall<'_>) -> Type {
        let name: Cow<'_, str> = call.name();
        let arguments: Vec<ExpressionNode<'_>> = call.arguments().collect();
        let only_argument = |reading: &mut Self| match arguments[..] {
            [only] => reading.ty(only),
            _ => {
                reading.error(node.place(), format!("`{name}` takes one argument, a type"));
                Type::Any
            }
        };
        match &*name {
            "list" => Type::list(only_argument(self)),
            "set" => Type::set(only_argument(self)),
            "map" => Type::map(only_argument(self)),
            "tuple" => self.tuple(node, &arguments),
            "object" => self.object(node, &arguments),
            "one_of" => {
                if arguments.is_empty() {
                    self.error(node.place(), "`one_of` takes types or literal values");
                }
                Type::OneOf(arguments.into_iter().map(|argument| self.ty(argument)).collect())
            }
            "number" => Type::Number(self.range(node, &arguments)),
            "integer" => Type::Integer(self.range(node, &arguments)),
            "keyword" => Type::Keyword(self.names(&arguments)),
            "reference" => Type::Reference(self.names(&arguments)),
            "address" => Type::Address(self.names(&arguments)),
            "path" => Type::Path,

            "string_name" => self.string_name(node, &arguments),
            "catalog" => match &self.names(&arguments)[..] {
                [name] => Type::Catalog(name.clone()),
                _ => {
                    self.error(node.place(), "`catalog` takes the name of a catalog");
                    Type::Any
                }
            },
            "typed_by" => {
                let help = "write it as the whole type of an attribute of a body";
                self.error_with_help(node.place(), "`typed_by` cannot be here", help);
                Type::Any
            }
            "required" | "optional" | "repeated" => {
                let help = "write it around the whole type of an attribute or label, or around that of an attribute in `object({ … })`";
                self.error_with_help(node.place(), format!("`{name}` cannot be here"), help);
                arguments.first().map_or(Type::Any, |ty| self.ty(*ty))
            }
            _ => self.no_type(node),
        }
    }

    /// Reads the bare words of a call.
    fn names(&mut self, arguments: &[ExpressionNode<'_>]) -> Vec<String> {
        let mut names = Vec::new();
        for argument in arguments {
            let word = argument.as_traversal().and_then(|traversal| traversal.as_variable());
            match (word, argument.kind()) {
                (Some(word), _) => names.push(word.to_owned()),
                // Words such as `null` are not names in expressions, but can be words of a language.
                (None, ExpressionKind::Bool(_) | ExpressionKind::Null) => names.push(argument.text().to_owned()),
                // A word with a hyphen is one name.
                _ => self.error(argument.place(), "a bare word is required here"),
            }
        }
        names
    }

    fn tuple(&mut self, node: ExpressionNode<'_>, arguments: &[ExpressionNode<'_>]) -> Type {
        match arguments.first().map(|argument| argument.kind()) {
            Some(ExpressionKind::Tuple(tuple)) if arguments.len() == 1 => {
                Type::Tuple(tuple.elements().map(|element| self.ty(element)).collect())
            }
            _ => {
                self.error(node.place(), "`tuple` takes a list of types: `tuple([string, number])`");
                Type::Any
            }
        }
    }

    fn object(&mut self, node: ExpressionNode<'_>, arguments: &[ExpressionNode<'_>]) -> Type {
        let [argument] = arguments else {
            self.error(node.place(), "`object` takes the types of its attributes, or the name of a part");
            return Type::Any;
        };
        let ExpressionKind::Object(object) = argument.kind() else {
            return match argument.as_traversal().and_then(|traversal| traversal.as_variable()) {
                Some(part) => Type::Part(part.to_owned()),
                None => {
                    self.error(argument.place(), "this is neither an object with types nor the name of a part");
                    Type::Any
                }
            };
        };
        let mut ty = ObjectType::new();
        for element in object.elements() {
            let Some(name) = element.key_text().map(Cow::into_owned) else {
                self.error(element.key_expression().place(), "the name of an attribute is required here");
                continue;
            };
            let mut outer = self.outer(&Expression::from(element.value()), false);
            if let Type::TypedBy(_) = outer.ty {
                let help = "write it as the whole type of an attribute of a body";
                self.error_with_help(element.value().place(), "`typed_by` cannot be here", help);
                outer.ty = Type::Any;
            }
            if name == "*" {
                ty.others = Some(outer.ty);
                continue;
            }
            if ty.attribute(&name).is_some() {
                self.error(element.key_expression().place(), format!("there is an attribute `{name}` already"));
            }
            let optional = outer.required == Some(false);
            let attribute = ObjectAttribute::new(name, outer.ty);
            ty.attributes.push(ObjectAttribute { optional, default: outer.default, ..attribute });
        }
        Type::Object(Arc::new(ty))
    }

    fn range(&mut self, node: ExpressionNode<'_>, arguments: &[ExpressionNode<'_>]) -> Range {
        if arguments.is_empty() || arguments.len() > 2 {
            self.error(node.place(), "a range is its smallest and its largest number, such as `integer(1, 65535)`");
            return Range::ALL;
        }
        let mut limits: Vec<Option<Number>> = Vec::new();
        for argument in arguments {
            let value = self.value(&Expression::from(*argument));
            let number = value.as_ref().and_then(|value| value.as_number().cloned());
            if number.is_none() && value.is_some_and(|value| !value.is_null()) {
                self.error(argument.place(), "the limits of a range are numbers, or null for no limit");
            }
            limits.push(number);
        }
        let (min, max) = (limits.remove(0), limits.pop().flatten());
        if let (Some(min), Some(max)) = (&min, &max)
            && min > max
        {
            self.error(node.place(), "no number is in this range");
        }
        Range { min, max }
    }

    /// Reads `string_name([kind, …], { prefix = "…", forms = ["…"], needed = true, optional = true })`.
    fn string_name(&mut self, node: ExpressionNode<'_>, arguments: &[ExpressionNode<'_>]) -> Type {
        let mut name = NameIn::default();
        match arguments.first().map(|kinds| kinds.kind()) {
            Some(ExpressionKind::Tuple(kinds)) if arguments.len() <= 2 => {
                name.kinds = self.names(&kinds.elements().collect::<Vec<_>>());
            }
            _ => {
                let help = "write `string_name([KIND, …])`, or `string_name([KIND, …], { prefix = \"…\" })`";
                self.error_with_help(node.place(), "`string_name` takes a list of kinds of definitions", help);
                return Type::String;
            }
        }
        let Some(options) = arguments.get(1) else { return Type::Name(Arc::new(name)) };
        let value = self.value(&Expression::from(*options));
        let Some(value) = value.filter(|value| value.entries().is_some()) else {
            self.error(options.place(), "options of `string_name` are an object");
            return Type::Name(Arc::new(name));
        };
        for (option, value) in value.entries().into_iter().flatten() {
            match (option, value.as_str(), value.as_bool(), value.elements()) {
                ("prefix", Some(prefix), ..) => name.prefix = Some(prefix.to_owned()),
                ("needed", _, Some(needed), _) => name.needed = needed,
                ("optional", _, Some(optional), _) => name.optional = optional,
                ("forms", _, _, Some(forms)) => {
                    name.forms = forms.iter().filter_map(|form| form.as_str().map(str::to_owned)).collect();
                }
                _ => {
                    let help = "options are `prefix` (a string), `forms` (a list of strings), `needed` and `optional` (true or false)";
                    self.error_with_help(options.place(), format!("`{option}` cannot be set to this here"), help);
                }
            }
        }
        Type::Name(Arc::new(name))
    }
}

/// Returns the type with a bare name.
fn named(name: &str) -> Type {
    match name {
        "any" => Type::Any,
        "string" => Type::String,
        "number" => Type::NUMBER,
        "integer" => Type::INTEGER,
        "bool" => Type::Bool,
        "type" => Type::TypeExpression,
        "expression" => Type::Expression,
        "list" => Type::list(Type::Any),
        "set" => Type::set(Type::Any),
        "map" => Type::map(Type::Any),
        _ => Format::named(name).map_or_else(|| Type::Named(name.to_owned()), Type::Format),
    }
}
