# Policies of the access control of Nomad.

language "nomad-policy" {
  title       = "Nomad ACL policies"
  description = "Who may do what with the jobs, nodes and volumes of Nomad."
  docs        = "https://developer.hashicorp.com/nomad/docs/reference/acl-policy"
  reads_hcl_1 = true

  files "policy" {
    patterns = ["*.nomad-policy.hcl"]
    also     = ["*.hcl", "*.json"]
    body     = policy
  }
  files "shared" {
    description = "Policies, in files with names that other programs use, too."
    patterns    = ["*.policy.hcl", "*-policy.hcl", "*_policy.hcl", "policy.hcl"]
    detect      = ["namespace label {}", "node_pool label {}", "host_volume label {}", "agent {}", "node {}", "operator {}", "quota {}", "plugin {}", "sentinel {}"]
    body        = policy
  }
}

types {
  access = one_of("deny", "read", "write", "scale")

  namespace_capability = one_of(
    "deny", "list-jobs", "parse-job", "read-job", "submit-job",
    "dispatch-job", "read-logs", "read-fs", "alloc-exec", "alloc-node-exec",
    "alloc-lifecycle", "sentinel-override", "csi-register-plugin", "csi-write-volume", "csi-read-volume",
    "csi-list-volume", "csi-mount-volume", "host-volume-create", "host-volume-register", "host-volume-read",
    "host-volume-write", "host-volume-delete", "list-scaling-policies", "read-scaling-policy", "read-job-scaling",
    "scale-job", "submit-recommendation", "register-job", "revert-job", "deregister-job",
    "purge-job", "evaluate-job", "plan-job", "tag-job-version", "stable-job",
    "fail-deployment", "pause-deployment", "promote-deployment", "unblock-deployment", "cancel-deployment",
    "set-alloc-health-deployment", "gc-allocation", "pause-allocation", "force-periodic-job", "delete-service-registration",
  )
}

part "policy" {
  at_least_one = ["namespace", "node_pool", "host_volume", "agent", "node", "operator", "sentinel", "quota", "plugin"]

  block "namespace" {
    description = "Namespaces, in whose names `*` stands for any characters."
    label "name" { type = string }
    check {
      condition = can(regex("^[a-zA-Z0-9*-]{1,128}$", labels.name))
      message   = "the name has letters, digits, hyphens and `*`"
    }
    attribute "policy" { type = access }
    attribute "capabilities" {
      type        = list(namespace_capability)
      description = "What may be done."
    }
    block "variables" {
      nesting = single
      block "path" {
        min         = 1
        description = "Variables below a path."
        label "path" { type = string }
        check {
          condition = can(regex("^[^/]", labels.path))
          message   = "the path is not empty and does not begin with `/`"
        }
        attribute "capabilities" { type = list(one_of("list", "read", "write", "destroy", "deny")) }
      }
    }
  }
  block "node_pool" {
    description = "Pools of nodes."
    label "name" { type = string }
    check {
      condition = can(regex("^[a-zA-Z0-9_*-]{1,128}$", labels.name))
      message   = "the name has letters, digits, hyphens, underscores and `*`"
    }
    attribute "policy" { type = access }
    attribute "capabilities" { type = list(one_of("delete", "deny", "read", "write")) }
  }
  block "host_volume" {
    description = "Volumes of hosts."
    label "name" { type = string }
    check {
      condition = can(regex("^[a-zA-Z0-9*-]{1,128}$", labels.name))
      message   = "the name has letters, digits, hyphens and `*`"
    }
    attribute "policy" { type = access }
    attribute "capabilities" { type = list(one_of("deny", "mount-readonly", "mount-readwrite")) }
  }
  block "agent" {
    nesting = single
    attribute "policy" { type = required(access) }
  }
  block "node" {
    nesting = single
    attribute "policy" { type = required(access) }
  }
  block "operator" {
    nesting = single
    attribute "policy" { type = access }
    attribute "capabilities" {
      type = list(one_of("deny", "snapshot-save", "license-read", "keyring-rotate", "keyring-read", "keyring-delete"))
    }
  }
  block "sentinel" {
    nesting = single
    attribute "policy" { type = access }
    attribute "capabilities" { type = list(one_of("deny", "sentinel-read", "sentinel-submit", "sentinel-delete")) }
  }
  block "quota" {
    nesting = single
    attribute "policy" { type = required(access) }
  }
  block "plugin" {
    nesting = single
    attribute "policy" { type = required(one_of("deny", "read", "list", "write")) }
  }
}
