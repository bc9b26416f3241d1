# What defines names in job files of Nomad. What the client fills in, such as ${attr.cpu.arch}, is only known there.

functions = "nomad"
later     = ["attr", "node", "meta", "env", "device", "unique"]

define "variable" {
  kind    = input
  address = "var.{name}"
}

define "locals" {
  kind    = attributes
  address = "local.{attribute}"
}
