// officialbench measures how long the official engine takes to evaluate what crates/benches/eval.rs asks
// for, and to read what crates/benches/json.rs does: one JSON object a line on stdin, one answer a line on
// stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type question struct {
	Kind    string `json:"kind"`
	Source  string `json:"source"`
	Count   int    `json:"count"`
	Tuple   bool   `json:"tuple"`
	Samples int    `json:"samples"`
}

type answer struct {
	Seconds []float64 `json:"seconds"`
	// Of the value as JSON, to see that both engines do the same.
	Length int    `json:"length"`
	Hash   string `json:"hash"`
}

// items are the objects that the expressions go through; crates/benches/support/cases.rs makes the same.
func items(count int, tuple bool) cty.Value {
	values := make([]cty.Value, count)
	for id := range values {
		values[id] = cty.ObjectVal(map[string]cty.Value{
			"id":   cty.NumberIntVal(int64(id)),
			"name": cty.StringVal(fmt.Sprintf("item-%d", id)),
			"on":   cty.BoolVal(id%3 != 0),
		})
	}
	switch {
	case tuple:
		return cty.TupleVal(values)
	case count == 0:
		return cty.ListValEmpty(cty.EmptyObject)
	default:
		return cty.ListVal(values)
	}
}

func check(diagnostics hcl.Diagnostics) {
	if diagnostics.HasErrors() {
		panic(diagnostics)
	}
}

func body(source []byte) *hcl.File {
	file, diagnostics := hclsyntax.ParseConfig(source, "case", hcl.InitialPos)
	check(diagnostics)
	return file
}

func attributes(file *hcl.File, scope *hcl.EvalContext) map[string]cty.Value {
	found, diagnostics := file.Body.JustAttributes()
	check(diagnostics)
	values := make(map[string]cty.Value, len(found))
	for name, attribute := range found {
		value, diagnostics := attribute.Expr.Value(scope)
		check(diagnostics)
		values[name] = value
	}
	return values
}

func value(expression hcl.Expression, scope *hcl.EvalContext) cty.Value {
	value, diagnostics := expression.Value(scope)
	check(diagnostics)
	return value
}

var kept interface{}

// work is what is measured, and gives the value.
func work(asked question) (run func(), result func() cty.Value) {
	count, source := asked.Count, []byte(asked.Source)
	if asked.Kind != "expression" && asked.Kind != "template" {
		count = 0
	}
	scope := &hcl.EvalContext{
		Variables: map[string]cty.Value{
			"items":   items(count, asked.Tuple),
			"prefix":  cty.StringVal("web"),
			"base":    cty.NumberIntVal(1000),
			"enabled": cty.True,
		},
		Functions: map[string]function.Function{"upper": stdlib.UpperFunc},
	}
	switch asked.Kind {
	case "expression", "template":
		parse := hclsyntax.ParseExpression
		if asked.Kind == "template" {
			parse = hclsyntax.ParseTemplate
		}
		expression, diagnostics := parse(source, "case", hcl.InitialPos)
		check(diagnostics)
		return func() { kept = value(expression, scope) }, func() cty.Value { return value(expression, scope) }
	case "json":
		parse := func() *hcl.File {
			file, diagnostics := hcljson.Parse(source, "case.json")
			check(diagnostics)
			return file
		}
		return func() { kept = parse() }, func() cty.Value { parse(); return cty.True }
	case "body":
		file := body(source)
		return func() { kept = attributes(file, scope) },
			func() cty.Value { return cty.ObjectVal(attributes(file, scope)) }
	default:
		return func() { kept = attributes(body(source), scope) },
			func() cty.Value { return cty.ObjectVal(attributes(body(source), scope)) }
	}
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		run, result := work(asked)
		value := result()
		encoded, err := ctyjson.Marshal(value, value.Type())
		if err != nil {
			panic(err)
		}
		hash := fnv.New64a()
		hash.Write(encoded)
		given := answer{Length: len(encoded), Hash: fmt.Sprintf("%016x", hash.Sum64())}
		runtime.GC()
		for range asked.Samples {
			start := time.Now()
			run()
			given.Seconds = append(given.Seconds, time.Since(start).Seconds())
		}
		kept = nil
		if err := answers.Encode(given); err != nil {
			panic(err)
		}
	}
}
