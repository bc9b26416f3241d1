//! Links to files and pages.

use std::sync::Arc;

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, Visitor, Walk};

use crate::workspace::Snapshot;
use hcl_lr_project::paths::join;

/// A link in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The span of the text.
    pub span: Span,
    /// The target.
    pub target: Target,
}

/// The target of a [`Link`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file of the workspace.
    File(Arc<str>),
    /// A path that may not exist.
    Path(String),
    /// The URL of a page.
    Page(String),
}

/// Functions whose first argument is the path of a file.
const READERS: [&str; 10] = [
    "file",
    "filebase64",
    "templatefile",
    "fileexists",
    "filemd5",
    "filesha1",
    "filesha256",
    "filesha512",
    "filebase64sha256",
    "filebase64sha512",
];

impl Snapshot {
    /// Returns the links to files and pages in a file: sources of modules, and arguments of functions that read files.
    pub fn links(&self, path: &str) -> Vec<Link> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let mut links = Vec::new();
        for call in file.calls() {
            let target = match &call.folder {
                Some(folder) => {
                    let files = self.folder(folder).into_iter().flat_map(|folder| folder.files.values());
                    let same_language = files.filter(|other| other.language() == file.language());
                    same_language
                        .min_by_key(|file| (!file.name().starts_with("main."), file.name()))
                        .map(|file| Target::File(file.path().clone()))
                }
                None => page_of(&call.source).map(Target::Page),
            };
            links.extend(target.map(|target| Link { span: call.span, target }));
        }
        if let Some(native) = file.native() {
            let mut readers = Readers { folder: file.folder(), links: Vec::new() };
            native.body().walk(&mut readers);
            links.extend(readers.links);
        }
        links.sort_by_key(|link| link.span);
        links
    }
}

/// Returns the page of a module in a registry, such as `terraform-aws-modules/vpc/aws`.
fn page_of(source: &str) -> Option<String> {
    let source = source.split("//").next().unwrap_or(source);
    let parts: Vec<&str> = source.split('/').collect();
    let is_plain = |part: &&str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    match parts[..] {
        [namespace, name, provider] if parts.iter().all(is_plain) => {
            Some(format!("https://registry.terraform.io/modules/{namespace}/{name}/{provider}/latest"))
        }
        _ if source.starts_with("https://") => Some(source.to_owned()),
        _ if source.starts_with("github.com/") => {
            Some(format!("https://{}", source.split('?').next().unwrap_or(source)))
        }
        _ => None,
    }
}

struct Readers<'f> {
    folder: &'f str,
    links: Vec<Link>,
}

impl<'t> Visitor<'t> for Readers<'_> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        let ExpressionKind::FunctionCall(call) = expression.kind() else { return Walk::Into };
        if READERS.contains(&&*call.name())
            && let Some(argument) = call.arguments().next()
            && let ExpressionKind::Template(template) = argument.kind()
            && !template.is_heredoc()
        {
            let text = argument.text().trim_matches('"');
            let relative = text.strip_prefix("${path.module}/").unwrap_or(text);
            if !relative.contains(['$', '%', '\\']) && !relative.starts_with('/') && !relative.is_empty() {
                let span = argument.span();
                let span = Span::new(span.start() as u32 + 1, span.end() as u32 - 1);
                self.links.push(Link { span, target: Target::Path(join(self.folder, relative)) });
            }
        }
        Walk::Into
    }
}
