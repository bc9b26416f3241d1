// officialfunctions measures how long functions of the official library take over the arguments that
// crates/benches/functions.rs makes as well: one JSON object a line on stdin, one answer a line on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

type question struct {
	Case    string `json:"case"`
	Count   int    `json:"count"`
	Samples int    `json:"samples"`
}

func list(count int, each func(int) cty.Value) cty.Value {
	values := make([]cty.Value, count)
	for at := range values {
		values[at] = each(at)
	}
	return cty.ListVal(values)
}

func text(count int, line func(int) string) cty.Value {
	var all strings.Builder
	for at := range count {
		all.WriteString(line(at))
	}
	return cty.StringVal(all.String())
}

func item(at int) cty.Value { return cty.StringVal(fmt.Sprintf("item-%d", at*7919%100003)) }

// work is a function with its arguments.
func work(name string, count int) (function.Function, []cty.Value) {
	items := func() cty.Value { return list(count, item) }
	object := func(at int) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"name": item(at), "port": cty.NumberIntVal(int64(at)), "on": cty.True})
	}
	switch name {
	case "join":
		return stdlib.JoinFunc, []cty.Value{cty.StringVal(", "), items()}
	case "split":
		return stdlib.SplitFunc, []cty.Value{cty.StringVal(","), text(count, func(at int) string { return fmt.Sprintf("item-%d,", at) })}
	case "format":
		return stdlib.FormatListFunc, []cty.Value{cty.StringVal("%s is %05d and %.2f"), items(), cty.NumberIntVal(42), cty.NumberFloatVal(1.25)}
	case "regexall":
		return stdlib.RegexAllFunc, []cty.Value{cty.StringVal("([a-z]+)-([0-9]+)"), text(count, func(at int) string { return fmt.Sprintf("item-%d, ", at) })}
	case "merge":
		maps := func(start int) cty.Value {
			entries := map[string]cty.Value{}
			for at := range count {
				entries[fmt.Sprintf("key-%d", start+at)] = cty.NumberIntVal(int64(at))
			}
			return cty.MapVal(entries)
		}
		return stdlib.MergeFunc, []cty.Value{maps(0), maps(count / 2)}
	case "flatten":
		return stdlib.FlattenFunc, []cty.Value{list(count/10, func(start int) cty.Value {
			return list(10, func(at int) cty.Value { return item(start*10 + at) })
		})}
	case "distinct":
		return stdlib.DistinctFunc, []cty.Value{items()}
	case "sort":
		return stdlib.SortFunc, []cty.Value{items()}
	case "setproduct":
		half := list(count/100, item)
		return stdlib.SetProductFunc, []cty.Value{half, list(100, func(at int) cty.Value { return cty.NumberIntVal(int64(at)) })}
	case "jsonencode":
		return stdlib.JSONEncodeFunc, []cty.Value{list(count, object)}
	case "jsondecode":
		encoded, err := stdlib.JSONEncode(list(count, object))
		if err != nil {
			panic(err)
		}
		return stdlib.JSONDecodeFunc, []cty.Value{encoded}
	case "csvdecode":
		return stdlib.CSVDecodeFunc, []cty.Value{cty.StringVal("name,port,on\n" + text(count, func(at int) string {
			return fmt.Sprintf("item-%d,%d,\"yes, \"\"on\"\"\"\n", at, at)
		}).AsString())}
	case "yamldecode":
		return yaml.YAMLDecodeFunc, []cty.Value{text(count, func(at int) string {
			return fmt.Sprintf("- name: item-%d\n  port: %d\n  on: yes\n", at, at)
		})}
	}
	panic(name)
}

var kept cty.Value

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		call, arguments := work(asked.Case, asked.Count)
		seconds := []float64{}
		for range asked.Samples {
			runtime.GC()
			start := time.Now()
			kept, err = call.Call(arguments)
			seconds = append(seconds, time.Since(start).Seconds())
			if err != nil {
				panic(err)
			}
		}
		answer, _ := json.Marshal(map[string]interface{}{"seconds": seconds})
		fmt.Println(string(answer))
	}
}
