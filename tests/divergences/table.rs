//! The files with the rows.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json, json};

use crate::cases::{self, Case, Part as MarkdownPart, cases_below};

/// All rows.
pub struct Table {
    sections: Vec<Section>,
}

/// A file: a heading, text, and rows.
pub struct Section {
    path: PathBuf,
    /// The word at the fences with our answers.
    ours: &'static str,
    pub heading: String,
    /// The headings of the columns.
    pub columns: Vec<String>,
    pub introduction: String,
    /// The variables of all its examples.
    variables: Option<String>,
    pub rows: Vec<Row>,
}

pub struct Row {
    /// Such as `syntax.number-range`. It stays, whatever the row says.
    pub id: String,
    pub cells: Vec<String>,
    pub not_shown: Option<String>,
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Example(Example),
}

/// The question of an example.
#[derive(Clone)]
pub enum UsedParts {
    /// A request of the conformance protocol, with what it is a short form of.
    Request(Json),
    /// A case of `fixtures/hcldec`, which has both answers.
    Hcldec(Box<Case>),
    /// A text to format as `terraform fmt` does.
    TerraformFmt(String),
    /// A call of a function of OpenTofu's.
    OpenTofu(String),
}

pub struct Example {
    /// The place, for messages.
    pub place: String,
    /// The word at its fence, and the text in it.
    pub kind: String,
    pub text: String,
    pub asked: UsedParts,
    /// The parts of the answer to record, if not the usual ones.
    pub show: Vec<String>,
    /// The official engine answers now this, now something else.
    pub sometimes: bool,
    pub engine: Option<Json>,
    pub ours: Option<Json>,
}

/// The table of a file is known by these words.
const COLUMNS: &str = "columns: ";
const NOT_SHOWN: &str = "not shown: ";

impl Table {
    /// Reads the differences between this library and the official engine.
    pub fn read() -> Table {
        let table = Table::of_folder("divergences", "ours");
        assert!(table.sections.len() >= 8, "there are {} files", table.sections.len());
        table
    }

    /// The files of a folder of fixtures; `ours` is the word at the fences with our answers.
    pub fn of_folder(name: &str, ours: &'static str) -> Table {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
        let entries = folder.read_dir().expect("the folder of the rows");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end == "md") && !path.ends_with("introduction.md"));
        paths.sort();
        let read = |path: PathBuf| {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            Section::read(path, &text, ours)
        };
        Table { sections: paths.into_iter().map(read).collect() }
    }

    /// A table of one file.
    pub fn of_text(name: &str, text: &str) -> Table {
        Table { sections: vec![Section::read(PathBuf::from(name), text, "ours")] }
    }

    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.sections.iter().flat_map(|section| &section.rows)
    }

    pub fn examples(&self) -> impl Iterator<Item = &Example> {
        self.rows().flat_map(Row::examples)
    }

    pub fn examples_mut(&mut self) -> impl Iterator<Item = &mut Example> {
        let rows = self.sections.iter_mut().flat_map(|section| &mut section.rows);
        rows.flat_map(|row| {
            row.parts.iter_mut().filter_map(|part| match part {
                Part::Example(example) => Some(example),
                Part::Text(_) => None,
            })
        })
    }

    pub fn text_of(&self, section: usize) -> String {
        self.sections[section].text()
    }

    pub fn write(&self) {
        for section in &self.sections {
            std::fs::write(&section.path, section.text()).expect("a writable file");
        }
    }
}

impl Row {
    pub fn examples(&self) -> impl Iterator<Item = &Example> {
        self.parts.iter().filter_map(|part| match part {
            Part::Example(example) => Some(example),
            Part::Text(_) => None,
        })
    }
}

/// A paragraph or a fence of a file.
enum Block {
    Paragraph(String),
    Fence { line: usize, info: String, text: String },
}

fn blocks(path: &Path, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    for part in cases::parts(path, text) {
        let single = !matches!(part, MarkdownPart::Line(line) if !line.starts_with('#') && !line.is_empty());
        if single && !paragraph.is_empty() {
            blocks.push(Block::Paragraph(paragraph.join("\n")));
            paragraph.clear();
        }
        match part {
            MarkdownPart::Fence { words, lines, place } => {
                let line = text[..place.start].lines().count() + 1;
                blocks.push(Block::Fence { line, info: words.to_owned(), text: lines.join("\n") });
            }
            MarkdownPart::Line(line) if line.starts_with('#') => blocks.push(Block::Paragraph(line.to_owned())),
            MarkdownPart::Line("") => {}
            MarkdownPart::Line(line) => paragraph.push(line),
        }
    }
    if !paragraph.is_empty() {
        blocks.push(Block::Paragraph(paragraph.join("\n")));
    }
    blocks
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")).unwrap_or(line);
    inner.split(" | ").map(|cell| cell.trim().to_owned()).collect()
}

impl Section {
    fn read(path: PathBuf, text: &str, ours: &'static str) -> Section {
        let mut section = Section {
            path: path.clone(),
            ours,
            heading: String::new(),
            columns: Vec::new(),
            introduction: String::new(),
            variables: None,
            rows: Vec::new(),
        };
        for block in blocks(&path, text) {
            match block {
                Block::Paragraph(text) => section.paragraph(text),
                Block::Fence { line, info, text } => section.fence(line, &info, text),
            }
        }
        assert!(!section.heading.is_empty() && !section.columns.is_empty(), "{}: no heading", path.display());
        section
    }

    fn place(&self, line: usize) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let id = self.rows.last().map_or("", |row| &row.id);
        format!("{name}:{line}: {id}")
    }

    fn paragraph(&mut self, text: String) {
        if let Some(id) = text.strip_prefix("## ") {
            let word = |part: &str| part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            assert!(id.split('.').count() == 2 && id.split('.').all(word), "{id}: `section.words-with-hyphens`");
            let row = Row { id: id.to_owned(), cells: Vec::new(), not_shown: None, parts: Vec::new() };
            self.rows.push(row);
            return;
        }
        let columns = self.columns.len();
        match self.rows.last_mut() {
            Some(row) if row.cells.is_empty() => {
                row.cells = cells(&text);
                assert!(text.starts_with("| ") && row.cells.len() == columns, "{}: {text}", row.id);
            }
            Some(row) => match text.strip_prefix(NOT_SHOWN) {
                Some(why) => row.not_shown = Some(why.to_owned()),
                None => row.parts.push(Part::Text(text)),
            },
            None => match (text.strip_prefix("# "), text.strip_prefix(COLUMNS)) {
                (Some(heading), _) => self.heading = heading.to_owned(),
                (_, Some(columns)) => self.columns = cells(columns),
                _ => {
                    let separator = if self.introduction.is_empty() { "" } else { "\n\n" };
                    self.introduction += &format!("{separator}{text}");
                }
            },
        }
    }

    fn fence(&mut self, line: usize, info: &str, text: String) {
        let place = self.place(line);
        let (kind, words) = info.split_once(' ').unwrap_or((info, ""));
        let parse = || -> Json { serde_json::from_str(&text).unwrap_or_else(|why| panic!("{place}: {why}")) };
        let (variables, ours) = (self.variables.clone(), self.ours);
        let Some(row) = self.rows.last_mut() else {
            assert_eq!(kind, "vars", "{place}: only variables stand before the first row");
            self.variables = Some(text);
            return;
        };
        if kind == "engine" || kind == ours {
            let Some(Part::Example(example)) = row.parts.last_mut() else { panic!("{place}: an example is required") };
            if kind == "engine" {
                (example.engine, example.sometimes) = (Some(parse()), words == "sometimes");
            } else {
                example.ours = Some(parse());
            }
            return;
        }
        let variables =
            variables.map(|text| serde_json::from_str(&text).unwrap_or_else(|why| panic!("{place}: {why}")));
        let mut asked = asked(kind, &text, variables.as_ref()).unwrap_or_else(|why| panic!("{place}: {why}"));
        let mut show: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        // It is no member of a request.
        if let UsedParts::Request(Json::Object(request)) = &mut asked
            && let Some(Json::Array(parts)) = request.remove("show")
        {
            show.extend(parts.iter().filter_map(Json::as_str).map(str::to_owned));
        }
        let mut example =
            Example { place, kind: info.to_owned(), text, asked, show, sometimes: false, engine: None, ours: None };
        if let UsedParts::Hcldec(case) = &example.asked {
            let parse = |kind: &str| serde_json::from_str(case.text(kind)).ok();
            example.engine = parse("answer");
            example.ours = parse("ours");
        }
        row.parts.push(Part::Example(example));
    }

    /// Returns the text of its file.
    fn text(&self) -> String {
        let mut text = format!("# {}\n\n{COLUMNS}{}\n", self.heading, self.columns.join(" | "));
        if !self.introduction.is_empty() {
            text += &format!("\n{}\n", self.introduction);
        }
        if let Some(variables) = &self.variables {
            text += &fence("vars", variables);
        }
        for row in &self.rows {
            text += &format!("\n## {}\n\n| {} |\n", row.id, row.cells.join(" | "));
            if let Some(why) = &row.not_shown {
                text += &format!("\n{NOT_SHOWN}{why}\n");
            }
            for part in &row.parts {
                match part {
                    Part::Text(paragraph) => text += &format!("\n{paragraph}\n"),
                    Part::Example(example) => text += &format!("\n{}", example.text_in_file(self.ours)),
                }
            }
        }
        text
    }
}

fn fence(info: &str, text: &str) -> String {
    format!("```{info}\n{text}\n```\n")
}

impl Example {
    fn text_in_file(&self, ours: &str) -> String {
        let mut text = fence(&self.kind, &self.text);
        if matches!(self.asked, UsedParts::Hcldec(_)) {
            return text;
        }
        if let Some(answer) = &self.engine {
            let info = if self.sometimes { "engine sometimes" } else { "engine" };
            text += &fence(info, &answer.to_string());
        }
        if let Some(answer) = &self.ours {
            text += &fence(ours, &answer.to_string());
        }
        text
    }
}

/// Returns the question of a fence.
fn asked(kind: &str, text: &str, variables: Option<&Json>) -> Result<UsedParts, String> {
    let source = || without_notation(text);
    let with_newline = || match source()?.strip_suffix("⟨eof⟩") {
        Some(text) => Ok::<_, String>(text.to_owned()),
        None => Ok(source()? + "\n"),
    };
    // Only the variables that are used: a request should be short.
    let given = |source: &str| {
        let used = |name: &str| source.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        let all = variables.and_then(Json::as_object).cloned().unwrap_or_default();
        Json::Object(all.into_iter().filter(|(name, _)| used(name)).collect::<Map<_, _>>())
    };
    let evaluated = |op: &str, source: String| {
        let vars = given(&source);
        let mut request = json!({"op": op, "src": source, "vars": vars, "functions": ["*"]});
        if op == "expr" || op == "template" {
            (request["eval"], request["ast"]) = (true.into(), false.into());
        }
        UsedParts::Request(request)
    };
    Ok(match kind {
        "expr" | "template" => evaluated(kind, source()?),
        "config" => UsedParts::Request(json!({"op": "config", "src": with_newline()?, "ast": false})),
        "attributes" => evaluated("attributes", with_newline()?),
        "json" => evaluated("json_attributes", source()?),
        "format" => UsedParts::Request(json!({"op": "format", "src": with_newline()?})),
        "request" => {
            let mut request: Json = serde_json::from_str(text).map_err(|why| why.to_string())?;
            if variables.is_some() && request.get("vars").is_none() {
                request["vars"] = given(text);
            }
            UsedParts::Request(request)
        }
        "hcldec" => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hcldec");
            let case = cases_below(&folder).into_iter().find(|case| case.name == text);
            UsedParts::Hcldec(Box::new(case.ok_or_else(|| format!("there is no case {text}"))?))
        }
        "terraform-fmt" => UsedParts::TerraformFmt(with_newline()?),
        "opentofu" => UsedParts::OpenTofu(text.to_owned()),
        _ => return Err(format!("`{kind}` is no kind of example")),
    })
}

/// The text that is meant: what cannot be seen is written so that it can, and what is repeated is there once.
fn without_notation(shown: &str) -> Result<String, String> {
    let text = shown.replace('␉', "\t").replace('␠', " ").replace('␍', "\r");
    let mut source = String::new();
    let mut rest = text.as_str();
    while let Some((before, special)) = rest.split_once('⟨') {
        let (special, after) = special.split_once('⟩').ok_or("a `⟨` without its `⟩`")?;
        source += before;
        let character = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        if special == "eof" {
            source += "⟨eof⟩";
        } else if let Some(character) = special.strip_prefix("U+").and_then(character) {
            source.push(character);
        } else if let Some((part, Ok(times))) = special.rsplit_once('×').map(|(part, times)| (part, times.parse())) {
            source += &part.repeat(times);
        } else {
            return Err(format!("`⟨{special}⟩` is neither `⟨U+…⟩` nor `⟨…×…⟩`"));
        }
        rest = after;
    }
    Ok(source + rest)
}
