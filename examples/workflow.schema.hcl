# The language of the files of examples/workflow.rs.

language "workflow" {
  functions = "standard"
  later     = ["given"]

  files "workflow" {
    patterns = ["workflow.hcl"]
    body     = workflow
  }
}

part "workflow" {
  block "variable" {
    label "name" { type = identifier }
    defines "variable" {
      value   = input
      address = "var.{name}"
    }
    attribute "default" {}
    attribute "type" { type = type }
    attribute "description" { type = string }
  }
  block "task" {
    label "name" { type = identifier }
    defines "task" {
      address = "task.{name}"
    }
    attribute "*" {}
    block "step" {
      role = value
      attribute "*" {}
    }
  }
}
