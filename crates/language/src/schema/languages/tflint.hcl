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
    open        = true
    description = "Requirements on tflint. It ignores other arguments."
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
      until       = "0.54.0"
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
      type  = bool
      until = "0.23.0"
      deprecated { message = "set `deep_check` in the block of the plugin" }
    }
    attribute "terraform_version" {
      type  = string
      until = "0.9.0"
      deprecated { message = "remove it" }
    }
    attribute "ignore_rule" {
      type  = map(bool)
      until = "0.23.0"
      deprecated { message = "write a `rule` block with `enabled = false`" }
    }
  }

  # Of two blocks with the same label, the last one counts.
  block "rule" {
    description = "Options of a rule. Each rule may have more."
    open        = true
    label "name" { description = "The name of the rule." }
    attribute "enabled" {
      type        = required(bool)
      description = "True to use the rule."
    }
    attribute "ignorable" {
      type        = bool
      description = "False if comments in the code cannot switch the rule off."
    }
  }

  block "plugin" {
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
      check {
        condition = can(regex("^[^/]*/[^/]*/[^/]*$", value))
        message   = "the address has three parts: `HOST/OWNER/REPOSITORY`"
      }
    }
    attribute "signature" {
      type        = one_of("auto", "attestation", "pgp", "none")
      description = "How its release is verified."
    }
    attribute "signing_key" {
      type        = string
      description = "The public key that checks its signature."
    }
    all_or_none = ["version", "source"]
    check {
      condition = body.signing_key == null || body.signature != "attestation" && body.signature != "none"
      message   = "a `signing_key` is not used with this `signature`"
    }
  }
}
