# Configuration of agents of Nomad. The program refuses names that it does not know in most blocks, and ignores them in others.

language "nomad-agent" {
  title       = "Nomad agents"
  description = "The configuration of servers and clients of Nomad."
  docs        = "https://developer.hashicorp.com/nomad/docs/configuration"
  reads_hcl_1 = true

  files "agent" {
    patterns = ["nomad-agent.hcl", "*.nomad-agent.hcl"]
    also     = ["*.hcl", "*.json"]
    body     = agent
  }
  files "shared" {
    description = "The configuration of agents, in files with names that other programs use, too."
    patterns    = ["agent.hcl", "base.hcl", "client.hcl", "config.hcl", "nomad.hcl", "server.hcl"]
    detect      = ["data_dir & server {}", "data_dir & client {}", "server {} & client {}", "bind_addr & server {}", "bind_addr & client {}", "datacenter & server {}", "datacenter & client {}"]
    body        = agent
  }
}

types {
  time = one_of(duration, number)
}

part "anything" {
  open = true
}

part "agent" {
  attribute "region" { type = string }
  attribute "datacenter" { type = string }
  attribute "name" { type = string }
  attribute "data_dir" { type = string }
  attribute "plugin_dir" { type = string }
  attribute "log_level" { type = string }
  attribute "log_json" { type = bool }
  attribute "log_file" { type = string }
  attribute "log_include_location" { type = bool }
  attribute "log_rotate_duration" { type = time }
  attribute "log_rotate_bytes" { type = number }
  attribute "log_rotate_max_files" { type = number }
  attribute "bind_addr" { type = string }
  attribute "enable_debug" { type = bool }
  attribute "leave_on_interrupt" { type = bool }
  attribute "leave_on_terminate" { type = bool }
  attribute "enable_syslog" { type = bool }
  attribute "syslog_facility" { type = string }
  attribute "disable_update_check" { type = bool }
  attribute "disable_anonymous_signature" { type = bool }
  block "ports" {
    form    = either
    include = [ports]
  }
  block "addresses" {
    form    = either
    include = [addresses]
  }
  block "advertise" {
    form    = either
    include = [advertise]
  }
  block "client" {
    form    = either
    include = [client]
  }
  block "server" {
    form    = either
    include = [server]
  }
  block "rpc" {
    form    = either
    include = [rpc]
  }
  block "acl" {
    form    = either
    include = [acl]
  }
  block "telemetry" {
    form    = either
    include = [telemetry]
  }
  block "ui" {
    form    = either
    include = [ui]
  }
  block "tls" {
    form    = either
    include = [tls]
  }
  block "http_api_response_headers" {
    form    = either
    include = [anything]
  }
  block "sentinel" {
    form    = either
    include = [sentinel]
  }
  block "autopilot" {
    form    = either
    include = [autopilot]
  }
  block "plugin" {
    label "name" {}
    include = [plugin]
  }
  block "limits" {
    form    = either
    include = [limits]
  }
  block "audit" {
    form    = either
    include = [audit]
  }
  block "reporting" {
    form    = either
    include = [reporting]
  }
  block "keyring" {
    label "provider" {}
    include = [keyring]
  }
  block "eventlog" {
    form    = either
    include = [eventlog]
  }
  block "vault" {
    form    = either
    include = [vault]
  }
  block "consul" {
    form    = either
    include = [consul]
  }
}

part "ports" {
  attribute "http" { type = integer(0, 65535) }
  attribute "rpc" { type = integer(0, 65535) }
  attribute "serf" { type = integer(0, 65535) }
}

part "addresses" {
  attribute "http" { type = string }
  attribute "rpc" { type = string }
  attribute "serf" { type = string }
}

part "advertise" {
  attribute "http" { type = string }
  attribute "rpc" { type = string }
  attribute "serf" { type = string }
}

part "client" {
  attribute "enabled" { type = bool }
  attribute "state_dir" { type = string }
  attribute "alloc_dir" { type = string }
  attribute "alloc_mounts_dir" { type = string }
  attribute "host_volumes_dir" { type = string }
  attribute "host_volume_plugin_dir" { type = string }
  attribute "common_plugin_dir" { type = string }
  attribute "servers" { type = list(string) }
  attribute "node_class" { type = string }
  attribute "node_pool" { type = string }
  attribute "network_interface" { type = string }
  attribute "preferred_address_family" { type = string }
  attribute "network_speed" { type = number }
  attribute "cpu_disable_dmidecode" { type = bool }
  attribute "cpu_total_compute" { type = number }
  attribute "memory_total_mb" { type = number }
  attribute "disk_total_mb" { type = number }
  attribute "disk_free_mb" { type = number }
  attribute "reservable_cores" { type = string }
  attribute "max_kill_timeout" { type = time }
  attribute "client_max_port" { type = number }
  attribute "client_min_port" { type = number }
  attribute "max_dynamic_port" { type = number }
  attribute "min_dynamic_port" { type = number }
  attribute "gc_interval" { type = time }
  attribute "gc_parallel_destroys" { type = number }
  attribute "gc_disk_usage_threshold" { type = number }
  attribute "gc_inode_usage_threshold" { type = number }
  attribute "gc_max_allocs" { type = number }
  attribute "gc_volumes_on_node_gc" { type = bool }
  attribute "no_host_uuid" { type = bool }
  attribute "disable_remote_exec" { type = bool }
  attribute "cni_path" { type = string }
  attribute "cni_config_dir" { type = string }
  attribute "bridge_network_name" { type = string }
  attribute "bridge_network_subnet" { type = string }
  attribute "bridge_network_subnet_ipv6" { type = string }
  attribute "bridge_network_hairpin_mode" { type = bool }
  attribute "bind_wildcard_default_host_network" { type = bool }
  attribute "cgroup_parent" { type = string }
  attribute "nomad_service_discovery" { type = bool }
  attribute "node_max_allocs" { type = number }
  attribute "log_file" { type = string }
  attribute "default_ineligible" { type = bool }
  block "options" {
    form    = either
    include = [anything]
  }
  block "meta" {
    form    = either
    include = [anything]
  }
  block "chroot_env" {
    form    = either
    include = [anything]
  }
  block "reserved" {
    form    = either
    include = [reserved]
  }
  block "template" {
    form    = either
    include = [template]
  }
  block "server_join" {
    form    = either
    include = [server_join]
  }
  block "host_volume" {
    label "name" {}
    include = [host_volume]
  }
  block "host_network" {
    label "name" {}
    include = [host_network]
  }
  block "artifact" {
    form    = either
    include = [artifact]
  }
  block "drain_on_shutdown" {
    form    = either
    include = [drain]
  }
  block "users" {
    form    = either
    include = [users]
  }
  block "fingerprint" {
    label "name" {}
    include = [fingerprint]
  }
  # Older releases had it; newer ones ignore it.
  block "stats" {
    form    = either
    include = [anything]
  }
}

part "reserved" {
  attribute "cpu" { type = number }
  attribute "memory" { type = number }
  attribute "disk" { type = number }
  attribute "reserved_ports" { type = string }
  attribute "cores" { type = string }
}

part "template" {
  open = true
  attribute "function_denylist" { type = list(string) }
  attribute "function_blacklist" { type = list(string) }
  attribute "disable_file_sandbox" { type = bool }
  attribute "max_stale" { type = time }
  attribute "block_query_wait" { type = time }
  attribute "vault_default_lease_duration" { type = time }
  attribute "use_client_consul_token" { type = bool }
  block "wait" {
    form    = either
    include = [wait]
  }
  block "wait_bounds" {
    form    = either
    include = [wait]
  }
  block "consul_retry" {
    form    = either
    include = [retry]
  }
  block "vault_retry" {
    form    = either
    include = [retry]
  }
  block "nomad_retry" {
    form    = either
    include = [retry]
  }
}

part "wait" {
  open = true
  attribute "min" { type = time }
  attribute "max" { type = time }
}

part "retry" {
  open = true
  attribute "attempts" { type = number }
  attribute "backoff" { type = time }
  attribute "max_backoff" { type = time }
}

part "server_join" {
  attribute "start_join" { type = list(string) }
  attribute "retry_join" { type = list(string) }
  attribute "retry_max" { type = number }
  attribute "retry_interval" { type = time }
}

part "host_volume" {
  open = true
  attribute "path" { type = string }
  attribute "read_only" { type = bool }
}

part "host_network" {
  open = true
  attribute "cidr" { type = string }
  attribute "interface" { type = string }
  attribute "reserved_ports" { type = string }
}

part "artifact" {
  open = true
  attribute "http_read_timeout" { type = time }
  attribute "http_max_size" { type = string }
  attribute "gcs_timeout" { type = time }
  attribute "git_timeout" { type = time }
  attribute "hg_timeout" { type = time }
  attribute "s3_timeout" { type = time }
  attribute "decompression_file_count_limit" { type = number }
  attribute "decompression_size_limit" { type = string }
  attribute "disable_artifact_inspection" { type = bool }
  attribute "disable_filesystem_isolation" { type = bool }
  attribute "filesystem_isolation_extra_paths" { type = list(string) }
  attribute "set_environment_variables" { type = string }
}

part "drain" {
  open = true
  attribute "deadline" { type = time }
  attribute "ignore_system_jobs" { type = bool }
  attribute "force" { type = bool }
}

part "users" {
  open = true
  attribute "dynamic_user_min" { type = number }
  attribute "dynamic_user_max" { type = number }
}

part "fingerprint" {
  attribute "retry_interval" { type = time }
  attribute "retry_attempts" { type = number }
  attribute "exit_on_failure" { type = bool }
}

part "server" {
  attribute "enabled" { type = bool }
  attribute "authoritative_region" { type = string }
  attribute "bootstrap_expect" { type = number }
  attribute "data_dir" { type = string }
  attribute "protocol_version" { type = number }
  attribute "raft_protocol" { type = number }
  attribute "raft_multiplier" { type = number }
  attribute "num_schedulers" { type = number }
  attribute "enabled_schedulers" { type = list(string) }
  attribute "node_gc_threshold" { type = time }
  attribute "job_gc_interval" { type = time }
  attribute "job_gc_threshold" { type = time }
  attribute "eval_gc_threshold" { type = time }
  attribute "batch_eval_gc_threshold" { type = time }
  attribute "deployment_gc_threshold" { type = time }
  attribute "csi_volume_claim_gc_interval" { type = time }
  attribute "csi_volume_claim_gc_threshold" { type = time }
  attribute "csi_plugin_gc_threshold" { type = time }
  attribute "acl_token_gc_threshold" { type = time }
  attribute "root_key_gc_interval" { type = time }
  attribute "root_key_gc_threshold" { type = time }
  attribute "root_key_rotation_threshold" { type = time }
  attribute "heartbeat_grace" { type = time }
  attribute "min_heartbeat_ttl" { type = time }
  attribute "max_heartbeats_per_second" { type = number }
  attribute "failover_heartbeat_ttl" { type = time }
  attribute "start_join" { type = list(string) }
  attribute "retry_join" { type = list(string) }
  attribute "retry_max" { type = number }
  attribute "retry_interval" { type = time }
  attribute "rejoin_after_leave" { type = bool }
  attribute "non_voting_server" { type = bool }
  attribute "redundancy_zone" { type = string }
  attribute "upgrade_version" { type = string }
  attribute "encrypt" {
    type      = string
    sensitive = true
  }
  attribute "plan_apply_pipeline" { type = number }
  attribute "enable_event_broker" { type = bool }
  attribute "event_buffer_size" { type = number }
  attribute "license_path" { type = string }
  attribute "deploy_query_rate_limit" { type = number }
  attribute "raft_snapshot_threshold" { type = number }
  attribute "raft_snapshot_interval" { type = time }
  attribute "raft_trailing_logs" { type = number }
  attribute "job_default_priority" { type = number }
  attribute "job_max_priority" { type = number }
  attribute "job_max_count" { type = number }
  attribute "job_max_source_size" { type = string }
  attribute "job_tracked_versions" { type = number }
  attribute "oidc_issuer" { type = string }
  attribute "start_timeout" { type = time }
  attribute "log_file" { type = string }
  attribute "non_production" { type = bool }
  block "client_introduction" {
    form    = either
    include = [client_introduction]
  }
  block "server_join" {
    form    = either
    include = [server_join]
  }
  block "default_scheduler_config" {
    form    = either
    include = [scheduler_configuration]
  }
  block "plan_rejection_tracker" {
    form    = either
    include = [plan_rejection_tracker]
  }
  block "search" {
    form    = either
    include = [search]
  }
  block "raft_logstore" {
    form    = either
    include = [raft_logstore]
  }
  block "raft_boltdb" {
    form    = either
    include = [raft_boltdb]
  }
}

part "client_introduction" {
  attribute "enforcement" { type = string }
  attribute "default_identity_ttl" { type = time }
  attribute "max_identity_ttl" { type = time }
}

part "scheduler_configuration" {
  open = true
  attribute "scheduler_algorithm" { type = string }
  attribute "memory_oversubscription_enabled" { type = bool }
  attribute "reject_job_registration" { type = bool }
  attribute "pause_eval_broker" { type = bool }
  attribute "node_limit_for_feasibility_checks" { type = number }
  block "preemption_config" {
    form    = either
    include = [preemption]
  }
}

part "preemption" {
  open = true
  attribute "system_scheduler_enabled" { type = bool }
  attribute "sysbatch_scheduler_enabled" { type = bool }
  attribute "batch_scheduler_enabled" { type = bool }
  attribute "service_scheduler_enabled" { type = bool }
}

part "plan_rejection_tracker" {
  attribute "enabled" { type = bool }
  attribute "node_threshold" { type = number }
  attribute "node_window" { type = time }
}

part "search" {
  open = true
  attribute "fuzzy_enabled" { type = bool }
  attribute "limit_query" { type = number }
  attribute "limit_results" { type = number }
  attribute "min_term_length" { type = number }
}

part "raft_logstore" {
  open = true
  attribute "backend" { type = string }
  attribute "disable_log_cache" { type = bool }
  block "boltdb" {
    form    = either
    include = [raft_boltdb]
  }
  block "wal" {
    form    = either
    include = [logstore_wal]
  }
  block "verification" {
    form    = either
    include = [logstore_verification]
  }
}

part "raft_boltdb" {
  open = true
  attribute "no_freelist_sync" { type = bool }
}

part "logstore_wal" {
  open = true
  attribute "segment_size_mb" { type = number }
}

part "logstore_verification" {
  open = true
  attribute "enabled" { type = bool }
  attribute "interval" { type = time }
}

part "rpc" {
  open = true
  attribute "accept_backlog" { type = number }
  attribute "keep_alive_interval" { type = time }
  attribute "connection_write_timeout" { type = time }
  attribute "stream_open_timeout" { type = time }
  attribute "stream_close_timeout" { type = time }
  attribute "dial_timeout" { type = time }
}

part "acl" {
  attribute "enabled" { type = bool }
  attribute "token_ttl" { type = time }
  attribute "policy_ttl" { type = time }
  attribute "role_ttl" { type = time }
  attribute "replication_token" {
    type      = string
    sensitive = true
  }
  attribute "token_min_expiration_ttl" { type = time }
  attribute "token_max_expiration_ttl" { type = time }
}

part "telemetry" {
  attribute "in_memory_collection_interval" { type = time }
  attribute "in_memory_retention_period" { type = time }
  attribute "statsite_address" { type = string }
  attribute "statsd_address" { type = string }
  attribute "datadog_address" { type = string }
  attribute "datadog_tags" { type = list(string) }
  attribute "prometheus_metrics" { type = bool }
  attribute "disable_hostname" { type = bool }
  attribute "use_node_name" { type = bool }
  attribute "collection_interval" { type = time }
  attribute "publish_allocation_metrics" { type = bool }
  attribute "publish_node_metrics" { type = bool }
  attribute "include_alloc_metadata_in_metrics" { type = bool }
  attribute "allowed_metadata_keys_in_metrics" { type = list(string) }
  attribute "prefix_filter" { type = list(string) }
  attribute "filter_default" { type = bool }
  attribute "disable_dispatched_job_summary_metrics" { type = bool }
  attribute "disable_quota_utilization_metrics" { type = bool }
  attribute "disable_rpc_rate_metrics_labels" { type = bool }
  attribute "disable_allocation_hook_metrics" { type = bool }
  attribute "circonus_api_token" {
    type      = string
    sensitive = true
  }
  attribute "circonus_api_app" { type = string }
  attribute "circonus_api_url" { type = string }
  attribute "circonus_submission_interval" { type = time }
  attribute "circonus_submission_url" { type = string }
  attribute "circonus_check_id" { type = string }
  attribute "circonus_check_force_metric_activation" { type = string }
  attribute "circonus_check_instance_id" { type = string }
  attribute "circonus_check_search_tag" { type = string }
  attribute "circonus_check_tags" { type = string }
  attribute "circonus_check_display_name" { type = string }
  attribute "circonus_broker_id" { type = string }
  attribute "circonus_broker_select_tag" { type = string }
}

part "ui" {
  open = true
  attribute "enabled" { type = bool }
  attribute "show_cli_hints" { type = bool }
  block "content_security_policy" {
    form    = either
    include = [content_security_policy]
  }
  block "consul" {
    form    = either
    include = [consul_ui]
  }
  block "vault" {
    form    = either
    include = [vault_ui]
  }
  block "label" {
    form    = either
    include = [label_ui]
  }
}

part "content_security_policy" {
  open = true
  attribute "connect_src" { type = list(string) }
  attribute "default_src" { type = list(string) }
  attribute "form_action" { type = list(string) }
  attribute "frame_ancestors" { type = list(string) }
  attribute "img_src" { type = list(string) }
  attribute "script_src" { type = list(string) }
  attribute "style_src" { type = list(string) }
}

part "consul_ui" {
  open = true
  attribute "ui_url" { type = string }
}

part "vault_ui" {
  open = true
  attribute "ui_url" { type = string }
}

part "label_ui" {
  open = true
  attribute "text" { type = string }
  attribute "background_color" { type = string }
  attribute "text_color" { type = string }
}

part "tls" {
  attribute "http" { type = bool }
  attribute "rpc" { type = bool }
  attribute "verify_server_hostname" { type = bool }
  attribute "ca_file" { type = string }
  attribute "cert_file" { type = string }
  attribute "key_file" { type = string }
  attribute "rpc_upgrade_mode" { type = bool }
  attribute "verify_https_client" { type = bool }
  attribute "tls_cipher_suites" { type = string }
  attribute "tls_min_version" { type = string }
}

part "sentinel" {
  open = true
  attribute "additional_enabled_modules" { type = list(string) }
  block "import" {
    label "name" {}
    include = [sentinel_import]
  }
}

part "sentinel_import" {
  open = true
  attribute "path" { type = string }
  attribute "args" { type = list(string) }
}

part "autopilot" {
  attribute "cleanup_dead_servers" { type = bool }
  attribute "server_stabilization_time" { type = time }
  attribute "last_contact_threshold" { type = time }
  attribute "max_trailing_logs" { type = number }
  attribute "min_quorum" { type = number }
  attribute "enable_redundancy_zones" { type = bool }
  attribute "disable_upgrade_migration" { type = bool }
  attribute "enable_custom_upgrades" { type = bool }
}

part "plugin" {
  attribute "args" { type = list(string) }
  block "config" {
    form    = either
    include = [anything]
  }
}

part "limits" {
  open = true
  attribute "https_handshake_timeout" { type = time }
  attribute "http_max_conns_per_client" { type = number }
  attribute "rpc_handshake_timeout" { type = time }
  attribute "rpc_max_conns_per_client" { type = number }
}

part "audit" {
  attribute "enabled" { type = bool }
  block "sink" {
    label "name" {}
    include = [audit_sink]
  }
  block "filter" {
    label "name" {}
    include = [audit_filter]
  }
}

part "audit_sink" {
  open = true
  attribute "delivery_guarantee" { type = string }
  attribute "type" { type = string }
  attribute "format" { type = string }
  attribute "path" { type = string }
  attribute "rotate_duration" { type = time }
  attribute "rotate_bytes" { type = number }
  attribute "rotate_max_files" { type = number }
  attribute "mode" { type = string }
}

part "audit_filter" {
  open = true
  attribute "type" { type = string }
  attribute "endpoints" { type = list(string) }
  attribute "stages" { type = list(string) }
  attribute "operations" { type = list(string) }
}

part "reporting" {
  open = true
  attribute "address" { type = string }
  attribute "export_interval" { type = time }
  attribute "snapshot_retention_time" { type = time }
  attribute "disable_product_usage_reporting" { type = bool }
  block "license" {
    form    = either
    include = [license_reporting]
  }
}

part "license_reporting" {
  open = true
  attribute "enabled" { type = bool }
}

part "keyring" {
  open = true
  attribute "name" { type = string }
  attribute "active" { type = bool }
}

part "eventlog" {
  open = true
  attribute "enabled" { type = bool }
  attribute "level" { type = string }
}

part "consul" {
  # Older releases had it.
  attribute "allow_unauthenticated" { type = bool }
  attribute "name" { type = string }
  attribute "server_service_name" { type = string }
  attribute "server_http_check_name" { type = string }
  attribute "server_serf_check_name" { type = string }
  attribute "server_rpc_check_name" { type = string }
  attribute "server_failures_before_critical" { type = number }
  attribute "server_failures_before_warning" { type = number }
  attribute "client_service_name" { type = string }
  attribute "client_http_check_name" { type = string }
  attribute "client_failures_before_critical" { type = number }
  attribute "client_failures_before_warning" { type = number }
  attribute "tags" { type = list(string) }
  attribute "auto_advertise" { type = bool }
  attribute "checks_use_advertise" { type = bool }
  attribute "address" { type = string }
  attribute "grpc_address" { type = string }
  attribute "timeout" { type = time }
  attribute "token" {
    type      = string
    sensitive = true
  }
  attribute "auth" {
    type      = string
    sensitive = true
  }
  attribute "ssl" { type = bool }
  attribute "share_ssl" { type = bool }
  attribute "verify_ssl" { type = bool }
  attribute "grpc_ca_file" { type = string }
  attribute "ca_file" { type = string }
  attribute "cert_file" { type = string }
  attribute "key_file" { type = string }
  attribute "server_auto_join" { type = bool }
  attribute "client_auto_join" { type = bool }
  attribute "namespace" { type = string }
  attribute "service_auth_method" { type = string }
  attribute "task_auth_method" { type = string }
  block "service_identity" {
    form    = either
    include = [workload_identity]
  }
  block "task_identity" {
    form    = either
    include = [workload_identity]
  }
}

part "workload_identity" {
  open = true
  attribute "aud" { type = list(string) }
  attribute "env" { type = bool }
  attribute "file" { type = bool }
  attribute "filepath" { type = string }
  attribute "ttl" { type = time }
  block "extra_claims" {
    form    = either
    include = [anything]
  }
}

part "vault" {
  open = true
  attribute "name" { type = string }
  attribute "enabled" { type = bool }
  attribute "create_from_role" { type = string }
  attribute "namespace" { type = string }
  attribute "address" { type = string }
  attribute "jwt_auth_backend_path" { type = string }
  attribute "ca_file" { type = string }
  attribute "ca_path" { type = string }
  attribute "cert_file" { type = string }
  attribute "key_file" { type = string }
  attribute "tls_skip_verify" { type = bool }
  attribute "tls_server_name" { type = string }
  attribute "token" {
    type      = string
    sensitive = true
  }
  block "default_identity" {
    form    = either
    include = [workload_identity]
  }
}
