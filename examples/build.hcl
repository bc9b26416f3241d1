# The file that examples/build_tool.rs reads if it is given no other one.

variable "REGISTRY" {
  default = "registry.example.com/shop"
}

variable "TAG" {
  default = "latest"
}

function "image" {
  params = [name]
  result = "${REGISTRY}/${name}:${TAG}"
}

group "default" {
  targets = ["api", "worker"]
}

target "base" {
  context = "."
  args    = { BASE = "alpine:3.20", DEBUG = TAG == "latest" }
}

target "api" {
  inherits = ["base"]
  tags     = [image("api")]
  args     = merge(target.base.args, { PORT = 8080 })
}

target "worker" {
  inherits = ["base"]
  needs    = ["api"]
  context  = "./worker"
  from     = target.api.tags[0]
  tags     = [image("worker")]
}
