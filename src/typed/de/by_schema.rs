//! Bodies that are only known by schemas, such as those with dynamic blocks.

use super::context::Context;
use super::error::Error;
use super::input::{At, BodyRef, Input};
use super::members::{of_content, parts, schema_of};
use super::options::UnknownFields;
use super::parts::{Header, Parts, Request};
use super::pass::De;
use crate::body::{Body, Content, Written};

/// Calls with the parts of an input, which may live only as long as the call.
pub(super) fn with_parts<'c, 'de, R>(
    de: De<'_, 'c, 'de, '_>,
    request: Request,
    read: impl for<'x, 'y> FnOnce(De<'y, 'c, 'de, 'x>, Parts<'x>) -> Result<R, Error>,
) -> Result<R, Error> {
    let De { cx, input, path, pass } = de;
    let Some(body) = body_of(input) else { return read(de, parts(cx, input, path, request)?) };
    let content = content(cx, body, request);
    let (labels, header) = match input {
        Input::Blocks(blocks) => (blocks[0].labels(), Header::Block(blocks[0])),
        _ => (Vec::new(), Header::Place(input.place())),
    };
    let parts = Parts { labels, ..Parts::new(of_content(&content), header) };
    let place = input.place();
    let input = Input::Text("".into(), At::Span(place.source(), place.span()));
    read(De { cx, input: &input, path, pass }, parts)
}

/// Returns true if only a schema can tell what is in an input.
pub(super) fn is_needed(input: &Input<'_>) -> bool {
    body_of(input).is_some()
}

/// The body that an input is, if only a schema can tell what is in it.
fn body_of<'t>(input: &Input<'t>) -> Option<&'t Body> {
    let body = match input {
        Input::Body(body) => Some(*body),
        Input::Blocks(blocks) => match blocks[0].body() {
            BodyRef::Any(body) if blocks.len() == 1 => Some(body),
            _ => None,
        },
        _ => None,
    };
    body.filter(|body| needs_schema(body))
}

fn needs_schema(body: &Body) -> bool {
    match body.written() {
        Written::BySchema => true,
        Written::Several(bodies) => bodies.iter().any(needs_schema),
        _ => false,
    }
}

fn content(cx: &Context<'_, '_>, body: &Body, request: Request) -> Content {
    let (content, diagnostics) = match request {
        Request::Fields(fields, _) => {
            let schema = schema_of(fields);
            match cx.options.unknown_fields {
                UnknownFields::Error => body.content(&schema).into_parts(),
                UnknownFields::Ignore | UnknownFields::Warn => {
                    let ((content, _), diagnostics) = body.partial_content(&schema).into_parts();
                    (content, diagnostics)
                }
            }
        }
        _ => {
            let (attributes, diagnostics) = body.attributes().into_parts();
            (Content::new(attributes, Vec::new(), body.missing_item_place()), diagnostics)
        }
    };
    diagnostics.into_iter().for_each(|diagnostic| cx.record(diagnostic));
    content
}
