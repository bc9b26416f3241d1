# Rules of the access control of Consul.

language "consul-policy" {
  title       = "Consul ACL rules"
  description = "Who may do what with the resources of Consul."
  docs        = "https://developer.hashicorp.com/consul/docs/reference/acl/rule"

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
  access = one_of("read", "write", "deny", "list")
}

part "rule" {
  attribute "policy" {
    type        = access
    description = "What may be done."
  }
  attribute "intentions" { type = access }
  block "sentinel" {
    nesting = single
    attribute "code" { type = string }
    attribute "enforcementlevel" { type = one_of("advisory", "soft-mandatory", "hard-mandatory") }
  }
}

part "rules" {
  include = [resources]
  attribute "acl" { type = access }
  attribute "operator" { type = access }
  attribute "keyring" { type = access }
  attribute "mesh" { type = access }
  attribute "peering" { type = access }
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
  attribute "acl" { type = access }
  attribute "mesh" { type = access }
  attribute "peering" { type = access }
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
    include = [rule]
  }
  block "identity_prefix" {
    label "prefix" {}
    include = [rule]
  }
  block "key" {
    label "name" {}
    include = [rule]
  }
  block "key_prefix" {
    label "prefix" {}
    include = [rule]
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
    include = [rule]
  }
  block "service_prefix" {
    label "prefix" {}
    include = [rule]
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
