# The configuration of tflint.

language "tflint" {
  title       = "tflint"
  description = "The configuration of tflint: which plugins and rules it uses."
  docs        = "https://github.com/terraform-linters/tflint/blob/master/docs/user-guide/config.md"
  version     = tflint.required_version

  files "configuration" {
    patterns = [".tflint.hcl", ".tflint.json", "*.tflint.hcl"]
    body     = configuration
  }
}

part "configuration" {
  block "tflint" {
    nesting     = single
    description = "Requirements on tflint."
    attribute "required_version" {
      type        = version_constraint
      description = "The versions of tflint that can use the file."
    }
  }

  block "config" {
    nesting     = single
    description = "Options of tflint itself."

    attribute "format" {
      type        = one_of("default", "json", "checkstyle", "junit", "compact", "sarif")
      description = "The format of the output."
    }
    attribute "plugin_dir" {
      type        = folder_path
      description = "The folder with plugins."
    }
    attribute "call_module_type" {
      type        = one_of("all", "local", "none")
      description = "The modules that are inspected, too."
      since       = "0.54.0"
    }
    attribute "module" {
      type        = bool
      description = "True to inspect modules, too."
      deprecated {
        message = "set `call_module_type` to \"all\" or \"none\""
        since   = "0.54.0"
      }
    }
    attribute "force" {
      type        = bool
      description = "True to exit with 0 even if there are issues."
    }
    attribute "disabled_by_default" {
      type        = bool
      description = "True to use only rules that are enabled here."
    }
    attribute "ignore_module" {
      type        = map(bool)
      description = "Sources of modules that are left out."
    }
    attribute "varfile" {
      type        = list(file_path)
      description = "Files with values for variables."
    }
    attribute "variables" {
      type        = list(string)
      description = "Values for variables, as `NAME=VALUE`."
    }
    attribute "deep_check" {
      type = bool
      deprecated { message = "set `deep_check` in the block of the plugin" }
    }
    attribute "terraform_version" {
      type = string
      deprecated { message = "remove it" }
    }
    attribute "ignore_rule" {
      type = map(bool)
      deprecated { message = "write a `rule` block with `enabled = false`" }
    }
  }

  block "rule" {
    unique      = true
    description = "Options of a rule. Each rule may have more."
    open        = true
    label "name" { description = "The name of the rule." }
    attribute "enabled" {
      type        = required(bool)
      description = "True to use the rule."
    }
  }

  block "plugin" {
    unique      = true
    description = "A plugin with rules. Each plugin may have more options."
    open        = true
    label "name" { description = "The name of the plugin." }
    attribute "enabled" {
      type        = required(bool)
      description = "True to use the plugin."
    }
    attribute "version" {
      type        = version
      description = "The version that `tflint --init` installs."
    }
    attribute "source" {
      type        = string
      description = "The address of the repository with its releases, such as `github.com/terraform-linters/tflint-ruleset-aws`."
    }
    attribute "signing_key" {
      type        = string
      description = "The public key that checks its signature."
    }
    all_or_none = ["version", "source"]
  }
}
