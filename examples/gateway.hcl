# The configuration of the program in `embed.rs`.

domain  = "example.com"
workers = 2 * cpus

listener "public" {
  port  = 443
  hosts = ["www.example.com", "example.com"]
}

listener "admin" {
  port = 8443 + offset
}
