//! The cost of edits beside a parse of the same file; see README.md.

use std::hint::black_box;
use std::time::Instant;

use hcl_lr::parse;
use hcl_lr::syntax::File;
use hcl_lr_edit::{Editor, InsertionPoint, NewItem};

/// The number of samples of each.
const SAMPLES: usize = 21;

/// A file of about a megabyte, like those of Terraform.
fn text() -> String {
    let resource = |at: usize| {
        format!(
            "# The server {at}.\nresource \"aws_instance\" \"web{at}\" {{\n  ami           = \"ami-{at}\" # pinned\n  \
             instance_type = var.large ? \"m5.large\" : \"t3.micro\"\n  tags = {{\n    Name = \"web-${{var.name}}-{at}\"\n    \
             Team = \"core\"\n  }}\n\n  ebs_block_device {{\n    device_name = \"/dev/sdf\"\n    volume_size = {at} + 1\n  }}\n}}\n\n"
        )
    };
    (0..3_400).map(resource).collect()
}

fn median(mut work: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[SAMPLES / 2]
}

/// Sets a value in each of a given number of blocks.
fn set(file: &File, count: usize) {
    let mut editor = Editor::new(file);
    let blocks: Vec<_> = file.body().blocks().collect();
    let step = blocks.len() / count;
    for block in blocks.into_iter().step_by(step).take(count) {
        editor.set(block.body().attribute("ami").expect("it is there"), "other");
    }
    black_box(editor.finish().expect("it can be done"));
}

fn insert(file: &File) {
    let mut editor = Editor::new(file);
    for block in file.body().blocks() {
        editor.insert(InsertionPoint::end_of(block), NewItem::attribute("count", 2));
    }
    black_box(editor.finish().expect("it can be done"));
}

fn remove(file: &File) {
    let mut editor = Editor::new(file);
    for block in file.body().blocks() {
        editor.remove(block.body().blocks().next().expect("it is there"));
    }
    black_box(editor.finish().expect("it can be done"));
}

fn main() {
    // `cargo test` builds and runs benchmarks too; it wants to know only that they run.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let text = text();
    let parsing = median(|| drop(black_box(parse::<File>(text.as_str()))));
    let file = parse::<File>(text.as_str()).into_value();
    println!("{} bytes; milliseconds, the median, and how many parses of the file that is\n", text.len());
    let tell = |name: &str, seconds: f64| println!("{:8.2} {:6.2}  {name}", seconds * 1e3, seconds / parsing);
    tell("parse", parsing);
    tell("set one value, from the text on", median(|| set(&parse::<File>(text.as_str()).into_value(), 1)));
    tell("set one value of a parsed file", median(|| set(&file, 1)));
    tell("set 3,400 values", median(|| set(&file, 3_400)));
    tell("insert 3,400 attributes", median(|| insert(&file)));
    tell("remove 3,400 blocks", median(|| remove(&file)));
}
