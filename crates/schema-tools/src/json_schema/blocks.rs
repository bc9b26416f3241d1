//! Blocks and their labels as objects in JSON.

use super::types::words;
use super::words::{any_properties, either, of_type, push_all};
use super::{BodyIn, Writer};
use crate::json::Json;
use hcl_lr::stack;
use hcl_lr_language::internal::Id;
use hcl_lr_language::schema::model::{Block, Label};

impl<'i> Writer<'i> {
    /// The blocks of a type: nested objects for their labels, and one body or several.
    pub(crate) fn blocks(&mut self, block: &'i Block, body: Id, dynamic: bool, name: &str) -> Json {
        self.labels(block, &block.labels, &mut vec![(body, name.to_owned())], dynamic, false)
    }

    /// Wraps the bodies in objects, one for each label. With `open`, these may have any other contents.
    fn labels(
        &mut self,
        block: &'i Block,
        labels: &'i [Label],
        bodies: &mut Vec<(Id, String)>,
        dynamic: bool,
        open: bool,
    ) -> Json {
        let Some((label, rest)) = labels.split_first() else {
            return self.unlabeled(block, bodies.clone(), dynamic, open);
        };
        if label.optional || label.repeated {
            // The labels are present or absent; the names in the object decide.
            let base = self.node(bodies[0].0);
            // Without the label, the contents that depend on it are unknown.
            let depends = base.matches.iter().any(|match_node| match_node.matched.key == label.name)
                && !base.attributes().any(|attribute| attribute.name == label.name);
            let without = self.unlabeled(block, bodies.clone(), dynamic, open || depends);
            let rest = if label.repeated { &[] } else { rest };
            let with = stack::with_room(|| self.keyed(block, label, rest, bodies, dynamic, open));
            return either([without, with]);
        }
        self.keyed(block, label, rest, bodies, dynamic, open)
    }

    /// Returns the schema for the bodies of blocks whose labels are all given: one body, or several.
    fn unlabeled(&mut self, block: &Block, bodies: Vec<(Id, String)>, dynamic: bool, open: bool) -> Json {
        let body = self.closed(bodies, dynamic, BodyIn::Block);
        let body = if open { push_all(body, any_properties()) } else { body };
        let mut array = Json::object([("type", Json::text("array")), ("items", body.clone())]);
        if block.labels.is_empty() {
            array = array.with_some("maxItems", block.max.map(|max| Json::Raw(max.to_string())));
        }
        if block.max == Some(0) && block.labels.is_empty() {
            return either([array, of_type("null")]);
        }
        either([body, array, of_type("null")])
    }

    /// The object with the values of a label as its keys.
    fn keyed(
        &mut self,
        block: &'i Block,
        label: &'i Label,
        rest: &'i [Label],
        bodies: &mut Vec<(Id, String)>,
        dynamic: bool,
        open: bool,
    ) -> Json {
        let (base, name) = bodies[0].clone();
        let mut properties = Vec::new();
        let mut others = Some(());
        let mut other_bodies: Vec<(Id, String)> = Vec::new();
        let mut more = open;
        for match_node in self.node(base).matches.iter().filter(|match_node| match_node.matched.key == label.name) {
            let mut cases: Vec<(&str, Id)> = match_node.cases.iter().map(|(value, id)| (&**value, *id)).collect();
            cases.sort_unstable();
            for (value, id) in cases {
                bodies.push((id, format!("{name}.{value}")));
                let json = stack::with_room(|| self.labels(block, rest, bodies, dynamic, open));
                bodies.pop();
                properties.push((value.to_owned(), json));
            }
            match (match_node.otherwise, &match_node.matched.catalog) {
                (_, Some(_)) => more = true,
                (Some(id), _) => other_bodies.push((id, format!("{name}.otherwise"))),
                (None, None) => others = None,
            }
        }
        let others = match others {
            None if !more => Json::Bool(false),
            _ => {
                let before = bodies.len();
                bodies.extend(other_bodies);
                let json = stack::with_room(|| self.labels(block, rest, bodies, dynamic, more));
                bodies.truncate(before);
                json
            }
        };
        properties.push(("//".to_owned(), Json::Bool(true)));
        let mut object = Json::object([("type", Json::text("object")), ("properties", Json::Object(properties))])
            .with("additionalProperties", others)
            .with("minProperties", Json::Raw("1".to_owned()));
        if let Some(values) = words(self.index.resolve(&label.ty)) {
            let mut values: Vec<Json> = values.into_iter().map(Json::text).collect();
            values.push(Json::text("//"));
            object = object.with("propertyNames", Json::object([("enum", Json::Array(values))]));
        }
        let array = Json::object([("type", Json::text("array")), ("items", object.clone())]);
        either([object, array])
    }
}
