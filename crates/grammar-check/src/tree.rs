//! Trees of sentences: those of the productions, and those with the rules as written.

use std::fmt::Write as _;

use crate::productions::{Alternative, Part, Productions, Shape};

/// The number of a tree.
pub type Tree = usize;

#[derive(Clone, Debug)]
enum Made {
    Terminal(usize),
    Node { production: usize, children: Vec<Tree> },
}

/// Trees that share their parts.
#[derive(Default)]
pub struct Trees(Vec<Made>);

impl Trees {
    pub fn terminal(&mut self, terminal: usize) -> Tree {
        self.0.push(Made::Terminal(terminal));
        self.0.len() - 1
    }

    pub fn node(&mut self, production: usize, children: Vec<Tree>) -> Tree {
        self.0.push(Made::Node { production, children });
        self.0.len() - 1
    }

    /// Returns a tree with the rules as written.
    pub fn written(&self, productions: &Productions<'_>, tree: Tree) -> Written {
        // Lists nest as deep as they are long, so nothing is recursive.
        let mut done: Vec<Written> = Vec::new();
        let mut waiting = vec![(tree, false)];
        while let Some((tree, has_children)) = waiting.pop() {
            match &self.0[tree] {
                Made::Terminal(terminal) => {
                    done.push(Written { terminals: vec![*terminal], alternative: None, children: Vec::new() });
                }
                Made::Node { production, children } if has_children => {
                    let children = done.split_off(done.len() - children.len());
                    done.push(shaped(&productions.all[*production].shape, &mut children.into_iter()));
                }
                Made::Node { children, .. } => {
                    waiting.push((tree, true));
                    waiting.extend(children.iter().rev().map(|&child| (child, false)));
                }
            }
        }
        done.pop().unwrap_or(Written { terminals: Vec::new(), alternative: None, children: Vec::new() })
    }
}

/// Puts the children of a production into its shape.
fn shaped(shape: &Shape, children: &mut impl Iterator<Item = Written>) -> Written {
    let mut parts = Vec::new();
    for part in &shape.parts {
        match part {
            Part::Symbol => parts.extend(children.next()),
            Part::Inlined(inner) => parts.push(shaped(inner, children)),
        }
    }
    let terminals = parts.iter().flat_map(|part| part.terminals.iter().copied()).collect();
    Written { terminals, alternative: Some(shape.alternative), children: parts }
}

/// A tree with the rules as written: a terminal, or an alternative with its children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The terminals of the whole tree.
    pub terminals: Vec<usize>,
    /// The alternative; `None` for a terminal.
    pub alternative: Option<Alternative>,
    pub children: Vec<Written>,
}

impl Written {
    /// Returns the smallest parts of two trees of one sentence that contain all differences. They are of one rule.
    pub fn difference<'t>(mut one: &'t Written, mut two: &'t Written) -> (&'t Written, &'t Written) {
        while one.alternative == two.alternative {
            let pairs = one.children.iter().zip(&two.children).filter(|(one, two)| one != two);
            let pairs: Vec<(&Written, &Written)> = pairs.collect();
            let is_same_part =
                |(one, two): &(&Written, &Written)| one.rule() == two.rule() && one.terminals == two.terminals;
            let Some(&first) = pairs.first().filter(|_| pairs.iter().all(is_same_part)) else { break };
            (one, two) = first;
        }
        (one, two)
    }

    /// Returns the smallest parts of two trees in which sentences part that begin with so many common terminals.
    pub fn parting<'t>(mut one: &'t Written, mut two: &'t Written, mut common: usize) -> (&'t Written, &'t Written) {
        while one.alternative == two.alternative {
            let (Some(first), Some(second)) = (one.child_at(common), two.child_at(common)) else { break };
            if first.0 != second.0
                || first.1 != second.1
                || one.children[first.0].rule() != two.children[second.0].rule()
            {
                break;
            }
            (one, two) = (&one.children[first.0], &two.children[first.0]);
            common -= first.1;
            if one.rule().is_none() {
                break;
            }
        }
        (one, two)
    }

    /// The child with a terminal, by its index, and the number of terminals before the child.
    fn child_at(&self, terminal: usize) -> Option<(usize, usize)> {
        let mut before = 0;
        for (index, child) in self.children.iter().enumerate() {
            if terminal < before + child.terminals.len() {
                return Some((index, before));
            }
            before += child.terminals.len();
        }
        None
    }

    /// The alternative by which the rule of the tree leads back to itself with nothing beside it, if it does.
    pub fn repeated(&self) -> Option<Alternative> {
        let mut tree = self;
        while let [only] = tree.children.as_slice()
            && only.alternative.is_some()
        {
            if only.rule() == self.rule() {
                return tree.alternative;
            }
            tree = only;
        }
        None
    }

    /// The alternative below rules that are nothing but another rule.
    pub fn innermost(&self) -> Option<Alternative> {
        let mut tree = self;
        while let [only] = tree.children.as_slice()
            && only.alternative.is_some()
        {
            tree = only;
        }
        tree.alternative
    }

    /// The rule that the tree is of.
    pub fn rule(&self) -> Option<usize> {
        self.alternative.map(|(rule, _)| rule)
    }

    /// Returns the tree as lines. A rule with a single part shares the line of the part.
    pub fn lines(&self, productions: &Productions<'_>) -> Vec<String> {
        let grammar = productions.grammar;
        let mut lines = Vec::new();
        let mut waiting = vec![(self, 0)];
        while let Some((mut tree, depth)) = waiting.pop() {
            let mut line = "  ".repeat(depth);
            loop {
                match tree.alternative {
                    None => {
                        let _ = write!(line, "\"{}\"", grammar.terminals[tree.terminals[0]].0);
                    }
                    Some((rule, _)) => line += &grammar.rules[rule].name,
                }
                let [only] = tree.children.as_slice() else { break };
                line.push(' ');
                tree = only;
            }
            if tree.children.is_empty() && tree.alternative.is_some() {
                line += " (empty)";
            }
            lines.push(line);
            waiting.extend(tree.children.iter().rev().map(|child| (child, depth + 1)));
        }
        lines
    }
}
