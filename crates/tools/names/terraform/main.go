// Prints the names that Terraform's files may contain, as terraform-schema (the data of HashiCorp's language server) has them:
// a table for each kind of file, in the form that `../README.md` describes. The argument is the folder to write them to.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl-lang/schema"
	core "github.com/hashicorp/terraform-schema/schema"
	search "github.com/hashicorp/terraform-schema/schema/search"
	stacks "github.com/hashicorp/terraform-schema/schema/stacks"
	tests "github.com/hashicorp/terraform-schema/schema/tests"
	"github.com/zclconf/go-cty/cty"
)

// The versions in question, each with the first release of its line.
var versions = []string{
	"1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0", "1.8.0", "1.9.0", "1.10.0", "1.11.0", "1.12.0",
	"1.13.0", "1.14.0", "1.15.0",
}

// What one row says, but for the versions.
type row struct{ kind, shape, required string }

// A table: for each path, what it is in which version.
type table map[string]map[int]row

func main() {
	folder := os.Args[1]
	kinds := []struct {
		name string
		of   func(*version.Version) (*schema.BodySchema, error)
	}{
		{"terraform.configuration", core.CoreModuleSchemaForVersion},
		{"terraform.tests", tests.CoreTestSchemaForVersion},
		{"terraform.mocks", tests.CoreMockSchemaForVersion},
		{"terraform.queries", search.CoreSearchSchemaForVersion},
		{"terraform-stack.components", stacks.CoreStackSchemaForVersion},
		{"terraform-stack.deployments", stacks.CoreDeploySchemaForVersion},
	}
	for _, kind := range kinds {
		rows := table{}
		for index, text := range versions {
			body, err := kind.of(version.Must(version.NewVersion(text)))
			if err != nil {
				continue
			}
			rows.body("", body, index, 0)
		}
		if err := os.WriteFile(filepath.Join(folder, kind.name+".txt"), []byte(rows.text()), 0o644); err != nil {
			panic(err)
		}
	}
}

// Adds what a body may contain. A body within bodies of one kind is cut at the sixth level.
func (rows table) body(path string, body *schema.BodySchema, index int, level int) {
	if body == nil || level > 6 {
		return
	}
	for name, attribute := range body.Attributes {
		rows.attribute(path+name, attribute, index, level)
	}
	if body.AnyAttribute != nil {
		rows.attribute(path+"*", body.AnyAttribute, index, level)
	}
	for name, block := range body.Blocks {
		rows.block(path+name, block, index, level)
	}
	if extensions := body.Extensions; extensions != nil {
		if extensions.Count {
			rows.add(path+"count", row{"attribute", "number", "optional"}, index)
		}
		if extensions.ForEach {
			rows.add(path+"for_each", row{"attribute", "any", "optional"}, index)
		}
	}
}

func (rows table) block(path string, block *schema.BlockSchema, index int, level int) {
	required := "optional"
	if block.MinItems > 0 {
		required = "required"
	}
	rows.add(path, row{"block", fmt.Sprintf("labels %d", len(block.Labels)), required}, index)
	rows.body(path+".", block.Body, index, level+1)
	for key, body := range block.DependentBody {
		rows.body(path+"["+keyText(key)+"].", body, index, level+1)
	}
}

// The values of the labels and attributes that a dependent body is chosen by.
func keyText(key schema.SchemaKey) string {
	var keys struct {
		Labels []struct {
			Value string `json:"value"`
		} `json:"labels"`
		Attributes []struct {
			Name string          `json:"name"`
			Expr json.RawMessage `json:"expr"`
		} `json:"attrs"`
	}
	if err := json.Unmarshal([]byte(key), &keys); err != nil {
		panic(err)
	}
	var parts []string
	for _, label := range keys.Labels {
		parts = append(parts, label.Value)
	}
	for _, attribute := range keys.Attributes {
		parts = append(parts, attribute.Name+"="+string(attribute.Expr))
	}
	return strings.Join(parts, ",")
}

func (rows table) attribute(path string, attribute *schema.AttributeSchema, index int, level int) {
	required := "optional"
	if attribute.IsRequired {
		required = "required"
	}
	rows.add(path, row{"attribute", shape(attribute.Constraint), required}, index)
	rows.members(path, attribute.Constraint, index, level+1)
}

// Adds the attributes of the objects that a value may be.
func (rows table) members(path string, constraint schema.Constraint, index int, level int) {
	switch c := constraint.(type) {
	case schema.Object:
		for name, attribute := range c.Attributes {
			rows.attribute(path+"."+name, attribute, index, level)
		}
	case schema.OneOf:
		for _, one := range c {
			rows.members(path, one, index, level)
		}
	case schema.Map:
		rows.members(path+".*", c.Elem, index, level)
	case schema.List:
		rows.members(path+".*", c.Elem, index, level)
	case schema.Set:
		rows.members(path+".*", c.Elem, index, level)
	}
}

// The kind of values in one word, or several joined by `|`.
func shape(constraint schema.Constraint) string {
	switch c := constraint.(type) {
	case schema.AnyExpression:
		return typeShape(c.OfType)
	case schema.LiteralType:
		return typeShape(c.Type)
	case schema.LiteralValue:
		return typeShape(c.Value.Type())
	case schema.Keyword:
		return "keyword"
	case schema.Reference:
		return "reference"
	case schema.TypeDeclaration:
		return "type"
	case schema.List:
		return "list"
	case schema.Set:
		return "set"
	case schema.Tuple:
		return "list"
	case schema.Map:
		return "map"
	case schema.Object:
		return "object"
	case schema.OneOf:
		seen := map[string]bool{}
		for _, one := range c {
			seen[shape(one)] = true
		}
		var all []string
		for one := range seen {
			all = append(all, one)
		}
		sort.Strings(all)
		return strings.Join(all, "|")
	}
	return "any"
}

func typeShape(ty cty.Type) string {
	switch {
	case ty == cty.String:
		return "string"
	case ty == cty.Number:
		return "number"
	case ty == cty.Bool:
		return "bool"
	case ty.IsListType(), ty.IsTupleType():
		return "list"
	case ty.IsSetType():
		return "set"
	case ty.IsMapType():
		return "map"
	case ty.IsObjectType():
		return "object"
	}
	return "any"
}

func (rows table) add(path string, what row, index int) {
	if rows[path] == nil {
		rows[path] = map[int]row{}
	}
	rows[path][index] = what
}

// The text of a table: what each path is in the newest version that has it, the first version and, where later ones lack it,
// the first without it.
func (rows table) text() string {
	var paths []string
	for path := range rows {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	var text strings.Builder
	text.WriteString("# source: github.com/hashicorp/terraform-schema v0.0.0-20260820195734-d277c2a45905\n")
	for _, path := range paths {
		first, last := len(versions), 0
		for index := range rows[path] {
			first, last = min(first, index), max(last, index)
		}
		what := rows[path][last]
		since, until := "-", "-"
		if first > 0 {
			since = strings.TrimSuffix(versions[first], ".0")
		}
		if last+1 < len(versions) {
			until = strings.TrimSuffix(versions[last+1], ".0")
		}
		fmt.Fprintf(&text, "%s\t%s\t%s\t%s\t%s\t%s\n", path, what.kind, what.shape, what.required, since, until)
	}
	return text.String()
}
