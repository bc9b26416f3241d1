//! Finds the functions of the library and the programs that call themselves, directly or through others, and checks that the depth of each is
//! bounded.
//!
//! The calls are read from the text of the sources: a function calls another one if its body names it, and both stand
//! in the same folder. A cycle of calls is fine if one of its functions asks for room on the stack
//! (`stack::with_room`); every other one stands in `fixtures/recursion.md` with the reason why it ends soon. Methods
//! are known by their names only, so a function may also be listed because a method of another type has its name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folders of the packages to examine.
const PACKAGES: [&str; 13] = [
    "",
    "crates/adapters",
    "crates/analysis",
    "crates/cli",
    "crates/conformance",
    "crates/edit",
    "crates/grammar-check",
    "crates/grammar-kit",
    "crates/language",
    "crates/lsp",
    "crates/project",
    "crates/python",
    "crates/schema-tools",
];

/// The calls that make room on the stack for the next level, or for the next ones.
const ROOM: [&str; 5] = ["with_room", "with_room_for", "debug_with_room", "within_limits", "with_room_below"];

/// Methods that call their arguments.
const CALLERS: [&str; 24] = [
    "all",
    "and_then",
    "any",
    "filter",
    "filter_map",
    "find",
    "find_map",
    "flat_map",
    "fold",
    "for_each",
    "inspect",
    "is_none_or",
    "is_some_and",
    "map",
    "map_err",
    "map_or",
    "map_or_else",
    "map_while",
    "ok_or_else",
    "or_else",
    "position",
    "then",
    "try_for_each",
    "unwrap_or_else",
];

/// Methods of collections, iterators and places, which call nothing deeper.
const SHALLOW: [&str; 41] = [
    "append",
    "as_str",
    "borrow",
    "borrow_mut",
    "chars",
    "clone",
    "contains",
    "drain",
    "ends_with",
    "entry",
    "extend",
    "find",
    "first",
    "get",
    "get_mut",
    "id",
    "insert",
    "into_iter",
    "is_empty",
    "iter",
    "keys",
    "last",
    "len",
    "name",
    "names",
    "next",
    "place",
    "pop",
    "position",
    "push",
    "remove",
    "retain",
    "set",
    "source",
    "span",
    "split_last",
    "start",
    "take",
    "text",
    "truncate",
    "with_help",
];

/// Tells whether a function is one that a call may mean.
type Fits<'c> = Box<dyn Fn(&Function) -> bool + 'c>;

/// A function with a body.
struct Function {
    /// The folder of its file, within `src`.
    folder: String,
    file: String,
    /// The type that it belongs to; empty for a free function.
    owner: String,
    name: String,
    calls: Vec<Call>,
    asks_for_room: bool,
}

/// The contents of a file: its functions, and the names that it imports.
struct Sources {
    functions: Vec<Function>,
    imports: BTreeMap<String, BTreeSet<String>>,
}

impl Function {
    fn id(&self) -> String {
        let owner = if self.owner.is_empty() { String::new() } else { format!("{}::", self.owner) };
        format!("{} {owner}{}", self.file, self.name)
    }
}

/// A name in the body of a function that may be that of another one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Call {
    /// `name(…)`, or `.map(name)`.
    Free(String),
    /// `Type::name`, `module::name`.
    Of(String, String),
    /// `self.name(…)`, and `….name(…)` for anything else.
    Own(String),
    Method(String),
}

/// Returns the words, numbers and signs of a source, without comments and strings.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            b'"' => {
                at = end_of_string(text, at);
                continue;
            }
            b'r' | b'b' | b'c' if raw_string(rest).is_some() => {
                at += raw_string(rest).unwrap_or(rest.len());
                continue;
            }
            b'b' | b'c' if rest[1..].starts_with('"') => {
                at = end_of_string(text, at + 1);
                continue;
            }
            b'\'' => {
                // A character, or a lifetime.
                let mut characters = rest[1..].char_indices();
                match (characters.next(), characters.next()) {
                    (Some((_, '\\')), Some((_, escaped))) => {
                        let skipped = 2 + escaped.len_utf8();
                        at += skipped + rest[skipped..].find('\'').map_or(0, |end| end + 1);
                    }
                    (Some(_), Some((next, '\''))) => at += 1 + next + 1,
                    _ => at += 1,
                }
                continue;
            }
            byte if is_word(byte) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
            }
            _ if rest.starts_with("::") => at += 2,
            _ if rest.starts_with("->") || rest.starts_with("=>") => at += 2,
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
        found.push(&text[start..at]);
    }
    found
}

/// The end of a string that begins at a quote.
fn end_of_string(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The length of a raw string that a text begins with.
fn raw_string(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let inner = rest[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let start = text.len() - inner.len();
    Some(start + inner.find(&close).map_or(inner.len(), |end| end + close.len()))
}

/// The functions of a source. Those of its tests are left out.
fn functions(file: &str, text: &str) -> Vec<Function> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let tokens = tokens(text);
    let (mut found, mut open): (Vec<Function>, Vec<Open>) = (Vec::new(), Vec::new());
    let mut next = Open::Other;
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        let owner = || {
            open.iter()
                .rev()
                .find_map(|construct| if let Open::Type(name) = construct { Some(name.clone()) } else { None })
        };
        match token {
            "#" if tokens[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]", "mod"]) => {
                at = end_of_block(&tokens, at);
                continue;
            }
            "impl" | "trait" if matches!(open.last(), None | Some(Open::Other)) && is_item(&tokens, at) => {
                next = Open::Type(type_name(&tokens[at + 1..]));
                // Functions in its head are not calls.
                while at < tokens.len() && tokens[at] != "{" {
                    at += 1;
                }
                continue;
            }
            "fn" if tokens.get(at + 1).is_some_and(|name| is_name(name)) => {
                let name = tokens[at + 1].to_owned();
                let mut end = at + 2;
                let mut depth = 0;
                while end < tokens.len() && (depth > 0 || !matches!(tokens[end], "{" | ";")) {
                    depth += match tokens[end] {
                        "(" | "[" => 1,
                        ")" | "]" => -1,
                        _ => 0,
                    };
                    end += 1;
                }
                if tokens.get(end) == Some(&"{") {
                    let owner = owner().unwrap_or_default();
                    let (folder, file) = (folder.clone(), file.to_owned());
                    found.push(Function { folder, file, owner, name, calls: Vec::new(), asks_for_room: false });
                    next = Open::Function(found.len() - 1);
                }
                at = end;
                continue;
            }
            "{" => open.push(std::mem::replace(&mut next, Open::Other)),
            "}" => drop(open.pop()),
            name if is_name(name) => {
                let current = open
                    .iter()
                    .rev()
                    .find_map(|construct| if let Open::Function(number) = construct { Some(*number) } else { None });
                if let Some(number) = current {
                    found[number].asks_for_room |= ROOM.contains(&name);
                    if let Some(call) = call(&tokens, at, &found[number].owner) {
                        found[number].calls.push(call);
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The item that a brace opens.
enum Open {
    Type(String),
    Function(usize),
    Other,
}

fn is_name(token: &str) -> bool {
    token.chars().next().is_some_and(|first| first == '_' || first.is_alphabetic())
}

/// Tells `impl` at the beginning of an item from the one in a type.
fn is_item(tokens: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("}", |before| tokens[before]);
    matches!(before, "}" | ";" | "]" | "{" | "pub" | ")" | "unsafe" | "default")
}

/// The name of the type after `impl` or `trait`: the one after `for`, if that is there.
fn type_name(tokens: &[&str]) -> String {
    let head = tokens.iter().position(|token| matches!(*token, "{" | "where")).unwrap_or(tokens.len());
    let head = &tokens[..head];
    // Lifetimes and bounds are between angle brackets.
    let mut depth = 0;
    let mut names = Vec::new();
    for token in head {
        match *token {
            "<" => depth += 1,
            ">" => depth -= 1,
            "for" if depth == 0 => names.clear(),
            ":" if depth == 0 => break,
            name if depth == 0 && is_name(name) && !matches!(name, "dyn" | "mut") => names.push(name),
            _ => {}
        }
    }
    names.last().copied().unwrap_or_default().to_owned()
}

/// The token after the block that begins next.
fn end_of_block(tokens: &[&str], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at < tokens.len() {
        match tokens[at] {
            ";" if depth == 0 => return at + 1,
            "{" => depth += 1,
            "}" if depth == 1 => return at + 1,
            "}" => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The call that a name may be, in a function of a type.
fn call(tokens: &[&str], at: usize, owner: &str) -> Option<Call> {
    let name = tokens[at].to_owned();
    let before = |count: usize| at.checked_sub(count).map_or("", |at| tokens[at]);
    let after = tokens.get(at + 1).copied().unwrap_or_default();
    let is_called = after == "(" || (after == "::" && tokens.get(at + 2) == Some(&"<"));
    match before(1) {
        "." if !is_called => None,
        "." if before(2) == "self" && before(3) != "." => Some(Call::Own(name)),
        "." => Some(Call::Method(name)),
        "::" => {
            // In `Type::<…>::name`, the type is further to the left.
            let of = match before(2) {
                ">" => return Some(Call::Method(name)),
                "Self" => owner,
                other => other,
            };
            Some(Call::Of(of.to_owned(), name))
        }
        "fn" => None,
        _ if after == "(" => Some(Call::Free(name)),
        "(" | "," if after == ")" && passes_on(tokens, at) => Some(Call::Free(name)),
        _ => None,
    }
}

/// Tells whether an argument is one of a method that calls it.
fn passes_on(tokens: &[&str], at: usize) -> bool {
    let open = tokens[..at].iter().rposition(|token| *token == "(");
    open.is_some_and(|open| open > 1 && tokens[open - 2] == "." && CALLERS.contains(&tokens[open - 1]))
}

/// The names that a file imports.
fn imports(text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let mut found = BTreeSet::new();
    for start in (0..tokens.len()).filter(|&at| tokens[at] == "use") {
        found.extend(tokens[start..].iter().take_while(|token| **token != ";").map(|token| (*token).to_owned()));
    }
    found
}

fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// For each function, those that it may call.
fn graph(sources: &Sources) -> Vec<Vec<usize>> {
    let all = &sources.functions;
    let mut by_name: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (number, function) in all.iter().enumerate() {
        by_name.entry((&function.folder, &function.name)).or_default().push(number);
    }
    let stem = |file: &str| file.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
    let calls = |number: usize| {
        let caller = &all[number];
        let is_near =
            |other: &Function| other.file == caller.file || sources.imports[&caller.file].contains(&other.name);
        let mut called = BTreeSet::new();
        for call in &caller.calls {
            let (name, fits): (&str, Fits<'_>) = match call {
                Call::Free(name) => (name, Box::new(|other| other.owner.is_empty() && is_near(other))),
                Call::Of(of, name) if of.starts_with(|first: char| first.is_uppercase()) => {
                    (name, Box::new(move |other| other.owner == *of))
                }
                Call::Of(of, name) => {
                    let here = matches!(&**of, "self" | "super" | "crate");
                    let is_module = move |other: &Function| here || stem(&other.file) == *of;
                    (name, Box::new(move |other| other.owner.is_empty() && is_module(other)))
                }
                Call::Own(name) => (name, Box::new(|other| other.owner == caller.owner)),
                Call::Method(name) if SHALLOW.contains(&&**name) => continue,
                Call::Method(name) => (name, Box::new(|other| !other.owner.is_empty() && other.file == caller.file)),
            };
            let numbers = by_name.get(&(&*caller.folder, name)).map_or(&[][..], Vec::as_slice);
            called.extend(numbers.iter().copied().filter(|&other| fits(&all[other])));
        }
        called.into_iter().collect()
    };
    (0..all.len()).map(calls).collect()
}

/// The sets of functions that call each other in a circle, without those that are left out.
fn cycles(graph: &[Vec<usize>], left_out: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    /// Tarjan's algorithm, with a list for the calls under way.
    struct Search {
        index: Vec<usize>,
        low: Vec<usize>,
        stack: Vec<usize>,
        on_stack: Vec<bool>,
    }
    const NEW: usize = usize::MAX;
    let count = graph.len();
    let mut search =
        Search { index: vec![NEW; count], low: vec![0; count], stack: Vec::new(), on_stack: vec![false; count] };
    let (mut found, mut next) = (Vec::new(), 0);
    for start in 0..count {
        if search.index[start] != NEW || left_out(start) {
            continue;
        }
        let mut under_way = vec![(start, 0)];
        while let Some((node, edge)) = under_way.pop() {
            if edge == 0 {
                (search.index[node], search.low[node]) = (next, next);
                next += 1;
                search.stack.push(node);
                search.on_stack[node] = true;
            }
            if let Some(&to) = graph[node].get(edge) {
                under_way.push((node, edge + 1));
                if left_out(to) {
                } else if search.index[to] == NEW {
                    under_way.push((to, 0));
                } else if search.on_stack[to] {
                    search.low[node] = search.low[node].min(search.index[to]);
                }
                continue;
            }
            if let Some(&(caller, _)) = under_way.last() {
                search.low[caller] = search.low[caller].min(search.low[node]);
            }
            if search.low[node] == search.index[node] {
                let from = search.stack.iter().position(|&member| member == node).unwrap_or(0);
                let members = search.stack.split_off(from);
                members.iter().for_each(|&member| search.on_stack[member] = false);
                if members.len() > 1 || graph[node].contains(&node) {
                    found.push(members);
                }
            }
        }
    }
    found
}

/// The functions of the list, with their reasons.
fn listed(text: &str) -> BTreeMap<String, String> {
    let mut list = BTreeMap::new();
    let mut reason = String::new();
    for line in text.lines() {
        if let Some(why) = line.strip_prefix("## ") {
            reason = why.to_owned();
        } else if let Some(function) = line.strip_prefix("- ") {
            list.insert(function.to_owned(), reason.clone());
        }
    }
    list
}

#[test]
fn each_recursive_function_has_room_or_a_bound() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    PACKAGES.iter().for_each(|package| rust_files(&root.join(package).join("src"), &mut files));
    let mut sources = Sources { functions: Vec::new(), imports: BTreeMap::new() };
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable source");
        let name = file.strip_prefix(root).expect("a path below the folder").to_string_lossy().replace('\\', "/");
        sources.functions.extend(functions(&name, &text));
        sources.imports.insert(name, imports(&text));
    }
    let all = &sources.functions;
    assert!(all.len() > 1_000, "only {} functions were found", all.len());
    let graph = graph(&sources);
    let recursive: usize = cycles(&graph, &|_| false).iter().map(Vec::len).sum();
    let without_room: BTreeSet<String> =
        cycles(&graph, &|number| all[number].asks_for_room).iter().flatten().map(|&number| all[number].id()).collect();
    let text = std::fs::read_to_string(root.join("tests/fixtures/recursion.md")).expect("the list");
    let listed = listed(&text);
    println!(
        "{} functions, {recursive} of them recursive, {} without room on the stack",
        all.len(),
        without_room.len()
    );
    let new: Vec<&String> = without_room.iter().filter(|function| !listed.contains_key(*function)).collect();
    let gone: Vec<&String> = listed.keys().filter(|function| !without_room.contains(*function)).collect();
    assert!(
        new.is_empty(),
        "use stack::with_room, or add to tests/fixtures/recursion.md why the depth is bounded:\n{new:#?}"
    );
    assert!(
        gone.is_empty(),
        "these are not recursive any more; take them out of tests/fixtures/recursion.md:\n{gone:#?}"
    );
}
