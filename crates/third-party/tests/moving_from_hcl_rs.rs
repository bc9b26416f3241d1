//! A program for each row of `docs/moving-from-hcl-rs.md`, with hcl-rs and with this library.

use std::collections::BTreeMap;

use hcl_lr::construct::{NewBlock, NewBody, NewExpression, NewTemplate};
use hcl_lr::syntax::ast::BinaryOperator;
use hcl_lr::typed::{self, BlockOf, Labeled, Reader, Template, Writer};
use hcl_lr::{Body, Expression, File, Scope, Value, functions, parse};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

mod support;

type Map<T> = BTreeMap<String, T>;

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Service {
    port: u16,
}

fn map<T, const N: usize>(entries: [(&str, T); N]) -> Map<T> {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn body(text: &str) -> Body {
    parse::<Body>(text).into_result().expect("a body")
}

const ROWS: &[support::Row] = &[
    ("`hcl::from_str`, `from_slice`", || {
        let text = "port = 80\n";
        assert_eq!(hcl::from_str::<Service>(text).unwrap(), hcl_lr::from_str::<Service>(text).unwrap());
        assert_eq!(
            hcl::from_slice::<Service>(text.as_bytes()).unwrap(),
            typed::from_slice::<Service>(text.as_bytes()).unwrap()
        );
        assert_eq!(hcl_lr::from_str::<Map<u8>>("a = \"x\"\nb = 300\n").unwrap_err().len(), 2);
    }),
    ("`hcl::from_reader`", || {
        let bytes: &[u8] = b"port = 80\n";
        assert_eq!(hcl::from_reader::<Service, _>(bytes).unwrap(), typed::from_slice::<Service>(bytes).unwrap());
    }),
    ("`hcl::from_body(body)`", || {
        let theirs: Service = hcl::from_body(hcl::parse("port = 80\n").unwrap()).unwrap();
        let scope = Scope::new().with("base", 79);
        assert_eq!(theirs, hcl_lr::from_body::<Service>(&body("port = base + 1\n"), &scope).unwrap());
    }),
    ("`hcl::from_value`", || {
        let theirs: Service = hcl::from_value(hcl::value!({ port = 80 })).unwrap();
        assert_eq!(theirs, hcl_lr::from_value::<Service>(&hcl_lr::value!({ port = 80 })).unwrap());
    }),
    ("`hcl::from_str::<serde_json::Value>`", || {
        let text = "a = 1\nb \"c\" {\n  d = [true, null]\n}\n";
        assert_eq!(hcl::from_str::<Json>(text).unwrap(), hcl_lr::from_str::<Json>(text).unwrap());
        assert_eq!(hcl::from_str::<Json>("a = 1 + 1\n").unwrap(), json!({"a": "${1 + 1}"}));
        assert_eq!(hcl_lr::from_str::<Json>("a = 1 + 1\n").unwrap(), json!({"a": 2}));
    }),
    ("`hcl::from_str::<hcl::Body>`", || {
        let text = "a = b.c\n";
        assert_eq!(hcl::from_str::<hcl::Body>(text).unwrap().attributes().count(), 1);
        assert!(body(text).content_as_written().unwrap().attribute("a").is_some());
    }),
    ("`hcl::to_string`, `to_vec`", || {
        let service = Service { port: 80 };
        assert_eq!(hcl::to_string(&service).unwrap(), hcl_lr::to_string(&service).unwrap());
        assert_eq!(hcl::to_vec(&service).unwrap(), hcl_lr::to_string(&service).unwrap().into_bytes());
    }),
    ("`hcl::to_writer`", || {
        let mut theirs = Vec::new();
        hcl::to_writer(&mut theirs, &Service { port: 80 }).unwrap();
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("moving.hcl");
        let _ = std::fs::remove_file(&path);
        hcl_lr::to_file(&path, &Service { port: 80 }).unwrap();
        assert_eq!(std::fs::read(path).unwrap(), theirs);
    }),
    ("`hcl::to_value`, `to_expression`", || {
        assert_eq!(hcl::to_value(Service { port: 80 }).unwrap(), hcl::value!({ port = 80 }));
        assert_eq!(hcl_lr::to_value(&Service { port: 80 }).unwrap(), hcl_lr::value!({ port = 80 }));
        assert_eq!(hcl::to_expression([1, 2]).unwrap().to_string(), "[\n  1,\n  2\n]");
        assert_eq!(typed::to_expression(&[1, 2]).unwrap().text().unwrap(), "[1, 2]");
    }),
    ("`hcl::ser::Serializer::with_formatter`", || {
        let formatter = hcl::format::Formatter::builder().prefer_ident_keys(true).build_vec();
        let mut serializer = hcl::ser::Serializer::with_formatter(formatter);
        serializer.serialize(&map([("a", 1)])).unwrap();
        let theirs = String::from_utf8(serializer.into_inner()).unwrap();
        assert_eq!(theirs, Writer::new().to_string(&map([("a", 1)])).unwrap());
    }),
    ("`hcl::ser::Block<T>`, `ser::block`", || {
        let theirs = hcl::to_string(&map([("log", hcl::ser::Block::new(Service { port: 1 }))])).unwrap();
        assert_eq!(theirs, hcl_lr::to_string(&map([("log", BlockOf(Service { port: 1 }))])).unwrap());

        #[derive(Serialize)]
        struct Theirs {
            #[serde(serialize_with = "hcl::ser::block")]
            log: Service,
        }
        #[derive(Serialize)]
        struct Ours {
            #[serde(with = "hcl_lr::typed::block")]
            log: Service,
        }
        let ours = hcl_lr::to_string(&Ours { log: Service { port: 1 } }).unwrap();
        assert_eq!(hcl::to_string(&Theirs { log: Service { port: 1 } }).unwrap(), ours);
    }),
    ("`LabeledBlock<Map<…>>`, `ser::labeled_block`, `doubly_labeled_block`", || {
        let services = || map([("web", Service { port: 1 })]);
        let theirs = hcl::to_string(&map([("service", hcl::ser::LabeledBlock::new(services()))])).unwrap();
        let ours = map([("service", map([("web", BlockOf(Service { port: 1 }))]))]);
        assert_eq!(theirs, hcl_lr::to_string(&ours).unwrap());

        #[derive(Serialize)]
        struct Theirs {
            #[serde(serialize_with = "hcl::ser::doubly_labeled_block")]
            resource: Map<Map<Service>>,
        }
        #[derive(Serialize)]
        struct Ours {
            #[serde(with = "hcl_lr::typed::blocks_by_label")]
            resource: Map<Map<Service>>,
        }
        let resource = || map([("disk", map([("main", Service { port: 1 })]))]);
        let ours = hcl_lr::to_string(&Ours { resource: resource() }).unwrap();
        assert_eq!(hcl::to_string(&Theirs { resource: resource() }).unwrap(), ours);
    }),
    ("a `Vec<T>` of blocks that fails for one block", || {
        let (one, two) = ("service {\n  port = 1\n}\n", "service {\n  port = 1\n}\nservice {\n  port = 2\n}\n");
        assert!(hcl::from_str::<Map<Vec<Service>>>(one).is_err());
        let read = |text| hcl_lr::from_str::<Map<Vec<Service>>>(text).unwrap()["service"].len();
        assert_eq!((read(one), read(two)), (1, 2));
    }),
    ("`hcl::Value`, `hcl::value!`", || {
        let theirs = hcl::value!({ a = [1, true] });
        let ours = hcl_lr::value!({ a = [1, true] });
        let theirs = theirs.as_object().unwrap()["a"].as_array().unwrap()[0].as_u64().unwrap();
        assert_eq!(theirs, u64::try_from(ours.get("a").unwrap().get(0).unwrap()).unwrap());
    }),
    ("`hcl::Number`", || {
        assert_eq!(hcl::Number::from(80).to_string(), hcl_lr::model::Number::from(80).to_string());
    }),
    ("`hcl::Body::from_serializable`, `Body::builder`", || {
        let theirs = hcl::Body::from_serializable(&Service { port: 80 }).unwrap();
        let ours = hcl_lr::to_body(&Service { port: 80 }).unwrap();
        assert_eq!(hcl::to_string(&theirs).unwrap(), ours.text().unwrap());
        let theirs = hcl::Body::builder().add_attribute(("port", 80)).build();
        assert_eq!(hcl::to_string(&theirs).unwrap(), NewBody::new().attribute("port", 80).text().unwrap());
    }),
    ("`hcl::body!`, `block!`, `attribute!`", || {
        let theirs = hcl::body!({
            name = "shop"
            service "web" {
                port = (80)
            }
        });
        let block = NewBlock::new("service").label("web").attribute("port", NewExpression::parse("80").unwrap());
        let ours = NewBody::new().attribute("name", "shop").block(block);
        assert_eq!(hcl::to_string(&theirs).unwrap(), ours.text().unwrap());
    }),
    ("`hcl::expression!`, an `Expression` made by hand", || {
        assert_eq!(hcl::expression!([1, 2]), hcl::Expression::from(vec![1, 2]));
        let operation = hcl::expr::BinaryOp::new(1, hcl::expr::BinaryOperator::Plus, 2);
        let theirs = hcl::Expression::from(hcl::expr::Operation::Binary(operation)).to_string();
        assert_eq!(theirs, NewExpression::operation(1, BinaryOperator::Add, 2).text().unwrap());
        assert_eq!(theirs, NewExpression::parse("1 + 2").unwrap().text().unwrap());
    }),
    ("`hcl::Template`, `Interpolation`, directives", || {
        let theirs = hcl::Template::new()
            .add_literal("Hello, ")
            .add_interpolation(hcl::expr::Variable::new("name").unwrap())
            .to_string();
        let ours = NewTemplate::new().literal("Hello, ").interpolation(NewExpression::variable("name"));
        assert_eq!(format!("\"{theirs}\""), ours.quoted().text().unwrap());
    }),
    ("`hcl::Expression`, `BinaryOp`, `Conditional` and other kinds as a field", || {
        let text = "a = b ? 1 : 2\n";
        assert_eq!(hcl::from_str::<Map<hcl::Expression>>(text).unwrap()["a"].to_string(), "b ? 1 : 2");
        assert_eq!(hcl_lr::from_str::<Map<Expression>>(text).unwrap()["a"].to_string(), "b ? 1 : 2");
    }),
    ("`TemplateExpr`, `Heredoc` as a field", || {
        let text = "a = \"Hello, ${name}\"\n";
        let theirs = hcl::from_str::<Map<hcl::expr::TemplateExpr>>(text).unwrap();
        assert_eq!(theirs["a"].to_string(), "Hello, ${name}");
        let ours = hcl_lr::from_str::<Map<Template>>(text).unwrap();
        assert_eq!(ours["a"].to_string(), "\"Hello, ${name}\"");
    }),
    ("`hcl::parse`", || {
        let text = "a = 1\nb {\n}\n";
        let theirs = hcl::parse(text).unwrap();
        let content = body(text).content_as_written().unwrap();
        assert_eq!(theirs.attributes().count(), content.attributes().iter().count());
        assert_eq!(theirs.blocks().count(), content.blocks().len());
        assert_eq!(parse::<File>(text).into_result().unwrap().body().items().len(), 2);
    }),
    ("`Body::attributes`, `Body::blocks`, `Block::labels`", || {
        let text = "a = 1\nb \"c\" {\n}\n";
        let theirs = hcl::parse(text).unwrap();
        let ours = parse::<File>(text).into_result().unwrap();
        assert_eq!(theirs.attributes().next().unwrap().key(), ours.body().attributes().next().unwrap().name());
        let (theirs, ours) = (theirs.blocks().next().unwrap(), ours.body().blocks().next().unwrap());
        assert_eq!(theirs.labels()[0].as_str(), ours.labels().next().unwrap().text());
    }),
    ("`hcl::Identifier`, `BlockLabel`", || {
        let theirs = hcl::Block::builder(hcl::Identifier::new("b").unwrap()).add_label("c").build();
        assert_eq!(
            hcl::to_string(&theirs).unwrap(),
            NewBlock::new("b").label("c").text().unwrap().replace("{\n}", "{}")
        );
    }),
    ("`hcl::eval::Context::declare_var`, `declare_func`", || {
        use hcl::eval::{Context, Evaluate, FuncArgs, FuncDef, ParamType};
        fn upper(arguments: FuncArgs) -> Result<hcl::Value, String> {
            Ok(arguments[0].as_str().unwrap_or_default().to_uppercase().into())
        }
        let mut context = Context::new();
        context.declare_var("user", "ada");
        context.declare_func("upper", FuncDef::builder().param(ParamType::String).build(upper));
        let theirs = "upper(user)".parse::<hcl::Expression>().unwrap().evaluate(&context).unwrap();
        let scope = Scope::new().with("user", "ada").with_functions(functions::standard());
        let ours = "upper(user)".parse::<Expression>().unwrap().evaluate(&scope).unwrap();
        assert_eq!(theirs.as_str(), ours.as_str());
    }),
    ("`hcl::eval::from_str`", || {
        let mut context = hcl::eval::Context::new();
        context.declare_var("base", 79);
        let theirs: Service = hcl::eval::from_str("port = base + 1\n", &context).unwrap();
        let scope = Scope::new().with("base", 79);
        assert_eq!(theirs, hcl_lr::from_body::<Service>(&body("port = base + 1\n"), &scope).unwrap());
    }),
    ("`hcl::eval::to_string`", || {
        let mut context = hcl::eval::Context::new();
        context.declare_var("base", 79);
        let text = "port = base + 1\n";
        let theirs = hcl::eval::to_string(&hcl::parse(text).unwrap(), &context).unwrap();
        let ours: Value = hcl_lr::from_body(&body(text), &Scope::new().with("base", 79)).unwrap();
        assert_eq!(theirs, hcl_lr::to_string(&ours).unwrap());
    }),
    ("`Evaluate::evaluate`", || {
        use hcl::eval::Evaluate;
        let mut context = hcl::eval::Context::new();
        context.declare_var("name", "Ada");
        let scope = Scope::new().with("name", "Ada");
        let theirs = "\"Hello, ${name}\"".parse::<hcl::Expression>().unwrap().evaluate(&context).unwrap();
        let ours = "\"Hello, ${name}\"".parse::<Expression>().unwrap().evaluate(&scope).unwrap();
        assert_eq!(theirs.as_str(), ours.as_str());
        let template: Template = "Hello, ${name}".parse().unwrap();
        assert_eq!(template.render(&scope).unwrap(), "Hello, Ada");
    }),
    ("`hcl::format::Formatter`, `format::to_string`", || {
        let theirs = hcl::format::to_string(&hcl::parse("a=1\nb{\n}\n").unwrap()).unwrap();
        assert_eq!(theirs, "a = 1\n\nb {}\n");
        assert_eq!(hcl_lr::format::format("a=1\nb{\n}\n"), "a = 1\nb {\n}\n");
    }),
    ("`hcl::edit` (`hcl_edit`, which has no serde)", || {
        let text = "port = 80 # public\n";
        let mut theirs = hcl::edit::parser::parse_body(text).unwrap();
        *theirs.get_attribute_mut("port").unwrap().value_mut() = 8080.into();
        let file = parse::<File>(text).into_result().unwrap();
        let mut editor = hcl_lr_edit::Editor::new(&file);
        editor.set(file.body().attribute("port").unwrap(), 8080);
        // The new value has no decoration in hcl-edit: the blank before it is gone.
        assert_eq!(theirs.to_string().replace("=8080# ", "= 8080 # "), editor.finish().unwrap().text());
    }),
    ("`hcl::Error`, its message and location", || {
        let theirs = hcl::parse("a = 1\nb = \n").unwrap_err();
        let hcl::Error::Parse(theirs) = theirs else { panic!("{theirs}") };
        let ours = parse::<File>("a = 1\nb = \n").into_result().unwrap_err();
        let first = ours.first().unwrap();
        assert_eq!(theirs.location().line(), first.position().line);
        assert!(!theirs.message().is_empty() && !first.detail().is_empty() && ours.render().contains("b ="));
    }),
    ("an expression or a template in a `String` or a `Value`", || {
        let text = "a = b.c\n";
        assert_eq!(hcl::from_str::<Map<String>>(text).unwrap()["a"], "${b.c}");
        assert!(hcl_lr::from_str::<Map<String>>(text).is_err());
        let scope = Scope::new().with("b", hcl_lr::value!({ c = "x" }));
        assert_eq!(hcl_lr::from_body::<Map<String>>(&body(text), &scope).unwrap()["a"], "x");
        let reader = Reader::new().with_templates_as_text(true);
        assert_eq!(reader.read_str::<Map<String>>("a = \"${b.c}-\"\n").unwrap().0["a"], "${b.c}-");
    }),
    ("a number or a bool in a `String`", || {
        #[derive(Deserialize, Debug)]
        struct Texts {
            a: String,
            b: String,
        }
        let text = "a = 1\nb = true\n";
        let theirs: Texts = hcl::from_str(text).unwrap();
        assert_eq!((&*theirs.a, &*theirs.b), ("${1}", "${true}"));
        assert_eq!(hcl_lr::from_str::<Texts>(text).unwrap_err().len(), 2);
        let (ours, _) = Reader::new().with_conversions(true).read_str::<Texts>(text).unwrap();
        assert_eq!((&*ours.a, &*ours.b), ("1", "true"));
    }),
    ("one block for a `Vec<T>`", || {
        assert!(hcl::from_str::<Map<Vec<Service>>>("a {\n  port = 1\n}\n").is_err());
        assert_eq!(hcl_lr::from_str::<Map<Vec<Service>>>("a {\n  port = 1\n}\n").unwrap()["a"].len(), 1);
    }),
    ("a `Vec` or map that is not in the file", || {
        #[derive(Deserialize)]
        struct Lists {
            list: Vec<u8>,
            map: Map<u8>,
        }
        assert!(hcl::from_str::<Lists>("").is_err());
        let lists: Lists = hcl_lr::from_str("").unwrap();
        assert!(lists.list.is_empty() && lists.map.is_empty());
    }),
    ("an attribute and a block of one name", || {
        let text = "a = 1\na {\n  b = 2\n}\n";
        assert_eq!(hcl::from_str::<Json>(text).unwrap(), json!({"a": {"b": 2}}));
        assert!(hcl_lr::from_str::<Json>(text).is_err());
    }),
    ("a key twice in an object", || {
        let text = "a = { b = 1, b = 2 }\n";
        assert!(hcl::from_str::<Json>(text).is_err());
        let (read, warnings) = Reader::new().read_str::<Json>(text).unwrap();
        assert_eq!((read, warnings.len()), (json!({"a": {"b": 2}}), 1));
    }),
    ("a label as a field", || {
        let text = "a \"x\" {\n  port = 1\n}\n";
        assert!(hcl::from_str::<Map<Vec<Service>>>(text).is_err());
        let read: Map<Vec<Labeled<Service, String>>> = hcl_lr::from_str(text).unwrap();
        assert_eq!((read["a"][0].labels.as_str(), read["a"][0].value.port), ("x", 1));
    }),
    ("whole numbers beyond 64 bits", || {
        let text = "a = 100000000000000000001\n";
        assert_eq!(hcl::from_str::<Json>(text).unwrap(), json!({"a": 1e20}));
        assert_eq!(hcl_lr::from_str::<Map<i128>>(text).unwrap()["a"], 100_000_000_000_000_000_001);
        assert_eq!(hcl_lr::from_str::<Map<Value>>(text).unwrap()["a"].to_string(), "100000000000000000001");
        assert!(hcl_lr::from_str::<Json>(text).is_err());
        let (read, _) = Reader::new().with_rounded_numbers(true).read_str::<Json>(text).unwrap();
        assert_eq!(read, json!({"a": 1e20}));
    }),
    ("errors", || {
        assert_eq!(
            hcl::from_str::<Map<u8>>("a = \"x\"\nb = 300\n").unwrap_err().to_string().matches("invalid").count(),
            1
        );
        let errors = hcl_lr::from_str::<Map<u8>>("a = \"x\"\nb = 300\n").unwrap_err();
        let lines: Vec<_> = errors.iter().map(|error| error.position().line).collect();
        assert_eq!(lines, [1, 2]);
    }),
    ("keys of objects", || {
        let value = map([("a", map([("b", 1), ("c d", 2)]))]);
        assert_eq!(hcl::to_string(&value).unwrap(), "a = {\n  \"b\" = 1\n  \"c d\" = 2\n}\n");
        assert_eq!(hcl_lr::to_string(&value).unwrap(), "a = {\n  b     = 1\n  \"c d\" = 2\n}\n");
    }),
    ("`None`", || {
        let value = map([("a", None::<u8>)]);
        assert_eq!(hcl::to_string(&value).unwrap(), "a = null\n");
        assert_eq!(hcl_lr::to_string(&value).unwrap(), "");
        assert_eq!(Writer::new().with_nulls(true).to_string(&value).unwrap(), "a = null\n");
    }),
    ("an enum in a block", || {
        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Store {
            Disk { size: u8 },
        }
        let store = || Store::Disk { size: 1 };
        let theirs = hcl::to_string(&map([("store", hcl::ser::Block::new(store()))])).unwrap();
        assert_eq!(theirs, "store {\n  disk {\n    size = 1\n  }\n}\n");
        let ours = hcl_lr::to_string(&map([("store", BlockOf(store()))])).unwrap();
        assert_eq!(ours, "store \"disk\" {\n  size = 1\n}\n");
    }),
    ("`labeled_block` for a structure", || {
        #[derive(Serialize)]
        struct Theirs {
            #[serde(serialize_with = "hcl::ser::labeled_block")]
            service: Services,
        }
        #[derive(Serialize)]
        struct Services {
            web: Service,
        }
        let theirs = hcl::to_string(&Theirs { service: Services { web: Service { port: 1 } } }).unwrap();
        let ours = hcl_lr::to_string(&map([("service", Labeled::new(["web"], Service { port: 1 }))])).unwrap();
        assert_eq!(theirs, ours);
    }),
    ("a list or a tuple of structures as the file", || {
        let services = vec![map([("a", 1)]), map([("b", 2)])];
        assert_eq!(hcl::to_string(&services).unwrap(), "a = 1\nb = 2\n");
        assert!(hcl_lr::to_string(&services).is_err());
    }),
    ("layout", || {
        let value = map([("a", vec![1, 2])]);
        assert_eq!(hcl::to_string(&value).unwrap(), "a = [\n  1,\n  2\n]\n");
        let ours = hcl_lr::to_string(&value).unwrap();
        assert_eq!((ours.as_str(), hcl_lr::format::format(&ours)), ("a = [1, 2]\n", ours.clone()));
    }),
];

#[test]
fn every_row_is_a_program() {
    support::run("moving-from-hcl-rs.md", &["Calls", "Reading", "Writing"], ROWS);
}
