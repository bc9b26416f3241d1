//! Schemas as text.

use crate::definitions::Duplicates;
use crate::schema::model::{
    Attribute, AttributeRole, Block, BlockRole, Body, CatalogSource, Check, Defines, DefinitionKind, Deprecated, Files,
    Form, Label, Match, Nesting, ObjectType, Otherwise, Range, RuleKind, Schema, Type,
};
use hcl_lr::body::Expression;
use hcl_lr::construct::{BuildError, NewBlock, NewBody, NewExpression};
use hcl_lr::model::{Number, Value};
use hcl_lr::stack;

impl Schema {
    /// Writes the schema as a file, which [`parse`](hcl_lr::parse) reads as the same schema. The file includes
    /// everything from imported files and from an extended language.
    ///
    /// ```
    /// use hcl_lr_language::schema::{Attribute, Body, Schema, Type};
    ///
    /// let body = Body::new().with_attribute(Attribute::new("port", Type::INTEGER).required());
    /// let text = Schema::new("service").with_part("service", body).to_hcl()?;
    /// let expected = r#"language "service" {
    /// }
    ///
    /// part "service" {
    ///   attribute "port" {
    ///     type = required(integer)
    ///   }
    /// }
    /// "#;
    /// assert_eq!(text, expected);
    /// # Ok::<(), hcl_lr::construct::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If it has a name that cannot be written, or a value that is unknown or sensitive.
    pub fn to_hcl(&self) -> Result<String, BuildError> {
        let mut file = NewBody::new();
        file.add_block(NewBlock::new("language").label(&self.name).body(language(self)));
        if !self.types.is_empty() {
            let types = self.types.iter().fold(NewBody::new(), |body, (name, named)| body.attribute(name, ty(named)));
            file.add_block(NewBlock::new("types").body(types));
        }
        for source in &self.catalogs {
            file.add_block(NewBlock::new("catalog").label(&source.name).body(catalog(source)));
        }
        for part in &self.parts {
            let mut out = Out::new();
            out.text("description", part.description.as_ref());
            attributes(&part.body, &mut out);
            file.add_block(NewBlock::new("part").label(&part.name).body(blocks(&part.body, out)));
        }
        file.text()
    }
}

/// A body under construction, without settings at their default.
struct Out(NewBody);

impl Out {
    fn new() -> Self {
        Out(NewBody::new())
    }

    fn text(&mut self, name: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.0.add_attribute(name, text);
        }
    }

    fn texts(&mut self, name: &str, texts: &[String]) {
        if !texts.is_empty() {
            self.0.add_attribute(name, NewExpression::list(texts));
        }
    }

    fn flag(&mut self, name: &str, value: bool) {
        if value {
            self.0.add_attribute(name, true);
        }
    }

    fn word(&mut self, name: &str, word: Option<&str>) {
        if let Some(word) = word {
            self.0.add_attribute(name, NewExpression::variable(word));
        }
    }

    fn block(&mut self, block: NewBlock) {
        self.0.add_block(block);
    }
}

fn language(schema: &Schema) -> NewBody {
    let mut out = Out::new();
    out.text("title", schema.title.as_ref());
    out.text("description", schema.description.as_ref());
    out.text("docs", schema.docs.as_ref());
    out.texts("functions", &schema.functions.iter().map(|set| set.name().to_owned()).collect::<Vec<_>>());
    out.texts("later_functions", &schema.later_functions);
    out.texts("later", &schema.later);
    out.flag("checks_names", schema.checks_names);
    out.flag("protects_sensitive", schema.protects_sensitive);
    out.flag("protects_ephemeral", schema.protects_ephemeral);
    out.texts("application", &schema.application);
    out.flag("undefined_is_text", schema.undefined_is_text);
    out.texts("elsewhere", &schema.elsewhere);
    out.word("unknown_names", schema.ignores_unknown.then_some("warning"));
    out.flag("reads_hcl_1", schema.reads_hcl_1);
    out.text("environment", schema.environment.as_ref());
    if let Some(version) = &schema.version {
        // The path was parsed before, so it is an expression.
        out.0.add_attribute("version", NewExpression::parse(version).unwrap_or_else(|_| version.into()));
    }
    out.text("first_version", schema.first_version.as_ref());
    for kind in &schema.files {
        out.block(NewBlock::new("files").label(&kind.name).body(files(kind)));
    }
    out.0
}

fn files(files: &Files) -> NewBody {
    let mut out = Out::new();
    out.text("description", files.description.as_ref());
    out.texts("patterns", &files.patterns);
    out.texts("also", &files.also);
    out.texts("detect", &files.detect);
    out.texts("alone", &files.alone);
    out.texts("overrides", &files.overrides);
    out.flag("together", files.together);
    out.word("body", Some(&files.body));
    out.texts("given", &files.given);
    out.texts("folders", &files.folders);
    out.texts("results", &files.results);
    out.texts("result_keys", &files.result_keys);
    out.0
}

fn catalog(catalog: &CatalogSource) -> NewBody {
    let mut out = Out::new();
    out.text("description", catalog.description.as_ref());
    out.word("format", Some(&catalog.format));
    out.text("section", catalog.section.as_ref());
    out.0
}

fn body(body: &Body) -> NewBody {
    let mut out = Out::new();
    attributes(body, &mut out);
    blocks(body, out)
}

/// Writes the attributes of a body.
fn attributes(body: &Body, out: &mut Out) {
    if !body.includes.is_empty() {
        let parts = body.includes.iter().map(|include| NewExpression::variable(&include.part));
        out.0.add_attribute("include", NewExpression::list(parts));
    }
    out.flag("open", body.open);
    if let Some(dynamic) = body.dynamic {
        out.0.add_attribute("dynamic", dynamic);
    }
    for kind in RuleKind::ALL {
        let rules: Vec<_> = body.rules.iter().filter(|rule| rule.kind == kind).collect();
        match &rules[..] {
            [] => {}
            [rule] => out.texts(kind.name(), &rule.names),
            rules => {
                let lists = rules.iter().map(|rule| NewExpression::list(&rule.names));
                out.0.add_attribute(kind.name(), NewExpression::list(lists));
            }
        }
    }
}

/// Writes the blocks of a body.
fn blocks(body: &Body, mut out: Out) -> NewBody {
    for item in &body.attributes {
        out.block(NewBlock::new("attribute").label(&item.name).body(attribute(item)));
    }
    for item in &body.blocks {
        out.block(NewBlock::new("block").label(&item.name).body(stack::with_room(|| block(item))));
    }
    for item in &body.matches {
        out.block(NewBlock::new("match").label(&item.key).body(stack::with_room(|| matched(item))));
    }
    checks(&body.checks, &mut out);
    out.0
}

fn attribute(attribute: &Attribute) -> NewBody {
    let mut out = Out::new();
    let inner = ty(&attribute.ty);
    match (attribute.required, &attribute.default) {
        (true, _) => out.0.add_attribute("type", NewExpression::call("required", [inner])),
        (false, Some(default)) => {
            out.0.add_attribute("type", NewExpression::call("optional", [inner, default.clone().into()]));
        }
        (false, None) if attribute.ty == Type::Any => {}
        (false, None) => out.0.add_attribute("type", inner),
    }
    out.text("description", attribute.description.as_ref());
    out.text("docs", attribute.docs.as_ref());
    out.flag("sensitive", attribute.sensitive);
    out.flag("computed", attribute.computed);
    out.flag("read_only", attribute.read_only);
    out.flag("write_only", attribute.write_only);
    out.flag("exact", attribute.exact);
    if let Some(constant) = attribute.constant {
        out.0.add_attribute("constant", constant);
    }
    out.flag("defined", attribute.defined);
    out.texts("label_of", &attribute.label_of);
    out.word("role", attribute.role.map(attribute_role));
    out.word("assigns", attribute.assigns.as_deref());
    out.text("since", attribute.since.as_ref());
    out.text("until", attribute.until.as_ref());
    deprecated(attribute.deprecated.as_ref(), &mut out);
    defines(attribute.defines.as_ref(), &mut out);
    checks(&attribute.checks, &mut out);
    out.0
}

fn block(block: &Block) -> NewBody {
    let mut out = Out::new();
    let nesting = match block.nesting {
        Nesting::Single => Some("single"),
        Nesting::List => None,
        Nesting::Set => Some("set"),
        Nesting::Map => Some("map"),
    };
    out.word("nesting", nesting);
    match block.min {
        0 => {}
        1 => out.flag("required", true),
        min => out.0.add_attribute("min", min),
    }
    if let Some(max) = block.max.filter(|max| block.nesting != Nesting::Single || *max != 1) {
        out.0.add_attribute("max", max);
    }
    if block.unique != (block.nesting == Nesting::Map) {
        out.0.add_attribute("unique", block.unique);
    }
    out.flag("once", block.once);
    out.word("form", (block.form == Form::Either).then_some("either"));
    out.texts("names", &block.names);
    let role = block.role.map(|role| match role {
        BlockRole::Check => "check",
        BlockRole::Value => "value",
        BlockRole::Meta => "meta",
        BlockRole::Elsewhere => "elsewhere",
    });
    out.word("role", role);
    out.text("description", block.description.as_ref());
    out.text("docs", block.docs.as_ref());
    out.text("since", block.since.as_ref());
    out.text("until", block.until.as_ref());
    attributes(&block.body, &mut out);
    for item in &block.labels {
        out.block(NewBlock::new("label").label(&item.name).body(label(item)));
    }
    deprecated(block.deprecated.as_ref(), &mut out);
    defines(block.defines.as_ref(), &mut out);
    blocks(&block.body, out)
}

fn label(label: &Label) -> NewBody {
    let mut out = Out::new();
    let inner = ty(&label.ty);
    match (label.optional, label.repeated) {
        (_, true) => out.0.add_attribute("type", NewExpression::call("repeated", [inner])),
        (true, false) => out.0.add_attribute("type", NewExpression::call("optional", [inner])),
        (false, false) if label.ty == Type::String => {}
        (false, false) => out.0.add_attribute("type", inner),
    }
    out.text("description", label.description.as_ref());
    out.0
}

fn matched(matched: &Match) -> NewBody {
    let mut out = Out::new();
    if let Some(catalog) = &matched.catalog {
        out.0.add_attribute("from", NewExpression::call("catalog", [NewExpression::variable(catalog)]));
    }
    for case in &matched.cases {
        let block = case.values.iter().fold(NewBlock::new("case"), |block, value| block.label(value));
        out.block(block.body(body(&case.body)));
    }
    if let Otherwise::Body(otherwise) = &matched.otherwise {
        out.block(NewBlock::new("otherwise").body(body(otherwise)));
    }
    out.0
}

fn checks(checks: &[Check], out: &mut Out) {
    for check in checks {
        let block = NewBlock::new("check").attribute("condition", condition(&check.condition));
        out.block(block.attribute("message", &check.message));
    }
}

/// Returns the text of a condition. In JSON it is in a string.
fn condition(expression: &Expression) -> NewExpression {
    let in_string = expression.in_string();
    let native = expression.as_native().or_else(|| in_string.as_ref().and_then(Expression::as_native));
    let text = native.map_or("true", |node| node.text());
    // The text was parsed before, so it is an expression.
    NewExpression::parse(text).unwrap_or_else(|_| NewExpression::from(true))
}

fn deprecated(deprecated: Option<&Deprecated>, out: &mut Out) {
    let Some(deprecated) = deprecated else { return };
    let mut inner = Out::new();
    inner.text("use", deprecated.replacement.as_ref());
    inner.text("message", deprecated.message.as_ref());
    inner.text("since", deprecated.since.as_ref());
    out.block(NewBlock::new("deprecated").body(inner.0));
}

fn defines(defines: Option<&Defines>, out: &mut Out) {
    let Some(defines) = defines else { return };
    let mut inner = Out::new();
    let value = match defines.value {
        DefinitionKind::Object => None,
        DefinitionKind::Value => Some("value"),
        DefinitionKind::Input => Some("input"),
        DefinitionKind::Module => Some("module"),
        DefinitionKind::Later => Some("later"),
        DefinitionKind::Function => Some("function"),
    };
    inner.word("value", value);
    inner.text("address", defines.address.as_ref());
    inner.texts("aliases", &defines.aliases);
    inner.flag("open", defines.open);
    inner.flag("by_attribute", defines.by_attribute);
    inner.flag("whole", defines.whole);
    inner.flag("apart", defines.apart);
    inner.text("itself", defines.itself.as_ref());
    inner.texts("itself_in", &defines.itself_in);
    if let Some(otherwise) = &defines.otherwise {
        inner.0.add_attribute("otherwise", otherwise.clone());
    }
    inner.flag("constant", defines.constant);
    inner.texts("functions", &defines.functions);
    inner.flag("typed_by_default", defines.typed_by_default);
    inner.flag("nested", defines.nested);
    inner.flag("ephemeral", defines.ephemeral);
    inner.flag("stored", defines.stored);
    inner.texts("write_only", &defines.write_only);
    let duplicates = match defines.duplicates {
        Duplicates::Last => Some("last"),
        Duplicates::Merge => Some("merge"),
        _ => None,
    };
    inner.word("duplicates", duplicates);
    out.block(NewBlock::new("defines").label(&defines.kind).body(inner.0));
}

fn attribute_role(role: AttributeRole) -> &'static str {
    match role {
        AttributeRole::Value => "value",
        AttributeRole::Source => "source",
        AttributeRole::Count => "count",
        AttributeRole::ForEach => "for_each",
        AttributeRole::Enabled => "enabled",
        AttributeRole::Variables => "variables",
        AttributeRole::Variadic => "variadic",
        AttributeRole::Meta => "meta",
    }
}

/// Returns a type as an expression.
fn ty(written: &Type) -> NewExpression {
    let inner = |written: &Type| stack::with_room(|| ty(written));
    let call = |name: &str, all: &[Type]| NewExpression::call(name, all.iter().map(inner));
    let named = |name: &str, names: &[String]| NewExpression::call(name, names.iter().map(|name| bare(name)));
    match written {
        Type::Number(range) => ranged("number", range),
        Type::Integer(range) => ranged("integer", range),
        Type::Literal(value) => value.clone().into(),
        Type::List(element) => NewExpression::call("list", [inner(element)]),
        Type::Set(element) => NewExpression::call("set", [inner(element)]),
        Type::Map(element) => NewExpression::call("map", [inner(element)]),
        Type::Tuple(elements) => NewExpression::call("tuple", [NewExpression::list(elements.iter().map(inner))]),
        Type::Object(object) => NewExpression::call("object", [object_entries(object)]),
        Type::Part(name) => NewExpression::call("object", [NewExpression::variable(name)]),
        Type::OneOf(types) => call("one_of", types),
        Type::Keyword(words) => named("keyword", words),
        Type::Reference(kinds) => named("reference", kinds),
        Type::Address(kinds) => named("address", kinds),
        Type::Path => NewExpression::call("path", [NewExpression::variable("body")]),
        Type::Name(name) => {
            let mut arguments = vec![NewExpression::list(name.kinds.iter().map(|kind| bare(kind)))];
            let mut options: Vec<(&str, NewExpression)> = Vec::new();
            options.extend(name.prefix.as_ref().map(|prefix| ("prefix", prefix.into())));
            if !name.forms.is_empty() {
                options.push(("forms", NewExpression::list(&name.forms)));
            }
            options.extend(name.needed.then(|| ("needed", true.into())));
            options.extend(name.optional.then(|| ("optional", true.into())));
            if !options.is_empty() {
                arguments.push(NewExpression::object(options));
            }
            NewExpression::call("string_name", arguments)
        }
        Type::Catalog(name) => NewExpression::call("catalog", [NewExpression::variable(name)]),
        Type::TypedBy(name) => NewExpression::call("typed_by", [NewExpression::variable(name)]),
        Type::Any => NewExpression::variable("any"),
        Type::String => NewExpression::variable("string"),
        Type::Bool => NewExpression::variable("bool"),
        Type::TypeExpression => NewExpression::variable("type"),
        Type::Expression => NewExpression::variable("expression"),
        Type::Format(format) => NewExpression::variable(format.name()),
        Type::Named(name) => NewExpression::variable(name),
    }
}

/// Returns a bare word, which may be `true`, `false` or `null`.
fn bare(word: &str) -> NewExpression {
    match word {
        "true" | "false" => NewExpression::from(word == "true"),
        "null" => NewExpression::from(Value::null(hcl_lr::model::Type::Dynamic)),
        _ => NewExpression::variable(word),
    }
}

fn object_entries(object: &ObjectType) -> NewExpression {
    let entries = object.attributes.iter().map(|attribute| {
        let inner = stack::with_room(|| ty(&attribute.ty));
        let outer = match (attribute.optional, &attribute.default) {
            (false, _) => inner,
            (true, None) => NewExpression::call("optional", [inner]),
            (true, Some(default)) => NewExpression::call("optional", [inner, default.clone().into()]),
        };
        (attribute.name.clone(), outer)
    });
    let others = object.others.as_ref().map(|other| ("*".to_owned(), stack::with_room(|| ty(other))));
    NewExpression::object(entries.chain(others))
}

fn ranged(name: &str, range: &Range) -> NewExpression {
    let limit = |limit: &Option<Number>| match limit {
        Some(number) => NewExpression::from(Value::from(number.clone())),
        None => NewExpression::from(Value::null(hcl_lr::model::Type::Dynamic)),
    };
    match (range.is_all(), &range.max) {
        (true, _) => NewExpression::variable(name),
        (false, None) => NewExpression::call(name, [limit(&range.min)]),
        (false, Some(_)) => NewExpression::call(name, [limit(&range.min), limit(&range.max)]),
    }
}
