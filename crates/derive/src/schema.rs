//! Converts structures and enumerations to descriptions for schemas.
//!
//! Everything that serde does with an item is read from serde's attributes. By then, `#[hcl(…)]` has been rewritten to
//! them.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprLit, Field, Fields, Lit, LitStr, Meta, Result, Type, Variant,
    parse_quote,
};

/// Returns the implementation of `HclSchema`. Errors are compiler errors at their place.
pub fn derive(item: TokenStream) -> TokenStream {
    syn::parse2(item).and_then(|input| implement(&input)).unwrap_or_else(Error::into_compile_error)
}

/// The serde attributes of an item, a variant or a field.
#[derive(Default)]
struct Serde {
    rename: Option<String>,
    rename_all: Option<String>,
    rename_all_fields: Option<String>,
    default: bool,
    skip: bool,
    flatten: bool,
    transparent: bool,
    untagged: bool,
    tag: Option<String>,
    content: bool,
    with: Option<String>,
    /// The type is read as another one.
    from: Option<Type>,
}

impl Serde {
    fn of(attributes: &[Attribute]) -> Result<Serde> {
        let mut found = Serde::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| found.add(&meta))?;
        }
        Ok(found)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let text = |meta: &ParseNestedMeta<'_>| meta.value()?.parse::<LitStr>().map(|text| text.value());
        let name = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
        match &*name {
            "rename" | "rename_all" | "rename_all_fields" => {
                let mut value = None;
                if meta.input.peek(syn::token::Paren) {
                    meta.parse_nested_meta(|inner| {
                        let text = text(&inner)?;
                        if inner.path.is_ident("deserialize") {
                            value = Some(text);
                        }
                        Ok(())
                    })?;
                } else {
                    value = Some(text(meta)?);
                }
                match &*name {
                    "rename" => self.rename = value.or(self.rename.take()),
                    "rename_all" => self.rename_all = value.or(self.rename_all.take()),
                    _ => self.rename_all_fields = value.or(self.rename_all_fields.take()),
                }
            }
            "default" => {
                self.default = true;
                rest(meta)?;
            }
            "skip" | "skip_deserializing" => self.skip = true,
            "flatten" => self.flatten = true,
            "transparent" => self.transparent = true,
            "untagged" => self.untagged = true,
            "tag" => self.tag = Some(text(meta)?),
            "content" => {
                self.content = true;
                rest(meta)?;
            }
            "with" | "deserialize_with" => self.with = Some(text(meta)?),
            "from" | "try_from" => self.from = Some(meta.value()?.parse::<LitStr>()?.parse()?),
            _ => rest(meta)?,
        }
        Ok(())
    }
}

/// Skips the rest of an attribute that does not matter here.
fn rest(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let inner;
        syn::parenthesized!(inner in meta.input);
        inner.parse::<TokenStream>()?;
    }
    Ok(())
}

fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let serde = Serde::of(&input.attrs)?;
    let body = match (&input.data, &serde.from) {
        (_, Some(other)) => described(other),
        (Data::Struct(data), None) => structure(input, &serde, &data.fields)?,
        (Data::Enum(data), None) => enumeration(input, &serde, &data.variants.iter().collect::<Vec<_>>())?,
        (Data::Union(data), None) => return Err(Error::new(data.union_token.span(), "serde knows no unions")),
    };
    let mut generics = input.generics.clone();
    let parameters: Vec<Ident> = generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    let clause = generics.make_where_clause();
    for parameter in parameters {
        clause.predicates.push(parse_quote!(#parameter: ::hcl_lr_language::schema::HclSchema));
    }
    let name = &input.ident;
    let (implemented, arguments, clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #implemented ::hcl_lr_language::schema::HclSchema for #name #arguments #clause {
            fn describe(describer: &mut ::hcl_lr_language::schema::Describer) -> ::hcl_lr_language::schema::Described {
                #body
            }
        }
    })
}

/// The description of another type.
fn described(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> <#ty as ::hcl_lr_language::schema::HclSchema>::describe(describer))
}

fn any() -> TokenStream {
    quote!(::hcl_lr_language::schema::Described::Value(::hcl_lr_language::schema::Type::Any))
}

fn structure(input: &DeriveInput, serde: &Serde, fields: &Fields) -> Result<TokenStream> {
    match fields {
        Fields::Unit => Ok(any()),
        Fields::Unnamed(fields) => {
            let types: Vec<&Type> = fields.unnamed.iter().map(|field| &field.ty).collect();
            Ok(match types[..] {
                [only] => described(only),
                _ => described(&parse_quote!((#(#types,)*))),
            })
        }
        Fields::Named(fields) if serde.transparent => match fields.named.first() {
            Some(only) => Ok(described(&only.ty)),
            None => Ok(any()),
        },
        Fields::Named(fields) => {
            let fields: Vec<&Field> = fields.named.iter().collect();
            let name = snake(&input.ident.to_string());
            let labels = labels(&fields, serde.rename_all.as_deref())?;
            let filled = fill(&fields, serde.rename_all.as_deref(), serde.default)?;
            let description = optional(description(&input.attrs));
            Ok(quote! {
                describer.body::<Self>(#name, #description, ::std::vec![#(#labels),*], |body| { #filled })
            })
        }
    }
}

/// The labels that fields have.
fn labels(fields: &[&Field], rename_all: Option<&str>) -> Result<Vec<TokenStream>> {
    let mut found = Vec::new();
    for field in fields {
        let serde = Serde::of(&field.attrs)?;
        let name = name_of(field, &serde, rename_all);
        let text = |name: &str, repeated: bool, description: Option<String>| {
            let repeated = repeated.then(|| quote!(.repeated()));
            let description = description.map(|text| quote!(.with_description(#text)));
            quote!(::hcl_lr_language::schema::Label::new(#name, ::hcl_lr_language::schema::Type::String) #repeated #description)
        };
        let own = field.ident.as_ref().map(bare).unwrap_or_default();
        match (&*name, &field.ty) {
            ("$label", _) => found.push(text(&own, false, description(&field.attrs))),
            ("$labels", Type::Tuple(tuple)) => {
                for at in 1..=tuple.elems.len() {
                    found.push(text(&format!("label{at}"), false, None));
                }
            }
            ("$labels", _) => found.push(text(&own, true, description(&field.attrs))),
            (_, ty) if is_named(ty, "Labels") => found.push(text(&own, true, description(&field.attrs))),
            _ => {}
        }
    }
    Ok(found)
}

/// Statements that add fields to `body`.
fn fill(fields: &[&Field], rename_all: Option<&str>, default: bool) -> Result<TokenStream> {
    let mut statements = TokenStream::new();
    for field in fields {
        let serde = Serde::of(&field.attrs)?;
        let name = name_of(field, &serde, rename_all);
        if serde.skip || name == "$label" || name == "$labels" || is_named(&field.ty, "Labels") {
            continue;
        }
        let ty = &field.ty;
        if serde.flatten {
            statements.extend(quote_spanned!(ty.span()=> body.flatten::<#ty>();));
            continue;
        }
        let block = serde.with.as_deref().map(|with| with.rsplit("::").next().unwrap_or(with).to_owned());
        let is_block = matches!(block.as_deref(), Some("block" | "blocks" | "blocks_by_label"));
        let mut options = quote!(::hcl_lr_language::schema::FieldOptions::new());
        if is_block {
            options.extend(quote!(.with_block()));
        }
        if default || serde.default {
            options.extend(quote!(.with_default()));
        }
        if let Some(text) = description(&field.attrs) {
            options.extend(quote!(.with_description(#text)));
        }
        // A function that reads the field may read anything.
        let other = serde.with.is_some() && !is_block;
        let any: Type = parse_quote!(::hcl_lr::Value);
        let ty = if other || name == "$blocks" { &any } else { ty };
        match name.as_str() {
            "$blocks" => statements.extend(quote!(body.flatten::<#ty>();)),
            name => statements.extend(quote_spanned!(ty.span()=> body.field::<#ty>(#name, #options);)),
        }
    }
    Ok(statements)
}

fn enumeration(input: &DeriveInput, serde: &Serde, variants: &[&Variant]) -> Result<TokenStream> {
    let mut names = Vec::new();
    let mut read: Vec<&Variant> = Vec::new();
    for variant in variants {
        let own = Serde::of(&variant.attrs)?;
        if own.skip {
            continue;
        }
        let rename = || rename_variant(&bare(&variant.ident), serde.rename_all.as_deref());
        names.push(own.rename.unwrap_or_else(rename));
        read.push(variant);
    }
    if serde.untagged {
        return untagged(&read);
    }
    if let (Some(tag), false) = (&serde.tag, serde.content) {
        return tagged(input, serde, tag, &names, &read);
    }
    Ok(match read.iter().all(|variant| matches!(variant.fields, Fields::Unit)) && !read.is_empty() {
        true => {
            quote!(::hcl_lr_language::schema::Described::Value(::hcl_lr_language::schema::Type::words([#(#names),*])))
        }
        false => any(),
    })
}

/// Describes one of several types. Variants with their own fields can be any value.
fn untagged(variants: &[&Variant]) -> Result<TokenStream> {
    let mut types: Vec<TokenStream> = Vec::new();
    for variant in variants {
        match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let inner = described(&fields.unnamed[0].ty);
                types.push(quote!(#inner.ty()));
            }
            _ => return Ok(any()),
        }
    }
    Ok(quote!(::hcl_lr_language::schema::Described::Value(::hcl_lr_language::schema::Type::one_of([#(#types),*]))))
}

/// Contents that depend on an attribute.
fn tagged(
    input: &DeriveInput,
    serde: &Serde,
    tag: &str,
    names: &[String],
    variants: &[&Variant],
) -> Result<TokenStream> {
    let mut arms = TokenStream::new();
    for (at, variant) in variants.iter().enumerate() {
        let own = Serde::of(&variant.attrs)?;
        let rename = own.rename_all.as_deref().or(serde.rename_all_fields.as_deref());
        let filled = match &variant.fields {
            Fields::Unit => quote!(),
            Fields::Named(fields) => fill(&fields.named.iter().collect::<Vec<_>>(), rename, false)?,
            Fields::Unnamed(fields) => {
                let types = fields.unnamed.iter().map(|field| &field.ty);
                quote!(#(body.flatten::<#types>();)*)
            }
        };
        arms.extend(quote!(#at => { #filled }));
    }
    let name = snake(&input.ident.to_string());
    let description = optional(description(&input.attrs));
    Ok(quote! {
        describer.body::<Self>(#name, #description, ::std::vec![], |body| {
            body.tagged(#tag, &[#(#names),*], |case, body| match case {
                #arms
                _ => {}
            });
        })
    })
}

fn name_of(field: &Field, serde: &Serde, rename_all: Option<&str>) -> String {
    let own = field.ident.as_ref().map(bare).unwrap_or_default();
    serde.rename.clone().unwrap_or_else(|| rename_field(&own, rename_all))
}

/// The name without `r#`.
fn bare(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

fn optional(text: Option<String>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

/// The text of the doc comments.
fn description(attributes: &[Attribute]) -> Option<String> {
    let lines: Vec<String> = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
        .map(|line| line.strip_prefix(' ').map(str::to_owned).unwrap_or(line))
        .collect();
    let text = lines.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Returns true if the last name of the path that a type is, is this one.
fn is_named(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|segment| segment.ident == name),
        Type::Group(group) => is_named(&group.elem, name),
        Type::Paren(paren) => is_named(&paren.elem, name),
        _ => false,
    }
}

/// A name such as `health_check` for `HealthCheck`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (at, c) in name.trim_start_matches("r#").char_indices() {
        if c.is_uppercase() && at > 0 {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}

/// The name of a field as serde changes it.
fn rename_field(name: &str, rule: Option<&str>) -> String {
    let pascal = || -> String { name.split('_').map(capitalized).collect() };
    match rule {
        Some("UPPERCASE" | "SCREAMING_SNAKE_CASE") => name.to_ascii_uppercase(),
        Some("PascalCase") => pascal(),
        Some("camelCase") => uncapitalized(&pascal()),
        Some("kebab-case") => name.replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => name.to_ascii_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

/// The name of a variant as serde changes it.
fn rename_variant(name: &str, rule: Option<&str>) -> String {
    match rule {
        Some("lowercase") => name.to_ascii_lowercase(),
        Some("UPPERCASE") => name.to_ascii_uppercase(),
        Some("camelCase") => uncapitalized(name),
        Some("snake_case") => snake(name),
        Some("SCREAMING_SNAKE_CASE") => snake(name).to_ascii_uppercase(),
        Some("kebab-case") => snake(name).replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => snake(name).to_ascii_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

fn uncapitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_serde() {
        assert_eq!(rename_field("max_size", Some("camelCase")), "maxSize");
        assert_eq!(rename_field("max_size", Some("kebab-case")), "max-size");
        assert_eq!(rename_field("max_size", None), "max_size");
        assert_eq!(rename_variant("HealthCheck", Some("snake_case")), "health_check");
        assert_eq!(rename_variant("HealthCheck", Some("SCREAMING-KEBAB-CASE")), "HEALTH-CHECK");
        assert_eq!(rename_variant("HealthCheck", Some("camelCase")), "healthCheck");
    }

    #[test]
    fn mistakes_are_errors() {
        let text = derive(quote!(union A { a: u8 })).to_string();
        assert!(text.contains("serde knows no unions"), "{text}");
        let text = derive(quote!(
            struct A {
                #[serde(rename = 1)]
                a: u8,
            }
        ));
        assert!(text.to_string().contains("compile_error"), "{text}");
    }
}
