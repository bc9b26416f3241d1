//! Writes templates, piece by piece.

use super::quote::{Form, escaped};

/// Receives the text of a template.
pub(crate) trait Output {
    fn push(&mut self, text: &str);
}

impl Output for String {
    fn push(&mut self, text: &str) {
        self.push_str(text);
    }
}

/// An unfinished template.
///
/// Text must be passed as a whole up to the next sequence: an escape sequence could begin in one piece and continue in
/// the next.
pub(crate) struct TemplateText {
    form: Form,
    /// The last character before the next sequence, which may form an escape sequence with it: `$` before `${`.
    before: Option<char>,
}

impl TemplateText {
    pub(crate) fn new(form: Form) -> Self {
        TemplateText { form, before: None }
    }

    /// Creates a template that is a single interpolation, but still a string: alone, it would be the value of its
    /// expression. A blank with a strip marker prevents that.
    pub(crate) fn of_lone_interpolation(form: Form) -> Self {
        TemplateText { form, before: Some('$') }
    }

    /// Writes text.
    pub(crate) fn text(&mut self, text: &str, out: &mut impl Output) {
        if let Some(last) = text.chars().next_back() {
            out.push(&escaped(text, self.form));
            self.before = Some(last);
        }
    }

    /// Writes an interpolation with its expression.
    pub(crate) fn interpolation<O: Output>(&mut self, out: &mut O, expression: impl FnOnce(&mut O)) {
        self.open("${", out);
        expression(out);
        out.push("}");
    }

    /// Writes a sequence of a directive: its keywords, such as `for x in`, and the expression after them, if it has
    /// one.
    pub(crate) fn directive<O: Output>(&mut self, words: &str, out: &mut O, expression: Option<impl FnOnce(&mut O)>) {
        self.open("%{", out);
        [" ", words, " "].into_iter().for_each(|text| out.push(text));
        if let Some(expression) = expression {
            expression(out);
            out.push(" ");
        }
        out.push("}");
    }

    /// Begins a sequence. After a character that would form an escape sequence with it, inserts a blank that it strips.
    fn open(&mut self, opener: &str, out: &mut impl Output) {
        match self.before.take() {
            Some(last) if opener.starts_with(last) => [" ", opener, "~"].into_iter().for_each(|text| out.push(text)),
            _ => out.push(opener),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_before_a_sequence_are_no_escape() {
        let written = |before: &str, form: Form| {
            let (mut template, mut out) = (TemplateText::new(form), String::new());
            template.text(before, &mut out);
            template.interpolation(&mut out, |out| out.push('a'));
            template.text(before, &mut out);
            template.directive("else", &mut out, None::<fn(&mut String)>);
            out
        };
        assert_eq!(written("a$$", Form::Quoted), "a$$ ${~a}a$$%{ else }");
        assert_eq!(written("\n%", Form::Bare), "\n%${a}\n% %{~ else }");
        assert_eq!(written("${", Form::Bare), "$${${a}$${%{ else }");
        assert_eq!(written("", Form::Bare), "${a}%{ else }");
    }
}
