//! The names in Markdown: inline code, without fences, and what is in it.

/// The inline code of a text, each span with the number of its line. Code in fences does not count.
pub fn spans(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // A span may go on in the next line, so the text between fences is read as a whole.
    let (mut within, mut ticks) = (None::<(usize, String)>, 0);
    for (number, line) in prose(text) {
        let mut rest = line;
        if line.trim().is_empty() {
            within = None;
        }
        while let Some(at) = rest.find('`') {
            let run = rest[at..].len() - rest[at..].trim_start_matches('`').len();
            if let Some((start, mut span)) = within.take() {
                span += &rest[..at];
                if run == ticks {
                    found.push((start, span.trim().to_owned()));
                } else {
                    span += &rest[at..at + run];
                    within = Some((start, span));
                }
            } else {
                (within, ticks) = (Some((number, String::new())), run);
            }
            rest = &rest[at + run..];
        }
        if let Some((_, span)) = &mut within {
            span.push_str(rest);
            span.push(' ');
        }
    }
    found
}

/// The lines outside of fences, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence = None::<usize>;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let start = line.trim_start();
        let ticks = start.len() - start.trim_start_matches('`').len();
        match fence {
            Some(open) => {
                if ticks >= open && start.trim_end().len() == ticks {
                    fence = None;
                }
                None
            }
            None if ticks >= 3 => {
                fence = Some(ticks);
                None
            }
            None => Some((index + 1, line)),
        }
    })
}

/// The words and paths `a::b` of a text.
pub fn paths(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
        .map(|path| path.trim_matches(':'))
        .filter(|path| path.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        .filter(|path| path.split("::").all(|part| !part.is_empty() && !part.contains(':')))
        .collect()
}

/// The names of functions of a text, which an opening parenthesis follows, without those at the end of a path.
pub fn calls(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices('(') {
        let before = &text[..at];
        let start = before
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |end| end + before[end..].chars().next().map_or(0, char::len_utf8));
        let name = &before[start..];
        if name.starts_with(|c: char| c.is_ascii_lowercase()) && !before[..start].ends_with("::") {
            names.push(name);
        }
    }
    names
}

/// Returns a text in which tables whose first head begins with one of these names have lost their first column.
///
/// The number of lines stays.
pub fn without_columns(text: &str, heads: &[&str]) -> String {
    let (mut result, mut dropping, mut in_table) = (String::new(), false, false);
    for line in text.lines() {
        let cells = line.strip_prefix("| ");
        dropping = cells
            .is_some_and(|cells| if in_table { dropping } else { heads.iter().any(|head| cells.starts_with(head)) });
        in_table = cells.is_some();
        match cells.and_then(|cells| cells.split_once(" |")) {
            Some((_, rest)) if dropping => result.extend(["|", rest]),
            _ => result += line,
        }
        result.push('\n');
    }
    result
}

/// The lines in fences, with their numbers.
pub fn fenced(text: &str) -> Vec<(usize, &str)> {
    let outside: std::collections::HashSet<usize> = prose(text).map(|(number, _)| number).collect();
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(|(number, line)| !outside.contains(number) && !line.starts_with("```")).collect()
}
