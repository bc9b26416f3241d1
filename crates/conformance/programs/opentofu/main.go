// Plans folders with OpenTofu's own packages, with providers that accept everything and know nothing, and prints the
// values of all names of the root module. README.md says how folders and answers look.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	version "github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/opentofu/opentofu/internal/addrs"
	"github.com/opentofu/opentofu/internal/configs"
	"github.com/opentofu/opentofu/internal/configs/configschema"
	"github.com/opentofu/opentofu/internal/encryption"
	"github.com/opentofu/opentofu/internal/plans"
	"github.com/opentofu/opentofu/internal/plugins"
	"github.com/opentofu/opentofu/internal/providers"
	"github.com/opentofu/opentofu/internal/provisioners"
	"github.com/opentofu/opentofu/internal/states"
	"github.com/opentofu/opentofu/internal/tfdiags"
	"github.com/opentofu/opentofu/internal/tofu"
)

type request struct {
	Folder    string            `json:"folder"`
	Workspace string            `json:"workspace"`
	Vars      map[string]string `json:"vars"`
	// Load is true if the files of the folder are only to be loaded, without the modules that they call.
	Load bool `json:"load"`
}

type failure struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

type answer struct {
	Folder string `json:"folder"`
	// Loaded is false if the files were refused before anything was evaluated.
	Loaded bool                       `json:"loaded"`
	Values map[string]json.RawMessage `json:"values"`
	Errors []failure                  `json:"errors"`
	Panic  string                     `json:"panic,omitempty"`
}

func main() {
	log.SetOutput(io.Discard)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var one request
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		out.Encode(ask(one))
	}
}

func ask(one request) (result answer) {
	result = answer{Folder: one.Folder, Values: map[string]json.RawMessage{}, Errors: []failure{}}
	defer func() {
		if why := recover(); why != nil {
			result.Panic = fmt.Sprint(why)
		}
	}()
	if one.Workspace == "" {
		one.Workspace = "default"
	}
	// A program is started in the folder of its files.
	start, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	if err := os.Chdir(one.Folder); err != nil {
		panic(err)
	}
	defer os.Chdir(start)
	(&run{one: one, result: &result}).do()
	return result
}

type run struct {
	one    request
	result *answer
	parser *configs.Parser
	// names are those of all attributes that any file refers to: each resource has them all.
	names map[string]bool
	temp  string
}

func (r *run) add(diags tfdiags.Diagnostics) {
	for _, diag := range diags {
		if diag.Severity() != tfdiags.Error {
			continue
		}
		one := failure{Text: diag.Description().Summary + ": " + diag.Description().Detail}
		if at := diag.Source().Subject; at != nil {
			if at.Filename == added {
				// An output cannot have an ephemeral value, so that the plan has none for this name.
				continue
			}
			one.File, one.Line, one.Column = at.Filename, at.Start.Line, at.Start.Column
		}
		r.result.Errors = append(r.result.Errors, one)
	}
}

func (r *run) do() {
	ctx := context.Background()
	temp, err := os.MkdirTemp("", "hcl-lr-opentofu")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(temp)
	r.temp, r.names = temp, map[string]bool{}
	r.parser = configs.NewParser(nil)
	given := func(v *configs.Variable) (cty.Value, hcl.Diagnostics) {
		if text, ok := r.one.Vars[v.Name]; ok {
			return v.ParsingMode.Parse(v.Name, text)
		}
		if v.Required() {
			return cty.UnknownVal(v.Type), nil
		}
		return v.Default, nil
	}
	r.collectNames(".")
	module, diags := r.parser.LoadConfigDir(".", configs.NewStaticModuleCall(addrs.RootModule, hcl.Range{}, given, ".", r.one.Workspace))
	if diags.HasErrors() || module == nil {
		r.add(tfdiags.Diagnostics{}.Append(diags))
		return
	}
	if r.one.Load {
		r.result.Loaded = true
		return
	}
	config, diags := configs.BuildConfig(ctx, module, configs.ModuleWalkerFunc(r.loadModule))
	if diags.HasErrors() {
		r.add(tfdiags.Diagnostics{}.Append(diags))
		return
	}
	r.result.Loaded = true
	config.DeepEach(func(one *configs.Config) {
		one.Module.ProviderRequirements = withoutVersions(one.Module.ProviderRequirements)
		if len(one.Module.DataResources) > 0 {
			r.delay(one.Module)
		}
	})
	addresses := r.addOutputs(module)
	factories := plugins.ProviderFactories{}
	schemas := r.schemas(config)
	for _, provider := range config.ProviderTypes() {
		schema := schemas[provider]
		factories[provider] = func() (providers.Interface, error) { return mock(schema), nil }
	}
	tools := plugins.ProvisionerFactories{}
	for _, name := range []string{"file", "local-exec", "remote-exec", "chef", "habitat", "puppet", "salt-masterless"} {
		tools[name] = func() (provisioners.Interface, error) {
			return &tofu.MockProvisioner{GetSchemaResponse: provisioners.GetSchemaResponse{Provisioner: r.openBlock(provisionerBodies(config))}}, nil
		}
	}
	core, more := tofu.NewContext(&tofu.ContextOpts{
		Meta:        &tofu.ContextMeta{Env: r.one.Workspace},
		Parallelism: 1,
		Plugins:     plugins.NewLibrary(factories, tools),
		Encryption:  encryption.Disabled(),
	})
	if more.HasErrors() {
		r.add(more)
		return
	}
	r.add(core.Validate(ctx, config))
	variables := tofu.InputValues{}
	for name, variable := range module.Variables {
		value := &tofu.InputValue{SourceType: tofu.ValueFromCaller}
		if text, ok := r.one.Vars[name]; ok {
			parsed, diags := variable.ParsingMode.Parse(name, text)
			r.add(tfdiags.Diagnostics{}.Append(diags))
			value.Value = parsed
		} else if variable.Required() {
			value.Value = cty.UnknownVal(variable.Type)
		}
		variables[name] = value
	}
	plan, more := core.Plan(ctx, config, states.NewState(), &tofu.PlanOpts{Mode: plans.NormalMode, SetVariables: variables})
	r.add(more)
	if plan == nil || plan.Changes == nil {
		return
	}
	for _, change := range plan.Changes.Outputs {
		if len(change.Addr.Module) > 0 {
			continue
		}
		address, ok := addresses[change.Addr.OutputValue.Name]
		if !ok {
			continue
		}
		value, err := change.After.Decode(cty.DynamicPseudoType)
		if err != nil {
			continue
		}
		text, err := json.Marshal(shown(value))
		if err != nil {
			panic(err)
		}
		r.result.Values[address] = text
	}
}

func withoutVersions(all *configs.RequiredProviders) *configs.RequiredProviders {
	if all != nil {
		for _, one := range all.RequiredProviders {
			one.Requirement.Required = nil
		}
	}
	return all
}

// added is the name of the file of the outputs that this program adds.
const added = "<added>"

// addOutputs gives the root module an output for everything that has a name, so that the plan has its value.
func (r *run) addOutputs(module *configs.Module) map[string]string {
	all := map[string]string{}
	for name := range module.Outputs {
		all[name] = "output." + name
	}
	add := func(address string) {
		expression, diags := hclsyntax.ParseExpression([]byte(address), added, hcl.InitialPos)
		if diags.HasErrors() {
			return
		}
		name := fmt.Sprintf("hcl_lr_%d", len(all))
		all[name] = address
		module.Outputs[name] = &configs.Output{Name: name, Expr: expression, Sensitive: true, SensitiveSet: true}
	}
	for name := range module.Locals {
		add("local." + name)
	}
	for name, variable := range module.Variables {
		if !variable.Ephemeral {
			add("var." + name)
		}
	}
	for name := range module.ModuleCalls {
		add("module." + name)
	}
	for _, resource := range module.ManagedResources {
		if resource.Type != pending {
			add(resource.Type + "." + resource.Name)
		}
	}
	return all
}

// pending is the type of a resource that is yet to be created, so that what depends on it is only known later.
const pending = "hcl_lr_pending"

// delay makes data sources wait for something, so that nothing is known of them but what they were asked.
func (r *run) delay(module *configs.Module) {
	path := filepath.Join(r.temp, "pending.tf")
	if err := os.WriteFile(path, []byte("resource \""+pending+"\" \"this\" {}\n"), 0o600); err != nil {
		panic(err)
	}
	file, diags := r.parser.LoadConfigFile(path)
	if diags.HasErrors() {
		panic(diags)
	}
	resource := file.ManagedResources[0]
	resource.Provider = addrs.NewDefaultProvider("hcl")
	module.ManagedResources[pending+".this"] = resource
	step := hcl.Traversal{hcl.TraverseRoot{Name: pending}, hcl.TraverseAttr{Name: "this"}}
	for _, data := range module.DataResources {
		data.DependsOn = append(data.DependsOn, step)
	}
}

func (r *run) loadModule(ctx context.Context, req *configs.ModuleRequest) (*configs.Module, *version.Version, hcl.Diagnostics) {
	if source, ok := req.SourceAddr.(addrs.ModuleSourceLocal); ok {
		folder := filepath.Clean(filepath.Join(req.Parent.Module.SourceDir, string(source)))
		if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
			r.collectNames(folder)
			module, diags := r.parser.LoadConfigDir(folder, req.Call)
			return module, nil, diags
		}
	}
	// The module is somewhere else: one that takes whatever it is given, and of whose results nothing is known.
	call := req.Parent.Module.ModuleCalls[req.Name]
	call.Providers = nil
	text := "resource \"" + pending + "\" \"this\" {}\n"
	arguments, _ := call.Config.JustAttributes()
	for name := range arguments {
		text += fmt.Sprintf("variable %q {\n  default = null\n}\n", name)
	}
	for _, name := range r.sortedNames() {
		text += fmt.Sprintf("output %q {\n  value = %s.this.id\n}\n", name, pending)
	}
	folder, err := os.MkdirTemp(r.temp, "module")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "main.tf"), []byte(text), 0o600); err != nil {
		panic(err)
	}
	module, diags := r.parser.LoadConfigDir(folder, req.Call)
	return module, nil, diags
}

var attribute = regexp.MustCompile(`(?:\.|\[")([A-Za-z_][A-Za-z0-9_-]*)`)

func (r *run) collectNames(folder string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".tf") && !strings.HasSuffix(name, ".tf.json") && !strings.HasSuffix(name, ".tofu") && !strings.HasSuffix(name, ".tofu.json") {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(folder, name))
		for _, found := range attribute.FindAllSubmatch(text, -1) {
			r.names[string(found[1])] = true
		}
	}
}

func (r *run) sortedNames() []string {
	all := []string{}
	for name := range r.names {
		all = append(all, name)
	}
	sort.Strings(all)
	return all
}

// schemas says what the files write in each type of block, and what they refer to.
func (r *run) schemas(config *configs.Config) map[addrs.Provider]providers.GetProviderSchemaResponse {
	type bodies map[string][]hcl.Body
	type kinds struct{ managed, data, ephemeral bodies }
	all, settings := map[addrs.Provider]*kinds{}, map[addrs.Provider][]hcl.Body{}
	of := func(provider addrs.Provider) *kinds {
		if all[provider] == nil {
			all[provider] = &kinds{bodies{}, bodies{}, bodies{}}
		}
		return all[provider]
	}
	config.DeepEach(func(one *configs.Config) {
		for _, resource := range one.Module.ManagedResources {
			list := of(resource.Provider).managed
			list[resource.Type] = append(list[resource.Type], resource.Config)
		}
		for _, resource := range one.Module.DataResources {
			list := of(resource.Provider).data
			list[resource.Type] = append(list[resource.Type], resource.Config)
		}
		for _, resource := range one.Module.EphemeralResources {
			list := of(resource.Provider).ephemeral
			list[resource.Type] = append(list[resource.Type], resource.Config)
		}
		for _, provider := range one.Module.ProviderConfigs {
			address := one.Module.ProviderForLocalConfig(addrs.LocalProviderConfig{LocalName: provider.Name})
			settings[address] = append(settings[address], provider.Config)
		}
	})
	result := map[addrs.Provider]providers.GetProviderSchemaResponse{}
	for _, provider := range config.ProviderTypes() {
		own := of(provider)
		schema := func(types bodies) map[string]providers.Schema {
			made := map[string]providers.Schema{}
			for name, list := range types {
				block := r.openBlock(list)
				for name := range r.names {
					if _, taken := block.BlockTypes[name]; !taken && valid(name) && block.Attributes[name] == nil {
						block.Attributes[name] = attributeNamed(name)
					}
				}
				made[name] = providers.Schema{Block: block}
			}
			return made
		}
		ephemeral := schema(own.ephemeral)
		for name, one := range ephemeral {
			ephemeral[name] = takesEphemeral(one)
		}
		result[provider] = providers.GetProviderSchemaResponse{
			Provider:           takesEphemeral(providers.Schema{Block: r.openBlock(settings[provider])}),
			ResourceTypes:      schema(own.managed),
			DataSources:        schema(own.data),
			EphemeralResources: ephemeral,
		}
	}
	return result
}

func provisionerBodies(config *configs.Config) []hcl.Body {
	all := []hcl.Body{}
	config.DeepEach(func(one *configs.Config) {
		for _, resource := range one.Module.ManagedResources {
			for _, provisioner := range resource.Managed.Provisioners {
				all = append(all, provisioner.Config)
			}
		}
	})
	return all
}

var simple = regexp.MustCompile(`^[a-z0-9_]+$`)

// own are the names that mean something to OpenTofu itself.
var own = map[string]bool{
	"connection": true, "count": true, "depends_on": true, "for_each": true, "lifecycle": true, "provider": true,
	"provisioner": true, "alias": true, "version": true, "when": true, "on_failure": true, "_": true, "dynamic": true,
}

func valid(name string) bool { return simple.MatchString(name) && !own[name] }

// attributeNamed is an attribute of any type. Providers end the names of write-only attributes, which take ephemeral
// values, with "_wo".
func attributeNamed(name string) *configschema.Attribute {
	if strings.HasSuffix(name, "_wo") {
		return &configschema.Attribute{Type: cty.DynamicPseudoType, Optional: true, WriteOnly: true}
	}
	return &configschema.Attribute{Type: cty.DynamicPseudoType, Optional: true, Computed: true}
}

// takesEphemeral lets blocks of a schema have ephemeral values, as those of providers and ephemeral resources do.
func takesEphemeral(schema providers.Schema) providers.Schema {
	schema.Block.Ephemeral = true
	return schema
}

// openBlock is a block that has the attributes and blocks of some bodies.
func (r *run) openBlock(bodies []hcl.Body) *configschema.Block {
	block := &configschema.Block{Attributes: map[string]*configschema.Attribute{}, BlockTypes: map[string]*configschema.NestedBlock{}}
	inner := map[string][]hcl.Body{}
	for _, body := range bodies {
		if native, ok := body.(*hclsyntax.Body); ok {
			for name := range native.Attributes {
				if valid(name) {
					block.Attributes[name] = attributeNamed(name)
				}
			}
			for _, one := range native.Blocks {
				if one.Type == "dynamic" && len(one.Labels) == 1 {
					for _, content := range one.Body.Blocks {
						inner[one.Labels[0]] = append(inner[one.Labels[0]], content.Body)
					}
				} else if valid(one.Type) {
					inner[one.Type] = append(inner[one.Type], one.Body)
				}
			}
			continue
		}
		attributes, _ := body.JustAttributes()
		for name := range attributes {
			if valid(name) {
				block.Attributes[name] = attributeNamed(name)
			}
		}
	}
	for name, list := range inner {
		if valid(name) && block.Attributes[name] == nil {
			block.BlockTypes[name] = &configschema.NestedBlock{Block: *r.openBlock(list), Nesting: configschema.NestingList}
		}
	}
	return block
}

func mock(schema providers.GetProviderSchemaResponse) *tofu.MockProvider {
	provider := &tofu.MockProvider{GetProviderSchemaResponse: &schema}
	provider.OpenEphemeralResourceFn = func(req providers.OpenEphemeralResourceRequest) providers.OpenEphemeralResourceResponse {
		return providers.OpenEphemeralResourceResponse{Result: req.Config}
	}
	// What the files do not set is only known later.
	provider.PlanResourceChangeFn = func(req providers.PlanResourceChangeRequest) providers.PlanResourceChangeResponse {
		planned := req.ProposedNewState
		if !planned.IsNull() && planned.IsKnown() {
			parts := planned.AsValueMap()
			for name, attribute := range schema.ResourceTypes[req.TypeName].Block.Attributes {
				if attribute.Computed && parts[name].IsNull() {
					parts[name] = cty.DynamicVal
				}
			}
			planned = cty.ObjectVal(parts)
		}
		return providers.PlanResourceChangeResponse{PlannedState: planned}
	}
	return provider
}

// shown makes JSON of a value: {"?": true} stands for what is not known.
func shown(value cty.Value) any {
	value, _ = value.Unmark()
	switch {
	case !value.IsKnown():
		return map[string]bool{"?": true}
	case value.IsNull():
		return nil
	}
	ty := value.Type()
	switch {
	case ty == cty.String:
		return value.AsString()
	case ty == cty.Bool:
		return value.True()
	case ty == cty.Number:
		return number(value.AsBigFloat())
	case ty.IsMapType() || ty.IsObjectType():
		all := map[string]any{}
		for name, part := range value.AsValueMap() {
			all[name] = shown(part)
		}
		return all
	default:
		all := []any{}
		for it := value.ElementIterator(); it.Next(); {
			_, part := it.Element()
			all = append(all, shown(part))
		}
		return all
	}
}

func number(value *big.Float) any {
	if value.IsInf() {
		return value.String()
	}
	return json.Number(value.Text('f', -1))
}
