//! Trees in the encoding of the protocol. `None` where this library keeps a node that the encoding cannot express.

use hcl::expr::{
    Expression, ForExpr, Heredoc, ObjectKey, Operation, TemplateExpr, Traversal, TraversalOperator, UnaryOperator,
};
use hcl::structure::{BlockLabel, Body, Structure};
use hcl::template::{Directive, Element, Strip, Template};
use serde_json::{Value as Json, json};

pub fn body(body: &Body) -> Option<Json> {
    let items = body.iter().map(|item| match item {
        Structure::Attribute(attribute) => {
            Some(json!({"attr": attribute.key.as_str(), "expr": expression(&attribute.expr)?}))
        }
        Structure::Block(block) => {
            let labels = block.labels.iter().map(BlockLabel::as_str).collect::<Vec<_>>();
            Some(json!({"block": block.identifier.as_str(), "labels": labels, "body": self::body(&block.body)?}))
        }
    });
    Some(Json::Array(items.collect::<Option<_>>()?))
}

pub fn expression(node: &Expression) -> Option<Json> {
    Some(match node {
        Expression::Null => json!({"lit": {"null": "dynamic"}}),
        Expression::Bool(value) => json!({"lit": value}),
        Expression::Number(number) => match number.to_string().strip_prefix('-') {
            // The library folds the sign into the number; the tree of the protocol has an operation.
            Some(positive) => json!({"op": "-", "args": [{"lit": {"number": positive}}]}),
            None => json!({"lit": {"number": number.to_string()}}),
        },
        Expression::String(text) if text.is_empty() => json!({"template": []}),
        Expression::String(text) => json!({"template": [{"lit": text}]}),
        Expression::Array(elements) => json!({"tuple": list(elements)?}),
        Expression::Object(items) => {
            let items = items.iter().map(|(key, value)| {
                let key = match key {
                    ObjectKey::Identifier(name) => json!({"key": name.as_str()}),
                    ObjectKey::Expression(key) => expression(key)?,
                    _ => return None,
                };
                Some(json!([key, expression(value)?]))
            });
            json!({"object": items.collect::<Option<Vec<_>>>()?})
        }
        Expression::TemplateExpr(template) => quoted(template)?,
        Expression::Variable(name) => json!({"ref": [{"root": name.as_str()}]}),
        Expression::Traversal(traversal) => self::traversal(traversal)?,
        Expression::FuncCall(call) => {
            let namespace = call.name.namespace.iter().map(|name| format!("{name}::")).collect::<String>();
            let mut node = json!({"call": format!("{namespace}{}", call.name.name), "args": list(&call.args)?});
            if call.expand_final {
                node["expand"] = json!(true);
            }
            node
        }
        Expression::Parenthesis(inner) => json!({"paren": expression(inner)?}),
        Expression::Conditional(node) => {
            json!({"cond": [expression(&node.cond_expr)?, expression(&node.true_expr)?, expression(&node.false_expr)?]})
        }
        Expression::Operation(operation) => match &**operation {
            Operation::Unary(node) => {
                let operator = if node.operator == UnaryOperator::Not { "!" } else { "-" };
                json!({"op": operator, "args": [expression(&node.expr)?]})
            }
            Operation::Binary(node) => json!({
                "op": node.operator.as_str(),
                "args": [expression(&node.lhs_expr)?, expression(&node.rhs_expr)?],
            }),
        },
        Expression::ForExpr(node) => for_expr(node)?,
        _ => return None,
    })
}

fn list(nodes: &[Expression]) -> Option<Vec<Json>> {
    nodes.iter().map(expression).collect()
}

fn for_expr(node: &ForExpr) -> Option<Json> {
    let mut inner = json!({
        "value_var": node.value_var.as_str(), "in": expression(&node.collection_expr)?,
        "value": expression(&node.value_expr)?,
    });
    if let Some(name) = &node.key_var {
        inner["key_var"] = json!(name.as_str());
    }
    if let Some(key) = &node.key_expr {
        inner["key"] = expression(key)?;
    }
    if let Some(condition) = &node.cond_expr {
        inner["if"] = expression(condition)?;
    }
    if node.grouping {
        inner["group"] = json!(true);
    }
    Some(json!({"for": inner}))
}

fn traversal(node: &Traversal) -> Option<Json> {
    let mut tree = expression(&node.expr)?;
    let mut operators = node.operators.as_slice();
    while let Some((operator, rest)) = operators.split_first() {
        operators = rest;
        tree = match operator {
            TraversalOperator::AttrSplat | TraversalOperator::FullSplat => {
                let full = *operator == TraversalOperator::FullSplat;
                let belongs = |operator: &&TraversalOperator| match operator {
                    TraversalOperator::GetAttr(_) | TraversalOperator::LegacyIndex(_) => true,
                    TraversalOperator::Index(_) => full,
                    _ => false,
                };
                let count = rest.iter().take_while(belongs).count();
                let mut each = json!({"item": true});
                for operator in &rest[..count] {
                    each = step(each, operator)?;
                }
                operators = &rest[count..];
                json!({"splat": tree, "each": each})
            }
            operator => step(tree, operator)?,
        };
    }
    Some(tree)
}

/// Appends a step to a path if it is constant.
fn step(mut on: Json, operator: &TraversalOperator) -> Option<Json> {
    let constant = match operator {
        TraversalOperator::GetAttr(name) => json!({"attr": name.as_str()}),
        TraversalOperator::LegacyIndex(index) => json!({"index": {"number": index.to_string()}}),
        TraversalOperator::Index(Expression::Number(number)) if !number.to_string().starts_with('-') => {
            json!({"index": {"number": number.to_string()}})
        }
        TraversalOperator::Index(Expression::String(text)) => json!({"index": text}),
        TraversalOperator::Index(key) => return Some(json!({"on": on, "key": expression(key)?})),
        _ => return None,
    };
    for path in ["ref", "steps"] {
        if let Some(steps) = on.get_mut(path).and_then(Json::as_array_mut) {
            steps.push(constant);
            return Some(on);
        }
    }
    Some(json!({"on": on, "steps": [constant]}))
}

fn quoted(template: &TemplateExpr) -> Option<Json> {
    // The meaning is the evaluated text, so escapes and indentation come from the library.
    let (text, decoded) = match template {
        TemplateExpr::QuotedString(text) => (text.as_str(), true),
        TemplateExpr::Heredoc(Heredoc { template, .. }) => (template.as_str(), false),
    };
    let parts = parts(&text.parse::<Template>().ok()?, decoded)?;
    Some(match (parts.as_slice(), decoded) {
        ([part], true) if part.get("lit").is_none() && part.get("cond").is_none() && part.get("join").is_none() => {
            json!({"wrap": part})
        }
        _ => json!({"template": parts}),
    })
}

pub fn bare_template(template: &Template) -> Option<Json> {
    Some(match parts(template, false)?.as_slice() {
        [part] if is_interpolation(part) => json!({"wrap": part}),
        parts => json!({"template": parts}),
    })
}

fn is_interpolation(part: &Json) -> bool {
    part.get("lit").is_none() && part.get("cond").is_none() && part.get("join").is_none()
}

fn parts(template: &Template, decoded: bool) -> Option<Vec<Json>> {
    let elements = template.elements();
    let mut parts: Vec<Json> = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        match element {
            Element::Literal(text) => {
                let text = if decoded { unescape(text) } else { text.clone() };
                let before = index.checked_sub(1).is_some_and(|index| strips(&elements[index]).1);
                let after = elements.get(index + 1).is_some_and(|next| strips(next).0);
                let text = if before { text.trim_start() } else { &text };
                let text = if after { text.trim_end() } else { text };
                if !text.is_empty() {
                    parts.push(json!({"lit": text}));
                }
            }
            Element::Interpolation(node) => parts.push(expression(&node.expr)?),
            Element::Directive(directive) => parts.push(match &**directive {
                Directive::If(node) => {
                    let otherwise = match &node.false_template {
                        Some(template) => inner(template, node.else_strip, node.endif_strip, decoded)?,
                        None => Vec::new(),
                    };
                    let end = if node.false_template.is_some() { node.else_strip } else { node.endif_strip };
                    let then = inner(&node.true_template, node.if_strip, end, decoded)?;
                    json!({"cond": [expression(&node.cond_expr)?, {"template": then}, {"template": otherwise}]})
                }
                Directive::For(node) => {
                    let value = inner(&node.template, node.for_strip, node.endfor_strip, decoded)?;
                    let mut for_node = json!({
                        "value_var": node.value_var.as_str(), "in": expression(&node.collection_expr)?,
                        "value": {"template": value},
                    });
                    if let Some(name) = &node.key_var {
                        for_node["key_var"] = json!(name.as_str());
                    }
                    json!({"join": {"for": for_node}})
                }
            }),
            #[allow(unreachable_patterns)]
            _ => return None,
        }
    }
    Some(parts)
}

/// Returns the parts between two markers, which may strip adjacent white space.
fn inner(template: &Template, start: Strip, end: Strip, decoded: bool) -> Option<Vec<Json>> {
    let mut parts = parts(template, decoded)?;
    let trim = |part: Option<&mut Json>, trim: fn(&str) -> &str| {
        if let Some(Json::String(text)) = part.and_then(|part| part.get_mut("lit")) {
            *text = trim(text).to_owned();
        }
    };
    if matches!(start, Strip::End | Strip::Both) {
        trim(parts.first_mut(), str::trim_start);
    }
    if matches!(end, Strip::Start | Strip::Both) {
        trim(parts.last_mut(), str::trim_end);
    }
    parts.retain(|part| part.get("lit") != Some(&json!("")));
    Some(parts)
}

/// Returns true for each side, before and after, at which an element strips white space.
fn strips(element: &Element) -> (bool, bool) {
    let sides = |first: Strip, last: Strip| {
        (matches!(first, Strip::Start | Strip::Both), matches!(last, Strip::End | Strip::Both))
    };
    match element {
        Element::Interpolation(node) => sides(node.strip, node.strip),
        Element::Directive(directive) => match &**directive {
            Directive::If(node) => sides(node.if_strip, node.endif_strip),
            Directive::For(node) => sides(node.for_strip, node.endfor_strip),
        },
        _ => (false, false),
    }
}

/// The escape sequences of quoted templates, which the library keeps until it evaluates.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some(kind @ ('u' | 'U')) => {
                let digits: String = rest.by_ref().take(if kind == 'u' { 4 } else { 8 }).collect();
                out.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            other => out.extend(other),
        }
    }
    out
}
