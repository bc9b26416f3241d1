# Files of Terramate: stacks, globals, generated code, scripts.

language "terramate" {
  title       = "Terramate"
  description = "Stacks of Terraform and others: globals, code generation, orchestration."
  docs        = "https://terramate.io/docs"
  later       = ["terramate", "global", "let", "env", "component", "bundle", "outputs", "element", "each"]
  version     = terramate.required_version

  # Functions are those of Terraform with the prefix `tm_`.
  later_functions = ["*"]

  files "configuration" {
    patterns = ["*.tm", "*.tm.hcl", "*.tm.json"]
    body     = configuration
  }
  files "trigger" {
    description = "Marks a stack as changed."
    patterns    = ["*.tm.hcl"]
    detect      = ["trigger {}"]
    body        = trigger
  }
}

part "configuration" {
  block "terramate" {
    description = "Settings of Terramate itself."
    attribute "required_version" {
      type        = version_constraint
      description = "The versions of Terramate that work with the files."
    }
    attribute "required_version_allow_prereleases" { type = bool }
    block "config" {
      include = [settings]
    }
  }

  block "stack" {
    nesting     = single
    description = "Makes the folder a stack."
    attribute "id" {
      type        = string
      description = "A name that no other stack has."
    }
    attribute "name" { type = string }
    attribute "description" { type = string }
    attribute "tags" { type = list(string) }
    attribute "after" {
      type        = list(string)
      description = "Stacks, or tags of stacks, that run before this one."
    }
    attribute "before" {
      type        = list(string)
      description = "Stacks, or tags of stacks, that run after this one."
    }
    attribute "wants" {
      type        = list(string)
      description = "Stacks that also run when this one does."
    }
    attribute "wanted_by" {
      type        = list(string)
      description = "Stacks with which this one also runs."
    }
    attribute "watch" {
      type        = list(string)
      description = "Files whose changes are changes of the stack."
    }
    attribute "from_bundle_file" { type = string }
    attribute "from_bundle_label" { type = string }
  }

  block "globals" {
    description = "Names that all stacks below the folder can use as `global.NAME`."
    label "path" { type = repeated(string) }
    attribute "*" {}
    block "map" {
      label "name" {}
      open = true
    }
  }
  block "map" {
    label "name" {}
    open = true
  }

  block "generate_hcl" {
    description = "A file with HCL that is generated."
    label "path" { type = string }
    include = [generated]
    attribute "inherit" { type = any }
    block "stack_filter" { include = [stack_filter] }
    block "content" {
      min         = 1
      open        = true
      description = "What the file has."
    }
    block "tm_dynamic" {
      open = true
      label "type" {}
    }
  }
  block "generate_file" {
    description = "A file of any kind that is generated."
    label "path" { type = string }
    include = [generated]
    attribute "content" {
      type        = required(any)
      description = "The text of the file."
    }
    attribute "context" { type = keyword(stack, root) }
    attribute "inherit" { type = any }
    block "stack_filter" { include = [stack_filter] }
  }
  block "import" {
    description = "Takes in another file."
    attribute "source" { type = required(string) }
  }
  block "assert" { include = [assert] }

  block "script" {
    description = "Commands with a name, for `terramate script run`."
    label "name" { type = repeated(string) }
    attribute "name" { type = any }
    attribute "description" { type = any }
    block "lets" { open = true }
    block "job" {
      min         = 1
      description = "Commands that run one after the other."
      attribute "name" { type = any }
      attribute "description" { type = any }
      attribute "command" { type = any }
      attribute "commands" { type = any }
      at_most_one = ["command", "commands"]
    }
  }
  block "vendor" {
    description = "Copies of modules."
    attribute "dir" { type = string }
    block "manifest" {
      block "default" {
        attribute "files" { type = list(string) }
      }
    }
  }
  block "sharing_backend" {
    description = "How outputs get from one stack to others."
    label "name" { type = string }
    attribute "type" { type = keyword(terraform) }
    attribute "filename" { type = string }
    attribute "command" { type = any }
  }
  block "input" {
    description = "A value from another stack."
    label "name" { type = string }
    attribute "backend" { type = any }
    attribute "value" { type = any }
    attribute "from_stack_id" { type = any }
    attribute "sensitive" { type = any }
    attribute "mock" { type = any }
  }
  block "output" {
    description = "A value for other stacks."
    label "name" { type = string }
    attribute "backend" { type = any }
    attribute "value" { type = any }
    attribute "description" { type = any }
    attribute "sensitive" { type = any }
  }

  # Their contents are new and change with each release.
  block "define" {
    label "name" { type = repeated(string) }
    open = true
  }
  block "component" {
    label "name" { type = repeated(string) }
    open = true
  }
  block "bundle" {
    label "name" { type = repeated(string) }
    open = true
  }
  block "environment" {
    open = true
  }
  block "scaffold" {
    open = true
  }
}

part "generated" {
  attribute "condition" {
    type        = any
    description = "The file is generated if this is true."
  }
  block "lets" {
    description = "Names for expressions of this block, as `let.NAME`."
    open        = true
  }
  block "assert" { include = [assert] }
}

part "assert" {
  attribute "assertion" { type = required(any) }
  attribute "message" { type = required(any) }
  attribute "warning" { type = any }
}

part "stack_filter" {
  attribute "project_paths" { type = list(string) }
  attribute "repository_paths" { type = list(string) }
}

part "settings" {
  attribute "experiments" { type = list(string) }
  attribute "disable_safeguards" { type = list(string) }
  block "git" {
    attribute "default_branch" { type = string }
    attribute "default_remote" { type = string }
    attribute "check_untracked" { type = bool }
    attribute "check_uncommitted" { type = bool }
    attribute "check_remote" { type = bool }
  }
  block "generate" {
    attribute "hcl_magic_header_comment_style" { type = one_of("//", "#") }
  }
  block "change_detection" {
    block "terragrunt" {
      attribute "enabled" { type = one_of("auto", "off", "force") }
    }
    block "git" {
      attribute "untracked" { type = one_of("on", "off", bool) }
      attribute "uncommitted" { type = one_of("on", "off", bool) }
    }
  }
  block "run" {
    attribute "check_gen_code" { type = bool }
    block "env" {
      description = "Environment variables of commands."
      attribute "*" {}
    }
  }
  block "cloud" {
    attribute "organization" { type = string }
    attribute "location" { type = string }
    block "targets" {
      attribute "enabled" { type = bool }
    }
  }
  block "telemetry" {
    attribute "enabled" { type = one_of("on", "off", bool) }
  }
}

part "trigger" {
  block "trigger" {
    min     = 1
    nesting = single
    attribute "ctime" { type = required(number) }
    attribute "reason" { type = string }
    attribute "type" { type = any }
    attribute "context" { type = any }
  }
}
