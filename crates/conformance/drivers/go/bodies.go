package main

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

func position(pos hcl.Pos) []any {
	return []any{pos.Line, pos.Column, pos.Byte}
}

func place(rng hcl.Range) []any {
	return []any{rng.Filename, position(rng.Start), position(rng.End)}
}

// What is said of one source, or of files, whose names stand before the positions then.
func encodeDiagnostics(diags hcl.Diagnostics, ofFiles bool) []any {
	list := []any{}
	for _, diag := range diags {
		severity := "error"
		if diag.Severity == hcl.DiagWarning {
			severity = "warning"
		}
		entry := object{"severity": severity, "summary": diag.Summary, "detail": diag.Detail}
		if diag.Subject != nil {
			if ofFiles {
				entry["range"] = place(*diag.Subject)
			} else {
				entry["range"] = place(*diag.Subject)[1:]
			}
		}
		list = append(list, entry)
	}
	return list
}

// The answer to a request about one source, with what was found wrong in it.
func judged(answer object, diags hcl.Diagnostics) object {
	answer["ok"] = !diags.HasErrors()
	answer["diags"] = encodeDiagnostics(diags, false)
	return answer
}

// The answer to a request about files.
func judgedFiles(answer object, diags hcl.Diagnostics) object {
	answer["ok"] = !diags.HasErrors()
	answer["diags"] = encodeDiagnostics(diags, true)
	return answer
}

// The files of a request, merged if there are several.
func parseFiles(request object) (hcl.Body, hcl.Diagnostics) {
	files, _ := request["files"].([]any)
	var bodies []hcl.Body
	var diags hcl.Diagnostics
	for _, given := range files {
		file := given.(object)
		name, src := file["name"].(string), []byte(file["src"].(string))
		var parsed *hcl.File
		var more hcl.Diagnostics
		if strings.HasSuffix(name, ".json") {
			parsed, more = json.Parse(src, name)
		} else {
			parsed, more = hclsyntax.ParseConfig(src, name, hcl.InitialPos)
		}
		diags = append(diags, more...)
		if !more.HasErrors() {
			bodies = append(bodies, parsed.Body)
		}
	}
	if len(bodies) == 1 {
		return bodies[0], diags
	}
	return hcl.MergeBodies(bodies), diags
}

func flag(request object, name string) bool {
	return request[name] == true
}

func expand(body hcl.Body, ctx *hcl.EvalContext, request object) hcl.Body {
	if !flag(request, "dynamic") {
		return body
	}
	if !flag(request, "veto") {
		return dynblock.Expand(body, ctx)
	}
	return dynblock.Expand(body, ctx, dynblock.OptCheckForEach(
		func(value cty.Value, expr hcl.Expression, _ *hcl.EvalContext) hcl.Diagnostics {
			if !value.IsMarked() {
				return nil
			}
			return hcl.Diagnostics{{
				Severity: hcl.DiagError,
				Summary:  "Vetoed",
				Detail:   "This collection is vetoed.",
				Subject:  expr.StartRange().Ptr(),
			}}
		}))
}

func list(given any) []any {
	items, _ := given.([]any)
	return items
}

func decodeSchema(given object) *hcl.BodySchema {
	schema := &hcl.BodySchema{}
	for _, item := range list(given["attributes"]) {
		attribute := item.(object)
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{
			Name:     attribute["name"].(string),
			Required: flag(attribute, "required"),
		})
	}
	for _, item := range list(given["blocks"]) {
		block := item.(object)
		var labels []string
		for _, label := range list(block["labels"]) {
			labels = append(labels, label.(string))
		}
		schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: block["type"].(string), LabelNames: labels})
	}
	return schema
}

// The schema for the blocks of a type.
func innerSchema(given object, blockType string) object {
	for _, item := range list(given["blocks"]) {
		block := item.(object)
		if block["type"] == blockType {
			inner, _ := block["body"].(object)
			return inner
		}
	}
	return nil
}

type processing struct {
	ctx   *hcl.EvalContext
	diags hcl.Diagnostics
}

func (p *processing) body(body hcl.Body, given object) object {
	missing := place(body.MissingItemRange())
	if given["mode"] == "attributes" {
		attributes, diags := body.JustAttributes()
		p.diags = append(p.diags, diags...)
		return object{"missing": missing, "attributes": p.attributes(attributes)}
	}
	schema := decodeSchema(given)
	var content *hcl.BodyContent
	var rest hcl.Body
	var diags hcl.Diagnostics
	if given["mode"] == "partial" {
		content, rest, diags = body.PartialContent(schema)
	} else {
		content, diags = body.Content(schema)
	}
	p.diags = append(p.diags, diags...)
	attributes := p.attributes(content.Attributes)
	blocks := []any{}
	for _, block := range content.Blocks {
		blocks = append(blocks, p.block(block, given))
	}
	answer := object{
		"missing":         missing,
		"content_missing": place(content.MissingItemRange),
		"attributes":      attributes,
		"blocks":          blocks,
	}
	if inner, ok := given["rest"].(object); ok && rest != nil {
		answer["rest"] = p.body(rest, inner)
	}
	return answer
}

func (p *processing) attributes(attributes hcl.Attributes) object {
	answer := object{}
	for name, attribute := range attributes {
		value, diags := attribute.Expr.Value(p.ctx)
		p.diags = append(p.diags, diags...)
		answer[name] = object{
			"value":      encodeValue(value),
			"range":      place(attribute.Range),
			"name_range": place(attribute.NameRange),
			"expr_range": place(attribute.Expr.Range()),
			"expr_start": place(attribute.Expr.StartRange()),
			"variables":  traversals(attribute.Expr.Variables()),
		}
	}
	return answer
}

func (p *processing) block(block *hcl.Block, given object) object {
	labels, ranges := []string{}, []any{}
	for _, label := range block.Labels {
		labels = append(labels, label)
	}
	for _, rng := range block.LabelRanges {
		ranges = append(ranges, place(rng))
	}
	answer := object{
		"type":         block.Type,
		"labels":       labels,
		"label_ranges": ranges,
		"type_range":   place(block.TypeRange),
		"range":        place(block.DefRange),
	}
	if inner := innerSchema(given, block.Type); inner != nil {
		answer["content"] = p.body(block.Body, inner)
	}
	return answer
}

func traversals(found []hcl.Traversal) []any {
	answer := []any{}
	for _, traversal := range found {
		answer = append(answer, []any{encodeSteps(traversal), place(traversal.SourceRange())})
	}
	return answer
}

func needed(node dynblock.WalkVariablesNode, given object) []any {
	found, children := node.Visit(decodeSchema(given))
	answer := traversals(found)
	for _, child := range children {
		if inner := innerSchema(given, child.BlockTypeName); inner != nil {
			answer = append(answer, needed(child.Node, inner)...)
		}
	}
	return answer
}

func answerContent(request object) object {
	body, diags := parseFiles(request)
	answer := object{"parsed": !diags.HasErrors()}
	if !diags.HasErrors() {
		schema := request["schema"].(object)
		if flag(request, "needs") {
			answer["variables"] = needed(dynblock.WalkVariables(body), schema)
			answer["expand_variables"] = needed(dynblock.WalkExpandVariables(body), schema)
		}
		ctx := contextOf(request)
		p := &processing{ctx: ctx, diags: diags}
		answer["content"] = p.body(expand(body, ctx, request), schema)
		diags = p.diags
	}
	return judgedFiles(answer, diags)
}
