package main

// Bodies by schemas: the operation `content`.

import (
	"github.com/hashicorp/hcl/v2"
)

type schema struct {
	Attributes []struct {
		Name     string `json:"name"`
		Required bool   `json:"required"`
	} `json:"attributes"`
	Blocks []struct {
		Type   string   `json:"type"`
		Labels []string `json:"labels"`
		Body   *schema  `json:"body"`
	} `json:"blocks"`
	Mode string  `json:"mode"`
	Rest *schema `json:"rest"`
}

type processing struct {
	ctx   *hcl.EvalContext
	diags hcl.Diagnostics
}

func (p *processing) body(body hcl.Body, expected *schema) object {
	missing := encRange(body.MissingItemRange())
	if expected.Mode == "attributes" {
		attributes, diags := body.JustAttributes()
		p.diags = append(p.diags, diags...)
		return object{"missing": missing, "attributes": p.attributes(attributes)}
	}
	wanted := &hcl.BodySchema{}
	for _, one := range expected.Attributes {
		wanted.Attributes = append(wanted.Attributes, hcl.AttributeSchema{Name: one.Name, Required: one.Required})
	}
	inner := map[string]*schema{}
	for _, one := range expected.Blocks {
		wanted.Blocks = append(wanted.Blocks, hcl.BlockHeaderSchema{Type: one.Type, LabelNames: one.Labels})
		inner[one.Type] = one.Body
	}
	var content *hcl.BodyContent
	var rest hcl.Body
	var diags hcl.Diagnostics
	if expected.Mode == "partial" {
		content, rest, diags = body.PartialContent(wanted)
	} else {
		content, diags = body.Content(wanted)
	}
	p.diags = append(p.diags, diags...)
	blocks := []interface{}{}
	for _, block := range content.Blocks {
		labels := append([]string{}, block.Labels...)
		ranges := []interface{}{}
		for _, r := range block.LabelRanges {
			ranges = append(ranges, encRange(r))
		}
		one := object{"type": block.Type, "labels": labels, "label_ranges": ranges,
			"type_range": encRange(block.TypeRange), "range": encRange(block.DefRange)}
		if schema := inner[block.Type]; schema != nil {
			one["content"] = p.body(block.Body, schema)
		}
		blocks = append(blocks, one)
	}
	answer := object{"missing": missing, "content_missing": encRange(content.MissingItemRange),
		"attributes": p.attributes(content.Attributes), "blocks": blocks}
	if rest != nil && expected.Rest != nil {
		answer["rest"] = p.body(rest, expected.Rest)
	}
	return answer
}

func (p *processing) attributes(attributes hcl.Attributes) object {
	all := object{}
	for name, attribute := range attributes {
		value, diags := attribute.Expr.Value(p.ctx)
		p.diags = append(p.diags, diags...)
		all[name] = object{"value": encVal(value), "range": encRange(attribute.Range),
			"name_range": encRange(attribute.NameRange), "expr_range": encRange(attribute.Expr.Range())}
	}
	return all
}
