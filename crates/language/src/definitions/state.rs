//! The results of an evaluation so far, and its start.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock};

use super::function::{Contexts, table};
use super::ids::{FrameId, ModuleId, NodeId, Table};
use super::inputs::Inputs;
use super::instances::Instances;
use super::other_references::iterators_in_json;
use super::program::Program;
use super::tree::Collection;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::limits::Meter;
use hcl_lr::model::{Type, Value};

/// All that an evaluation computes.
pub(super) struct State {
    pub program: Arc<Program>,
    /// The scope of the application's expressions; below, the one for modules without functions of their own, and those
    /// for instances of other modules.
    pub scope: Scope<'static>,
    pub plain: Scope<'static>,
    pub modules: Mutex<HashMap<(ModuleId, usize), Arc<Scope<'static>>>>,
    pub contexts: Arc<Contexts>,
    pub values: Table<NodeId, OnceLock<Values>>,
    pub instances: Table<FrameId, OnceLock<Instances>>,
    pub collected: Collected,
    /// The values of generated blocks as they are shown, where these differ.
    pub shown: Mutex<HashMap<(NodeId, usize), Value>>,
    pub problems: Mutex<Vec<(NodeId, Diagnostics)>>,
    /// True if the functions that read only a part of their argument are those of the library.
    pub has_known_functions: OnceLock<bool>,
    /// The nodes of values that are secret by their names, if such values are hidden.
    pub secrets: Option<HashSet<NodeId>>,
    /// True if the values of inputs are unknown, so that errors hold for all of them.
    pub any_input: bool,
    /// The names of the values from outside.
    pub given: HashSet<String>,
    /// The meter that counts all of the work.
    pub meter: Meter,
}

impl State {
    /// Nothing is computed yet.
    pub fn new(program: &Arc<Program>, scope: &Scope<'_>, inputs: &Inputs) -> State {
        let contexts = Contexts::new(program.tables().functions.len());
        let any_input = inputs.are_any();
        let plain = base_scope(program, scope, any_input);
        let functions = table(&program.tables().functions, ModuleId::ROOT, 0, &contexts);
        State {
            program: program.clone(),
            secrets: inputs.hides_secret_names().then(|| program.nodes_with_secret_names()),
            any_input,
            given: inputs.names().map(str::to_owned).collect(),
            has_known_functions: OnceLock::new(),
            meter: plain.metered(|_, account| account.meter().clone()),
            scope: plain.child().with_functions(functions).to_owned_scope(),
            plain,
            modules: Mutex::default(),
            contexts,
            values: Table::filled(program.tables().nodes.len(), OnceLock::new),
            instances: Table::filled(program.tables().frames.len(), OnceLock::new),
            collected: Mutex::default(),
            shown: Mutex::default(),
            problems: Mutex::default(),
        }
    }
}

/// The values of a node, for each instance of its frame.
pub(super) enum Values {
    One(Value),
    Many(Vec<Value>),
}

impl Values {
    pub fn get(&self, at: usize) -> Option<&Value> {
        match self {
            Values::One(value) => (at == 0).then_some(value),
            Values::Many(values) => values.get(at),
        }
    }
}

/// Collections of repeated values. Each is built once.
pub(super) type Collected = Mutex<HashMap<(FrameId, usize, Collection), Value>>;

pub(super) fn unknown() -> Value {
    Value::unknown(Type::Dynamic)
}

/// Returns the scope of all expressions. They share the limits.
fn base_scope(program: &Program, scope: &Scope<'_>, any_input: bool) -> Scope<'static> {
    let given: Functions =
        scope.function_names().into_iter().filter_map(|name| Some((name, scope.function(name)?.clone()))).collect();
    let later: Functions = program.later_calls().iter().map(|name| (&**name, super::roles::later())).collect();
    let functions = later.with_all(program.roles().functions()).with_all(&given);
    // With no variable at all, messages would say that none are allowed.
    let mut scoped: Vec<(String, Value)> = Vec::new();
    if any_input {
        let names = program.roles().scoped_names().iter().cloned().chain(iterators_in_json(program));
        scoped.extend(names.map(|name| (name, unknown())));
    }
    let mut all = scope.child();
    all.extend(scoped);
    all.with_functions(functions).sharing_meter().with_late_types().to_owned_scope()
}
