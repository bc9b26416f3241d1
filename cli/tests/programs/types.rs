//! Types that `hcl schema types` writes, used by the programs of their languages: each reads the JSON of a file, and prints
//! some of it. A program that is not there is left out: `python3`, `go`, and `tsc` with `node`.

use std::path::Path;
use std::process::Command;

use crate::cli::{Scratch, hcl, text};

/// A schema with all forms of fields.
const SCHEMA: &str = r#"
language "zoo" {
  files "zoo" {
    patterns = ["*.zoo"]
    body     = zoo
  }
}
types {
  food = object({ name = string, grams = optional(number) })
}
part "zoo" {
  attribute "name" {
    type        = required(string)
    description = "The name */ of the \"zoo\"."
  }
  attribute "class" { type = one_of("small", "big-one") }
  attribute "open-days" { type = list(integer(1, 7)) }
  block "house" {
    label "name" {}
    label "side" {}
    attribute "*" { type = number }
    attribute "heated" { type = optional(bool, false) }
    block "animal" {
      label "kind" {}
      attribute "count" { type = required(integer) }
      attribute "food" { type = list(food) }
      attribute "tags" { type = map(string) }
      block "animal" { include = [zoo] }
    }
  }
  block "office" {
    nesting = single
    attribute "phone" { type = one_of(string, list(string)) }
  }
}
"#;

const FILE: &str = r#"
name      = "North"
class     = "big-one"
open-days = [1, 7]
house "a" "left" {
  heated = true
  area   = 12.5
  animal "fox" {
    count = 3
    food  = [{ name = "mice" }, { name = "berries", grams = 200 }]
    tags  = { a = "x" }
  }
  animal "fox" {
    count = 4
  }
}
house "a" "right" {}
house "b" "left" {}
office {
  phone = ["1", "2"]
}
"#;

/// All programs print this.
const PRINTED: &str =
    "North big-one 7\na: left right\nb: left\nheated true, area 12.5\nfox 3 4\nmice berries 200 x\n1 office\n";

const PYTHON: &str = r#"
import json, zoo
with open("file.json") as file:
    read = zoo.from_json(json.load(file))
print(read.name, read.class_, read.open_days[1])
for name, sides in sorted(read.house.items()):
    print(name + ":", *sorted(sides))
house = read.house["a"]["left"][0]
print("heated " + str(house.heated).lower() + ", area", house.others["area"])
foxes = house.animal["fox"]
print("fox", foxes[0].count, foxes[1].count)
print(foxes[0].food[0].name, foxes[0].food[1].name, foxes[0].food[1].grams, foxes[0].tags["a"])
print(len(read.office), "office")
"#;

const GO: &str = r#"package zoo

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	data, err := os.ReadFile("file.json")
	if err != nil {
		t.Fatal(err)
	}
	var read Zoo
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	fmt.Fprintln(&out, read.Name, *read.Class, read.OpenDays[1])
	for _, name := range sorted(read.House) {
		fmt.Fprintln(&out, name+":", strings.Join(sorted(read.House[name]), " "))
	}
	house := read.House["a"]["left"][0]
	fmt.Fprintf(&out, "heated %v, area %s\n", *house.Heated, house.Others["area"])
	foxes := house.Animal["fox"]
	fmt.Fprintln(&out, "fox", foxes[0].Count, foxes[1].Count)
	food := foxes[0].Food
	fmt.Fprintln(&out, food[0].Name, food[1].Name, *food[1].Grams, foxes[0].Tags["a"])
	fmt.Fprintln(&out, len(read.Office), "office")
	os.WriteFile("printed", []byte(out.String()), 0o644)
}

func sorted[T any](all map[string]T) []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
"#;

const TYPESCRIPT: &str = r#"
import { Zoo, blocks, labeled } from "./zoo";
declare function require(name: string): any;
const read: Zoo = JSON.parse(require("fs").readFileSync("file.json", "utf-8"));
console.log(read.name, read.class, read["open-days"]![1]);
const houses: { [name: string]: string[] } = {};
for (const [name, sides] of labeled(read.house)) {
  for (const [side] of labeled(sides)) {
    (houses[name] ??= []).push(side);
  }
}
for (const name of Object.keys(houses).sort()) {
  console.log(name + ":", ...houses[name].sort());
}
const house = blocks(labeled(labeled(read.house)[0][1])[0][1])[0];
console.log("heated " + house.heated + ", area", house["area"]);
const foxes = labeled(house.animal).flatMap(([, all]) => blocks(all));
console.log("fox", foxes[0].count, foxes[1].count);
const food = foxes[0].food!;
console.log(food[0].name, food[1].name, food[1].grams, foxes[0].tags!["a"]);
console.log(blocks(read.office).length, "office");
"#;

/// Runs a program, and returns what it prints; none if there is no such program.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let output = match Command::new(program).args(arguments).current_dir(folder).output() {
        Ok(output) => output,
        Err(why) => {
            eprintln!("skipped: {program} does not run: {why}");
            return None;
        }
    };
    let printed = [text(&output.stdout), text(&output.stderr)].concat();
    assert!(output.status.success(), "{program} {arguments:?}: {printed}");
    Some(printed)
}

fn written(scratch: &Scratch, option: &str, name: &str) {
    let output = hcl().args(["schema", "types", option]).arg(scratch.path("zoo.schema.hcl")).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    scratch.write(name, text(&output.stdout));
}

#[test]
fn programs_read_files_by_types_that_are_made_from_a_schema() {
    let scratch = Scratch::new("schema-types");
    scratch.write("zoo.schema.hcl", SCHEMA);
    scratch.write("file.zoo", FILE);
    for blocks in ["array", "collapse"] {
        let json = hcl().args(["convert", "--blocks", blocks]).arg(scratch.path("file.zoo")).output();
        scratch.write("file.json", text(&json.expect("the program runs").stdout));
        let folder = &scratch.0;
        written(&scratch, "--python", "zoo.py");
        scratch.write("read.py", PYTHON);
        if let Some(printed) = run(folder, "python3", &["read.py"]) {
            assert_eq!(printed.replace('\r', ""), PRINTED, "Python, {blocks}");
        }
        written(&scratch, "--go", "zoo.go");
        scratch.write("zoo_test.go", GO);
        scratch.write("go.mod", "module zoo\n\ngo 1.21\n");
        if run(folder, "go", &["vet", "."]).is_some() {
            run(folder, "go", &["test", "."]);
            let printed = std::fs::read_to_string(scratch.path("printed")).expect("the test wrote it");
            assert_eq!(printed, PRINTED, "Go, {blocks}");
        }
        written(&scratch, "--typescript", "zoo.ts");
        scratch.write("read.ts", TYPESCRIPT);
        let options = ["--strict", "--target", "es2019", "--module", "commonjs", "read.ts"];
        if run(folder, "tsc", &options).is_some() {
            let printed = run(folder, "node", &["read.js"]).expect("tsc needs Node.js");
            assert_eq!(printed, PRINTED, "TypeScript, {blocks}");
        }
    }
}

/// The name of the package of a language: its letters.
fn package(language: &str) -> String {
    language.replace('-', "")
}

#[test]
fn types_of_all_languages_are_valid() {
    let scratch = Scratch::new("schema-types-of-all");
    scratch.write("go.mod", "module all\n\ngo 1.21\n");
    let mut typescript = vec!["--strict".to_owned(), "--noEmit".to_owned(), "--target".to_owned(), "es2019".to_owned()];
    let mut python = vec!["-m".to_owned(), "py_compile".to_owned()];
    for language in hcl_lr::schema::LANGUAGES {
        let name = package(language);
        std::fs::create_dir_all(scratch.path(&name)).expect("a folder");
        for (option, extension) in [("--go", "go"), ("--typescript", "ts"), ("--python", "py")] {
            let output = hcl().args(["schema", "types", option, language]).output().expect("the program runs");
            assert!(output.status.success(), "{}", text(&output.stderr));
            scratch.write(&format!("{name}/{name}.{extension}"), text(&output.stdout));
        }
        typescript.push(format!("{name}/{name}.ts"));
        python.push(format!("{name}/{name}.py"));
    }
    let words = |words: &[String], program: &str| {
        run(&scratch.0, program, &words.iter().map(String::as_str).collect::<Vec<_>>());
    };
    words(&python, "python3");
    words(&typescript, "tsc");
    run(&scratch.0, "go", &["vet", "./..."]);
}
