# Configuration of Boundary: controllers and workers.

language "boundary" {
  title       = "Boundary"
  description = "The configuration of controllers and workers of Boundary."
  docs        = "https://developer.hashicorp.com/boundary/docs/configuration"

  # The program ignores names that it does not know.
  unknown_names = warning

  files "configuration" {
    patterns = ["boundary.hcl", "*.boundary.hcl"]
    also     = ["*.hcl"]
    body     = configuration
  }
  files "shared" {
    description = "The configuration, in files with names that other programs use, too."
    patterns    = ["config.hcl", "controller.hcl", "worker.hcl"]
    detect      = ["kms & controller {}", "kms & worker {}", "listener & controller {}", "listener & worker {}", "listener & hcp_boundary_cluster_id"]
    body        = configuration
  }
}

types {
  time = one_of(duration, number)
}

part "configuration" {
  attribute "disable_mlock" { type = bool }
  attribute "log_level" { type = string }
  attribute "log_format" { type = one_of("standard", "json") }
  attribute "cluster_name" { type = string }
  attribute "enable_worker_auth_debugging" { type = bool }
  attribute "hcp_boundary_cluster_id" { type = string }
  attribute "pid_file" { type = string }
  attribute "default_max_request_duration" { type = time }
  attribute "plugins" { type = any }
  at_most_one = ["hcp_boundary_cluster_id", "controller"]

  block "listener" {
    description = "An address that requests come to."
    label "type" { type = one_of("tcp", "unix") }
    attribute "address" { type = string }
    attribute "purpose" {
      type        = required(one_of("api", "cluster", "proxy", "ops", list(string)))
      description = "What the address is for."
    }
    attribute "cors_enabled" { type = bool }
    attribute "cors_allowed_origins" { type = list(string) }
    attribute "cors_allowed_headers" { type = list(string) }
    attribute "max_request_size" { type = number }
    attribute "max_request_duration" { type = time }
    attribute "tls_disable" { type = bool }
    attribute "tls_cert_file" { type = string }
    attribute "tls_key_file" { type = string }
    attribute "tls_min_version" { type = string }
    attribute "tls_max_version" { type = string }
    attribute "tls_client_ca_file" { type = string }
    attribute "tls_cipher_suites" { type = string }
    attribute "x_forwarded_for_authorized_addrs" { type = string }
    attribute "x_forwarded_for_hop_skips" { type = number }
    attribute "x_forwarded_for_reject_not_authorized" { type = bool }
    attribute "x_forwarded_for_reject_not_present" { type = bool }
    block "custom_api_response_headers" { open = true }
    block "custom_ui_response_headers" { open = true }
  }
  block "kms" {
    description = "Keys for a purpose."
    open        = true
    label "type" { type = identifier }
    attribute "purpose" {
      type        = required(one_of(string, list(string)))
      description = "What the keys are for."
    }
  }
  block "controller" {
    nesting     = single
    description = "The controller."
    attribute "name" {
      type        = required(string)
      description = "The name, in small letters."
      check {
        condition = value == lower(value)
        message   = "the name has no capital letters"
      }
    }
    attribute "description" { type = string }
    attribute "public_cluster_addr" { type = string }
    attribute "auth_token_time_to_live" { type = time }
    attribute "auth_token_time_to_stale" { type = time }
    attribute "graceful_shutdown_wait_duration" { type = time }
    attribute "worker_status_grace_period_duration" { type = time }
    attribute "liveness_time_to_stale_duration" { type = time }
    attribute "max_page_size" { type = integer(1) }
    attribute "license" { type = string }
    attribute "worker_status_grace_period" { type = time }
    attribute "liveness_time_to_stale" { type = time }
    attribute "get_downstream_workers_timeout" { type = time }
    attribute "api_rate_limit_max_quotas" { type = integer(1) }
    attribute "api_rate_limit_disable" { type = bool }
    attribute "concurrent_password_hash_workers" { type = integer(1) }
    attribute "get_downstream_workers_timeout_duration" { type = time }
    attribute "scheduler" { type = any }
    block "database" {
      nesting = single
      attribute "url" {
        type      = string
        sensitive = true
      }
      attribute "migration_url" {
        type      = string
        sensitive = true
      }
      attribute "max_open_connections" { type = integer }
      attribute "max_idle_connections" { type = integer(0) }
      attribute "max_idle_time" { type = time }
      attribute "connection_max_idle_time_duration" { type = time }
      attribute "skip_shared_lock_acquisition" { type = bool }
    }
    block "api_rate_limit" { open = true }
    block "scheduler" { open = true }
  }
  block "worker" {
    nesting     = single
    description = "The worker."
    attribute "name" {
      type        = string
      description = "The name, in small letters."
      check {
        condition = value == lower(value)
        message   = "the name has no capital letters"
      }
    }
    attribute "description" { type = string }
    attribute "public_addr" { type = string }
    attribute "initial_upstreams" { type = one_of(string, list(string)) }
    attribute "controllers" {
      type = list(string)
      deprecated { use = "initial_upstreams" }
    }
    attribute "controller_generated_activation_token" { type = string }
    attribute "auth_storage_path" { type = string }
    attribute "recording_storage_path" { type = string }
    attribute "recording_storage_minimum_available_capacity" { type = size }
    attribute "ssh_known_hosts_path" { type = string }
    attribute "status_call_timeout" { type = time }
    attribute "get_downstream_workers_timeout" { type = time }
    attribute "use_deprecated_kms_auth_method" {
      type = bool
      check {
        condition = !value
        message   = "Boundary has no such method since 0.15"
      }
    }
    attribute "status_call_timeout_duration" { type = time }
    attribute "successful_status_grace_period" { type = time }
    block "tags" {
      nesting = single
      form    = either
      open    = true
    }
    check {
      condition = body.recording_storage_minimum_available_capacity == null || body.recording_storage_path != null
      message   = "`recording_storage_minimum_available_capacity` needs `recording_storage_path`"
    }
  }
  block "events" {
    nesting     = single
    description = "Which events are written, and where."
    attribute "audit_enabled" { type = bool }
    attribute "observations_enabled" { type = bool }
    attribute "sysevents_enabled" { type = bool }
    attribute "telemetry_enabled" { type = bool }
    block "sink" {
      open = true
      label "type" { type = optional(string) }
    }
  }
  block "ops" { open = true }
  block "telemetry" { open = true }
  block "reporting" {
    nesting = single
    block "license" {
      nesting = single
      attribute "enabled" { type = bool }
    }
  }
  block "plugins" {
    nesting = single
    attribute "execution_dir" { type = string }
  }
}
