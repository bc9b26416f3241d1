# Expressions of every kind, densely, as they are found in the locals of large modules.

locals {
  # Users and groups
  users_by_name = { for user in var.users : lower(user.name) => user if user.active }
  groups        = distinct(flatten([for user in values(local.users_by_name) : user.groups]))
  members       = { for user in var.users : user.group => user.name... if user.active && !user.guest }
  admins        = [for name, user in local.users_by_name : name if contains(user.groups, "admin") || user.root]
  first_admin   = length(local.admins) > 0 ? local.admins[0] : null
  emails        = var.users[*].email
  home_folders  = [for user in var.users : coalesce(user.home, format("/home/%s", lower(user.name)))]
  quota         = sum([for user in var.users : try(user.quota.disk, var.defaults.quota, 10) * 1024 * 1024])

  # Networks
  subnet_pairs = flatten([
    for vpc_key, vpc in var.networks : [
      for subnet_key, subnet in vpc.subnets : {
        key    = "${vpc_key}/${subnet_key}"
        vpc    = vpc_key
        cidr   = cidrsubnet(vpc.cidr, subnet.bits, subnet.index)
        public = lookup(subnet, "public", false) && !vpc.isolated
        zone   = element(var.zones, subnet.index % length(var.zones))
      }
    ] if vpc.enabled
  ])
  subnets       = { for pair in local.subnet_pairs : pair.key => pair }
  public        = { for key, subnet in local.subnets : key => subnet if subnet.public }
  private       = { for key, subnet in local.subnets : key => subnet if !subnet.public }
  route_tables  = setproduct(keys(local.private), ["main", "backup"])
  largest_block = max(concat([for subnet in values(local.subnets) : tonumber(split("/", subnet.cidr)[1])], [0])...)
  peers         = { for left in keys(var.networks) : left => [for right in keys(var.networks) : right if right != left] }
  nat_count     = var.single_nat ? 1 : (var.environment == "production" ? length(var.zones) : min(2, length(var.zones)))
  ranges        = [for index in range(0, 256, 16) : "10.${index}.0.0/12" if index % 32 == 0 || index >= 240]

  # Rules
  rules = concat(
    [for port in var.open_ports : { from = port, to = port, protocol = "tcp", ranges = ["0.0.0.0/0"] }],
    [for rule in var.rules : {
      from     = rule.from
      to       = try(rule.to, rule.from)
      protocol = try(rule.protocol, "tcp")
      ranges   = can(rule.range) ? [rule.range] : coalescelist(try(rule.ranges, []), var.office_ranges)
    }],
    var.debug ? [{ from = 22, to = 22, protocol = "tcp", ranges = var.office_ranges }] : [],
  )
  rules_by_port = { for index, rule in local.rules : format("%05d-%03d", rule.from, index) => rule }
  open          = anytrue([for rule in local.rules : contains(rule.ranges, "0.0.0.0/0") && rule.from != 443])
  allowed       = alltrue([for rule in local.rules : rule.from >= 1024 || contains([22, 80, 443], rule.from)])

  # Sizes and times
  memory     = ceil(var.requests_per_second * 0.75 / var.per_instance) * 512 + (var.debug ? 256 : 0)
  cpu        = local.memory / 2 <= 1024 ? local.memory / 2 : 1024 + (local.memory - 2048) / 4
  replicas   = max(var.minimum, min(var.maximum, floor((var.load + 99) / 100)))
  remainder  = var.load % local.replicas == 0 ? -1 : -(var.load % local.replicas)
  expires    = timeadd(var.created, "${24 * var.days + 12}h")
  is_old     = var.days > 365 && !(var.keep || var.pinned) && var.state != "locked"
  fraction   = 1 - (var.used / var.available) * 1.25e-2
  comparison = var.a < var.b == (var.b > var.a) && (var.a <= var.c || var.c >= 2 * var.b - 3 * var.a + 1)

  # Objects
  defaults = {
    logging    = { level = "info", format = "json", targets = ["stdout", var.log_group] }
    "metrics"  = { enabled = true, interval = 60, labels = { app = var.name, env = var.environment } }
    (var.name) = { enabled = local.replicas > 0, replicas = local.replicas, memory = local.memory }
    tracing : { enabled : false, ratio : 0.1 }
  }
  settings = merge(local.defaults, var.settings, { for key in var.disabled : key => { enabled = false } })
  enabled  = toset([for key, value in local.settings : key if try(value.enabled, true)])
  nested   = { a = { b = { c = [{ d = [[1, 2], [3, 4]] }, { d = [[5, 6], [7, 8]] }] } } }
  deep     = local.nested.a.b["c"][1].d[0][1] + local.nested["a"].b.c[0].d[1][0]
  all_ds   = local.nested.a.b.c[*].d[*]
  legacy   = local.nested.a.b.c.0.d
  ids      = aws_instance.web.*.id
  urls     = [for host in aws_instance.web[*].private_dns : join("", ["https://", host, ":", tostring(var.port)])]

  # Strings
  title     = title(replace(replace(var.name, "-", " "), "/[^a-z ]/", ""))
  slug      = substr(join("-", compact([var.prefix, var.name, var.environment, var.suffix])), 0, 32)
  checksum  = substr(sha256(jsonencode({ users = local.users_by_name, rules = local.rules })), 0, 12)
  path      = "${path.module}/files/${var.environment == "production" ? "live" : "test"}/${local.slug}.json"
  matches   = regexall("([a-z]+)-(\\d+)", var.name)
  version   = one([for part in local.matches : tonumber(part[1]) if part[0] == "v"])
  qualified = provider::names::qualify(var.name, var.domain)
  decoded   = try(jsondecode(file(local.path)), yamldecode(file(replace(local.path, ".json", ".yaml"))), {})
}
