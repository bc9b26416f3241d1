//! The calls of modules in a file.

use hcl_lr::source::Span;
use hcl_lr::{ConfigFile, Scope};
use hcl_lr_language::definitions::Roles;

use hcl_lr_project::paths::{is_relative, join};

/// A call of a module, with the string that locates its files.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The text of the source, such as `./net`.
    pub source: String,
    /// The span of the text, without its quotes.
    pub span: Span,
    /// The folder, if the text is a relative path.
    pub folder: Option<String>,
}

/// Returns the calls of modules in a file of a folder.
pub(crate) fn call_sites(folder: &str, roles: &Roles, document: &ConfigFile) -> Vec<CallSite> {
    let mut sources = Vec::new();
    let callers =
        roles.roles().iter().filter_map(|role| Some((role.block_type()?, role.label_names(), role.module_source()?)));
    for (block_type, labels, attribute) in callers {
        match document {
            ConfigFile::Native(native) => {
                for block in native.body().blocks_of_type(block_type) {
                    let Some(attribute) = block.body().attribute(attribute) else { continue };
                    let expression = hcl_lr::Expression::from(attribute.expression());
                    let Some((text, span)) = constant_text(&expression) else { continue };
                    sources.push((text, span));
                }
            }
            ConfigFile::Json(_) => {
                let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
                let schema = hcl_lr::body::BodySchema::new().block(block_type, &labels);
                let (content, _) = document.body().partial_content(&schema).into_value();
                for block in content.blocks() {
                    let attributes = block.body().attributes().into_value();
                    let source = attributes.get(attribute).and_then(|attribute| constant_text(attribute.expression()));
                    sources.extend(source);
                }
            }
        }
    }
    let site = |(source, span): (String, Span)| {
        let folder = is_relative(&source).then(|| join(folder, &source));
        CallSite { source, span, folder }
    };
    sources.into_iter().map(site).collect()
}

/// Returns a constant string and the span of its text without quotes.
pub(crate) fn constant_text(expression: &hcl_lr::Expression) -> Option<(String, Span)> {
    let value = expression.evaluate(&Scope::new()).ok()?;
    let text = value.as_str()?.to_owned();
    let place = expression.place();
    let (span, written) = (place.span(), place.text());
    let quoted = written.len() >= 2 && written.starts_with('"') && written.ends_with('"');
    let inner = if quoted { Span::new(span.start() + 1, span.end() - 1) } else { span };
    Some((text, inner))
}
