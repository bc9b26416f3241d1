//! The kinds of questions, and what makes them.

mod arguments;
mod bodies;
pub mod calls;
mod documents;
mod expressions;
mod files;
pub mod format;
mod mutation;
pub mod odd_numbers;
mod offers;
pub mod sources;
mod specs;
pub mod texts;
mod types;
pub mod values;

use serde_json::{Map, Value as Json};

use crate::comparison::{self, Verdict};
use crate::random::Random;
use sources::{Kind as Source, Question, Setting, variables};

/// Makes a question at a time.
pub type Questions = Box<dyn FnMut() -> Json>;

pub struct Kind {
    pub name: &'static str,
    /// The number of questions of this kind, in proportion to the others.
    pub share: usize,
    /// The questions of a seed.
    pub questions: fn(u64) -> Questions,
    /// The comparison of the answer of the other driver with ours.
    pub compare: fn(&Json, &Json, &Json) -> Verdict,
}

type Compare = fn(&Json, &Json, &Json) -> Verdict;

const fn kind(name: &'static str, share: usize, compare: Compare, questions: fn(u64) -> Questions) -> Kind {
    Kind { name, share, questions, compare }
}

pub const KINDS: [Kind; 22] = [
    kind("expr", 12, comparison::sources, |seed| sources(seed, Source::Expression)),
    kind("template", 8, comparison::sources, |seed| sources(seed, Source::Template)),
    kind("attributes", 7, comparison::sources, |seed| sources(seed, Source::Attributes)),
    kind("config", 5, comparison::sources, |seed| sources(seed, Source::Config)),
    kind("variables", 2, comparison::sources, |seed| sources(seed, Source::Variables)),
    kind("static", 2, comparison::sources, |seed| sources(seed, Source::Static)),
    kind("traversal", 2, comparison::sources, |seed| sources(seed, Source::Traversal)),
    kind("json_attributes", 5, comparison::sources, |seed| json(seed, documents::attributes)),
    kind("json_static", 2, comparison::sources, |seed| json(seed, documents::analysis)),
    kind("type", 3, comparison::sources, |seed| json(seed, types::question)),
    kind("defaults", 2, comparison::sources, |seed| json(seed, types::defaults)),
    kind("conversion", 12, comparison::model, |seed| json(seed, values::question)),
    kind("operation", 5, comparison::model, |seed| json(seed, values::operation_question)),
    kind("call", 9, comparison::calls, |seed| json(seed, calls::call)),
    kind("numbers", 3, comparison::calls, |seed| json(seed, odd_numbers::call)),
    kind("format", 4, comparison::format, |seed| json(seed, format::question)),
    kind("content", 6, comparison::bodies, |seed| json(seed, bodies::content)),
    kind("json_content", 4, comparison::bodies, |seed| json(seed, bodies::json_content)),
    kind("merged", 3, comparison::bodies, |seed| json(seed, bodies::merged)),
    kind("dynamic", 4, comparison::bodies, |seed| json(seed, bodies::dynamic)),
    kind("decode", 7, comparison::bodies, |seed| json(seed, specs::decode)),
    kind("user_functions", 3, comparison::bodies, |seed| json(seed, specs::user_functions)),
];

/// Sources in native syntax, with all variables that they may mean.
fn sources(seed: u64, source: Source) -> Questions {
    let (mut random, variables) = (Random::new(seed), variables());
    let names = names(&variables);
    Box::new(move || Question::random(&mut random, source, &names).request(&variables))
}

pub fn names(variables: &Json) -> Vec<String> {
    variables.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn json(seed: u64, question: fn(&mut Random) -> Json) -> Questions {
    let mut random = Random::new(seed);
    Box::new(move || question(&mut random))
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
