package main

import (
	"encoding/base64"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/hcl/v2/json"
)

const (
	nativeName = "in.hcl"
	jsonName   = "in.json"
)

func sourceOf(request object) []byte {
	if text, ok := request["src"].(string); ok {
		return []byte(text)
	}
	text, _ := request["src_base64"].(string)
	source, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		bad("src_base64: %s", err)
	}
	return source
}

func wantsTree(request object) bool {
	return request["ast"] != false
}

func answerConfig(request object) object {
	file, diags := hclsyntax.ParseConfig(sourceOf(request), nativeName, hcl.InitialPos)
	answer := object{}
	if wantsTree(request) && !diags.HasErrors() {
		answer["ast"] = bodyTree(file.Body.(*hclsyntax.Body))
	}
	return judged(answer, diags)
}

// What is left of a body with errors.
func answerRecover(request object) object {
	if request["json"] == true {
		return answerRecoverJson(request)
	}
	file, diags := hclsyntax.ParseConfig(sourceOf(request), nativeName, hcl.InitialPos)
	answer := object{"outline": []any{}}
	if file != nil {
		if body, ok := file.Body.(*hclsyntax.Body); ok && body != nil {
			answer["outline"] = outline(body)
		}
	}
	return judged(answer, diags)
}

// The properties of what is left of a JSON file.
func answerRecoverJson(request object) object {
	file, diags := json.Parse(sourceOf(request), jsonName)
	items := []item{}
	if file != nil && file.Body != nil {
		found, _ := file.Body.JustAttributes()
		for _, attribute := range found {
			items = append(items, item{attribute.NameRange.Start.Byte, object{"attr": attribute.Name}})
		}
	}
	return judged(object{"outline": inOrder(items)}, diags)
}

// An entry of an outline, and where it begins.
type item struct {
	at    int
	entry object
}

func inOrder(items []item) []any {
	sort.Slice(items, func(i, j int) bool { return items[i].at < items[j].at })
	list := []any{}
	for _, item := range items {
		list = append(list, item.entry)
	}
	return list
}

func outline(body *hclsyntax.Body) []any {
	items := []item{}
	for _, attribute := range body.Attributes {
		references := []any{}
		if attribute.Expr != nil {
			for _, traversal := range attribute.Expr.Variables() {
				references = append(references, encodeSteps(traversal))
			}
		}
		entry := object{"attr": attribute.Name, "references": references}
		items = append(items, item{attribute.NameRange.Start.Byte, entry})
	}
	for _, block := range body.Blocks {
		entry := object{"block": block.Type, "labels": block.Labels, "body": outline(block.Body)}
		items = append(items, item{block.TypeRange.Start.Byte, entry})
	}
	return inOrder(items)
}

// An expression or a template: its tree, and its value.
func answerExpression(request object) object {
	parse := hclsyntax.ParseExpression
	if request["op"] == "template" {
		parse = hclsyntax.ParseTemplate
	}
	expression, diags := parse(sourceOf(request), nativeName, hcl.InitialPos)
	answer := object{"parsed": !diags.HasErrors()}
	if diags.HasErrors() {
		return judged(answer, diags)
	}
	if wantsTree(request) {
		answer["ast"] = tree(expression)
	}
	if flag(request, "eval") {
		value, more := expression.Value(contextOf(request))
		diags = append(diags, more...)
		answer["value"] = encodeValue(value)
	}
	return judged(answer, diags)
}

// The attributes of a body in either syntax.
func answerAttributes(request object) object {
	var file *hcl.File
	var diags hcl.Diagnostics
	if request["op"] == "json_attributes" {
		file, diags = json.Parse(sourceOf(request), jsonName)
	} else {
		file, diags = hclsyntax.ParseConfig(sourceOf(request), nativeName, hcl.InitialPos)
	}
	answer := object{"parsed": !diags.HasErrors()}
	if diags.HasErrors() {
		return judged(answer, diags)
	}
	found, more := file.Body.JustAttributes()
	diags = append(diags, more...)
	var attributes []*hcl.Attribute
	for _, attribute := range found {
		attributes = append(attributes, attribute)
	}
	sort.Slice(attributes, func(i, j int) bool {
		return attributes[i].NameRange.Start.Byte < attributes[j].NameRange.Start.Byte
	})
	ctx, values := contextOf(request), object{}
	for _, attribute := range attributes {
		value, more := attribute.Expr.Value(ctx)
		diags = append(diags, more...)
		values[attribute.Name] = encodeValue(value)
	}
	answer["values"] = values
	return judged(answer, diags)
}

func answerFormat(request object) object {
	return object{"ok": true, "text": string(hclwrite.Format(sourceOf(request)))}
}

func answerTraversal(request object) object {
	traversal, diags := hclsyntax.ParseTraversalAbs(sourceOf(request), nativeName, hcl.InitialPos)
	answer := object{}
	if !diags.HasErrors() {
		answer["steps"] = encodeSteps(traversal)
	}
	return judged(answer, diags)
}

func answerVariables(request object) object {
	expression, diags := hclsyntax.ParseExpression(sourceOf(request), nativeName, hcl.InitialPos)
	answer := object{}
	if !diags.HasErrors() {
		paths := []any{}
		for _, traversal := range expression.Variables() {
			paths = append(paths, encodeSteps(traversal))
		}
		answer["variables"] = paths
	}
	return judged(answer, diags)
}

// An expression in the syntax that a request says.
func readExpression(request object, isJson bool) (hcl.Expression, hcl.Diagnostics) {
	if isJson {
		return json.ParseExpression(sourceOf(request), jsonName)
	}
	return hclsyntax.ParseExpression(sourceOf(request), nativeName, hcl.InitialPos)
}

func answerStatic(request object) object {
	expression, diags := readExpression(request, request["op"] == "json_static")
	if diags.HasErrors() {
		return judged(object{}, diags)
	}
	ctx := contextOf(request)
	// What is JSON is shown by its value.
	show := func(part hcl.Expression) any {
		if native, ok := part.(hclsyntax.Expression); ok {
			return tree(native)
		}
		value, _ := part.Value(ctx)
		return object{"value": encodeValue(value)}
	}
	showAll := func(parts []hcl.Expression) []any {
		shown := []any{}
		for _, part := range parts {
			shown = append(shown, show(part))
		}
		return shown
	}
	answer := object{}
	switch request["want"] {
	case "list":
		parts, more := hcl.ExprList(expression)
		if diags = append(diags, more...); !more.HasErrors() {
			answer["list"] = showAll(parts)
		}
	case "map":
		pairs, more := hcl.ExprMap(expression)
		if diags = append(diags, more...); !more.HasErrors() {
			shown := []any{}
			for _, pair := range pairs {
				shown = append(shown, []any{show(pair.Key), show(pair.Value)})
			}
			answer["map"] = shown
		}
	case "call":
		call, more := hcl.ExprCall(expression)
		if diags = append(diags, more...); !more.HasErrors() {
			answer["call"], answer["args"] = call.Name, showAll(call.Arguments)
		}
	case "traversal":
		traversal, more := hcl.AbsTraversalForExpr(expression)
		if diags = append(diags, more...); !more.HasErrors() {
			answer["steps"] = encodeSteps(traversal)
		}
	default:
		answer["keyword"] = hcl.ExprAsKeyword(expression)
	}
	return judged(answer, diags)
}

func answerType(request object) object {
	expression, diags := readExpression(request, flag(request, "json"))
	answer := object{}
	if !diags.HasErrors() {
		ty, more := typeexpr.Type(expression)
		if request["want"] == "constraint" {
			ty, _, more = typeexpr.TypeConstraintWithDefaults(expression)
		}
		if diags = append(diags, more...); !diags.HasErrors() {
			answer["type"] = encodeType(ty)
		}
	}
	return judged(answer, diags)
}

// A constraint, and a value with its defaults.
func answerDefaults(request object) object {
	expression, diags := readExpression(request, flag(request, "json"))
	answer := object{}
	if !diags.HasErrors() {
		ty, defaults, more := typeexpr.TypeConstraintWithDefaults(expression)
		if diags = append(diags, more...); !diags.HasErrors() {
			value := decodeValue(request["value"])
			if defaults != nil {
				value = defaults.Apply(value)
			}
			answer["type"], answer["value"] = encodeType(ty), encodeValue(value)
		}
	}
	return judged(answer, diags)
}
