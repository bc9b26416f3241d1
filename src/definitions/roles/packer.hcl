# What defines names in templates of Packer.

functions = "packer"
later     = ["path", "packer", "build", "source.name", "source.type"]

# What they give depends on the environment, on secrets kept elsewhere, or on the time.
later_functions = [
  "aws_secretsmanager",
  "aws_secretsmanager_raw",
  "consul_key",
  "env",
  "legacy_isotime",
  "legacy_strftime",
  "vault",
]

define "variable" {
  kind      = input
  address   = "var.{name}"
  constant  = true
  functions = ["env"]
}

# Each attribute is a variable with its default.
define "variables" {
  kind      = inputs
  address   = "var.{attribute}"
  constant  = true
  functions = ["env"]
}

define "locals" {
  kind    = attributes
  address = "local.{attribute}"
}

define "local" {
  kind    = value
  address = "local.{name}"
  value   = "expression"
}

define "data" {
  kind    = object
  address = "data.{type}.{name}"
  open    = true
}

define "source" {
  kind    = object
  address = "source.{type}.{name}"
  open    = true
}

# A build says by strings which sources it is for.
names "build.sources" {
  addresses = ["source.{type}.{name}"]
  written   = ["source.{type}.{name}", "sources.{type}.{name}", "{type}.{name}"]
}
names "build.source.{source}" {
  addresses = ["source.{type}.{name}"]
  written   = ["source.{type}.{name}", "sources.{type}.{name}", "{type}.{name}"]
}
names "build.provisioner.{type}.only" {
  addresses = ["source.{type}.{name}"]
  written   = ["{type}.{name}", "source.{type}.{name}"]
  optional  = true
}
names "build.provisioner.{type}.except" {
  addresses = ["source.{type}.{name}"]
  written   = ["{type}.{name}", "source.{type}.{name}"]
  optional  = true
}
names "build.post-processor.{type}.only" {
  addresses = ["source.{type}.{name}"]
  written   = ["{type}.{name}", "source.{type}.{name}"]
  optional  = true
}
names "build.post-processor.{type}.except" {
  addresses = ["source.{type}.{name}"]
  written   = ["{type}.{name}", "source.{type}.{name}"]
  optional  = true
}
names "build.error-cleanup-provisioner.{type}.only" {
  addresses = ["source.{type}.{name}"]
  written   = ["{type}.{name}", "source.{type}.{name}"]
  optional  = true
}
names "build.error-cleanup-provisioner.{type}.except" {
  addresses = ["source.{type}.{name}"]
  written   = ["{type}.{name}", "source.{type}.{name}"]
  optional  = true
}
names "build.post-processors.post-processor.{type}.only" {
  addresses = ["source.{type}.{name}"]
  written   = ["{type}.{name}", "source.{type}.{name}"]
  optional  = true
}
names "build.post-processors.post-processor.{type}.except" {
  addresses = ["source.{type}.{name}"]
  written   = ["{type}.{name}", "source.{type}.{name}"]
  optional  = true
}

# Files with values for the variables.
beside {
  files  = ["*.pkrvars.hcl", "*.pkrvars.json"]
  given  = ["*.auto.pkrvars.hcl", "*.auto.pkrvars.json"]
  inputs = ["{attribute}"]
}
