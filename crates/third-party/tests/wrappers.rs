//! Packages that put something around a deserializer or a serializer, and those that report errors.

use std::collections::BTreeMap;

use hcl_lr::typed::{Reader, Serializer, Template};
use hcl_lr::{Body, Diagnostics, Expression, Scope, Value, from_str, parse};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize, Debug, PartialEq)]
struct Config {
    name: String,
    #[serde(default)]
    service: Vec<Service>,
}

#[derive(Deserialize, Serialize, Debug, PartialEq)]
struct Service {
    port: u16,
    when: Option<Expression>,
    any: Option<Value>,
}

const TEXT: &str = "name = \"shop\"\nservice {\n  port = 80\n  when = load > 3\n  any  = [1]\n}\n";

fn body(text: &str) -> Body {
    parse::<Body>(text).into_result().expect("a file")
}

fn config() -> Config {
    from_str(TEXT).expect("a configuration")
}

#[test]
fn serde_path_to_error_knows_the_path() {
    let (body, wrong) = (body(TEXT), body("name = \"shop\"\nservice {\n  any  = [1]\n  port = \"x\"\n}\n"));
    let read: Config = serde_path_to_error::deserialize(Reader::new().deserializer(&body)).expect("a configuration");
    assert_eq!(read, config());
    let error = serde_path_to_error::deserialize::<_, Config>(Reader::new().deserializer(&wrong)).unwrap_err();
    assert_eq!(error.path().to_string(), "service[0].port");
    assert_eq!(error.into_inner().diagnostics().first().expect("one").place().position().line, 4);
}

#[test]
fn serde_ignored_knows_what_is_not_read() {
    let body = body("name = \"shop\"\nextra = 1\nservice {\n  port = 80\n  prot = 1\n}\n");
    let mut ignored = Vec::new();
    let read: Config =
        serde_ignored::deserialize(Reader::new().deserializer(&body), |path| ignored.push(path.to_string()))
            .expect("ok");
    assert_eq!(read.service.len(), 1);
    assert_eq!(ignored, ["extra", "service.0.prot"]);
}

#[test]
fn erased_serde_reads_and_writes() {
    let body = body(TEXT);
    let mut erased = <dyn erased_serde::Deserializer>::erase(Reader::new().deserializer(&body));
    let read: Config = erased_serde::deserialize(&mut erased).expect("a configuration");
    assert_eq!(read, config());

    let erased: &dyn erased_serde::Serialize = &read;
    let mut serializer = Serializer::default();
    erased.serialize(&mut serializer).expect("it is written");
    let text = serializer.into_string().expect("it is written");
    assert_eq!(from_str::<Config>(&text).expect("a configuration"), read);

    // A value keeps its type and marks.
    let value = Value::from([1, 2]).mark("sensitive");
    let erased: &dyn erased_serde::Serialize = &value;
    assert_eq!(hcl_lr::to_value(&erased).expect("a value"), value);
}

#[test]
fn seeds_carry_state() {
    struct Sum<'s>(&'s mut u64);
    impl<'de> serde::de::DeserializeSeed<'de> for Sum<'_> {
        type Value = ();
        fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
            let numbers = BTreeMap::<String, u64>::deserialize(deserializer)?;
            *self.0 += numbers.values().sum::<u64>();
            Ok(())
        }
    }
    let mut sum = 0;
    Reader::new().read_seed(Sum(&mut sum), &body("a = 1\nb = 2\n")).expect("numbers");
    assert_eq!(sum, 3);
    let errors = Reader::new().read_seed(Sum(&mut sum), &body("a = \"x\"\nb = true\n")).unwrap_err();
    assert_eq!(errors.len(), 2, "{errors}");
}

fn wrong() -> Diagnostics {
    from_str::<Config>("name = 1\nservice {\n  port = 70000\n}\n").unwrap_err()
}

#[test]
fn errors_read_well_in_anyhow_and_eyre() {
    let shown = "<input>:1:8: error[invalid-argument-value]: ";
    for text in [format!("{}", anyhow::Error::new(wrong())), format!("{}", eyre::Report::new(wrong()))] {
        assert!(text.starts_with(shown) && text.lines().count() == 2, "{text}");
    }
    let debug = format!("{:?}", anyhow::Error::new(wrong()).context("reading the configuration"));
    assert!(debug.contains("Caused by:") && debug.contains(shown), "{debug}");
    // As `unwrap` shows it.
    assert!(format!("{:?}", wrong()).contains("1 │ name = 1"));
    fn fails() -> Result<(), Box<dyn std::error::Error>> {
        from_str::<Config>("name = 1\n")?;
        Ok(())
    }
    assert!(fails().unwrap_err().to_string().starts_with(shown));
}

#[test]
fn miette_has_the_source_and_labels() {
    use miette::Diagnostic;
    let errors = wrong();
    let related: Vec<_> = errors.related().expect("several").collect();
    assert_eq!(related.len(), 2);
    let source = related[1].source_code().expect("a source");
    let label = related[1].labels().expect("labels").next().expect("one");
    let contents = source.read_span(label.inner(), 0, 0).expect("in the source");
    assert_eq!((contents.name(), contents.data()), (Some("<input>"), "70000".as_bytes()));
    assert_eq!((contents.line(), label.len()), (2, 5));
    let mut report = String::new();
    miette::NarratableReportHandler::new().render_report(&mut report, &errors).expect("a report");
    assert!(report.contains("port") && report.contains("invalid-argument-value"), "{report}");
}

#[test]
fn templates_and_expressions_are_compared() {
    let read = |text: &str| from_str::<Config>(text).expect("a configuration");
    assert_eq!(read(TEXT), read(&TEXT.replace("load > 3", "load>3.0 # too much")));
    assert_ne!(read(TEXT), read(&TEXT.replace("load > 3", "load > 4")));
    assert_eq!("a ${b}".parse::<Template>().unwrap(), "a ${ b }".parse::<Template>().unwrap());
    let value = "1 + 1".parse::<Expression>().unwrap().evaluate(&Scope::new()).unwrap();
    assert_eq!(value, Value::from(2));
}

/// Each report shows the message and the cause, once.
#[test]
fn errors_of_writing_read_well_too() {
    let wrong = || hcl_lr::to_file("no/such/folder/a.hcl", &config()).unwrap_err();
    let cause = std::error::Error::source(&wrong()).expect("a cause").to_string();
    let mut narrated = String::new();
    miette::NarratableReportHandler::new().render_report(&mut narrated, &wrong()).expect("a report");
    let reports = [
        format!("{:?}", anyhow::Error::new(wrong())),
        format!("{:#}", anyhow::Error::new(wrong())),
        format!("{:#}", eyre::Report::new(wrong())),
        narrated,
        format!("{:?}", wrong()),
    ];
    for report in reports {
        for part in ["no/such/folder/a.hcl cannot be written", &cause] {
            assert_eq!(report.matches(part).count(), 1, "{part}: {report}");
        }
    }
    let unwrapped = std::panic::catch_unwind(|| hcl_lr::to_string(&1).unwrap()).unwrap_err();
    let message = unwrapped.downcast_ref::<String>().expect("a message");
    assert!(message.contains("a file must be a structure or a map, not a number; put it into a field"), "{message}");
}
