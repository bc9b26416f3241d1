package main

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr:          "||",
	hclsyntax.OpLogicalAnd:         "&&",
	hclsyntax.OpLogicalNot:         "!",
	hclsyntax.OpEqual:              "==",
	hclsyntax.OpNotEqual:           "!=",
	hclsyntax.OpGreaterThan:        ">",
	hclsyntax.OpGreaterThanOrEqual: ">=",
	hclsyntax.OpLessThan:           "<",
	hclsyntax.OpLessThanOrEqual:    "<=",
	hclsyntax.OpAdd:                "+",
	hclsyntax.OpSubtract:           "-",
	hclsyntax.OpMultiply:           "*",
	hclsyntax.OpDivide:             "/",
	hclsyntax.OpModulo:             "%",
	hclsyntax.OpNegate:             "-",
}

// A body, with its items in the order of the source.
func bodyTree(body *hclsyntax.Body) []any {
	type item struct {
		at   int
		tree object
	}
	var items []item
	for _, attribute := range body.Attributes {
		tree := object{"attr": attribute.Name, "expr": tree(attribute.Expr)}
		items = append(items, item{attribute.NameRange.Start.Byte, tree})
	}
	for _, block := range body.Blocks {
		labels := append([]string{}, block.Labels...)
		tree := object{"block": block.Type, "labels": labels, "body": bodyTree(block.Body)}
		items = append(items, item{block.TypeRange.Start.Byte, tree})
	}
	sort.Slice(items, func(i, j int) bool { return items[i].at < items[j].at })
	answer := []any{}
	for _, item := range items {
		answer = append(answer, item.tree)
	}
	return answer
}

func trees(expressions []hclsyntax.Expression) []any {
	answer := []any{}
	for _, expression := range expressions {
		answer = append(answer, tree(expression))
	}
	return answer
}

func encodeSteps(traversal hcl.Traversal) []any {
	steps := []any{}
	for _, step := range traversal {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			steps = append(steps, object{"root": step.Name})
		case hcl.TraverseAttr:
			steps = append(steps, object{"attr": step.Name})
		case hcl.TraverseIndex:
			steps = append(steps, object{"index": encodeValue(step.Key)})
		default:
			panic(fmt.Sprintf("a step %T", step))
		}
	}
	return steps
}

// The text of an expression that is a literal text, as templates have them as parts.
func literalText(expression hclsyntax.Expression) (string, bool) {
	literal, ok := expression.(*hclsyntax.LiteralValueExpr)
	if !ok || literal.Val.IsNull() || literal.Val.Type() != cty.String {
		return "", false
	}
	return literal.Val.AsString(), true
}

// A template: neighbouring texts become one, empty ones none.
func templateTree(parts []hclsyntax.Expression) object {
	answer, text := []any{}, ""
	flush := func() {
		if text != "" {
			// Only the whole text is in normal form.
			answer = append(answer, object{"lit": cty.StringVal(text).AsString()})
			text = ""
		}
	}
	for _, part := range parts {
		if more, ok := literalText(part); ok {
			text += more
			continue
		}
		flush()
		answer = append(answer, tree(part))
	}
	flush()
	return object{"template": answer}
}

func tree(given hcl.Expression) any {
	switch expression := given.(type) {
	case *hclsyntax.LiteralValueExpr:
		if _, ok := literalText(expression); ok {
			return templateTree([]hclsyntax.Expression{expression})
		}
		return object{"lit": encodeValue(expression.Val)}
	case *hclsyntax.TemplateExpr:
		return templateTree(expression.Parts)
	case *hclsyntax.TemplateWrapExpr:
		return object{"wrap": tree(expression.Wrapped)}
	case *hclsyntax.TemplateJoinExpr:
		return object{"join": tree(expression.Tuple)}
	case *hclsyntax.ScopeTraversalExpr:
		return object{"ref": encodeSteps(expression.Traversal)}
	case *hclsyntax.RelativeTraversalExpr:
		return object{"on": tree(expression.Source), "steps": encodeSteps(expression.Traversal)}
	case *hclsyntax.IndexExpr:
		return object{"on": tree(expression.Collection), "key": tree(expression.Key)}
	case *hclsyntax.SplatExpr:
		return object{"splat": tree(expression.Source), "each": tree(expression.Each)}
	case *hclsyntax.AnonSymbolExpr:
		return object{"item": true}
	case *hclsyntax.FunctionCallExpr:
		call := object{"call": expression.Name, "args": trees(expression.Args)}
		if expression.ExpandFinal {
			call["expand"] = true
		}
		return call
	case *hclsyntax.UnaryOpExpr:
		return object{"op": operators[expression.Op], "args": []any{tree(expression.Val)}}
	case *hclsyntax.BinaryOpExpr:
		return object{"op": operators[expression.Op], "args": []any{tree(expression.LHS), tree(expression.RHS)}}
	case *hclsyntax.ConditionalExpr:
		return object{"cond": []any{
			tree(expression.Condition), tree(expression.TrueResult), tree(expression.FalseResult),
		}}
	case *hclsyntax.ParenthesesExpr:
		return object{"paren": tree(expression.Expression)}
	case *hclsyntax.TupleConsExpr:
		return object{"tuple": trees(expression.Exprs)}
	case *hclsyntax.ObjectConsExpr:
		items := []any{}
		for _, item := range expression.Items {
			items = append(items, []any{tree(item.KeyExpr), tree(item.ValueExpr)})
		}
		return object{"object": items}
	case *hclsyntax.ObjectConsKeyExpr:
		if name := hcl.ExprAsKeyword(expression.Wrapped); name != "" && !expression.ForceNonLiteral {
			return object{"key": name}
		}
		return tree(expression.Wrapped)
	case *hclsyntax.ForExpr:
		return forTree(expression)
	}
	panic(fmt.Sprintf("an expression %T", given))
}

func forTree(expression *hclsyntax.ForExpr) object {
	parts := object{
		"value_var": expression.ValVar,
		"in":        tree(expression.CollExpr),
		"value":     tree(expression.ValExpr),
	}
	if expression.KeyVar != "" {
		parts["key_var"] = expression.KeyVar
	}
	if expression.KeyExpr != nil {
		parts["key"] = tree(expression.KeyExpr)
	}
	if expression.CondExpr != nil {
		parts["if"] = tree(expression.CondExpr)
	}
	if expression.Group {
		parts["group"] = true
	}
	return object{"for": parts}
}
