//! Completes names at the cursor.
//!
//! The tokens before the cursor determine the kind of name: after an operator or bracket it is a variable or function,
//! after a dot an attribute. In the text of a template, there are no completions.

use std::collections::HashMap;

use super::commands::Command;
use super::input::{Kind, kind};
use hcl_lr::functions::FunctionSet;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::{Source, Span};
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::is_identifier;
use hcl_lr::syntax::unfinished::{Open, Unfinished};

/// No more are offered.
const MAX_CANDIDATES: usize = 500;

/// The maximum number of names of a value to examine.
const MAX_NAMES: usize = 100_000;

/// Returns the matching names at the end of a text, and the offset from which they replace it.
pub fn candidates(text: &str, variables: &HashMap<String, Value>, functions: FunctionSet) -> (usize, Vec<String>) {
    let mut rest = text;
    if kind(text.as_bytes()) == Kind::Command {
        if !text.trim_start().contains(char::is_whitespace) {
            let start = text.len() - text.trim_start().len();
            return (start, Command::names().filter(|name| name.starts_with(&text[start..])).collect());
        }
        // Finds the beginning of the argument; a command without one gets no candidates.
        match Command::of(text.as_bytes()) {
            Ok((_, argument)) if Command::argument(text.as_bytes()).is_some() => {
                let argument = String::from_utf8_lossy(argument);
                rest = &text[text.trim_end().len() - argument.trim_end().len()..];
            }
            Err(_) if text.ends_with(char::is_whitespace) => rest = "",
            _ => return (text.len(), Vec::new()),
        }
    }
    let offset = text.len() - rest.len();
    let body = kind(rest.as_bytes()) == Kind::Items;
    let unfinished = Unfinished::read(Source::new("", rest), body);
    if matches!(unfinished.open, Some(Open::Comment)) {
        return (text.len(), Vec::new());
    }
    let (start, mut found) = Place { text: rest, tokens: unfinished.tokens(), variables, functions }.candidates();
    found.truncate(MAX_CANDIDATES);
    (offset + start, found)
}

/// The end of a text, its tokens, and the variables.
struct Place<'a> {
    text: &'a str,
    tokens: Vec<(TokenKind, Span)>,
    variables: &'a HashMap<String, Value>,
    functions: FunctionSet,
}

/// The known information about a part of a value.
enum Known<'a> {
    Value(&'a Value),
    Type(Type),
}

impl Place<'_> {
    fn candidates(mut self) -> (usize, Vec<String>) {
        use TokenKind::*;
        self.tokens.retain(|(kind, span)| !matches!(kind, EndOfFile) && span.end() <= self.text.len());
        let end = self.text.len();
        let nothing = (end, Vec::new());
        if let Some(key) = self.key() {
            return key;
        }
        // A line comment at the cursor has no token.
        let after = self.tokens.last().map_or(0, |(_, span)| span.end());
        let (Some(gap), Some(&(last, span))) = (self.text.get(after..), self.tokens.last()) else {
            return if self.text.trim().is_empty() { (end, self.names("")) } else { nothing };
        };
        if gap.contains(['#', '/']) {
            return nothing;
        }
        match last {
            GetAttr if gap.is_empty() => {
                let names = self.attributes(self.tokens.len() - 1, &self.text[span.range()]);
                (span.start(), names)
            }
            Dot if !gap.contains('\n') => (end, self.attributes(self.tokens.len() - 1, "")),
            Identifier | Literal | For | In | If | DoubleColon if gap.is_empty() => {
                let start = self.name_start();
                let prefix = &self.text[start..];
                if prefix.starts_with(|char: char| char.is_alphabetic() || char == '_') && !self.is_new_name() {
                    (start, self.names(prefix))
                } else {
                    nothing
                }
            }
            // A name cannot follow an operand, and text is not completed.
            Identifier | Literal | String | GetAttr | LegacyIndex | AttrSplat | FullSplat | Ellipsis | Dot
            | TemplateLiteral | Template | Illegal | CloseBlock | CloseBrace | CloseBracket | CloseParen
            | CloseTemplate | CloseSequence | For | EndIfDirective | EndForDirective | ElseDirective | ForDirective
            | UnknownDirective => nothing,
            Keyword if !matches!(self.tokens.iter().rev().nth(1), Some((IfDirective, _))) => nothing,
            _ => (end, self.names("")),
        }
    }

    /// Returns the start of the name that ends the text, with its namespaces.
    fn name_start(&self) -> usize {
        use TokenKind::*;
        let mut start = self.text.len();
        let mut wants_name = !matches!(self.tokens.last(), Some((DoubleColon, _)));
        for (kind, span) in self.tokens.iter().rev() {
            let fits = if wants_name { !matches!(kind, DoubleColon) } else { matches!(kind, DoubleColon) };
            if !fits || span.end() != start {
                break;
            }
            start = span.start();
            wants_name = !wants_name;
            if !wants_name && !matches!(kind, Identifier | Literal | For | In | If | DoubleColon) {
                break;
            }
        }
        start
    }

    /// Returns true if the last name is a new one: after a `for`, or a key of an object.
    fn is_new_name(&self) -> bool {
        match self.tokens.iter().rev().nth(1) {
            Some((TokenKind::Keyword, _)) => {
                matches!(self.tokens.iter().rev().nth(2), Some((TokenKind::ForDirective, _)))
            }
            before => matches!(before, Some((TokenKind::For, _))),
        }
    }

    /// Variables and functions.
    fn names(&self, prefix: &str) -> Vec<String> {
        let variables = self.variables.keys().filter(|name| is_identifier(name)).cloned();
        // The longer names of functions are offered once their start is typed.
        let namespace = self.functions.namespace().map(|namespace| format!("{namespace}::"));
        let start = namespace.filter(|namespace| prefix.starts_with(namespace)).unwrap_or_default();
        let calls = self.functions.entries().iter().map(|entry| format!("{start}{}(", entry.name()));
        let mut names: Vec<String> = variables.chain(calls).filter(|name| name.starts_with(prefix)).collect();
        names.sort_unstable();
        names
    }

    /// The attributes of the text before a token.
    fn attributes(&self, before: usize, prefix: &str) -> Vec<String> {
        let fits = |name: &&str| name.starts_with(prefix) && is_identifier(name);
        self.value_before(before).map_or_else(Vec::new, |known| known.names(fits))
    }

    /// The keys in quotes, if the text ends with a bracket that is an index, or a part of a key.
    fn key(&self) -> Option<(usize, Vec<String>)> {
        let bracket = self.tokens.iter().rposition(|(kind, _)| *kind == TokenKind::OpenBracket)?;
        let after = self.tokens[bracket].1.end();
        let begun = self.text[after..].trim_start();
        let prefix = begun.strip_prefix('"').unwrap_or(begun);
        let is_key = begun.is_empty() || begun.starts_with('"') && !prefix.contains(['"', '\\', '$', '%', '\n']);
        let before = bracket.checked_sub(1).map(|before| self.tokens[before].0)?;
        if !is_key || !before.ends_operand() {
            return None;
        }
        let known = self.value_before(bracket)?;
        if begun.is_empty() && !known.has_names() {
            return None;
        }
        let names = known.names(|name| name.starts_with(prefix));
        let quoted = names.iter().map(|name| format!("{}]", Value::from(name.as_str()))).collect();
        Some((self.text.len() - begun.len(), quoted))
    }

    /// Returns the known information about the chain of names and indexes before a token. Calls in it are not
    /// evaluated.
    fn value_before(&self, before: usize) -> Option<Known<'_>> {
        use TokenKind::*;
        let mut first = before.checked_sub(1)?;
        while !matches!(self.tokens[first].0, Identifier) {
            first = match self.tokens[first].0 {
                GetAttr | LegacyIndex | AttrSplat | FullSplat => first.checked_sub(1)?,
                CloseBracket => first.checked_sub(3).filter(|&at| self.tokens[at + 1].0 == OpenBracket)?,
                _ => return None,
            };
        }
        let mut known = Known::Value(self.variables.get(&self.text[self.tokens[first].1.range()])?);
        for (kind, span) in &self.tokens[first + 1..before] {
            let text = &self.text[span.range()];
            known = match kind {
                GetAttr => known.attribute(text)?,
                AttrSplat | FullSplat => known.each()?,
                LegacyIndex => known.element(text.parse().ok()?)?,
                Literal => match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                    Some(name) => known.attribute(name)?,
                    None => known.element(text.parse().ok()?)?,
                },
                _ => known,
            };
        }
        Some(known)
    }
}

impl<'a> Known<'a> {
    /// Returns the value, if more than its type is known. Marked values may be secret.
    fn value(&self) -> Option<&'a Value> {
        match self {
            Known::Value(value) if !value.is_marked() && value.elements().is_some() => Some(value),
            _ => None,
        }
    }

    fn ty(&self) -> Type {
        match self {
            Known::Value(value) => value.shown_type(),
            Known::Type(ty) => ty.clone(),
        }
    }

    fn attribute(self, name: &str) -> Option<Known<'a>> {
        if let Some(value) = self.value() {
            return value.attribute(name).or_else(|| value.entry(name)).map(Known::Value);
        }
        let ty = self.ty();
        match &ty {
            Type::Map(_) => ty.element_type().cloned(),
            _ => ty.attribute_type(name).cloned(),
        }
        .map(Known::Type)
    }

    fn element(self, index: usize) -> Option<Known<'a>> {
        if let Some(value) = self.value() {
            return value.elements()?.get(index).map(Known::Value);
        }
        let ty = self.ty();
        ty.tuple_elements().and_then(|all| all.get(index)).or(ty.element_type()).cloned().map(Known::Type)
    }

    /// Returns the element of a splat, represented by the first one.
    fn each(self) -> Option<Known<'a>> {
        match self.ty() {
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => self.element(0),
            _ => Some(self),
        }
    }

    fn has_names(&self) -> bool {
        self.value().is_some_and(|value| value.entries().is_some()) || self.ty().attributes().is_some()
    }

    fn names(&self, fits: impl Fn(&&str) -> bool) -> Vec<String> {
        if let Some(value) = self.value() {
            let names = value.entries().into_iter().flatten().map(|(name, _)| name);
            return names.take(MAX_NAMES).filter(fits).take(MAX_CANDIDATES).map(str::to_owned).collect();
        }
        let ty = self.ty();
        let names = ty.attributes().unwrap_or_default().iter().map(|attribute| attribute.name());
        names.take(MAX_NAMES).filter(fits).take(MAX_CANDIDATES).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text with the first candidate inserted, and the number of candidates.
    fn complete(text: &str) -> (usize, Option<String>) {
        let server = Value::object([
            ("address", Value::from("a")),
            ("port", Value::from(80)),
            ("paths", Value::tuple([Value::object([("root", Value::from("/"))])])),
            ("with space", Value::from(1)),
        ]);
        let planned = Value::unknown(Type::object([("region", Type::String), ("zones", Type::list(Type::Number))]));
        let secret = Value::object([("name", Value::from(1))]).mark("sensitive");
        let variables = [("server", server.clone()), ("servers", Value::tuple([server])), ("planned", planned)];
        let mut variables: HashMap<String, Value> =
            variables.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        variables.insert("secret".to_owned(), Value::tuple([secret]));
        let (start, found) = candidates(text, &variables, FunctionSet::Standard);
        (found.len(), found.first().map(|first| format!("{}{first}", &text[..start])))
    }

    fn completed(text: &str) -> String {
        match complete(text) {
            (1, Some(only)) => only,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn names_are_variables_and_functions() {
        assert_eq!(completed("upp"), "upper(");
        assert_eq!(completed("1 + pla"), "1 + planned");
        assert_eq!(complete("serv"), (2, Some("server".to_owned())));
        assert_eq!(completed("x = [pla"), "x = [planned");
        assert_eq!(completed("[for s in pla"), "[for s in planned");
        assert_eq!(completed(":type pla"), ":type planned");
        assert!(complete("").0 > 4 && complete("f(").0 > 4 && complete(":type ").0 > 4);
    }

    #[test]
    fn behind_a_dot_are_attributes() {
        assert_eq!(completed("server.po"), "server.port");
        assert_eq!(complete("server."), (3, Some("server.address".to_owned())));
        assert_eq!(completed("servers[0].paths[0].r"), "servers[0].paths[0].root");
        assert_eq!(completed("servers.0.po"), "servers.0.port");
        assert_eq!(completed("servers[*].po"), "servers[*].port");
        assert_eq!(completed("planned.re"), "planned.region");
        assert_eq!(complete("planned.zones.").0, 0);
        assert_eq!(complete("nothing.").0, 0);
        assert_eq!(completed(":ast server.po"), ":ast server.port");
    }

    #[test]
    fn in_an_index_are_keys() {
        assert_eq!(completed("server[\"wi"), "server[\"with space\"]");
        assert_eq!(complete("server[").0, 4);
        assert_eq!(completed("\"${server[\"po"), "\"${server[\"port\"]");
    }

    #[test]
    fn templates_have_names_in_sequences_only() {
        assert_eq!(completed("\"at ${server.po"), "\"at ${server.port");
        assert_eq!(completed("\"%{ if pla"), "\"%{ if planned");
        assert_eq!(completed("<<EOT\nat ${server.po"), "<<EOT\nat ${server.port");
        assert_eq!(completed("a = \"${\n[pla"), "a = \"${\n[planned");
        for text in ["\"pla", "\"${server} pla", "<<EOT\npla", "# pla", "/* pla", "1 // pla", "1 /* */ # pla"] {
            assert_eq!(complete(text), (0, None), "{text}");
        }
    }

    #[test]
    fn where_no_name_fits_nothing_is_offered() {
        for text in ["1", "1 ", "\"a\" ", "server ", "f() ", "[for pla", "[for ", ")", ":help ", ":nonsense", "\u{0}"] {
            assert_eq!(complete(text), (0, None), "{text:?}");
        }
    }

    #[test]
    fn commands_stand_behind_a_colon() {
        assert_eq!(completed(":ty"), ":type ");
        assert_eq!(completed("  :q"), "  :quit");
        assert_eq!(complete(":").0, 7);
    }

    #[test]
    fn functions_have_a_second_name_in_a_namespace() {
        let found = |text: &str| candidates(text, &HashMap::new(), FunctionSet::Terraform);
        assert_eq!(found("core::upp"), (0, vec!["core::upper(".to_owned()]));
        assert_eq!(found("upp"), (0, vec!["upper(".to_owned()]));
    }

    #[test]
    fn the_work_is_bounded() {
        let many = (0..200_000).map(|index| (format!("name{index}"), Value::from(1)));
        let variables = HashMap::from([("a".to_owned(), Value::object(many))]);
        assert_eq!(candidates("a.", &variables, FunctionSet::Standard).1.len(), MAX_CANDIDATES);
        assert_eq!(candidates(&"(".repeat(100_000), &variables, FunctionSet::Standard).1.len(), 0);
        assert_eq!(candidates(&"a[".repeat(100_000), &variables, FunctionSet::Standard).1.len(), 0);
    }
}
