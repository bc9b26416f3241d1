// Checks job files by the structures of Nomad's own package `api`, whose tags say what a job can have. README.md says how
// questions and answers look.
package main

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/nomad/api"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func check(one request) answer {
	result := answer{Errors: []failure{}}
	file, diags := hclsyntax.ParseConfig([]byte(one.Text), one.Name, hcl.InitialPos)
	for _, diag := range diags {
		result.fail(*diag.Subject, diag.Error())
	}
	if !diags.HasErrors() {
		result.file(file.Body.(*hclsyntax.Body))
	}
	return result
}

func (a *answer) fail(at hcl.Range, text string) {
	a.Errors = append(a.Errors, failure{Line: at.Start.Line, Text: text})
}

// The blocks of a file beside the job, which are no structures of the package.
var inputs = map[string]int{"variable": 1, "variables": 0, "locals": 0}

func (a *answer) file(body *hclsyntax.Body) {
	for name, attribute := range body.Attributes {
		a.fail(attribute.NameRange, "no attribute "+name)
	}
	jobs := 0
	for _, block := range body.Blocks {
		labels, known := inputs[block.Type]
		switch {
		case block.Type == "job":
			jobs++
			a.labels(block, 1)
			a.body(block.Body, reflect.TypeOf(api.Job{}))
		case known:
			a.labels(block, labels)
		default:
			a.fail(block.TypeRange, "no block "+block.Type)
		}
	}
	if jobs != 1 {
		a.fail(body.MissingItemRange(), fmt.Sprintf("%d jobs", jobs))
	}
}

func (a *answer) labels(block *hclsyntax.Block, count int) {
	if len(block.Labels) != count {
		a.fail(block.TypeRange, fmt.Sprintf("%s has %d labels, not %d", block.Type, len(block.Labels), count))
	}
}

// What a field of a structure is in a body.
type field struct {
	isBlock, isOptional bool
	ty                  reflect.Type
	labels              int
}

// The documented parts of bodies that the structures of the package do not have: they are put into other fields.
func more(t reflect.Type, fields map[string]field) {
	vault := field{isBlock: true, ty: reflect.TypeOf(&api.Vault{})}
	switch t {
	case reflect.TypeOf(api.Job{}):
		fields["vault"] = vault
		fields["task"] = field{isBlock: true, ty: reflect.TypeOf([]*api.Task{}), labels: 1}
	case reflect.TypeOf(api.TaskGroup{}):
		fields["vault"] = vault
	case reflect.TypeOf(api.Task{}):
		policy := fields["scaling"]
		policy.labels = 1
		fields["scaling"] = policy
	case reflect.TypeOf(api.Constraint{}), reflect.TypeOf(api.Affinity{}):
		for _, name := range []string{"version", "semver", "regexp", "set_contains", "set_contains_all", "set_contains_any"} {
			fields[name] = field{isOptional: true, ty: reflect.TypeOf("")}
		}
		if t == reflect.TypeOf(api.Constraint{}) {
			fields["distinct_hosts"] = field{isOptional: true, ty: reflect.TypeOf(true)}
			fields["distinct_property"] = field{isOptional: true, ty: reflect.TypeOf("")}
		}
	}
}

// The fields of a structure with their names in a body, and the number of labels.
func fieldsOf(t reflect.Type) (map[string]field, int) {
	fields, labels := map[string]field{}, 0
	for i := 0; i < t.NumField(); i++ {
		name, kind, _ := strings.Cut(t.Field(i).Tag.Get("hcl"), ",")
		ty := t.Field(i).Type
		switch {
		case kind == "label":
			labels++
		case name == "" || name == "-":
		case kind == "block":
			one := field{isBlock: true, ty: ty}
			if inner := structure(ty); inner != nil {
				_, one.labels = fieldsOf(inner)
			}
			fields[name] = one
		default:
			fields[name] = field{isOptional: strings.Contains(kind, "optional") || ty.Kind() == reflect.Pointer, ty: ty}
		}
	}
	more(t, fields)
	return fields, labels
}

// The structure that a pointer, slice or map leads to.
func structure(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}

func (a *answer) body(body *hclsyntax.Body, t reflect.Type) {
	fields, _ := fieldsOf(t)
	for name, attribute := range body.Attributes {
		one, known := fields[name]
		switch {
		case !known, one.isBlock && (one.ty.Kind() != reflect.Map || structure(one.ty) != nil):
			a.fail(attribute.NameRange, "no attribute "+name)
		default:
			a.value(attribute.Expr, one.ty)
		}
	}
	counts := map[string]int{}
	generated := false
	for _, block := range body.Blocks {
		name, inner, labels := block.Type, block.Body, block.Labels
		if name == "dynamic" && len(labels) == 1 {
			generated = true
			name = labels[0]
			labels = nil
			for _, content := range block.Body.Blocks {
				if content.Type == "content" {
					inner = content.Body
				}
			}
		}
		one, known := fields[name]
		if !known || !one.isBlock {
			a.fail(block.TypeRange, "no block "+name)
			continue
		}
		counts[name]++
		if one.ty.Kind() == reflect.Pointer && counts[name] > 1 {
			a.fail(block.TypeRange, "a second block "+name)
		}
		if block.Type != "dynamic" {
			a.labels(block, one.labels)
		}
		if next := structure(one.ty); next != nil {
			a.body(inner, next)
		}
	}
	for name, one := range fields {
		if !one.isBlock && !one.isOptional && body.Attributes[name] == nil {
			a.fail(body.MissingItemRange(), "no "+name)
		}
	}
	// The driver has a check of its own when the job is submitted.
	if _, isTask := fields["driver"]; isTask && t == reflect.TypeOf(api.Task{}) && body.Attributes["driver"] == nil && !generated {
		a.fail(body.MissingItemRange(), "no driver")
	}
}

// Converts a value that depends on nothing to the type of a field.
func (a *answer) value(expression hclsyntax.Expression, t reflect.Type) {
	if len(expression.Variables()) > 0 {
		return
	}
	value, diags := expression.Value(nil)
	if diags.HasErrors() || value.IsNull() {
		return
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeOf(time.Duration(0)) {
		if value.Type() == cty.String {
			if _, err := time.ParseDuration(value.AsString()); err != nil {
				a.fail(expression.Range(), err.Error())
			}
		} else if value.Type() != cty.Number {
			a.fail(expression.Range(), "no duration")
		}
		return
	}
	wanted := typeOf(t)
	converted, err := convert.Convert(value, wanted)
	switch {
	case err != nil:
		a.fail(expression.Range(), err.Error())
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 && !converted.AsBigFloat().IsInt():
		a.fail(expression.Range(), "no whole number")
	}
}

func typeOf(t reflect.Type) cty.Type {
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Bool:
		return cty.Bool
	case reflect.String:
		return cty.String
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return cty.String
		}
		if element := typeOf(t.Elem()); element != cty.DynamicPseudoType {
			return cty.List(element)
		}
		return cty.DynamicPseudoType
	case reflect.Map:
		if element := typeOf(t.Elem()); element != cty.DynamicPseudoType {
			return cty.Map(element)
		}
		return cty.DynamicPseudoType
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return cty.Number
	}
	return cty.DynamicPseudoType
}
