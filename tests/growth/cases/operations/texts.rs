//! Reading and writing of texts: formatting, addresses, queries, edits, the other syntax, built files.

use hcl_lr::ConfigFile;
use hcl_lr::construct::{NewBlock, NewBody, NewExpression};
use hcl_lr::convert::{ConversionOptions, ConversionSchema, to_hcl2json, to_json, to_native, to_python_hcl2};
use hcl_lr::format::{Style, format, line_ends};
use hcl_lr::json::Document;
use hcl_lr::{Expression, File, ParseOptions, Scope, Value, functions, parse};
use hcl_lr_edit::address::Address;
use hcl_lr_edit::query::{Query, Subject, evaluate_body, evaluate_json};
use hcl_lr_edit::{Editor, NewItem};
use hcl_lr_language::definitions::Inputs;

use super::{Case, DEEP, WIDE, deep, object, wide};

fn blocks(count: usize) -> String {
    (0..count)
        .map(|at| format!("# one\nr  \"x\" \"n{at}\" {{\n a=[1,\n2]\n  bcd = {{ x = \"${{f(a)}}\" }} # two\n}}\n"))
        .collect()
}

fn attributes(count: usize) -> String {
    (0..count).map(|at| format!("a{at}=1\n")).collect()
}

fn nested(levels: usize) -> String {
    format!("{}a=1\n{}", "b \"l\" {\n".repeat(levels), "}\n".repeat(levels))
}

fn brackets(levels: usize) -> String {
    format!("a={}1{}\n", "[\n{ x = (".repeat(levels), ")\n}\n]".repeat(levels))
}

fn file(text: String) -> File {
    ParseOptions::new().max_nesting(100_000).parse::<File>(text).into_value()
}

type Text = fn(usize) -> String;

const TEXTS: [(&str, usize, Text); 4] = [
    ("blocks", WIDE, blocks),
    ("attributes", WIDE, attributes),
    ("blocks in blocks", DEEP, nested),
    ("brackets", DEEP / 2, brackets),
];

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, size, text) in TEXTS {
        // Each level is indented more than the one around it, so that there is more to write than levels.
        let levels = name != "blocks" && name != "attributes";
        if !levels {
            cases.push(case!("format/mod format": name, size, text => |text| format(&text)));
            cases.push(case!("format/mod line_ends": name, size, text => |text| line_ends(&text)));
            let style = Style::new().with_terraform_rules(true).with_one_blank_line(true);
            cases.push(case!("format/mod format": &format!("{name} in another style"), size, text =>
                move |text| style.format(&text)));
            cases.push(case!("format/mod format_bytes": name, size, text =>
                |text| Style::default().format_bytes(text.as_bytes())));
            cases.push(case!("convert/to_json to_json": name, size, move |n| file(text(n)) =>
                |file| to_json(&file, &ConversionOptions::default()).into_value()));
            cases.push(case!("convert/to_native to_native": name, size,
                move |n| {
                    let json = to_json(&file(text(n)), &ConversionOptions::default()).into_value().text;
                    parse::<Document>(("a.json", json)).into_value()
                } => |document| to_native(&document, &ConversionOptions::default()).into_value()));
            cases.push(case!("query/body_values evaluate_json": name, size,
                move |n| {
                    let json = to_json(&file(text(n)), &ConversionOptions::default()).into_value().text;
                    parse::<Document>(("a.json", json)).into_value()
                } => |document| evaluate_json(&document, &Scope::new()).into_value()));
        }
        cases.push(case!("format/mod closes": name, size, text => |text| hcl_lr::format::is_closed(text.as_bytes())));
        cases.push(case!("convert/hcl2json to_hcl2json": name, size, move |n| file(text(n)) =>
            |file| to_hcl2json(&file)));
        cases.push(case!("convert/python_hcl2 to_python_hcl2": name, size, move |n| file(text(n)) =>
            |file| to_python_hcl2(&file)));
        cases.push(case!("convert/schema of": name, size, move |n| file(text(n)) =>
            |file| ConversionSchema::of(file.body())));
        cases.push(case!("address/resolve resolve": name, size, move |n| file(text(n)) => |file| {
            let address: Address = "**".parse().expect("an address");
            address.resolve(file.body()).len()
        }));
        cases.push(case!("query/mod run": name, size, move |n| file(text(n)) => |file| {
            let result = parse::<Expression>("node.name").into_result().expect("an expression");
            let query = Query::new("**".parse().expect("an address")).with_result(result);
            query.run(Subject::Native(&file)).matches().len()
        }));
        cases.push(case!("query/body_values evaluate_body": name, size, move |n| file(text(n)) =>
            |file| evaluate_body(file.body(), &Scope::new()).into_value()));
        cases.push(case!("edit/mod finish": name, size, move |n| file(text(n)) => |file| {
            let mut editor = Editor::new(&file);
            file.body().attributes().for_each(|attribute| {
                editor.set(attribute, 1);
            });
            file.body().blocks().for_each(|block| {
                editor.rename(block, "other");
            });
            editor.finish().map(|edited| edited.text().len())
        }));
        cases.push(case!("definitions/document parse": name, size, text =>
            |text| parse::<ConfigFile>(("a.hcl", text))));
    }
    cases.extend([
        case!("query/result value": "of all attributes", WIDE, |n| file(blocks(n)) => |file| {
            let query = Query::new("r[*][*].a".parse().expect("an address"));
            let answer = query.run(Subject::Native(&file));
            answer
                .matches()
                .iter()
                .map(|query_match| (query_match.value(&functions::standard()), query_match.position().line))
                .collect::<Vec<_>>()
        }),
        case!("query/result value_as_written": "of all attributes", WIDE, |n| file(blocks(n)) => |file| {
            let query = Query::new("r[*][*].*".parse().expect("an address"));
            let answer = query.run(Subject::Native(&file));
            answer.matches().iter().map(|query_match| query_match.value_as_written(&functions::standard())).collect::<Vec<_>>()
        }),
        case!("query/result comment": "of all blocks", WIDE, |n| file(blocks(n)) => |file| {
            let query = Query::new("r[*][*]".parse().expect("an address"));
            let answer = query.run(Subject::Native(&file));
            answer.matches().iter().map(|query_match| query_match.comment().len() + query_match.labels().len()).sum::<usize>()
        }),
        case!("address/parse parse": "a long one", WIDE, |n| format!("a{}", ".b[\"c\"][0]".repeat(n)) =>
            Address::parse),
        case!("address/mod fmt": "a long one", WIDE,
            |n| Address::parse(format!("a{}", ".b[\"c\"][0]".repeat(n))).expect("an address") =>
            |address| address.to_string()),
        case!("build/body text": "many", WIDE, |n| n => |n| {
            let all = (0..n).fold(NewBody::new(), |all, at| {
                all.attribute(&format!("a{at}"), at).block(NewBlock::new("b").label("l").attribute("c", "d"))
            });
            all.text()
        }),
        case!("build/expression from": "a wide value", WIDE, wide => |value: Value| NewExpression::from(value).text()),
        case!("build/expression from": "an object", WIDE, object => |value: Value| NewExpression::from(value).text()),
        case!("build/expression list": "many", WIDE, |n| (0..n).map(NewExpression::from).collect::<Vec<_>>() =>
            |all| NewExpression::list(all).text()),
        case!("edit/item parse": "many", WIDE, |n| format!("a {{\n{}}}", "  # b\n  c {}\n".repeat(n)) =>
            |text| NewItem::parse(&text)),
        case!("definitions/inputs with": "many", WIDE, |n| n =>
            |n| (0..n).fold(Inputs::new(), |inputs, at| inputs.with(format!("v{at}"), at))),
        case!("json/mod parse_json": "deep", DEEP, |n| format!("{}1{}", "[{\"a\": ".repeat(n), "}]".repeat(n)) =>
            |text| ParseOptions::new().max_nesting(100_000).parse::<hcl_lr::json::Document>(text)),
        case!("syntax/file clone": "a large one", WIDE, |n| parse::<File>(blocks(n)).into_value() =>
            |file| file.clone()),
    ]);
    cases
}

/// Each level has lines of its own, with blanks before them for all the levels around it.
pub fn indented() -> Vec<Case> {
    vec![case!("build/expression from": "a deep value", 2 * DEEP, deep =>
        |value: Value| NewExpression::from(value).text())]
}
