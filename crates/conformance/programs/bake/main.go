// Reads folders with files of `docker buildx bake` as its own package does, and prints the tags and arguments of the
// targets. README.md says how folders and answers look.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docker/buildx/bake/hclparser"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
)

type request struct {
	Folder string            `json:"folder"`
	Env    map[string]string `json:"env"`
}

type answer struct {
	Folder string         `json:"folder"`
	Values map[string]any `json:"values"`
	Errors []failure      `json:"errors"`
}

type failure struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

type config struct {
	Targets []*target `hcl:"target,block"`
	Groups  []*group  `hcl:"group,block"`
}

type target struct {
	Name   string             `hcl:"name,label" cty:"name"`
	Tags   []string           `hcl:"tags,optional" cty:"tags"`
	Args   map[string]*string `hcl:"args,optional" cty:"args"`
	Remain hcl.Body           `hcl:",remain"`
}

type group struct {
	Name   string   `hcl:"name,label" cty:"name"`
	Remain hcl.Body `hcl:",remain"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var one request
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		out.Encode(ask(one))
	}
}

func ask(one request) answer {
	result := answer{Folder: one.Folder, Values: map[string]any{}, Errors: []failure{}}
	parser := hclparse.NewParser()
	var files []*hcl.File
	for _, name := range []string{"docker-bake.json", "docker-bake.hcl", "docker-bake.override.json", "docker-bake.override.hcl"} {
		text, err := os.ReadFile(filepath.Join(one.Folder, name))
		if err != nil {
			continue
		}
		parse := parser.ParseHCL
		if filepath.Ext(name) == ".json" {
			parse = parser.ParseJSON
		}
		file, diags := parse(text, name)
		if diags.HasErrors() {
			return failed(result, diags)
		}
		files = append(files, file)
	}
	var all config
	lookup := func(name string) (string, bool) {
		value, ok := one.Env[name]
		return value, ok
	}
	_, diags := hclparser.Parse(hcl.MergeFiles(files), hclparser.Opt{LookupVar: lookup}, &all)
	if diags.HasErrors() {
		return failed(result, diags)
	}
	for _, one := range all.Targets {
		if one.Tags != nil {
			result.Values["target."+one.Name+".tags"] = one.Tags
		}
		if one.Args != nil {
			result.Values["target."+one.Name+".args"] = one.Args
		}
	}
	return result
}

func failed(result answer, diags hcl.Diagnostics) answer {
	for _, diag := range diags {
		one := failure{Text: diag.Error()}
		if diag.Subject != nil {
			one.File, one.Line = diag.Subject.Filename, diag.Subject.Start.Line
		}
		result.Errors = append(result.Errors, one)
	}
	return result
}
