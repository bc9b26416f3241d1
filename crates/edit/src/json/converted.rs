//! Conversion of new values and items from native syntax to JSON, and of copied ones back.
//!
//! The place of a value decides if it is kept as an expression, as the type of a variable is. So the text is put into
//! the blocks on the path to its place, and the whole is converted.

use std::collections::HashMap;

use super::members::{Member, children_or_self, dedented, nested, property_of, read};
use crate::{EditError, Item, ItemSources};
use hcl_lr::construct::{BuildError, NewExpression};
use hcl_lr::convert::{ConversionOptions, ConversionSchema, JsonStrings, to_json, to_native};
use hcl_lr::json::{Node, Property};
use hcl_lr::parse;
use hcl_lr::syntax::ast::BodyItem;
use hcl_lr::syntax::{File, is_identifier};

/// The means of a conversion.
#[derive(Clone, Copy)]
pub(super) struct Conversion<'c> {
    pub schema: &'c ConversionSchema,
    pub strings: JsonStrings,
}

/// New properties, and the number of comments that JSON cannot have.
type Converted = (Vec<Member>, usize);

impl Conversion<'_> {
    /// Returns the JSON of a value in HCL at a path of names, and the number of its comments.
    pub fn value(self, path: &[String], hcl: &str) -> Result<(String, usize), EditError> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let blocks = self.schema.blocks_on_path(&path);
        let named: usize = blocks.iter().map(|(_, labels)| 1 + labels.len()).sum();
        let name = path.get(named).copied().filter(|name| is_identifier(name)).unwrap_or("value");
        let (members, comments) = self.members_of(&blocks, &format!("{name} = {hcl}"))?;
        match members.into_iter().next() {
            Some(member) => Ok((member.json, comments)),
            None => Err(EditError::Misplaced("there is no value")),
        }
    }

    /// Returns the properties for attributes and blocks in HCL, for the body at a path of names.
    pub fn members(self, path: &[String], hcl: &str) -> Result<Converted, EditError> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        self.members_of(&self.schema.blocks_on_path(&path), hcl)
    }

    fn members_of(self, blocks: &[(&str, Vec<&str>)], hcl: &str) -> Result<Converted, EditError> {
        let quoted = |label: &&str| NewExpression::from(*label).to_string();
        let mut text = String::new();
        for (block_type, labels) in blocks {
            let labels: Vec<String> = labels.iter().map(quoted).collect();
            text.push_str(&format!("{block_type} {} {{\n", labels.join(" ")));
        }
        let before = text.len();
        text.push_str(hcl);
        text.push_str(&"\n}".repeat(blocks.len()));
        text.push('\n');
        let file = parse::<File>(("new text", text.as_str())).into_result();
        let file = file.map_err(|diagnostics| EditError::Build(BuildError::Syntax(diagnostics)))?;
        let options = ConversionOptions::new().with_schema(self.schema).with_strings(self.strings);
        let converted = to_json(&file, &options).into_result().map_err(EditError::Conversion)?;
        let document = read(&converted.text)?;
        // Through the blocks around the text.
        let mut node = Some(document.root());
        let mut body = Some(file.body());
        for (block_type, labels) in blocks {
            for name in [block_type].into_iter().chain(labels) {
                node = node.and_then(|node| property_of(node, name)).map(Property::value);
            }
            body = body.and_then(|body| body.blocks().next()).map(|block| block.body());
        }
        let (Some(node), Some(body)) = (node, body) else { return Err(EditError::misplaced()) };
        if body.span().start() > before && body.items().len() == 0 {
            return Ok((Vec::new(), converted.comments_left_out));
        }
        let objects = children_or_self(node).into_iter().filter_map(Node::as_object);
        let labels_of: HashMap<&str, usize> =
            body.blocks().map(|block| (block.block_type(), block.labels().len())).collect();
        let member = |property: Property<'_>| {
            let name = property.name().into_owned();
            let labels = labels_of.get(name.as_str()).copied();
            Member { name, labels, json: dedented(property.value()) }
        };
        Ok((objects.flat_map(|object| object.properties()).map(member).collect(), converted.comments_left_out))
    }

    /// Returns the JSON of the body of a block in HCL that has the type and the labels of another block.
    pub fn body_of_block(self, path: &[String], names: &[String], hcl: &str) -> Result<(String, usize), EditError> {
        const OTHER: EditError =
            EditError::Misplaced("in JSON, a block can only be replaced by one of the same type and labels");
        let (members, comments) = self.members(path, hcl)?;
        let [Member { name, labels: Some(_), json }] = &members[..] else { return Err(OTHER) };
        let Some((block_type, labels)) = names.split_first() else { return Err(OTHER) };
        let document = read(json)?;
        let mut node = (name == block_type).then_some(document.root());
        for label in labels {
            node = node.and_then(|node| property_of(node, label)).map(Property::value);
        }
        node.map(|node| (node.text().to_owned(), comments)).ok_or(OTHER)
    }

    /// Returns the source in native syntax of a property in the body at a path of names.
    pub fn native(self, member: &Member, path: &[String]) -> Result<String, EditError> {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let blocks = self.schema.blocks_on_path(&[&names[..], &[member.name.as_str()]].concat());
        // The last one may be the property itself, if it has no labels.
        let around = blocks.iter().scan(0, |named, (_, labels)| {
            *named += 1 + labels.len();
            (*named <= names.len()).then_some(())
        });
        let around = around.count();
        let json = nested(names.iter().copied(), format!("{{\n  {}\n}}", member.text().replace('\n', "\n  ")));
        let document = read(&json)?;
        let options = ConversionOptions::new().with_schema(self.schema).with_strings(self.strings);
        let text = to_native(&document, &options).into_result().map_err(EditError::Conversion)?.text;
        let file = parse::<File>(text).into_result().map_err(EditError::Conversion)?;
        let mut body = Some(file.body());
        for _ in 0..around {
            body = body.and_then(|body| body.blocks().next()).map(|block| block.body());
        }
        let items = body.into_iter().flat_map(|body| body.items()).filter_map(|item| match item {
            BodyItem::Attribute(attribute) => Some(Item::Attribute(attribute)),
            BodyItem::Block(block) => Some(Item::Block(block)),
            _ => None,
        });
        let sources = ItemSources::new(&file);
        let texts: Result<Vec<String>, _> = items.map(|item| sources.of(item)).collect();
        texts.map(|sources| sources.join("\n"))
    }

    /// Returns a value at a path of names in native syntax.
    pub fn native_value(self, path: &[String], value: Node<'_>) -> Result<NewExpression, EditError> {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let named: usize = self.schema.blocks_on_path(&names).iter().map(|(_, labels)| 1 + labels.len()).sum();
        let name = path.get(named).filter(|name| is_identifier(name)).map_or("value", String::as_str);
        let member = Member { name: name.to_owned(), labels: None, json: dedented(value) };
        let text = self.native(&member, &path[..named.min(path.len())])?;
        let file = parse::<File>(text).into_result().map_err(EditError::Conversion)?;
        match file.body().attributes().next() {
            Some(attribute) => Ok(NewExpression::from(attribute.expression())),
            None => Err(EditError::Misplaced("there is no value")),
        }
    }
}
