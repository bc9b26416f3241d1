# A web service, described for a program of your own. HCL itself gives no meaning to any of these
# names: the program that reads the file does.

name    = "greeter"
version = "1.4.2"

# Expressions can use what the program offers as variables and functions.
image    = "registry.example.com/${name}:${version}"
replicas = production ? 3 : 1
debug    = !production && log_level == "debug"

# A block has a type, labels in quotes, and a body of its own.
listener "http" {
  port    = 8080
  timeout = 30 # seconds

  headers = {
    X-Service = name
    X-Region  = upper(region)
  }
}

listener "metrics" {
  port  = 9090
  allow = ["10.0.0.0/8", "192.168.0.0/16"]
}

# Short blocks fit in one line, with one argument at most.
health_check { path = "/healthz" }

# `for` makes a tuple or an object from another one.
environment = {
  for key, value in settings : upper(key) => value if value != null
}

# A heredoc is text of several lines; `<<-` takes the common indentation off.
motd = <<-EOT
  Welcome to ${name}.
  %{ if debug ~}
  Debugging is on.
  %{ endif ~}
EOT
