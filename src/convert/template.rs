//! Converts templates between quotes or heredocs and the strings of JSON.

use crate::stack::with_room;
use crate::syntax::ast::{DirectivePiece, ExpressionNode, TemplateNode, TemplatePart};
use crate::writer::{Form, TemplateText};

/// Writes a template in another form. Strip markers are applied, because they may have another meaning there.
pub(crate) fn rewritten(template: TemplateNode<'_>, form: Form) -> String {
    let mut parts = template.parts().filter(|part| !is_empty(part));
    // An interpolation that is alone only because the text around it is stripped still yields a string.
    let is_lone = template.unwrapped().is_none()
        && matches!((parts.next(), parts.next()), (Some(TemplatePart::Interpolation(_)), None));
    let text = if is_lone { TemplateText::of_lone_interpolation(form) } else { TemplateText::new(form) };
    let mut writer = Writer { out: String::new(), text };
    writer.pieces_of(template);
    writer.out
}

/// Returns the text of a template without quotes around it.
pub fn bare(template: TemplateNode<'_>) -> String {
    rewritten(template, Form::Bare)
}

fn is_empty(part: &TemplatePart<'_>) -> bool {
    matches!(part, TemplatePart::Literal(text, _) if text.is_empty())
}

/// Returns the source of an expression for a sequence: the closing marker of a heredoc must be alone in its line.
pub(super) fn source_in_sequence(expression: ExpressionNode<'_>) -> String {
    let text = expression.text();
    let heredoc = text.contains("<<") && text.contains('\n');
    if heredoc { format!("{text}\n") } else { text.to_owned() }
}

struct Writer {
    out: String,
    text: TemplateText,
}

impl Writer {
    fn pieces_of(&mut self, template: TemplateNode<'_>) {
        for part in template.parts() {
            match part {
                TemplatePart::Literal(text, _) => self.text.text(&text, &mut self.out),
                TemplatePart::Interpolation(expression) => {
                    self.text.interpolation(&mut self.out, |out| out.push_str(&source_in_sequence(expression)));
                }
                directive => self.directive(&directive),
            }
        }
    }

    fn directive(&mut self, directive: &TemplatePart<'_>) {
        for piece in directive.directive_pieces() {
            match piece {
                DirectivePiece::Sequence(words, expression) => {
                    let source = expression.map(source_in_sequence);
                    let expression = source.as_ref().map(|source| |out: &mut String| out.push_str(source));
                    self.text.directive(&words, &mut self.out, expression);
                }
                DirectivePiece::Template(template) => with_room(|| self.pieces_of(template)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::ParseOptions;
    use crate::syntax::ast::ExpressionKind;
    use crate::syntax::template_file;

    /// A bare template in both forms, and back from quotes.
    #[track_caller]
    fn check(text: &str, bare: &str, quoted: &str) {
        let parse = |text: &str| template_file(text.into(), &ParseOptions::default()).into_result().expect(text);
        let file = parse(text);
        assert_eq!(rewritten(file.template(), Form::Bare), bare);
        assert_eq!(rewritten(file.template(), Form::Quoted), quoted);
        assert_eq!(rewritten(parse(bare).template(), Form::Bare), bare);
        let file = crate::parse::<crate::File>(format!("a = \"{quoted}\"\n")).into_result().expect(quoted);
        let ExpressionKind::Template(back) = file.body().attribute("a").expect("it is there").expression().kind()
        else {
            panic!("{quoted} is no template")
        };
        assert_eq!(rewritten(back, Form::Bare), bare);
    }

    #[test]
    fn forms() {
        check("a \"b\" \\ $${c} %%{ $ %", "a \"b\" \\ $${c} %%{ $ %", "a \\\"b\\\" \\\\ $${c} %%{ $ %");
        check("a\n\t\u{1b}é", "a\n\t\u{1b}é", "a\\n\\t\\u001bé");
        check("${ a }", "${a}", "${a}");
        check(" ${~ a ~} ", " ${~a}", " ${~a}");
        check("x ${~ a ~}\n y", "x${a} y", "x${a} y");
        check("$ ${~ a}", "$ ${~a}", "$ ${~a}");
        check("% ${~ a}", "%${a}", "%${a}");
        check(
            "% %{~ if a}%{else}c% %{~ endif}",
            "% %{~ if a }%{ else }c% %{~ endif }",
            "% %{~ if a }%{ else }c% %{~ endif }",
        );
        check(
            "%{for k, v in a}${k}%{endfor}",
            "%{ for k, v in a }${k}%{ endfor }",
            "%{ for k, v in a }${k}%{ endfor }",
        );
        check("a${<<E\nx\nE\n}", "a${<<E\nx\nE\n}", "a${<<E\nx\nE\n}");
    }
}
