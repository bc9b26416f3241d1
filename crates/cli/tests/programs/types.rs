//! Types that `hcl schema types` writes, used by the programs of their languages: each reads the JSON of a file, and prints
//! some of it.

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

/// Runs a program, and returns what it prints.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|why| panic!("{program} does not run: {why}"));
    let printed = [text(&output.stdout), text(&output.stderr)].concat();
    assert!(output.status.success(), "{program} {arguments:?}: {printed}");
    printed
}

fn written(scratch: &Scratch, option: &str, name: &str) {
    let output = hcl().args(["schema", "types", option]).arg(scratch.path("zoo.schema.hcl")).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    scratch.write(name, text(&output.stdout));
}

/// Calls a function with the folder in which the schema, a file of it, and the same file in a form of JSON are.
fn in_each_form(language: &str, test: impl Fn(&Scratch, &str)) {
    for blocks in ["array", "collapse"] {
        let scratch = Scratch::new(&format!("schema-types-read-{language}"));
        scratch.write("zoo.schema.hcl", SCHEMA);
        scratch.write("file.zoo", FILE);
        let json = hcl().args(["convert", "--blocks", blocks]).arg(scratch.path("file.zoo")).output();
        scratch.write("file.json", text(&json.expect("the program runs").stdout));
        test(&scratch, blocks);
    }
}

#[test]
#[ignore = "needs python"]
fn needs_python_a_program_reads_a_file_by_types_of_a_schema() {
    in_each_form("python", |scratch, blocks| {
        written(scratch, "--python", "zoo.py");
        scratch.write("read.py", PYTHON);
        let printed = run(&scratch.0, "python3", &["read.py"]);
        assert_eq!(printed.replace('\r', ""), PRINTED, "{blocks}");
    });
}

#[test]
#[ignore = "needs go"]
fn needs_go_a_program_reads_a_file_by_types_of_a_schema() {
    in_each_form("go", |scratch, blocks| {
        written(scratch, "--go", "zoo.go");
        scratch.write("zoo_test.go", GO);
        scratch.write("go.mod", "module zoo\n\ngo 1.21\n");
        run(&scratch.0, "go", &["vet", "."]);
        run(&scratch.0, "go", &["test", "."]);
        let printed = std::fs::read_to_string(scratch.path("printed")).expect("the test wrote it");
        assert_eq!(printed, PRINTED, "{blocks}");
    });
}

#[test]
#[ignore = "needs typescript"]
fn needs_typescript_a_program_reads_a_file_by_types_of_a_schema() {
    in_each_form("typescript", |scratch, blocks| {
        written(scratch, "--typescript", "zoo.ts");
        scratch.write("read.ts", TYPESCRIPT);
        let options = ["--strict", "--target", "es2019", "--module", "commonjs", "read.ts"];
        run(&scratch.0, "tsc", &options);
        assert_eq!(run(&scratch.0, "node", &["read.js"]), PRINTED, "{blocks}");
    });
}

/// The name of the package of a language: its letters.
fn package(language: &str) -> String {
    language.replace('-', "")
}

/// Writes the types of each language that comes with the library into a folder of its name, and returns the paths.
fn types_of_all(scratch: &Scratch, option: &str, extension: &str) -> Vec<String> {
    let write = |language: &&str| {
        let name = package(language);
        std::fs::create_dir_all(scratch.path(&name)).expect("a folder");
        let output = hcl().args(["schema", "types", option, language]).output().expect("the program runs");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let path = format!("{name}/{name}.{extension}");
        scratch.write(&path, text(&output.stdout));
        path
    };
    hcl_lr_language::schema::LANGUAGES.iter().map(write).collect()
}

#[test]
#[ignore = "needs python"]
fn needs_python_types_of_all_languages_are_valid() {
    let scratch = Scratch::new("schema-types-python");
    let paths = types_of_all(&scratch, "--python", "py");
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    run(&scratch.0, "python3", &[&["-m", "py_compile"][..], &paths].concat());
}

#[test]
#[ignore = "needs typescript"]
fn needs_typescript_types_of_all_languages_are_valid() {
    let scratch = Scratch::new("schema-types-typescript");
    let paths = types_of_all(&scratch, "--typescript", "ts");
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    run(&scratch.0, "tsc", &[&["--strict", "--noEmit", "--target", "es2019"][..], &paths].concat());
}

#[test]
#[ignore = "needs go"]
fn needs_go_types_of_all_languages_are_valid() {
    let scratch = Scratch::new("schema-types-go");
    scratch.write("go.mod", "module all\n\ngo 1.21\n");
    types_of_all(&scratch, "--go", "go");
    run(&scratch.0, "go", &["vet", "./..."]);
}
