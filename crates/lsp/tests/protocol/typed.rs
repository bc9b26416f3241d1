//! The typed sessions in `tests/typed`: keys, as an editor turns them into edits, and the offers after each key.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::Client;
use super::golden::Golden;
use super::kit::{Fence, position, read};
use super::random::boundary;

/// The number of labels that are shown after a key.
const SHOWN: usize = 5;

/// The number of errors and warnings that a session may have outside of the line in hand, besides those of its start.
const MAX_OUTSIDE: usize = 3;

/// The place of the cursor in the text that a session begins with.
const CURSOR: char = '¦';

/// A key of a session.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Letter(char),
    /// `<Enter>`: a new line with the indentation of the one before, and one more level after an opening bracket.
    Enter,
    /// `<Backspace>`: removes the letter before the cursor.
    Backspace,
    /// `<End>`: goes to the end of the line.
    End,
    /// `<Down>`: goes to the end of the next line.
    Down,
    /// `<Accept>`: takes the first offer. Its first placeholder is selected.
    Accept,
    /// `<Tab>`: goes to the next placeholder of what was accepted, or behind it.
    Tab,
    /// `<Ask>`: asks for offers without a letter, as Ctrl+Space does.
    Ask,
}

impl Key {
    fn name(&self) -> String {
        match self {
            Key::Letter(letter) => letter.to_string(),
            other => format!("<{other:?}>"),
        }
    }
}

/// Reads keys: letters, and names in angle brackets. Line breaks are for people.
fn keys(text: &str) -> Vec<Key> {
    const NAMED: [Key; 7] = [Key::Enter, Key::Backspace, Key::End, Key::Down, Key::Accept, Key::Tab, Key::Ask];
    let (mut keys, mut rest) = (Vec::new(), text);
    while let Some(letter) = rest.chars().next() {
        if let Some(key) = NAMED.iter().find(|key| rest.starts_with(&key.name())) {
            rest = &rest[key.name().len()..];
            keys.push(key.clone());
            continue;
        }
        rest = &rest[letter.len_utf8()..];
        if letter != '\n' {
            keys.push(Key::Letter(letter));
        }
    }
    keys
}

/// An open document with a cursor, which turns keys into edits as editors do: brackets and quotes come in pairs.
struct Editor {
    client: Client,
    uri: String,
    text: String,
    cursor: usize,
    /// The end of the selected text, which starts at the cursor.
    selected: usize,
    /// The placeholders of what was accepted, the next one last: their distances from the end of the text, and lengths.
    stops: Vec<(usize, usize)>,
    version: i32,
    /// The item that was offered first.
    first: Option<Value>,
}

impl Editor {
    fn before(&self) -> Option<char> {
        self.text[..self.cursor].chars().next_back()
    }

    fn after(&self) -> Option<char> {
        self.text[self.cursor..].chars().next()
    }

    /// Replaces a part of the text, and puts the cursor behind so many bytes of what is inserted.
    fn replace(&mut self, start: usize, end: usize, new: &str, cursor: usize) {
        let range = json!({ "start": position(&self.text, start), "end": position(&self.text, end) });
        self.version += 1;
        let change = json!({
            "textDocument": { "uri": self.uri, "version": self.version },
            "contentChanges": [{ "range": range, "text": new }],
        });
        self.client.tell("textDocument/didChange", change);
        self.text.replace_range(start..end, new);
        self.cursor = start + cursor;
        self.selected = self.cursor;
    }

    /// Inserts a text in place of what is selected.
    fn insert(&mut self, text: &str, cursor: usize) {
        self.replace(self.cursor, self.selected, text, cursor);
    }

    /// Returns the indentation of the line of the cursor.
    fn indentation(&self) -> String {
        let line = self.text[..self.cursor].rsplit('\n').next().unwrap_or_default();
        line[..line.len() - line.trim_start().len()].to_owned()
    }

    /// Goes to the next placeholder of what was accepted.
    fn next_stop(&mut self) {
        if let Some((from_end, length)) = self.stops.pop() {
            self.cursor = self.text.len() - from_end;
            self.selected = self.cursor + length;
        }
    }

    fn press(&mut self, key: &Key) {
        match key {
            Key::Letter(letter) => self.letter(*letter),
            Key::Enter => {
                let line = self.text[..self.cursor].rsplit('\n').next().unwrap_or_default();
                let indent = self.indentation();
                let opens = line.trim_end().ends_with(['{', '[', '(']);
                let deeper = if opens { format!("\n{indent}  ") } else { format!("\n{indent}") };
                let closes = opens && matches!(self.after(), Some('}' | ']' | ')'));
                let rest = if closes { format!("\n{indent}") } else { String::new() };
                self.insert(&format!("{deeper}{rest}"), deeper.len());
            }
            Key::Backspace => {
                let Some(letter) = self.before() else { return };
                let is_pair = self.after().is_some_and(|after| closer(letter) == Some(after));
                let end = self.cursor + usize::from(is_pair);
                self.replace(self.cursor - letter.len_utf8(), end, "", 0);
            }
            Key::End | Key::Down => {
                let next = self.text[self.cursor..].find('\n').map(|newline| self.cursor + newline + 1);
                let from = next.filter(|_| *key == Key::Down).unwrap_or(self.cursor);
                self.cursor = self.text[from..].find('\n').map_or(self.text.len(), |newline| from + newline);
                self.selected = self.cursor;
            }
            Key::Accept => {
                let Some(item) = self.first.take() else { return };
                let new = item["textEdit"]["newText"].as_str().expect("a text");
                // Editors indent the lines of what is accepted as the line of the cursor.
                let new = new.replace('\n', &format!("\n{}", self.indentation()));
                let (new, stops) = if item["insertTextFormat"] == 2 { snippet(&new) } else { (new, Vec::new()) };
                let [start, end] = ["start", "end"].map(|side| self.offset(&item["textEdit"]["range"][side]));
                self.replace(start, end, &new, new.len());
                // What is typed in one leaves the distance of the others from the end as it is.
                let after = self.text.len() - start;
                self.stops = stops.into_iter().rev().map(|(at, length)| (after - at, length)).collect();
                self.next_stop();
            }
            Key::Tab => self.next_stop(),
            Key::Ask => {}
        }
    }

    fn letter(&mut self, letter: char) {
        // A closer that is there already is passed.
        if matches!(letter, '}' | ']' | ')' | '"') && self.after() == Some(letter) {
            self.cursor += 1;
            self.selected = self.cursor;
            return;
        }
        let after = self.text[self.selected..].chars().next();
        let is_free = after.is_none_or(|after| after.is_whitespace() || "}])\"".contains(after));
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_paired =
            is_free && (letter != '"' || !self.before().is_some_and(|before| is_word(before) || before == '"'));
        match closer(letter).filter(|_| is_paired) {
            Some(closer) => self.insert(&format!("{letter}{closer}"), letter.len_utf8()),
            None => self.insert(&letter.to_string(), letter.len_utf8()),
        }
    }

    fn offset(&self, place: &Value) -> usize {
        let line = usize::try_from(place["line"].as_u64().expect("a line")).expect("a small number");
        let start: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
        let character = usize::try_from(place["character"].as_u64().expect("a character")).expect("a small number");
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let mut units = 0;
        let at = line.char_indices().find(|(_, letter)| {
            let is_there = units >= character;
            units += letter.len_utf16();
            is_there
        });
        boundary(&self.text, start + at.map_or(line.len(), |(at, _)| at))
    }

    /// Returns the labels that are offered after a key, if an editor asks for them.
    fn offered(&mut self, key: &Key) -> Option<Vec<String>> {
        let asks = match key {
            Key::Letter(letter) => letter.is_alphanumeric() || "_-.\"[{".contains(*letter),
            Key::Ask => true,
            _ => false,
        };
        if !asks {
            self.first = None;
            return None;
        }
        let context = match key {
            Key::Letter(letter @ ('.' | '"' | '[' | '{')) => json!({ "triggerKind": 2, "triggerCharacter": letter }),
            _ => json!({ "triggerKind": 1 }),
        };
        let place = position(&self.text, self.cursor);
        let params = json!({ "textDocument": { "uri": self.uri }, "position": place, "context": context });
        let mut answer = self.client.ask("textDocument/completion", params).expect("completions");
        let Value::Array(items) = answer["items"].take() else { panic!("no list of items") };
        self.first = items.first().cloned();
        Some(items.iter().map(|item| item["label"].as_str().unwrap_or_default().to_owned()).collect())
    }

    /// Returns the lines of the errors and warnings.
    fn problems(&mut self) -> Vec<(u64, String)> {
        let params = json!({ "textDocument": { "uri": self.uri } });
        let answer = self.client.ask("textDocument/diagnostic", params).expect("diagnostics");
        let found = answer["items"].as_array().into_iter().flatten();
        let found: Vec<&Value> =
            found.filter(|item| item["severity"].as_u64().is_some_and(|severity| severity <= 2)).collect();
        for (at, item) in found.iter().enumerate() {
            let is_same = |other: &&Value| other["range"] == item["range"] && other["code"] != item["code"];
            let other = found[..at].iter().copied().find(is_same);
            assert!(other.is_none(), "one mistake is reported twice: {item} and {other:?} in {:?}", self.text);
        }
        let problem = |item: &Value| {
            let message = item["message"].as_str().unwrap_or_default().lines().next().unwrap_or_default().to_owned();
            (item["range"]["start"]["line"].as_u64().unwrap_or_default(), message)
        };
        found.into_iter().map(problem).collect()
    }

    fn line(&self) -> u64 {
        self.text[..self.cursor].matches('\n').count() as u64
    }
}

/// Returns the text of a snippet, and its placeholders in the order of their numbers, the place at the end last: offsets and
/// lengths.
fn snippet(text: &str) -> (String, Vec<(usize, usize)>) {
    let (mut plain, mut stops) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        match letter {
            '\\' => {
                let escaped = rest.chars().next().unwrap_or('\\');
                plain.push(escaped);
                rest = &rest[escaped.len_utf8().min(rest.len())..];
            }
            '$' => {
                let in_braces = rest.starts_with('{');
                rest = rest.strip_prefix('{').unwrap_or(rest);
                let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
                let number: usize = rest[..digits].parse().expect("the number of a placeholder");
                rest = &rest[digits..];
                let start = plain.len();
                if in_braces {
                    let (inner, after) = rest.split_once('}').expect("the end of a placeholder");
                    plain += inner.strip_prefix(':').unwrap_or(inner);
                    rest = after;
                }
                stops.push((number.checked_sub(1).unwrap_or(usize::MAX), start, plain.len() - start));
            }
            _ => plain.push(letter),
        }
    }
    stops.sort_unstable();
    let mut stops: Vec<(usize, usize)> = stops.into_iter().map(|(_, at, length)| (at, length)).collect();
    if !text.contains("$0") && !text.contains("${0") {
        stops.push((plain.len(), 0));
    }
    (plain, stops)
}

fn closer(opener: char) -> Option<char> {
    match opener {
        '{' => Some('}'),
        '[' => Some(']'),
        '(' => Some(')'),
        '"' => Some('"'),
        _ => None,
    }
}

/// Returns the record of a session: the offers after each key, the text at the end, and its errors and warnings.
fn play(editor: &mut Editor, all: &[Key], name: &str) -> [String; 3] {
    let mut offered = String::new();
    let at_start = editor.problems().len();
    for key in all {
        let accepted = editor.first.as_ref().filter(|_| *key == Key::Accept).map(|item| item["label"].to_string());
        editor.press(key);
        let labels = editor.offered(key);
        let here = editor.line();
        let outside = editor.problems().iter().filter(|(line, _)| *line != here).count();
        assert!(
            outside <= at_start + MAX_OUTSIDE,
            "{name}: after {} there are {outside} problems outside of the line in hand: {:?}",
            key.name(),
            editor.text
        );
        let labels = labels.map(|labels| {
            let more = labels.len().saturating_sub(SHOWN);
            let shown = labels.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" · ");
            let shown = if labels.is_empty() { "nothing".to_owned() } else { shown };
            if more > 0 { format!("{shown} · {more} more") } else { shown }
        });
        let shown = match (key, accepted) {
            (Key::Accept, accepted) => accepted.unwrap_or_else(|| "nothing to accept".to_owned()),
            _ => labels.unwrap_or_default(),
        };
        let name = if *key == Key::Letter(' ') { "<Space>".to_owned() } else { key.name() };
        let _ = write!(offered, "{name:<11} {shown}");
        if outside > 0 {
            let _ = write!(offered, "   ({outside} elsewhere)");
        }
        offered.truncate(offered.trim_end().len());
        offered.push('\n');
    }
    let problems = editor.problems().iter().map(|(line, message)| format!("{line}: {message}\n")).collect();
    let end = if editor.text.ends_with('\n') { editor.text.clone() } else { format!("{}\n", editor.text) };
    [offered, end, problems]
}

fn run(path: &Path) -> String {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let root = std::env::temp_dir().join(format!("hcl-typed-{}", std::process::id())).join(&name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).expect("a folder");
    let root = root.canonicalize().expect("a folder");
    let (mut out, mut editor) = (String::new(), None::<Editor>);
    for part in read(&fs::read_to_string(path).expect("a session")) {
        let Fence { words, text } = match part {
            Err(line) => {
                out += &format!("{line}\n");
                continue;
            }
            Ok(fence) => fence,
        };
        let all: Vec<&str> = words.split_whitespace().collect();
        match all[..] {
            // Recorded answers are replaced.
            ["offered" | "text" | "problems"] => continue,
            ["file", file] => {
                let path = root.join(file);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, &text).expect("written");
            }
            ["open", file, ref language @ ..] => {
                let cursor = text.find(CURSOR).unwrap_or(text.len());
                let text = text.replace(CURSOR, "");
                let capabilities =
                    json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
                let client = Client::start(&[root.display().to_string()], &capabilities, &Value::Null);
                let uri = format!("file://{}/{file}", root.display());
                let language = language.first().unwrap_or(&"hcl");
                let document = json!({ "uri": uri, "languageId": language, "version": 0, "text": text });
                client.tell("textDocument/didOpen", json!({ "textDocument": document }));
                editor = Some(Editor {
                    client,
                    uri,
                    text,
                    cursor,
                    selected: cursor,
                    stops: Vec::new(),
                    version: 0,
                    first: None,
                });
            }
            ["keys"] => {}
            _ => panic!("`{words}` is nothing that a typed session has"),
        }
        out += &format!("```{words}\n{text}```\n");
        if all == ["keys"] {
            let editor = editor.as_mut().unwrap_or_else(|| panic!("{name}: a document is opened before keys"));
            let [offered, text, problems] = play(editor, &keys(&text), &name);
            out += &format!("```offered\n{offered}```\n```text\n{text}```\n");
            if !problems.is_empty() {
                out += &format!("```problems\n{problems}```\n");
            }
        }
    }
    if let Some(editor) = editor {
        assert!(editor.client.end(), "{name}: the server does not end well");
    }
    let _ = fs::remove_dir_all(root);
    out
}

#[test]
fn typed_sessions_go_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typed");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the sessions").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("README.md"));
    paths.sort();
    assert!(paths.len() >= 60, "there are {} typed sessions", paths.len());
    let mut golden = Golden::new();
    for path in paths {
        golden.check(&path, &run(&path));
    }
    golden.finish();
}

#[test]
fn keys_are_letters_and_names() {
    let read: Vec<String> = keys("a <\n<Enter><Accept>>").iter().map(Key::name).collect();
    assert_eq!(read, ["a", " ", "<", "<Enter>", "<Accept>", ">"]);
}

#[test]
fn snippets_are_texts_with_placeholders() {
    let read = |text: &str| snippet(text);
    assert_eq!(read("a = ${1:0}"), ("a = 0".to_owned(), vec![(4, 1), (5, 0)]));
    assert_eq!(read("b \"$1\" {\n  $0\n}"), ("b \"\" {\n  \n}".to_owned(), vec![(3, 0), (9, 0)]));
    assert_eq!(read("\\${x"), ("${x".to_owned(), vec![(3, 0)]));
}
