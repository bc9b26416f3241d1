//! Schemas of providers for checks.

use std::path::PathBuf;
use std::sync::Arc;

use super::context::Context;
use super::error::Error;
use super::input::read;
use super::terminal::show;
use hcl_lr::Source;
use hcl_lr_language::schema::ProviderSchemas;

/// Reads files with schemas of providers. Errors in the files are shown. Returns `None` if there are no files.
///
/// # Errors
/// A message, if a file cannot be used.
pub fn load(context: &Context, paths: &[PathBuf], color: bool) -> Result<Option<Arc<ProviderSchemas>>, Error> {
    let mut all: Option<ProviderSchemas> = None;
    for path in paths {
        let (name, bytes) = read(context, path)?;
        let source = Source::from_bytes(&name, bytes);
        let (schemas, problems) = context.parse_options().parse::<ProviderSchemas>(source).into_parts();
        let wrong = problems.has_errors();
        show(problems, color);
        if wrong {
            return Err(format!("the provider schemas in `{name}` have errors").into());
        }
        all = Some(match all {
            Some(all) => all.with(schemas),
            None => schemas,
        });
    }
    Ok(all.map(Arc::new))
}
