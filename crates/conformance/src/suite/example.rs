//! An example, and the requests that it becomes.

use serde_json::{Map, Value, json};

use super::case::{Basis, Case};
use super::forms::Form;
use super::level::Level;
use super::needs::Need;
use super::text::visible_to_bytes;
use hcl_lr::functions::base64;

/// The words that begin an example.
const SOURCES: &[&str] =
    &["hcl", "expr", "template", "traversal", "json", "type-expr", "constraint", "convert", "unify"];

pub(super) fn is_source(word: &str) -> bool {
    SOURCES.contains(&word)
}

/// A fence that belongs to an example, with its context or its answer.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub word: String,
    pub text: String,
}

/// An example, as in its chapter.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its name, such as `native.for.7.2`. It is never given to another example.
    pub id: String,
    /// The file and line.
    pub place: String,
    /// The heading of its chapter.
    pub chapter: String,
    /// The heading of its section; empty if its chapter has none.
    pub section: String,
    /// The statements that it illustrates.
    pub covers: Vec<String>,
    /// The authority behind its answer.
    pub basis: Basis,
    /// The intended differences of the official engine, as in the table of divergences.
    pub differs: Vec<String>,
    /// The row of `DIVERGENCES.md` with the reason.
    pub row: Option<String>,
    /// The kind of its source: `hcl`, `expr`, `template`, `traversal`, `json`, `type-expr`, `constraint`, `convert` or
    /// `unify`.
    pub kind: String,
    pub(super) options: Vec<String>,
    /// The text of the source in the chapter.
    pub shown: String,
    pub(super) blocks: Vec<Block>,
}

impl Example {
    /// Returns the bytes of the source.
    ///
    /// # Errors
    /// If it is not in the notation of sources.
    pub fn source(&self) -> Result<Vec<u8>, String> {
        visible_to_bytes(&self.shown, self.kind == "hcl")
    }

    /// Returns true if it shows the meaning of a text as a tree.
    pub fn has_tree(&self) -> bool {
        self.block("tree").is_some()
    }

    fn block(&self, word: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| block.word == word)
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
    }

    /// The content of a block, which is JSON.
    fn json(&self, word: &str) -> Result<Option<Value>, String> {
        let Some(block) = self.block(word) else { return Ok(None) };
        serde_json::from_str(&block.text).map(Some).map_err(|why| format!("`{word}` is no JSON: {why}"))
    }

    /// Returns the questions for an implementation: one, a second for the strict dialect if the answer differs there,
    /// and one for the tokens if the example has them.
    ///
    /// # Errors
    /// If it is not in the notation of its kind of example.
    pub fn cases(&self) -> Result<Vec<Case>, String> {
        const WORDS: &[&str] = &[
            "tree", "value", "values", "type", "content", "error", "warning", "strict", "vars", "scopes", "schema",
            "spec", "given", "hcl", "json", "tokens", "survives",
        ];
        if let Some(block) = self.blocks.iter().find(|block| !WORDS.contains(&block.word.as_str())) {
            return Err(format!("there is no fence `{}`", block.word));
        }
        let known = |option: &&String| {
            let name = option.split('=').next().unwrap_or_default();
            !["functions", "static", "unsafe", "needs", "dynamic", "variables"].contains(&name)
        };
        if let Some(option) = self.options.iter().find(known) {
            return Err(format!("there is no marker `{option}`"));
        }
        let mut request = self.request()?;
        self.context(&mut request)?;
        let case = |id: String, basis: Basis, request: Map<String, Value>, answer: Value| {
            let request = Value::Object(request);
            Case {
                id,
                chapter: self.chapter.clone(),
                section: self.section.clone(),
                statements: self.covers.clone(),
                levels: Level::of(&answer),
                basis,
                needs: Need::of(&request, &answer),
                forms: Form::of(&request, &answer),
                differs: self.differs.clone(),
                row: self.row.clone(),
                request,
                answer,
            }
        };
        let mut cases = vec![case(self.id.clone(), self.basis, request.clone(), self.answer()?)];
        if let Some(strict) = self.block("strict") {
            request.insert("dialect".to_owned(), json!("strict"));
            let answer = match self.json("strict") {
                Ok(Some(Value::Object(mut members))) => {
                    members.insert("ok".to_owned(), json!(true));
                    Value::Object(members)
                }
                _ => json!({ "ok": false, "errors": mistakes(&strict.text)? }),
            };
            // The strict dialect follows the text, also where the answer in the other one is a habit of the engine.
            let basis = if self.basis == Basis::Ours { Basis::Ours } else { Basis::Text };
            cases.push(case(format!("{}/strict", self.id), basis, request, answer));
        }
        if let Some(tokens) = self.block("tokens") {
            let answer = json!({ "ok": true, "tokens": tokens_of(&tokens.text)? });
            cases.push(case(format!("{}/tokens", self.id), self.basis, self.tokens_request()?, answer));
        }
        Ok(cases)
    }

    /// The question for the tokens of its source.
    fn tokens_request(&self) -> Result<Map<String, Value>, String> {
        let form = match &*self.kind {
            "hcl" => "config",
            "expr" | "template" => &*self.kind,
            kind => return Err(format!("`{kind}` has no tokens")),
        };
        let mut request = Map::from_iter([("op".to_owned(), json!("tokens")), ("as".to_owned(), json!(form))]);
        request.extend([self.source_member()?]);
        Ok(request)
    }

    /// The member of a request that has its source.
    fn source_member(&self) -> Result<(String, Value), String> {
        Ok(match String::from_utf8(self.source()?) {
            Ok(text) => ("src".to_owned(), json!(text)),
            Err(bytes) => ("src_base64".to_owned(), json!(base64::encode(bytes.as_bytes()))),
        })
    }

    fn request(&self) -> Result<Map<String, Value>, String> {
        let mut request = Map::new();
        let mut set = |name: &str, value: Value| {
            request.insert(name.to_owned(), value);
        };
        let evaluates = ["value", "values", "vars"].iter().any(|word| self.block(word).is_some());
        match &*self.kind {
            "convert" | "unify" => {
                let parts = serde_json::Deserializer::from_str(&self.shown).into_iter::<Value>();
                let parts = parts.collect::<Result<Vec<_>, _>>().map_err(|why| format!("it is no JSON: {why}"))?;
                set("op", json!(self.kind));
                match (&*self.kind, &parts[..]) {
                    ("convert", [value, ty]) => {
                        set("value", value.clone());
                        set("type", ty.clone());
                    }
                    ("unify", types) => {
                        set("types", json!(types));
                        if self.options.iter().any(|option| option == "unsafe") {
                            set("want", json!("unsafe"));
                        }
                    }
                    _ => return Err("a conversion has a value, and in the next line a type".to_owned()),
                }
                return Ok(request);
            }
            "hcl" | "json" if self.block("schema").is_some() || self.block("spec").is_some() => {
                set("files", self.files()?);
                if let Some(schema) = self.json("schema")? {
                    set("op", json!("content"));
                    set("schema", schema);
                    for flag in ["needs", "dynamic"] {
                        if self.options.iter().any(|option| option == flag) {
                            set(flag, json!(true));
                        }
                    }
                } else if let Some(spec) = self.block("spec") {
                    set("op", json!("decode"));
                    // Specs that spec files cannot express are written as in the protocol.
                    set("spec", self.json("spec").ok().flatten().unwrap_or_else(|| json!(format!("{}\n", spec.text))));
                }
                return Ok(request);
            }
            _ => {}
        }
        let (name, source) = self.source_member()?;
        set(&name, source);
        let op = match &*self.kind {
            "hcl" if self.block("survives").is_some() => "recover",
            "hcl" if evaluates => "attributes",
            "hcl" => "config",
            "json" if self.block("survives").is_some() => {
                set("json", json!(true));
                "recover"
            }
            "json" if self.option("static").is_some() => "json_static",
            "json" => "json_attributes",
            "expr" if self.option("static").is_some() => "static",
            "expr" if self.options.iter().any(|option| option == "variables") => "variables",
            "expr" | "template" => {
                if evaluates {
                    set("eval", json!(true));
                }
                // Some implementations cannot encode trees with a thousand levels.
                if self.shown.contains('×') && !self.has_tree() {
                    set("ast", json!(false));
                }
                &*self.kind
            }
            "type-expr" => {
                set("want", json!("type"));
                "type"
            }
            "constraint" => match self.json("given")? {
                Some(value) => {
                    set("value", value);
                    "defaults"
                }
                None => {
                    set("want", json!("constraint"));
                    "type"
                }
            },
            kind => kind,
        };
        set("op", json!(op));
        if let Some(want) = self.option("static") {
            set("want", json!(want));
        }
        Ok(request)
    }

    /// Returns the files of an example with a schema or a spec: its own source, and those in further fences.
    fn files(&self) -> Result<Value, String> {
        let text = |shown: &str, kind: &str| {
            let bytes = visible_to_bytes(shown, kind == "hcl")?;
            String::from_utf8(bytes).map_err(|_| "a file among several is UTF-8".to_owned())
        };
        let mut files = vec![json!({ "name": format!("in.{}", self.kind), "src": text(&self.shown, &self.kind)? })];
        for block in self.blocks.iter().filter(|block| is_source(&block.word)) {
            let name = format!("in{}.{}", files.len() + 1, block.word);
            files.push(json!({ "name": name, "src": text(&block.text, &block.word)? }));
        }
        Ok(Value::from(files))
    }

    fn context(&self, request: &mut Map<String, Value>) -> Result<(), String> {
        for word in ["vars", "scopes"] {
            if let Some(json) = self.json(word)? {
                request.insert(word.to_owned(), json);
            }
        }
        if let Some(names) = self.option("functions") {
            request.insert("functions".to_owned(), json!(names.split(',').collect::<Vec<_>>()));
        }
        Ok(())
    }

    fn answer(&self) -> Result<Value, String> {
        let error = self.block("error");
        let mut answer = Map::from_iter([("ok".to_owned(), json!(error.is_none()))]);
        if let Some(tree) = self.json("tree")? {
            let want = self.option("static");
            match (want, tree) {
                (Some("call"), Value::Object(members)) => answer.extend(members),
                (Some("traversal"), steps) => drop(answer.insert("steps".to_owned(), steps)),
                (Some(want), tree) => drop(answer.insert(want.to_owned(), tree)),
                (None, tree) => {
                    let member = match &*self.kind {
                        "traversal" => "steps",
                        "expr" if self.options.iter().any(|option| option == "variables") => "variables",
                        _ => "ast",
                    };
                    answer.insert(member.to_owned(), tree);
                }
            }
        }
        for word in ["value", "values", "type", "content", "survives"] {
            if let Some(json) = self.json(word)? {
                answer.insert(word.to_owned(), json);
            }
        }
        if answer.contains_key("survives") {
            answer.insert("ok".to_owned(), json!(false));
        }
        if let Some(block) = error {
            answer.insert("errors".to_owned(), mistakes(&block.text)?);
        } else if answer.len() == 1 {
            return Err("it does not say what it gives: there is no `tree`, `value`, `error` or the like".to_owned());
        }
        if let Some(block) = self.block("warning") {
            answer.insert("warnings".to_owned(), mistakes(&block.text)?);
        }
        Ok(Value::Object(answer))
    }
}

/// Lines of a kind, two or more spaces, and the text of a token, in which `␊` is a newline.
fn tokens_of(text: &str) -> Result<Value, String> {
    let token = |line: &str| {
        let (kind, text) = line.split_once("  ").ok_or_else(|| format!("`{line}` is not a kind and a text"))?;
        let bytes = visible_to_bytes(&text.trim_start_matches(' ').replace('␊', "\n"), false)?;
        Ok(json!([kind, String::from_utf8_lossy(&bytes)]))
    };
    text.lines().map(token).collect::<Result<Vec<_>, String>>().map(Value::from)
}

/// Lines of `line:column`, each perhaps with a code.
fn mistakes(text: &str) -> Result<Value, String> {
    let mistake = |line: &str| {
        let (place, code) = line.split_once(' ').unwrap_or((line, ""));
        let numbers = place.split_once(':').and_then(|(line, column)| {
            let numbers: (u32, u32) = (line.parse().ok()?, column.parse().ok()?);
            Some(numbers)
        });
        let (line, column) = numbers.ok_or_else(|| format!("`{place}` is not a line and a column"))?;
        let mut mistake = json!({ "line": line, "column": column });
        if !code.is_empty() {
            mistake["code"] = json!(code);
        }
        Ok(mistake)
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(mistake).collect::<Result<Vec<_>, String>>().map(Value::from)
}
