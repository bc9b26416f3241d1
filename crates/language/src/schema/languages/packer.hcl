# Templates of Packer: what does not depend on plugins.

language "packer" {
  title       = "Packer"
  description = "Builds of machine images."
  docs        = "https://developer.hashicorp.com/packer/docs/templates/hcl_templates"
  functions   = "packer"
  later       = ["path", "packer", "build", "source.name", "source.type"]
  environment = "PKR_VAR_"
  version     = packer.required_version

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

  files "template" {
    patterns = ["*.pkr.hcl", "*.pkr.json"]
    together = true
    alone    = ["build"]
    body     = template
  }
  files "values" {
    description = "Values for the variables of the templates beside them."
    patterns    = ["*.pkrvars.hcl", "*.pkrvars.json"]
    given       = ["*.auto.pkrvars.hcl", "*.auto.pkrvars.json"]
    body        = values
  }
}

types {
  source_name = string_name([source], {
    forms = ["source.{type}.{name}", "sources.{type}.{name}", "{type}.{name}"]
  })
  only = string_name([source], {
    forms    = ["{type}.{name}", "source.{type}.{name}"]
    optional = true
  })
}

part "template" {
  block "packer" {
    description = "Settings of Packer itself."
    attribute "required_version" {
      type        = version_constraint
      description = "The versions of Packer that the template works with."
    }
    block "required_plugins" {
      description = "The plugins that the template needs."
      attribute "*" {
        type        = object(plugin)
        description = "A plugin: its source and versions."
      }
    }
  }

  block "variable" {
    description = "An input of the template."
    docs        = "https://developer.hashicorp.com/packer/docs/templates/hcl_templates/blocks/variable"
    label "name" { type = identifier }
    defines "variable" {
      value     = input
      address   = "var.{name}"
      constant  = true
      functions = ["env"]
    }
    attribute "type" {
      type        = type
      description = "The type that values are converted to."
    }
    attribute "default" {
      type        = any
      description = "The value if no other is given. Without it, a value is required."
    }
    attribute "description" {
      type        = string
      description = "What the variable is for."
    }
    attribute "sensitive" {
      type        = optional(bool, false)
      description = "True if the value is hidden in output."
    }
    block "validation" {
      role        = check
      description = "A condition that the value must meet."
      attribute "condition" { type = required(any) }
      attribute "error_message" { type = required(string) }
    }
  }

  block "variables" {
    description = "Inputs with their defaults."
    attribute "*" {
      type = any
      defines "variable" {
        value     = input
        address   = "var.{attribute}"
        constant  = true
        functions = ["env"]
      }
    }
  }

  block "locals" {
    description = "Names for expressions."
    attribute "*" {
      description = "A name, and its value."
      defines "local" {
        value   = value
        address = "local.{attribute}"
      }
    }
  }

  block "local" {
    description = "A name for an expression, which may be sensitive."
    label "name" { type = identifier }
    defines "local" {
      value   = value
      address = "local.{name}"
    }
    attribute "expression" {
      type        = required(any)
      role        = value
      description = "The value."
    }
    attribute "sensitive" {
      type        = optional(bool, false)
      description = "True if the value is hidden in output."
    }
  }

  block "data" {
    description = "Data that a plugin reads."
    open        = true
    dynamic     = true
    label "type" { type = identifier }
    label "name" { type = identifier }
    defines "data" {
      address = "data.{type}.{name}"
      open    = true
    }
  }

  block "source" {
    description = "How a machine is made."
    docs        = "https://developer.hashicorp.com/packer/docs/templates/hcl_templates/blocks/source"
    open        = true
    dynamic     = true
    label "type" { type = identifier }
    label "name" { type = identifier }
    defines "source" {
      address = "source.{type}.{name}"
      open    = true
    }
    include = [communicator]
  }

  block "build" {
    description = "Machines that are made, and what is done with them."
    docs        = "https://developer.hashicorp.com/packer/docs/templates/hcl_templates/blocks/build"
    dynamic     = true
    attribute "name" {
      type        = string
      description = "The name of the build."
    }
    attribute "description" {
      type        = string
      description = "What the build is for."
    }
    attribute "sources" {
      type        = list(source_name)
      description = "The sources, such as `source.amazon-ebs.web`."
    }
    block "source" {
      description = "A source, with more arguments."
      open        = true
      label "source" { type = source_name }
      attribute "name" { type = string }
    }
    block "hcp_packer_registry" {
      nesting = single
      include = [registry]
    }
    block "provisioner" {
      include = [provisioner]
      label "type" { type = identifier }
    }
    block "error-cleanup-provisioner" {
      nesting = single
      include = [provisioner]
      label "type" { type = identifier }
    }
    block "post-processor" {
      include = [post_processor]
      label "type" { type = identifier }
    }
    block "post-processors" {
      description = "Post-processors, each of which gets the result of the one before."
      block "post-processor" {
        include = [post_processor]
        label "type" { type = identifier }
      }
    }
  }

  # From Packer 1.11 on, also beside the builds.
  block "hcp_packer_registry" {
    nesting = single
    include = [registry]
  }
}

# The registry of HCP Packer, which keeps what is known about images. Packer ignores other arguments.
part "registry" {
  open = true
  attribute "bucket_name" {
    type        = string
    description = "The name of the bucket."
  }
  attribute "description" {
    type        = string
    description = "What the bucket is for."
    check {
      condition = length(value) <= 255
      message   = "the description has at most 255 characters"
    }
  }
  attribute "labels" {
    type = map(string)
    deprecated { use = "bucket_labels" }
  }
  attribute "bucket_labels" {
    type        = map(string)
    description = "Labels of the bucket."
  }
  attribute "build_labels" {
    type        = map(string)
    description = "Labels of the builds."
  }
  at_most_one = ["labels", "bucket_labels"]
}

part "plugin" {
  attribute "version" {
    type        = required(version_constraint)
    description = "The versions that the template works with."
  }
  attribute "source" {
    type        = required(string)
    description = "The address of the plugin, such as `github.com/hashicorp/amazon`."
  }
}

part "communicator" {
  attribute "communicator" {
    type        = one_of("ssh", "winrm", "none", string)
    description = "How Packer talks to the machine."
  }
  attribute "ssh_timeout" { type = duration }
  attribute "ssh_username" { type = string }
  attribute "ssh_password" {
    type      = string
    sensitive = true
  }
  attribute "ssh_port" { type = integer(0, 65535) }
  attribute "winrm_timeout" { type = duration }
  attribute "winrm_username" { type = string }
  attribute "winrm_password" {
    type      = string
    sensitive = true
  }
}

part "provisioner" {
  open        = true
  at_most_one = ["only", "except"]
  attribute "name" {
    type        = string
    description = "The name of the step."
  }
  attribute "only" {
    type        = list(only)
    description = "The only sources that it is for."
  }
  attribute "except" {
    type        = list(only)
    description = "The sources that it is not for."
  }
  attribute "pause_before" {
    type        = duration
    description = "How long to wait before it starts."
  }
  attribute "max_retries" {
    type        = integer(0)
    description = "How often it is started again if it fails."
  }
  attribute "timeout" {
    type        = duration
    description = "How long it may take."
  }
  attribute "override" {
    type        = map(any)
    description = "Other arguments for single sources."
  }
}

part "post_processor" {
  open        = true
  at_most_one = ["only", "except"]
  attribute "name" { type = string }
  attribute "only" {
    type        = list(only)
    description = "The only sources that it is for."
  }
  attribute "except" {
    type        = list(only)
    description = "The sources that it is not for."
  }
  attribute "keep_input_artifact" {
    type        = bool
    description = "True to keep the result that it is made of."
  }
}

part "values" {
  attribute "*" {
    type        = any
    assigns     = variable
    description = "The value of a variable."
  }
}
