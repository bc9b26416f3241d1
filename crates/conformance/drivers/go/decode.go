package main

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/userfunc"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

func count(given object, name string) int {
	number, _ := given[name].(float64)
	return int(number)
}

func labels(given object) []string {
	var names []string
	for _, label := range list(given["labels"]) {
		names = append(names, label.(string))
	}
	if len(names) == 0 {
		bad("blocks by their labels need \"labels\"")
	}
	return names
}

// A spec as the protocol writes it.
func decodeSpec(given object) hcldec.Spec {
	nested := func() hcldec.Spec { return decodeSpec(given["nested"].(object)) }
	text := func(name string) string {
		text, _ := given[name].(string)
		return text
	}
	for kind := range given {
		switch kind {
		case "object":
			spec := hcldec.ObjectSpec{}
			for name, inner := range given[kind].(object) {
				spec[name] = decodeSpec(inner.(object))
			}
			return spec
		case "tuple":
			spec := hcldec.TupleSpec{}
			for _, inner := range list(given[kind]) {
				spec = append(spec, decodeSpec(inner.(object)))
			}
			return spec
		case "attr":
			return &hcldec.AttrSpec{Name: text(kind), Type: decodeType(given["type"]), Required: flag(given, "required")}
		case "block":
			return &hcldec.BlockSpec{TypeName: text(kind), Nested: nested(), Required: flag(given, "required")}
		case "block_list":
			return &hcldec.BlockListSpec{
				TypeName: text(kind), Nested: nested(), MinItems: count(given, "min"), MaxItems: count(given, "max"),
			}
		case "block_tuple":
			return &hcldec.BlockTupleSpec{
				TypeName: text(kind), Nested: nested(), MinItems: count(given, "min"), MaxItems: count(given, "max"),
			}
		case "block_set":
			return &hcldec.BlockSetSpec{
				TypeName: text(kind), Nested: nested(), MinItems: count(given, "min"), MaxItems: count(given, "max"),
			}
		case "block_map":
			return &hcldec.BlockMapSpec{TypeName: text(kind), LabelNames: labels(given), Nested: nested()}
		case "block_object":
			return &hcldec.BlockObjectSpec{TypeName: text(kind), LabelNames: labels(given), Nested: nested()}
		case "block_attrs":
			return &hcldec.BlockAttrsSpec{
				TypeName: text(kind), ElementType: decodeType(given["of"]), Required: flag(given, "required"),
			}
		case "label":
			return &hcldec.BlockLabelSpec{Index: count(given, kind), Name: text("name")}
		case "literal":
			return &hcldec.LiteralSpec{Value: decodeValue(given[kind])}
		case "default":
			return &hcldec.DefaultSpec{
				Primary: decodeSpec(given[kind].(object)), Default: decodeSpec(given["or"].(object)),
			}
		case "refine":
			prefix := text("prefix")
			return &hcldec.RefineValueSpec{
				Wrapped: decodeSpec(given[kind].(object)),
				Refine:  func(value *cty.RefinementBuilder) *cty.RefinementBuilder { return value.StringPrefix(prefix) },
			}
		case "transform":
			if name := text("function"); name != "" {
				return &hcldec.TransformFuncSpec{Wrapped: decodeSpec(given[kind].(object)), Func: offered[name]}
			}
			expr, diags := hclsyntax.ParseExpression([]byte(text("expr")), "transform.hcl", hcl.InitialPos)
			if diags.HasErrors() {
				bad("%s", diags.Error())
			}
			return &hcldec.TransformExprSpec{
				Wrapped: decodeSpec(given[kind].(object)), Expr: expr, VarName: "value",
				TransformCtx: &hcl.EvalContext{Functions: offered},
			}
		}
	}
	bad("%v is not a spec", given)
	return nil
}

func answerDecode(request object) object {
	ctx := contextOf(request)
	var spec hcldec.Spec
	var specDiags hcl.Diagnostics
	switch given := request["spec"].(type) {
	case string:
		spec, ctx, specDiags = readSpecFile(given, ctx)
	case object:
		spec = decodeSpec(given)
	default:
		bad("%v is not a spec", given)
	}
	body, diags := parseFiles(request)
	diags = append(specDiags, diags...)
	answer := object{"parsed": !diags.HasErrors()}
	if !diags.HasErrors() {
		body = expand(body, ctx, request)
		value, more := hcldec.Decode(body, spec, ctx)
		diags = append(diags, more...)
		answer["value"] = encodeValue(value)
		answer["type"] = encodeType(hcldec.ImpliedType(spec))
		if flag(request, "needs") {
			answer["variables"] = traversals(hcldec.Variables(body, spec))
		}
	}
	return judgedFiles(answer, diags)
}

// Functions of a file, and the values of the attributes beside them, which call them.
func answerUserFunctions(request object) object {
	body, diags := parseFiles(request)
	answer := object{"parsed": !diags.HasErrors()}
	if !diags.HasErrors() {
		ctx := contextOf(request)
		all := map[string]function.Function{}
		inner := &hcl.EvalContext{Functions: all}
		functions, rest, more := userfunc.DecodeUserFunctions(body, "function", func() *hcl.EvalContext { return inner })
		diags = append(diags, more...)
		variables := map[string]cty.Value{}
		for around := ctx; around != nil; around = around.Parent() {
			for name, known := range around.Functions {
				if _, hidden := all[name]; !hidden {
					all[name] = known
				}
			}
			for name, value := range around.Variables {
				if _, hidden := variables[name]; !hidden {
					variables[name] = value
				}
			}
		}
		for name, defined := range functions {
			all[name] = defined
		}
		outer := &hcl.EvalContext{Functions: all, Variables: variables}
		schema := &hcl.BodySchema{}
		for _, name := range list(request["want"]) {
			schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name.(string)})
		}
		content, more := rest.Content(schema)
		diags = append(diags, more...)
		values := object{}
		for name, attribute := range content.Attributes {
			value, more := attribute.Expr.Value(outer)
			diags = append(diags, more...)
			values[name] = encodeValue(value)
		}
		answer["values"] = values
	}
	return judgedFiles(answer, diags)
}

// A JSON text as a value of a type.
func answerJsonValue(request object) object {
	src, _ := request["src"].(string)
	value, err := ctyjson.Unmarshal([]byte(src), decodeType(request["type"]))
	if err != nil {
		return object{"ok": false, "message": err.Error()}
	}
	return object{"ok": true, "value": encodeValue(value)}
}
