package main

// Specs as JSON: the operation `decode`. An object with the kind of the spec as its only name.

import (
	"encoding/json"
	"fmt"

	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

type settings struct {
	Name     string          `json:"name"`
	Type     json.RawMessage `json:"type"`
	Required bool            `json:"required"`
	Block    string          `json:"block"`
	Labels   []string        `json:"labels"`
	Index    int             `json:"index"`
	Min      int             `json:"min"`
	Max      int             `json:"max"`
	Nested   json.RawMessage `json:"nested"`
	Prefix   string          `json:"prefix"`
}

func decSpec(raw json.RawMessage) (hcldec.Spec, error) {
	var kinds map[string]json.RawMessage
	if err := json.Unmarshal(raw, &kinds); err != nil {
		return nil, err
	}
	for kind, raw := range kinds {
		return decKind(kind, raw)
	}
	return nil, fmt.Errorf("a spec has a kind")
}

func decKind(kind string, raw json.RawMessage) (hcldec.Spec, error) {
	switch kind {
	case "object":
		var parts map[string]json.RawMessage
		if err := json.Unmarshal(raw, &parts); err != nil {
			return nil, err
		}
		all := hcldec.ObjectSpec{}
		for name, raw := range parts {
			spec, err := decSpec(raw)
			if err != nil {
				return nil, err
			}
			all[name] = spec
		}
		return all, nil
	case "tuple", "default":
		var parts []json.RawMessage
		if err := json.Unmarshal(raw, &parts); err != nil {
			return nil, err
		}
		all := hcldec.TupleSpec{}
		for _, raw := range parts {
			spec, err := decSpec(raw)
			if err != nil {
				return nil, err
			}
			all = append(all, spec)
		}
		if kind == "tuple" {
			return all, nil
		}
		return &hcldec.DefaultSpec{Primary: all[0], Default: all[1]}, nil
	case "literal":
		value, err := decVal(raw)
		return &hcldec.LiteralSpec{Value: value}, err
	}
	var s settings
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	ty, nested := cty.DynamicPseudoType, hcldec.Spec(nil)
	var err error
	if s.Type != nil {
		if ty, err = decType(s.Type); err != nil {
			return nil, err
		}
	}
	if s.Nested != nil {
		if nested, err = decSpec(s.Nested); err != nil {
			return nil, err
		}
	}
	switch kind {
	case "attr":
		return &hcldec.AttrSpec{Name: s.Name, Type: ty, Required: s.Required}, nil
	case "block":
		return &hcldec.BlockSpec{TypeName: s.Block, Nested: nested, Required: s.Required}, nil
	case "block_list":
		return &hcldec.BlockListSpec{TypeName: s.Block, Nested: nested, MinItems: s.Min, MaxItems: s.Max}, nil
	case "block_set":
		return &hcldec.BlockSetSpec{TypeName: s.Block, Nested: nested, MinItems: s.Min, MaxItems: s.Max}, nil
	case "block_tuple":
		return &hcldec.BlockTupleSpec{TypeName: s.Block, Nested: nested, MinItems: s.Min, MaxItems: s.Max}, nil
	case "block_map":
		return &hcldec.BlockMapSpec{TypeName: s.Block, LabelNames: s.Labels, Nested: nested}, nil
	case "block_object":
		return &hcldec.BlockObjectSpec{TypeName: s.Block, LabelNames: s.Labels, Nested: nested}, nil
	case "block_attrs":
		return &hcldec.BlockAttrsSpec{TypeName: s.Block, ElementType: ty, Required: s.Required}, nil
	case "block_label":
		return &hcldec.BlockLabelSpec{Index: s.Index, Name: s.Name}, nil
	case "transform":
		return &hcldec.TransformFuncSpec{Wrapped: nested, Func: stdlib.UpperFunc}, nil
	case "refine_prefix":
		prefix := s.Prefix
		return &hcldec.RefineValueSpec{Wrapped: nested, Refine: func(b *cty.RefinementBuilder) *cty.RefinementBuilder {
			return b.StringPrefix(prefix)
		}}, nil
	}
	return nil, fmt.Errorf("no spec is called %q", kind)
}
