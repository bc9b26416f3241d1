//! Results of judgements, and the messages about problems.

use crate::schema::model::RuleKind;
use hcl_lr::diagnostic::Code;
use hcl_lr::internal::Finding;
use hcl_lr::source::Span;
use hcl_lr::syntax::similar_name;

/// The result of a check.
#[derive(Clone)]
pub enum Judgement {
    Right,
    Unknown,
    Wrong(Vec<Problem>),
}

impl Judgement {
    /// Returns the judgement with concealed texts if the value is sensitive.
    pub fn concealed_if(self, is_sensitive: bool) -> Judgement {
        match self {
            Judgement::Wrong(problems) if is_sensitive => {
                Judgement::Wrong(problems.into_iter().map(Problem::concealed).collect())
            }
            other => other,
        }
    }
}

/// A problem with a value.
#[derive(Clone)]
pub struct Problem {
    pub code: Code,
    pub span: Span,
    pub detail: String,
    pub help: Option<String>,
    /// The text in the file, and the text that was probably meant.
    pub meant: Option<(String, String)>,
    /// The number of collections around it. Among several alternatives, the deepest problem is the most precise.
    pub(super) depth: u32,
}

impl Problem {
    pub(super) fn new(span: Span, detail: String, depth: u32) -> Problem {
        Problem { code: Code::InvalidArgumentValue, span, detail, help: None, meant: None, depth }
    }

    /// Returns the problem without quoted words, which may be part of the sensitive value.
    pub fn concealed(self) -> Problem {
        if self.meant.is_none() && !self.detail.contains('"') {
            return self;
        }
        let detail = "this does not fit; it is hidden because the value is sensitive".to_owned();
        Problem { detail, help: None, meant: None, ..self }
    }

    pub fn finding(self) -> Finding {
        let finding = Finding::error(self.code, self.span, self.detail);
        let finding = match self.help {
            Some(help) => finding.with_help(help),
            None => finding,
        };
        match self.meant {
            Some((written, meant)) => finding.with_meant(&written, self.span, &meant),
            None => finding,
        }
    }
}

pub(super) fn unsupported<'n>(name: &str, span: Span, names: impl Iterator<Item = &'n str>, depth: u32) -> Problem {
    let detail = format!("an attribute named \"{name}\" is not expected here");
    let meant = similar_name(name, names).map(|meant| (name.to_owned(), meant.to_owned()));
    Problem { code: Code::UnsupportedArgument, meant, ..Problem::new(span, detail, depth + 1) }
}

pub(super) fn read_only(name: &str, span: Span, depth: u32) -> Problem {
    let problem = Problem::new(span, format!("\"{name}\" cannot be set here"), depth + 1);
    Problem { code: Code::ReadOnlyArgument, help: Some("remove it".to_owned()), ..problem }
}

pub(super) fn missing(name: &str, span: Span, depth: u32) -> Problem {
    let detail = format!("the attribute \"{name}\" is required in this object");
    Problem { code: Code::RequiredArgument, ..Problem::new(span, detail, depth + 1) }
}

/// Returns the message about a broken rule, if `there` of the names are set.
pub(in crate::schema::check) fn rule(kind: RuleKind, names: &[String], there: usize) -> Option<String> {
    let listed = || {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        quoted.join(", ")
    };
    match kind {
        RuleKind::ExactlyOne if there == 0 => Some(format!("one of {} is required here", listed())),
        RuleKind::ExactlyOne | RuleKind::AtMostOne if there > 1 => {
            Some(format!("only one of {} can be set here", listed()))
        }
        RuleKind::AtLeastOne if there == 0 => Some(format!("at least one of {} is required here", listed())),
        RuleKind::AllOrNone if there > 0 && there < names.len() => Some(format!("{} must be set together", listed())),
        _ => None,
    }
}
