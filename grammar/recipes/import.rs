//! `import "file"` is a line of a body.

use hcl_lr::Body;
use hcl_lr::convert::{ConversionOptions, to_json};
use hcl_lr::format::format;
use hcl_lr::syntax::ast::{BodyItem, ImportNode, Visitor};
use recipes::{check_nesting, errors, file, in_words, tree, variables};

#[derive(Default)]
struct Imports(Vec<String>);

impl<'t> Visitor<'t> for Imports {
    fn visit_import(&mut self, import: ImportNode<'t>) {
        self.0.push(import.path().into_owned());
    }
}

fn main() {
    let text = "import \"a\\\\b.hcl\" # a comment\nb {\n  import \"c.hcl\"\n  x = y\n}\nimport \"d.hcl\"";
    assert_eq!(
        tree(text),
        "Body, Import \"a\\\\b.hcl\", Block b, Body, Import \"c.hcl\", Attribute x, Variable y, Import \"d.hcl\""
    );
    let file_with_imports = file(text);
    let mut imports = Imports::default();
    file_with_imports.body().walk(&mut imports);
    assert_eq!(imports.0, ["a\\b.hcl", "c.hcl", "d.hcl"]);
    let Some(BodyItem::Import(import)) = file_with_imports.body().items().next() else { panic!("an import") };
    assert_eq!(&text[import.span().range()], "import \"a\\\\b.hcl\"");
    assert_eq!(file_with_imports.body().variables().len(), 1);
    // An application reads the files and merges the bodies.
    let files = [file("import \"b.hcl\"\nx = 1\n"), file("y = 2\n")];
    let attributes = Body::merged(files.iter().map(Body::from)).attributes();
    assert_eq!(attributes.into_result().expect("attributes").iter().count(), 2);

    assert_eq!(errors("import \"${x}\"\n"), errors("export \"${x}\"\n"));
    assert_eq!(errors("import file\n"), ["invalid-block-header: the opening brace of the block is missing"]);
    assert_eq!(errors("import \"a\" \"b\"\n"), ["invalid-block-header: the opening brace of the block is missing"]);
    assert_eq!(errors("import\n"), ["invalid-body-item: `import` is neither an argument nor a block"]);
    assert_eq!(
        errors("b { import \"a\" }\n"),
        ["one-line-block: a block on one line can hold one argument and no blocks"]
    );
    assert_eq!(errors("export \"a\"\n"), ["invalid-block-header: the opening brace of a block is missing"]);
    assert_eq!(errors("import \"\\d\"\n"), ["invalid-escape: `\\d` is not an escape sequence"]);
    let json = to_json(&file("import \"a\"\n"), &ConversionOptions::default());
    assert_eq!(in_words(json.diagnostics()), ["not-convertible: JSON has no imports"]);
    check_nesting(|depth| format!("{}import \"a\"\n{}", "b {\n".repeat(depth), "}\n".repeat(depth)));

    // As before, a name or the type of a block may be `import`.
    let text = "import = 1\nb {\n  import \"a\" {}\n  import {\n    import = import\n  }\n}\nimport-x = 1\n";
    assert_eq!(file(text).body().items().len(), 3);
    assert_eq!(variables("import"), ["import"]);
    assert_eq!(format("  import   \"a\"\nx=1\n"), "import \"a\"\nx = 1\n");
}
