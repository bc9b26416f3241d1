//! A body whose dynamic blocks are expanded.

use super::parts::unsupported_type;
use super::{DYNAMIC, Expander, Surroundings, Taken, block, with_dynamic, without_dynamic};
use crate::body::{Attribute, Attributes, Block, Body, BodySchema, BodySource, Content, Expression, NameSuggestions};
use crate::diagnostic::{Code, Diagnostic, Outcome};
use crate::eval::unexpected_block;
use crate::model::{MarkSet, Type, Value};
use crate::source::Place;

pub(super) struct DynamicBody {
    pub original: Body,
    pub expander: Expander,
    pub around: Surroundings,
    /// Marks of the collection that the body was generated from, without those of outer blocks.
    pub marks: MarkSet,
    pub taken: Taken,
    /// False if dynamic blocks are blocks like others here, although they are expanded in a body around.
    pub expands: bool,
}

impl DynamicBody {
    /// Returns a part of the body that is processed the same way.
    fn nested(&self, original: Body) -> Body {
        Body::new(DynamicBody {
            original,
            expander: self.expander.clone(),
            around: self.around.clone(),
            marks: MarkSet::default(),
            taken: Taken::default(),
            expands: self.expands,
        })
    }

    /// Returns an attribute with the iterators as variables, or an unknown one.
    fn attribute(&self, attribute: &Attribute) -> Attribute {
        let expression = attribute.expression();
        let expression = match &self.around.unknown {
            Some(marks) => {
                let value = Value::unknown(Type::Dynamic).with_marks(&marks.union(&self.marks));
                Expression::of_value(value, expression.place())
            }
            None if self.around.iterators.is_empty() => return attribute.clone(),
            None => expression
                .with_variables(self.around.iterators.clone())
                .hiding(&self.around.marks_of(expression))
                .with_marks(&self.marks),
        };
        attribute.clone().with_expression(expression)
    }

    /// Returns the attributes of the rest of a body. A dynamic block whose type was already requested is not in the
    /// rest; any other one is an error, like all blocks.
    fn remaining_attributes(&self) -> Outcome<Attributes> {
        let (content, rest) = self.original.partial_content(&with_dynamic(&BodySchema::new())).into_value();
        let (attributes, mut diagnostics) = rest.attributes().into_parts();
        let is_left = |block: &&Block| block.label(0).is_some_and(|name| !self.taken.contains(name));
        if let Some(block) = content.blocks().iter().find(is_left)
            && diagnostics.iter().all(|diagnostic| diagnostic.code() != Code::UnexpectedBlock)
        {
            let place = block.type_place();
            diagnostics.push(unexpected_block(block.block_type(), place.span()).in_source(place.source()));
            diagnostics.sort();
        }
        Outcome::new(attributes, diagnostics)
    }

    /// Returns the schema for the original body.
    fn schema_for(&self, schema: &BodySchema) -> BodySchema {
        if self.expands { with_dynamic(schema) } else { schema.clone() }
    }

    fn attributes_of(&self, attributes: &Attributes) -> Attributes {
        attributes.iter().map(|attribute| self.attribute(attribute)).collect()
    }

    /// Returns the content of the original body with its dynamic blocks replaced by the generated ones. If it is
    /// `complete`, all types of blocks must be expected.
    fn expanded(&self, content: Outcome<Content>, schema: &BodySchema, complete: bool) -> Outcome<Content> {
        let (content, mut diagnostics) = content.into_parts();
        let mut blocks = Vec::with_capacity(content.blocks().len());
        let mut tips = NameSuggestions::default();
        for block in content.blocks() {
            if !self.expands || block.block_type() != DYNAMIC {
                blocks.push(block.clone().with_body(self.nested(block.body().clone())));
                continue;
            }
            let Some(label) = block.labels().first() else { continue };
            if self.taken.contains(label.text()) {
                continue;
            }
            match schema.block_type(label.text()) {
                Some(expected) => block::expand(self, block, expected, &mut blocks, &mut diagnostics),
                None if complete => diagnostics.push(unsupported(block, schema, &mut tips)),
                None => {}
            }
        }
        let attributes = self.attributes_of(content.attributes());
        let value = Content::new(attributes, blocks, content.missing_item_place().clone());
        diagnostics.sort();
        Outcome::new(value, diagnostics)
    }
}

impl BodySource for DynamicBody {
    fn content(&self, schema: &BodySchema) -> Outcome<Content> {
        self.expanded(self.original.content(&self.schema_for(schema)), schema, true)
    }

    fn partial_content(&self, schema: &BodySchema) -> Outcome<(Content, Body)> {
        let content = self.original.partial_content(&self.schema_for(schema)).map(|(content, _)| content);
        // The rest still contains the dynamic blocks of other types.
        let names = if self.expands { &without_dynamic(schema) } else { schema };
        let rest = self.original.partial_content(names).into_value().1;
        let mut taken = (*self.taken).clone();
        taken.extend(schema.blocks().iter().map(|block| block.block_type().to_owned()));
        let rest = DynamicBody {
            original: rest,
            expander: self.expander.clone(),
            around: self.around.clone(),
            marks: self.marks.clone(),
            taken: taken.into(),
            expands: self.expands,
        };
        self.expanded(content, schema, false).map(|content| (content, Body::new(rest)))
    }

    fn attributes(&self) -> Outcome<Attributes> {
        let attributes = if self.taken.is_empty() || !self.expands {
            self.original.attributes()
        } else {
            self.remaining_attributes()
        };
        attributes.map(|attributes| self.attributes_of(&attributes))
    }

    fn missing_item_place(&self) -> Place {
        self.original.missing_item_place()
    }

    fn is_unknown(&self) -> bool {
        self.around.unknown.is_some()
    }

    fn marks(&self) -> MarkSet {
        self.marks.clone()
    }

    fn any_content(&self) -> Option<Outcome<Content>> {
        if !self.expands {
            return Some(self.expanded(Outcome::from(self.original.content_as_written()?), &BodySchema::new(), false));
        }
        let dynamic = self.original.expected_content(&with_dynamic(&BodySchema::new())).into_value();
        let types = dynamic.blocks().iter().filter_map(|block| block.label(0));
        let types = types.fold(BodySchema::new(), |schema, name| schema.any_block(name));
        let mut content = self.original.content_as_written()?;
        if content.attribute(DYNAMIC).is_some() && content.blocks().is_empty() {
            // In JSON, the dynamic blocks tell which other properties are blocks.
            let (blocks, rest) = self.original.partial_content(&with_dynamic(&types)).into_value();
            let place = content.missing_item_place().clone();
            let attributes = rest.content_as_written()?.into_parts().0;
            content = Content::new(attributes, blocks.into_parts().1, place);
        }
        Some(self.expanded(Outcome::from(content), &types, false))
    }

    fn with_expansion(&self, expands: bool) -> Option<Body> {
        Some(Body::new(DynamicBody {
            original: self.original.clone(),
            expander: self.expander.clone(),
            around: self.around.clone(),
            marks: self.marks.clone(),
            taken: self.taken.clone(),
            expands,
        }))
    }
}

/// Reports a dynamic block of an unexpected type.
fn unsupported(block: &Block, schema: &BodySchema, tips: &mut NameSuggestions) -> Diagnostic {
    let (name, place) = (block.label(0).unwrap_or_default(), block.labels()[0].place());
    let types = schema.blocks().iter().map(|block| block.block_type());
    unsupported_type(name, place.span(), schema.attribute(name).is_some(), types, tips).in_source(place.source())
}
