# Policies of Vault and OpenBao.

language "vault-policy" {
  title       = "Vault policies"
  description = "Who may do what with the paths of Vault and OpenBao."
  docs        = "https://developer.hashicorp.com/vault/docs/concepts/policies"
  reads_hcl_1 = true

  files "policy" {
    patterns = ["*.policy.hcl", "*-policy.hcl", "*_policy.hcl", "policy.hcl"]
    detect   = ["path"]
    also     = ["*.hcl"]
    body     = policy
  }
}

part "policy" {
  attribute "name" { type = string }
  block "path" {
    description = "Paths, in which `*` at the end and `+` stand for others."
    label "path" { type = string }
    check {
      condition = !can(regex("[+][*]", labels.path))
      message   = "`+*` is not allowed in a path"
    }
    check {
      condition = !can(tonumber(body.min_wrapping_ttl) > tonumber(body.max_wrapping_ttl)) || tonumber(body.min_wrapping_ttl) <= tonumber(body.max_wrapping_ttl)
      message   = "`max_wrapping_ttl` cannot be less than `min_wrapping_ttl`"
    }
    attribute "capabilities" {
      type        = list(one_of("create", "read", "update", "patch", "delete", "list", "scan", "sudo", "deny", "subscribe", "recover", "root"))
      description = "What may be done."
    }
    attribute "policy" {
      type = one_of("deny", "read", "write", "sudo")
      deprecated { message = "write `capabilities`" }
    }
    attribute "allowed_parameters" {
      type        = any
      description = "The parameters that may be set, with their values."
    }
    attribute "denied_parameters" {
      type        = any
      description = "The parameters that may not be set."
    }
    attribute "required_parameters" {
      type        = list(string)
      description = "The parameters that must be set."
    }
    attribute "min_wrapping_ttl" { type = one_of(duration, number) }
    attribute "max_wrapping_ttl" { type = one_of(duration, number) }
    attribute "expiration" { type = string }
    attribute "comment" { type = string }
    attribute "list_scan_response_keys_filter_path" { type = string }
    attribute "pagination_limit" { type = one_of(number, string) }
    attribute "subscribe_event_types" { type = list(string) }
    block "allowed_parameters" { open = true }
    block "denied_parameters" { open = true }
    block "control_group" { open = true }
    attribute "mfa_methods" { type = list(string) }
  }
}
