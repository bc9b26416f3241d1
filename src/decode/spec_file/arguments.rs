//! Arguments of specs.

use super::reader::Reader;
use crate::body::{Attribute, Block, Content};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::Scope;
use crate::model::{Type, Value};
use crate::stack;
use crate::type_expr::{Constraint, constraint_within};

/// The arguments of a block that is a spec.
pub(super) struct Arguments<'b> {
    pub block: &'b Block,
    pub content: Content,
    /// The name of the property of an `object` that the spec belongs to.
    pub property: Option<&'b str>,
}

impl Arguments<'_> {
    /// Returns the name that the spec looks for: that of an argument, or else of the property.
    pub fn name(&self, argument: &str, reader: &mut Reader) -> String {
        let given = match self.content.attribute(argument) {
            Some(attribute) => match self.converted(attribute, &Type::String, reader) {
                Some(value) => value.as_str().map(str::to_owned),
                None => return String::new(),
            },
            None => None,
        };
        if let Some(name) = given.or_else(|| self.property.map(str::to_owned)) {
            return name;
        }
        let place = self.content.missing_item_place();
        let kind = self.block.block_type();
        let what = if argument == "name" { "attribute" } else { "block type" };
        let detail = format!("the argument \"{argument}\" is required here: the {what} that this `{kind}` is for");
        let help = format!("write `{argument} = \"…\"`; the label can replace it only directly within an `object`");
        reader.report(Diagnostic::error(Code::RequiredArgument, place, detail).with_help(help));
        String::new()
    }

    /// A bool that is false unless it is given.
    pub fn flag(&self, argument: &str, reader: &mut Reader) -> bool {
        let attribute = self.content.attribute(argument);
        let value = attribute.and_then(|attribute| self.converted(attribute, &Type::Bool, reader));
        value.and_then(|value| value.as_bool()).unwrap_or(false)
    }

    /// Returns a number of blocks. Zero or less means no limit.
    pub fn count(&self, argument: &str, reader: &mut Reader) -> Option<usize> {
        let attribute = self.content.attribute(argument)?;
        let value = self.converted(attribute, &Type::Number, reader)?;
        let number = value.as_number()?;
        match i64::try_from(number) {
            Ok(count) => usize::try_from(count).ok().filter(|&count| count > 0),
            Err(_) => {
                self.unsuitable(attribute, "a whole number of blocks is required", reader);
                None
            }
        }
    }

    /// The names of labels. There must be some.
    pub fn labels(&self, reader: &mut Reader) -> Vec<String> {
        /// Each label is a level of the value, and the depth of values is limited.
        const MAX_LABELS: usize = 100;
        // The missing attribute has been reported.
        let Some(attribute) = self.content.attribute("labels") else { return vec![String::new()] };
        let names = match self.converted(attribute, &Type::list(Type::String), reader) {
            Some(list) => {
                let names: Option<Vec<String>> =
                    list.elements().unwrap_or_default().iter().map(|name| name.as_str().map(str::to_owned)).collect();
                names.unwrap_or_else(|| {
                    self.unsuitable(attribute, "the name of a label must not be null", reader);
                    vec![String::new()]
                })
            }
            None => vec![String::new()],
        };
        if names.is_empty() {
            let place = self.content.missing_item_place();
            let detail = "a `block_map` needs the name of at least one label, because the labels are the keys";
            let diagnostic = Diagnostic::error(Code::InvalidSpec, place, detail);
            reader.report(diagnostic.with_help("for example `labels = [\"name\"]`"));
            return vec![String::new()];
        }
        if names.len() > MAX_LABELS {
            self.unsuitable(attribute, &format!("at most {MAX_LABELS} labels are possible"), reader);
        }
        names
    }

    /// Returns the type in an argument, if there is one.
    pub fn constraint(&self, argument: &str, reader: &mut Reader) -> Option<Constraint> {
        let attribute = self.content.attribute(argument)?;
        match constraint_within(attribute.expression(), &reader.account) {
            Ok(constraint) => Some(constraint),
            Err(problems) => {
                reader.append(problems);
                None
            }
        }
    }

    /// Returns the value of an argument, which cannot use variables and functions.
    fn converted(&self, attribute: &Attribute, ty: &Type, reader: &mut Reader) -> Option<Value> {
        let outcome = attribute.expression().evaluate_partially(&Scope::new().within(&reader.account));
        let failed = outcome.has_errors();
        let value = reader.take(outcome);
        if failed {
            return None;
        }
        match stack::with_room_for(value.height(), || value.convert(ty)) {
            Ok(value) => Some(value),
            Err(why) => {
                self.unsuitable(attribute, &why.to_string(), reader);
                None
            }
        }
    }

    fn unsuitable(&self, attribute: &Attribute, why: &str, reader: &mut Reader) {
        let place = attribute.expression().start_place();
        let detail = format!("invalid value for argument \"{}\": {why}", attribute.name());
        let diagnostic = Diagnostic::error(Code::InvalidArgumentValue, place, detail);
        reader.report(diagnostic.with_context(attribute.place()));
    }
}
