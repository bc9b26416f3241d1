variable "TAG" {
  default = "latest"
}

target "app" {
  tags = ["app:${TAG}"]
}

group "default" {
  targets=["app", "missing"]
}
