// The part of these programs that is the same for all languages: it answers each line by a line. README.md says how questions
// and answers look.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
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
		out.Encode(check(one))
	}
}
