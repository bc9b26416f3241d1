//! Links to files and pages.

use std::sync::Arc;

use hcl_lr::internal::sort_by_key;
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
        sort_by_key(&mut links, |link| link.span);
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
        if let Some(read) = ReadPath::of(expression) {
            let target = Target::Path(join(self.folder, read.path()));
            self.links.push(Link { span: read.span, target });
        }
        Walk::Into
    }
}

/// The constant path of a file that a call of a function reads, such as `"${path.module}/init.sh"`.
pub(crate) struct ReadPath<'t> {
    /// The span between the quotes.
    pub span: Span,
    /// The text between the quotes.
    pub text: &'t str,
}

/// The start of paths that are relative to the folder of their file, not to the one where the program runs.
const MODULE: &str = "${path.module}/";

impl<'t> ReadPath<'t> {
    /// Returns the path in a call. `None` for other expressions, and for paths that are computed or absolute.
    pub fn of(expression: ExpressionNode<'t>) -> Option<ReadPath<'t>> {
        let ExpressionKind::FunctionCall(call) = expression.kind() else { return None };
        let argument = call.arguments().next().filter(|_| READERS.contains(&&*call.name()))?;
        let ExpressionKind::Template(template) = argument.kind() else { return None };
        if template.is_heredoc() {
            return None;
        }
        let text = argument.text().strip_prefix('"')?.strip_suffix('"')?;
        let start = argument.span().start() + 1;
        let read = ReadPath { span: Span::new(start, start + text.len()), text };
        let path = read.path();
        (!path.is_empty() && !path.contains(['$', '%', '\\']) && !path.starts_with('/')).then_some(read)
    }

    /// Returns true if the path is relative to the folder of its file.
    pub fn is_of_module(&self) -> bool {
        self.text.starts_with(MODULE)
    }

    /// Returns the path, relative to a folder.
    pub fn path(&self) -> &'t str {
        self.text.strip_prefix(MODULE).unwrap_or(self.text)
    }
}
