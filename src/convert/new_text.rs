//! From what was read, in either syntax, to what is built.

use super::template::rewritten;
use super::to_native;
use crate::body::{Block, Body, Expression, ExpressionForm, Template, Written};
use crate::construct::{BuildError, NewBlock, NewBody, NewExpression};
use crate::json::Document;
use crate::reading::parse;
use crate::stack::with_room;
use crate::syntax::ast::TemplateNode;
use crate::writer::Form;

/// The name of the attribute that is used to convert an expression between the syntaxes.
const NAME: &str = "x";

/// The expression in native syntax, with the comments in it. An expression with variables of its own gives an error when its text is
/// requested, because they would be lost.
///
/// ```
/// use hcl_lr::construct::NewExpression;
/// use hcl_lr::syntax::ast::BinaryOperator;
/// use hcl_lr::{Body, ParseOptions, Syntax};
///
/// let json = ParseOptions::default().with_syntax(Syntax::Json);
/// let body: Body = json.parse(r#"{"port": "${base + 80}"}"#).into_result()?;
/// let content = body.content_as_written().expect("it is written");
/// let port = content.attribute("port").expect("a port").expression();
/// assert_eq!(NewExpression::operation(port, BinaryOperator::Multiply, 2).text()?, "(base + 80) * 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<&Expression> for NewExpression {
    fn from(expression: &Expression) -> Self {
        let refused = |error| NewExpression::refused(error);
        match expression.form() {
            ExpressionForm::Native(node) => node.into(),
            ExpressionForm::Template(template) => NewExpression::of_value(quoted(template)),
            ExpressionForm::Json(place) => in_native_syntax(place.text()).unwrap_or_else(refused),
            ExpressionForm::Value(value) => value.into(),
            ExpressionForm::WithVariables => {
                refused(BuildError::Value(String::new(), "an expression with variables of its own"))
            }
        }
    }
}

/// The template, as [`NewExpression`] of the expression that it is.
impl From<&Template> for NewExpression {
    fn from(template: &Template) -> Self {
        template.expression().into()
    }
}

/// The block with the comments in it. Its labels are written in quotes. The body of a block in JSON is as for [`NewBody`].
impl From<&Block> for NewBlock {
    fn from(block: &Block) -> Self {
        let new = NewBlock::new(block.block_type()).body(block.body().into());
        block.labels().iter().fold(new, |new, label| new.label(label.text()))
    }
}

/// The attributes and blocks of the body: in native syntax with their comments and in their order. In JSON, each property
/// is an attribute, because only a schema could tell the blocks; [`to_native`](super::to_native) takes one.
/// A body that an application computes has no written form, and gives an error when its text is requested.
///
/// ```
/// use hcl_lr::construct::NewBody;
/// use hcl_lr::{Body, parse};
///
/// let body: Body = parse("# Public.\nport = 80\nlogs {\n}\n").into_result()?;
/// assert_eq!(NewBody::from(&body).attribute("host", "a").text()?, "# Public.\nport = 80\nlogs {\n}\n\nhost = \"a\"\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<&Body> for NewBody {
    fn from(body: &Body) -> Self {
        if let Written::Native(node, taken) = body.written()
            && taken.is_empty()
        {
            return node.into();
        }
        let Some(content) = body.content_as_written() else {
            return NewBody::refused(BuildError::Value(String::new(), "a body that an application computes"));
        };
        let mut new = NewBody::new();
        for attribute in content.attributes().iter() {
            new.add_attribute(attribute.name(), attribute.expression());
        }
        content.blocks().iter().for_each(|block| new.add_block(with_room(|| block.into())));
        new
    }
}

/// A value in JSON as an expression.
fn in_native_syntax(json: &str) -> Result<NewExpression, BuildError> {
    let document = format!("{{\"{NAME}\": {json}}}");
    let native = parse::<Document>(("expression.json", document)).into_result();
    let native = native.and_then(|document| to_native::attributes(&document).into_result());
    let text = native.map_err(BuildError::Syntax)?.text;
    let text = text.strip_prefix(NAME).and_then(|text| text.strip_prefix(" = "));
    NewExpression::parse(text.unwrap_or_default().trim_end_matches('\n'))
}

/// Returns the text of a template in quotes.
pub(crate) fn quoted(template: TemplateNode<'_>) -> String {
    format!("\"{}\"", rewritten(template, Form::Quoted))
}
