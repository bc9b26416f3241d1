package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"sort"
	"strconv"
	"strings"
)

// One attribute of a variable that holds an `hcl.BodySchema`.
type argument struct{ schema, name string }

// The kinds of values that functions read from an expression.
var readers = map[string]string{
	"ExprList": "list", "ExprMap": "map", "ExprAsKeyword": "keyword", "AbsTraversalForExpr": "reference",
	"RelTraversalForExpr": "reference", "decodeProviderConfigRef": "reference", "decodeVariableType": "type",
	"decodeVersionConstraint": "string", "decodeDependsOn": "list",
}

// Adds the names in a variable that holds an `hcl.BodySchema`.
func (s *source) body(prefix string, of *folder, name string) {
	shapes, isOpen := of.uses()
	value := of.values[name]
	for _, one := range of.list(value, "Attributes") {
		attribute := of.named(one, "Name")
		required := "optional"
		if ident, ok := field(one, "Required").(*ast.Ident); ok && ident.Name == "true" {
			required = "required"
		}
		kinds := []string{}
		for kind := range shapes[argument{name, attribute}] {
			kinds = append(kinds, kind)
		}
		if len(kinds) == 0 {
			kinds = []string{"any"}
		}
		sort.Strings(kinds)
		s.rows[prefix+attribute] = fmt.Sprintf("attribute\t%s\t%s", strings.Join(kinds, "|"), required)
	}
	for _, one := range of.list(value, "Blocks") {
		labels := 0
		if names, ok := field(one, "LabelNames").(*ast.CompositeLit); ok {
			labels = len(names.Elts)
		}
		s.rows[prefix+of.named(one, "Type")] = fmt.Sprintf("block\tlabels %d\toptional", labels)
	}
	if isOpen[name] {
		s.rows[prefix+"*"] = "attribute\tany\toptional"
	}
}

// Returns the literals in a field of a literal, also if a variable or `append` gives them.
func (f *folder) list(value ast.Expr, name string) []*ast.CompositeLit {
	literal := literalOf(value)
	if literal == nil {
		return nil
	}
	return f.elements(field(literal, name))
}

func (f *folder) elements(value ast.Expr) []*ast.CompositeLit {
	var all []*ast.CompositeLit
	switch v := value.(type) {
	case *ast.CompositeLit:
		for _, one := range v.Elts {
			all = append(all, literalOf(one))
		}
	case *ast.Ident:
		all = f.elements(f.values[v.Name])
	case *ast.CallExpr:
		for _, one := range v.Args {
			all = append(all, f.elements(one)...)
		}
	}
	return all
}

func literalOf(value ast.Expr) *ast.CompositeLit {
	if address, ok := value.(*ast.UnaryExpr); ok {
		value = address.X
	}
	literal, _ := value.(*ast.CompositeLit)
	return literal
}

func field(literal *ast.CompositeLit, name string) ast.Expr {
	for _, one := range literal.Elts {
		if pair, ok := one.(*ast.KeyValueExpr); ok && pair.Key.(*ast.Ident).Name == name {
			return pair.Value
		}
	}
	return nil
}

// The text of a string, or of a constant that is one. Otherwise it is empty.
func (f *folder) text(value ast.Expr) string {
	switch v := value.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(v.Value)
		return text
	case *ast.Ident:
		return f.text(f.values[v.Name])
	}
	return ""
}

// The text in a field of a literal, which must be there.
func (f *folder) named(literal *ast.CompositeLit, name string) string {
	text := f.text(field(literal, name))
	if text == "" {
		fmt.Fprintf(os.Stderr, "no %s in a part of a schema in %s\n", name, f.path)
		os.Exit(1)
	}
	return text
}

// Returns the kinds of values that the functions of a folder read from each attribute of a body, and the bodies that may have more than
// their schema says, because something else reads the rest.
func (f *folder) uses() (map[argument]map[string]bool, map[string]bool) {
	shapes, isOpen := map[argument]map[string]bool{}, map[string]bool{}
	for _, function := range f.functions {
		use := &uses{of: f, shapes: shapes, isOpen: isOpen, types: map[string]ast.Expr{}, schemas: map[string]string{}, attributes: map[string]argument{}, ranges: map[string]string{}}
		for _, one := range function.Type.Params.List {
			for _, name := range one.Names {
				use.types[name.Name] = one.Type
			}
		}
		ast.Inspect(function.Body, use.node)
	}
	return shapes, isOpen
}

// What the variables of a function hold at a place in it.
type uses struct {
	of         *folder
	shapes     map[argument]map[string]bool
	isOpen     map[string]bool
	types      map[string]ast.Expr
	schemas    map[string]string
	attributes map[string]argument
	ranges     map[string]string
}

func (u *uses) node(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.ValueSpec:
		for _, name := range n.Names {
			u.types[name.Name] = n.Type
		}
	case *ast.AssignStmt:
		if name, ok := n.Lhs[0].(*ast.Ident); ok && len(n.Rhs) == 1 {
			u.assign(name.Name, n.Rhs[0])
		}
	case *ast.RangeStmt:
		if content, ok := attributesOf(n.X); ok && n.Value != nil {
			u.ranges[n.Value.(*ast.Ident).Name] = u.schemas[content]
		}
	case *ast.CaseClause:
		for _, one := range n.List {
			if literal, ok := one.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				for attribute, schema := range u.ranges {
					u.attributes[attribute] = argument{schema, u.of.text(literal)}
				}
			}
		}
	case *ast.CallExpr:
		u.call(n)
	}
	return true
}

// A variable gets a value: a body's content, an attribute, a struct, or a schema.
func (u *uses) assign(name string, value ast.Expr) {
	if literal := literalOf(value); literal != nil {
		u.types[name] = literal.Type
	}
	switch v := value.(type) {
	case *ast.Ident:
		if u.of.values[v.Name] != nil {
			u.schemas[name] = v.Name
		}
	case *ast.IndexExpr:
		if content, ok := attributesOf(v.X); ok {
			u.attributes[name] = argument{u.schemas[content], u.of.text(v.Index)}
		}
	case *ast.CallExpr:
		if called, ok := v.Fun.(*ast.Ident); ok {
			u.types[name] = u.of.result(called.Name)
		}
		selector, ok := v.Fun.(*ast.SelectorExpr)
		if !ok || len(v.Args) != 1 {
			return
		}
		known := u.schema(v.Args[0])
		if known == "" {
			return
		}
		switch selector.Sel.Name {
		case "PartialContent":
			u.isOpen[known] = true
			u.schemas[name] = known
		case "Content":
			u.schemas[name] = known
		}
	}
}

// The name of the schema that an expression is.
func (u *uses) schema(value ast.Expr) string {
	if ident, ok := value.(*ast.Ident); ok {
		if other, ok := u.schemas[ident.Name]; ok {
			return other
		}
		return ident.Name
	}
	return u.of.literals[literalOf(value)]
}

// The type of the first result of a function.
func (f *folder) result(name string) ast.Expr {
	if function := f.called(name); function != nil && function.Type.Results != nil {
		return function.Type.Results.List[0].Type
	}
	return nil
}

// A function reads the expression of an attribute.
func (u *uses) call(call *ast.CallExpr) {
	if len(call.Args) == 0 {
		return
	}
	value := call.Args[0]
	if selector, ok := value.(*ast.SelectorExpr); ok && selector.Sel.Name == "Expr" {
		value = selector.X
	}
	name, ok := value.(*ast.Ident)
	if !ok {
		return
	}
	of, ok := u.attributes[name.Name]
	if !ok {
		return
	}
	called := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		called = f.Name
	case *ast.SelectorExpr:
		called = f.Sel.Name
	}
	kind := readers[called]
	if called == "DecodeExpression" && len(call.Args) == 3 {
		kind = u.kindOf(call.Args[2])
	}
	if kind != "" {
		if u.shapes[of] == nil {
			u.shapes[of] = map[string]bool{}
		}
		u.shapes[of][kind] = true
	}
}

// The kind of values that the target of a decoded expression holds.
func (u *uses) kindOf(target ast.Expr) string {
	if address, ok := target.(*ast.UnaryExpr); ok {
		target = address.X
	}
	var ty ast.Expr
	switch t := target.(type) {
	case *ast.Ident:
		ty = u.types[t.Name]
	case *ast.SelectorExpr:
		holder, ok := t.X.(*ast.Ident)
		if !ok || u.types[holder.Name] == nil {
			return ""
		}
		inner, _ := element(u.types[holder.Name])
		named, ok := inner.(*ast.Ident)
		if !ok {
			return ""
		}
		structure, ok := u.of.types[named.Name].(*ast.StructType)
		if !ok {
			return ""
		}
		for _, one := range structure.Fields.List {
			for _, name := range one.Names {
				if name.Name == t.Sel.Name {
					ty = one.Type
				}
			}
		}
	}
	if ty == nil {
		return ""
	}
	inner, list := element(ty)
	return shape(inner, list, nil, "")
}

// Returns the name of the variable before `.Attributes`.
func attributesOf(value ast.Expr) (string, bool) {
	selector, ok := value.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "Attributes" {
		return "", false
	}
	name, ok := selector.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	return name.Name, true
}
