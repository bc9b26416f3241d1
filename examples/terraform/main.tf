variable "env" {
  description = "Where it runs: prod, or anything else for a test."
  type        = string
}

variable "region" {
  type    = string
  default = "eu-west-1"
}

variable "zones" {
  type    = list(string)
  default = ["a", "b"]
}

locals {
  name  = "shop-${var.env}"
  zones = [for zone in var.zones : "${var.region}${zone}"]
  size  = var.env == "prod" ? "large" : "small"
}

module "network" {
  source = "./network"
  cidr   = "10.20.0.0/16"
  zones  = local.zones
}

resource "aws_instance" "web" {
  for_each      = module.network.subnets
  subnet_id     = each.value
  instance_type = "t4g.${local.size}"
  tags          = { Name = "${local.name}-${each.key}" }
}

output "url" {
  value = "https://${local.name}.example.org:${8000 + 80}"
}
