// peer answers questions about the official Go library that need more than an expression: bodies by
// schemas, dynamic blocks, decoding by specs, types with defaults. It reads one JSON request a line on
// standard input and writes one JSON answer a line on standard output, as drivers of the conformance
// protocol do. It uses the library as anybody can, by its public interface.
//
//	cd tests/support/peer && go build -o /tmp/peer .
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type object = map[string]interface{}

type request struct {
	Op      string                     `json:"op"`
	Src     string                     `json:"src"`
	Files   []file                     `json:"files"`
	Schema  *schema                    `json:"schema"`
	Spec    json.RawMessage            `json:"spec"`
	Partial bool                       `json:"partial"`
	Dynamic bool                       `json:"dynamic"`
	Vars    map[string]json.RawMessage `json:"vars"`
	Value   json.RawMessage            `json:"value"`
	Type    json.RawMessage            `json:"type"`
}

type file struct {
	Name string `json:"name"`
	Src  string `json:"src"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answer, failed := marshal(answered(line))
			if failed != nil {
				answer, _ = marshal(object{"bad_response": failed.Error()})
			}
			out.Write(append(answer, '\n'))
			if in.Buffered() == 0 {
				out.Flush()
			}
		}
		if err != nil {
			return
		}
	}
}

func answered(line []byte) (answer object) {
	defer func() {
		if what := recover(); what != nil {
			answer = object{"panic": fmt.Sprint(what)}
		}
	}()
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return object{"bad_request": err.Error()}
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}}
	for name, raw := range asked.Vars {
		value, err := decVal(raw)
		if err != nil {
			return object{"bad_request": err.Error()}
		}
		ctx.Variables[name] = value
	}
	switch asked.Op {
	case "content", "decode":
		return body(&asked, ctx)
	case "defaults":
		return defaults(&asked)
	case "json_value":
		ty, err := decType(asked.Type)
		if err != nil {
			return object{"bad_request": err.Error()}
		}
		value, err := ctyjson.Unmarshal([]byte(asked.Src), ty)
		if err != nil {
			return object{"ok": false, "message": err.Error()}
		}
		return object{"ok": true, "value": encVal(value)}
	}
	return object{"unsupported": asked.Op}
}

// body processes files as one body, by a schema or by a spec.
func body(asked *request, ctx *hcl.EvalContext) object {
	var files []*hcl.File
	var diags hcl.Diagnostics
	for _, one := range asked.Files {
		var parsed *hcl.File
		var problems hcl.Diagnostics
		if strings.HasSuffix(one.Name, ".json") {
			parsed, problems = hcljson.Parse([]byte(one.Src), one.Name)
		} else {
			parsed, problems = hclsyntax.ParseConfig([]byte(one.Src), one.Name, hcl.InitialPos)
		}
		files, diags = append(files, parsed), append(diags, problems...)
	}
	answer := object{"parsed": !diags.HasErrors()}
	if !diags.HasErrors() {
		body := files[0].Body
		if len(files) > 1 {
			body = hcl.MergeFiles(files)
		}
		if asked.Dynamic {
			body = dynblock.Expand(body, ctx)
		}
		if asked.Op == "content" {
			processing := processing{ctx: ctx}
			answer["content"] = processing.body(body, asked.Schema)
			diags = append(diags, processing.diags...)
		} else {
			spec, err := decSpec(asked.Spec)
			if err != nil {
				return object{"bad_request": err.Error()}
			}
			var value cty.Value
			var problems hcl.Diagnostics
			if asked.Partial {
				value, _, problems = hcldec.PartialDecode(body, spec, ctx)
			} else {
				value, problems = hcldec.Decode(body, spec, ctx)
			}
			answer["value"] = encVal(value)
			diags = append(diags, problems...)
		}
	}
	answer["ok"] = !diags.HasErrors()
	answer["diags"] = encDiags(diags)
	return answer
}

// defaults reads a type constraint and applies its defaults to a value.
func defaults(asked *request) object {
	expression, diags := hclsyntax.ParseExpression([]byte(asked.Src), "in.hcl", hcl.InitialPos)
	if !diags.HasErrors() {
		ty, given, problems := typeexpr.TypeConstraintWithDefaults(expression)
		diags = append(diags, problems...)
		if !diags.HasErrors() {
			value, err := decVal(asked.Value)
			if err != nil {
				return object{"bad_request": err.Error()}
			}
			answer := object{"ok": true, "diags": encDiags(diags), "type": encType(ty)}
			if given != nil {
				value = given.Apply(value)
			}
			answer["value"] = encVal(value)
			return answer
		}
	}
	return object{"ok": false, "diags": encDiags(diags)}
}

func encDiags(diags hcl.Diagnostics) []interface{} {
	list := []interface{}{}
	for _, diag := range diags {
		one := object{"severity": "error", "summary": diag.Summary, "detail": diag.Detail}
		if diag.Severity == hcl.DiagWarning {
			one["severity"] = "warning"
		}
		if diag.Subject != nil {
			one["range"] = encRange(*diag.Subject)
		}
		list = append(list, one)
	}
	return list
}

func encRange(r hcl.Range) interface{} {
	at := func(p hcl.Pos) []int { return []int{p.Line, p.Column, p.Byte} }
	return []interface{}{r.Filename, at(r.Start), at(r.End)}
}
