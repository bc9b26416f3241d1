# A service as examples/service_config.rs reads it.

name    = "checkout"
owner   = "shop@example.org"
timeout = 30

listener "public" {
  port = 8443
  tls {
    certificate = "${certificates}/checkout.pem"
  }
}

listener "metrics" {
  port = 9090
}

labels {
  tier = "frontend"
  cost = 42
}
