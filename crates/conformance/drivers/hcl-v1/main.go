// A driver of the conformance protocol around version 1 of the official library, which reads another language: the one
// before HCL 2. It decodes a file into maps in which blocks and objects look alike, and evaluates nothing.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/hashicorp/hcl"
	"github.com/hashicorp/hcl/hcl/parser"
)

type object = map[string]any

func failed(err error) object {
	diagnostic := object{"severity": "error", "summary": err.Error()}
	if found, ok := err.(*parser.PosError); ok {
		place := []int{found.Pos.Line, found.Pos.Column, found.Pos.Offset}
		diagnostic["range"] = []any{place, place}
	}
	return object{"ok": false, "parsed": false, "diags": []any{diagnostic}}
}

func encode(value any) any {
	switch value := value.(type) {
	case nil:
		return object{"null": "dynamic"}
	case bool, string:
		return value
	case int:
		return object{"number": strconv.Itoa(value)}
	case float64:
		return object{"number": strconv.FormatFloat(value, 'g', -1, 64)}
	case []any:
		list := []any{}
		for _, part := range value {
			list = append(list, encode(part))
		}
		return object{"tuple": list}
	case []map[string]any:
		// One object comes as a list of one.
		if len(value) == 1 {
			return encode(value[0])
		}
		list := []any{}
		for _, part := range value {
			list = append(list, encode(part))
		}
		return object{"tuple": list}
	case map[string]any:
		members := object{}
		for name, part := range value {
			members[name] = encode(part)
		}
		return object{"object": members}
	}
	return fmt.Sprint(value)
}

func answer(request object) (result object) {
	defer func() {
		if why := recover(); why != nil {
			result = object{"ok": false, "diags": []any{object{"severity": "error", "summary": fmt.Sprint(why)}}}
		}
	}()
	source, isText := request["src"].(string)
	switch op, _ := request["op"].(string); {
	case op == "about":
		return object{"name": "hashicorp/hcl 1", "version": "1.0.0", "protocol": 1, "reads": "files",
			"operations": []string{"about", "config", "attributes"}, "dialects": []string{"engine"},
			"lacks": []string{"types", "unknowns"}}
	case op != "config" && op != "attributes":
		return object{"unsupported": op}
	case !isText:
		return object{"unsupported": "src_base64"}
	case op == "config":
		if _, err := hcl.Parse(source); err != nil {
			return failed(err)
		}
		return object{"ok": true, "parsed": true, "diags": []any{}}
	}
	if variables, _ := request["vars"].(object); len(variables) > 0 || request["scopes"] != nil || request["functions"] != nil {
		return object{"unsupported": "variables and functions"}
	}
	var found map[string]any
	if err := hcl.Unmarshal([]byte(source), &found); err != nil {
		return failed(err)
	}
	values := object{}
	for name, value := range found {
		values[name] = encode(value)
	}
	return object{"ok": true, "parsed": true, "diags": []any{}, "values": values}
}

func main() {
	input, output := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	input.Buffer(nil, 64<<20)
	for input.Scan() {
		var request object
		if json.Unmarshal(input.Bytes(), &request) != nil || len(request) == 0 {
			continue
		}
		result := answer(request)
		if id, ok := request["id"]; ok {
			result["id"] = id
		}
		output.Encode(result)
	}
}
