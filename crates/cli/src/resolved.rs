//! `--resolve`: the values that `hcl eval` knows, for queries and edits.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::context::Context;
use super::error::Error;
use super::input::{Origin, Syntax};
use super::language::FileLanguages;
use super::outside::Outside;
use super::project::Project;
use super::status::Status;
use super::terminal::{note, show};
use super::variables::{Variables, scope};
use hcl_lr::Expression;
use hcl_lr::eval::Scope;
use hcl_lr::source::visible::path as shown;
use hcl_lr_edit::query::{Query, QueryResult, Resolver, Subject};
use hcl_lr_language::definitions::Evaluated;
use hcl_lr_project::{FileScopes, Key, Languages, ProjectScopes};

/// The option for resolved values, and the inputs that they depend on.
#[derive(clap::Args)]
pub struct Resolve {
    /// Use the values that references have, as `hcl eval` computes them
    ///
    /// The files of a folder are evaluated together, with the modules that they call, and with values
    /// from defaults, *.tfvars, the environment, --vars and --var. What is not known even then stays
    /// undecided. Sensitive values are not shown.
    #[arg(long)]
    resolve: bool,

    #[command(flatten)]
    outside: Outside,
}

impl Resolve {
    /// Returns true if values are requested.
    pub fn is_asked(&self) -> bool {
        self.resolve
    }

    /// Returns the evaluated projects of the files of a run, if they are requested.
    ///
    /// # Errors
    /// As [`Resolved::of`].
    pub fn projects(
        &self,
        context: &Context,
        (rules, syntax): (impl FnOnce() -> Result<Languages, Error>, Option<Syntax>),
        origins: &[Origin],
        variables: &Variables,
        color: bool,
    ) -> Result<Option<Resolved>, Error> {
        if !self.resolve {
            return Ok(None);
        }
        Resolved::of(context, (rules()?, syntax), origins, (variables, &self.outside), color).map(Some)
    }

    /// Checks that the options for values have a use. `variables` may have another one.
    ///
    /// # Errors
    /// They have none.
    pub fn check(&self, variables: Option<&Variables>) -> Result<(), Error> {
        let option = match self.resolve {
            true => None,
            false if variables.is_some_and(|variables| !variables.are_empty()) => Some("`--var` and `--vars` are"),
            false => self.outside.given(),
        };
        option.map_or(Ok(()), |options| Err(format!("{options} for values of references: use `--resolve`").into()))
    }
}

/// The evaluated projects of the files of a run.
pub struct Resolved {
    languages: Arc<FileLanguages>,
    /// Without values, if no file needs them.
    projects: Vec<(Project, Option<Evaluated>)>,
    /// The indices of the projects that evaluate a file, by path.
    owners: HashMap<String, Vec<usize>>,
}

impl Resolved {
    /// Reads and evaluates the projects of files. A folder that another project calls as a module is evaluated there,
    /// with the inputs of its calls.
    ///
    /// # Errors
    /// A message, if a file cannot be read, or an evaluation exceeds a limit.
    pub fn of(
        context: &Context,
        (rules, syntax): (Languages, Option<Syntax>),
        origins: &[Origin],
        (variables, outside): (&Variables, &Outside),
        color: bool,
    ) -> Result<Resolved, Error> {
        let languages = Arc::new(FileLanguages::new(context, &context.parse_options(), rules).for_values());
        let mut keys: Vec<Key> = Vec::new();
        // Languages are compared by identity.
        #[allow(clippy::mutable_key_type)]
        let mut seen = HashSet::new();
        let is_read = |origin: &&Origin| syntax.unwrap_or_else(|| origin.body_syntax()) == origin.body_syntax();
        for origin in origins.iter().filter(is_read) {
            let path = languages.disk.name(origin);
            let key = languages.with_sources(&languages.disk, |sources| Key::of(sources, &path));
            if seen.insert(key.clone()) {
                keys.push(key);
            }
        }
        let mut projects = Vec::new();
        for key in keys {
            projects.push(Project::of_key(context, &languages, &key)?);
        }
        let owners = owners(&projects);
        let needed: HashSet<usize> = owners.values().flatten().copied().collect();
        let loaded = variables.all_values(context, color)?;
        let inputs = projects.iter().flat_map(|project| project.definitions().iter());
        let inputs = inputs.filter(|input| input.is_input() && input.module().is_none());
        let inputs: HashSet<String> = inputs.map(|input| input.name().to_owned()).collect();
        let mut evaluated = Vec::new();
        for (index, project) in projects.into_iter().enumerate() {
            let values = match project.model().language().is_plain() {
                _ if !needed.contains(&index) => None,
                true => {
                    let scope = scope(&loaded, variables.functions(), variables.limits());
                    Some(project.definitions().evaluate(&scope))
                }
                false => Some(project.evaluate_among((variables, &inputs), outside, color)?),
            };
            evaluated.push((project, values));
        }
        let resolved = Resolved { languages, projects: evaluated, owners };
        resolved.report(color)?;
        Ok(resolved)
    }

    /// Prints what is wrong with the values.
    ///
    /// # Errors
    /// An evaluation exceeded a limit.
    fn report(&self, color: bool) -> Result<(), Error> {
        self.check_limits(color)?;
        for (project, values) in &self.projects {
            if values.as_ref().is_some_and(|values| values.diagnostics().has_errors()) {
                let folder = shown(&project.folder());
                note(&format!(
                    "`{folder}` has values with errors, which are not known; `hcl eval {folder}` shows them"
                ));
            }
        }
        Ok(())
    }

    /// Reports an exceeded limit, of the evaluation or of later requests to it.
    ///
    /// # Errors
    /// There is one.
    pub fn check_limits(&self, color: bool) -> Result<(), Error> {
        let exceeded = self.projects.iter().find_map(|(_, values)| values.as_ref()?.limit_exceeded());
        match exceeded {
            Some(error) => {
                show(error.into(), color);
                Err(Error::shown(Status::Failure))
            }
            None => Ok(()),
        }
    }

    /// Returns the values by place.
    pub fn values(&self) -> Values<'_> {
        let scopes = self.projects.iter().map(|(project, values)| {
            let values = values.as_ref()?;
            Some(ProjectScopes::of(project.model(), values))
        });
        Values { resolved: self, scopes: scopes.collect() }
    }
}

/// Returns the indices of the projects that evaluate a file, by path. The calls of a module give it its inputs, so a
/// project of the module alone is needed only if no other calls it.
fn owners(projects: &[Project]) -> HashMap<String, Vec<usize>> {
    let mut callers: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, project) in projects.iter().enumerate() {
        for (_, members) in project.model().modules() {
            members.iter().for_each(|member| callers.entry(&member.path).or_default().push(index));
        }
    }
    let mut owners = HashMap::new();
    for (index, project) in projects.iter().enumerate() {
        for member in project.model().members() {
            let all = callers.get(&*member.path).cloned().unwrap_or_else(|| vec![index]);
            owners.insert(member.path.clone(), all);
        }
    }
    owners
}

/// The values of the references in all files of a run.
pub struct Values<'r> {
    resolved: &'r Resolved,
    scopes: Vec<Option<ProjectScopes<'r>>>,
}

impl<'r> Values<'r> {
    /// Returns the values for a file. `None` if its project does not evaluate it, or if it has changed meanwhile.
    pub fn of(&self, origin: &Origin, subject: Subject<'_>) -> Option<FileValues<'r>> {
        let path = self.resolved.languages.disk.name(origin);
        let text = match subject {
            Subject::Native(file) => file.source().text(),
            Subject::Json(document, ..) => document.source().text(),
            _ => return None,
        };
        let owners = self.resolved.owners.get(&path)?;
        let scopes = owners.iter().map(|&index| {
            let file = self.scopes[index].as_ref()?.file(&path)?;
            (file.source().text() == text).then_some(file)
        });
        Some(FileValues(scopes.collect::<Option<Vec<_>>>()?))
    }
}

/// The values of the references in a file: of each project that evaluates it.
#[derive(Debug)]
pub struct FileValues<'r>(Vec<FileScopes<'r>>);

impl Resolver for FileValues<'_> {
    fn scopes(&self, expression: &Expression) -> Vec<Scope<'_>> {
        self.0.iter().flat_map(|file| file.scopes_of(expression)).collect()
    }

    fn is_hidden(&self, expression: &Expression) -> bool {
        self.0.iter().any(|file| file.hides(expression))
    }
}

/// Runs a query on a file, with the values of its references if they are at hand.
pub fn run<'t>(query: &Query, subject: Subject<'t>, values: Option<&'t FileValues<'_>>) -> QueryResult<'t> {
    match values {
        Some(values) => query.run_with(subject, values),
        None => query.run(subject),
    }
}
