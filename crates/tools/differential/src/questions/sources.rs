//! Questions about sources in native syntax.

use serde_json::{Map, Value as Json};

pub use super::expressions::Writer;
pub use super::offers::{Setting, variables};
use super::{files, mutation};
use crate::random::Random;

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The tree and value of an expression.
    Expression,
    /// The tree and value of a template.
    Template,
    /// The values of the attributes of a body.
    Attributes,
    /// The tree of a file.
    Config,
    /// The variables that an expression needs.
    Variables,
    /// An expression read without evaluating it.
    Static,
    /// A text read as a traversal.
    Traversal,
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::Expression,
        Kind::Template,
        Kind::Attributes,
        Kind::Config,
        Kind::Variables,
        Kind::Static,
        Kind::Traversal,
    ];

    /// The operation of the protocol.
    pub fn op(self) -> &'static str {
        match self {
            Kind::Expression => "expr",
            Kind::Template => "template",
            Kind::Attributes => "attributes",
            Kind::Config => "config",
            Kind::Variables => "variables",
            Kind::Static => "static",
            Kind::Traversal => "traversal",
        }
    }

    /// Returns true if the question asks for a value.
    pub fn evaluates(self) -> bool {
        matches!(self, Kind::Expression | Kind::Template | Kind::Attributes)
    }
}

/// The kinds of static expressions.
pub const WANTED: [&str; 5] = ["list", "map", "call", "traversal", "keyword"];

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub kind: Kind,
    pub text: String,
    pub setting: Setting,
    /// The kind of static expression that is wanted.
    pub want: &'static str,
}

impl Question {
    /// A question of a kind.
    pub fn random(random: &mut Random, kind: Kind, names: &[String]) -> Question {
        let (setting, want) = match random.below(20) {
            4.. => (Setting::Usual, random.pick(&WANTED)),
            _ => (Setting::ALL[random.below(Setting::ALL.len())], random.pick(&WANTED)),
        };
        let mut writer = Writer::new(random, names);
        let text = match kind {
            Kind::Template => writer.template(3),
            Kind::Attributes => files::attributes(&mut writer),
            Kind::Config => files::file(&mut writer),
            Kind::Static => writer.shaped(want),
            Kind::Traversal => writer.path(),
            _ => {
                let depth = 1 + writer.random.below(4);
                writer.expression(depth)
            }
        };
        let share = if kind.evaluates() { 15 } else { 40 };
        let text = if random.chance(share) { mutation::mutated(&text, random) } else { text };
        Question { kind, text, setting, want }
    }

    /// The question as a request of the protocol.
    pub fn request(&self, variables: &Json) -> Json {
        let mut request = Map::new();
        request.insert("op".to_owned(), self.kind.op().into());
        request.insert("src".to_owned(), self.text.clone().into());
        if self.kind.evaluates() {
            // Attributes are always evaluated.
            if !self.kind.op().ends_with("attributes") {
                request.insert("eval".to_owned(), true.into());
            }
            self.setting.add_to(&mut request, variables);
        }
        if self.kind == Kind::Static {
            request.insert("want".to_owned(), self.want.into());
        }
        Json::Object(request)
    }

    /// Returns the question that a request asks, if it is one about a source.
    pub fn of(request: &Json, variables: &Json) -> Option<Question> {
        let kind = Kind::ALL.into_iter().find(|kind| request["op"] == kind.op())?;
        let text = request["src"].as_str()?.to_owned();
        let want = WANTED.into_iter().find(|want| request["want"] == *want).unwrap_or(WANTED[0]);
        let questions = Setting::ALL.map(|setting| Question { kind, text: text.clone(), setting, want });
        questions.into_iter().find(|question| question.request(variables) == *request)
    }

    /// The question as it is recorded.
    pub fn to_json(&self) -> Json {
        let mut line = Map::new();
        line.insert("op".to_owned(), self.kind.op().into());
        line.insert("src".to_owned(), self.text.clone().into());
        if self.kind.evaluates() && self.setting != Setting::Usual {
            line.insert("setting".to_owned(), self.setting.name().into());
        }
        if self.kind == Kind::Static {
            line.insert("want".to_owned(), self.want.into());
        }
        Json::Object(line)
    }
}
