// Checks files of `docker buildx bake` by its own package. README.md says how questions and answers look.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"github.com/docker/buildx/bake"
)

type request struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type failure struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

type answer struct {
	Errors []failure `json:"errors"`
}

// The place in a message.
var place = regexp.MustCompile(`:(\d+)(?:,\d+|:\d+)?`)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var one request
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		out.Encode(answer{Errors: ask(one)})
	}
}

func ask(one request) (errors []failure) {
	errors = []failure{}
	defer func() {
		if why := recover(); why != nil {
			errors = append(errors, failure{Text: fmt.Sprint("panic: ", why)})
		}
	}()
	if _, _, err := bake.ParseFiles([]bake.File{{Name: one.Name, Data: []byte(one.Text)}}, nil, nil); err != nil {
		line := 0
		if found := place.FindStringSubmatch(err.Error()); found != nil {
			line, _ = strconv.Atoi(found[1])
		}
		errors = append(errors, failure{Line: line, Text: err.Error()})
	}
	return errors
}
