//! Codemods over real files: a function renamed, arguments wrapped, conditions negated, blocks moved to another file.
//!
//! The judge reads the files before and after. The same change is made of its tree from before, which must then be its
//! tree from after. `OFFICIAL_DRIVER` is the judge if it is set, this library otherwise; the test prints which.
//! `HCL_EDITS` makes more edits.

use std::path::Path;

use hcl_lr::construct::NewExpression;
use hcl_lr::syntax::ast::{
    BodyItem, ExpressionKind, ExpressionNode, TemplateNode, TemplatePart, UnaryOperator, Visitor, Walk,
};
use hcl_lr::{File, parse};
use hcl_lr_edit::{EditError, Editor, InsertionPoint};
use serde_json::{Value as Json, json};

use super::expressions::plain;
use super::generate::{self, Random};
use super::random::{corpus, setting};
use super::script::check_untouched;
use crate::support::lines::ask_program;
use crate::support::protocol::ask;

/// The expressions of a file that codemods change.
#[derive(Default)]
struct Places<'f> {
    calls: Vec<ExpressionNode<'f>>,
    conditions: Vec<ExpressionNode<'f>>,
}

impl<'f> Visitor<'f> for Places<'f> {
    fn visit_expression(&mut self, expression: ExpressionNode<'f>) -> Walk {
        match expression.kind() {
            ExpressionKind::FunctionCall(_) => self.calls.push(expression),
            ExpressionKind::Conditional(conditional) => self.conditions.push(conditional.predicate()),
            _ => {}
        }
        Walk::Into
    }

    fn visit_template(&mut self, template: TemplateNode<'f>) -> Walk {
        self.conditions.extend(template.parts().filter_map(|part| match part {
            TemplatePart::If(directive) => Some(directive.predicate()),
            _ => None,
        }));
        Walk::Into
    }
}

/// Changes each object of a tree, the inner ones first.
fn changed(tree: &Json, change: &dyn Fn(&mut serde_json::Map<String, Json>)) -> Json {
    match tree {
        Json::Array(list) => list.iter().map(|part| changed(part, change)).collect(),
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), changed(value, change)));
            let mut members: serde_json::Map<String, Json> = members.collect();
            change(&mut members);
            Json::Object(members)
        }
        other => other.clone(),
    }
}

/// The trees that are expected after an edit, made of those before.
type Expected = Box<dyn Fn(&[Json]) -> Vec<Json>>;

/// A change of each object of a tree.
type Change = Box<dyn Fn(&mut serde_json::Map<String, Json>)>;

/// Texts before and after, and the trees that are expected from those before.
struct Trial {
    what: String,
    before: Vec<String>,
    after: Vec<String>,
    expected: Expected,
    edits: usize,
}

fn finished(what: &str, before: &str, editor: Editor<'_>) -> String {
    let edited = editor.finish().unwrap_or_else(|error| panic!("{what}: {error:?}\n{before}"));
    check_untouched(before, &edited);
    edited.text().to_owned()
}

/// Codemods of one file.
fn trials_of(name: &str, text: &str, random: &mut Random) -> Vec<Trial> {
    let file = parse::<File>((name, text)).into_value();
    let mut places = Places::default();
    file.body().walk(&mut places);
    let mut trials = Vec::new();
    let mut add = |what: &str, editor: Editor<'_>, edits, change: Change| {
        if edits > 0 {
            let what = format!("{name}: {what}");
            let after = vec![finished(&what, text, editor)];
            let expected = Box::new(move |trees: &[Json]| trees.iter().map(|tree| changed(tree, &*change)).collect());
            trials.push(Trial { what, before: vec![text.to_owned()], after, expected, edits });
        }
    };
    let function = |call: &ExpressionNode<'_>| match call.kind() {
        ExpressionKind::FunctionCall(call) => call.name().into_owned(),
        _ => String::new(),
    };
    if !places.calls.is_empty() {
        let chosen = function(&places.calls[random.below(places.calls.len())]);
        let calls: Vec<_> = places.calls.iter().filter(|call| function(call) == chosen).collect();
        let mut editor = Editor::new(&file);
        for call in &calls {
            editor.rename(**call, "ns::renamed");
        }
        let is_chosen = move |members: &serde_json::Map<String, Json>| {
            members.get("call").and_then(Json::as_str) == Some(chosen.as_str())
        };
        let rename = move |members: &mut serde_json::Map<String, Json>| {
            if is_chosen(members) {
                members.insert("call".to_owned(), json!("ns::renamed"));
            }
        };
        add("rename a function", editor, calls.len(), Box::new(rename));
    }
    let mut editor = Editor::new(&file);
    let mut count = 0;
    for call in &places.calls {
        let ExpressionKind::FunctionCall(call) = call.kind() else { continue };
        if let Some(first) = call.arguments().next() {
            editor.wrap(first, |argument| NewExpression::call("wrapped", [argument]));
            count += 1;
        }
    }
    let wrap = |members: &mut serde_json::Map<String, Json>| {
        let is_call = members.contains_key("call");
        if let Some(Json::Array(arguments)) = members.get_mut("args").filter(|_| is_call)
            && let Some(first) = arguments.first_mut()
        {
            *first = json!({ "call": "wrapped", "args": [first.take()] });
        }
    };
    add("wrap arguments", editor, count, Box::new(wrap));
    let mut editor = Editor::new(&file);
    for condition in &places.conditions {
        editor.wrap(*condition, |condition| NewExpression::unary(UnaryOperator::Not, condition));
    }
    let negate = |members: &mut serde_json::Map<String, Json>| {
        if let Some(Json::Array(parts)) = members.get_mut("cond") {
            parts[0] = json!({ "op": "!", "args": [parts[0].take()] });
        }
    };
    add("negate conditions", editor, places.conditions.len(), Box::new(negate));
    trials
}

/// Moves some blocks of a file to the end of another.
fn moved(names: (&str, &str), texts: (&str, &str), random: &mut Random) -> Option<Trial> {
    let (from, to) = (parse::<File>(texts.0).into_value(), parse::<File>(texts.1).into_value());
    let items: Vec<BodyItem<'_>> = from.body().items().collect();
    let chosen: Vec<usize> =
        (0..items.len()).filter(|&index| matches!(items[index], BodyItem::Block(_)) && random.one_in(3)).collect();
    let (mut source, mut target) = (Editor::new(&from), Editor::new(&to));
    for &index in &chosen {
        let BodyItem::Block(block) = items[index] else { continue };
        let copy = source.copy_of(block).ok()?;
        target.insert(InsertionPoint::end_of(to.body()), copy);
        source.remove(block);
    }
    let what = format!("move {} blocks from {} to {}", chosen.len(), names.0, names.1);
    // A block cannot have the name of an attribute there.
    let target = match target.finish() {
        Err(EditError::NameTaken(_)) => return None,
        edited => edited.unwrap_or_else(|error| panic!("{what}: {error:?}\n{}", texts.1)),
    };
    check_untouched(texts.1, &target);
    let after = vec![finished(&what, texts.0, source), target.text().to_owned()];
    let edits = chosen.len();
    let expected = move |trees: &[Json]| {
        let (mut from, mut to) = (trees[0].clone(), trees[1].clone());
        let (Json::Array(from_items), Json::Array(to_items)) = (&mut from, &mut to) else { panic!("bodies") };
        to_items.extend(chosen.iter().map(|&index| from_items[index].clone()));
        let mut index = 0;
        from_items.retain(|_| {
            index += 1;
            !chosen.contains(&(index - 1))
        });
        vec![from, to]
    };
    let before = vec![texts.0.to_owned(), texts.1.to_owned()];
    (edits > 0).then(|| Trial { what, before, after, expected: Box::new(expected), edits })
}

/// Asks the judge for the trees of texts.
fn trees(judge: Option<&str>, texts: &[&String]) -> Vec<Option<Json>> {
    let questions: Vec<Json> = texts.iter().map(|text| json!({ "op": "config", "src": text })).collect();
    let answers = match judge {
        Some(program) => ask_program(program, &questions),
        None => questions.iter().map(ask).collect(),
    };
    answers.into_iter().map(|answer| (answer["ok"] == true).then(|| plain(&answer["ast"]))).collect()
}

/// Judges trials, and returns the number of edits and of trials that the judge cannot read from before.
fn judge(judge: Option<&str>, trials: &[Trial]) -> (usize, usize) {
    let texts: Vec<&String> = trials.iter().flat_map(|trial| trial.before.iter().chain(&trial.after)).collect();
    let mut answers = trees(judge, &texts).into_iter();
    let (mut made, mut unread) = (0, 0);
    for trial in trials {
        let before: Option<Vec<Json>> = answers.by_ref().take(trial.before.len()).collect();
        let after: Vec<Option<Json>> = answers.by_ref().take(trial.after.len()).collect();
        let Some(before) = before else {
            unread += 1;
            continue;
        };
        for (index, (expected, found)) in (trial.expected)(&before).into_iter().zip(after).enumerate() {
            let what =
                || format!("{}\n--- before\n{}\n--- after\n{}", trial.what, trial.before[index], trial.after[index]);
            let found = found.unwrap_or_else(|| panic!("it has errors: {}", what()));
            assert!(found == expected, "the tree differs: {}\n{found}\n{expected}", what());
        }
        made += trial.edits;
    }
    (made, unread)
}

/// Makes codemods of files until there are enough edits.
fn run(program: Option<&str>, wanted: usize, mut next: impl FnMut(&mut Random) -> Option<(String, String)>) {
    let mut random = Random::new(setting("HCL_SEED", 1));
    let (mut made, mut unread, mut files) = (0, 0, 0);
    let mut counts = [0; 4];
    let mut last: Option<(String, String)> = None;
    while made < wanted {
        let Some((name, text)) = next(&mut random) else { break };
        files += 1;
        let mut trials = trials_of(&name, &text, &mut random);
        if let Some((other, other_text)) = &last {
            trials.extend(moved((&name, other), (&text, other_text), &mut random));
        }
        let kinds = ["rename", "wrap", "negate", "move"];
        for trial in &trials {
            for (count, kind) in counts.iter_mut().zip(kinds) {
                *count += usize::from(trial.what.contains(kind)) * trial.edits;
            }
        }
        let (done, left) = judge(program, &trials);
        made += done;
        unread += left;
        last = Some((name, text));
    }
    let judge = program.map_or("this library", |_| "the official engine");
    println!("{made} edits in {files} files, all right; judge: {judge}");
    println!("renamed, wrapped, negated, moved: {counts:?}; {unread} trials of files that the judge refuses");
    assert!(made >= wanted, "only {made} edits");
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

fn valid(name: &str, text: String) -> Option<(String, String)> {
    (text.len() < 100_000 && !parse::<File>(text.as_str()).has_errors()).then(|| (name.to_owned(), text))
}

#[test]
fn codemods_of_generated_files_give_the_trees_that_were_asked() {
    let mut number = 0;
    run(None, setting("HCL_EDITS", 1_000) as usize, |random| {
        number += 1;
        let calls =
            "a = f(x, g(1)...)\nb = p ? q : f([\n  # c\n  r,\n])\nc \"l\" {\n  d = \"%{ if s }t%{ endif }\" # u\n}\n";
        valid(&format!("file {number}"), format!("{}\n{calls}", generate::file(random)))
            .or_else(|| valid("calls", calls.to_owned()))
    });
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_codemods_give_the_trees_that_were_asked() {
    let files = corpus();
    // A second round makes other choices.
    let mut paths = files.iter().cycle().take(2 * files.len());
    let engine = std::env::var("OFFICIAL_DRIVER").ok();
    run(engine.as_deref(), setting("HCL_EDITS", 20_000) as usize, |_| {
        paths.by_ref().find_map(|path: &std::path::PathBuf| {
            let path: &Path = path;
            valid(&path.display().to_string(), std::fs::read_to_string(path).ok()?)
        })
    });
}
