# The blocks of Terraform and OpenTofu files (*.tf, *.tofu, *.tftest.hcl and the like) that do not depend on
# providers, and the arguments that are read as they are written. What providers add to resources, such as
# `ebs_block_device` in `aws_instance`, is not here: a schema of one's own adds it.

block "terraform" {
  block "required_providers" {
    static = ["configuration_aliases"]
  }
  block "backend" {
    labels = ["type"]
    when "remote" {
      block "workspaces" {}
    }
  }
  block "state_store" {
    labels = ["type"]
    block "provider" {
      labels = ["name"]
    }
  }
  block "cloud" {
    block "workspaces" {}
  }
  block "provider_meta" {
    labels = ["name"]
  }
  block "encryption" {
    block "key_provider" {
      labels = ["type", "name"]
    }
    block "method" {
      labels = ["type", "name"]
    }
    block "state" {
      block "fallback" {}
    }
    block "plan" {
      block "fallback" {}
    }
    block "remote_state_data_sources" {
      block "default" {}
      block "remote_state_data_source" {
        labels = ["name"]
      }
    }
  }
}

block "provider" {
  labels = ["name"]
}

block "variable" {
  labels = ["name"]
  static = ["type"]
  block "validation" {}
}

block "locals" {}

block "output" {
  labels = ["name"]
  static = ["depends_on", "type"]
  block "precondition" {}
}

block "module" {
  labels = ["name"]
  static = ["depends_on", "providers"]
  block "lifecycle" {}
}

block "resource" {
  labels = ["type", "name"]
  static = ["depends_on", "provider"]
  block "lifecycle" {
    static = ["ignore_changes", "replace_triggered_by"]
    block "precondition" {}
    block "postcondition" {}
    block "action_trigger" {
      static = ["events", "actions"]
    }
  }
  block "connection" {}
  block "timeouts" {}
  block "provisioner" {
    labels = ["type"]
    static = ["on_failure", "when"]
    block "connection" {}
  }
  block "dynamic" {
    labels = ["type"]
    static = ["iterator"]
    block "content" {}
  }
}

block "data" {
  labels = ["type", "name"]
  static = ["depends_on", "provider"]
  block "lifecycle" {
    block "precondition" {}
    block "postcondition" {}
  }
  block "timeouts" {}
  block "dynamic" {
    labels = ["type"]
    static = ["iterator"]
    block "content" {}
  }
}

block "ephemeral" {
  labels = ["type", "name"]
  static = ["depends_on", "provider"]
  block "lifecycle" {
    block "precondition" {}
    block "postcondition" {}
  }
  block "dynamic" {
    labels = ["type"]
    static = ["iterator"]
    block "content" {}
  }
}

block "action" {
  labels = ["type", "name"]
  static = ["provider"]
  block "config" {}
}

block "list" {
  labels = ["type", "name"]
  static = ["provider"]
  block "config" {}
}

block "check" {
  labels = ["name"]
  block "data" {
    labels = ["type", "name"]
    static = ["depends_on", "provider"]
  }
  block "assert" {}
}

block "moved" {
  static = ["from", "to"]
}

block "removed" {
  static = ["from"]
  block "lifecycle" {}
  block "connection" {}
  block "provisioner" {
    labels = ["type"]
    static = ["on_failure", "when"]
    block "connection" {}
  }
}

block "import" {
  static = ["to", "provider"]
}

# Tests.

block "test" {}

block "run" {
  labels = ["name"]
  static = ["command", "expect_failures", "providers"]
  block "plan_options" {
    static = ["mode", "replace", "target"]
  }
  block "variables" {}
  block "module" {}
  block "assert" {}
  block "override_resource" {
    static = ["target"]
  }
  block "override_data" {
    static = ["target"]
  }
  block "override_module" {
    static = ["target"]
  }
}

block "variables" {}

block "mock_provider" {
  labels = ["name"]
  block "mock_resource" {
    labels = ["type"]
  }
  block "mock_data" {
    labels = ["type"]
  }
  block "override_resource" {
    static = ["target"]
  }
  block "override_data" {
    static = ["target"]
  }
}

block "override_resource" {
  static = ["target"]
}

block "override_data" {
  static = ["target"]
}

block "override_module" {
  static = ["target"]
}
