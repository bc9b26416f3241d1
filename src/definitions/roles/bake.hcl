# What defines names in files of `docker buildx bake`. Of two targets of one name, the later one adds to the earlier.

functions = ["packer", "standard"]
later     = ["BAKE_CMD_CONTEXT", "BAKE_LOCAL_PLATFORM"]

later_functions = [
  "bcrypt",
  "formattimestamp",
  "homedir",
  "rsadecrypt",
  "sanitize",
  "semvercmp",
  "unixtimestampparse",
  "uuidv4",
]

define "variable" {
  kind             = input
  address          = "{name}"
  duplicates       = last
  otherwise        = ""
  typed_by_default = true
}

# An attribute sets a variable, too.
top_level {
  address    = "{attribute}"
  duplicates = last
}

define "function" {
  kind     = function
  variadic = "variadic_params"
}

define "target" {
  kind         = object
  address      = "target.{name}"
  by_attribute = true
  variables    = "matrix"
  duplicates   = merge

  names "inherits" {
    addresses = ["target.{name}"]
    needed    = true
  }
  names "contexts" {
    addresses = ["target.{name}"]
    prefix    = "target:"
  }
}

define "group" {
  kind         = object
  address      = "group.{name}"
  by_attribute = true
  variables    = "matrix"
  duplicates   = merge

  names "targets" {
    addresses = ["target.{name}", "group.{name}"]
  }
}
