# Configuration of agents of Consul.

language "consul" {
  title         = "Consul"
  description   = "The configuration of agents of Consul."
  docs          = "https://developer.hashicorp.com/consul/docs/reference/agent/configuration-file"

  files "agent" {
    patterns = ["consul.hcl", "*.consul.hcl"]
    also     = ["*.hcl", "*.json"]
    body     = agent
  }
}

types {
  time = one_of(duration, number)
}

part "anything" {
  open = true
}

part "agent" {
  attribute "addresses" { type = map(string) }
  attribute "advertise_addr" { type = string }
  attribute "advertise_addr_ipv4" { type = string }
  attribute "advertise_addr_ipv6" { type = string }
  attribute "advertise_addr_wan" { type = string }
  attribute "advertise_addr_wan_ipv4" { type = string }
  attribute "advertise_addr_wan_ipv6" { type = string }
  attribute "advertise_reconnect_timeout" { type = time }
  attribute "alt_domain" { type = string }
  attribute "bind_addr" { type = string }
  attribute "bootstrap" { type = bool }
  attribute "bootstrap_expect" { type = integer(0) }
  attribute "cache" { type = any }
  attribute "ca_file" { type = string }
  attribute "ca_path" { type = string }
  attribute "cert_file" { type = string }
  attribute "check_output_max_size" { type = number }
  attribute "check_update_interval" { type = time }
  attribute "client_addr" { type = string }
  attribute "data_dir" { type = string }
  attribute "datacenter" { type = string }
  attribute "default_intention_policy" { type = one_of("allow", "deny") }
  attribute "default_query_time" { type = time }
  attribute "disable_anonymous_signature" { type = bool }
  attribute "disable_coordinates" { type = bool }
  attribute "disable_host_node_id" { type = bool }
  attribute "disable_http_unprintable_char_filter" { type = bool }
  attribute "disable_keyring_file" { type = bool }
  attribute "disable_remote_exec" { type = bool }
  attribute "disable_update_check" { type = bool }
  attribute "discard_check_output" { type = bool }
  attribute "discovery_max_stale" { type = time }
  attribute "domain" { type = string }
  attribute "enable_agent_tls_for_checks" { type = bool }
  attribute "enable_central_service_config" { type = bool }
  attribute "enable_debug" { type = bool }
  attribute "enable_local_script_checks" { type = bool }
  attribute "enable_script_checks" { type = bool }
  attribute "enable_syslog" { type = bool }
  attribute "encrypt" { type = string }
  attribute "encrypt_verify_incoming" { type = bool }
  attribute "encrypt_verify_outgoing" { type = bool }
  attribute "key_file" { type = string }
  attribute "leave_on_terminate" { type = bool }
  attribute "license_path" { type = string }
  attribute "log_file" { type = string }
  attribute "log_json" { type = bool }
  attribute "log_level" { type = one_of("trace", "debug", "info", "warn", "error", string) }
  attribute "log_rotate_bytes" { type = number }
  attribute "log_rotate_duration" { type = time }
  attribute "log_rotate_max_files" { type = number }
  attribute "max_query_time" { type = time }
  attribute "node_id" { type = string }
  attribute "node_meta" { type = map(string) }
  attribute "node_name" { type = string }
  attribute "partition" { type = string }
  attribute "pid_file" { type = string }
  attribute "primary_datacenter" { type = string }
  attribute "primary_gateways" { type = list(string) }
  attribute "primary_gateways_interval" { type = time }
  attribute "protocol" { type = number }
  attribute "raft_boltdb" { type = any }
  attribute "raft_logstore" { type = any }
  attribute "raft_protocol" { type = number }
  attribute "raft_snapshot_interval" { type = time }
  attribute "raft_snapshot_threshold" { type = number }
  attribute "raft_trailing_logs" { type = number }
  attribute "read_replica" { type = bool }
  attribute "reconnect_timeout" { type = time }
  attribute "reconnect_timeout_wan" { type = time }
  attribute "recursors" { type = list(string) }
  attribute "rejoin_after_leave" { type = bool }
  attribute "retry_interval" { type = time }
  attribute "retry_interval_wan" { type = time }
  attribute "retry_join" { type = list(string) }
  attribute "retry_join_wan" { type = list(string) }
  attribute "retry_max" { type = number }
  attribute "retry_max_wan" { type = number }
  attribute "rpc" { type = any }
  attribute "serf_lan" { type = string }
  attribute "serf_lan_allowed_cidrs" { type = list(string) }
  attribute "serf_wan" { type = string }
  attribute "serf_wan_allowed_cidrs" { type = list(string) }
  attribute "server" { type = bool }
  attribute "server_name" { type = string }
  attribute "session_ttl_min" { type = time }
  attribute "skip_leave_on_interrupt" { type = bool }
  attribute "syslog_facility" { type = string }
  attribute "tls_cipher_suites" { type = string }
  attribute "tls_min_version" { type = string }
  attribute "translate_wan_addrs" { type = bool }
  attribute "unix_sockets" { type = any }
  attribute "use_streaming_backend" { type = bool }
  attribute "verify_incoming" { type = bool }
  attribute "verify_incoming_https" { type = bool }
  attribute "verify_incoming_rpc" { type = bool }
  attribute "verify_outgoing" { type = bool }
  attribute "verify_server_hostname" { type = bool }
  block "acl" {
    form        = either
    include     = [anything]
  }
  block "auto_config" {
    form        = either
    include     = [anything]
  }
  block "auto_encrypt" {
    form        = either
    include     = [anything]
  }
  block "auto_reload_config" {
    form        = either
    include     = [anything]
  }
  block "autopilot" {
    form        = either
    include     = [anything]
  }
  block "cloud" {
    form        = either
    include     = [anything]
  }
  block "config_entries" {
    form        = either
    include     = [anything]
  }
  block "connect" {
    form        = either
    include     = [anything]
  }
  block "dns_config" {
    form        = either
    include     = [anything]
  }
  block "gossip_lan" {
    form        = either
    include     = [anything]
  }
  block "gossip_wan" {
    form        = either
    include     = [anything]
  }
  block "http_config" {
    form        = either
    include     = [anything]
  }
  block "limits" {
    form        = either
    include     = [anything]
  }
  block "peering" {
    form        = either
    include     = [anything]
  }
  block "performance" {
    form        = either
    include     = [anything]
  }
  block "ports" {
    form        = either
    include     = [anything]
  }
  block "service" {
    form        = either
    include     = [anything]
  }
  block "services" {
    form        = either
    include     = [anything]
  }
  block "check" {
    form        = either
    include     = [anything]
  }
  block "checks" {
    form        = either
    include     = [anything]
  }
  block "tls" {
    form        = either
    include     = [anything]
  }
  block "telemetry" {
    form        = either
    include     = [anything]
  }
  block "ui_config" {
    form        = either
    include     = [anything]
  }
  block "watches" {
    form        = either
    include     = [anything]
  }
  block "audit" {
    form        = either
    include     = [anything]
  }
  block "segments" {
    form        = either
    include     = [anything]
  }
  block "xds" {
    form        = either
    include     = [anything]
  }
  block "experiments" {
    form        = either
    include     = [anything]
  }
  block "reporting" {
    form        = either
    include     = [anything]
  }
  block "locality" {
    form        = either
    include     = [anything]
  }
}
