# Files of `docker buildx bake`.

language "bake" {
  title       = "docker buildx bake"
  description = "Builds of container images that run together."
  docs        = "https://docs.docker.com/build/bake/reference/"
  functions   = ["packer", "standard"]

  # Attributes that bake does not know are ignored.
  unknown_names = warning
  environment   = ""
  later         = ["BAKE_CMD_CONTEXT", "BAKE_LOCAL_PLATFORM"]

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

  files "bake" {
    patterns = ["docker-bake.hcl", "docker-bake.json", "docker-bake.override.hcl", "docker-bake.override.json", "docker-bake.*.hcl", "docker-bake.*.json"]
    also     = ["*.hcl"]
    together = true
    body     = bake
  }
}

part "bake" {
  attribute "*" {
    description = "A variable with this value."
    defines "variable" {
      value      = value
      address    = "{attribute}"
      duplicates = last
    }
  }

  block "variable" {
    description = "A variable. An environment variable of its name gives it another value."
    label "name" { type = identifier }
    defines "variable" {
      value            = input
      address          = "{name}"
      duplicates       = last
      otherwise        = ""
      typed_by_default = true
    }
    attribute "default" {
      description = "The value if no other is given."
    }
    attribute "type" {
      type        = type
      description = "The type that values are converted to."
    }
    attribute "description" {
      type        = string
      description = "What the variable is for; `--list=variables` shows it."
    }
    block "validation" {
      description = "A condition that the value must meet."
      attribute "condition" { type = required(any) }
      attribute "error_message" { type = string }
    }
  }

  block "function" {
    description = "A function that expressions can call."
    label "name" { type = identifier }
    defines "function" {
      value = function
    }
    attribute "params" {
      type        = required(list(keyword()))
      description = "The names of the parameters."
    }
    attribute "variadic_params" {
      role        = variadic
      type        = keyword()
      description = "The name of the parameter for all other arguments."
    }
    attribute "result" {
      type        = required(expression)
      description = "The result."
    }
  }

  block "group" {
    description = "Targets that are built together."
    label "name" { type = string }
    defines "group" {
      address      = "group.{name}"
      by_attribute = true
      duplicates   = merge
    }
    attribute "name" {
      type        = string
      description = "The name of each group that a matrix makes."
    }
    attribute "description" { type = string }
    attribute "targets" {
      type        = required(list(string_name([target, group])))
      description = "The targets and groups in it."
    }
    attribute "matrix" {
      type        = map(list(any))
      role        = variables
      description = "Makes a group for each combination of values."
    }
  }

  block "target" {
    description = "A build."
    label "name" { type = string }
    defines "target" {
      address      = "target.{name}"
      by_attribute = true
      duplicates   = merge
    }
    include = [target]
  }
}

part "target" {
  attribute "name" {
    type        = string
    description = "The name of each target that a matrix makes."
  }
  attribute "description" {
    type        = string
    description = "What the target is for; `--list=targets` shows it."
  }
  attribute "matrix" {
    type        = map(list(any))
    role        = variables
    description = "Makes a target for each combination of values."
  }
  attribute "inherits" {
    type        = list(string_name([target], { needed = true }))
    description = "Targets of which this one has all that it does not set itself."
  }
  attribute "annotations" {
    type        = list(string)
    description = "Annotations of the image, as `KEY=VALUE`."
  }
  attribute "args" {
    type        = map(any)
    description = "Build arguments; null leaves one to the Dockerfile."
  }
  attribute "attest" {
    type        = list(one_of(string, map(string)))
    description = "Attestations of the build."
  }
  attribute "cache-from" {
    type        = list(one_of(string, map(string)))
    description = "Caches that the build reads."
  }
  attribute "cache-to" {
    type        = list(one_of(string, map(string)))
    description = "Caches that the build writes."
  }
  attribute "call" {
    type        = one_of("build", "check", "outline", "targets", string)
    description = "What to do in place of a build."
  }
  attribute "context" {
    type        = string
    description = "The build context: a folder or an address."
  }
  attribute "contexts" {
    type        = map(string_name([target], { prefix = "target:" }))
    description = "More build contexts by name. `target:NAME` is the result of another target."
  }
  attribute "dockerfile" {
    type        = string
    description = "The Dockerfile, relative to the context."
  }
  attribute "dockerfile-inline" {
    type        = string
    description = "The text of the Dockerfile."
  }
  attribute "entitlements" {
    type        = list(string)
    description = "Permissions that the build needs."
  }
  attribute "extra-hosts" {
    type        = map(string)
    description = "Names of hosts and their addresses during the build."
  }
  attribute "labels" {
    type        = map(any)
    description = "Labels of the image."
  }
  attribute "network" {
    type        = string
    description = "The network of the build, such as `none` or `host`."
  }
  attribute "no-cache" {
    type        = bool
    description = "True to build without a cache."
  }
  attribute "no-cache-filter" {
    type        = list(string)
    description = "Stages that are built without a cache."
  }
  attribute "output" {
    type        = list(one_of(string, map(string)))
    description = "Where the result goes."
  }
  attribute "platforms" {
    type        = list(string)
    description = "The platforms that it is built for."
  }
  attribute "policy" {
    type        = list(any)
    description = "Policies that the sources of the build must meet."
  }
  attribute "pull" {
    type        = bool
    description = "True to pull base images that are there already."
  }
  attribute "secret" {
    type        = list(one_of(string, map(string)))
    description = "Secrets that the build can read."
  }
  attribute "shm-size" {
    type        = one_of(string, number)
    description = "The size of /dev/shm, such as `128m`."
  }
  attribute "ssh" {
    type        = list(one_of(string, object({ id = optional(string), paths = optional(list(string)) })))
    description = "SSH agents and keys that the build can use."
  }
  attribute "tags" {
    type        = list(string)
    description = "Names of the image."
  }
  attribute "target" {
    type        = string
    description = "The stage of the Dockerfile that is built."
  }
  attribute "ulimits" {
    type        = list(string)
    description = "Limits of processes of the build, such as `nofile=1024:1024`."
  }
}
