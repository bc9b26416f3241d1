# Configuration of Vault and OpenBao: servers, agents and proxies. The programs ignore names that they do not know.

language "vault" {
  title         = "Vault"
  description   = "The configuration of servers, agents and proxies of Vault and OpenBao."
  docs          = "https://developer.hashicorp.com/vault/docs/configuration"
  unknown_names = warning
  reads_hcl_1   = true

  files "configuration" {
    patterns = ["vault.hcl", "openbao.hcl", "vault-agent.hcl", "vault-proxy.hcl", "*.vault.hcl", "*.openbao.hcl"]
    also     = ["*.hcl", "*.json"]
    body     = configuration
  }
  files "shared" {
    description = "The configuration, in files with names that other programs use, too."
    patterns    = ["agent.hcl", "config.hcl", "proxy.hcl", "server.hcl"]
    detect      = ["listener & storage", "listener & backend", "storage & api_addr", "seal & storage", "auto_auth & vault {}", "auto_auth & template", "cache & vault {}"]
    body        = configuration
  }
}

types {
  time = one_of(duration, number, string)
  flag = one_of(bool, string, number)
}

part "options" {
  attribute "*" { type = any }
  open = true
}

part "configuration" {
  attribute "cluster_name" {
    type        = string
    description = "The name of the cluster."
  }
  attribute "api_addr" {
    type        = string
    description = "The address that clients use."
  }
  attribute "cluster_addr" {
    type        = string
    description = "The address that other servers use."
  }
  attribute "disable_cache" { type = flag }
  attribute "cache_size" { type = one_of(number, string) }
  attribute "disable_mlock" { type = flag }
  attribute "disable_sealwrap" { type = flag }
  attribute "disable_performance_standby" { type = flag }
  attribute "disable_clustering" { type = flag }
  attribute "disable_printable_check" { type = flag }
  attribute "ui" {
    type        = flag
    description = "True to serve the user interface."
  }
  attribute "log_level" { type = string }
  attribute "log_format" { type = one_of("standard", "json", string) }
  attribute "log_file" { type = string }
  attribute "log_rotate_duration" { type = time }
  attribute "log_rotate_bytes" { type = one_of(number, string) }
  attribute "log_rotate_max_files" { type = one_of(number, string) }
  attribute "log_requests_level" { type = string }
  attribute "default_lease_ttl" {
    type        = time
    description = "How long tokens and leases live unless they say so."
  }
  attribute "max_lease_ttl" {
    type        = time
    description = "How long tokens and leases can live."
  }
  attribute "default_max_request_duration" { type = time }
  attribute "plugin_directory" { type = string }
  attribute "plugin_tmpdir" { type = string }
  attribute "plugin_file_uid" { type = number }
  attribute "plugin_file_permissions" { type = string }
  attribute "pid_file" {
    type        = string
    description = "The file with the number of the process."
  }
  attribute "raw_storage_endpoint" { type = flag }
  attribute "introspection_endpoint" { type = flag }
  attribute "reporting_scan_directory" { type = string }
  block "observations" {
    nesting     = single
    description = "A ledger of what clients do."
    attribute "ledger_path" { type = string }
    attribute "type_prefix_allowlist" { type = list(string) }
    attribute "type_prefix_denylist" { type = list(string) }
    attribute "file_mode" { type = string }
  }
  attribute "license_path" { type = string }
  attribute "enable_response_header_hostname" { type = flag }
  attribute "enable_response_header_raft_node_id" { type = flag }
  attribute "imprecise_lease_role_tracking" { type = flag }
  attribute "enable_post_unseal_trace" { type = flag }
  attribute "post_unseal_trace_directory" { type = string }
  attribute "detect_deadlocks" { type = string }
  attribute "experiments" { type = list(string) }
  attribute "administrative_namespace_path" { type = string }
  attribute "observations" { type = any }
  attribute "exit_after_auth" { type = flag }
  attribute "disable_idle_connections" { type = list(string) }
  attribute "disable_keep_alives" { type = list(string) }
  attribute "unsafe_allow_api_audit_creation" { type = flag }
  attribute "allow_audit_log_prefixing" { type = flag }
  attribute "enable_ui" { type = flag }
  attribute "cluster_cipher_suites" { type = string }
  attribute "remove_irrevocable_lease_after" { type = time }
  attribute "disable_indexing" { type = flag }
  attribute "disable_sentinel_trace" { type = flag }
  attribute "disable_standby_reads" { type = flag }
  attribute "plugin_download_behavior" { type = one_of("fail", "continue") }
  attribute "plugin_auto_download" { type = flag }
  attribute "plugin_auto_register" { type = flag }
  attribute "plugin_download_max_size" { type = any }
  attribute "unsafe_cross_namespace_identity" { type = flag }
  attribute "unsafe_relative_paths" { type = flag }
  attribute "allow_unauthenticated_workflows" { type = flag }
  attribute "additional_enabled_modules" { type = any }
  block "storage" {
    max         = 1
    description = "Where data are stored."
    label "type" { type = optional(string) }
    include = [options]
  }
  block "backend" {
    max         = 1
    description = "Where data are stored."
    label "type" { type = optional(string) }
    include = [options]
  }
  block "ha_storage" {
    max         = 1
    description = "Where servers agree on the active one."
    label "type" { type = optional(string) }
    include = [options]
  }
  block "ha_backend" {
    max         = 1
    description = "Where servers agree on the active one."
    label "type" { type = optional(string) }
    include = [options]
  }
  block "listener" {
    description = "An address that requests come to."
    label "type" { type = optional(one_of("tcp", "unix")) }
    include = [listener]
  }
  block "seal" {
    description = "How the storage is unsealed."
    label "type" { type = optional(string) }
    include = [options]
  }
  block "kms" {
    label "type" { type = optional(string) }
    include = [options]
  }
  block "service_registration" {
    max = 1
    label "type" { type = optional(string) }
    include = [options]
  }
  block "telemetry" {
    max         = 1
    description = "Where metrics go."
    include     = [telemetry]
  }
  block "entropy" {
    label "type" { type = optional(string) }
    include = [options]
  }
  block "replication" {
    nesting = single
    include = [options]
  }
  block "sentinel" {
    include = [options]
  }
  block "reporting" {
    nesting = single
    include = [options]
  }
  block "user_lockout" {
    label "type" { type = optional(string) }
    attribute "type" { type = string }
    check {
      condition = contains(["all", "userpass", "approle", "ldap"], lower(try(coalesce(body.type, labels.type), "")))
      message   = "the type is `all`, `userpass`, `approle` or `ldap`"
    }
    attribute "lockout_threshold" { type = any }
    attribute "lockout_duration" { type = time }
    attribute "lockout_counter_reset" { type = time }
    attribute "disable_lockout" { type = flag }
  }
  block "adaptive_overload_protection" {
    nesting = single
    include = [options]
  }
  block "audit" {
    label "type" { type = optional(string) }
    include = [options]
  }
  block "plugin" {
    label "type" { type = optional(string) }
    include = [options]
  }
  block "initialize" {
    label "name" { type = optional(string) }
    include = [options]
  }
  block "auto_auth" {
    nesting     = single
    description = "How the agent gets a token."
    include     = [auto_auth]
  }
  block "vault" {
    nesting     = single
    description = "The server that the agent talks to."
    include     = [server]
  }
  block "cache" {
    nesting = single
    include = [cache]
  }
  block "api_proxy" {
    nesting = single
    include = [api_proxy]
  }
  block "template" {
    description = "A file that the agent renders."
    include     = [template]
  }
  block "templates" {
    form    = either
    include = [template]
  }
  block "template_config" {
    nesting = single
    include = [template_config]
  }
  block "env_template" {
    description = "An environment variable that the agent renders."
    label "name" { type = optional(string) }
    include = [env_template]
  }
  block "exec" {
    nesting     = single
    description = "The program that the agent starts."
    include     = [exec]
  }
}

part "listener" {
  attribute "type" { type = string }
  attribute "address" {
    type        = string
    description = "The address and port."
  }
  attribute "cluster_address" { type = string }
  attribute "tls_disable" {
    type        = flag
    description = "True to serve without TLS."
  }
  attribute "tls_cert_file" { type = string }
  attribute "tls_key_file" { type = string }
  attribute "tls_min_version" { type = one_of("tls10", "tls11", "tls12", "tls13", string) }
  attribute "tls_max_version" { type = string }
  attribute "tls_cipher_suites" { type = string }
  attribute "tls_client_ca_file" { type = string }
  attribute "tls_require_and_verify_client_cert" { type = flag }
  attribute "tls_disable_client_certs" { type = flag }
  attribute "purpose" { type = any }
  attribute "role" { type = one_of("default", "metrics_only", string) }
  attribute "max_request_size" { type = any }
  attribute "max_request_json_memory" { type = any }
  attribute "max_request_json_strings" { type = any }
  attribute "max_json_array_element_count" { type = integer(0) }
  attribute "max_json_depth" { type = integer(0) }
  attribute "max_json_object_entry_count" { type = integer(0) }
  attribute "max_json_string_value_length" { type = integer(0) }
  attribute "max_json_token" { type = integer(0) }
  attribute "max_request_duration" { type = time }
  attribute "require_request_header" { type = flag }
  attribute "tls_key_exchange_preferences" { type = list(string) }
  attribute "tls_auto_reload" { type = flag }
  attribute "tls_auto_reload_interval" { type = time }
  attribute "tls_acme_cache_path" { type = string }
  attribute "tls_acme_ca_directory" { type = string }
  attribute "tls_acme_test_ca_directory" { type = string }
  attribute "tls_acme_ca_root" { type = string }
  attribute "tls_acme_eab_key_id" { type = string }
  attribute "tls_acme_eab_mac_key" {
    type      = string
    sensitive = true
  }
  attribute "tls_acme_key_type" { type = string }
  attribute "tls_acme_email" { type = string }
  attribute "tls_acme_domains" { type = list(string) }
  attribute "tls_acme_disable_http_challenge" { type = flag }
  attribute "tls_acme_disable_alpn_challenge" { type = flag }
  attribute "http_read_timeout" { type = time }
  attribute "http_read_header_timeout" { type = time }
  attribute "http_write_timeout" { type = time }
  attribute "http_idle_timeout" { type = time }
  attribute "proxy_protocol_behavior" { type = one_of("use_always", "allow_authorized", "deny_unauthorized", "") }
  attribute "proxy_protocol_authorized_addrs" { type = one_of(string, list(string)) }
  attribute "x_forwarded_for_authorized_addrs" { type = one_of(string, list(string)) }
  attribute "x_forwarded_for_hop_skips" { type = any }
  attribute "x_forwarded_for_reject_not_present" { type = flag }
  attribute "x_forwarded_for_reject_not_authorized" { type = flag }
  attribute "x_forwarded_for_client_cert_header" { type = string }
  attribute "x_forwarded_for_client_cert_header_decoders" { type = string }
  attribute "x_forwarded_for_client_cert_decoders" { type = list(string) }
  attribute "x_forwarded_for_client_cert_keep_not_forwarded" { type = flag }
  attribute "x_forwarded_for_client_cert_keep_unauthorized" { type = flag }
  attribute "socket_mode" { type = one_of(string, number) }
  attribute "socket_user" { type = string }
  attribute "socket_group" { type = string }
  attribute "cors_enabled" { type = flag }
  attribute "cors_allowed_origins" { type = any }
  attribute "cors_allowed_headers" { type = list(string) }
  attribute "cors_allow_credentials" { type = flag }
  attribute "chroot_namespace" { type = string }
  attribute "redact_addresses" { type = flag }
  attribute "redact_cluster_name" { type = flag }
  attribute "redact_version" { type = flag }
  attribute "disable_replication_status_endpoints" { type = flag }
  attribute "disable_request_limiter" { type = flag }
  attribute "disable_unauthed_rekey_endpoints" { type = flag }
  attribute "disable_unauthed_generate_root_endpoints" { type = flag }
  block "agent_api" {
    form    = either
    include = [listener_api]
  }
  block "proxy_api" {
    form    = either
    include = [listener_api]
  }
  block "telemetry" {
    form = either
    attribute "unauthenticated_metrics_access" { type = flag }
    attribute "disallow_metrics" { type = flag }
    attribute "metrics_only" { type = flag }
    attribute "metrics_path" { type = string }
  }
  block "profiling" {
    form = either
    attribute "unauthenticated_pprof_access" { type = flag }
  }
  block "inflight_requests_logging" {
    form = either
    attribute "unauthenticated_in_flight_requests_access" { type = flag }
  }
  block "custom_response_headers" {
    form    = either
    include = [options]
  }
}

part "listener_api" {
  attribute "enable_quit" { type = flag }
}

part "telemetry" {
  attribute "statsite_address" { type = string }
  attribute "statsd_address" { type = string }
  attribute "disable_hostname" { type = flag }
  attribute "metrics_prefix" { type = string }
  attribute "prefix_filter" { type = list(string) }
  attribute "filter_default" { type = flag }
  attribute "prometheus_retention_time" { type = time }
  attribute "dogstatsd_addr" { type = string }
  attribute "dogstatsd_tags" { type = list(string) }
  attribute "usage_gauge_period" { type = time }
  attribute "maximum_gauge_cardinality" { type = one_of(number, string) }
  attribute "num_lease_metrics_buckets" { type = one_of(number, string) }
  attribute "lease_metrics_epsilon" { type = time }
  attribute "enable_hostname_label" { type = flag }
  attribute "circonus_api_token" {
    type      = string
    sensitive = true
  }
  attribute "circonus_api_app" { type = string }
  attribute "circonus_api_url" { type = string }
  attribute "circonus_submission_interval" { type = string }
  attribute "circonus_submission_url" { type = string }
  attribute "circonus_check_id" { type = string }
  attribute "circonus_check_force_metric_activation" { type = string }
  attribute "circonus_check_instance_id" { type = string }
  attribute "circonus_check_search_tag" { type = string }
  attribute "circonus_check_tags" { type = string }
  attribute "circonus_check_display_name" { type = string }
  attribute "circonus_broker_id" { type = string }
  attribute "circonus_broker_select_tag" { type = string }
  attribute "stackdriver_project_id" { type = string }
  attribute "stackdriver_location" { type = string }
  attribute "stackdriver_namespace" { type = string }
  attribute "stackdriver_debug_logs" { type = flag }
  attribute "add_lease_metrics_namespace_labels" { type = flag }
  attribute "add_mount_point_rollback_metrics" { type = flag }
}

part "auto_auth" {
  attribute "enable_reauth_on_new_credentials" { type = flag }
  block "method" {
    description = "How the agent authenticates."
    label "type" { type = optional(string) }
    include = [auth_method]
  }
  block "sink" {
    description = "Where the token is written."
    label "type" { type = optional(string) }
    include = [auth_sink]
  }
  block "sinks" {
    nesting = single
    include = [auth_sinks]
  }
}

part "auth_sinks" {
  block "sink" {
    label "type" { type = optional(string) }
    include = [auth_sink]
  }
}

part "auth_method" {
  attribute "type" { type = string }
  attribute "mount_path" { type = string }
  attribute "namespace" { type = string }
  attribute "wrap_ttl" { type = time }
  attribute "min_backoff" { type = time }
  attribute "max_backoff" { type = time }
  attribute "exit_on_err" { type = flag }
  block "config" {
    nesting = single
    form    = either
    include = [options]
  }
}

part "auth_sink" {
  attribute "type" { type = string }
  attribute "path" { type = string }
  attribute "mode" { type = number }
  attribute "wrap_ttl" { type = time }
  attribute "dh_type" { type = string }
  attribute "dh_path" { type = string }
  attribute "derive_key" { type = flag }
  attribute "aad" { type = string }
  attribute "aad_env_var" { type = string }
  block "config" {
    nesting = single
    form    = either
    include = [options]
  }
}

part "server" {
  attribute "address" {
    type        = string
    description = "The address of the server."
  }
  attribute "ca_cert" { type = string }
  attribute "ca_path" { type = string }
  attribute "client_cert" { type = string }
  attribute "client_key" { type = string }
  attribute "tls_skip_verify" { type = flag }
  attribute "tls_server_name" { type = string }
  attribute "namespace" { type = string }
  block "retry" {
    nesting = single
    include = [retry]
  }
}

part "retry" {
  attribute "num_retries" { type = number }
}

part "cache" {
  attribute "use_auto_auth_token" { type = flag }
  attribute "enforce_consistency" { type = string }
  attribute "when_inconsistent" { type = string }
  attribute "cache_static_secrets" { type = flag }
  attribute "disable_caching_dynamic_secrets" { type = flag }
  attribute "static_secret_token_capability_refresh_interval" { type = time }
  attribute "static_secret_token_capability_refresh_behavior" { type = one_of("optimistic", "pessimistic") }
  block "persist" {
    nesting = single
    label "type" { type = optional(string) }
    include = [options]
  }
}

part "api_proxy" {
  attribute "use_auto_auth_token" { type = flag }
  attribute "enforce_consistency" { type = string }
  attribute "when_inconsistent" { type = string }
  attribute "prepend_configured_namespace" { type = flag }
}

part "template" {
  attribute "source" { type = string }
  attribute "destination" { type = string }
  attribute "contents" { type = string }
  attribute "create_dest_dirs" { type = flag }
  attribute "command" { type = one_of(string, list(string)) }
  attribute "command_timeout" { type = time }
  attribute "error_on_missing_key" { type = flag }
  attribute "error_fatal" { type = flag }
  attribute "exec" { type = any }
  attribute "left_delimiter" { type = string }
  attribute "right_delimiter" { type = string }
  attribute "backup" { type = flag }
  attribute "perms" { type = one_of(string, number) }
  attribute "user" { type = string }
  attribute "group" { type = string }
  attribute "sandbox_path" { type = string }
  attribute "function_denylist" { type = list(string) }
  attribute "wait" { type = any }
  open = true
}

part "template_config" {
  attribute "exit_on_retry_failure" { type = flag }
  attribute "static_secret_render_interval" { type = time }
  attribute "lease_renewal_threshold" { type = number }
  attribute "max_connections_per_host" { type = number }
}

part "env_template" {
  attribute "contents" { type = string }
  attribute "source" { type = string }
  attribute "error_on_missing_key" { type = flag }
  attribute "left_delimiter" { type = string }
  attribute "right_delimiter" { type = string }
  open = true
}

part "exec" {
  attribute "command" { type = one_of(string, list(string)) }
  attribute "restart_on_secret_changes" { type = one_of("always", "never") }
  attribute "restart_stop_signal" { type = string }
  open = true
}
