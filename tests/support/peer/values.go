package main

// Values and types in the encoding of the conformance protocol.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"sort"

	"github.com/zclconf/go-cty/cty"
)

func encType(t cty.Type) interface{} {
	switch {
	case t == cty.DynamicPseudoType:
		return "dynamic"
	case t == cty.String:
		return "string"
	case t == cty.Number:
		return "number"
	case t == cty.Bool:
		return "bool"
	case t.IsListType():
		return []interface{}{"list", encType(t.ElementType())}
	case t.IsSetType():
		return []interface{}{"set", encType(t.ElementType())}
	case t.IsMapType():
		return []interface{}{"map", encType(t.ElementType())}
	case t.IsTupleType():
		l := []interface{}{}
		for _, e := range t.TupleElementTypes() {
			l = append(l, encType(e))
		}
		return []interface{}{"tuple", l}
	case t.IsObjectType():
		m := object{}
		for k, e := range t.AttributeTypes() {
			m[k] = encType(e)
		}
		r := []interface{}{"object", m}
		opt := t.OptionalAttributes()
		if len(opt) > 0 {
			names := []string{}
			for k := range opt {
				names = append(names, k)
			}
			sort.Strings(names)
			r = append(r, names)
		}
		return r
	case t.IsCapsuleType():
		return []interface{}{"capsule", t.FriendlyName()}
	}
	return "?" + t.GoString()
}

func decType(raw json.RawMessage) (cty.Type, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		switch s {
		case "dynamic":
			return cty.DynamicPseudoType, nil
		case "string":
			return cty.String, nil
		case "number":
			return cty.Number, nil
		case "bool":
			return cty.Bool, nil
		}
		return cty.NilType, fmt.Errorf("type %q", s)
	}
	var l []json.RawMessage
	if err := json.Unmarshal(raw, &l); err != nil {
		return cty.NilType, err
	}
	var kind string
	json.Unmarshal(l[0], &kind)
	switch kind {
	case "list", "set", "map":
		e, err := decType(l[1])
		if err != nil {
			return e, err
		}
		switch kind {
		case "list":
			return cty.List(e), nil
		case "set":
			return cty.Set(e), nil
		}
		return cty.Map(e), nil
	case "tuple":
		var es []json.RawMessage
		json.Unmarshal(l[1], &es)
		ts := []cty.Type{}
		for _, e := range es {
			t, err := decType(e)
			if err != nil {
				return t, err
			}
			ts = append(ts, t)
		}
		return cty.Tuple(ts), nil
	case "object":
		var es map[string]json.RawMessage
		json.Unmarshal(l[1], &es)
		ts := map[string]cty.Type{}
		for k, e := range es {
			t, err := decType(e)
			if err != nil {
				return t, err
			}
			ts[k] = t
		}
		if len(l) > 2 {
			var opt []string
			json.Unmarshal(l[2], &opt)
			return cty.ObjectWithOptionalAttrs(ts, opt), nil
		}
		return cty.Object(ts), nil
	}
	return cty.NilType, fmt.Errorf("type kind %q", kind)
}

func encNum(f *big.Float) string {
	if f.IsInf() {
		if f.Sign() < 0 {
			return "-inf"
		}
		return "inf"
	}
	return f.Text('g', -1)
}

func encVal(v cty.Value) interface{} {
	if v == cty.NilVal {
		return object{"nil": true}
	}
	if v.IsMarked() {
		u, marks := v.Unmark()
		ms := []string{}
		for m := range marks {
			ms = append(ms, fmt.Sprint(m))
		}
		sort.Strings(ms)
		return object{"marks": ms, "value": encVal(u)}
	}
	t := v.Type()
	if !v.IsKnown() {
		r := object{"unknown": encType(t)}
		if t != cty.DynamicPseudoType {
			rng := v.Range()
			ref := object{}
			if rng.DefinitelyNotNull() {
				ref["notnull"] = true
			}
			if t == cty.String && rng.StringPrefix() != "" {
				ref["prefix"] = rng.StringPrefix()
			}
			if t == cty.Number {
				lo, li := rng.NumberLowerBound()
				hi, hii := rng.NumberUpperBound()
				if lo.IsKnown() && !lo.AsBigFloat().IsInf() {
					ref["min"] = []interface{}{encNum(lo.AsBigFloat()), li}
				}
				if hi.IsKnown() && !hi.AsBigFloat().IsInf() {
					ref["max"] = []interface{}{encNum(hi.AsBigFloat()), hii}
				}
			}
			if t.IsCollectionType() {
				if l := rng.LengthLowerBound(); l != 0 {
					ref["minlen"] = l
				}
				if l := rng.LengthUpperBound(); l < 1<<62 {
					ref["maxlen"] = l
				}
			}
			if len(ref) > 0 {
				r["refine"] = ref
			}
		}
		return r
	}
	if v.IsNull() {
		return object{"null": encType(t)}
	}
	switch {
	case t == cty.String:
		return v.AsString()
	case t == cty.Bool:
		return v.True()
	case t == cty.Number:
		return object{"number": encNum(v.AsBigFloat())}
	case t.IsTupleType():
		l := []interface{}{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			l = append(l, encVal(e))
		}
		return object{"tuple": l}
	case t.IsListType():
		l := []interface{}{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			l = append(l, encVal(e))
		}
		return object{"list": l, "of": encType(t.ElementType())}
	case t.IsSetType():
		l := []interface{}{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			l = append(l, encVal(e))
		}
		sort.Slice(l, func(i, j int) bool { return canon(l[i]) < canon(l[j]) })
		return object{"set": l, "of": encType(t.ElementType())}
	case t.IsMapType():
		m := object{}
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			ks, _ := k.Unmark()
			m[ks.AsString()] = encVal(e)
		}
		return object{"map": m, "of": encType(t.ElementType())}
	case t.IsObjectType():
		m := object{}
		for k := range t.AttributeTypes() {
			m[k] = encVal(v.GetAttr(k))
		}
		return object{"object": m}
	}
	return object{"opaque": t.FriendlyName()}
}

func canon(x interface{}) string { b, _ := marshal(x); return string(b) }

func marshal(x interface{}) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

func decNum(s string) (cty.Value, error) {
	switch s {
	case "inf":
		return cty.PositiveInfinity, nil
	case "-inf":
		return cty.NegativeInfinity, nil
	}
	return cty.ParseNumberVal(s)
}

func decVal(raw json.RawMessage) (cty.Value, error) {
	raw = bytes.TrimSpace(raw)
	switch raw[0] {
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return cty.StringVal(s), err
	case 't':
		return cty.True, nil
	case 'f':
		return cty.False, nil
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return cty.NilVal, err
	}
	list := func(raw json.RawMessage) ([]cty.Value, error) {
		var l []json.RawMessage
		if err := json.Unmarshal(raw, &l); err != nil {
			return nil, err
		}
		r := []cty.Value{}
		for _, e := range l {
			v, err := decVal(e)
			if err != nil {
				return nil, err
			}
			r = append(r, v)
		}
		return r, nil
	}
	mp := func(raw json.RawMessage) (map[string]cty.Value, error) {
		var l map[string]json.RawMessage
		if err := json.Unmarshal(raw, &l); err != nil {
			return nil, err
		}
		r := map[string]cty.Value{}
		for k, e := range l {
			v, err := decVal(e)
			if err != nil {
				return nil, err
			}
			r[k] = v
		}
		return r, nil
	}
	if x, ok := m["number"]; ok {
		var s string
		if err := json.Unmarshal(x, &s); err != nil {
			return cty.NilVal, err
		}
		return decNum(s)
	}
	if x, ok := m["marks"]; ok {
		var ms []string
		json.Unmarshal(x, &ms)
		v, err := decVal(m["value"])
		if err != nil {
			return v, err
		}
		for _, mk := range ms {
			v = v.Mark(mk)
		}
		return v, nil
	}
	if x, ok := m["null"]; ok {
		t, err := decType(x)
		return cty.NullVal(t), err
	}
	if x, ok := m["unknown"]; ok {
		t, err := decType(x)
		if err != nil {
			return cty.NilVal, err
		}
		v := cty.UnknownVal(t)
		if rr, ok := m["refine"]; ok {
			var ref struct {
				NotNull bool          `json:"notnull"`
				Prefix  string        `json:"prefix"`
				Min     []interface{} `json:"min"`
				Max     []interface{} `json:"max"`
				MinLen  *int          `json:"minlen"`
				MaxLen  *int          `json:"maxlen"`
			}
			if err := json.Unmarshal(rr, &ref); err != nil {
				return v, err
			}
			b := v.Refine()
			if ref.NotNull {
				b = b.NotNull()
			}
			if ref.Prefix != "" {
				b = b.StringPrefixFull(ref.Prefix)
			}
			if ref.Min != nil {
				n, _ := decNum(ref.Min[0].(string))
				b = b.NumberRangeLowerBound(n, ref.Min[1].(bool))
			}
			if ref.Max != nil {
				n, _ := decNum(ref.Max[0].(string))
				b = b.NumberRangeUpperBound(n, ref.Max[1].(bool))
			}
			if ref.MinLen != nil {
				b = b.CollectionLengthLowerBound(*ref.MinLen)
			}
			if ref.MaxLen != nil {
				b = b.CollectionLengthUpperBound(*ref.MaxLen)
			}
			v = b.NewValue()
		}
		return v, nil
	}
	if x, ok := m["tuple"]; ok {
		l, err := list(x)
		return cty.TupleVal(l), err
	}
	if x, ok := m["object"]; ok {
		l, err := mp(x)
		return cty.ObjectVal(l), err
	}
	for _, k := range []string{"list", "set"} {
		if x, ok := m[k]; ok {
			l, err := list(x)
			if err != nil {
				return cty.NilVal, err
			}
			if len(l) == 0 {
				t, err := decType(m["of"])
				if err != nil {
					return cty.NilVal, err
				}
				if k == "list" {
					return cty.ListValEmpty(t), nil
				}
				return cty.SetValEmpty(t), nil
			}
			if k == "list" {
				return cty.ListVal(l), nil
			}
			return cty.SetVal(l), nil
		}
	}
	if x, ok := m["map"]; ok {
		l, err := mp(x)
		if err != nil {
			return cty.NilVal, err
		}
		if len(l) == 0 {
			t, err := decType(m["of"])
			return cty.MapValEmpty(t), err
		}
		return cty.MapVal(l), nil
	}
	return cty.NilVal, fmt.Errorf("bad value %s", raw)
}
