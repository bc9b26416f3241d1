package main

import (
	"runtime/debug"
	"slices"
	"strings"
)

// An operation: which members its requests may have, and who answers them.
type operation struct {
	name               string
	required, optional []string
	source, context    bool
	// Whether it is no operation of the protocol.
	extra  bool
	answer func(object) object
}

var operations []operation

func init() {
	evaluation, files := []string{"ast", "eval"}, []string{"dynamic", "veto", "needs"}
	operations = []operation{
		{name: "about", answer: answerAbout},
		{name: "config", source: true, optional: evaluation[:1], answer: answerConfig},
		{name: "recover", source: true, optional: []string{"json"}, answer: answerRecover},
		{name: "expr", source: true, context: true, optional: evaluation, answer: answerExpression},
		{name: "template", source: true, context: true, optional: evaluation, answer: answerExpression},
		{name: "attributes", source: true, context: true, answer: answerAttributes},
		{name: "json_attributes", source: true, context: true, answer: answerAttributes},
		{name: "format", source: true, answer: answerFormat},
		{name: "traversal", source: true, answer: answerTraversal},
		{name: "variables", source: true, answer: answerVariables},
		{name: "static", source: true, required: []string{"want"}, answer: answerStatic},
		{name: "json_static", source: true, context: true, required: []string{"want"}, answer: answerStatic},
		{name: "type", source: true, required: []string{"want"}, optional: []string{"json"}, answer: answerType},
		{name: "defaults", source: true, required: []string{"value"}, optional: []string{"json"}, answer: answerDefaults},
		{name: "convert", required: []string{"value", "type"}, answer: answerConvert},
		{name: "unify", required: []string{"types"}, optional: []string{"want"}, answer: answerUnify},
		{name: "call", required: []string{"name", "args"}, answer: answerCall},
		{name: "echo", required: []string{"value"}, answer: answerEcho},
		{name: "content", context: true, required: []string{"files", "schema"}, optional: files, answer: answerContent},
		{name: "decode", context: true, required: []string{"files", "spec"}, optional: files, answer: answerDecode},
		{name: "user_functions", context: true, required: []string{"files", "want"}, answer: answerUserFunctions},
		// A JSON text as a value of a type.
		{name: "json_value", extra: true, source: true, required: []string{"type"}, answer: answerJsonValue},
	}
}

// Whether a request has what its operation needs, and nothing else.
func (op *operation) check(request object) {
	known := append([]string{"op", "id", "dialect"}, op.required...)
	known = append(known, op.optional...)
	if op.source {
		known = append(known, "src", "src_base64")
		_, text := request["src"]
		if _, bytes := request["src_base64"]; text == bytes {
			bad("%s needs either src or src_base64", op.name)
		}
	}
	if op.context {
		known = append(known, "vars", "scopes", "functions")
	}
	for name := range request {
		if !slices.Contains(known, name) {
			bad("%s has no member %s", op.name, name)
		}
	}
	for _, name := range op.required {
		if _, ok := request[name]; !ok {
			bad("%s needs the member %s", op.name, name)
		}
	}
	if dialect, ok := request["dialect"]; ok && dialect != "engine" {
		panic(unsupported("the dialect strict"))
	}
}

const library = "github.com/hashicorp/hcl/v2"

// Who answers: the module that stands for the library, which is a fork if it is built with one.
func answerAbout(object) object {
	name, version := library, "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == library {
				if module.Replace != nil {
					module = module.Replace
				}
				name, version = module.Path, module.Version
			}
		}
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "github.com/"), "/v2")
	names := []string{}
	for _, op := range operations {
		if !op.extra {
			names = append(names, op.name)
		}
	}
	return object{"name": name, "version": version, "protocol": 1, "operations": names, "dialects": []string{"engine"}}
}
