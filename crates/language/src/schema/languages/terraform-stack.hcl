# Stacks of Terraform: components, and deployments of them.

language "terraform-stack" {
  title        = "Terraform Stacks"
  description  = "Components that are deployed together, and their deployments."
  docs         = "https://developer.hashicorp.com/terraform/language/stacks"
  functions    = "terraform"
  later        = ["path", "terraform"]
  checks_names = true

  later_functions = ["provider::*"]

  files "components" {
    description = "Components, with their providers, inputs and outputs."
    patterns    = ["*.tfcomponent.hcl", "*.tfcomponent.json", "*.tfstack.hcl", "*.tfstack.json"]
    together    = true
    body        = components
  }
  files "deployments" {
    description = "Deployments of the components beside them."
    patterns    = ["*.tfdeploy.hcl", "*.tfdeploy.json"]
    together    = true
    body        = deployments
  }
}

types {
  provider = reference(provider)
}

part "repeated" {
  attribute "for_each" {
    type        = any
    role        = for_each
    description = "The instances: a map or a set of strings."
  }
}

part "locals" {
  block "locals" {
    description = "Names for expressions."
    attribute "*" {
      defines "local" {
        value   = value
        address = "local.{attribute}"
      }
    }
  }
}

part "components" {
  include = [locals]

  block "required_providers" {
    description = "The providers that the components need."
    attribute "*" {
      type        = one_of(version_constraint, object(provider_requirement))
      description = "A provider: its source and versions."
    }
  }

  block "variable" {
    description = "An input of the stack."
    label "name" { type = identifier }
    defines "variable" {
      value   = input
      address = "var.{name}"
    }
    attribute "type" {
      type        = required(type)
      description = "The type that values are converted to."
    }
    attribute "default" {
      type        = typed_by(type)
      description = "The value if no other is given."
    }
    attribute "description" {
      type        = string
      description = "What the input is for."
    }
    attribute "sensitive" { type = bool }
    attribute "ephemeral" { type = bool }
  }

  block "output" {
    description = "A result of the stack."
    label "name" { type = identifier }
    attribute "type" {
      type        = required(type)
      description = "The type that the value is converted to."
    }
    attribute "value" {
      type        = required(any)
      description = "The value."
    }
    attribute "description" { type = string }
    attribute "sensitive" { type = bool }
    attribute "ephemeral" { type = bool }
  }

  block "provider" {
    description = "A configuration of a provider."
    label "type" { type = identifier }
    label "name" { type = identifier }
    defines "provider" {
      address = "provider.{type}.{name}"
      apart   = true
    }
    include = [repeated]
    block "config" {
      nesting     = single
      open        = true
      dynamic     = true
      description = "The arguments of the provider."
    }
  }

  block "component" {
    description = "A module of Terraform that is a part of the stack."
    label "name" { type = identifier }
    defines "component" {
      value   = later
      address = "component.{name}"
    }
    names   = ["self"]
    include = [repeated, providers]
    attribute "source" {
      type        = required(string)
      description = "Where the module is."
    }
    attribute "version" {
      type        = version_constraint
      description = "The versions of the module, if it is in a registry."
    }
    attribute "inputs" {
      type        = any
      description = "Values for the variables of the module."
    }
    attribute "depends_on" {
      type        = list(reference(component, stack))
      description = "Components and stacks that are applied before."
    }
  }

  block "stack" {
    description = "Another stack that is a part of this one."
    label "name" { type = identifier }
    defines "stack" {
      value   = later
      address = "stack.{name}"
    }
    include = [repeated]
    attribute "source" {
      type        = required(string)
      description = "Where the stack is."
    }
    attribute "version" { type = version_constraint }
    attribute "inputs" {
      type        = any
      description = "Values for the inputs of the stack."
    }
    attribute "depends_on" { type = list(reference(component, stack)) }
  }

  block "removed" {
    description = "A component that is destroyed, because it is no longer in the stack."
    include     = [repeated, providers]
    attribute "from" {
      type        = required(expression)
      description = "The component, such as `component.net`."
    }
    attribute "source" {
      type        = required(string)
      description = "Where the module is."
    }
    attribute "version" { type = version_constraint }
    attribute "inputs" { type = any }
    block "lifecycle" {
      nesting = single
      attribute "destroy" { type = bool }
    }
  }
}

part "provider_requirement" {
  attribute "source" {
    type        = required(string)
    description = "The address of the provider, such as `hashicorp/aws`."
  }
  attribute "version" {
    type        = version_constraint
    description = "The versions that the components work with."
  }
}

part "providers" {
  attribute "providers" {
    type        = map(provider)
    description = "The configurations of providers for the module."
  }
}

part "deployments" {
  include = [locals]

  block "deployment" {
    description = "A deployment of the components."
    label "name" { type = identifier }
    defines "deployment" {
      value   = later
      address = "deployment.{name}"
    }
    attribute "inputs" {
      type        = any
      description = "Values for the inputs of the stack."
    }
    attribute "deployment_group" {
      type        = reference(deployment_group)
      description = "The group of the deployment."
    }
    attribute "destroy" {
      type        = optional(bool, false)
      description = "True to destroy everything in the deployment."
    }
    attribute "migrate" { type = optional(bool, false) }
    attribute "import" { type = optional(bool, false) }
  }

  block "deployment_group" {
    description = "Deployments with the same rules."
    label "name" { type = identifier }
    defines "deployment_group" {
      value   = later
      address = "deployment_group.{name}"
    }
    attribute "auto_approve_checks" {
      type        = list(reference(deployment_auto_approve))
      description = "The checks that approve plans."
    }
    attribute "failure_tolerance" { type = number }
    attribute "eager_plan" { type = one_of("on", "off") }
  }

  block "deployment_auto_approve" {
    description = "Checks that approve plans."
    label "name" { type = identifier }
    defines "deployment_auto_approve" {
      value   = later
      address = "deployment_auto_approve.{name}"
    }
    names = ["context"]
    block "check" {
      min         = 1
      description = "A condition on the plan."
      attribute "condition" { type = required(any) }
      attribute "reason" { type = required(string) }
    }
  }

  block "orchestrate" {
    description = "Rules for plans."
    label "type" { type = one_of("auto_approve", "replan", string) }
    label "name" { type = identifier }
    names = ["context"]
    deprecated { message = "write a `deployment_group` and `deployment_auto_approve`" }
    attribute "description" { type = string }
    block "check" {
      attribute "condition" { type = required(any) }
      attribute "reason" { type = required(string) }
    }
  }

  block "identity_token" {
    description = "A token that identifies a run to providers."
    label "name" { type = identifier }
    defines "identity_token" {
      value   = later
      address = "identity_token.{name}"
    }
    attribute "audience" {
      type        = required(list(string))
      description = "Who the token is for."
    }
  }

  block "store" {
    description = "Values that are kept elsewhere."
    label "type" { type = identifier }
    label "name" { type = identifier }
    defines "store" {
      value   = later
      address = "store.{type}.{name}"
    }
    match "type" {
      case "tfvars" {
        attribute "path" { type = required(string) }
      }
      case "varset" {
        attribute "id" { type = string }
        attribute "name" { type = string }
        attribute "category" { type = required(one_of("terraform", "env")) }
        exactly_one = ["id", "name"]
      }
    }
  }

  block "publish_output" {
    description = "A value that other stacks can use."
    label "name" { type = identifier }
    attribute "description" { type = string }
    attribute "value" {
      type        = required(any)
      description = "The value, such as `deployment.main.id`."
    }
  }

  block "upstream_input" {
    description = "Another stack whose published values this one uses."
    label "name" { type = identifier }
    defines "upstream_input" {
      value   = later
      address = "upstream_input.{name}"
    }
    attribute "type" { type = required(one_of("stack")) }
    attribute "source" { type = required(string) }
  }
}
