# What defines names in templates of Packer.

functions = "packer"
later     = ["path", "packer", "build", "source.name", "source.type"]

define "variable" {
  kind    = input
  address = "var.{name}"
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
