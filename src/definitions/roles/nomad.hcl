# What defines names in job files of Nomad. What the client fills in, such as ${attr.cpu.arch}, stays as it is written.

functions         = "nomad"
undefined_is_text = true

# A variable or local that is not defined is a mistake in a job, too.
check_blocks = true

define "variable" {
  kind     = input
  address  = "var.{name}"
  constant = true
}

# Each attribute is a variable with its default.
define "variables" {
  kind     = inputs
  address  = "var.{attribute}"
  constant = true
}

define "locals" {
  kind    = attributes
  address = "local.{attribute}"
}

# A job is what its attributes and blocks say.
define "job" {
  kind         = object
  address      = "job.{name}"
  by_attribute = true
  nested       = true
}
