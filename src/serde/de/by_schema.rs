//! Bodies that are only known by schemas, such as those with dynamic blocks.

use super::UnknownFields;
use super::context::Context;
use super::error::Error;
use super::input::{BodyRef, Input};
use super::parts::{Asking, Header, Parts, of_content, parts, schema_of};
use super::path::Path;
use crate::body::{Body, Content, Written};

/// Calls with the parts of an input.
pub(super) fn with_parts<R>(
    cx: &Context<'_>,
    input: &Input<'_>,
    path: &Path<'_>,
    asking: Asking,
    read: impl for<'x> FnOnce(Parts<'x>) -> Result<R, Error>,
) -> Result<R, Error> {
    let body = match input {
        Input::Body(body) => Some(*body),
        Input::Blocks(blocks) => match blocks[0].body() {
            BodyRef::Any(body) if blocks.len() == 1 => Some(body),
            _ => None,
        },
        _ => None,
    };
    let Some(body) = body.filter(|body| needs_schema(body)) else {
        return read(parts(cx, input, path, asking)?);
    };
    let content = content(cx, body, asking);
    let (labels, header) = match input {
        Input::Blocks(blocks) => (blocks[0].labels(), Header::Block(blocks[0])),
        _ => (Vec::new(), Header::Place(input.place())),
    };
    read(Parts {
        members: of_content(&content),
        labels,
        labels_known: true,
        labels_taken: false,
        by_label: false,
        header,
    })
}

fn needs_schema(body: &Body) -> bool {
    match body.written() {
        Written::BySchema => true,
        Written::Several(bodies) => bodies.iter().any(needs_schema),
        _ => false,
    }
}

fn content(cx: &Context<'_>, body: &Body, asking: Asking) -> Content {
    let (content, diagnostics) = match asking {
        Asking::Fields(fields, _) => {
            let schema = schema_of(fields);
            match cx.unknown_fields {
                UnknownFields::Error => body.content(&schema).into_parts(),
                UnknownFields::Ignore | UnknownFields::Warn => {
                    let ((content, _), diagnostics) = body.partial_content(&schema).into_parts();
                    (content, diagnostics)
                }
            }
        }
        Asking::Map { .. } => {
            let (attributes, diagnostics) = body.attributes().into_parts();
            (Content::new(attributes, Vec::new(), body.missing_item_place()), diagnostics)
        }
    };
    diagnostics.into_iter().for_each(|diagnostic| cx.record(diagnostic));
    content
}
