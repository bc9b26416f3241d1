//! Reads a configuration file by a schema, with variables and functions, into its own structs. All errors are reported
//! together, with their places.
//!
//! ```sh
//! cargo run --example embed                    # reads examples/gateway.hcl
//! cargo run --example embed -- my.hcl          # or a .json file
//! ```

use std::fmt::Display;
use std::process::ExitCode;

use hcl_lr::body::{BodySchema, Content};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use hcl_lr::model::Value;
use hcl_lr::{Attribute, Body, Scope, functions, parse_file};

/// The settings that the program reads.
#[derive(Debug, Default)]
#[allow(dead_code, reason = "it is only printed")]
struct Gateway {
    domain: String,
    workers: u16,
    listeners: Vec<Listener>,
}

#[derive(Debug)]
#[allow(dead_code, reason = "it is only printed")]
struct Listener {
    name: String,
    port: u16,
    hosts: Vec<String>,
}

fn main() -> ExitCode {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/gateway.hcl".to_owned());
    match parse_file::<Body>(path).into_result().and_then(|body| read_gateway(&body).into_result()) {
        Ok(gateway) => {
            println!("{gateway:#?}");
            ExitCode::SUCCESS
        }
        Err(diagnostics) => {
            eprint!("{}", diagnostics.render());
            ExitCode::FAILURE
        }
    }
}

/// Reads the whole file, and continues after errors.
fn read_gateway(body: &Body) -> Outcome<Gateway> {
    // The variables and functions for expressions in the file.
    let scope = Scope::new().with("cpus", 4).with("offset", 1000).with_functions(functions::standard());
    let schema = BodySchema::new().required("domain").optional("workers").block("listener", &["name"]);
    let (content, mut diagnostics) = body.content(&schema).into_parts();
    let mut reader = Reader { scope: &scope, diagnostics: &mut diagnostics };
    let gateway = Gateway {
        domain: reader.attribute(&content, "domain").unwrap_or_default(),
        workers: reader.attribute(&content, "workers").unwrap_or(1),
        listeners: content.blocks().iter().filter_map(|block| reader.listener(block.label(0)?, block.body())).collect(),
    };
    Outcome::new(gateway, diagnostics)
}

/// Reads values from bodies and collects errors.
struct Reader<'r> {
    scope: &'r Scope<'r>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_> {
    fn listener(&mut self, name: &str, body: &Body) -> Option<Listener> {
        let schema = BodySchema::new().required("port").optional("hosts");
        let content = body.content(&schema).into_value_reporting_to(self.diagnostics);
        let hosts = self.attribute(&content, "hosts").unwrap_or_default();
        let port: u16 = self.attribute(&content, "port")?;
        if port == 0 {
            // A check of the program itself, reported like all others.
            self.report(content.attribute("port")?, "a port is a number from 1 to 65535");
        }
        Some(Listener { name: name.to_owned(), port, hosts })
    }

    /// Returns the value of an attribute if it is set and has the right type: numbers, strings, `bool`, and `Vec`s and maps of
    /// them.
    fn attribute<T>(&mut self, content: &Content, name: &str) -> Option<T>
    where
        T: for<'v> TryFrom<&'v Value, Error: Display>,
    {
        let attribute = content.attribute(name)?;
        let value = match attribute.evaluate(self.scope) {
            Ok(value) => value,
            Err(diagnostics) => {
                self.diagnostics.append(diagnostics);
                return None;
            }
        };
        match T::try_from(&value) {
            Ok(value) => Some(value),
            Err(why) => {
                self.report(attribute, &why.to_string());
                None
            }
        }
    }

    /// Adds an error at the value of an attribute.
    fn report(&mut self, attribute: &Attribute, detail: &str) {
        let place = attribute.expression().place();
        self.diagnostics.push(Diagnostic::error(Code::InvalidValue, place, detail.to_owned()));
    }
}
