# Projects of Waypoint: what does not depend on plugins.

language "waypoint" {
  title       = "Waypoint"
  description = "How applications are built, deployed and released."
  docs        = "https://developer.hashicorp.com/waypoint/docs/waypoint-hcl"
  later       = ["path", "app", "project", "workspace", "artifact", "deploy", "entrypoint", "labels", "config", "service", "scope"]
  environment = "WP_VAR_"

  # The functions are those of Waypoint and its plugins; they read Git, files and what else is known when it runs.
  later_functions = ["*"]

  files "project" {
    patterns = ["waypoint.hcl", "waypoint.json", "*.waypoint.hcl"]
    body     = project
  }
  files "values" {
    description = "Values for the variables of the project."
    patterns    = ["*.wpvars", "*.wpvars.json"]
    given       = ["*.auto.wpvars", "*.auto.wpvars.json"]
    body        = values
  }
}

part "project" {
  attribute "project" {
    type        = string
    description = "The name of the project."
  }
  attribute "labels" { type = map(string) }

  block "app" {
    description = "An application: how it is built, deployed and released."
    docs        = "https://developer.hashicorp.com/waypoint/docs/waypoint-hcl/app"
    label "name" { type = string }
    attribute "path" {
      type        = string
      description = "The folder of the application."
    }
    attribute "labels" { type = map(string) }
    block "url" {
      nesting = single
      attribute "auto_hostname" { type = bool }
    }
    block "config" {
      nesting = single
      include = [config]
    }
    block "runner" {
      nesting = single
      include = [runner]
    }
    block "build" {
      min         = 1
      nesting     = single
      description = "How the artifact is made."
      include     = [stage]
      block "registry" {
        nesting     = single
        description = "Where the artifact is kept."
        include     = [stage]
      }
    }
    block "deploy" {
      min         = 1
      nesting     = single
      description = "How the artifact is put on a platform."
      include     = [stage]
    }
    block "release" {
      nesting     = single
      description = "How a deployment gets its traffic."
      include     = [stage]
    }
  }

  block "config" {
    nesting     = single
    description = "The configuration of applications, for all of them."
    include     = [config]
  }
  block "runner" {
    nesting = single
    include = [runner]
  }
  block "plugin" {
    description = "A plugin that must be there."
    label "name" { type = string }
    attribute "checksum" { type = string }
    block "type" {
      nesting = single
      attribute "mapper" { type = bool }
      attribute "build" { type = bool }
      attribute "registry" { type = bool }
      attribute "deploy" { type = bool }
      attribute "release" { type = bool }
    }
  }
  block "variable" {
    description = "An input of the project."
    label "name" { type = identifier }
    defines "variable" {
      value   = input
      address = "var.{name}"
      open    = true
    }
    attribute "type" { type = type }
    attribute "default" {
      type        = any
      role        = value
      description = "The value if no other is given, or where it comes from: `dynamic(…)`."
    }
    attribute "description" { type = string }
    attribute "sensitive" { type = bool }
    attribute "env" {
      type        = list(string)
      description = "Environment variables that give the value."
    }
  }
  block "pipeline" {
    description = "A series of steps."
    label "name" { type = string }
    include = [pipeline]
  }
}

part "pipeline" {
  attribute "labels" { type = map(string) }
  block "step" {
    description = "A step of the pipeline."
    label "name" { type = string }
    attribute "depends_on" { type = list(string) }
    attribute "image_url" { type = string }
    attribute "workspace" { type = string }
    attribute "labels" { type = map(string) }
    block "use" {
      nesting = single
      include = [plugin_use]
      label "type" { type = string }
    }
    block "pipeline" {
      nesting     = single
      description = "A pipeline that the step is."
      label "name" { type = string }
      include = [pipeline]
    }
  }
}

part "runner" {
  attribute "profile" { type = string }
  attribute "enabled" { type = bool }
  block "data_source" {
    nesting     = single
    description = "Where the project's files come from, such as Git."
    open        = true
    label "type" { type = string }
  }
  block "poll" {
    nesting = single
    attribute "enabled" { type = bool }
    attribute "interval" { type = duration }
  }
}

part "stage" {
  attribute "labels" { type = map(string) }
  include = [use]
  block "hook" {
    description = "A command that runs before or after."
    attribute "when" { type = required(one_of("before", "after")) }
    attribute "command" { type = required(list(string)) }
    attribute "on_failure" { type = one_of("continue", "fail") }
  }
  block "workspace" {
    description = "What is different in a workspace."
    label "name" { type = string }
    include = [use]
  }
  block "label" {
    description = "What is different for the objects that a condition on labels selects."
    label "selector" { type = string }
    include = [use]
  }
}

part "use" {
  block "use" {
    nesting     = single
    description = "The plugin that does it, with its options."
    label "type" { type = string }
    include = [plugin_use]
  }
}

part "plugin_use" {
  open = true
}

part "config" {
  include = [config_values]
  attribute "file_change_signal" {
    type        = string
    description = "The signal that the application gets when a file changes."
  }
  block "workspace" {
    label "name" { type = string }
    include = [config_values]
  }
  block "label" {
    label "selector" { type = string }
    include = [config_values]
  }
  block "runner" {
    nesting = single
    include = [config_values]
    block "workspace" {
      label "name" { type = string }
      include = [config_values]
    }
    block "label" {
      label "selector" { type = string }
      include = [config_values]
    }
  }
}

part "config_values" {
  attribute "internal" {
    type        = any
    description = "Values for other parts of the configuration."
  }
  attribute "env" {
    type        = any
    description = "Environment variables of the application."
  }
  attribute "file" {
    type        = any
    description = "Files that the application finds, by their names."
  }
}

part "values" {
  attribute "*" {
    assigns = variable
  }
}
