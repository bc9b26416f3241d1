# The language of Terraform: what does not depend on providers. Versions are those of Terraform.

language "terraform" {
  title           = "Terraform"
  description     = "Infrastructure as code."
  docs            = "https://developer.hashicorp.com/terraform/language"
  functions       = "terraform"
  later           = ["path", "terraform", "tofu"]
  later_functions = ["provider::*"]
  checks_names    = true

  protects_sensitive = true
  protects_ephemeral = true
  application        = ["terraform.backend", "terraform.cloud"]

  environment = "TF_VAR_"
  version     = terraform.required_version

  files "configuration" {
    patterns  = ["*.tf", "*.tf.json"]
    overrides = ["override", "*_override"]
    together  = true
    body      = module
  }
  files "values" {
    description = "Values for the variables of the configuration beside them."
    patterns    = ["*.tfvars", "*.tfvars.json"]
    given       = ["terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json"]
    body        = values
  }
  files "tests" {
    description = "Tests of the configuration beside them, or above them."
    patterns    = ["*.tftest.hcl", "*.tftest.json"]
    folders     = ["tests"]
    body        = tests
    results     = ["output.{name}", "run.{run}.{name}"]
    result_keys = ["override_module.target.outputs", "run.{name}.override_module.target.outputs"]
  }
  files "mocks" {
    description = "Values for mocked providers, which tests name."
    patterns    = ["*.tfmock.hcl", "*.tfmock.json"]
    body        = mocks
  }
  files "queries" {
    description = "Searches for resources that exist."
    patterns    = ["*.tfquery.hcl", "*.tfquery.json"]
    body        = queries
  }
  files "lock" {
    description = "The versions of providers that were chosen."
    patterns    = [".terraform.lock.hcl", "*.terraform.lock.hcl"]
    body        = lock
  }
  files "backend" {
    description = "Arguments of the backend, for `terraform init -backend-config`."
    patterns    = ["*.tfbackend"]
    body        = anything
  }
}

catalog "resources" {
  description = "The resource types of providers."
  format      = terraform_provider_schema
  section     = "resource_schemas"
}

catalog "data_sources" {
  description = "The data sources of providers."
  format      = terraform_provider_schema
  section     = "data_source_schemas"
}

catalog "ephemeral_resources" {
  description = "The ephemeral resource types of providers."
  format      = terraform_provider_schema
  section     = "ephemeral_resource_schemas"
}

catalog "actions" {
  description = "The actions of providers."
  format      = terraform_provider_schema
  section     = "action_schemas"
}

catalog "list_resources" {
  description = "The resource types of providers that can be listed."
  format      = terraform_provider_schema
  section     = "list_resource_schemas"
}

catalog "providers" {
  description = "The configuration of providers."
  format      = terraform_provider_schema
  section     = "provider"
}

types {
  depends_on = list(one_of(reference(), string_name([])))
  provider   = reference(provider)
}

part "module" {
  include = [provider]

  block "terraform" {
    description = "Settings of Terraform itself."
    docs        = "https://developer.hashicorp.com/terraform/language/terraform"
    # In the same files, OpenTofu encrypts states.
    names = ["key_provider", "method"]

    attribute "required_version" {
      type        = version_constraint
      exact       = true
      constant    = true
      description = "The versions of Terraform that the configuration works with."
    }
    attribute "experiments" {
      type        = list(keyword())
      description = "Experiments that the configuration takes part in."
    }
    attribute "language" {
      type        = keyword()
      description = "The edition of the language."
    }

    block "required_providers" {
      once        = true
      description = "The providers that the configuration needs."
      attribute "*" {
        type        = one_of(version_constraint, object(provider_requirement))
        exact       = true
        description = "A provider: its source and versions."
      }
    }
    block "backend" {
      nesting     = single
      once        = true
      description = "Where the state is stored."
      docs        = "https://developer.hashicorp.com/terraform/language/backend"
      label "type" { type = identifier }
      include = [backend]
    }
    block "state_store" {
      nesting     = single
      description = "The store of a provider for the state."
      since       = "1.15.0"
      open        = true
      label "type" { type = identifier }
      block "provider" {
        open = true
        label "name" { type = identifier }
      }
    }
    block "cloud" {
      nesting     = single
      once        = true
      description = "The workspace of HCP Terraform that runs the configuration."
      attribute "organization" {
        type        = string
        description = "The organization with the workspaces."
      }
      attribute "hostname" {
        type        = string
        description = "The name of the host; without it, that of HCP Terraform."
      }
      attribute "token" {
        type        = string
        sensitive   = true
        description = "The token for the host."
      }
      block "workspaces" {
        nesting     = single
        description = "The workspaces for the configuration."
        attribute "name" {
          type        = string
          description = "The name of the only workspace."
        }
        attribute "tags" {
          type        = one_of(set(string), map(string))
          description = "The tags of the workspaces."
        }
        attribute "project" {
          type        = string
          description = "The project with the workspaces."
        }
      }
    }
    block "provider_meta" {
      description = "Data for a provider about the module."
      label "name" { type = identifier }
      check {
        condition = can(regex("^[0-9A-Za-z-]+$", labels.name))
        message   = "the name of a provider has letters, digits and hyphens"
      }
      attribute "*" {
        constant = true
      }
      block "*" {
        open = true
      }
    }
  }

  block "variable" {
    description = "An input of the module."
    docs        = "https://developer.hashicorp.com/terraform/language/block/variable"
    label "name" { type = identifier }
    include = [variable_rules]
    defines "variable" {
      value    = input
      address  = "var.{name}"
      constant = true
    }
    attribute "type" {
      type        = type
      description = "The type that values are converted to."
    }
    attribute "default" {
      type        = typed_by(type)
      description = "The value if no other is given. Without it, a value is required."
    }
    attribute "description" {
      type        = string
      constant    = true
      description = "What the variable is for."
    }
    attribute "sensitive" {
      type        = optional(bool, false)
      description = "True if the value is hidden in output."
    }
    attribute "nullable" {
      type        = optional(bool, true)
      since       = "1.1.0"
      description = "False if null means the default."
    }
    attribute "ephemeral" {
      type        = optional(bool, false)
      since       = "1.10.0"
      description = "True if the value is in no plan and no state."
    }
    attribute "deprecated" {
      type        = string
      constant    = true
      since       = "1.15.0"
      description = "A message for callers that set the variable."
      check {
        condition = value != ""
        message   = "the message must not be empty"
      }
    }
    attribute "const" {
      type        = optional(bool, false)
      since       = "1.15.0"
      description = "True if the value is known while Terraform initializes the folder."
    }
    block "validation" {
      role        = check
      description = "A condition that the value must meet."
      include     = [condition]
    }
  }

  block "locals" {
    description = "Names for expressions."
    docs        = "https://developer.hashicorp.com/terraform/language/block/locals"
    attribute "*" {
      description = "A name, and its value."
      defines "local" {
        value   = value
        address = "local.{attribute}"
      }
    }
  }

  block "output" {
    description = "A result of the module."
    docs        = "https://developer.hashicorp.com/terraform/language/block/output"
    label "name" { type = identifier }
    defines "output" {
      value = value
    }
    attribute "value" {
      type        = required(any)
      role        = value
      description = "The value."
    }
    attribute "description" {
      type        = string
      constant    = true
      description = "What the output is for."
    }
    attribute "sensitive" {
      type        = optional(bool, false)
      description = "True if the value is hidden in output."
    }
    attribute "ephemeral" {
      type        = optional(bool, false)
      since       = "1.10.0"
      description = "True if the value is in no plan and no state."
    }
    attribute "deprecated" {
      type        = string
      constant    = true
      since       = "1.15.0"
      description = "A message for callers that use the output."
      check {
        condition = value != ""
        message   = "the message must not be empty"
      }
    }
    attribute "type" {
      type        = type
      since       = "1.15.0"
      description = "The type that the value is converted to."
    }
    attribute "depends_on" {
      type        = depends_on
      description = "What must be done before the value is known, if the value does not say so."
    }
    block "precondition" {
      role        = check
      since       = "1.2.0"
      description = "A condition that must hold before the value is used."
      include     = [condition]
    }
  }

  block "module" {
    description = "A call of another module."
    docs        = "https://developer.hashicorp.com/terraform/language/block/module"
    label "name" { type = identifier }
    defines "module" {
      value   = module
      address = "module.{name}"
    }
    include = [repeated, escape, registry]

    attribute "source" {
      type        = required(string)
      role        = source
      description = "Where the module is: a folder, an address in a registry, or another address."
    }
    attribute "version" {
      type        = version_constraint
      exact       = true
      role        = meta
      description = "The versions of the module, if it is in a registry."
    }
    attribute "providers" {
      type        = map(provider)
      defined     = true
      role        = meta
      description = "The configurations of providers that the module gets, by their names in it."
    }
    attribute "*" {
      type        = any
      assigns     = variable
      description = "The value of a variable of the module."
    }
    block "lifecycle" {
      nesting = single
      role    = meta
      since   = "1.15.0"
      open    = true
    }
  }

  block "resource" {
    description = "An object of the infrastructure, which Terraform makes, changes and removes."
    docs        = "https://developer.hashicorp.com/terraform/language/block/resource"
    dynamic     = true
    label "type" {
      type        = catalog(resources)
      description = "The type, which begins with the name of its provider."
    }
    label "name" { type = identifier }
    # What is written in a resource is known before the resource is made; what else it has only afterwards.
    defines "resource" {
      address      = "{type}.{name}"
      aliases      = ["resource.{type}.{name}"]
      open         = true
      by_attribute = true
      whole        = true
      itself       = "self"
      itself_in    = ["connection", "lifecycle", "provisioner"]
      stored       = true
      # Providers end the names of write-only arguments so; `azapi_resource` has one of another name.
      write_only = ["*_wo", "sensitive_body"]
    }
    include = [repeated, provided, escape, typed]

    block "lifecycle" {
      nesting     = single
      role        = meta
      description = "How the resource is made, changed and removed."
      attribute "create_before_destroy" {
        type        = bool
        constant    = true
        description = "True to make the replacement before the old object is removed."
      }
      attribute "prevent_destroy" {
        type        = bool
        constant    = true
        description = "True to refuse any plan that removes the object."
      }
      attribute "ignore_changes" {
        type        = one_of(keyword(all), list(path(body)))
        description = "Attributes whose changes outside Terraform are left as they are."
        check {
          condition = !can(index(value, "*"))
          message   = "write `all` without brackets and quotes for all attributes, in place of \"*\""
        }
      }
      attribute "replace_triggered_by" {
        type        = depends_on
        since       = "1.2.0"
        description = "What replaces the resource when it changes."
      }
      include = [conditions]
      block "action_trigger" {
        description = "Actions that run when the resource changes."
        since       = "1.14.0"
        attribute "events" {
          type        = required(list(keyword(before_create, after_create, before_update, after_update, before_destroy, after_destroy)))
          description = "The changes."
        }
        attribute "condition" {
          type        = any
          description = "True if the actions are to run."
        }
        attribute "actions" {
          type        = required(list(reference(action)))
          description = "The actions."
        }
        attribute "on_failure" {
          type        = keyword(halt, continue, taint)
          description = "What to do if an action fails."
        }
      }
    }
    block "connection" {
      nesting = single
      role    = meta
      include = [connection]
    }
    block "provisioner" {
      role        = meta
      description = "Runs a program when the resource has been made, or before it is removed."
      include     = [provisioner]
      names       = ["self"]
      label "type" { type = identifier }
    }
    match "type" {
      from = catalog(resources)
      otherwise { open = true }
    }
  }

  # What a data source gives may differ from what is asked of it.
  block "data" {
    description = "Data that a provider reads."
    docs        = "https://developer.hashicorp.com/terraform/language/block/data"
    label "type" {
      type        = catalog(data_sources)
      description = "The type, which begins with the name of its provider."
    }
    label "name" { type = identifier }
    defines "data" {
      address   = "data.{type}.{name}"
      open      = true
      whole     = true
      itself    = "self"
      itself_in = ["lifecycle"]
      stored    = true
    }
    include = [data]
  }

  block "ephemeral" {
    description = "A resource that exists while Terraform runs."
    docs        = "https://developer.hashicorp.com/terraform/language/block/ephemeral"
    since       = "1.10.0"
    dynamic     = true
    label "type" { type = catalog(ephemeral_resources) }
    label "name" { type = identifier }
    defines "ephemeral" {
      address   = "ephemeral.{type}.{name}"
      open      = true
      whole     = true
      ephemeral = true
    }
    include = [repeated, provided, escape, typed]
    block "lifecycle" {
      nesting = single
      role    = meta
      names   = ["self"]
      include = [conditions]
    }
    match "type" {
      from = catalog(ephemeral_resources)
      otherwise { open = true }
    }
  }

  block "action" {
    description = "Something that a provider can do."
    since       = "1.14.0"
    label "type" { type = identifier }
    label "name" { type = identifier }
    defines "action" {
      value   = later
      address = "action.{type}.{name}"
    }
    include = [instances, provided, typed]
    block "config" {
      nesting = single
      dynamic = true
      match "parent.type" {
        from = catalog(actions)
        otherwise { open = true }
      }
    }
  }

  block "check" {
    description = "Conditions on the infrastructure, whose failures are warnings."
    docs        = "https://developer.hashicorp.com/terraform/language/block/check"
    since       = "1.5.0"
    label "name" { type = identifier }
    block "data" {
      nesting     = single
      description = "Data for the conditions."
      label "type" { type = catalog(data_sources) }
      label "name" { type = identifier }
      include = [provided, escape, typed, data_arguments]
      attribute "depends_on" {
        type        = depends_on
        role        = meta
        description = "What must be done before, if no expression says so."
      }
    }
    block "assert" {
      min         = 1
      role        = check
      description = "A condition."
      include     = [condition]
    }
  }

  block "moved" {
    description = "Says that a resource or module has a new address."
    docs        = "https://developer.hashicorp.com/terraform/language/block/moved"
    since       = "1.1.0"
    attribute "from" {
      type        = required(address(resource, data, module))
      description = "The old address."
    }
    attribute "to" {
      type        = required(address(resource, data, module))
      description = "The new address."
    }
  }

  block "removed" {
    description = "Says that a resource or module is no longer in the configuration."
    docs        = "https://developer.hashicorp.com/terraform/language/block/removed"
    since       = "1.7.0"
    attribute "from" {
      type        = required(address(resource, module))
      description = "The address of the resource or module."
    }
    block "lifecycle" {
      nesting     = single
      description = "What happens to the object."
      attribute "destroy" {
        type        = required(bool)
        description = "True to remove the object, false to forget it."
      }
    }
    block "connection" {
      nesting = single
      names   = ["self", "each", "count"]
      include = [connection]
    }
    block "provisioner" {
      include = [provisioner]
      names   = ["self", "each", "count"]
      label "type" { type = identifier }
    }
  }

  block "import" {
    description = "Takes an object that exists under management."
    docs        = "https://developer.hashicorp.com/terraform/language/block/import"
    since       = "1.5.0"
    attribute "to" {
      type        = required(address(resource))
      description = "The address that the object gets."
    }
    attribute "id" {
      type        = string
      description = "The identifier of the object, as its provider knows it."
    }
    attribute "identity" {
      type        = any
      since       = "1.12.0"
      description = "The attributes that identify the object."
    }
    attribute "for_each" {
      type        = any
      since       = "1.7.0"
      description = "The objects, if there are several."
    }
    attribute "provider" {
      type        = address(provider)
      description = "The configuration of the provider that imports."
    }
    exactly_one = ["id", "identity"]
  }
}

part "provider" {
  block "provider" {
    description = "The configuration of a provider."
    docs        = "https://developer.hashicorp.com/terraform/language/block/provider"
    dynamic     = true
    label "name" { type = identifier }
    defines "provider" {
      value   = later
      address = "{name}.{alias}"
      # The provider `local` has the name of local values.
      aliases = ["{name}", "local.{alias}"]
      apart   = true
    }
    include = [escape]
    check {
      condition = can(regex("^[0-9a-z-]+$", labels.name))
      message   = "the name of a provider has small letters, digits and hyphens"
    }
    block "lifecycle" {
      max         = 0
      open        = true
      description = "Reserved for later versions."
    }
    block "locals" {
      max         = 0
      open        = true
      description = "Reserved for later versions."
    }
    attribute "alias" {
      type        = string
      constant    = true
      role        = meta
      description = "The name of this configuration, if the provider has several."
    }
    attribute "version" {
      type  = version_constraint
      exact = true
      role  = meta
      deprecated { message = "write the versions in `required_providers`" }
    }
    attribute "count" {
      type        = any
      read_only   = true
      description = "Reserved for later versions."
    }
    attribute "depends_on" {
      type        = any
      read_only   = true
      description = "Reserved for later versions."
    }
    attribute "source" {
      type        = any
      read_only   = true
      description = "Reserved for later versions."
    }
    match "name" {
      from = catalog(providers)
      otherwise { open = true }
    }
  }
}

part "provider_requirement" {
  attribute "source" {
    type        = string
    description = "The address of the provider, such as `hashicorp/aws`."
    check {
      condition = !can(regex("(^|/)terraform-[^/]*$", value))
      message   = "the last part of the address is the name of the provider without `terraform-provider-`"
    }
  }
  attribute "version" {
    type        = version_constraint
    description = "The versions that the configuration works with."
  }
  attribute "configuration_aliases" {
    type        = list(address())
    description = "The configurations that callers have to give, such as `aws.west`."
    defines "provider" {
      address = "{attribute}"
      apart   = true
    }
  }
}

part "condition" {
  attribute "condition" {
    type        = required(any)
    constant    = false
    description = "The condition."
  }
  attribute "error_message" {
    type        = required(any)
    description = "The message if it is false."
  }
}

part "conditions" {
  block "precondition" {
    role        = check
    since       = "1.2.0"
    description = "A condition that must hold before the object is made or changed."
    include     = [condition]
  }
  block "postcondition" {
    role        = check
    since       = "1.2.0"
    description = "A condition that must hold afterwards."
    include     = [condition]
  }
}

part "repeated" {
  include = [instances]
  attribute "depends_on" {
    type        = depends_on
    role        = meta
    description = "What must be done before, if no expression says so."
  }
}

part "instances" {
  attribute "count" {
    type        = number
    role        = count
    description = "The number of instances."
  }
  attribute "for_each" {
    type        = any
    role        = for_each
    description = "A map or a set of strings, with an instance for each element."
  }
  at_most_one = ["count", "for_each"]
}

part "escape" {
  block "_" {
    nesting     = single
    open        = true
    description = "Arguments that have the names of meta-arguments, such as `count`."
  }
}

part "provided" {
  attribute "provider" {
    type        = address(provider)
    defined     = true
    role        = meta
    description = "The configuration of the provider, such as `aws.west`."
    check {
      condition = can(regex("^[0-9a-z-]+($|[.[])", value))
      message   = "the name of a provider has small letters, digits and hyphens"
    }
  }
}

part "typed" {
  check {
    condition = can(regex("^[\\p{L}_][\\p{L}\\p{N}_-]*$", labels.type))
    message   = "the type is a name: letters, digits, hyphens and underscores"
  }
  block "locals" {
    max         = 0
    open        = true
    description = "Reserved for later versions."
  }
}

# Only modules in a registry have versions.
part "registry" {
  check {
    condition = body.version == null || can(regex("^([\\p{L}\\p{N}][\\p{L}\\p{N}.-]*(:[0-9]+)?/)?[0-9A-Za-z][0-9A-Za-z_-]*/[0-9A-Za-z][0-9A-Za-z_-]*/[0-9a-z]+(//.*)?$", body.source))
    message   = "only a module in a registry has a `version`: its `source` is an address such as `hashicorp/consul/aws`"
  }
}

part "data" {
  include = [repeated, provided, escape, typed, data_arguments]
  block "lifecycle" {
    nesting = single
    role    = meta
    names   = ["self"]
    include = [conditions]
  }
}

part "data_arguments" {
  dynamic = true
  match "type" {
    from = catalog(data_sources)
    otherwise { open = true }
  }
}

part "connection" {
  attribute "type" {
    type        = optional(string, "ssh")
    description = "The kind of connection: `ssh` or `winrm`."
  }
  attribute "host" {
    type        = string
    description = "The address of the machine."
  }
  attribute "port" {
    type        = one_of(integer(0, 65535), string)
    description = "The port."
  }
  attribute "user" {
    type        = string
    description = "The name of the user."
  }
  attribute "password" {
    type        = string
    sensitive   = true
    description = "The password."
  }
  attribute "timeout" {
    type        = duration
    description = "How long to try."
  }
  attribute "script_path" {
    type        = string
    description = "Where scripts are written on the machine."
  }
  match "type" {
    case "ssh" {
      attribute "private_key" {
        type      = string
        sensitive = true
      }
      attribute "certificate" { type = string }
      attribute "agent" { type = bool }
      attribute "agent_identity" { type = string }
      attribute "host_key" { type = string }
      attribute "target_platform" { type = one_of("unix", "windows") }
      attribute "proxy_scheme" { type = one_of("http", "https", "socks5") }
      attribute "proxy_host" { type = string }
      attribute "proxy_port" { type = integer(0, 65535) }
      attribute "proxy_user_name" { type = string }
      attribute "proxy_user_password" {
        type      = string
        sensitive = true
      }
      attribute "bastion_host" { type = string }
      attribute "bastion_host_key" { type = string }
      attribute "bastion_port" { type = integer(0, 65535) }
      attribute "bastion_user" { type = string }
      attribute "bastion_password" {
        type      = string
        sensitive = true
      }
      attribute "bastion_private_key" {
        type      = string
        sensitive = true
      }
      attribute "bastion_certificate" { type = string }
    }
    case "winrm" {
      attribute "https" { type = bool }
      attribute "insecure" { type = bool }
      attribute "use_ntlm" { type = bool }
      attribute "cacert" { type = string }
    }
    otherwise { open = true }
  }
}

part "provisioner" {
  include = [escape]
  check {
    condition = !contains(["chef", "habitat", "puppet", "salt-masterless"], labels.type)
    message   = "this provisioner does not exist since Terraform 0.15"
  }
  attribute "when" {
    type        = optional(keyword(create, destroy), create)
    description = "Runs when the resource has been made, or before it is removed."
  }
  attribute "on_failure" {
    type        = optional(keyword(continue, fail), fail)
    description = "What to do if it fails."
  }
  block "connection" {
    nesting = single
    include = [connection]
  }
  match "type" {
    case "file" {
      attribute "source" { type = string }
      attribute "content" { type = string }
      attribute "destination" { type = required(string) }
      exactly_one = ["source", "content"]
    }
    case "local-exec" {
      attribute "command" { type = required(string) }
      attribute "working_dir" { type = string }
      attribute "interpreter" { type = list(string) }
      attribute "environment" { type = map(string) }
      attribute "quiet" { type = bool }
    }
    case "remote-exec" {
      attribute "inline" { type = list(string) }
      attribute "script" { type = string }
      attribute "scripts" { type = list(string) }
      exactly_one = ["inline", "script", "scripts"]
    }
    otherwise { open = true }
  }
}

part "values" {
  attribute "*" {
    type        = any
    assigns     = variable
    description = "The value of a variable."
  }
}

part "anything" {
  open = true
}

part "tests" {
  include = [provider, overrides, module_overrides]

  block "test" {
    nesting     = single
    description = "Options for all tests of the file."
    attribute "parallel" {
      type        = optional(bool, false)
      since       = "1.12.0"
      description = "True if the runs do not wait for each other."
    }
  }
  block "variables" {
    description = "Values for the variables of the configuration, in all runs."
    include     = [values]
  }
  block "variable" {
    description = "A variable of the test."
    open        = true
    label "name" { type = identifier }
  }
  block "run" {
    description = "A step of the test: a plan or its execution, and conditions on the results."
    label "name" { type = identifier }

    attribute "command" {
      type        = optional(keyword(plan, apply), apply)
      description = "The command."
    }
    attribute "providers" {
      type        = map(address())
      description = "The configurations of providers that the run uses."
    }
    attribute "expect_failures" {
      type        = list(address())
      description = "The checks that must fail."
    }
    attribute "state_key" {
      type        = string
      since       = "1.11.0"
      description = "The name of the state that the run shares with others."
    }
    attribute "parallel" {
      type        = optional(bool, false)
      since       = "1.12.0"
      description = "True if the run does not wait for others."
    }
    block "plan_options" {
      nesting = single
      attribute "mode" { type = optional(keyword(normal, refresh-only), normal) }
      attribute "refresh" { type = optional(bool, true) }
      attribute "replace" { type = list(address()) }
      attribute "target" { type = list(address()) }
    }
    block "variables" {
      nesting = single
      include = [values]
    }
    block "module" {
      nesting     = single
      role        = elsewhere
      description = "Another module that the run is about."
      attribute "source" { type = required(string) }
      attribute "version" { type = version_constraint }
    }
    block "assert" {
      description = "A condition on the results."
      include     = [condition]
    }
    block "backend" {
      nesting = single
      label "type" { type = identifier }
      include = [backend]
    }
    include = [overrides, module_overrides]
  }
  block "mock_provider" {
    description = "A provider that invents its results."
    since       = "1.7.0"
    label "name" { type = identifier }
    attribute "alias" { type = string }
    attribute "source" {
      type        = string
      description = "The folder with files with values for the results."
    }
    attribute "override_during" { type = keyword(plan, apply) }
    include = [overrides, mocks]
  }
}

part "mocks" {
  include = [overrides]
  block "mock_resource" {
    label "type" { type = identifier }
    include = [mock]
  }
  block "mock_data" {
    label "type" { type = identifier }
    include = [mock]
  }
}

part "mock" {
  attribute "defaults" {
    type        = any
    description = "Values for attributes that are not set."
  }
  attribute "override_during" { type = keyword(plan, apply) }
}

part "overrides" {
  block "override_resource" {
    include = [override]
    attribute "values" { type = any }
  }
  block "override_data" {
    include = [override]
    attribute "values" { type = any }
  }
}

part "module_overrides" {
  block "override_module" {
    include = [override]
    attribute "outputs" { type = any }
  }
}

part "override" {
  attribute "target" {
    type        = required(address())
    description = "The address of what gets the values."
  }
  attribute "override_during" { type = keyword(plan, apply) }
}

part "queries" {
  include = [provider]
  block "list" {
    description = "A search for resources of a type."
    label "type" { type = identifier }
    label "name" { type = identifier }
    include = [repeated, typed]
    attribute "provider" {
      type        = required(address(provider))
      role        = meta
      description = "The configuration of the provider, such as `aws.west`."
    }
    attribute "include_resource" { type = bool }
    attribute "limit" { type = integer(1) }
    block "config" {
      nesting = single
      dynamic = true
      match "parent.type" {
        from = catalog(list_resources)
        otherwise { open = true }
      }
    }
  }
  block "variable" {
    description = "An input of the searches."
    label "name" { type = identifier }
    attribute "type" { type = type }
    attribute "default" { type = typed_by(type) }
    attribute "description" { type = string }
    attribute "sensitive" { type = optional(bool, false) }
    attribute "nullable" { type = optional(bool, true) }
    attribute "ephemeral" { type = optional(bool, false) }
    attribute "deprecated" { type = string }
    block "validation" { include = [condition] }
  }
  block "locals" {
    attribute "*" {}
  }
}

part "lock" {
  block "provider" {
    description = "A provider and its version."
    label "source" { type = string }
    attribute "version" {
      type        = required(version)
      description = "The version that was chosen."
    }
    attribute "constraints" {
      type        = version_constraint
      description = "The constraints of the configuration."
    }
    attribute "hashes" {
      type        = list(string)
      description = "Checksums of its packages."
    }
  }
}

# The names are those of arguments and blocks in `module` blocks.
part "variable_rules" {
  check {
    condition = !contains(["_", "count", "depends_on", "for_each", "lifecycle", "locals", "provider", "providers", "source", "version"], labels.name)
    message   = "a variable cannot have this name, because it has a meaning of its own in `module` blocks"
  }
}

# The arguments of backends: the names that Terraform and OpenTofu have together. None is required, because
# `terraform init -backend-config` and the environment can give each.
part "backend" {
  match "type" {
    case "azurerm" {
      attribute "access_key" {
        type      = string
        sensitive = true
      }
      attribute "ado_pipeline_service_connection_id" { type = string }
      attribute "ado_service_connection_id" { type = string }
      attribute "client_certificate" { type = string }
      attribute "client_certificate_password" {
        type      = string
        sensitive = true
      }
      attribute "client_certificate_path" { type = string }
      attribute "client_id" { type = string }
      attribute "client_id_file_path" { type = string }
      attribute "client_secret" {
        type      = string
        sensitive = true
      }
      attribute "client_secret_file_path" { type = string }
      attribute "container_name" {
        type        = string
        description = "The container in the storage account."
      }
      attribute "customer_provided_key" {
        type      = string
        sensitive = true
      }
      attribute "encryption_scope" { type = string }
      attribute "endpoint" { type = string }
      attribute "environment" { type = string }
      attribute "key" {
        type        = string
        description = "The name of the blob with the state."
      }
      attribute "lookup_blob_endpoint" { type = bool }
      attribute "metadata_host" { type = string }
      attribute "msi_endpoint" { type = string }
      attribute "oidc_request_token" {
        type      = string
        sensitive = true
      }
      attribute "oidc_request_url" { type = string }
      attribute "oidc_token" {
        type      = string
        sensitive = true
      }
      attribute "oidc_token_file_path" { type = string }
      attribute "resource_group_name" {
        type        = string
        description = "The resource group of the storage account."
      }
      attribute "sas_token" {
        type      = string
        sensitive = true
      }
      attribute "snapshot" { type = bool }
      attribute "storage_account_name" {
        type        = string
        description = "The name of the storage account."
      }
      attribute "subscription_id" { type = string }
      attribute "tenant_id" { type = string }
      attribute "timeout_seconds" { type = number }
      attribute "use_aks_workload_identity" { type = bool }
      attribute "use_azuread_auth" { type = bool }
      attribute "use_cli" { type = bool }
      attribute "use_microsoft_graph" {
        type  = bool
        since = "1.2"
        until = "1.3"
      }
      attribute "use_msi" { type = bool }
      attribute "use_oidc" { type = bool }
    }
    case "consul" {
      attribute "access_token" {
        type      = string
        sensitive = true
      }
      attribute "address" {
        type        = string
        description = "The address of Consul."
      }
      attribute "ca_file" { type = string }
      attribute "cert_file" { type = string }
      attribute "datacenter" { type = string }
      attribute "gzip" { type = bool }
      attribute "http_auth" { type = string }
      attribute "key_file" { type = string }
      attribute "lock" { type = bool }
      attribute "path" {
        type        = string
        description = "The path of the state in the store of Consul."
      }
      attribute "scheme" { type = string }
    }
    case "cos" {
      attribute "accelerate" {
        type  = bool
        since = "1.3"
      }
      attribute "acl" { type = string }
      block "assume_role" {
        nesting = single
        since   = "1.4"
        attribute "external_id" { type = string }
        attribute "policy" { type = string }
        attribute "role_arn" { type = string }
        attribute "session_duration" { type = number }
        attribute "session_name" { type = string }
      }
      attribute "bucket" {
        type        = string
        description = "The name of the bucket."
      }
      attribute "cam_role_name" { type = string }
      attribute "domain" {
        type  = string
        since = "1.6"
      }
      attribute "encrypt" { type = bool }
      attribute "endpoint" {
        type  = string
        since = "1.6"
      }
      attribute "key" { type = string }
      attribute "prefix" { type = string }
      attribute "profile" { type = string }
      attribute "region" { type = string }
      attribute "secret_id" {
        type      = string
        sensitive = true
      }
      attribute "secret_key" {
        type      = string
        sensitive = true
      }
      attribute "security_token" {
        type      = string
        sensitive = true
        since     = "1.4"
      }
      attribute "shared_credentials_dir" { type = string }
    }
    case "gcs" {
      attribute "access_token" {
        type      = string
        sensitive = true
      }
      attribute "bucket" {
        type        = string
        description = "The name of the bucket."
      }
      attribute "credentials" {
        type      = string
        sensitive = true
      }
      attribute "encryption_key" {
        type      = string
        sensitive = true
      }
      attribute "impersonate_service_account" { type = string }
      attribute "impersonate_service_account_delegates" { type = list(string) }
      attribute "kms_encryption_key" {
        type  = string
        since = "1.4"
      }
      attribute "prefix" {
        type        = string
        description = "The folder of the state in the bucket."
      }
      attribute "storage_custom_endpoint" {
        type  = string
        since = "1.4"
      }
      attribute "universe_domain" { type = string }
    }
    case "http" {
      attribute "address" {
        type        = string
        description = "The address of the state."
      }
      attribute "client_ca_certificate_pem" {
        type  = string
        since = "1.4"
      }
      attribute "client_certificate_pem" {
        type  = string
        since = "1.4"
      }
      attribute "client_private_key_pem" {
        type      = string
        sensitive = true
        since     = "1.4"
      }
      attribute "headers" { type = map(string) }
      attribute "lock_address" {
        type        = string
        description = "The address that locks the state."
      }
      attribute "lock_method" { type = string }
      attribute "password" {
        type      = string
        sensitive = true
      }
      attribute "retry_max" { type = number }
      attribute "retry_wait_max" { type = number }
      attribute "retry_wait_min" { type = number }
      attribute "skip_cert_verification" { type = bool }
      attribute "unlock_address" {
        type        = string
        description = "The address that unlocks the state."
      }
      attribute "unlock_method" { type = string }
      attribute "update_method" { type = string }
      attribute "username" { type = string }
    }
    case "inmem" {
      attribute "lock_id" { type = string }
    }
    case "kubernetes" {
      attribute "client_certificate" { type = string }
      attribute "client_key" {
        type      = string
        sensitive = true
      }
      attribute "cluster_ca_certificate" { type = string }
      attribute "config_context" { type = string }
      attribute "config_context_auth_info" { type = string }
      attribute "config_context_cluster" { type = string }
      attribute "config_path" { type = string }
      attribute "config_paths" { type = list(string) }
      block "exec" {
        nesting = single
        form    = either
        attribute "api_version" { type = string }
        attribute "args" { type = list(string) }
        attribute "command" { type = string }
        attribute "env" { type = map(string) }
      }
      attribute "host" { type = string }
      attribute "in_cluster_config" { type = bool }
      attribute "insecure" { type = bool }
      attribute "labels" { type = map(string) }
      attribute "load_config_file" { type = bool }
      attribute "namespace" {
        type        = string
        description = "The namespace of the secret."
      }
      attribute "password" {
        type      = string
        sensitive = true
      }
      attribute "proxy_url" {
        type  = string
        since = "1.6"
      }
      attribute "secret_suffix" {
        type        = string
        description = "The end of the name of the secret with the state."
      }
      attribute "token" {
        type      = string
        sensitive = true
      }
      attribute "username" { type = string }
    }
    case "local" {
      attribute "path" {
        type        = string
        description = "The file with the state."
      }
      attribute "workspace_dir" {
        type        = string
        description = "The folder with the states of other workspaces."
      }
    }
    case "oss" {
      attribute "access_key" {
        type      = string
        sensitive = true
      }
      attribute "acl" { type = string }
      block "assume_role" {
        nesting = single
        form    = either
        attribute "policy" { type = string }
        attribute "role_arn" { type = string }
        attribute "session_expiration" { type = number }
        attribute "session_name" { type = string }
      }
      attribute "assume_role_policy" { type = string }
      attribute "assume_role_role_arn" { type = string }
      attribute "assume_role_session_expiration" { type = number }
      attribute "assume_role_session_name" { type = string }
      attribute "bucket" {
        type        = string
        description = "The name of the bucket."
      }
      attribute "ecs_role_name" { type = string }
      attribute "encrypt" { type = bool }
      attribute "endpoint" { type = string }
      attribute "key" { type = string }
      attribute "prefix" { type = string }
      attribute "profile" { type = string }
      attribute "region" { type = string }
      attribute "secret_key" {
        type      = string
        sensitive = true
      }
      attribute "security_token" {
        type      = string
        sensitive = true
      }
      attribute "shared_credentials_file" { type = string }
      attribute "sts_endpoint" { type = string }
      attribute "tablestore_endpoint" { type = string }
      attribute "tablestore_instance_name" { type = string }
      attribute "tablestore_table" { type = string }
    }
    case "pg" {
      attribute "conn_str" {
        type        = string
        sensitive   = true
        description = "The address of the database."
      }
      attribute "index_name" { type = string }
      attribute "schema_name" {
        type        = string
        description = "The schema of the database with the states."
      }
      attribute "skip_index_creation" { type = bool }
      attribute "skip_schema_creation" { type = bool }
      attribute "skip_table_creation" { type = bool }
      attribute "table_name" { type = string }
    }
    case "remote" {
      attribute "hostname" {
        type        = string
        description = "The name of the host; without it, that of HCP Terraform."
      }
      attribute "organization" {
        type        = string
        description = "The organization with the workspaces."
      }
      attribute "token" {
        type      = string
        sensitive = true
      }
      block "workspaces" {
        nesting = single
        attribute "name" { type = string }
        attribute "prefix" { type = string }
      }
    }
    case "s3" {
      attribute "access_key" {
        type      = string
        sensitive = true
      }
      attribute "acl" { type = string }
      attribute "allowed_account_ids" {
        type  = set(string)
        since = "1.6"
      }
      attribute "assume_role" {
        type = object({
          duration            = optional(string)
          external_id         = optional(string)
          policy              = optional(string)
          policy_arns         = optional(set(string))
          role_arn            = string
          session_name        = optional(string)
          source_identity     = optional(string)
          tags                = optional(map(string))
          transitive_tag_keys = optional(set(string))
          "*"                 = any
        })
        since = "1.6"
      }
      attribute "assume_role_duration_seconds" { type = number }
      attribute "assume_role_policy" { type = string }
      attribute "assume_role_policy_arns" { type = set(string) }
      attribute "assume_role_tags" { type = map(string) }
      attribute "assume_role_transitive_tag_keys" { type = set(string) }
      attribute "assume_role_with_web_identity" {
        type = object({
          duration                = optional(string)
          policy                  = optional(string)
          policy_arns             = optional(set(string))
          role_arn                = optional(string)
          session_name            = optional(string)
          web_identity_token      = optional(string)
          web_identity_token_file = optional(string)
          "*"                     = any
        })
        since = "1.6"
      }
      attribute "bucket" {
        type        = string
        description = "The name of the bucket."
      }
      attribute "custom_ca_bundle" {
        type  = string
        since = "1.6"
      }
      attribute "dynamodb_endpoint" { type = string }
      attribute "dynamodb_table" {
        type        = string
        description = "The table that locks the state."
      }
      attribute "ec2_metadata_service_endpoint" {
        type  = string
        since = "1.6"
      }
      attribute "ec2_metadata_service_endpoint_mode" {
        type  = string
        since = "1.6"
      }
      attribute "encrypt" {
        type        = bool
        description = "True to encrypt the state in the bucket."
      }
      attribute "endpoint" { type = string }
      attribute "endpoints" {
        type = object({
          dynamodb = optional(string)
          iam      = optional(string)
          s3       = optional(string)
          sso      = optional(string)
          sts      = optional(string)
          "*"      = any
        })
        since = "1.6"
      }
      attribute "external_id" { type = string }
      attribute "forbidden_account_ids" {
        type  = set(string)
        since = "1.6"
      }
      attribute "force_path_style" { type = bool }
      attribute "http_proxy" {
        type  = string
        since = "1.6"
      }
      attribute "https_proxy" {
        type  = string
        since = "1.7"
      }
      attribute "iam_endpoint" { type = string }
      attribute "insecure" {
        type  = bool
        since = "1.6"
      }
      attribute "key" {
        type        = string
        description = "The path of the state in the bucket."
      }
      attribute "kms_key_id" { type = string }
      attribute "lock_tags" { type = map(string) }
      attribute "max_retries" { type = number }
      attribute "no_proxy" {
        type  = string
        since = "1.7"
      }
      attribute "profile" {
        type        = string
        description = "The profile in the files with credentials."
      }
      attribute "region" {
        type        = string
        description = "The region of the bucket."
      }
      attribute "retry_mode" {
        type  = string
        since = "1.6"
      }
      attribute "role_arn" { type = string }
      attribute "secret_key" {
        type      = string
        sensitive = true
      }
      attribute "session_name" { type = string }
      attribute "shared_config_files" {
        type  = set(string)
        since = "1.6"
      }
      attribute "shared_credentials_file" { type = string }
      attribute "shared_credentials_files" {
        type  = set(string)
        since = "1.6"
      }
      attribute "skip_credentials_validation" { type = bool }
      attribute "skip_metadata_api_check" { type = bool }
      attribute "skip_region_validation" { type = bool }
      attribute "skip_requesting_account_id" {
        type  = bool
        since = "1.7"
      }
      attribute "skip_s3_checksum" {
        type  = bool
        since = "1.7"
      }
      attribute "sse_customer_key" {
        type      = string
        sensitive = true
      }
      attribute "state_tags" { type = map(string) }
      attribute "sts_endpoint" { type = string }
      attribute "sts_region" {
        type  = string
        since = "1.6"
      }
      attribute "token" {
        type      = string
        sensitive = true
      }
      attribute "use_dualstack_endpoint" {
        type  = bool
        since = "1.6"
      }
      attribute "use_fips_endpoint" {
        type  = bool
        since = "1.6"
      }
      attribute "use_legacy_workflow" {
        type  = bool
        since = "1.6"
        until = "1.8"
      }
      attribute "use_lockfile" {
        type        = bool
        since       = "1.10"
        description = "True to lock the state with a file in the bucket."
      }
      attribute "use_path_style" {
        type  = bool
        since = "1.6"
      }
      attribute "workspace_key_prefix" { type = string }
    }
    # Earlier versions had these.
    case "artifactory" "atlas" "azure" "etcd" "etcdv3" "manta" "swift" {
      open = true
    }
  }
}
