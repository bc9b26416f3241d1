variable "region" {
  type    = string
  default = "eu"
}

locals {
  name = "x-${var.region}"
  wrong = var.regoin
}
