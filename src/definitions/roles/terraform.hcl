# What defines names in files of Terraform and OpenTofu.

functions        = "terraform"
later            = ["path", "terraform", "tofu"]
later_functions  = ["provider::*"]
overriding_files = ["override", "*_override"]

# A name that is not defined is a mistake in all blocks, but for what says where something was or will be, which
# attributes do not matter, and what names a provider.
check_blocks      = true
protect_sensitive = true
addresses = [
  "moved.from", "moved.to", "removed.from", "import.to", "import.provider", "lifecycle.ignore_changes",
  "resource.provider", "data.provider", "ephemeral.provider", "module.providers", "override_module.target",
  "override_resource.target", "override_data.target",
]

define "locals" {
  kind    = attributes
  address = "local.{attribute}"
}

define "variable" {
  kind     = input
  address  = "var.{name}"
  constant = true
}

define "output" {
  kind   = value
  labels = ["name"]
  value  = "value"
  checks = ["precondition"]

  names "depends_on" {}
}

define "module" {
  kind     = module
  address  = "module.{name}"
  source   = "source"
  ignore   = ["version", "providers", "depends_on", "lifecycle"]
  for_each = "for_each"
  count    = "count"
  enabled  = "lifecycle.enabled"

  names "depends_on" {}
}

# What is written in a resource is known before the resource is made; what else it has only afterwards.
define "resource" {
  kind         = object
  address      = "{type}.{name}"
  aliases      = ["resource.{type}.{name}"]
  open         = true
  by_attribute = true
  ignore       = ["provider", "depends_on", "lifecycle", "provisioner", "connection"]
  for_each     = "for_each"
  count        = "count"
  enabled      = "lifecycle.enabled"
  itself       = "self"
  checks       = ["lifecycle.precondition", "lifecycle.postcondition"]

  names "depends_on" {}
  names "lifecycle.replace_triggered_by" {}
}

# What a data source gives may differ from what is asked of it.
define "data" {
  kind     = object
  address  = "data.{type}.{name}"
  open     = true
  ignore   = ["provider", "depends_on", "lifecycle"]
  for_each = "for_each"
  count    = "count"
  enabled  = "lifecycle.enabled"
  itself   = "self"
  checks   = ["lifecycle.precondition", "lifecycle.postcondition"]

  names "depends_on" {}
}

define "ephemeral" {
  kind     = object
  address  = "ephemeral.{type}.{name}"
  open     = true
  ignore   = ["provider", "depends_on", "lifecycle"]
  for_each = "for_each"
  count    = "count"
  enabled  = "lifecycle.enabled"
  checks   = ["lifecycle.precondition", "lifecycle.postcondition"]

  names "depends_on" {}
}

# Strings that are addresses: in JSON all of them are.
names "moved.from" {
  optional = true
}
names "moved.to" {
  optional = true
}
names "removed.from" {
  optional = true
}
names "import.to" {
  optional = true
}
names "check.{name}.data.{type}.{name}.depends_on" {
  optional = true
}

# Files with values for the variables.
beside {
  files  = ["*.tfvars", "*.tfvars.json"]
  given  = ["terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json"]
  inputs = ["{attribute}"]
}

# Tests, which call the files beside them or above them.
beside {
  files   = ["*.tftest.hcl", "*.tftest.json", "*.tofutest.hcl", "*.tofutest.json"]
  folders = ["tests"]
  inputs  = ["variables.{attribute}", "run.{name}.variables.{attribute}"]
  results = ["output.{name}", "run.{run}.{name}"]
  others  = ["run.{name}.module"]

  result_keys = ["override_module.target.outputs", "run.{name}.override_module.target.outputs"]
}
