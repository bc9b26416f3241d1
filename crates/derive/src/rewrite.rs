//! From the attributes of this macro to those of serde.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Field, Fields, LitStr, Path, Result, Type, parse_quote};

/// Returns the item with serde's attributes. Errors are compiler errors at their place.
pub fn rewrite(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let result = library(arguments).and_then(|library| rewrite_item(&mut input, &library));
    let mut tokens = TokenStream::new();
    if let Err(error) = result {
        error.into_compile_error().to_tokens(&mut tokens);
        // Without the attributes, only errors that follow from the first would remain.
        remove_attributes(&mut input);
    }
    input.to_tokens(&mut tokens);
    tokens
}

/// The path of the library: `crate = "…"`, or `hcl_lr`.
fn library(arguments: TokenStream) -> Result<String> {
    let mut library = "hcl_lr".to_owned();
    let parser = syn::meta::parser(|meta| {
        if !meta.path.is_ident("crate") {
            return Err(meta.error("only `crate = \"…\"` is known here, the path of hcl_lr"));
        }
        let path: LitStr = meta.value()?.parse()?;
        path.parse::<Path>()?;
        library = path.value();
        Ok(())
    });
    parser.parse2(arguments)?;
    Ok(library)
}

fn rewrite_item(input: &mut DeriveInput, library: &str) -> Result<()> {
    let mut errors = Errors::default();
    let parameters: Vec<Ident> = input.generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    match &mut input.data {
        Data::Struct(data) => rewrite_fields(&mut data.fields, &parameters, library, &mut errors),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                errors.catch(refuse_on(&variant.attrs, "a variant"));
                rewrite_fields(&mut variant.fields, &parameters, library, &mut errors);
            }
        }
        Data::Union(data) => errors.add(Error::new(data.union_token.span(), "serde knows no unions")),
    }
    errors.catch(refuse_on(&input.attrs, "an item"));
    errors.finish()
}

/// All that is wrong, not just the first.
#[derive(Default)]
struct Errors(Option<Error>);

impl Errors {
    fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn catch(&mut self, result: Result<()>) {
        if let Err(error) = result {
            self.add(error);
        }
    }

    fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

fn refuse_on(attributes: &[Attribute], what: &str) -> Result<()> {
    match attributes.iter().find(|attribute| attribute.path().is_ident("hcl")) {
        Some(attribute) => {
            Err(Error::new(attribute.span(), format!("`hcl(…)` belongs on a field here, and not on {what}")))
        }
        None => Ok(()),
    }
}

fn rewrite_fields(fields: &mut Fields, parameters: &[Ident], library: &str, errors: &mut Errors) {
    let mut labels: Option<Span> = None;
    for field in fields.iter_mut() {
        let Some((role, span)) = errors_of(role_of(field), errors) else { continue };
        if field.ident.is_none() {
            errors.add(Error::new(span, "only a field with a name can be a block or a label"));
            continue;
        }
        if matches!(role, Role::Label | Role::Labels)
            && let Some(first) = labels.replace(span)
        {
            let mut error =
                Error::new(span, "another field has the labels already: one field `#[hcl(labels)]` has them all");
            error.combine(Error::new(first, "this one"));
            errors.add(error);
        }
        let found = serde_attribute(field, role, library);
        field.attrs.push(found);
        if role == Role::Block {
            field.attrs.extend(bound(&field.ty, parameters, library));
        }
        if role != Role::Label && may_be_missing(&field.ty) && !has_default(&field.attrs) {
            field.attrs.push(parse_quote!(#[serde(default)]));
        }
    }
}

/// Returns the result, or adds the error to the list and returns `None`.
fn errors_of<T>(result: Result<Option<T>>, errors: &mut Errors) -> Option<T> {
    result.unwrap_or_else(|error| {
        errors.add(error);
        None
    })
}

/// The role of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A block, or several.
    Block,
    /// The only label.
    Label,
    /// All labels.
    Labels,
    /// The blocks that no other field has.
    Blocks,
}

/// Returns the role in the attributes of a field, and removes them.
fn role_of(field: &mut Field) -> Result<Option<(Role, Span)>> {
    let mut found = None;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("hcl")) {
        attribute.parse_nested_meta(|meta| {
            let role = role_named(&meta)?;
            match found.replace((role, meta.path.span())) {
                Some(_) => Err(meta.error("a field is either a block or a label")),
                None => Ok(()),
            }
        })?;
        if found.is_none() {
            return Err(Error::new(attribute.span(), "one of `block`, `blocks`, `label` and `labels` is missing"));
        }
    }
    field.attrs.retain(|attribute| !attribute.path().is_ident("hcl"));
    Ok(found)
}

fn role_named(meta: &ParseNestedMeta<'_>) -> Result<Role> {
    let roles = [("block", Role::Block), ("label", Role::Label), ("labels", Role::Labels), ("blocks", Role::Blocks)];
    match roles.into_iter().find(|(name, _)| meta.path.is_ident(name)) {
        Some((_, role)) => Ok(role),
        None => Err(meta.error("a field can be `block`, `blocks`, `label` or `labels`")),
    }
}

fn serde_attribute(field: &Field, role: Role, library: &str) -> Attribute {
    let module = |name: &str| LitStr::new(&format!("{library}::typed::{name}"), field.ty.span());
    match role {
        Role::Block if is_map(&field.ty) => {
            let module = module("blocks_by_label");
            parse_quote!(#[serde(with = #module)])
        }
        Role::Block if is_list(&field.ty) => {
            let module = module("blocks");
            parse_quote!(#[serde(with = #module)])
        }
        Role::Block => {
            let module = module("block");
            parse_quote!(#[serde(with = #module)])
        }
        Role::Label => parse_quote!(#[serde(rename = "$label")]),
        Role::Labels => parse_quote!(#[serde(rename = "$labels")]),
        Role::Blocks => parse_quote!(#[serde(rename = "$blocks")]),
    }
}

/// Returns the bounds on parameters in the type of a field, because serde derives none for a field with a module.
fn bound(ty: &Type, parameters: &[Ident], library: &str) -> Option<Attribute> {
    let used: Vec<&Ident> = parameters.iter().filter(|parameter| mentions(ty.to_token_stream(), parameter)).collect();
    let bounds = |bound: &str| -> String {
        let each = used.iter().map(|parameter| format!("{parameter}: {library}::typed::bound::{bound}"));
        each.collect::<Vec<_>>().join(", ")
    };
    let (serialize, deserialize) = (bounds("Serialize"), bounds("Deserialize<'de>"));
    (!used.is_empty()).then(|| parse_quote!(#[serde(bound(serialize = #serialize, deserialize = #deserialize))]))
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The last name of the path that a type is: `Option` of `std::option::Option<T>`.
fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        Type::Group(group) => type_name(&group.elem),
        Type::Paren(paren) => type_name(&paren.elem),
        _ => None,
    }
}

/// Macros see only names, so every type called `…Map` counts.
fn is_map(ty: &Type) -> bool {
    type_name(ty).is_some_and(|name| name.ends_with("Map"))
}

fn is_list(ty: &Type) -> bool {
    type_name(ty).is_some_and(|name| matches!(&*name, "Vec" | "VecDeque"))
}

/// Returns true if a field of the type can be left out, because zero blocks are allowed.
fn may_be_missing(ty: &Type) -> bool {
    is_map(ty) || is_list(ty) || type_name(ty).is_some_and(|name| matches!(&*name, "Option" | "Labels"))
}

fn has_default(attributes: &[Attribute]) -> bool {
    let serde = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    serde.into_iter().any(|attribute| {
        let mut found = false;
        // Ignore the result: serde reports attributes that it does not understand.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("default");
            if meta.input.peek(syn::Token![=]) {
                meta.value()?.parse::<syn::Expr>()?;
            } else if meta.input.peek(syn::token::Paren) {
                meta.parse_nested_meta(|inner| inner.value().and_then(|value| value.parse::<LitStr>()).map(drop))?;
            }
            Ok(())
        });
        found
    })
}

fn remove_attributes(input: &mut DeriveInput) {
    let fields: Box<dyn Iterator<Item = &mut Field>> = match &mut input.data {
        Data::Struct(data) => Box::new(data.fields.iter_mut()),
        Data::Enum(data) => Box::new(data.variants.iter_mut().flat_map(|variant| {
            variant.attrs.retain(|attribute| !attribute.path().is_ident("hcl"));
            variant.fields.iter_mut()
        })),
        Data::Union(data) => Box::new(data.fields.named.iter_mut()),
    };
    for field in fields {
        field.attrs.retain(|attribute| !attribute.path().is_ident("hcl"));
    }
    input.attrs.retain(|attribute| !attribute.path().is_ident("hcl"));
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    /// The same item, whatever blanks are between its tokens.
    #[track_caller]
    fn becomes(arguments: TokenStream, item: TokenStream, expected: TokenStream) {
        let without_blanks = |tokens: TokenStream| tokens.to_string().replace(' ', "");
        assert_eq!(without_blanks(rewrite(arguments, item)), without_blanks(expected));
    }

    #[track_caller]
    fn fails(arguments: TokenStream, item: TokenStream, messages: &[&str]) {
        let text = rewrite(arguments, item).to_string();
        let found: Vec<&str> =
            text.split("compile_error ! { \"").skip(1).filter_map(|rest| rest.split("\" }").next()).collect();
        assert_eq!(found, messages, "{text}");
        assert!(!text.contains("# [hcl"), "{text}");
    }

    #[test]
    fn roles_become_attributes_of_serde() {
        becomes(
            quote!(),
            quote! {
                #[derive(Serialize)]
                pub struct Service {
                    #[hcl(label)]
                    name: String,
                    /// Documented.
                    #[serde(rename = "listen")]
                    #[hcl(block)]
                    listener: Vec<Listener>,
                    #[hcl(block)]
                    log: Log,
                    #[hcl(block)]
                    route: std::collections::BTreeMap<String, Route>,
                    port: u16,
                }
            },
            quote! {
                #[derive(Serialize)]
                pub struct Service {
                    #[serde(rename = "$label")]
                    name: String,
                    /// Documented.
                    #[serde(rename = "listen")]
                    #[serde(with = "hcl_lr::typed::blocks")]
                    #[serde(default)]
                    listener: Vec<Listener>,
                    #[serde(with = "hcl_lr::typed::block")]
                    log: Log,
                    #[serde(with = "hcl_lr::typed::blocks_by_label")]
                    #[serde(default)]
                    route: std::collections::BTreeMap<String, Route>,
                    port: u16,
                }
            },
        );
    }

    #[test]
    fn variants_have_fields_too() {
        becomes(
            quote!(crate = "renamed::hcl"),
            quote! { enum Step { Run { #[hcl(labels)] names: [String; 2], #[serde(default = "none", rename(serialize = "x"))] #[hcl(block)] env: Option<Env> }, Idle } },
            quote! { enum Step { Run { #[serde(rename = "$labels")] names: [String; 2], #[serde(default = "none", rename(serialize = "x"))] #[serde(with = "renamed::hcl::typed::block")] env: Option<Env> }, Idle } },
        );
        becomes(
            quote!(),
            quote! { struct Config { #[hcl(blocks)] steps: Vec<Step> } },
            quote! { struct Config { #[serde(rename = "$blocks")] #[serde(default)] steps: Vec<Step> } },
        );
    }

    #[test]
    fn parameters_are_bounded() {
        becomes(
            quote!(),
            quote! { struct Config<T, U> { #[hcl(block)] service: Option<Box<T>>, other: U } },
            quote! {
                struct Config<T, U> {
                    #[serde(with = "hcl_lr::typed::block")]
                    #[serde(bound(
                        serialize = "T: hcl_lr::typed::bound::Serialize",
                        deserialize = "T: hcl_lr::typed::bound::Deserialize<'de>"
                    ))]
                    #[serde(default)]
                    service: Option<Box<T>>,
                    other: U
                }
            },
        );
    }

    #[test]
    fn mistakes_are_errors() {
        let none = TokenStream::new;
        fails(
            none(),
            quote!(
                struct A {
                    #[hcl(blok)]
                    a: B,
                }
            ),
            &["a field can be `block`, `blocks`, `label` or `labels`"],
        );
        fails(
            none(),
            quote!(
                struct A {
                    #[hcl(block, label)]
                    a: B,
                }
            ),
            &["a field is either a block or a label"],
        );
        fails(
            none(),
            quote!(
                struct A {
                    #[hcl()]
                    a: B,
                }
            ),
            &["one of `block`, `blocks`, `label` and `labels` is missing"],
        );
        fails(
            none(),
            quote!(
                struct A(#[hcl(label)] String);
            ),
            &["only a field with a name can be a block or a label"],
        );
        fails(
            none(),
            quote!(
                struct A {
                    #[hcl(label)]
                    a: String,
                    #[hcl(label)]
                    b: String,
                    #[hcl(what)]
                    c: C,
                }
            ),
            &[
                "another field has the labels already: one field `#[hcl(labels)]` has them all",
                "this one",
                "a field can be `block`, `blocks`, `label` or `labels`",
            ],
        );
        fails(
            none(),
            quote!(
                #[hcl(block)]
                struct A;
            ),
            &["`hcl(…)` belongs on a field here, and not on an item"],
        );
        fails(
            none(),
            quote!(
                enum A {
                    #[hcl(block)]
                    B(C),
                }
            ),
            &["`hcl(…)` belongs on a field here, and not on a variant"],
        );
        fails(none(), quote!(union A { a: B }), &["serde knows no unions"]);
        fails(
            quote!(what = 1),
            quote!(
                struct A;
            ),
            &["only `crate = \\\"…\\\"` is known here, the path of hcl_lr"],
        );
    }
}
