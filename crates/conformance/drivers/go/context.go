package main

import (
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

func decodeVariables(given object) map[string]cty.Value {
	variables := map[string]cty.Value{}
	for name, value := range given {
		variables[name] = decodeValue(value)
	}
	return variables
}

// What a request offers to evaluate with; nothing at all if it has neither variables nor functions.
func contextOf(request object) *hcl.EvalContext {
	variables, hasVariables := request["vars"].(object)
	names, hasFunctions := request["functions"].([]any)
	scopes, _ := request["scopes"].([]any)
	if !hasVariables && !hasFunctions && len(scopes) == 0 {
		return nil
	}
	context := &hcl.EvalContext{}
	if hasVariables {
		context.Variables = decodeVariables(variables)
	}
	if hasFunctions {
		context.Functions = map[string]function.Function{}
		for _, name := range names {
			if name == "*" {
				maps.Copy(context.Functions, offered)
				continue
			}
			own, other, found := strings.Cut(name.(string), "=")
			if !found {
				other = own
			}
			implementation, ok := offered[other]
			if !ok {
				panic(unsupported("function " + other))
			}
			context.Functions[own] = implementation
		}
	}
	for _, scope := range scopes {
		context = context.NewChild()
		context.Variables = decodeVariables(scope.(object))
	}
	return context
}
