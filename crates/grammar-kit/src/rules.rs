//! The productions of `--ebnf` in a form that can be walked. The generator of sentences and the deriver of sources
//! share these rules.

use std::collections::HashMap;

use crate::ebnf;
use crate::notation::{Notation, productions};
use hcl_lr_grammar_check::Grammar;

/// The productions of the lexer that have productions of the grammars within them.
const TEMPLATES: [&str; 2] = ["quotedTemplate", "heredocTemplate"];

/// A part of a production. The numbers are those of other nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A production, by its number.
    Production(usize),
    /// A token that the lexer defines, such as `Identifier`.
    Token(String),
    /// A text in quotes.
    Text(String),
    /// One after the other.
    Sequence(Vec<usize>),
    /// Alternatives.
    Choice(Vec<usize>),
    /// Zero or one time.
    Optional(usize),
    /// Any number of times.
    Repeat(usize),
    /// Once or more.
    OnceOrMore(usize),
}

/// All productions.
#[derive(Clone, Debug)]
pub struct Rules {
    pub nodes: Vec<Node>,
    /// The name of each production, and its node.
    pub productions: Vec<(String, usize)>,
}

impl Rules {
    /// The productions of the grammars, of templates in quotes and heredocs, and of the JSON syntax.
    pub fn of(grammars: &[Grammar]) -> Rules {
        let mut all: Vec<(String, Notation)> = grammars
            .iter()
            .flat_map(ebnf::definitions)
            .map(|definition| (definition.production.name, definition.production.is))
            .collect();
        let readable = |(name, is): (String, String)| Some((name, Notation::read(&is).ok()?));
        all.extend(
            productions(ebnf::LEXER)
                .into_iter()
                .filter(|(name, _)| TEMPLATES.contains(&name.as_str()))
                .filter_map(readable),
        );
        // Strings and numbers are described in prose, so they are tokens.
        all.extend(
            productions(ebnf::JSON)
                .into_iter()
                .filter(|(_, is)| !is.contains("..") && !is.contains("characters"))
                .filter_map(readable),
        );
        let numbers: HashMap<String, usize> =
            all.iter().enumerate().map(|(number, (name, _))| (name.clone(), number)).collect();
        let mut rules = Rules { nodes: Vec::new(), productions: Vec::new() };
        for (name, is) in all {
            let mut node = rules.add(&is, &numbers);
            // A production is a node of its own, even if it is a single token or a repetition.
            if !matches!(rules.nodes[node], Node::Sequence(_) | Node::Choice(_) | Node::Production(_)) {
                rules.nodes.push(Node::Sequence(vec![node]));
                node += 1;
            }
            rules.productions.push((name, node));
        }
        rules
    }

    /// Adds the nodes of a notation, which nests no deeper than its text.
    fn add(&mut self, is: &Notation, numbers: &HashMap<String, usize>) -> usize {
        let node = match is {
            Notation::Name(name) => match numbers.get(name) {
                Some(&number) => Node::Production(number),
                None => Node::Token(name.clone()),
            },
            Notation::Text(text) => Node::Text(text.clone()),
            Notation::Sequence(parts) => Node::Sequence(parts.iter().map(|part| self.add(part, numbers)).collect()),
            Notation::Choice(parts) => Node::Choice(parts.iter().map(|part| self.add(part, numbers)).collect()),
            Notation::Optional(part) => Node::Optional(self.add(part, numbers)),
            Notation::Repeat(part) => Node::Repeat(self.add(part, numbers)),
            Notation::Some(part) => Node::OnceOrMore(self.add(part, numbers)),
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The number of a production.
    pub fn production(&self, name: &str) -> Option<usize> {
        self.productions.iter().position(|(other, _)| other == name)
    }

    /// Returns the children of a node.
    pub fn parts(&self, node: usize) -> &[usize] {
        match &self.nodes[node] {
            Node::Production(number) => std::slice::from_ref(&self.productions[*number].1),
            Node::Token(_) | Node::Text(_) => &[],
            Node::Sequence(parts) | Node::Choice(parts) => parts,
            Node::Optional(part) | Node::Repeat(part) | Node::OnceOrMore(part) => std::slice::from_ref(part),
        }
    }

    /// The number of tokens in the shortest sentence of each node.
    pub fn shortest(&self) -> Vec<usize> {
        let unknown = usize::MAX / 2;
        let mut lengths = vec![unknown; self.nodes.len()];
        loop {
            let mut changed = false;
            for node in 0..self.nodes.len() {
                let parts = self.parts(node).iter().map(|&part| lengths[part]);
                let length = match &self.nodes[node] {
                    Node::Token(_) | Node::Text(_) => 1,
                    Node::Optional(_) | Node::Repeat(_) => 0,
                    Node::Choice(_) => parts.min().unwrap_or(0),
                    Node::Production(_) | Node::OnceOrMore(_) | Node::Sequence(_) => {
                        parts.fold(0, |sum, length| unknown.min(sum + length))
                    }
                };
                changed |= length < lengths[node];
                lengths[node] = lengths[node].min(length);
            }
            if !changed {
                return lengths;
            }
        }
    }
}
