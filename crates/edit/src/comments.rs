//! The comments that belong to items.

use super::neighbours;
use super::node::Item;
use hcl_lr::syntax::Comment;
use hcl_lr::syntax::ast::File;

/// Returns the comments that belong to a member: those above it up to a blank line or right before it on its line, and
/// those after it on its line. A member of another file has none.
///
/// ```
/// use hcl_lr_edit::{Item, comments_of};
/// use hcl_lr::syntax::ast::ExpressionKind;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = [\n  # one\n  1, # first\n  2,\n]\n").into_result()?;
/// let ExpressionKind::Tuple(list) = file.body().attribute("a").expect("a").expression().kind() else {
///     unreachable!("a list")
/// };
/// let (above, after) = comments_of(&file, Item::Element(list.elements().next().expect("an element")));
/// assert_eq!((above[0].text(), after[0].text()), ("# one", "# first"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn comments_of<'f>(file: &'f File, member: impl Into<Item<'f>>) -> (Vec<Comment<'f>>, Vec<Comment<'f>>) {
    let Ok((above, below)) = neighbours::around(file, member.into()) else { return Default::default() };
    let lead = above.lead_start()..above.span.end();
    let trail = below.span.start()..below.tail_end;
    let within = |range: std::ops::Range<usize>| -> Vec<Comment<'f>> {
        let pieces = file.tokens().pieces(file.tokens().at(range.start).index()..);
        let before_end = pieces.take_while(|piece| piece.span().start() < range.end);
        before_end.filter_map(|piece| piece.comment()).filter(|comment| comment.span().start() >= range.start).collect()
    };
    (within(lead), within(trail))
}
