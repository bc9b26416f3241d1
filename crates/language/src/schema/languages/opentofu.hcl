# The language of OpenTofu, as far as it differs from Terraform's. Versions are those of OpenTofu, which begins with 1.6, and are taken
# from the notes of its releases.

language "opentofu" {
  title   = "OpenTofu"
  docs    = "https://opentofu.org/docs/language/"
  extends = "terraform"

  first_version = "1.6.0"

  files "configuration" {
    patterns  = ["*.tf", "*.tf.json", "*.tofu", "*.tofu.json"]
    overrides = ["override", "*_override"]
    together  = true
    body      = module
  }
  files "tests" {
    patterns    = ["*.tftest.hcl", "*.tftest.json", "*.tofutest.hcl", "*.tofutest.json"]
    folders     = ["tests"]
    body        = tests
    results     = ["output.{name}", "run.{run}.{name}"]
    result_keys = ["override_module.target.outputs", "run.{name}.override_module.target.outputs"]
  }
}

part "module" {
  block "terraform" {
    include = [encryption]
  }
  block "language" {
    nesting     = single
    description = "Requirements on the program that reads the module."
    open        = true
    since       = "1.12.0"
    attribute "edition" {
      type        = keyword(tofu2024)
      exact       = true
      description = "The edition of the language."
    }
    attribute "experiments" {
      type        = list(keyword(none))
      description = "Experiments that the configuration takes part in. There are none."
    }
  }
  block "module" {
    attribute "source" {
      type = required(string)
      role = source
      check {
        condition = !issensitive(value)
        message   = "the source of a module cannot be sensitive"
      }
    }
    attribute "version" {
      type  = version_constraint
      exact = true
      role  = meta
      check {
        condition = !issensitive(value)
        message   = "the version of a module cannot be sensitive"
      }
    }
    block "lifecycle" {
      attribute "enabled" {
        type  = bool
        role  = enabled
        since = "1.11.0"
      }
    }
  }
  block "variable" {
    attribute "ephemeral" {
      type        = optional(bool, false)
      since       = "1.11.0"
      description = "True if the value is in no plan and no state."
    }
    attribute "deprecated" {
      type        = string
      constant    = true
      since       = "1.10.0"
      description = "A message for callers that set the variable."
      check {
        condition = value != ""
        message   = "the message must not be empty"
      }
    }
  }
  block "output" {
    attribute "ephemeral" {
      type        = optional(bool, false)
      since       = "1.11.0"
      description = "True if the value is in no plan and no state."
    }
    attribute "deprecated" {
      type        = string
      constant    = true
      since       = "1.10.0"
      description = "A message for callers that use the output."
      check {
        condition = value != ""
        message   = "the message must not be empty"
      }
    }
  }
  block "import" {
    attribute "for_each" {
      type        = any
      since       = "1.7.0"
      description = "The objects, if there are several."
    }
  }
  block "removed" {
    since = "1.7.0"
    block "lifecycle" {
      attribute "destroy" { type = bool }
    }
  }
  block "resource" {
    block "lifecycle" {
      attribute "destroy" {
        type        = bool
        since       = "1.12.0"
        description = "False to forget the object in place of removing it."
      }
      attribute "prevent_destroy" { type = bool }
      attribute "enabled" {
        type        = bool
        role        = enabled
        since       = "1.11.0"
        description = "True if there is an instance of the resource."
      }
    }
  }
  block "ephemeral" {
    since = "1.11.0"
    block "lifecycle" {
      attribute "enabled" {
        type  = bool
        role  = enabled
        since = "1.11.0"
      }
    }
  }
}

part "data" {
  block "lifecycle" {
    attribute "enabled" {
      type  = bool
      role  = enabled
      since = "1.11.0"
    }
  }
}

part "tests" {
  block "mock_provider" {
    since = "1.8.0"
    attribute "for_each" { type = any }
  }
}

part "encryption" {
  block "encryption" {
    since       = "1.7.0"
    description = "How state and plans are encrypted."
    block "key_provider" {
      open = true
      label "type" { type = identifier }
      label "name" { type = identifier }
      defines "key_provider" {
        value   = later
        address = "key_provider.{type}.{name}"
      }
    }
    block "method" {
      open = true
      label "type" { type = identifier }
      label "name" { type = identifier }
      defines "method" {
        value   = later
        address = "method.{type}.{name}"
      }
    }
    block "state" {
      nesting = single
      include = [encryption_target]
      attribute "enforced" {
        type        = bool
        description = "True if nothing is read or written that is not encrypted."
      }
    }
    block "plan" {
      nesting = single
      include = [encryption_target]
      attribute "enforced" {
        type        = bool
        description = "True if nothing is read or written that is not encrypted."
      }
    }
    block "remote_state_data_sources" {
      nesting = single
      block "default" {
        nesting = single
        include = [encryption_target]
      }
      block "remote_state_data_source" {
        label "name" { type = string }
        include = [encryption_target]
      }
    }
  }
}

part "encryption_target" {
  attribute "method" { type = address(method) }
  block "fallback" {
    nesting = single
    attribute "method" { type = address(method) }
    block "fallback" {
      nesting = single
      open    = true
    }
  }
}

part "provider" {
  block "provider" {
    attribute "for_each" {
      type        = one_of(map(any), set(string))
      role        = for_each
      since       = "1.9.0"
      description = "A configuration for each element."
    }
  }
}
