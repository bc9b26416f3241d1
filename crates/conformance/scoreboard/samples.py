"""The files that are read and evaluated for the figures of speed: always the same."""

SIZE = 1_000_000
# For those who take too long for it.
SMALL = 100_000


def configuration(size=SIZE):
    """A file with the constructs of real ones: nested blocks, templates, heredocs, calls, for expressions."""
    return _repeated(_block, size)


def attributes(size=SIZE):
    """A file of attributes alone, which evaluates without functions: the values are short, the work is not."""
    return _repeated(_attributes, size)


VARIABLES = {
    "name": "web",
    "count": {"number": "3"},
    "on": True,
    "list": {"tuple": ["a", "b", "c", "d"]},
    "map": {"object": {"x": {"number": "1"}, "y": {"number": "2"}, "z": {"number": "3"}}},
}


def _repeated(part, size):
    parts, length, number = [], 0, 0
    while length < size:
        text = part(number)
        parts.append(text)
        length += len(text)
        number += 1
    return "".join(parts)


def _block(n):
    return f"""\
# The instance {n}, and what it needs.
resource "instance" "web_{n}" {{
  count         = var.instances > {n % 7} ? var.instances : {n % 5 + 1}
  name          = "${{var.prefix}}-web-{n}"
  image         = data.image.base[{n % 3}].id
  address       = cidrsubnet(var.network, 8, {n % 250})
  enabled       = var.enabled && !contains(var.off, "web-{n}")
  weight        = (var.weight + {n}) * 1.5 / 2

  tags = {{
    Name        = "web-{n}"
    "cost/team" = lookup(var.teams, "team-{n % 11}", null)
    Ports       = [for port in var.ports : port + {n % 100} if port != 22]
  }}

  dynamic "disk" {{
    for_each = {{ for key, size in var.disks : key => size if size > {n % 9} }}
    content {{
      name = disk.key
      size = disk.value
      type = "ssd"
    }}
  }}

  lifecycle {{
    ignore_changes = [tags, image]
  }}

  script = <<-EOT
    #!/bin/sh
    echo "starting ${{self.name}} {n}"
    %{{ for host in var.hosts ~}}
    echo ${{host.address}} ${{host.name}} >> /etc/hosts
    %{{ endfor ~}}
  EOT
}}

output "address_{n}" {{
  value       = instance.web_{n}[*].address
  description = "Where the instance {n} is."
}}

"""


def _attributes(n):
    return f"""\
a_{n} = "${{name}}-{n}-${{count + {n}}}"
b_{n} = count * {n} + (count - 1) * {n % 13} > {n % 100} && on
c_{n} = on ? "${{name}}/${{list[{n % 4}]}}" : "none"
d_{n} = [for v in list : "${{v}}-{n}" if v != "{'abcd'[n % 4]}"]
e_{n} = {{ for k, v in map : "${{k}}{n}" => v * {n % 17} }}
f_{n} = {{ name = name, size = [1, 2, {n}], of = map.x + map["y"] }}
g_{n} = [for pair in [[1, {n}], [2, {n % 7}], [3, 4]] : pair[0] + pair[1]]
h_{n} = "%{{ if on }}${{name}}%{{ else }}{n}%{{ endif }}%{{ for v in list }}${{v}},%{{ endfor }}"
"""
