// Examples to begin with.

export const EXAMPLES = {
  "A file with errors": {
    files: [{ name: "main.hcl", text: "# Each error has a place and a reason; some have a fix to click.\nports = [80 443]\nname  = 'web'\nurl   = \"http://${host}/${lenght(ports)}\"\n" }],
    view: "errors",
  },
  "Values": {
    files: [
      { name: "main.hcl", text: "# Attributes can refer to each other, and to the variables in variables.json.\nports = [for port in base : port + 8000]\nurl   = \"http://${upper(host)}:${ports[0]}\"\n\nservice \"web\" {\n  tags  = { team = \"a\", size = length(ports) }\n  text  = <<-EOT\n    %{ for port in ports ~}\n    port ${port}\n    %{ endfor ~}\n  EOT\n}\n" },
      { name: "variables.json", text: "{\n  \"base\": [80, 443],\n  \"host\": \"example\"\n}\n" },
    ],
    view: "value",
  },
  "Terraform": {
    files: [
      { name: "main.tf", text: "locals {\n  zones = [for letter in [\"a\", \"b\"] : \"${var.region}-${letter}\"]\n}\n\nresource \"aws_instance\" \"web\" {\n  for_each          = toset(local.zones)\n  availability_zone = each.key\n  ami               = var.ami\n}\n\noutput \"zones\" {\n  value = local.zone\n}\n" },
      { name: "variables.tf", text: "variable \"region\" {\n  type    = string\n  default = \"eu-west-1\"\n}\n\nvariable \"ami\" {\n  type = string\n}\n" },
    ],
    view: "errors",
  },
  "Your own language": {
    files: [
      { name: "shop.app.hcl", text: "# hcl:schema app.schema.hcl\nserver \"web\" {\n  host = \"example.com\"\n  prot = 8080\n}\n" },
      { name: "app.schema.hcl", text: "language \"app\" {\n  files \"app\" {\n    patterns = [\"*.app.hcl\"]\n    body     = app\n  }\n}\n\npart \"app\" {\n  block \"server\" {\n    unique = true\n    label \"name\" {}\n    attribute \"host\" { type = required(string) }\n    attribute \"port\" { type = optional(number, 80) }\n  }\n}\n" },
    ],
    view: "errors",
  },
  "Two versions": {
    files: [
      { name: "new.hcl", text: "service \"web\" {\n  host = \"a\" # the same\n  tags = { team = \"y\" }\n}\nport = 8080\n" },
      { name: "old.hcl", text: "port = 80\nservice \"web\" {\n  tags = { team = \"x\" }\n  host = \"a\"\n}\n" },
    ],
    view: "difference",
  },
  "The letter of the specification": {
    files: [{ name: "main.hcl", text: "# Accepted by the official engine, but not by the specification.\na = [1, 2,\n]\nb = -  -1\nc \"x\" { d = 1 }\ne = f... \n" }],
    view: "strict",
  },
};
