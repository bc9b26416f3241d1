//! A file's content as plain data, built from a tree and changed as an edit should change it. It is independent of the
//! editor: it knows no text, and the editor does not know it.

use hcl_lr::syntax::ast::{BodyItem, ExpressionKind, ExpressionNode, File, ObjectKey, Visitor, Walk};
use hcl_lr::syntax::{Token, TokenKind};
use hcl_lr_edit::{Container, Item};

/// A body, an object or a tuple. The number is its start, which is not part of the content.
#[derive(Clone, Debug)]
pub struct Model {
    pub id: usize,
    pub kind: char,
    pub members: Vec<Part>,
}

/// An item, an entry or an element. The number is its start, which is not part of the content.
#[derive(Clone, Debug)]
pub struct Part {
    pub id: usize,
    /// Name, type and labels, or key.
    pub head: Vec<String>,
    pub value: Vec<Piece>,
    pub body: Option<Model>,
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        (self.kind, &self.members) == (other.kind, &other.members)
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        (&self.head, &self.value, &self.body) == (&other.head, &other.value, &other.body)
    }
}

/// A piece of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Token(String),
    Collection(Model),
}

/// A place where members can be.
#[derive(Clone, Copy)]
pub struct Place<'f> {
    pub container: Container<'f>,
    pub kind: char,
    pub id: usize,
}

/// A member, with the facts that the test needs.
#[derive(Clone, Copy)]
pub struct Known<'f> {
    pub member: Item<'f>,
    pub kind: char,
    pub id: usize,
    pub container: usize,
}

/// The content of a file, with all of its members and containers.
pub struct Reading<'f> {
    pub model: Model,
    pub members: Vec<Known<'f>>,
    pub places: Vec<Place<'f>>,
}

pub const ROOT: usize = usize::MAX;

pub fn read(file: &File) -> Reading<'_> {
    let mut reader = Reader { file, members: Vec::new(), places: Vec::new() };
    let model = reader.body(Container::Body(file.body()), ROOT);
    let Reader { members, places, .. } = reader;
    Reading { model, members, places }
}

struct Reader<'f> {
    file: &'f File,
    members: Vec<Known<'f>>,
    places: Vec<Place<'f>>,
}

/// The text of a token, without white space between its parts. Line ends count in the text of heredocs only.
fn text(token: Token<'_>) -> String {
    let (text, start) = (token.text(), token.span().start());
    if token.kind() == TokenKind::Newline {
        return "newline".to_owned();
    }
    let parts: String = token.parts().map(|part| &text[part.start() - start..part.end() - start]).collect();
    if token.kind() == TokenKind::Template { parts.replace("\r\n", "\n") } else { parts }
}

struct Collections<'f>(Vec<ExpressionNode<'f>>);

impl<'f> Visitor<'f> for Collections<'f> {
    fn visit_expression(&mut self, expression: ExpressionNode<'f>) -> Walk {
        match expression.kind() {
            ExpressionKind::Tuple(_) | ExpressionKind::Object(_) => {
                self.0.push(expression);
                Walk::Over
            }
            _ => Walk::Into,
        }
    }
}

impl<'f> Reader<'f> {
    fn note(&mut self, member: Item<'f>, kind: char, container: usize) -> usize {
        let id = member.span().start();
        self.members.push(Known { member, kind, id, container });
        id
    }

    fn body(&mut self, container: Container<'f>, id: usize) -> Model {
        self.places.push(Place { container, kind: 'b', id });
        let Container::Body(body) = container else { unreachable!("a body") };
        let items = body.items().collect::<Vec<_>>();
        let members = items.into_iter().map(|item| match item {
            BodyItem::Attribute(attribute) => {
                let own = self.note(attribute.into(), 'b', id);
                let value = self.expression(attribute.expression());
                Part { id: own, head: vec![attribute.name().to_owned()], value, body: None }
            }
            BodyItem::Block(block) => {
                let own = self.note(block.into(), 'b', id);
                let labels = block.labels().map(|label| format!("label {}", label.text()));
                let head = std::iter::once(block.block_type().to_owned()).chain(labels).collect();
                let open = block.body().open_brace_span().expect("a brace").start();
                let body = self.body(Container::Body(block.body()), open);
                Part { id: own, head, value: Vec::new(), body: Some(body) }
            }
            BodyItem::Error(error) => {
                let text = error.text().to_owned();
                Part { id: error.span().start(), head: vec![text], value: Vec::new(), body: None }
            }
            other => panic!("no test for {other:?}"),
        });
        Model { id, kind: 'b', members: members.collect() }
    }

    fn expression(&mut self, expression: ExpressionNode<'f>) -> Vec<Piece> {
        let mut collections = Collections(Vec::new());
        expression.walk(&mut collections);
        let mut inner = collections.0;
        inner.sort_by_key(|collection| collection.span());
        let mut inner = inner.into_iter().peekable();
        let end = expression.span().end();
        let mut pieces = Vec::new();
        let mut token = Some(self.file.tokens().at(expression.span().start()));
        while let Some(at) = token.filter(|token| token.span().start() < end) {
            match inner.next_if(|collection| collection.span().start() == at.span().start()) {
                Some(collection) => {
                    pieces.push(Piece::Collection(self.collection(collection)));
                    token = self.file.tokens().at(collection.span().end() - 1).next();
                }
                None => {
                    pieces.push(Piece::Token(text(at)));
                    token = at.next();
                }
            }
        }
        pieces
    }

    fn collection(&mut self, expression: ExpressionNode<'f>) -> Model {
        let id = expression.span().start();
        match expression.kind() {
            ExpressionKind::Tuple(tuple) => {
                self.places.push(Place { container: expression.into(), kind: 't', id });
                let elements: Vec<_> = tuple.elements().collect();
                let members = elements.into_iter().map(|element| {
                    let own = self.note(Item::Element(element), 't', id);
                    Part { id: own, head: Vec::new(), value: self.expression(element), body: None }
                });
                Model { id, kind: 't', members: members.collect() }
            }
            ExpressionKind::Object(object) => {
                self.places.push(Place { container: expression.into(), kind: 'o', id });
                let entries: Vec<_> = object.elements().collect();
                let members = entries.into_iter().map(|entry| {
                    let own = self.note(entry.into(), 'o', id);
                    let head = vec![match entry.key() {
                        ObjectKey::Name(name) => name.text().to_owned(),
                        ObjectKey::Expression(key) => key.text().to_owned(),
                        other => panic!("no test for {other:?}"),
                    }];
                    Part { id: own, head, value: self.expression(entry.value()), body: None }
                });
                Model { id, kind: 'o', members: members.collect() }
            }
            _ => unreachable!("a collection"),
        }
    }
}

impl Model {
    /// Calls a function for the container of a number; whether it is there.
    pub fn at(&mut self, id: usize, change: &mut dyn FnMut(&mut Model)) -> bool {
        if self.id == id {
            change(self);
            return true;
        }
        self.members.iter_mut().any(|member| {
            let inner = member.value.iter_mut().filter_map(|piece| match piece {
                Piece::Collection(inner) => Some(inner),
                Piece::Token(_) => None,
            });
            member.body.iter_mut().chain(inner).any(|inner| inner.at(id, change))
        })
    }

    /// Returns the index of a member.
    pub fn index(&self, id: usize) -> usize {
        self.members.iter().position(|member| member.id == id).expect("the member")
    }
}
