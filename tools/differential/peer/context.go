package main

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

var offered = map[string]function.Function{
	"abs":        stdlib.AbsoluteFunc,
	"can":        tryfunc.CanFunc,
	"coalesce":   stdlib.CoalesceFunc,
	"concat":     stdlib.ConcatFunc,
	"contains":   stdlib.ContainsFunc,
	"distinct":   stdlib.DistinctFunc,
	"element":    stdlib.ElementFunc,
	"flatten":    stdlib.FlattenFunc,
	"format":     stdlib.FormatFunc,
	"jsondecode": stdlib.JSONDecodeFunc,
	"jsonencode": stdlib.JSONEncodeFunc,
	"keys":       stdlib.KeysFunc,
	"length":     stdlib.LengthFunc,
	"lookup":     stdlib.LookupFunc,
	"lower":      stdlib.LowerFunc,
	"max":        stdlib.MaxFunc,
	"merge":      stdlib.MergeFunc,
	"min":        stdlib.MinFunc,
	"negate":     stdlib.NegateFunc,
	"reverse":    stdlib.ReverseListFunc,
	"strlen":     stdlib.StrlenFunc,
	"try":        tryfunc.TryFunc,
	"upper":      stdlib.UpperFunc,
	"values":     stdlib.ValuesFunc,
}

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
			own, other, found := strings.Cut(name.(string), "=")
			if !found {
				other = own
			}
			implementation, ok := offered[other]
			if !ok {
				bad("there is no function %s", other)
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
