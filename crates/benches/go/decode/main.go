// Times the official library on what crates/benches/decode.rs decodes: prints the median seconds of parsing and
// decoding, and of decoding alone.
package main

import (
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

const rounds = 15

// The spec of crates/benches/support/decode.hcldec.
func spec() hcldec.Spec {
	return hcldec.ObjectSpec{
		"project": &hcldec.AttrSpec{Name: "project", Type: cty.String, Required: true},
		"service": &hcldec.BlockMapSpec{
			TypeName:   "service",
			LabelNames: []string{"region", "name"},
			Nested: hcldec.ObjectSpec{
				"image":    &hcldec.AttrSpec{Name: "image", Type: cty.String, Required: true},
				"replicas": &hcldec.AttrSpec{Name: "replicas", Type: cty.Number},
				"tags":     &hcldec.AttrSpec{Name: "tags", Type: cty.Map(cty.String)},
				"port": &hcldec.BlockListSpec{
					TypeName: "port",
					Nested: hcldec.ObjectSpec{
						"number": &hcldec.AttrSpec{Name: "number", Type: cty.Number, Required: true},
						"public": &hcldec.AttrSpec{Name: "public", Type: cty.Bool},
					},
				},
				"health": &hcldec.BlockSpec{
					TypeName: "health",
					Nested: hcldec.ObjectSpec{
						"path": &hcldec.AttrSpec{Name: "path", Type: cty.String},
						"interval": &hcldec.DefaultSpec{
							Primary: &hcldec.AttrSpec{Name: "interval", Type: cty.Number},
							Default: &hcldec.LiteralSpec{Value: cty.NumberIntVal(30)},
						},
					},
				},
			},
		},
	}
}

func parse(source []byte) hcl.Body {
	file, diags := hclsyntax.ParseConfig(source, "input.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		panic(diags)
	}
	return file.Body
}

func decode(body hcl.Body) {
	if _, diags := hcldec.Decode(body, spec(), nil); diags.HasErrors() {
		panic(diags)
	}
}

func median(work func() time.Duration) float64 {
	times := make([]float64, rounds)
	for i := range times {
		times[i] = work().Seconds()
	}
	sort.Float64s(times)
	return times[rounds/2]
}

func main() {
	source, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	all := median(func() time.Duration {
		start := time.Now()
		decode(parse(source))
		return time.Since(start)
	})
	alone := median(func() time.Duration {
		body := parse(source)
		start := time.Now()
		decode(body)
		return time.Since(start)
	})
	fmt.Println(all, alone)
}
