//! Cases: files in Markdown with the inputs of tests and the answers that are expected.
//!
//! `tests/README.md` shows the form. A heading `## NAME` begins a case; a file without such headings is one case, which
//! has the name of the file. A second fence of the kind with which a case begins is another case below the same heading.
//! A fence has a kind, and perhaps a second word: then it is a file with that name. A fence without it is the file
//! `CASE.KIND`, or `CASE` if that ends so. The text between the fences is for people.
//!
//! Needs nothing but the standard library, because `fuzz/seeds.rs` is compiled by itself.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

#[path = "../../crates/conformance/src/suite/text.rs"]
mod notation;

/// Folders of `tests/fixtures` whose files in Markdown have forms of their own, or parts of files that are no inputs
/// for other tests.
const NO_INPUTS: &[&str] = &["divergences", "edit", "liberties", "schema", "simplify", "twins"];

/// A case, with its fences in order.
#[derive(Clone, Debug)]
pub struct Case {
    pub path: PathBuf,
    pub name: String,
    pub fences: Vec<Fence>,
}

/// A file of a case, or what is expected.
#[derive(Clone, Debug)]
pub struct Fence {
    pub kind: String,
    /// The second word.
    pub file: Option<String>,
    pub bytes: Vec<u8>,
    /// The place in the file, with the lines that begin and end the fence.
    place: Range<usize>,
}

impl Fence {
    /// The content, which must be UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("the fence is UTF-8")
    }
}

impl Case {
    /// The fence of a kind, if there is one, or that with two words, as in `hcl after`.
    pub fn find(&self, words: &str) -> Option<&Fence> {
        let (kind, file) = words.split_once(' ').map_or((words, None), |(kind, file)| (kind, Some(file)));
        let is_file = |fence: &Fence| file.is_none() || fence.file.as_deref() == file;
        self.fences.iter().find(|fence| fence.kind == kind && is_file(fence))
    }

    /// The content of the fence of a kind, or an empty text.
    pub fn text(&self, kind: &str) -> &str {
        self.find(kind).map_or("", Fence::text)
    }

    /// The fences of some kinds, in order.
    pub fn of_kinds<'c>(&'c self, kinds: &'c [&str]) -> impl Iterator<Item = &'c Fence> {
        self.fences.iter().filter(|fence| kinds.contains(&&*fence.kind))
    }

    /// The name that a fence has as a file.
    pub fn file_name(&self, fence: &Fence) -> String {
        let own = || {
            if has_extension(&self.name, &[&fence.kind]) {
                self.name.clone()
            } else {
                format!("{}.{}", self.name, fence.kind)
            }
        };
        fence.file.clone().unwrap_or_else(own)
    }

    /// The content of the file with a name.
    pub fn file(&self, name: &str) -> Option<&Fence> {
        self.fences.iter().find(|fence| fence.file.as_deref() == Some(name))
    }

    /// The fences with a second word.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Fence)> {
        self.fences.iter().filter_map(|fence| fence.file.as_deref().map(|name| (name, fence)))
    }

    /// Writes the files to a folder.
    pub fn write_files(&self, folder: &Path) {
        for (name, fence) in self.files() {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
            fs::write(path, &fence.bytes).expect("a writable file");
        }
    }

    /// The file and the case, for messages of tests.
    pub fn place(&self) -> String {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{file}: {}", self.name)
    }
}

/// Returns the number of backticks at the start of a line, if they form a fence.
fn backticks(line: &str) -> Option<usize> {
    let count = line.len() - line.trim_start_matches('`').len();
    (count >= 3).then_some(count)
}

/// A part of a file in Markdown.
pub enum Part<'t> {
    /// A line outside of fences, without its end.
    Line(&'t str),
    /// A fence: its words, its lines as they are written, and its place with the lines that begin and end it.
    Fence { words: &'t str, lines: Vec<&'t str>, place: Range<usize> },
}

/// Reads the parts of a file.
pub fn parts<'t>(path: &Path, text: &'t str) -> Vec<Part<'t>> {
    let (mut parts, mut at) = (Vec::new(), 0);
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let Some(mark) = backticks(line) else {
            parts.push(Part::Line(line.trim_end_matches('\n')));
            continue;
        };
        let mut inner = Vec::new();
        loop {
            let line = lines.next().unwrap_or_else(|| panic!("{}: {line}has no end", path.display()));
            at += line.len();
            let line = line.trim_end_matches('\n');
            if backticks(line) == Some(mark) && line.len() == mark {
                break;
            }
            inner.push(line);
        }
        parts.push(Part::Fence { words: line[mark..].trim(), lines: inner, place: start..at });
    }
    parts
}

/// Reads the cases of a file.
pub fn read(path: &Path, text: &str) -> Vec<Case> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let new = |name: String| Case { path: path.to_owned(), name, fences: Vec::new() };
    let (mut heading, mut count) = (stem.clone(), 1);
    let mut cases = vec![new(stem)];
    for part in parts(path, text) {
        let (words, lines, place) = match part {
            Part::Line(line) => {
                if let Some(name) = line.strip_prefix("## ") {
                    (heading, count) = (name.trim().to_owned(), 1);
                    cases.push(new(heading.clone()));
                }
                continue;
            }
            Part::Fence { words, lines, place } => (words, lines, place),
        };
        let bytes = notation::visible_to_bytes(&lines.join("\n"), true);
        let mut bytes = bytes.unwrap_or_else(|why| panic!("{}: {words}: {why}", path.display()));
        if lines == [""] {
            bytes.push(b'\n');
        }
        let (kind, file) = words.split_once(' ').map_or((words, None), |(kind, file)| (kind, Some(file.to_owned())));
        let is_first = |first: &Fence| file.is_none() && first.file.is_none() && first.kind == kind;
        if cases.last().expect("a case").fences.first().is_some_and(is_first) {
            count += 1;
            cases.push(new(format!("{heading} {count}")));
        }
        let fence = Fence { kind: kind.to_owned(), file, bytes, place };
        cases.last_mut().expect("a case").fences.push(fence);
    }
    cases.retain(|case| !case.fences.is_empty());
    for (index, case) in cases.iter().enumerate() {
        let is_new = cases[..index].iter().all(|other| other.name != case.name);
        assert!(is_new, "{} has two cases {}", path.display(), case.name);
    }
    cases
}

/// Returns true for characters that are invisible, that change the display, or that stand for others.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\0'..' ' | '\x7f'..='\u{a0}' | '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '␉' | '␠' | '␍' | '⟨' | '⟩'
    )
}

/// Returns a fence in file notation.
fn written(words: &str, bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => shown.push('\n'),
                '\t' => shown.push('␉'),
                '\r' => shown.push('␍'),
                other if is_invisible(other) => shown += &format!("⟨U+{:04X}⟩", other as u32),
                other => shown.push(other),
            }
        }
        chunk.invalid().iter().for_each(|byte| shown += &format!("⟨0x{byte:02X}⟩"));
    }
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown += "⟨eof⟩\n";
    }
    let mark = "`".repeat(shown.lines().filter_map(backticks).max().map_or(3, |longest| longest + 1));
    format!("{mark}{words}\n{shown}{mark}\n")
}

/// Returns the text of a file after replacing the content of a case's fence, which is added if there is none. A fence
/// without content is removed.
pub fn with_content(path: &Path, text: &str, case: &str, words: &str, content: &str) -> String {
    let cases = read(path, text);
    let case = cases.iter().find(|candidate| candidate.name == case).expect("the case");
    let last = case.fences.last().expect("a fence").place.end;
    let place = case.find(words).map_or(last..last, |fence| fence.place.clone());
    let fence = if content.is_empty() { String::new() } else { written(words, content.as_bytes()) };
    format!("{}{fence}{}", &text[..place.start], &text[place.end..])
}

/// Returns all files below a folder, in order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a readable folder");
            waiting.extend(entries.map(|entry| entry.expect("a readable entry").path()));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Reads the cases of the files in Markdown below a folder.
pub fn cases_below(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for path in files_below(folder) {
        if path.extension().is_some_and(|end| end == "md") && !path.ends_with("README.md") {
            let text = fs::read_to_string(&path).expect("a readable file");
            cases.extend(read(&path, &text));
        }
    }
    cases
}

/// Returns the inputs of all tests: the files below `tests/fixtures`, and those in cases. A name ends as that of the file
/// does.
pub fn inputs(fixtures: &Path) -> Vec<(String, Vec<u8>)> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(fixtures).expect("the fixtures") {
        let path = entry.expect("an entry").path();
        let has_cases = path.is_dir() && NO_INPUTS.iter().all(|folder| !path.ends_with(folder));
        let cases = if has_cases { cases_below(&path) } else { Vec::new() };
        for file in files_below(&path) {
            if !cases.iter().any(|case| case.path == file) {
                inputs.push((file.display().to_string(), fs::read(&file).expect("a readable file")));
            }
        }
        for case in &cases {
            let folder = case.path.with_extension("");
            for fence in &case.fences {
                // Files with their own names are in a folder for each case.
                let folder = if fence.file.is_some() { folder.join(&case.name) } else { folder.clone() };
                inputs.push((folder.join(case.file_name(fence)).display().to_string(), fence.bytes.clone()));
            }
        }
    }
    inputs.sort();
    inputs
}

/// Returns true if a name ends with one of the extensions.
pub fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name).extension().and_then(|end| end.to_str()).is_some_and(|end| extensions.contains(&end))
}
