package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"sort"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

type object = map[string]any

func bad(format string, arguments ...any) {
	panic(badRequest(fmt.Sprintf(format, arguments...)))
}

// A request that is not of the protocol.
type badRequest string

// What this driver does not have.
type unsupported string

func decodeType(given any) cty.Type {
	switch given := given.(type) {
	case string:
		switch given {
		case "string":
			return cty.String
		case "number":
			return cty.Number
		case "bool":
			return cty.Bool
		case "dynamic":
			return cty.DynamicPseudoType
		}
	case []any:
		kind, _ := given[0].(string)
		switch kind {
		case "list":
			return cty.List(decodeType(given[1]))
		case "set":
			return cty.Set(decodeType(given[1]))
		case "map":
			return cty.Map(decodeType(given[1]))
		case "tuple":
			var elements []cty.Type
			for _, element := range given[1].([]any) {
				elements = append(elements, decodeType(element))
			}
			return cty.Tuple(elements)
		case "object":
			attributes := map[string]cty.Type{}
			for name, ty := range given[1].(object) {
				attributes[name] = decodeType(ty)
			}
			var optional []string
			if len(given) > 2 {
				for _, name := range given[2].([]any) {
					optional = append(optional, name.(string))
				}
			}
			return cty.ObjectWithOptionalAttrs(attributes, optional)
		}
	}
	bad("%v is not a type", given)
	return cty.NilType
}

func encodeType(ty cty.Type) any {
	switch {
	case ty == cty.String:
		return "string"
	case ty == cty.Number:
		return "number"
	case ty == cty.Bool:
		return "bool"
	case ty == cty.DynamicPseudoType:
		return "dynamic"
	case ty.IsListType():
		return []any{"list", encodeType(ty.ElementType())}
	case ty.IsSetType():
		return []any{"set", encodeType(ty.ElementType())}
	case ty.IsMapType():
		return []any{"map", encodeType(ty.ElementType())}
	case ty.IsTupleType():
		elements := []any{}
		for _, element := range ty.TupleElementTypes() {
			elements = append(elements, encodeType(element))
		}
		return []any{"tuple", elements}
	case ty.IsObjectType():
		attributes := object{}
		for name, attribute := range ty.AttributeTypes() {
			attributes[name] = encodeType(attribute)
		}
		optional := []string{}
		for name := range ty.OptionalAttributes() {
			optional = append(optional, name)
		}
		if len(optional) == 0 {
			return []any{"object", attributes}
		}
		sort.Strings(optional)
		return []any{"object", attributes, optional}
	}
	return ty.FriendlyName()
}

func decodeNumber(given any) cty.Value {
	text, _ := given.(string)
	switch text {
	case "inf":
		return cty.PositiveInfinity
	case "-inf":
		return cty.NegativeInfinity
	}
	number, err := cty.ParseNumberVal(text)
	if err != nil {
		bad("%v is not a number", given)
	}
	return number
}

func decodeValue(given any) cty.Value {
	switch given := given.(type) {
	case string:
		return cty.StringVal(given)
	case bool:
		return cty.BoolVal(given)
	case object:
		if number, ok := given["number"]; ok {
			return decodeNumber(number)
		}
		if ty, ok := given["null"]; ok {
			return cty.NullVal(decodeType(ty))
		}
		if ty, ok := given["unknown"]; ok {
			return decodeUnknown(decodeType(ty), given["refine"])
		}
		if marks, ok := given["marks"].([]any); ok {
			value := decodeValue(given["value"])
			for _, mark := range marks {
				value = value.Mark(mark.(string))
			}
			return value
		}
		for _, kind := range []string{"tuple", "list", "set"} {
			items, ok := given[kind].([]any)
			if !ok {
				continue
			}
			values := []cty.Value{}
			for _, item := range items {
				values = append(values, decodeValue(item))
			}
			switch {
			case kind == "tuple":
				return cty.TupleVal(values)
			case kind == "list" && len(values) == 0:
				return cty.ListValEmpty(decodeType(given["of"]))
			case kind == "list":
				return cty.ListVal(values)
			case len(values) == 0:
				return cty.SetValEmpty(decodeType(given["of"]))
			default:
				return cty.SetVal(values)
			}
		}
		for _, kind := range []string{"object", "map"} {
			entries, ok := given[kind].(object)
			if !ok {
				continue
			}
			values := map[string]cty.Value{}
			for name, entry := range entries {
				values[name] = decodeValue(entry)
			}
			switch {
			case kind == "object":
				return cty.ObjectVal(values)
			case len(values) == 0:
				return cty.MapValEmpty(decodeType(given["of"]))
			default:
				return cty.MapVal(values)
			}
		}
	}
	bad("%v is not a value", given)
	return cty.NilVal
}

func decodeUnknown(ty cty.Type, given any) cty.Value {
	value := cty.UnknownVal(ty)
	known, ok := given.(object)
	if !ok {
		return value
	}
	refine := value.Refine()
	if known["notnull"] == true {
		refine = refine.NotNull()
	}
	if prefix, ok := known["prefix"].(string); ok && prefix != "" {
		refine = refine.StringPrefixFull(prefix)
	}
	if bound, ok := known["min"].([]any); ok {
		refine = refine.NumberRangeLowerBound(decodeNumber(bound[0]), bound[1].(bool))
	}
	if bound, ok := known["max"].([]any); ok {
		refine = refine.NumberRangeUpperBound(decodeNumber(bound[0]), bound[1].(bool))
	}
	if length, ok := known["minlen"].(float64); ok {
		refine = refine.CollectionLengthLowerBound(int(length))
	}
	if length, ok := known["maxlen"].(float64); ok {
		refine = refine.CollectionLengthUpperBound(int(length))
	}
	return refine.NewValue()
}

func encodeNumber(number *big.Float) string {
	switch {
	case number.IsInf() && number.Signbit():
		return "-inf"
	case number.IsInf():
		return "inf"
	}
	// Most numbers are small and whole, and the text of any other one takes long.
	if whole, accuracy := number.Int64(); accuracy == big.Exact && (whole != 0 || !number.Signbit()) {
		return strconv.FormatInt(whole, 10)
	}
	// Beyond what a double holds, all digits would be pages of zeros.
	if exponent := number.MantExp(nil); exponent > 1<<10 || exponent < -1<<10 {
		return number.Text('e', -1)
	}
	// The shortest text of a double is another number if the double is whole and large.
	if number.IsInt() && number.Prec() <= 64 {
		return number.Text('f', 0)
	}
	return number.Text('f', -1)
}

func encodeValue(value cty.Value) any {
	if value.IsMarked() {
		bare, marks := value.Unmark()
		names := []string{}
		for mark := range marks {
			names = append(names, fmt.Sprint(mark))
		}
		sort.Strings(names)
		return object{"marks": names, "value": encodeValue(bare)}
	}
	ty := value.Type()
	if !value.IsKnown() {
		return encodeUnknown(value)
	}
	if value.IsNull() {
		return object{"null": encodeType(ty)}
	}
	switch {
	case ty == cty.String:
		return value.AsString()
	case ty == cty.Bool:
		return value.True()
	case ty == cty.Number:
		return object{"number": encodeNumber(value.AsBigFloat())}
	case ty.IsTupleType(), ty.IsListType(), ty.IsSetType():
		items := []any{}
		for iterator := value.ElementIterator(); iterator.Next(); {
			_, item := iterator.Element()
			items = append(items, encodeValue(item))
		}
		switch {
		case ty.IsTupleType():
			return object{"tuple": items}
		case ty.IsListType():
			return object{"list": items, "of": encodeType(ty.ElementType())}
		}
		sort.Slice(items, func(i, j int) bool { return written(items[i]) < written(items[j]) })
		return object{"set": items, "of": encodeType(ty.ElementType())}
	case ty.IsObjectType(), ty.IsMapType():
		entries := object{}
		for iterator := value.ElementIterator(); iterator.Next(); {
			key, entry := iterator.Element()
			entries[key.AsString()] = encodeValue(entry)
		}
		if ty.IsObjectType() {
			return object{"object": entries}
		}
		return object{"map": entries, "of": encodeType(ty.ElementType())}
	}
	return object{"other": ty.FriendlyName()}
}

func written(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

func encodeUnknown(value cty.Value) any {
	ty := value.Type()
	answer := object{"unknown": encodeType(ty)}
	if ty == cty.DynamicPseudoType {
		return answer
	}
	known, all := object{}, value.Range()
	if all.DefinitelyNotNull() {
		known["notnull"] = true
	}
	switch {
	case ty == cty.String:
		if prefix := all.StringPrefix(); prefix != "" {
			known["prefix"] = prefix
		}
	case ty == cty.Number:
		if bound, inclusive := all.NumberLowerBound(); bound.IsKnown() && bound != cty.NegativeInfinity {
			known["min"] = []any{encodeNumber(bound.AsBigFloat()), inclusive}
		}
		if bound, inclusive := all.NumberUpperBound(); bound.IsKnown() && bound != cty.PositiveInfinity {
			known["max"] = []any{encodeNumber(bound.AsBigFloat()), inclusive}
		}
	case ty.IsCollectionType():
		if length := all.LengthLowerBound(); length > 0 {
			known["minlen"] = length
		}
		if length := all.LengthUpperBound(); length < 1<<31-1 {
			known["maxlen"] = length
		}
	}
	if len(known) > 0 {
		answer["refine"] = known
	}
	return answer
}
