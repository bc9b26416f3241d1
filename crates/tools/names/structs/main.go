// Prints the names that a program reads from its configuration, as the tags of the structs in its source have them: a table in
// the form that `../README.md` describes. Nothing of the program is built.
//
//	go run . SOURCE TAG [PREFIX=]FOLDER.TYPE …
//
// SOURCE is `module@version` or the folder of a checkout, TAG is `mapstructure`, `hcl` (of version 1), or `gohcl`,
// whose attributes are required unless a tag or a pointer says otherwise. Each FOLDER.TYPE is a struct in a
// folder of the source, whose names stand below PREFIX; or a variable with an `hcl.BodySchema`; or FUNCTION.VARIABLE, where the
// variable of a function has a struct as its type; or FUNCTION.1, the first `hcl.BodySchema` that is written in a function; or a
// function that returns a schema of arguments.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// The source of a program: the folders that were read, and what its module is called.
type source struct {
	root, module, tag string
	gohcl             bool
	packages          map[string]*folder
	rows              map[string]string
}

// One package: its types, and for each the imports of its file.
type folder struct {
	path    string
	types   map[string]ast.Expr
	imports map[string]map[string]string
	// The values of variables and constants.
	values    map[string]ast.Expr
	functions []*ast.FuncDecl
	// The names in `values` of schemas that are written in functions.
	literals map[*ast.CompositeLit]string
}

func main() {
	where, tag := os.Args[1], os.Args[2]
	root := where
	if strings.Contains(where, "@") {
		root = download(where)
	}
	gohcl := tag == "gohcl"
	if gohcl {
		tag = "hcl"
	}
	program := &source{root: root, module: moduleOf(root), tag: tag, gohcl: gohcl, packages: map[string]*folder{}, rows: map[string]string{}}
	for _, argument := range os.Args[3:] {
		prefix, place, found := strings.Cut(argument, "=")
		if !found {
			prefix, place = "", argument
		} else {
			prefix += "."
		}
		of, name := program.locate(place)
		if of == nil {
			fmt.Fprintf(os.Stderr, "no type %s\n", place)
			os.Exit(1)
		}
		if function := of.called(name); function != nil && of.types[name] == nil {
			program.arguments(prefix, of, function)
			continue
		}
		if of.types[name] == nil {
			program.body(prefix, of, name)
			continue
		}
		if path := strings.TrimSuffix(prefix, "."); path != "" && isStruct(of, name) && program.rows[path] == "" {
			program.rows[path] = fmt.Sprintf("block\tlabels %d\toptional", program.labels(of, name))
		}
		program.fields(prefix, of, name, nil)
	}
	name := where
	if !strings.Contains(where, "@") {
		name = program.module + " " + revision(root)
	}
	fmt.Printf("# source: %s\n", strings.Replace(name, "@", " ", 1))
	var paths []string
	for path := range program.rows {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		fmt.Printf("%s\t%s\t-\t-\n", path, program.rows[path])
	}
}

// The folder of a place, and the name of a type or value in it. The type of a function's variable is named `FUNCTION.VARIABLE`.
func (s *source) locate(place string) (*folder, string) {
	dot := strings.LastIndex(place, ".")
	if of := s.read(place[:dot]); of != nil && of.has(place[dot+1:]) {
		return of, place[dot+1:]
	}
	before := strings.LastIndex(place[:dot], ".")
	if before < 0 {
		return nil, ""
	}
	if of := s.read(place[:before]); of != nil && of.has(place[before+1:]) {
		return of, place[before+1:]
	}
	return nil, ""
}

func (f *folder) has(name string) bool {
	return f.types[name] != nil || f.values[name] != nil || f.called(name) != nil
}

// The function of a name.
func (f *folder) called(name string) *ast.FuncDecl {
	for _, function := range f.functions {
		if function.Name.Name == name {
			return function
		}
	}
	return nil
}

// The folder that Go keeps a module in.
func download(module string) string {
	empty, err := os.MkdirTemp("", "names")
	check(err)
	defer os.RemoveAll(empty)
	check(os.WriteFile(filepath.Join(empty, "go.mod"), []byte("module download\n"), 0o644))
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Dir = empty
	out, err := command.Output()
	check(err)
	var answer struct{ Dir string }
	check(json.Unmarshal(out, &answer))
	return answer.Dir
}

// The revision of a checkout: what its file REVISION says.
func revision(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "REVISION"))
	check(err)
	return strings.TrimSpace(string(text))
}

func moduleOf(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	check(err)
	for _, line := range strings.Split(string(text), "\n") {
		if name, found := strings.CutPrefix(line, "module "); found {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The types of a folder, or nil where it has no Go file.
func (s *source) read(path string) *folder {
	if known, found := s.packages[path]; found {
		return known
	}
	files, _ := filepath.Glob(filepath.Join(s.root, path, "*.go"))
	of := &folder{path: path, types: map[string]ast.Expr{}, imports: map[string]map[string]string{}, values: map[string]ast.Expr{}, literals: map[*ast.CompositeLit]string{}}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		check(err)
		imports := map[string]string{}
		for _, one := range tree.Imports {
			long, _ := strconv.Unquote(one.Path.Value)
			short := long[strings.LastIndex(long, "/")+1:]
			if one.Name != nil {
				short = one.Name.Name
			}
			imports[short] = long
		}
		for _, declaration := range tree.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				of.function(d, imports)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch one := spec.(type) {
					case *ast.TypeSpec:
						of.types[one.Name.Name] = one.Type
						of.imports[one.Name.Name] = imports
					case *ast.ValueSpec:
						for index, value := range one.Values {
							of.values[one.Names[index].Name] = value
						}
					}
				}
			}
		}
	}
	if len(of.types) == 0 {
		of = nil
	}
	s.packages[path] = of
	return of
}

// Keeps a function, the structs that are types of its variables, and the schemas of bodies in it.
func (f *folder) function(function *ast.FuncDecl, imports map[string]string) {
	if function.Body == nil {
		return
	}
	f.functions = append(f.functions, function)
	schemas := 0
	ast.Inspect(function.Body, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ValueSpec:
			if structure, ok := n.Type.(*ast.StructType); ok {
				name := function.Name.Name + "." + n.Names[0].Name
				f.types[name], f.imports[name] = structure, imports
			}
		case *ast.CompositeLit:
			if selector, ok := n.Type.(*ast.SelectorExpr); ok && selector.Sel.Name == "BodySchema" {
				schemas++
				name := fmt.Sprintf("%s.%d", function.Name.Name, schemas)
				f.values[name], f.literals[n] = n, name
			}
		}
		return true
	})
}

// A struct, with the names of the types around it, so that a type within itself is read once.
func (s *source) fields(prefix string, of *folder, name string, around []string) {
	key := of.path + "." + name
	for _, one := range around {
		if one == key {
			return
		}
	}
	around = append(around[:len(around):len(around)], key)
	structure, ok := of.types[name].(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range structure.Fields.List {
		s.field(prefix, field, of, of.imports[name], around)
	}
}

func (s *source) field(prefix string, field *ast.Field, of *folder, imports map[string]string, around []string) {
	tag := ""
	if field.Tag != nil {
		text, _ := strconv.Unquote(field.Tag.Value)
		tag = reflect.StructTag(text).Get(s.tag)
	}
	parts := strings.Split(tag, ",")
	name, options := parts[0], parts[1:]
	inner, list := element(field.Type)
	within, typeName := s.find(inner, of, imports)
	embedded := len(field.Names) == 0
	if embedded && name == "" || has(options, "squash") {
		if within != nil {
			s.fields(prefix, within, typeName, around)
		}
		return
	}
	if name == "" || name == "-" || has(options, "label") || has(options, "key") || has(options, "remain") {
		return
	}
	for _, unused := range []string{"unusedKeys", "unusedKeyPositions", "decodedFields"} {
		if has(options, unused) {
			return
		}
	}
	path := prefix + name
	text, _ := strconv.Unquote(field.Tag.Value)
	for _, alias := range strings.Split(reflect.StructTag(text).Get("alias"), ",") {
		if alias != "" {
			s.named(prefix+alias, field, within, typeName, inner, list, options, around)
		}
	}
	s.named(path, field, within, typeName, inner, list, options, around)
}

// Adds a field under one of its names.
func (s *source) named(path string, field *ast.Field, within *folder, typeName string, inner ast.Expr, list string, options, around []string) {
	required := "optional"
	if _, pointer := field.Type.(*ast.StarExpr); s.gohcl && !pointer && !has(options, "optional") && !has(options, "block") {
		required = "required"
	}
	if within != nil && isStruct(within, typeName) {
		s.rows[path] = fmt.Sprintf("block\tlabels %d\t%s", s.labels(within, typeName), "optional")
		s.fields(path+".", within, typeName, around)
		return
	}
	s.rows[path] = fmt.Sprintf("attribute\t%s\t%s", shape(inner, list, within, typeName), required)
}

func has(options []string, option string) bool {
	for _, one := range options {
		if one == option {
			return true
		}
	}
	return false
}

// The number of labels of a block.
func (s *source) labels(of *folder, name string) int {
	count := 0
	for _, field := range of.types[name].(*ast.StructType).Fields.List {
		if field.Tag == nil {
			continue
		}
		text, _ := strconv.Unquote(field.Tag.Value)
		options := strings.Split(reflect.StructTag(text).Get(s.tag), ",")[1:]
		if has(options, "label") || has(options, "key") {
			count += max(1, len(field.Names))
		}
	}
	return count
}

// The type behind pointers and lists, and whether it is in a list or a map.
func element(ty ast.Expr) (ast.Expr, string) {
	switch t := ty.(type) {
	case *ast.StarExpr:
		return element(t.X)
	case *ast.ArrayType:
		inner, _ := element(t.Elt)
		return inner, "list"
	case *ast.MapType:
		inner, _ := element(t.Value)
		return inner, "map"
	}
	return ty, ""
}

// Where a named type is declared, if the source has it.
func (s *source) find(ty ast.Expr, of *folder, imports map[string]string) (*folder, string) {
	switch t := ty.(type) {
	case *ast.Ident:
		if of.types[t.Name] != nil {
			return of, t.Name
		}
	case *ast.SelectorExpr:
		long := imports[t.X.(*ast.Ident).Name]
		if path, found := strings.CutPrefix(long, s.module+"/"); found {
			if other := s.read(path); other != nil && other.types[t.Sel.Name] != nil {
				return other, t.Sel.Name
			}
		}
	}
	return nil, ""
}

func isStruct(of *folder, name string) bool {
	_, ok := of.types[name].(*ast.StructType)
	return ok
}

// The kind of values in one word.
func shape(inner ast.Expr, list string, within *folder, name string) string {
	if list != "" {
		if ident, ok := inner.(*ast.Ident); ok && list == "list" && ident.Name == "byte" {
			return "string"
		}
		return list
	}
	if within != nil {
		under, collection := element(within.types[name])
		if _, pointless := under.(*ast.Ident); pointless || collection != "" {
			return shape(under, collection, nil, "")
		}
	}
	switch t := inner.(type) {
	case *ast.Ident:
		switch t.Name {
		case "string":
			return "string"
		case "bool":
			return "bool"
		case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64":
			return "number"
		}
	case *ast.SelectorExpr:
		if t.Sel.Name == "Duration" {
			return "duration"
		}
	}
	return "any"
}
