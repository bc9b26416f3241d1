// Checks templates of Packer by its own package. README.md says how questions and answers look.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/packer/hcl2template"
	"github.com/hashicorp/packer/packer"
)

// What is said of parts of plugins that are not installed, and of values that are given from outside.
var ofOthers = regexp.MustCompile(`^(Unknown .*type |Unset variable )`)

// Newer than what files ask for: their constraints are no matter of the schema.
const coreVersion = "1.99.0"

func check(one request) (result answer) {
	result.Errors = []failure{}
	defer func() {
		if why := recover(); why != nil {
			result.Errors = append(result.Errors, failure{Text: fmt.Sprint("panic: ", why)})
		}
	}()
	for _, wrong := range found(one) {
		if wrong.Severity != hcl.DiagError || ofOthers.MatchString(wrong.Summary) {
			continue
		}
		line := 0
		if wrong.Subject != nil {
			line = wrong.Subject.Start.Line
		}
		result.Errors = append(result.Errors, failure{Line: line, Text: wrong.Summary + ": " + wrong.Detail})
	}
	return result
}

func found(one request) hcl.Diagnostics {
	if strings.HasSuffix(one.Name, ".pkrvars.hcl") {
		file, found := hclparse.NewParser().ParseHCL([]byte(one.Text), one.Name)
		if !found.HasErrors() {
			_, found = file.Body.JustAttributes()
		}
		return found
	}
	folder, err := os.MkdirTemp("", "packer")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "main.pkr.hcl")
	if err := os.WriteFile(path, []byte(one.Text), 0o600); err != nil {
		panic(err)
	}
	// There are no plugins, so what they have is not looked at.
	parser := &hcl2template.Parser{
		CorePackerVersion:       version.Must(version.NewSemver(coreVersion)),
		CorePackerVersionString: coreVersion,
		Parser:                  hclparse.NewParser(),
		PluginConfig: &packer.PluginConfig{
			Builders:       packer.MapOfBuilder{},
			Provisioners:   packer.MapOfProvisioner{},
			PostProcessors: packer.MapOfPostProcessor{},
			DataSources:    packer.MapOfDatasource{},
		},
	}
	config, found := parser.Parse(path, nil, nil)
	if !found.HasErrors() {
		found = append(found, config.Initialize(packer.InitializeOptions{})...)
	}
	return found
}
