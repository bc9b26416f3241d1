//! Returns the content of a file as text, without anything but the content. It is built from sorted tokens,
//! independently of the library's comparison.

use hcl_lr::syntax::File;

use super::model::{Model, Piece, read};

pub fn of_file(file: &File) -> String {
    of_model(&read(file).model)
}

pub fn of_text(text: &str) -> String {
    let file = hcl_lr::parse::<File>(text).into_result().unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    of_file(&file)
}

pub fn of_model(model: &Model) -> String {
    let mut out = String::new();
    write(model, true, &mut out);
    out
}

/// Writes a container. Within calls and operations the order of entries counts, since such expressions are compared as
/// they are written.
fn write(model: &Model, sorts: bool, out: &mut String) {
    let mut members: Vec<(String, String)> = Vec::new();
    for part in &model.members {
        let mut text = String::new();
        if let Some(body) = &part.body {
            write(body, true, &mut text);
        }
        value(&part.value, sorts, &mut text);
        // A key means the same with and without quotes.
        let head: Vec<&str> =
            part.head.iter().map(|name| if model.kind == 'o' { name.trim_matches('"') } else { name }).collect();
        members.push((format!("{head:?}{}", part.body.is_some()), text));
    }
    if model.kind != 't' && sorts {
        members.sort_by(|a, b| a.0.cmp(&b.0));
    }
    out.push(model.kind);
    members.iter().for_each(|(head, text)| *out += &format!("({head} {text})"));
}

fn value(pieces: &[Piece], sorts: bool, out: &mut String) {
    if let [Piece::Collection(model)] = pieces {
        return write(model, sorts, out);
    }
    let kept: Vec<&Piece> =
        pieces.iter().filter(|piece| !matches!(piece, Piece::Token(text) if text == "newline")).collect();
    for (index, piece) in kept.iter().enumerate() {
        match piece {
            Piece::Collection(model) => write(model, false, out),
            Piece::Token(text) => {
                let next = kept.get(index + 1);
                let closes = matches!(next, Some(Piece::Token(next)) if next == ")" || next == "]");
                if text != "," || !closes {
                    *out += &format!("{text:?} ");
                }
            }
        }
    }
}
