//! The kinds of questions.

use serde_json::{Map, Value as Json, json};

use super::compare::{self, Verdict};
use super::evaluation::questions::{Kind as Source, Question, Random, Setting, variables};
use super::{bodies, documents, functions, model, specs, types};

/// Makes one question after the other.
pub type Questions = Box<dyn FnMut() -> Json>;

pub struct Kind {
    pub name: &'static str,
    /// The number of questions of this kind, in proportion to the others.
    pub share: usize,
    /// The questions of a seed.
    pub questions: fn(u64) -> Questions,
    /// The request, the answer of the other driver, and ours.
    pub compare: fn(&Json, &Json, &Json) -> Verdict,
}

const fn kind(name: &'static str, share: usize, questions: fn(u64) -> Questions) -> Kind {
    Kind { name, share, questions, compare: compare::sources }
}

pub const KINDS: [Kind; 23] = [
    kind("expr", 12, |seed| sources(seed, Source::Expression)),
    kind("template", 8, |seed| sources(seed, Source::Template)),
    kind("attributes", 7, |seed| sources(seed, Source::Attributes)),
    kind("config", 5, |seed| sources(seed, Source::Config)),
    kind("variables", 2, |seed| sources(seed, Source::Variables)),
    kind("static", 2, |seed| sources(seed, Source::Static)),
    kind("traversal", 2, |seed| sources(seed, Source::Traversal)),
    Kind {
        name: "json_attributes",
        share: 5,
        questions: |seed| json(seed, documents::attributes),
        compare: compare::sources,
    },
    Kind {
        name: "json_static",
        share: 2,
        questions: |seed| json(seed, documents::analysis),
        compare: compare::sources,
    },
    Kind { name: "type", share: 3, questions: |seed| json(seed, types::question), compare: compare::sources },
    Kind { name: "defaults", share: 2, questions: |seed| json(seed, types::defaults), compare: compare::sources },
    Kind { name: "convert", share: 8, questions: |seed| values(seed, "convert"), compare: compare::model },
    Kind { name: "unify", share: 4, questions: |seed| values(seed, "unify"), compare: compare::model },
    Kind { name: "operation", share: 5, questions: operations, compare: compare::model },
    Kind { name: "call", share: 9, questions: calls, compare: compare::calls },
    Kind { name: "numbers", share: 3, questions: odd_numbers, compare: compare::calls },
    Kind { name: "format", share: 4, questions: |seed| json(seed, format), compare: compare::format },
    Kind { name: "content", share: 6, questions: |seed| json(seed, bodies::content), compare: compare::bodies },
    Kind {
        name: "json_content",
        share: 4,
        questions: |seed| json(seed, bodies::json_content),
        compare: compare::bodies,
    },
    Kind { name: "merged", share: 3, questions: |seed| json(seed, bodies::merged), compare: compare::bodies },
    Kind { name: "dynamic", share: 4, questions: |seed| json(seed, bodies::dynamic), compare: compare::bodies },
    Kind { name: "decode", share: 7, questions: |seed| json(seed, specs::decode), compare: compare::decoded },
    Kind {
        name: "user_functions",
        share: 3,
        questions: |seed| json(seed, specs::user_functions),
        compare: compare::decoded,
    },
];

/// Sources in native syntax, with all variables that they may mean.
fn sources(seed: u64, source: Source) -> Questions {
    let (mut random, variables) = (Random::new(seed), variables());
    let names = names(&variables);
    Box::new(move || Question::random(&mut random, Some(source), &names).request(&variables))
}

pub fn names(variables: &Json) -> Vec<String> {
    variables.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn json(seed: u64, question: fn(&mut Random) -> Json) -> Questions {
    let mut random = Random::new(seed);
    Box::new(move || question(&mut random))
}

/// Conversions or unifications.
fn values(seed: u64, op: &'static str) -> Questions {
    let mut random = model::generate::Random::new(seed);
    Box::new(move || {
        loop {
            let question = model::generate::question(&mut random);
            if question["op"] == op {
                return question;
            }
        }
    })
}

fn operations(seed: u64) -> Questions {
    let mut random = model::generate::Random::new(seed);
    Box::new(move || model::generate::operation_question(&mut random))
}

fn calls(seed: u64) -> Questions {
    let mut random = functions::random::Random::new(seed);
    Box::new(move || functions::calls::call(&mut random))
}

fn odd_numbers(seed: u64) -> Questions {
    let mut random = functions::random::Random::new(seed);
    Box::new(move || functions::odd_numbers::call(&mut random))
}

/// A file to format, often a broken one.
fn format(random: &mut Random) -> Json {
    let names = names(&variables());
    let kind = if random.chance(70) { Source::Config } else { Source::Attributes };
    let text = Question::random(random, Some(kind), &names).text;
    json!({ "op": "format", "src": text })
}

/// Adds a context to a request: the variables that its texts may mean, and functions.
pub fn offer(request: &mut Json, random: &mut Random) {
    let texts = texts(request);
    let setting = if random.chance(92) { Setting::Usual } else { Setting::ALL[random.below(Setting::ALL.len())] };
    let mut members = Map::new();
    members.insert("src".to_owned(), texts.into());
    setting.add_to(&mut members, &variables());
    members.remove("src");
    if let Some(request) = request.as_object_mut() {
        request.extend(members);
    }
}

/// All texts of a request, one after the other.
fn texts(part: &Json) -> String {
    match part {
        Json::String(text) => format!("{text} "),
        Json::Array(parts) => parts.iter().map(texts).collect(),
        Json::Object(parts) => parts.values().map(texts).collect(),
        _ => String::new(),
    }
}
