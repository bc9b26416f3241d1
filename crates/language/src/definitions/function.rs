//! Functions that the files define, whose results may refer to definitions.

use std::sync::{Arc, OnceLock, Weak};

use super::ids::{FunctionId, ModuleId, NodeId, Table};
use hcl_lr::eval::{Function, Functions, Scope};
use hcl_lr::internal::FunctionDefinition as Definition;

/// A function of the files.
pub(super) struct OwnFunction {
    pub name: Box<str>,
    pub definition: Arc<Definition>,
    /// The number of its node.
    pub node: NodeId,
    pub module: ModuleId,
}

/// The scopes of the results of functions: for each function its own definitions, in each instance of its module. They
/// are set when these have been evaluated, which is before the function can be called.
pub(super) struct Contexts {
    scopes: Table<FunctionId, OnceLock<Instances>>,
}

type Instances = Box<[OnceLock<Arc<Scope<'static>>>]>;

impl Contexts {
    pub fn new(count: usize) -> Arc<Contexts> {
        Arc::new(Contexts { scopes: Table::filled(count, OnceLock::new) })
    }

    /// Sets it for one of so many instances.
    pub fn set(&self, function: FunctionId, instance: usize, count: usize, scope: Scope<'static>) {
        let all = self.scopes[function].get_or_init(|| (0..count).map(|_| OnceLock::new()).collect());
        // A function is evaluated once.
        let _ = all[instance].set(Arc::new(scope));
    }

    fn get(&self, function: FunctionId, instance: usize) -> Option<Arc<Scope<'static>>> {
        self.scopes.get(function)?.get()?.get(instance)?.get().cloned()
    }
}

/// The functions of an instance of a module as a table. They do not keep the contexts, in which the table itself is.
pub(super) fn table(
    functions: &Table<FunctionId, Arc<OwnFunction>>,
    module: ModuleId,
    instance: usize,
    contexts: &Arc<Contexts>,
) -> Functions {
    let function = |(number, own): (FunctionId, &Arc<OwnFunction>)| -> (String, Function) {
        let contexts: Weak<Contexts> = Arc::downgrade(contexts);
        let nothing = Arc::new(Scope::new());
        let scope = move || {
            let all = contexts.upgrade();
            all.and_then(|all| all.get(number, instance)).unwrap_or_else(|| nothing.clone())
        };
        (own.name.to_string(), Definition::function_of(&own.definition, Arc::new(scope)))
    };
    functions.pairs().filter(|(_, own)| own.module == module).map(function).collect()
}
