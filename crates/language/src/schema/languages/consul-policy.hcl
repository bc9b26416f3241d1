# Rules of the access control of Consul.

language "consul-policy" {
  title       = "Consul ACL rules"
  description = "Who may do what with the resources of Consul."
  docs        = "https://developer.hashicorp.com/consul/docs/reference/acl/rule"
  reads_hcl_1 = true

  # The program ignores names that it does not know.
  unknown_names = warning

  files "rules" {
    patterns = ["*.consul-policy.hcl"]
    also     = ["*.hcl", "*.json"]
    body     = rules
  }
  files "shared" {
    description = "Rules, in files with names that other programs use, too."
    patterns    = ["*.policy.hcl", "*-policy.hcl", "*_policy.hcl", "policy.hcl"]
    detect = [
      "agent_prefix", "event_prefix", "identity_prefix", "key_prefix", "node_prefix", "query_prefix",
      "service_prefix", "session_prefix", "agent label {}", "event label {}", "identity label {}", "key label {}",
      "node label {}", "query label {}", "service label {}", "session label {}", "acl =", "keyring =",
      "mesh =", "operator =", "peering =", "partition", "partition_prefix", "namespace_prefix",
      "namespace.agent_prefix", "namespace.event_prefix", "namespace.identity_prefix", "namespace.key_prefix", "namespace.node_prefix", "namespace.service_prefix",
      "namespace.session_prefix", "namespace.key", "namespace.node", "namespace.service", "namespace.session", "namespace.acl",
    ]
    body = rules
  }
}

types {
  access     = one_of("read", "write", "deny")
  key_access = one_of("read", "list", "write", "deny")

  # Left out if empty.
  whole = one_of("read", "write", "deny", "")
}

part "rule" {
  include = [sentinel]
  attribute "policy" {
    type        = required(access)
    description = "What may be done."
  }
}

part "key_rule" {
  include = [sentinel]
  attribute "policy" {
    type        = required(key_access)
    description = "What may be done. With `list`, also keys below the prefix can be listed."
  }
}

part "service_rule" {
  include = [rule]
  attribute "intentions" {
    type        = whole
    description = "What may be done with the intentions of the service."
  }
}

# Later versions read these rules and do nothing with them.
part "identity_rule" {
  include = [sentinel]
  attribute "policy" { type = string }
  attribute "intentions" { type = string }
}

part "sentinel" {
  block "sentinel" {
    nesting = single
    attribute "code" { type = string }
    attribute "enforcementlevel" { type = one_of("advisory", "soft-mandatory", "hard-mandatory") }
  }
}

part "rules" {
  include = [resources]
  attribute "acl" { type = whole }
  attribute "operator" { type = whole }
  attribute "keyring" { type = whole }
  attribute "mesh" { type = whole }
  attribute "peering" { type = whole }
  block "namespace" {
    description = "Rules for a namespace."
    label "name" {}
    include = [resources, scoped]
  }
  block "namespace_prefix" {
    description = "Rules for all namespaces that begin so."
    label "prefix" {}
    include = [resources, scoped]
  }
  block "partition" {
    description = "Rules for a partition."
    label "name" {}
    include = [resources, scoped]
    block "namespace" {
      label "name" {}
      include = [resources, scoped]
    }
    block "namespace_prefix" {
      label "prefix" {}
      include = [resources, scoped]
    }
  }
  block "partition_prefix" {
    description = "Rules for all partitions that begin so."
    label "prefix" {}
    include = [resources, scoped]
    block "namespace_prefix" {
      label "prefix" {}
      include = [resources, scoped]
    }
  }
}

part "scoped" {
  attribute "policy" { type = access }
  attribute "acl" { type = whole }
  attribute "mesh" { type = whole }
  attribute "peering" { type = whole }
}

part "resources" {
  block "agent" {
    label "name" {}
    include = [rule]
  }
  block "agent_prefix" {
    label "prefix" {}
    include = [rule]
  }
  block "event" {
    label "name" {}
    include = [rule]
  }
  block "event_prefix" {
    label "prefix" {}
    include = [rule]
  }
  block "identity" {
    label "name" {}
    include = [identity_rule]
  }
  block "identity_prefix" {
    label "prefix" {}
    include = [identity_rule]
  }
  block "key" {
    label "name" {}
    include = [key_rule]
  }
  block "key_prefix" {
    label "prefix" {}
    include = [key_rule]
  }
  block "node" {
    label "name" {}
    include = [rule]
  }
  block "node_prefix" {
    label "prefix" {}
    include = [rule]
  }
  block "query" {
    label "name" {}
    include = [rule]
  }
  block "query_prefix" {
    label "prefix" {}
    include = [rule]
  }
  block "service" {
    label "name" {}
    include = [service_rule]
  }
  block "service_prefix" {
    label "prefix" {}
    include = [service_rule]
  }
  block "session" {
    label "name" {}
    include = [rule]
  }
  block "session_prefix" {
    label "prefix" {}
    include = [rule]
  }
}
