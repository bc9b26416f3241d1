# What defines names in files of Terraform and OpenTofu.

functions        = "terraform"
later            = ["path", "terraform", "tofu"]
later_functions  = ["provider::*"]
overriding_files = ["override", "*_override"]

# A name that is not defined is a mistake in all blocks, but for what says where something was or will be, which
# attributes do not matter, and what names a provider.
check_blocks = true
addresses = [
  "moved.from", "moved.to", "removed.from", "import.to", "import.provider", "lifecycle.ignore_changes",
  "resource.provider", "data.provider", "ephemeral.provider", "module.providers",
]

define "locals" {
  kind    = attributes
  address = "local.{attribute}"
}

define "variable" {
  kind    = input
  address = "var.{name}"
}

define "output" {
  kind   = value
  labels = ["name"]
  value  = "value"
  checks = ["precondition"]
}

define "module" {
  kind     = module
  address  = "module.{name}"
  source   = "source"
  ignore   = ["version", "providers", "depends_on", "lifecycle", "enabled"]
  for_each = "for_each"
  count    = "count"
}

# What is written in a resource is known before the resource is made; what else it has only afterwards.
define "resource" {
  kind         = object
  address      = "{type}.{name}"
  aliases      = ["resource.{type}.{name}"]
  open         = true
  by_attribute = true
  ignore       = ["provider", "depends_on", "lifecycle", "provisioner", "connection", "enabled"]
  for_each     = "for_each"
  count        = "count"
  itself       = "self"
  checks       = ["lifecycle.precondition", "lifecycle.postcondition"]
}

# What a data source gives may differ from what is asked of it.
define "data" {
  kind     = object
  address  = "data.{type}.{name}"
  open     = true
  ignore   = ["provider", "depends_on", "lifecycle", "enabled"]
  for_each = "for_each"
  count    = "count"
  itself   = "self"
  checks   = ["lifecycle.precondition", "lifecycle.postcondition"]
}

define "ephemeral" {
  kind     = object
  address  = "ephemeral.{type}.{name}"
  open     = true
  ignore   = ["provider", "depends_on", "lifecycle"]
  for_each = "for_each"
  count    = "count"
  checks   = ["lifecycle.precondition", "lifecycle.postcondition"]
}
