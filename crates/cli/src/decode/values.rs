//! The values of files by the schema of their language.

use std::path::PathBuf;

use super::inputs::Problems;
use super::{Args, references};
use crate::context::Context;
use crate::error::Error;
use crate::find::Exclude;
use crate::language::Choice;
use crate::outside::Outside;
use crate::project::{Like, Project};
use crate::variables::Variables;
use hcl_lr::Body;
use hcl_lr::diagnostic::Outcome;
use hcl_lr::eval::Scope;
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::Meter;
use hcl_lr_project::Member;

/// Returns the values of the files as lines of JSON, one for each set of files that the language reads together. `None`
/// if there are problems.
///
/// # Errors
/// A message, if the schema cannot be used or a file cannot be read.
pub(super) fn lines_of_projects(
    context: &Context,
    args: &Args,
    schema: &str,
    problems: &mut Problems<'_>,
) -> Result<Option<Result<String, Error>>, Error> {
    let color = args.color.on_stderr();
    let like = Like { choice: Choice::of_schema(schema) };
    let stdin = [PathBuf::from("-")];
    let paths = if args.files.is_empty() { &stdin[..] } else { &args.files };
    let set = args.functions.unwrap_or(FunctionSet::Extended);
    let variables = Variables::new(&args.vars, &args.values, set, args.budget.clone());
    let options = args.accepted.options(context);
    let projects = Project::load_unshown(context, &like, (paths, &Exclude::new(&[])?), &options, color)?;
    let mut lines = Vec::new();
    for project in &projects {
        if args.var_refs {
            lines.push(Ok(references_of(args, project)));
            continue;
        }
        if project.has_errors {
            // Without the text of all files, names and inputs may be missing.
            let members = project.model().members().iter().filter(|member| project.is_meant(&member.path));
            members.for_each(|member| problems.take(Outcome::new((), project.model().findings(&member.path))));
            continue;
        }
        let evaluated = project.evaluate(&variables, &Outside::default(), color)?;
        let outcome = project.model().decode_evaluated(&evaluated, &|path| project.is_meant(path));
        let value = problems.take(outcome);
        problems.add(evaluated.limit_exceeded());
        lines.push(args.printed(&value));
    }
    Ok((!problems.has_errors()).then(|| lines.into_iter().collect()))
}

/// Returns the references that the spec of the schema evaluates, as JSON.
fn references_of(args: &Args, project: &Project) -> String {
    let model = project.model();
    let members: Vec<&Member> = model.members().iter().filter(|member| project.is_meant(&member.path)).collect();
    let schema = model.language().schema();
    let path = members.first().map(|member| member.path.as_str()).unwrap_or_default();
    let spec = schema.and_then(|schema| schema.spec(schema.files_for(path, |_| false)?));
    let body = Body::merged(members.iter().map(|member| member.document.file.body()));
    let scope = Scope::new().with_meter(&Meter::new(args.budget.limits()));
    references::to_json(&spec.map(|spec| spec.variables(&body)).unwrap_or_default(), &scope)
}
