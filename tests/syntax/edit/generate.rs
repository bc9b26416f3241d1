//! Random files, in all layouts that people write.

use std::fmt::Write as _;

/// A xorshift generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit.max(1)
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// A file, and whether it is in canonical form.
pub fn file(random: &mut Random) -> String {
    let mut generator = Generator { random, out: String::new(), names: 0 };
    if generator.random.one_in(6) {
        generator.out.push_str("# A header.\n\n");
    }
    generator.body(0);
    let mut text = generator.out;
    if random.one_in(2) {
        text = hcl_lr::format::format(&text);
    }
    if random.one_in(8) && !text.trim_end().ends_with("EOT") {
        text = text.trim_end().to_owned();
    }
    if random.one_in(5) {
        text = text.replace('\n', "\r\n");
    }
    if random.one_in(30) {
        text.insert(0, '\u{feff}');
    }
    text
}

/// An expression in one line, or in several.
pub fn value(random: &mut Random) -> String {
    let mut generator = Generator { random, out: String::new(), names: 0 };
    let depth = generator.random.below(3);
    generator.value(2, depth);
    generator.out
}

struct Generator<'r> {
    random: &'r mut Random,
    out: String,
    names: usize,
}

impl Generator<'_> {
    fn indent(&mut self, depth: usize) {
        // Not all people indent as they should.
        let off = if self.random.one_in(15) { 1 } else { 0 };
        let _ = write!(self.out, "{:indent$}", "", indent = 2 * depth + off);
    }

    fn name(&mut self) -> String {
        self.names += 1;
        let stem = self.random.pick(&["a", "name", "long_name", "é"]);
        format!("{stem}{}", self.names)
    }

    fn line_comment(&mut self) {
        self.names += 1;
        let mark = self.random.pick(&["#", "//"]);
        let _ = write!(self.out, "{mark} comment {}", self.names);
    }

    fn inline_comment(&mut self) {
        self.names += 1;
        let _ = write!(self.out, "/* c{} */", self.names);
    }

    /// Comments and blank lines between the lines of a body or collection.
    fn between(&mut self, depth: usize) {
        if self.random.one_in(5) {
            self.out.push('\n');
        }
        if self.random.one_in(12) {
            self.indent(depth);
            self.line_comment();
            self.out.push_str("\n\n");
        }
        while self.random.one_in(5) {
            self.indent(depth);
            match self.random.one_in(5) {
                true => self.out.push_str("/* several\nlines */"),
                false => self.line_comment(),
            }
            self.out.push('\n');
        }
    }

    fn body(&mut self, depth: usize) {
        for _ in 0..self.random.below(6) {
            self.between(depth);
            self.indent(depth);
            if self.random.one_in(20) {
                self.inline_comment();
                self.out.push(' ');
            }
            let name = self.name();
            self.out.push_str(&name);
            if depth < 3 && self.random.one_in(3) {
                self.block(depth);
            } else {
                self.out.push_str(self.random.pick(&[" = ", " = ", "="]));
                let heredoc = self.random.one_in(12);
                if heredoc {
                    self.heredoc();
                    continue;
                }
                self.value(depth, 2);
            }
            if self.random.one_in(5) {
                self.out.push_str(self.random.pick(&[" ", "  "]));
                match self.random.one_in(4) {
                    true => self.inline_comment(),
                    false => self.line_comment(),
                }
            }
            self.out.push('\n');
        }
        if self.random.one_in(10) {
            self.out.push('\n');
            self.indent(depth);
            self.line_comment();
            self.out.push('\n');
        }
    }

    fn heredoc(&mut self) {
        self.out.push_str(self.random.pick(&["<<EOT\n", "<<-EOT\n"]));
        for _ in 0..self.random.below(3) {
            self.out.push_str(self.random.pick(&["text\n", "  text ${a}\n", "\n", "  # no comment\n"]));
        }
        self.out.push_str("EOT\n");
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..self.random.below(3) {
            self.out.push_str(self.random.pick(&[" \"label\"", " bare"]));
        }
        match self.random.below(6) {
            0 => self.out.push_str(self.random.pick(&[" {}", " { }"])),
            1 => {
                self.out.push_str(" { x = ");
                self.value(depth, 0);
                self.out.push_str(" }");
            }
            _ => {
                self.out.push_str(" {");
                if self.random.one_in(10) {
                    self.out.push(' ');
                    self.line_comment();
                }
                self.out.push('\n');
                self.body(depth + 1);
                self.indent(depth);
                self.out.push('}');
            }
        }
    }

    /// An expression that nests so many collections at most.
    fn value(&mut self, depth: usize, nesting: usize) {
        let plain = ["1", "-2.5", "true", "null", "\"text\"", "\"a ${b} c\"", "a.b[0].c", "a ? b : c", "x + 1", "!y"];
        match self.random.below(if nesting > 0 { 10 } else { 4 }) {
            4 | 5 => self.tuple(depth, nesting),
            6 | 7 => self.object(depth, nesting),
            8 => {
                self.out.push_str(self.random.pick(&["f(", "merge(a, ", "("]));
                self.value(depth, nesting - 1);
                self.out.push(')');
            }
            9 => {
                self.out.push_str("[for k, v in ");
                self.value(depth, nesting - 1);
                self.out.push_str(" : v]");
            }
            _ => self.out.push_str(self.random.pick(&plain)),
        }
    }

    fn tuple(&mut self, depth: usize, nesting: usize) {
        let count = self.random.below(4);
        let layout = self.random.below(8);
        self.out.push('[');
        if count == 0 {
            self.out.push_str(self.random.pick(&["", "", " ", "\n"]));
            self.out.push(']');
            return;
        }
        let lines = matches!(layout, 3..=6);
        self.out.push_str(if lines { "\n" } else { self.random.pick(&["", "", " "]) });
        for index in 0..count {
            let last = index + 1 == count;
            if lines && layout != 6 {
                self.between(depth + 1);
            }
            if lines && !(layout == 6 && index == 1) {
                self.indent(depth + 1);
            }
            if self.random.one_in(15) {
                self.inline_comment();
                self.out.push(' ');
            }
            if lines && layout != 6 && self.random.one_in(15) {
                self.heredoc();
                self.indent(depth + 1);
            } else {
                self.value(depth + 1, nesting - 1);
            }
            if self.random.one_in(20) {
                self.out.push(' ');
                self.inline_comment();
            }
            if !last || layout == 4 || layout == 1 {
                self.out.push(',');
            }
            if lines && !(layout == 6 && index == 0 && !last) {
                if self.random.one_in(6) {
                    self.out.push(' ');
                    self.line_comment();
                }
                self.out.push('\n');
            } else if !last || layout == 1 {
                self.out.push_str(if layout == 7 && !last { "\n   " } else { self.random.pick(&[" ", " ", ""]) });
            }
        }
        if lines {
            self.indent(depth);
        }
        self.out.push(']');
    }

    fn object(&mut self, depth: usize, nesting: usize) {
        let count = self.random.below(4);
        let layout = self.random.below(6);
        self.out.push('{');
        if count == 0 {
            self.out.push_str(self.random.pick(&["", "", " ", "\n"]));
            self.out.push('}');
            return;
        }
        let lines = layout > 1;
        let commas = layout == 3;
        self.out.push_str(if lines { "\n" } else { self.random.pick(&["", " ", " "]) });
        for index in 0..count {
            let last = index + 1 == count;
            let with_next = layout == 4 && index == 0 && !last;
            if lines && !(layout == 4 && index == 1) {
                self.between(depth + 1);
                self.indent(depth + 1);
            }
            let name = self.name();
            match self.random.below(8) {
                0 => self.out.push_str(&format!("\"{name}\"")),
                1 => self.out.push_str(&format!("({name})")),
                _ => self.out.push_str(&name),
            }
            self.out.push_str(self.random.pick(&[" = ", " = ", " = ", ": "]));
            if lines && !commas && !with_next && self.random.one_in(15) {
                self.heredoc();
                continue;
            }
            self.value(depth + 1, nesting - 1);
            if commas && (!last || self.random.one_in(2)) || with_next || !lines && !last {
                self.out.push(',');
            }
            if with_next || !lines {
                self.out.push_str(if last { self.random.pick(&["", " "]) } else { self.random.pick(&[" ", " ", ""]) });
            } else {
                if self.random.one_in(6) {
                    self.out.push(' ');
                    self.line_comment();
                }
                self.out.push('\n');
            }
        }
        if lines {
            self.indent(depth);
        }
        self.out.push('}');
    }
}
