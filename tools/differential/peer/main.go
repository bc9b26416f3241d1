// A driver of the conformance protocol around the official library, for what is about bodies: content by
// schemas, dynamic blocks, decoding by specs, and functions that files define. It reads one request a line, and
// writes one answer a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func answer(line []byte) (result object) {
	var request object
	defer func() {
		switch why := recover().(type) {
		case nil:
		case badRequest:
			result = object{"bad_request": string(why)}
		default:
			result = object{"panic": true, "message": fmt.Sprint(why)}
		}
		if id, ok := request["id"]; ok {
			result["id"] = id
		}
	}()
	if err := json.Unmarshal(line, &request); err != nil {
		return object{"bad_request": err.Error()}
	}
	switch request["op"] {
	case "content":
		return answerContent(request)
	case "decode":
		return answerDecode(request)
	case "defaults":
		return answerDefaults(request)
	case "json_value":
		return answerJsonValue(request)
	case "user_functions":
		return answerUserFunctions(request)
	case "echo":
		return object{"ok": true, "value": encodeValue(decodeValue(request["value"]))}
	}
	return object{"unsupported": request["op"]}
}

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer output.Flush()
	for {
		line, err := input.ReadBytes('\n')
		if len(line) > 1 {
			text, wrong := json.Marshal(answer(line))
			if wrong != nil {
				text, _ = json.Marshal(object{"bad_request": wrong.Error()})
			}
			output.Write(append(text, '\n'))
		}
		if err != nil {
			return
		}
		if input.Buffered() == 0 {
			output.Flush()
		}
	}
}
