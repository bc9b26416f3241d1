package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// Adds the arguments that the first schema in a function names: that of a `configschema.Block`, or of a `schema.Backend` or
// `schema.Resource` of plugins.
func (s *source) arguments(prefix string, of *folder, function *ast.FuncDecl) {
	found := false
	ast.Inspect(function.Body, func(node ast.Node) bool {
		literal, ok := node.(*ast.CompositeLit)
		if !ok || found {
			return !found
		}
		if field(literal, "Schema") != nil || field(literal, "Attributes") != nil {
			found = true
			s.argumentsOf(prefix, of, literal)
		}
		return !found
	})
}

func (s *source) argumentsOf(prefix string, of *folder, body *ast.CompositeLit) {
	for _, name := range []string{"Schema", "Attributes", "BlockTypes"} {
		value := of.literal(field(body, name))
		if value == nil {
			continue
		}
		if _, isMap := value.Type.(*ast.MapType); !isMap {
			// A block within a structure that holds it.
			s.argumentsOf(prefix, of, value)
			continue
		}
		for _, one := range value.Elts {
			pair := one.(*ast.KeyValueExpr)
			s.argument(prefix+of.text(pair.Key), of, of.literal(pair.Value), name == "BlockTypes")
		}
	}
}

func (s *source) argument(path string, of *folder, what *ast.CompositeLit, isBlock bool) {
	if what == nil {
		s.rows[path] = "attribute\tany\toptional"
		return
	}
	required := "optional"
	if ident, ok := field(what, "Required").(*ast.Ident); ok && ident.Name == "true" {
		required = "required"
	}
	inner := of.literal(field(what, "Elem"))
	isResource := inner != nil && field(inner, "Schema") != nil
	if isBlock || isResource {
		s.rows[path] = "block\tlabels 0\t" + required
		if isBlock {
			inner = of.literal(field(what, "Block"))
		}
		s.argumentsOf(path+".", of, inner)
		return
	}
	kind := "any"
	if nested := of.literal(field(what, "NestedType")); nested != nil {
		kind = "object"
		s.argumentsOf(path+".", of, nested)
	} else {
		kind = kindOfArgument(field(what, "Type"))
	}
	s.rows[path] = fmt.Sprintf("attribute\t%s\t%s", kind, required)
}

// The kind of values of `cty.String`, `cty.Map(…)` or `schema.TypeString`.
func kindOfArgument(ty ast.Expr) string {
	if call, ok := ty.(*ast.CallExpr); ok {
		ty = call.Fun
	}
	selector, ok := ty.(*ast.SelectorExpr)
	if !ok {
		return "any"
	}
	switch name := strings.TrimPrefix(selector.Sel.Name, "Type"); name {
	case "String", "Number", "Bool", "List", "Set", "Map", "Object":
		return strings.ToLower(name)
	case "Int", "Float":
		return "number"
	}
	return "any"
}

// The literal that an expression is, also if a variable or a function without arguments gives it.
func (f *folder) literal(value ast.Expr) *ast.CompositeLit {
	switch v := value.(type) {
	case *ast.Ident:
		return f.literal(f.values[v.Name])
	case *ast.CallExpr:
		name, ok := v.Fun.(*ast.Ident)
		if !ok {
			return nil
		}
		function := f.called(name.Name)
		if function == nil {
			return nil
		}
		for _, statement := range function.Body.List {
			if result, ok := statement.(*ast.ReturnStmt); ok && len(result.Results) > 0 {
				return f.literal(result.Results[0])
			}
		}
	}
	return literalOf(value)
}
