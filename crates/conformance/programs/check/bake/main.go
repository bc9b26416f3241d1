// Checks files of `docker buildx bake` by its own package. README.md says how questions and answers look.
package main

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/docker/buildx/bake"
)

// The place in a message.
var place = regexp.MustCompile(`:(\d+)(?:,\d+|:\d+)?`)

func check(one request) (result answer) {
	result.Errors = []failure{}
	defer func() {
		if why := recover(); why != nil {
			result.Errors = append(result.Errors, failure{Text: fmt.Sprint("panic: ", why)})
		}
	}()
	if _, _, err := bake.ParseFiles([]bake.File{{Name: one.Name, Data: []byte(one.Text)}}, nil, nil); err != nil {
		line := 0
		if found := place.FindStringSubmatch(err.Error()); found != nil {
			line, _ = strconv.Atoi(found[1])
		}
		result.Errors = append(result.Errors, failure{Line: line, Text: err.Error()})
	}
	return result
}
