# What defines names in the files of examples/workflow.rs.

functions = "standard"
later     = ["given"]

define "variable" {
  kind    = input
  address = "var.{name}"
}

define "task" {
  kind    = object
  address = "task.{name}"
  blocks  = ["step"]
}
