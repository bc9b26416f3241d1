//! Merges and differences of files made by hand.

use hcl_lr::syntax::File;
use hcl_lr::{ParseOptions, parse};
use hcl_lr_edit::diff::{MergeOptions, compare, merge, patch};

fn changes(old: &str, new: &str) -> Vec<String> {
    let [old, new] = [old, new].map(|text| parse::<File>(text).into_result().expect("no errors"));
    let shown = |change: &hcl_lr_edit::diff::Change| {
        let side = |side: Option<&hcl_lr_edit::diff::ChangedPart>| {
            side.map_or("-".to_owned(), |side| side.address().to_string())
        };
        format!("{} {} {}", change.kind(), side(change.before()), side(change.after()))
    };
    compare(&old, &new).iter().map(shown).collect()
}

#[test]
fn differences_are_named() {
    assert_eq!(changes("a = 1\nb = 2\n", "b = 2.0 # two\na = 1\n"), [""; 0]);
    assert_eq!(changes("a = <<X\nx\nX\n", "a = <<Y\nx\nY\n"), [""; 0]);
    assert_eq!(changes("a = { b = 1, c = f(x, 2) }\n", "a = {\n  c : f(x,\n2,)\n  \"b\" = 1\n}\n"), [""; 0]);
    assert_eq!(changes("a = [1, 2, 3]\n", "a = [3, 1, 2]\n"), ["moved a[2] a[0]"]);
    assert_eq!(changes("a = [1, 2, 3]\n", "a = [3, 1, 2, 4]\n"), ["moved a[2] a[0]", "added - a[3]"]);
    assert_eq!(changes("a = [1, 2]\n", "a = [1, 5]\n"), ["changed a[1] a[1]"]);
    assert_eq!(
        changes("a = [1, 2, {b = 1, c = 2}]\n", "a = [2, {b = 1, c = 3}, 4]\n"),
        ["removed a[0] -", "changed a[2].c a[1].c", "added - a[2]",]
    );
    assert_eq!(changes("a = 7\n", "b = 7\n"), ["renamed a b"]);
    assert_eq!(changes("a = 7\nb = 7\n", "c = 7\nd = 7\n"), ["removed a -", "removed b -", "added - c", "added - d"]);
    assert_eq!(changes("a {}\n", "a = {}\n"), ["removed a -", "added - a"]);
    let old = "r \"x\" \"a\" {\n  one = 1\n  two = 2\n  three = 3\n}\n";
    let new = old.replace("\"a\"", "\"b\"").replace("three = 3", "three = 4");
    assert_eq!(changes(old, &new), ["renamed r.x.a r.x.b", "changed r.x.a.three r.x.b.three"]);
    let old = "rule {\n  a = 1\n}\nrule {\n  a = 2\n}\n";
    let new = "rule {\n  a = 2\n}\nx = 1\nrule {\n  a = 1\n}\n";
    assert_eq!(changes(old, new), ["added - x", "moved rule[0] rule[1]"]);
    assert_eq!(changes("rule {\n  a = 1\n}\n", "rule {\n  a = 1\n}\nrule {\n  a = 3\n}\n"), ["added - rule[1]"]);
}

/// Merges, and returns the text with the number of conflicts.
fn merged(base: &str, ours: &str, theirs: &str) -> (String, usize) {
    let merged = merge(base, ours, theirs, &MergeOptions::new()).expect("no errors");
    (merged.text().to_owned(), merged.conflicts())
}

#[test]
fn changes_that_lines_cannot_tell_apart_are_merged() {
    let base = "tags = { a = 1, b = 2 }\n";
    let (text, conflicts) = merged(base, "tags = { a = 10, b = 2 }\n", "tags = { a = 1, b = 2, c = 3 }\n");
    assert_eq!((text.as_str(), conflicts), ("tags = { a = 10, b = 2, c = 3 }\n", 0));
    let base = "service \"web\" {\n  one = 1\n  two = 2\n}\n";
    let ours = "# Ours.\nservice \"web\" {\n  host = \"a\"\n  one = 1 # why\n  two = 5\n}\n";
    let theirs = "service \"www\" {\n  one = 1\n\n  # Theirs.\n  level = 2 # high\n  two = 2\n}\n";
    let expected =
        "# Ours.\nservice \"www\" {\n  host = \"a\"\n  one = 1 # why\n  # Theirs.\n  level = 2 # high\n  two = 5\n}\n";
    let (text, conflicts) = merged(base, ours, theirs);
    assert_eq!((text.as_str(), conflicts), (expected, 0));
    // Blocks without labels, one of which has only one argument.
    let base = "locals {\n  a = 1\n}\nlocals {\n  x = { a = { b = 1 }, c = { d = 1 } }\n}\n";
    let (text, conflicts) = merged(base, &base.replace("b = 1", "b = 2"), &base.replace("d = 1", "d = 1, e = 1"));
    let expected = base.replace("b = 1", "b = 2").replace("d = 1", "d = 1, e = 1");
    assert_eq!((text, conflicts), (expected, 0));
    // Line ends of ours.
    let (text, conflicts) = merged("a = 1\nb = 1\n", "a = 2\r\nb = 1\r\n", "a = 1\nb = 2\n");
    assert_eq!((text.as_str(), conflicts), ("a = 2\r\nb = 2\r\n", 0));
}

#[test]
fn conflicts_are_about_items() {
    let base = "a = 1\nb {\n  c = 1\n  d = 1\n}\n";
    let (text, conflicts) =
        merged(base, "a = 1\nb {\n  c = 2 # ours\n  d = 5\n}\n", "a = 3\nb {\n  # theirs\n  c = 3\n  d = 1\n}\n");
    let expected =
        "a = 3\nb {\n<<<<<<< ours\n  c = 2 # ours\n=======\n  # theirs\n  c = 3\n>>>>>>> theirs\n  d = 5\n}\n";
    assert_eq!((text.as_str(), conflicts), (expected, 1));
    // Removed here, changed there.
    let (text, conflicts) = merged("a = 1\nb = 1\nc = 1\n", "a = 1\nc = 1\n", "a = 1\nb = 2\nc = 1\n");
    assert_eq!((text.as_str(), conflicts), ("a = 1\n<<<<<<< ours\n=======\nb = 2\n>>>>>>> theirs\nc = 1\n", 1));
    // A block that both added.
    let (text, conflicts) = merged("", "v \"a\" {\n  x = 1\n}\n", "v \"a\" {\n  x = 2\n}\n");
    let expected = "<<<<<<< ours\nv \"a\" {\n  x = 1\n}\n=======\nv \"a\" {\n  x = 2\n}\n>>>>>>> theirs\n";
    assert_eq!((text.as_str(), conflicts), (expected, 1));
    // Elements in one line are not worth markers of their own.
    let (text, conflicts) = merged("a = [1]\nb = 1\n", "a = [1, 2]\nb = 1\n", "a = [1, 3]\nb = 2\n");
    assert_eq!(
        (text.as_str(), conflicts),
        ("<<<<<<< ours\na = [1, 2]\n=======\na = [1, 3]\n>>>>>>> theirs\nb = 2\n", 1)
    );
    // Entries that stand in lines are.
    let (text, conflicts) =
        merged("t = {\n  a = 1\n  b = 1\n}\n", "t = {\n  a = 2\n  b = 1\n}\n", "t = {\n  a = 3\n  b = 1\n  c = 1\n}\n");
    let expected = "t = {\n<<<<<<< ours\n  a = 2\n=======\n  a = 3\n>>>>>>> theirs\n  b = 1\n  c = 1\n}\n";
    assert_eq!((text.as_str(), conflicts), (expected, 1));
}

#[test]
fn comments_of_theirs_come_along_or_are_told() {
    let base = "# Old.\na = 1\nb = { x = 1 }\n";
    let theirs = "# Old.\na = 1 # new\n\n# Free.\n\nb = { x = 1, y = 2 }\n";
    let merged = merge(base, "# Old.\na = 1\nb = { x = 2 }\n", theirs, &MergeOptions::new()).expect("no errors");
    assert_eq!(merged.text(), "# Old.\na = 1 # new\nb = { x = 2, y = 2 }\n");
    let left_out: Vec<&str> = merged.comments_left_out().iter().map(|place| place.text().trim()).collect();
    assert_eq!(left_out, ["# Free."]);
    // In a conflict, all comments of theirs are shown.
    let theirs = "# Old.\n# More.\na = 3\nb = { x = 1 }\n";
    let merged = merge(base, "# Old.\na = 2\nb = { x = 2 }\n", theirs, &MergeOptions::new()).expect("no errors");
    assert_eq!((merged.conflicts(), merged.comments_left_out().len()), (1, 0));
}

/// Depth costs no stack, and width no more than its share.
#[test]
fn deep_and_wide_files_are_compared_and_merged() {
    let options = ParseOptions::new().max_nesting(20_000);
    for (open, close) in [("[", "]"), ("{ a = ", "}")] {
        let text = |inner: &str| format!("x = {}{inner}{}\n", open.repeat(15_000), close.repeat(15_000));
        std::thread::Builder::new()
            .stack_size(512 << 20)
            .spawn(move || {
                let [old, new] = ["1", "2"].map(|inner| options.parse::<File>(text(inner)).into_value());
                let changes = compare(&old, &new);
                assert_eq!((changes.len(), changes[0].before().expect("old").text()), (1, "1"));
            })
            .expect("a thread")
            .join()
            .expect("no overflow");
    }
    let list = |step: usize| -> String {
        let numbers: Vec<String> = (0..10_000).map(|number| (number * step % 9_973).to_string()).collect();
        format!("x = [{}]\n", numbers.join(", "))
    };
    let [old, new] = [list(1), list(7)].map(|text| parse::<File>(text).into_result().expect("no errors"));
    assert!(!compare(&old, &new).is_empty());
    let blocks = |first: usize| -> String {
        (first..first + 900).map(|number| format!("b \"n{number}\" {{\n  a = {number}\n  c = 1\n}}\n")).collect()
    };
    let [old, new] = [blocks(0), blocks(600)].map(|text| parse::<File>(text).into_result().expect("no errors"));
    assert_eq!(compare(&old, &new).len(), 1_200);
    let patched = patch(&old, &new).expect("it can be written");
    assert!(compare(patched.file().expect("in native syntax"), &new).is_empty());
}

#[test]
fn comments_of_ours_do_not_vanish_in_silence() {
    let noted = |base: &str, ours: &str, theirs: &str| {
        let merged = merge(base, ours, theirs, &MergeOptions::new()).expect("no errors");
        let places = merged.comments_left_out().iter();
        let texts: Vec<String> = places.map(|place| place.text().trim().to_owned()).collect();
        (merged.text().to_owned(), merged.conflicts(), texts)
    };
    let base = "a = 1\nb = [1, 2]\n";
    // Above an argument that theirs removes, and in a value that theirs replaces.
    let expected = ("b = [1, 2]\n".to_owned(), 0, vec!["# Why.".to_owned()]);
    assert_eq!(noted(base, "# Why.\na = 1\nb = [1, 2]\n", "b = [1, 2]\n"), expected);
    let expected = ("a = 1\nb = 5\n".to_owned(), 0, vec!["/* one */".to_owned()]);
    assert_eq!(noted(base, "a = 1\nb = [1 /* one */, 2]\n", "a = 1\nb = 5\n"), expected);
    // One of two equal comments.
    let expected = ("# Why.\nb = [1, 2]\n".to_owned(), 0, vec!["# Why.".to_owned()]);
    assert_eq!(noted(base, "# Why.\na = 1\n# Why.\nb = [1, 2]\n", "b = [1, 2]\n"), expected);
    // A comment that one side or both removed is no loss.
    let base = "# Old.\na = 1\nb = 2\n";
    assert_eq!(noted(base, "a = 1\nb = 3\n", "# Old.\na = 1\nb = 2\nc = 4\n").2, [""; 0]);
    // A comment that two sides set differently.
    let (text, conflicts, notes) = noted(base, "# Ours.\na = 1\nb = 2\n", "# Theirs.\na = 1\nb = 3\n");
    assert_eq!((text.as_str(), conflicts, notes), ("# Ours.\na = 1\nb = 3\n", 0, vec!["# Theirs.".to_owned()]));
}

#[test]
fn renamed_blocks_are_known_by_their_leaves() {
    let block = |name: &str, size: u32| {
        format!("vm \"{name}\" {{\n  disk {{\n    kind = \"ssd\"\n    size = {size}\n    path = \"/\"\n  }}\n}}\n")
    };
    assert_eq!(changes(&block("a", 1), &block("b", 2)), ["renamed vm.a vm.b", "changed vm.a.disk.size vm.b.disk.size"]);
    // Removed by theirs, renamed and changed by ours.
    let (text, conflicts) =
        merged(&format!("{}x = 1\n", block("a", 1)), &format!("{}x = 1\n", block("b", 2)), "x = 1\n");
    let expected = format!("<<<<<<< ours\n{}=======\n>>>>>>> theirs\nx = 1\n", block("b", 2));
    assert_eq!((text, conflicts), (expected, 1));
    // A change of theirs reaches the block by its new name.
    let (text, conflicts) = merged(&block("a", 1), &block("b", 1), &block("a", 2));
    assert_eq!((text, conflicts), (block("b", 2), 0));
}

#[test]
fn empty_blocks_are_renamed_once() {
    assert_eq!(changes("v \"a\" {}\n", "v \"b\" {}\n"), ["renamed v.a v.b"]);
    let (text, conflicts) = merged("v \"a\" {}\n", "v \"b\" {}\n", "v \"c\" {}\n");
    assert_eq!((text.as_str(), conflicts), ("<<<<<<< ours\nv \"b\" {}\n=======\nv \"c\" {}\n>>>>>>> theirs\n", 1));
    let (text, conflicts) = merged("v \"a\" {}\nx = 1\n", "v \"b\" {}\nx = 1\n", "x = 1\n");
    let expected = "<<<<<<< ours\nv \"b\" {}\n=======\n>>>>>>> theirs\nx = 1\n";
    assert_eq!((text.as_str(), conflicts), (expected, 1));
    let (text, conflicts) = merged("v \"a\" {}\nx = 1\n", "v \"b\" {}\nx = 1\n", "v \"b\" {}\nx = 2\n");
    assert_eq!((text.as_str(), conflicts), ("v \"b\" {}\nx = 2\n", 0));
}

#[test]
fn values_of_heredocs_keep_their_line_ends() {
    let base = "a = 1\nb = 1\n";
    let (text, conflicts) = merged(base, "a = 2\r\nb = 1\r\n", "a = 1\nb = <<EOT\nx\nEOT\n");
    assert_eq!((text.as_str(), conflicts), ("a = 2\r\nb = <<EOT\r\nx\nEOT\r\n", 0));
    // Other line ends in a heredoc are another value.
    assert_eq!(changes("a = <<EOT\nx\nEOT\n", "a = <<EOT\r\nx\r\nEOT\r\n"), ["changed a a"]);
    let base = "a = <<EOT\nx\nEOT\n";
    let (_, conflicts) = merged(base, &base.replace('\n', "\r\n"), &base.replace('x', "y"));
    assert_eq!(conflicts, 1);
}

#[test]
fn conflicts_by_lines_hold_whole_items() {
    // Two blocks of one name: theirs removes the one that ours changes.
    let rule = |from: u32, to: u32| format!("rule {{\n  from = {from}\n  to   = {to}\n}}\n");
    let base = format!("x = 1\n{}{}{}", rule(1, 1), rule(2, 2), rule(3, 3));
    let ours = format!("x = 1\n{}{}{}", rule(1, 1), rule(2, 9), rule(3, 3));
    let theirs = format!("x = 2\n{}{}", rule(1, 1), rule(3, 3));
    let merged = merge(base, ours, theirs, &MergeOptions::new()).expect("no errors");
    let expected = format!("x = 2\n{}<<<<<<< ours\n{}=======\n>>>>>>> theirs\n{}", rule(1, 1), rule(2, 9), rule(3, 3));
    assert_eq!((merged.text(), merged.conflicts(), merged.is_by_lines()), (expected.as_str(), 1, true));
    // A marker begins its line even in a file with a byte order mark.
    let (text, _) = self::merged("\u{feff}a = 1\n", "\u{feff}a = 2\n", "\u{feff}a = 3\n");
    assert_eq!(text, "<<<<<<< ours\n\u{feff}a = 2\n=======\n\u{feff}a = 3\n>>>>>>> theirs\n");
}

#[test]
fn what_git_merges_is_no_conflict() {
    // A name of an argument that theirs changed, and a part of its value that ours did.
    let base = "name = [\n  1,\n  2,\n]\n";
    let (text, conflicts) = merged(base, &base.replace('2', "20"), &base.replace("name", "names"));
    assert_eq!((text.as_str(), conflicts), ("names = [\n  1,\n  20,\n]\n", 0));
    // Parts of an expression that are in different lines.
    let base = "a = f([\n  1,\n  2,\n  3,\n])\n";
    let (text, conflicts) = merged(base, &base.replace('1', "10"), &base.replace('3', "30"));
    assert_eq!((text.as_str(), conflicts), ("a = f([\n  10,\n  2,\n  30,\n])\n", 0));
    // Elements of a list that are not next to each other.
    let base = "a = [\n  [\n    1,\n  ],\n  [\n  ],\n]\n";
    let ours = base.replace("  [\n  ]", "  [\n    {},\n  ]");
    let (text, conflicts) = merged(base, &ours, &base.replace('1', "10"));
    assert_eq!((text, conflicts), (ours.replace('1', "10"), 0));
}

#[test]
fn names_that_become_free_are_used() {
    let [old, new] = ["l = a\n", "l {\n}\nm = a\n"].map(|text| parse::<File>(text).into_result().expect("no errors"));
    assert_eq!(patch(&old, &new).expect("it can be written").text(), "l {\n}\n\nm = a\n");
}

#[test]
fn replaced_elements_keep_their_order() {
    let base = "a = [[1], \"text\", { b = 1 }]\nx = 1\n";
    let (text, conflicts) = merged(base, "a = [[1], \"text\", { b = 1 }]\nx = 2\n", "a = [c, 1, d]\nx = 1\ny = 1\n");
    assert_eq!((text.as_str(), conflicts), ("a = [c, 1, d]\nx = 2\ny = 1\n", 0));
}

#[test]
fn a_new_name_of_ours_that_theirs_adds_is_a_conflict_about_both() {
    let (text, conflicts) = merged("a = [1]\nb = 2\n", "c = [1]\nb = 2\n", "a = [1]\nc = 3\nb = 2\n");
    let expected = "<<<<<<< ours\nc = [1]\n=======\na = [1]\nc = 3\n>>>>>>> theirs\nb = 2\n";
    assert_eq!((text.as_str(), conflicts), (expected, 1));
}
