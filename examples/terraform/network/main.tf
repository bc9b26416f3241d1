variable "cidr" {
  type = string
}

variable "zones" {
  type = list(string)
}

output "subnets" {
  value = { for index, zone in var.zones : zone => cidrsubnet(var.cidr, 8, index) }
}
