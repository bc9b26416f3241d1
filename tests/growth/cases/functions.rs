//! Every function of the library, with arguments of any size.

use std::sync::Arc;

use hcl_lr::eval::Function;
use hcl_lr::functions::{self, FunctionEntry, FunctionSet, Host};
use hcl_lr::model::{Mark, Number, Type, Value, json};
use hcl_lr::{Expression, Scope, parse};

use super::Case;

/// Functions that write or read numbers of many digits. That takes more than linear time, but no number
/// has more than 40,001 digits.
const DIGITS: &[&str] = &["parseint", "tonumber", "tostring"];

struct Files(usize);

impl Host for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Ok(match path {
            "template" => "${a} ".repeat(self.0).into_bytes(),
            _ => text(self.0).into_bytes(),
        })
    }

    fn files(&self, _: &str) -> Result<Vec<String>, String> {
        Ok((0..self.0).map(|at| format!("folder/{at}.txt")).collect())
    }

    fn absolute(&self, path: &str) -> Result<String, String> {
        Ok(format!("/{path}"))
    }
}

fn text(count: usize) -> String {
    "some text, ".repeat(count)
}

/// Strings in no order.
fn strings(count: usize) -> Vec<Value> {
    (0..count).map(|at| Value::from(format!("string {}", at * 7_919 % count.max(1)))).collect()
}

fn list(items: Vec<Value>) -> Value {
    Value::list_of(items).expect("one type")
}

fn numbers(count: usize, from: usize) -> Value {
    Value::set(Type::Number, (from..from + count).map(Value::from)).expect("numbers")
}

fn map(count: usize, from: usize) -> Value {
    let entries = (from..from + count).map(|at| (format!("key {at}"), Value::from(at)));
    Value::map(Type::Number, entries).expect("numbers")
}

fn objects(count: usize) -> Value {
    list((0..count).map(|at| Value::object([("name", Value::from(format!("n{at}"))), ("port", at.into())])).collect())
}

/// Arguments whose size grows with a number.
pub fn arguments(name: &str, set: FunctionSet, n: usize) -> Option<Vec<Value>> {
    let strings = || strings(n);
    let long = || Value::from(text(n));
    let encoded = || call("base64encode", &[long()]);
    Some(match name {
        // These take one text.
        "base64encode" | "lower" | "strlen" | "strrev" | "title" | "upper" | "urlencode" | "file" | "filebase64"
        | "filemd5" | "filesha1" | "filesha256" | "filesha512" | "filebase64sha256" | "filebase64sha512" => {
            vec![long()]
        }
        "base64decode" => vec![encoded()],
        "base64gunzip" => vec![call("base64gzip", &[long()])],
        "urldecode" => vec!["%41+b".repeat(n).into()],
        "dirname" | "abspath" => vec!["folder/".repeat(n).into()],
        "csvdecode" => {
            vec![format!("a,b\n{}", (0..n).map(|at| format!("{at},\"x \"\" y\"\n")).collect::<String>()).into()]
        }
        "jsondecode" => vec![json::encode_implied(&objects(n)).expect("JSON").into()],
        "yamldecode" => vec![(0..n).map(|at| format!("- name: n{at}\n  port: {at}\n")).collect::<String>().into()],
        // These take texts.
        "indent" => vec![2.into(), "line\n".repeat(n).into()],
        "join" => vec![", ".into(), list(strings())],
        "split" => vec![",".into(), long()],
        "replace" => vec![long(), "t".into(), "tt".into()],
        "regexreplace" | "regex_replace" => vec![long(), "(t)e".into(), "$1$1".into()],
        "regex" => vec!["(.*)x(.*), $".into(), long()],
        "regexall" => vec!["([a-z]+) ([a-z]+)".into(), long()],
        "substr" => vec![long(), n.into(), n.into()],
        "trim" => {
            let characters: String = ('一'..).take(n).collect();
            vec![characters.as_str().into(), characters.as_str().into()]
        }
        "textencodebase64" => vec![long(), "UTF-16LE".into()],
        "textdecodebase64" => vec![encoded(), "ISO-8859-1".into()],
        "templatestring" => vec!["${a} ".repeat(n).into(), Value::object([("a", Value::from("b"))])],
        "templatefile" => vec!["template".into(), Value::object([("a", Value::from("b"))])],
        "uuidv5" => vec!["dns".into(), long()],
        "format" => [Value::from("%s ".repeat(n))].into_iter().chain(strings()).collect(),
        "formatlist" => vec!["%s is %d".into(), list(strings()), 7.into()],
        "formatdate" => vec!["YYYY-MM 'at' ".repeat(n).into(), "2018-01-02T23:12:01Z".into()],
        "timeadd" => vec!["2018-01-02T23:12:01Z".into(), "1ns".repeat(n).into()],
        "parseint" => vec!["7".repeat(n).into(), 10.into()],
        "cidrsubnets" => {
            [Value::from("10.0.0.0/8")].into_iter().chain(std::iter::repeat_n(Value::from(20), n)).collect()
        }
        // These take collections.
        "chunklist" => vec![list(strings()), 2.into()],
        "compact" | "distinct" | "sort" => vec![list(strings())],
        "reverse" => vec![Value::tuple(strings())],
        "coalesce" => std::iter::repeat_n(Value::null(Type::String), n).chain([Value::from("a")]).collect(),
        "coalescelist" => std::iter::repeat_n(Value::tuple([]), n).chain([Value::tuple([Value::from(1)])]).collect(),
        "concat" => vec![list(strings()), Value::tuple(strings())],
        "contains" => vec![list(strings()), "another".into()],
        // Elsewhere it selects an element.
        "index" if matches!(set, FunctionSet::Terraform | FunctionSet::Packer) => {
            let (all, last) = (strings(), strings().pop()?);
            vec![list(all), last]
        }
        "flatten" => vec![Value::tuple((0..n).map(|at| Value::tuple([Value::from(at), Value::tuple([at.into()])])))],
        "slice" => vec![Value::tuple(strings()), 1.into(), (n - 1).into()],
        "keys" | "values" => vec![map(n, 0)],
        "merge" => vec![map(n, 0), map(n, n / 2), Value::object([("a", Value::from("b"))])],
        "zipmap" => vec![list(strings()), Value::tuple(strings())],
        "setunion" | "setintersection" | "setsubtract" | "setsymmetricdifference" => {
            vec![numbers(n, 0), numbers(n, n / 2)]
        }
        "setproduct" => vec![list(strings()), Value::tuple([Value::from(1), Value::from(2)])],
        "matchkeys" => vec![list(strings()), list(strings()), list(strings())],
        "alltrue" => vec![list(vec![Value::from(true); n])],
        "anytrue" => vec![list(vec![Value::from(false); n])],
        "sum" => vec![list((0..n).map(Value::from).collect())],
        "max" | "min" => (0..n).map(Value::from).collect(),
        "transpose" => {
            let lists = (0..n).map(|at| (format!("key {at}"), list(vec![Value::from(format!("{}", at / 2))])));
            vec![Value::map(Type::list(Type::String), lists).expect("lists")]
        }
        "jsonencode" | "yamlencode" => vec![objects(n)],
        "type" => vec![Value::tuple(strings())],
        "tolist" | "toset" | "assumelistlengthmin" | "assumesetlengthmin" => {
            let mut arguments = vec![Value::tuple(strings())];
            arguments.extend(name.ends_with("min").then(|| 1.into()));
            arguments
        }
        "assumelistlength" | "assumesetlength" => vec![Value::tuple(strings()), 1.into(), n.into()],
        "assumelistlengthmax" | "assumesetlengthmax" => vec![Value::tuple(strings()), n.into()],
        "assumemaplength" => vec![as_object(n), 1.into(), n.into()],
        "assumemaplengthmin" => vec![as_object(n), 1.into()],
        "assumemaplengthmax" => vec![as_object(n), n.into()],
        "tomap" => vec![as_object(n)],
        "tonumber" => vec![format!("0.{}", "7".repeat(n)).into()],
        "tostring" => vec![Number::parse(&"7".repeat(n)).expect("a number").into()],
        "equal" | "notequal" | "assumeequal" => vec![list(strings()), list(strings())],
        "range" => vec![n.into()],
        "ephemeralasnull" => vec![Value::tuple(strings().into_iter().map(|text| text.mark(Mark::new("ephemeral"))))],
        "fileset" => vec!["folder".into(), "**/*.txt".into()],
        _ => return None,
    })
}

fn as_object(count: usize) -> Value {
    Value::object((0..count).map(|at| (format!("key {at}"), Value::from(at))))
}

fn call(name: &str, arguments: &[Value]) -> Value {
    functions::extended().get(name).expect("a function").call(arguments).expect("a value")
}

/// All functions: under each name once, but once for each set that has its own.
pub fn entries() -> Vec<(FunctionSet, &'static FunctionEntry)> {
    let mut all: Vec<(FunctionSet, &FunctionEntry)> = Vec::new();
    let of_sets = FunctionSet::ALL.into_iter().flat_map(|set| set.entries().iter().map(move |entry| (set, entry)));
    for (set, entry) in of_sets.chain(functions::host_entries().iter().map(|entry| (FunctionSet::Terraform, entry))) {
        let known = |known: &FunctionEntry| known.name() == entry.name() && known.summary() == entry.summary();
        if !all.iter().any(|(_, value)| known(value)) {
            all.push((set, entry));
        }
    }
    all
}

fn case(set: FunctionSet, entry: &'static FunctionEntry, size: usize) -> Case {
    Case::new(format!("{} {}", set.name(), entry.name()), size, move |n| {
        let host = functions::with_host(Arc::new(Files(n)));
        let function: Function = host.get(entry.name()).unwrap_or(entry.function()).clone();
        // Prepare one-time work, such as compiling the pattern, before counting.
        let arguments = arguments(entry.name(), set, n).expect("arguments");
        drop(function.call(&arguments));
        move || drop(function.call(&arguments).expect("a value"))
    })
}

fn chosen(wanted: impl Fn(&str) -> bool, size: usize) -> Vec<Case> {
    let all = entries().into_iter().filter(|(set, entry)| arguments(entry.name(), *set, 1).is_some());
    all.filter(|(_, entry)| wanted(entry.name())).map(|(set, entry)| case(set, entry, size)).collect()
}

/// Returns the cases that take linear time.
pub fn linear() -> Vec<Case> {
    let mut cases = chosen(|name| !DIGITS.contains(&name) && name != "range", 1_000);
    // No more than 1,024 numbers come out of it.
    cases.extend(chosen(|name| name == "range", 200));
    // The type is written out, so that the function cannot be called with values.
    cases.push(Case::new("convert", 1_000, |n| {
        let scope = Scope::new().with("a", Value::tuple(strings(n))).with_functions(functions::extended());
        let expression = parse::<Expression>(("growth", "convert(a, list(string))")).into_result().expect("no errors");
        move || drop(expression.evaluate(&scope).expect("a list"))
    }));
    cases
}

/// Layouts of YAML.
pub fn layouts() -> Vec<Case> {
    let layout = |name: &str, text: fn(usize) -> String| {
        Case::new(format!("yamldecode of {name}"), 2_000, move |n| {
            let arguments = [Value::from(text(n))];
            move || drop(call("yamldecode", &arguments))
        })
    };
    vec![
        layout("a long line", |n| format!("[{}]", "a, ".repeat(n))),
        layout("many lines in brackets", |n| format!("[{}]", "a,\n".repeat(n))),
        layout("many brackets around many elements", |n| {
            format!("{}{}{}", "[".repeat(400), "a, ".repeat(n), "]".repeat(400))
        }),
        layout("many keys in braces", |n| {
            format!("{{{}}}", (0..n).map(|at| format!("a{at}: b, ")).collect::<String>())
        }),
        layout("pairs in brackets", |n| format!("[{}]", "a: b, ".repeat(n))),
        layout("dashes", |n| "- a\n".repeat(n)),
        layout("empty elements", |n| "-\n".repeat(n)),
        layout("keys", |n| (0..n).map(|at| format!("a{at}: b\n")).collect()),
        layout("keys after question marks", |n| (0..n).map(|at| format!("? a{at}\n: b\n")).collect()),
        layout("levels that end", |n| "- - - - a\n".repeat(n)),
        layout("a plain text of many lines", |n| "a b\n".repeat(n)),
        layout("a text in quotes of many lines", |n| format!("\"{}\"", "a \\n\n".repeat(n))),
        layout("a block of text", |n| format!(">\n{}", " a\n\n".repeat(n))),
        layout("empty lines", |n| format!("a{}", "\n".repeat(n))),
        layout("blanks", |n| format!("a:{}b", " ".repeat(16 * n))),
        layout("comments", |n| format!("{}a", "# c\n".repeat(n))),
        layout("anchors and aliases", |n| "- &x a\n- *x\n".repeat(n)),
        layout("anchors around an anchor", |n| {
            format!("{}[{}]{}", "[&x ".repeat(400), "&y [], ".repeat(n), "]".repeat(400))
        }),
        layout("tags", |n| "- !!str 1\n".repeat(n)),
        layout("directives", |n| {
            let lines: String = (0..n).map(|at| format!("%TAG !e{at}! tag:yaml.org,2002:\n")).collect();
            format!("{lines}---\n{}", (0..n).map(|at| format!("- !e{at}!str 1\n")).collect::<String>())
        }),
    ]
}

/// Numbers of many digits.
pub fn digits() -> Vec<Case> {
    chosen(|name| DIGITS.contains(&name), 5_000)
}
