package main

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func answerConvert(request object) object {
	value, err := convert.Convert(decodeValue(request["value"]), decodeType(request["type"]))
	if err != nil {
		return object{"ok": false, "message": err.Error()}
	}
	return object{"ok": true, "value": encodeValue(value)}
}

func answerUnify(request object) object {
	var types []cty.Type
	for _, given := range list(request["types"]) {
		types = append(types, decodeType(given))
	}
	unify := convert.Unify
	if request["want"] == "unsafe" {
		unify = convert.UnifyUnsafe
	}
	ty, _ := unify(types)
	if ty == cty.NilType {
		return object{"ok": false}
	}
	return object{"ok": true, "type": encodeType(ty)}
}

func answerCall(request object) object {
	name, _ := request["name"].(string)
	called, ok := offered[name]
	if !ok {
		panic(unsupported("function " + name))
	}
	given, ok := request["args"].([]any)
	if !ok {
		bad("args is not a list")
	}
	var arguments []cty.Value
	for _, given := range given {
		arguments = append(arguments, decodeValue(given))
	}
	value, err := called.Call(arguments)
	if err != nil {
		return object{"ok": false, "message": err.Error()}
	}
	return object{"ok": true, "value": encodeValue(value)}
}

func answerEcho(request object) object {
	return object{"ok": true, "value": encodeValue(decodeValue(request["value"]))}
}
