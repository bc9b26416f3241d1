//! Reading expressions without evaluating them ("Static Analysis").

use super::report::start_of;
use crate::diagnostic::{Code, Diagnostics, Finding};
use crate::source::Span;
use crate::syntax::ast::{ExpressionKind, ExpressionNode, FunctionCall, TraversalNode};

impl<'t> ExpressionNode<'t> {
    /// Returns the elements of a tuple ("Static List").
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = [b, c.d]\n").into_result()?;
    /// let list = file.body().attribute("a").expect("it is there").expression().static_list()?;
    /// assert_eq!(list[1].text(), "c.d");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The expression is not a tuple.
    pub fn static_list(self) -> Result<Vec<ExpressionNode<'t>>, Diagnostics> {
        match self.kind() {
            ExpressionKind::Tuple(tuple) => Ok(tuple.elements().collect()),
            _ => Err(self.not_static(start_of(self), "a list in brackets is required here")),
        }
    }

    /// Returns the keys and values of an object ("Static Map"). Keys may be of any kind; a bare name counts as a
    /// variable.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = { b.c = d }\n").into_result()?;
    /// let map = file.body().attribute("a").expect("it is there").expression().static_map()?;
    /// assert_eq!((map[0].0.text(), map[0].1.text()), ("b.c", "d"));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The expression is not an object.
    pub fn static_map(self) -> Result<Vec<(ExpressionNode<'t>, ExpressionNode<'t>)>, Diagnostics> {
        match self.kind() {
            ExpressionKind::Object(object) => {
                Ok(object.elements().map(|element| (element.key_expression(), element.value())).collect())
            }
            _ => Err(self.not_static(start_of(self), "a map in braces is required here")),
        }
    }

    /// Returns the called function and its arguments ("Static Call").
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = list(string)\n").into_result()?;
    /// let call = file.body().attribute("a").expect("it is there").expression().static_call()?;
    /// assert_eq!((call.name(), call.arguments().len()), ("list".into(), 1));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The expression is not a function call.
    pub fn static_call(self) -> Result<FunctionCall<'t>, Diagnostics> {
        match self.kind() {
            ExpressionKind::FunctionCall(call) => Ok(call),
            _ => Err(self.not_static(start_of(self), "a function call is required here")),
        }
    }

    /// Returns the variable and the constant steps after it ("Static Traversal"). `true`, `false` and `null` count as
    /// variables.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = b.c[0]\n").into_result()?;
    /// let path = file.body().attribute("a").expect("it is there").expression().static_traversal()?;
    /// assert_eq!((path.root().text(), path.steps().len()), ("b", 2));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The expression is not such a path.
    pub fn static_traversal(self) -> Result<TraversalNode<'t>, Diagnostics> {
        let detail = "a name is required here, optionally with attributes and constant indexes";
        self.as_traversal().ok_or_else(|| self.not_static(self.span(), detail))
    }

    /// Returns the name if the expression is a single name. Its meaning is up to the application.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = b\nc = (b)\nd = true\n").into_result()?;
    /// let keyword = |name| file.body().attribute(name).expect("it is there").expression().keyword();
    /// assert_eq!((keyword("a"), keyword("c"), keyword("d")), (Some("b"), None, Some("true")));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn keyword(self) -> Option<&'t str> {
        let path = self.as_traversal()?;
        (path.steps().len() == 0).then(|| path.root().text())
    }

    fn not_static(self, subject: Span, detail: &'static str) -> Diagnostics {
        let diagnostic = Finding::error(Code::NotStatic, subject, detail).with_context(self.span());
        let help = "this expression is not evaluated; only its written form counts";
        diagnostic.with_help(help).in_source(self.shared_source()).into()
    }
}
