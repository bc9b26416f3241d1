# Values for the variables of service.hcl.

name       = "greeter"
version    = "1.4.2"
region     = "eu-west-1"
production = true
debug      = false
log_level  = "info"

settings = {
  port    = 8080
  motd    = "Sign here, please."
  contact = null
}
