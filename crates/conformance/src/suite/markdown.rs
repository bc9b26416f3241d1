//! Reading a chapter.

use super::case::Basis;
use super::example::{Block, Example, is_source};
use super::{Origin, Statement, Suite};

pub(super) fn read(name: &str, text: &str, suite: &mut Suite) {
    let mut reader = Reader { name, chapter: String::new(), section: String::new(), statement: None, suite };
    let mut lines = text.lines().enumerate().peekable();
    // True if further fences may belong to the last example.
    let mut open = false;
    while let Some((index, line)) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let mut block = Vec::new();
            loop {
                match lines.next() {
                    Some((_, "```")) => break,
                    Some((_, line)) => block.push(line),
                    None => return reader.problem(index, "this fence is not closed"),
                }
            }
            open = reader.fence(index, info, block.join("\n"), open);
        } else if let Some(id) = line.strip_prefix("### ") {
            open = false;
            let mut words = Vec::new();
            while lines.next_if(|(_, line)| line.is_empty()).is_some() {}
            let is_text = |line: &str| !line.is_empty() && !line.starts_with("```") && !line.starts_with(['#', '>']);
            while let Some((_, line)) = lines.next_if(|(_, line)| is_text(line)) {
                words.push(line.trim());
            }
            while lines.next_if(|(_, line)| line.is_empty()).is_some() {}
            let mut origin = Vec::new();
            while let Some(line) =
                lines.next_if(|(_, line)| line.starts_with('>')).and_then(|(_, line)| line.strip_prefix('>'))
            {
                origin.push(line.trim());
            }
            reader.statement(index, id.trim(), words.join(" "), &origin.join(" "));
        } else if let Some(heading) = line.strip_prefix("## ") {
            open = false;
            heading.trim().clone_into(&mut reader.section);
            reader.statement = None;
        } else if let Some(heading) = line.strip_prefix("# ") {
            open = false;
            heading.trim().clone_into(&mut reader.chapter);
        } else if !line.trim().is_empty() {
            open = false;
        }
    }
}

struct Reader<'r> {
    name: &'r str,
    chapter: String,
    section: String,
    /// The statement that the next examples are of.
    statement: Option<String>,
    suite: &'r mut Suite,
}

impl Reader<'_> {
    fn place(&self, index: usize) -> String {
        format!("{}:{}", self.name, index + 1)
    }

    fn problem(&mut self, index: usize, what: &str) {
        let place = self.place(index);
        self.suite.problems.push(format!("{place}: {what}"));
    }

    fn statement(&mut self, index: usize, id: &str, text: String, origin: &str) {
        let parts: Vec<&str> = id.split('.').collect();
        let word = |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') && !part.is_empty();
        match parts[..] {
            [name, topic, number] if word(name) && word(topic) && number.parse::<u32>().is_ok() => {}
            _ => self.problem(index, &format!("`{id}` is not a name such as `native.for.7`")),
        }
        if text.is_empty() {
            self.problem(index, &format!("{id} says nothing"));
        }
        if self.suite.statements.iter().any(|other| other.id == id) {
            self.problem(index, &format!("there is another statement {id}"));
        }
        self.statement = Some(id.to_owned());
        let place = self.place(index);
        let origin = Origin::read(origin).unwrap_or_else(|why| {
            self.problem(index, &format!("{id}: {why}"));
            None
        });
        self.suite.statements.push(Statement { id: id.to_owned(), text, chapter: self.chapter.clone(), origin, place });
    }

    /// Adds a fence; returns true if further fences may belong to the same example.
    fn fence(&mut self, index: usize, info: &str, text: String, open: bool) -> bool {
        let mut words = info.split(' ');
        let word = words.next().unwrap_or_default().to_owned();
        let words: Vec<String> = words.map(str::to_owned).collect();
        // The words for answers and context never start sources, except `hcl` and `json`, which have a name if they
        // are examples.
        if !is_source(&word) || words.is_empty() {
            match self.suite.examples.last_mut().filter(|_| open) {
                Some(example) => example.blocks.push(Block { word, text }),
                None => self.problem(index, "this fence belongs to no example"),
            }
            return open;
        }
        let id = words[0].clone();
        let mut covers: Vec<String> = self.statement.iter().cloned().collect();
        let (mut options, mut basis, mut differs, mut row) = (Vec::new(), Basis::Text, Vec::new(), None);
        for option in &words[1..] {
            match option.split_once('=').unwrap_or((option, "")) {
                ("covers", list) => covers = list.split(',').map(str::to_owned).collect(),
                ("differs", list) => differs = list.split(',').map(str::to_owned).collect(),
                ("row", name) => row = Some(name.to_owned()),
                ("engine", "") => basis = Basis::Engine,
                ("ours", "") => basis = Basis::Ours,
                _ => options.push(option.clone()),
            }
        }
        let place = self.place(index);
        self.suite.examples.push(Example {
            id,
            place,
            chapter: self.chapter.clone(),
            section: self.section.clone(),
            covers,
            basis,
            differs,
            row,
            kind: word,
            options,
            shown: text,
            blocks: Vec::new(),
        });
        true
    }
}
