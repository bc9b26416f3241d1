// A driver of the conformance protocol around the official library, or a fork of it. It reads one request a line,
// and writes one answer a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
)

func answer(line []byte) (result object) {
	var request object
	defer func() {
		switch why := recover().(type) {
		case nil:
		case badRequest:
			result = object{"bad_request": string(why)}
		case unsupported:
			result = object{"unsupported": string(why)}
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
	name, ok := request["op"].(string)
	if !ok {
		return object{"bad_request": "there is no op"}
	}
	for _, op := range operations {
		if op.name == name {
			op.check(request)
			return op.answer(request)
		}
	}
	return object{"unsupported": name}
}

func main() {
	// What recurses without end dies soon, and is started again.
	debug.SetMaxStack(64 << 20)
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
