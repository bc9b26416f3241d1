# The language of OpenTofu, as far as it differs from Terraform's.

language "opentofu" {
  title   = "OpenTofu"
  docs    = "https://opentofu.org/docs/language/"
  extends = "terraform"

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
  }
  block "module" {
    attribute "source" { type = required(any) }
    attribute "version" { type = any }
  }
  block "removed" {
    block "lifecycle" {
      attribute "destroy" { type = bool }
    }
  }
  block "resource" {
    block "lifecycle" {
      attribute "destroy" {
        type        = bool
        description = "False to forget the object in place of removing it."
      }
      attribute "prevent_destroy" { type = any }
      attribute "enabled" {
        type        = any
        description = "True if there is an instance of the resource."
      }
    }
  }
  block "ephemeral" {
    block "lifecycle" {
      attribute "enabled" { type = any }
    }
  }
}

part "data" {
  block "lifecycle" {
    attribute "enabled" { type = any }
  }
}

part "tests" {
  block "mock_provider" {
    attribute "for_each" { type = any }
  }
}

part "encryption" {
  block "encryption" {
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
    }
    block "plan" {
      nesting = single
      include = [encryption_target]
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
  attribute "enforced" { type = bool }
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
      type        = any
      role        = for_each
      description = "A configuration for each element."
    }
  }
}
