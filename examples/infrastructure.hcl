# Variables and resources, as examples/infrastructure.rs plans them.

variable "environment" {
  type    = string
  default = "test"
}

variable "ports" {
  type = list(object({
    number = number
    public = optional(bool, false)
  }))
  default = [{ number = 443, public = true }, { number = 9090 }]
}

resource "network" "main" {
  range = "10.0.0.0/16"
}

resource "firewall" "web" {
  name = "web-${var.environment}"

  rule {
    port   = 22
    source = "10.0.0.0/8"
  }

  dynamic "rule" {
    for_each = var.ports
    content {
      port   = rule.value.number
      source = rule.value.public ? "0.0.0.0/0" : "10.0.0.0/8"
    }
  }
}
