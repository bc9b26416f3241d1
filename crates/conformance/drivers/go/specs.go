package main

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// What the program `hcldec` of the module reads spec files with. The program is no library: `build` takes its
// sources for spec files from the module, and compiles them with this driver.
var parser *hclparse.Parser

// The spec in a text, and the context with the variables and functions of its file, unless the request has them.
func readSpecFile(text string, given *hcl.EvalContext) (hcldec.Spec, *hcl.EvalContext, hcl.Diagnostics) {
	const name = "spec.hcl"
	parser = hclparse.NewParser()
	// What was read once is not looked for on the disk.
	if _, diags := parser.ParseHCL([]byte(text), name); diags.HasErrors() {
		return nil, given, diags
	}
	file, diags := loadSpecFile(name)
	if diags.HasErrors() || len(file.Variables)+len(file.Functions) == 0 {
		return file.RootSpec, given, diags
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: map[string]function.Function{}}
	maps.Copy(ctx.Variables, file.Variables)
	maps.Copy(ctx.Functions, file.Functions)
	if given != nil {
		maps.Copy(ctx.Variables, given.Variables)
		maps.Copy(ctx.Functions, given.Functions)
	}
	return file.RootSpec, ctx, diags
}
