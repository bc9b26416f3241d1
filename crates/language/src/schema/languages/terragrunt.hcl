# Files of Terragrunt.

language "terragrunt" {
  title       = "Terragrunt"
  description = "Units and stacks of Terraform and OpenTofu configurations."
  docs        = "https://terragrunt.gruntwork.io/docs/reference/hcl/"
  functions   = "terraform"
  environment = "TF_VAR_"
  version     = terragrunt_version_constraint
  later       = ["include", "values", "path", "terraform"]

  # An included file may have dependencies as well, and so may the file `terragrunt.autoinclude.hcl` that a stack writes
  # beside a unit: in the catalog, a unit whose dependencies are all given by stacks has none.
  elsewhere = ["include.dependency", "include.feature", "unit.dependency", "stack.dependency", "dependency"]

  later_functions = [
    "constraint_check",
    "deep_merge",
    "find_in_parent_folders",
    "get_aws_account_alias",
    "get_aws_account_id",
    "get_aws_caller_identity_arn",
    "get_aws_caller_identity_user_id",
    "get_default_retryable_errors",
    "get_env",
    "get_original_terragrunt_dir",
    "get_parent_terragrunt_dir",
    "get_path_from_repo_root",
    "get_path_to_repo_root",
    "get_platform",
    "get_repo_root",
    "get_terraform_cli_args",
    "get_terraform_command",
    "get_terraform_commands_that_need_input",
    "get_terraform_commands_that_need_locking",
    "get_terraform_commands_that_need_parallelism",
    "get_terraform_commands_that_need_vars",
    "get_terragrunt_dir",
    "get_terragrunt_source_cli_flag",
    "get_working_dir",
    "mark_as_read",
    "mark_glob_as_read",
    "path_relative_from_include",
    "path_relative_to_include",
    "read_terragrunt_config",
    "read_tfvars_file",
    "render_aws_provider_configuration",
    "run_cmd",
    "sops_decrypt_file",
    "strcontains",
    "timecmp",
  ]

  files "unit" {
    patterns = ["terragrunt.hcl", "terragrunt.hcl.json", "root.hcl"]
    also     = ["*.hcl"]
    body     = unit
  }
  files "stack" {
    patterns = ["terragrunt.stack.hcl", "*.stack.hcl"]
    body     = stack
  }
  files "values" {
    patterns = ["terragrunt.values.hcl"]
    body     = values
  }
}

part "values" {
  attribute "*" {}
}

part "unit" {
  include = [locals, feature, dependency]

  attribute "inputs" {
    type        = any
    description = "Values for the variables of the configuration."
  }
  attribute "download_dir" {
    type        = string
    description = "The folder into which sources are downloaded."
  }
  attribute "prevent_destroy" {
    type        = bool
    description = "True to refuse to destroy the unit."
  }
  attribute "skip" {
    type = bool
    deprecated { message = "write an `exclude` block" }
  }
  attribute "iam_role" {
    type        = string
    description = "The role of AWS that Terragrunt assumes."
  }
  attribute "iam_assume_role_duration" { type = number }
  attribute "iam_assume_role_session_name" { type = string }
  attribute "iam_web_identity_token" { type = string }
  attribute "terraform_binary" {
    type        = string
    description = "The program that is run."
  }
  attribute "terraform_version_constraint" {
    type        = version_constraint
    description = "The versions of Terraform or OpenTofu that the unit works with."
  }
  attribute "terragrunt_version_constraint" {
    type        = version_constraint
    description = "The versions of Terragrunt that the unit works with."
  }
  attribute "retryable_errors" {
    type = list(string)
    deprecated { message = "write an `errors` block with `retry`" }
  }
  attribute "retry_max_attempts" {
    type = number
    deprecated { message = "write an `errors` block with `retry`" }
  }
  attribute "retry_sleep_interval_sec" {
    type = number
    deprecated { message = "write an `errors` block with `retry`" }
  }

  block "include" {
    description = "Another file whose contents the unit has, too."
    label "name" { type = optional(string) }
    attribute "path" {
      type        = required(string)
      description = "The path of the file."
    }
    attribute "expose" {
      type        = bool
      description = "True if expressions can refer to its contents as `include`."
    }
    attribute "merge_strategy" {
      type        = one_of("no_merge", "shallow", "deep", "deep_map_only")
      description = "How its contents are merged."
    }
  }

  block "terraform" {
    nesting     = single
    description = "The configuration, and how it is run."
    attribute "source" {
      type        = string
      description = "Where the configuration is."
    }
    attribute "version" {
      type        = string
      description = "The version of the configuration, if it is in a registry."
    }
    attribute "update_source_with_cas" { type = bool }
    attribute "mutable" { type = bool }
    attribute "include_in_copy" { type = list(string) }
    attribute "exclude_from_copy" { type = list(string) }
    attribute "copy_terraform_lock_file" { type = bool }
    block "extra_arguments" {
      description = "More arguments for commands."
      label "name" {}
      attribute "commands" { type = required(list(string)) }
      attribute "arguments" { type = list(string) }
      attribute "env_vars" { type = map(string) }
      attribute "required_var_files" { type = list(string) }
      attribute "optional_var_files" { type = list(string) }
    }
    block "before_hook" {
      label "name" {}
      include = [hook]
    }
    block "after_hook" {
      label "name" {}
      include = [hook]
    }
    block "error_hook" {
      label "name" {}
      include = [command]
      attribute "on_errors" {
        type        = list(string)
        description = "Regular expressions for the errors."
      }
    }
  }

  block "remote_state" {
    nesting     = single
    form        = either
    description = "Where the state is stored."
    attribute "backend" { type = required(string) }
    attribute "disable_init" { type = bool }
    attribute "disable_dependency_optimization" { type = bool }
    attribute "generate" { type = any }
    attribute "config" { type = required(any) }
    attribute "encryption" { type = any }
  }

  block "dependencies" {
    nesting     = single
    description = "Units that must be done before."
    attribute "paths" { type = required(list(string)) }
  }

  block "generate" {
    form        = either
    description = "A file that is written before the program runs."
    label "name" {}
    attribute "path" { type = required(string) }
    attribute "mutable" { type = bool }
    attribute "if_exists" {
      type = required(one_of("overwrite", "overwrite_terragrunt", "skip", "error"))
    }
    attribute "if_disabled" { type = one_of("remove", "remove_terragrunt", "skip") }
    attribute "comment_prefix" { type = string }
    attribute "contents" { type = required(string) }
    attribute "disable_signature" { type = bool }
    attribute "disable" { type = bool }
    attribute "hcl_fmt" { type = bool }
  }

  block "engine" {
    nesting = single
    attribute "source" { type = required(string) }
    attribute "version" { type = string }
    attribute "type" { type = string }
    attribute "meta" { type = any }
  }

  block "exclude" {
    nesting     = single
    description = "When the unit is left out."
    attribute "if" { type = required(bool) }
    attribute "actions" { type = list(string) }
    attribute "exclude_dependencies" { type = bool }
    attribute "no_run" { type = bool }
  }

  block "errors" {
    nesting     = single
    description = "What happens when the program fails."
    block "retry" {
      label "name" {}
      attribute "retryable_errors" { type = required(list(string)) }
      attribute "max_attempts" { type = required(number) }
      attribute "sleep_interval_sec" { type = required(number) }
    }
    block "ignore" {
      label "name" {}
      attribute "ignorable_errors" { type = required(list(string)) }
      attribute "message" { type = string }
      attribute "signals" { type = any }
    }
  }

  block "catalog" {
    nesting     = single
    description = "Where modules are found."
    attribute "urls" { type = list(string) }
    attribute "default_template" { type = string }
    attribute "no_shell" { type = bool }
    attribute "no_hooks" { type = bool }
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

part "feature" {
  block "feature" {
    description = "A switch that the command line can set."
    label "name" { type = identifier }
    defines "feature" {
      value   = value
      address = "feature.{name}.value"
    }
    attribute "default" {
      type        = required(any)
      role        = value
      description = "The value if no other is given."
    }
  }
}

part "hook" {
  include = [command]
  attribute "run_on_error" { type = bool }
  attribute "if" { type = bool }
}

part "command" {
  attribute "commands" { type = list(string) }
  attribute "execute" { type = list(string) }
  attribute "working_dir" { type = string }
  attribute "suppress_stdout" { type = bool }
}

# Several instances of a block.
part "expansion" {
  block "expansion" {
    nesting = single
    attribute "for_each" { type = any }
    attribute "count" { type = number }
    at_most_one = ["for_each", "count"]
  }
}

part "stack" {
  include = [locals, feature]
  block "include" {
    description = "Another file whose contents the stack has, too."
    label "name" { type = optional(string) }
    attribute "path" { type = required(string) }
    attribute "expose" { type = bool }
    attribute "merge_strategy" { type = string }
  }
  block "unit" {
    description = "A unit of the stack."
    label "name" { type = string }
    defines "unit" {
      value   = later
      address = "unit.{name}"
    }
    names   = ["each", "count"]
    include = [component]
    block "autoinclude" {
      nesting     = single
      open        = true
      description = "What is written into a file that the unit includes. It can have everything that a unit has, except locals."
      include     = [dependency]
    }
  }
  block "stack" {
    description = "A stack in the stack."
    label "name" { type = string }
    defines "stack" {
      value   = later
      address = "stack.{name}"
    }
    names   = ["each", "count"]
    include = [component]
    block "autoinclude" {
      nesting     = single
      description = "Units and stacks that are added to the stack."
      open        = true
    }
  }
}

part "component" {
  include = [expansion]
  attribute "source" {
    type        = required(string)
    description = "Where the files are."
  }
  attribute "path" {
    type        = required(string)
    description = "The folder into which they are written."
  }
  attribute "values" {
    type        = any
    description = "Values that its expressions can use as `values`."
  }
  attribute "no_dot_terragrunt_stack" { type = bool }
  attribute "no_validation" { type = bool }
  attribute "update_source_with_cas" { type = bool }
  attribute "enabled" { type = bool }
  attribute "mutable" { type = bool }
}

part "dependency" {
  block "dependency" {
    description = "Another unit, whose outputs expressions can use."
    label "name" { type = string }
    defines "dependency" {
      value   = later
      address = "dependency.{name}"
    }
    names   = ["each", "count"]
    include = [expansion]
    attribute "config_path" {
      type        = required(string)
      description = "The folder of the unit."
    }
    attribute "enabled" { type = bool }
    attribute "skip_outputs" { type = bool }
    attribute "mock_outputs" {
      type        = any
      description = "Values for outputs that are not known yet."
    }
    attribute "mock_outputs_allowed_terraform_commands" { type = list(string) }
    attribute "mock_outputs_merge_with_state" { type = bool }
    attribute "mock_outputs_merge_strategy_with_state" {
      type = one_of("no_merge", "shallow", "deep_map_only")
    }
  }
}
