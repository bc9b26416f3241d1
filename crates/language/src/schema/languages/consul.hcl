# Configuration of agents of Consul, and of what `consul config write` takes.

language "consul" {
  title       = "Consul"
  description = "The configuration of agents of Consul."
  docs        = "https://developer.hashicorp.com/consul/docs/reference/agent/configuration-file"
  reads_hcl_1 = true

  files "agent" {
    patterns = ["consul.hcl", "*.consul.hcl"]
    also     = ["*.hcl", "*.json"]
    body     = agent
  }
  files "shared" {
    description = "The configuration of agents, in files with names that other programs use, too."
    patterns    = ["agent.hcl", "client.hcl", "config.hcl", "server.hcl"]
    detect      = ["data_dir & server =", "data_dir & retry_join", "data_dir & client_addr", "data_dir & ui_config", "data_dir & connect"]
    body        = agent
  }
  files "entry" {
    description = "A configuration entry, for `consul config write`."
    patterns    = ["consul.hcl", "*.consul.hcl"]
    also        = ["*.hcl", "*.json"]
    detect      = ["Kind =", "kind ="]
    body        = entry
  }
}

types {
  time       = one_of(duration, number)
  entry_kind = one_of("api-gateway", "bound-api-gateway", "control-plane-request-limit", "exported-services", "file-system-certificate", "http-route", "ingress-gateway", "inline-certificate", "jwt-provider", "mesh", "proxy-defaults", "sameness-group", "service-defaults", "service-intentions", "service-resolver", "service-router", "service-splitter", "tcp-route", "terminating-gateway")
}

part "anything" {
  open = true
}

# The program reads the names of the other attributes in any case.
part "entry" {
  open = true
  attribute "Kind" { type = entry_kind }
  attribute "kind" { type = entry_kind }
  exactly_one = ["Kind", "kind"]
}

part "agent" {
  attribute "advertise_addr" { type = string }
  attribute "advertise_addr_ipv4" { type = string }
  attribute "advertise_addr_ipv6" { type = string }
  attribute "advertise_addr_wan" { type = string }
  attribute "advertise_addr_wan_ipv4" { type = string }
  attribute "advertise_addr_wan_ipv6" { type = string }
  attribute "advertise_reconnect_timeout" { type = time }
  attribute "bind_addr" { type = string }
  attribute "bootstrap" { type = bool }
  attribute "bootstrap_expect" { type = integer(0) }
  attribute "check_output_max_size" { type = number }
  attribute "check_update_interval" { type = time }
  attribute "client_addr" { type = string }
  attribute "domain" { type = string }
  attribute "alt_domain" { type = string }
  attribute "recursors" { type = one_of(string, list(string)) }
  attribute "data_dir" { type = string }
  attribute "datacenter" { type = string }
  attribute "default_query_time" { type = time }
  attribute "default_intention_policy" { type = one_of("allow", "deny") }
  attribute "disable_anonymous_signature" { type = bool }
  attribute "disable_coordinates" { type = bool }
  attribute "disable_host_node_id" { type = bool }
  attribute "disable_http_unprintable_char_filter" { type = bool }
  attribute "disable_keyring_file" { type = bool }
  attribute "disable_remote_exec" { type = bool }
  attribute "disable_update_check" { type = bool }
  attribute "discard_check_output" { type = bool }
  attribute "discovery_max_stale" { type = time }
  attribute "enable_agent_tls_for_checks" { type = bool }
  attribute "enable_central_service_config" { type = bool }
  attribute "enable_debug" { type = bool }
  attribute "enable_script_checks" { type = bool }
  attribute "enable_local_script_checks" { type = bool }
  attribute "enable_syslog" { type = bool }
  attribute "encrypt" {
    type      = string
    sensitive = true
  }
  attribute "encrypt_verify_incoming" { type = bool }
  attribute "encrypt_verify_outgoing" { type = bool }
  attribute "experiments" { type = one_of(string, list(string)) }
  attribute "leave_on_terminate" { type = bool }
  attribute "license_path" { type = string }
  attribute "log_level" { type = string }
  attribute "log_json" { type = bool }
  attribute "log_file" { type = string }
  attribute "log_rotate_duration" { type = time }
  attribute "log_rotate_bytes" { type = number }
  attribute "log_rotate_max_files" { type = number }
  attribute "max_query_time" { type = time }
  attribute "node_id" { type = string }
  attribute "node_name" { type = string }
  attribute "pid_file" { type = string }
  attribute "primary_datacenter" { type = string }
  attribute "primary_gateways" { type = one_of(string, list(string)) }
  attribute "primary_gateways_interval" { type = time }
  attribute "protocol" { type = number }
  attribute "raft_protocol" { type = number }
  attribute "raft_snapshot_threshold" { type = number }
  attribute "raft_snapshot_interval" { type = time }
  attribute "raft_trailing_logs" { type = number }
  attribute "raft_prevote_disabled" { type = bool }
  attribute "reconnect_timeout" { type = time }
  attribute "reconnect_timeout_wan" { type = time }
  attribute "rejoin_after_leave" { type = bool }
  attribute "auto_reload_config" { type = bool }
  attribute "retry_interval" { type = time }
  attribute "retry_interval_wan" { type = time }
  attribute "retry_join" { type = one_of(string, list(string)) }
  attribute "retry_max" { type = number }
  attribute "retry_max_wan" { type = number }
  attribute "retry_join_wan" { type = one_of(string, list(string)) }
  attribute "serf_lan_allowed_cidrs" { type = one_of(string, list(string)) }
  attribute "serf_wan_allowed_cidrs" { type = one_of(string, list(string)) }
  attribute "serf_lan" { type = string }
  attribute "serf_wan" { type = string }
  attribute "server" { type = bool }
  attribute "server_name" { type = string }
  attribute "server_rejoin_age_max" { type = time }
  attribute "session_ttl_min" { type = time }
  attribute "skip_leave_on_interrupt" { type = bool }
  attribute "syslog_facility" { type = string }
  attribute "translate_wan_addrs" { type = bool }
  attribute "ui" { type = bool }
  attribute "ui_content_path" { type = string }
  attribute "ui_dir" { type = string }
  attribute "use_streaming_backend" { type = bool }
  attribute "ae_interval" { type = time }
  attribute "check_deregister_interval_min" { type = time }
  attribute "check_reap_interval" { type = time }
  attribute "revision" { type = string }
  attribute "segment_limit" { type = number }
  attribute "segment_name_limit" { type = number }
  attribute "sync_coordinate_interval_min" { type = time }
  attribute "sync_coordinate_rate_target" { type = number }
  attribute "version" { type = string }
  attribute "version_prerelease" { type = string }
  attribute "version_metadata" { type = string }
  attribute "build_date" { type = string }
  attribute "read_replica" { type = bool }
  attribute "non_voting_server" { type = bool }
  attribute "segment" { type = string }
  attribute "partition" { type = string }
  attribute "license_poll_base_time" { type = time }
  attribute "license_poll_max_time" { type = time }
  attribute "license_update_base_time" { type = time }
  attribute "license_update_max_time" { type = time }
  attribute "acl_agent_master_token" {
    type      = string
    sensitive = true
    deprecated { message = "write `acl.tokens.agent_recovery`" }
  }
  attribute "acl_agent_token" {
    type      = string
    sensitive = true
    deprecated { message = "write `acl.tokens.agent`" }
  }
  attribute "acl_token" {
    type      = string
    sensitive = true
    deprecated { message = "write `acl.tokens.default`" }
  }
  attribute "acl_enable_key_list_policy" {
    type = bool
    deprecated { message = "write `acl.enable_key_list_policy`" }
  }
  attribute "acl_master_token" {
    type      = string
    sensitive = true
    deprecated { message = "write `acl.tokens.initial_management`" }
  }
  attribute "acl_replication_token" {
    type      = string
    sensitive = true
    deprecated { message = "write `acl.tokens.replication`" }
  }
  attribute "enable_acl_replication" {
    type = bool
    deprecated { message = "write `acl.enable_token_replication`" }
  }
  attribute "acl_datacenter" {
    type = string
    deprecated { message = "write `primary_datacenter`" }
  }
  attribute "acl_default_policy" {
    type = string
    deprecated { message = "write `acl.default_policy`" }
  }
  attribute "acl_down_policy" {
    type = string
    deprecated { message = "write `acl.down_policy`" }
  }
  attribute "acl_ttl" {
    type = string
    deprecated { message = "write `acl.token_ttl`" }
  }
  attribute "ca_file" { type = string }
  attribute "ca_path" { type = string }
  attribute "cert_file" { type = string }
  attribute "key_file" { type = string }
  attribute "tls_cipher_suites" { type = string }
  attribute "tls_min_version" { type = string }
  attribute "verify_incoming" { type = bool }
  attribute "verify_incoming_https" {
    type = bool
    deprecated { message = "write `tls.https.verify_incoming`" }
  }
  attribute "verify_incoming_rpc" {
    type = bool
    deprecated { message = "write `tls.internal_rpc.verify_incoming`" }
  }
  attribute "verify_outgoing" { type = bool }
  attribute "verify_server_hostname" { type = bool }
  attribute "tls_prefer_server_cipher_suites" { type = bool }
  attribute "start_join" {
    type = one_of(string, list(string))
    deprecated { message = "write `retry_join`" }
  }
  attribute "start_join_wan" {
    type = one_of(string, list(string))
    deprecated { message = "write `retry_join_wan`" }
  }
  block "acl" {
    form    = either
    include = [acl]
  }
  block "addresses" {
    form    = either
    include = [addresses]
  }
  block "auto_config" {
    form    = either
    include = [auto_config]
  }
  block "autopilot" {
    form    = either
    include = [autopilot]
  }
  block "cache" {
    form    = either
    include = [cache]
  }
  block "check" {
    form    = either
    include = [check]
  }
  block "checks" {
    form    = either
    include = [check]
  }
  block "cloud" {
    form    = either
    include = [cloud]
  }
  block "config_entries" {
    form    = either
    include = [config_entries]
  }
  block "auto_encrypt" {
    form    = either
    include = [auto_encrypt]
  }
  block "connect" {
    form    = either
    include = [connect]
  }
  block "dns_config" {
    form    = either
    include = [dns_config]
  }
  block "gossip_lan" {
    form    = either
    include = [gossip_lan]
  }
  block "gossip_wan" {
    form    = either
    include = [gossip_wan]
  }
  block "http_config" {
    form    = either
    include = [http_config]
  }
  block "limits" {
    form    = either
    include = [limits]
  }
  block "locality" {
    form    = either
    include = [locality]
  }
  block "node_meta" {
    form    = either
    include = [anything]
  }
  block "peering" {
    form    = either
    include = [peering]
  }
  block "performance" {
    form    = either
    include = [performance]
  }
  block "ports" {
    form    = either
    include = [ports]
  }
  block "service" {
    form    = either
    include = [service]
  }
  block "services" {
    form    = either
    include = [service]
  }
  block "tls" {
    form    = either
    include = [tls]
  }
  block "tagged_addresses" {
    form    = either
    include = [anything]
  }
  block "telemetry" {
    form    = either
    include = [telemetry]
  }
  block "xds" {
    form    = either
    include = [xds]
  }
  block "ui_config" {
    form    = either
    include = [ui_config]
  }
  block "unix_sockets" {
    form    = either
    include = [unix_socket]
  }
  block "watches" {
    form    = either
    include = [anything]
  }
  block "rpc" {
    form    = either
    include = [rpc]
  }
  block "raft_logstore" {
    form    = either
    include = [raft_logstore]
  }
  block "snapshot_agent" {
    form    = either
    include = [anything]
  }
  block "consul" {
    form    = either
    include = [internals]
  }
  block "audit" {
    form    = either
    include = [audit]
  }
  block "segments" {
    form    = either
    include = [segment]
  }
  block "reporting" {
    form    = either
    include = [reporting]
  }
  block "raft_boltdb" {
    form    = either
    include = [raft_boltdb]
    deprecated { message = "write `raft_logstore.boltdb`" }
  }
}

part "acl" {
  attribute "enabled" { type = bool }
  attribute "enable_token_replication" { type = bool }
  attribute "policy_ttl" { type = time }
  attribute "role_ttl" { type = time }
  attribute "token_ttl" { type = time }
  attribute "down_policy" { type = one_of("allow", "deny", "extend-cache", "async-cache") }
  attribute "default_policy" { type = one_of("allow", "deny") }
  attribute "enable_key_list_policy" { type = bool }
  attribute "enable_token_persistence" { type = bool }
  attribute "msp_disable_bootstrap" { type = bool }
  block "tokens" {
    form    = either
    include = [tokens]
  }
}

part "tokens" {
  attribute "initial_management" {
    type      = string
    sensitive = true
  }
  attribute "replication" {
    type      = string
    sensitive = true
  }
  attribute "agent_recovery" {
    type      = string
    sensitive = true
  }
  attribute "default" {
    type      = string
    sensitive = true
  }
  attribute "agent" {
    type      = string
    sensitive = true
  }
  attribute "config_file_service_registration" {
    type      = string
    sensitive = true
  }
  attribute "dns" { type = string }
  attribute "master" {
    type      = string
    sensitive = true
  }
  attribute "agent_master" {
    type      = string
    sensitive = true
  }
  block "managed_service_provider" {
    form    = either
    include = [service_provider_token]
  }
}

part "service_provider_token" {
  attribute "accessor_id" { type = string }
  attribute "secret_id" {
    type      = string
    sensitive = true
  }
}

part "addresses" {
  attribute "dns" { type = string }
  attribute "http" { type = string }
  attribute "https" { type = string }
  attribute "grpc" { type = string }
  attribute "grpc_tls" { type = string }
}

part "auto_config" {
  attribute "enabled" { type = bool }
  attribute "intro_token" {
    type      = string
    sensitive = true
  }
  attribute "intro_token_file" { type = string }
  attribute "server_addresses" { type = one_of(string, list(string)) }
  attribute "dns_sans" { type = one_of(string, list(string)) }
  attribute "ip_sans" { type = one_of(string, list(string)) }
  block "authorization" {
    form    = either
    include = [authorization]
  }
}

part "authorization" {
  attribute "enabled" { type = bool }
  block "static" {
    form    = either
    include = [authorizer]
  }
}

part "authorizer" {
  attribute "claim_assertions" { type = one_of(string, list(string)) }
  attribute "allow_reuse" { type = bool }
  attribute "jwt_supported_algs" { type = one_of(string, list(string)) }
  attribute "bound_audiences" { type = one_of(string, list(string)) }
  attribute "oidc_discovery_url" { type = string }
  attribute "oidc_discovery_ca_cert" { type = string }
  attribute "jwks_url" { type = string }
  attribute "jwks_ca_cert" { type = string }
  attribute "jwt_validation_pub_keys" { type = one_of(string, list(string)) }
  attribute "bound_issuer" { type = string }
  attribute "expiration_leeway" { type = time }
  attribute "not_before_leeway" { type = time }
  attribute "clock_skew_leeway" { type = time }
  block "claim_mappings" {
    form    = either
    include = [anything]
  }
  block "list_claim_mappings" {
    form    = either
    include = [anything]
  }
}

part "autopilot" {
  attribute "cleanup_dead_servers" { type = bool }
  attribute "last_contact_threshold" { type = string }
  attribute "max_trailing_logs" { type = number }
  attribute "min_quorum" { type = number }
  attribute "server_stabilization_time" { type = time }
  attribute "disable_upgrade_migration" { type = bool }
  attribute "redundancy_zone_tag" { type = string }
  attribute "upgrade_version_tag" { type = string }
}

part "cache" {
  attribute "entry_fetch_max_burst" { type = number }
  attribute "entry_fetch_rate" { type = number }
}

part "check" {
  attribute "id" { type = string }
  attribute "name" { type = string }
  attribute "notes" { type = string }
  attribute "service_id" { type = string }
  attribute "serviceid" { type = string }
  attribute "token" {
    type      = string
    sensitive = true
  }
  attribute "status" { type = string }
  attribute "args" { type = one_of(string, list(string)) }
  attribute "scriptargs" { type = one_of(string, list(string)) }
  attribute "http" { type = string }
  attribute "method" { type = string }
  attribute "body" { type = string }
  attribute "disable_redirects" { type = bool }
  attribute "output_max_size" { type = number }
  attribute "tcp" { type = string }
  attribute "tcp_use_tls" { type = bool }
  attribute "udp" { type = string }
  attribute "interval" { type = time }
  attribute "docker_container_id" { type = string }
  attribute "dockercontainerid" { type = string }
  attribute "shell" { type = string }
  attribute "grpc" { type = string }
  attribute "grpc_use_tls" { type = bool }
  attribute "tls_server_name" { type = string }
  attribute "tls_skip_verify" { type = bool }
  attribute "tlsskipverify" { type = bool }
  attribute "alias_node" { type = string }
  attribute "alias_service" { type = string }
  attribute "timeout" { type = time }
  attribute "ttl" { type = time }
  attribute "h2ping" { type = string }
  attribute "h2ping_use_tls" { type = bool }
  attribute "os_service" { type = string }
  attribute "success_before_passing" { type = number }
  attribute "failures_before_warning" { type = number }
  attribute "failures_before_critical" { type = number }
  attribute "deregister_critical_service_after" { type = time }
  attribute "deregistercriticalserviceafter" { type = time }
  attribute "namespace" { type = string }
  attribute "partition" { type = string }
  block "header" {
    form    = either
    include = [anything]
  }
}

part "cloud" {
  attribute "resource_id" { type = string }
  attribute "client_id" { type = string }
  attribute "client_secret" {
    type      = string
    sensitive = true
  }
  attribute "hostname" { type = string }
  attribute "auth_url" { type = string }
  attribute "scada_address" { type = string }
}

part "config_entries" {
  block "bootstrap" {
    form    = either
    include = [anything]
  }
}

part "auto_encrypt" {
  attribute "tls" { type = bool }
  attribute "dns_san" { type = one_of(string, list(string)) }
  attribute "ip_san" { type = one_of(string, list(string)) }
  attribute "allow_tls" { type = bool }
}

part "connect" {
  attribute "enabled" { type = bool }
  attribute "ca_provider" { type = string }
  attribute "enable_mesh_gateway_wan_federation" { type = bool }
  attribute "test_ca_leaf_root_change_spread" { type = time }
  block "ca_config" {
    form    = either
    include = [anything]
  }
}

part "dns_config" {
  attribute "allow_stale" { type = bool }
  attribute "a_record_limit" { type = number }
  attribute "disable_compression" { type = bool }
  attribute "enable_truncate" { type = bool }
  attribute "max_stale" { type = time }
  attribute "node_ttl" { type = time }
  attribute "only_passing" { type = bool }
  attribute "recursor_strategy" { type = string }
  attribute "recursor_timeout" { type = time }
  attribute "udp_answer_limit" { type = number }
  attribute "enable_additional_node_meta_txt" { type = bool }
  attribute "use_cache" { type = bool }
  attribute "cache_max_age" { type = time }
  attribute "prefer_namespace" { type = bool }
  block "service_ttl" {
    form    = either
    include = [anything]
  }
  block "soa" {
    form    = either
    include = [soa]
  }
}

part "soa" {
  attribute "refresh" { type = number }
  attribute "retry" { type = number }
  attribute "expire" { type = number }
  attribute "min_ttl" { type = number }
}

part "gossip_lan" {
  attribute "gossip_nodes" { type = number }
  attribute "gossip_interval" { type = time }
  attribute "probe_interval" { type = time }
  attribute "probe_timeout" { type = time }
  attribute "suspicion_mult" { type = number }
  attribute "retransmit_mult" { type = number }
}

part "gossip_wan" {
  attribute "gossip_nodes" { type = number }
  attribute "gossip_interval" { type = time }
  attribute "probe_interval" { type = time }
  attribute "probe_timeout" { type = time }
  attribute "suspicion_mult" { type = number }
  attribute "retransmit_mult" { type = number }
}

part "http_config" {
  attribute "block_endpoints" { type = one_of(string, list(string)) }
  attribute "allow_write_http_from" { type = one_of(string, list(string)) }
  attribute "use_cache" { type = bool }
  attribute "max_header_bytes" { type = number }
  block "response_headers" {
    form    = either
    include = [anything]
  }
}

part "limits" {
  attribute "http_max_conns_per_client" { type = number }
  attribute "https_handshake_timeout" { type = time }
  attribute "rpc_client_timeout" { type = time }
  attribute "rpc_handshake_timeout" { type = time }
  attribute "rpc_max_burst" { type = number }
  attribute "rpc_max_conns_per_client" { type = number }
  attribute "rpc_rate" { type = number }
  attribute "kv_max_value_size" { type = number }
  attribute "txn_max_req_len" { type = number }
  block "request_limits" {
    form    = either
    include = [request_limits]
  }
}

part "request_limits" {
  attribute "mode" { type = string }
  attribute "read_rate" { type = number }
  attribute "write_rate" { type = number }
}

part "locality" {
  attribute "region" { type = string }
  attribute "zone" { type = string }
}

part "peering" {
  attribute "enabled" { type = bool }
  attribute "test_allow_peer_registrations" { type = bool }
}

part "performance" {
  attribute "leave_drain_time" { type = time }
  attribute "raft_multiplier" { type = number }
  attribute "rpc_hold_timeout" { type = time }
  attribute "grpc_keepalive_interval" { type = time }
  attribute "grpc_keepalive_timeout" { type = time }
  attribute "enable_xds_load_balancing" { type = bool }
}

part "ports" {
  attribute "dns" { type = integer(-1, 65535) }
  attribute "http" { type = integer(-1, 65535) }
  attribute "https" { type = integer(-1, 65535) }
  attribute "serf_lan" { type = integer(-1, 65535) }
  attribute "serf_wan" { type = integer(-1, 65535) }
  attribute "server" { type = integer(-1, 65535) }
  attribute "grpc" { type = integer(-1, 65535) }
  attribute "grpc_tls" { type = integer(-1, 65535) }
  attribute "proxy_min_port" { type = number }
  attribute "proxy_max_port" { type = number }
  attribute "sidecar_min_port" { type = number }
  attribute "sidecar_max_port" { type = number }
  attribute "expose_min_port" { type = number }
  attribute "expose_max_port" { type = number }
}

part "service" {
  attribute "kind" { type = string }
  attribute "id" { type = string }
  attribute "name" { type = string }
  attribute "tags" { type = one_of(string, list(string)) }
  attribute "address" { type = string }
  attribute "port" { type = number }
  attribute "socket_path" { type = string }
  attribute "token" {
    type      = string
    sensitive = true
  }
  attribute "enable_tag_override" { type = bool }
  attribute "namespace" { type = string }
  attribute "partition" { type = string }
  block "tagged_addresses" {
    form = either
    attribute "*" { type = object(service_address) }
    block "*" {
      include = [service_address]
    }
  }
  block "meta" {
    form    = either
    include = [anything]
  }
  block "check" {
    form    = either
    include = [check]
  }
  block "checks" {
    form    = either
    include = [check]
  }
  block "weights" {
    form    = either
    include = [service_weights]
  }
  block "proxy" {
    form    = either
    include = [service_proxy]
  }
  block "connect" {
    form    = either
    include = [service_connect]
  }
  block "locality" {
    form    = either
    include = [locality]
  }
}

part "service_address" {
  attribute "address" { type = string }
  attribute "port" { type = number }
}

part "service_weights" {
  attribute "passing" { type = number }
  attribute "warning" { type = number }
}

part "service_proxy" {
  attribute "destination_service_name" { type = string }
  attribute "destination_service_id" { type = string }
  attribute "local_service_address" { type = string }
  attribute "local_service_port" { type = number }
  attribute "local_service_socket_path" { type = string }
  attribute "mode" { type = string }
  block "transparent_proxy" {
    form    = either
    include = [transparent_proxy]
  }
  block "config" {
    form    = either
    include = [anything]
  }
  block "upstreams" {
    form    = either
    include = [upstream]
  }
  block "mesh_gateway" {
    form    = either
    include = [mesh_gateway]
  }
  block "expose" {
    form    = either
    include = [expose]
  }
}

part "transparent_proxy" {
  attribute "outbound_listener_port" { type = number }
  attribute "dialed_directly" { type = bool }
}

part "upstream" {
  attribute "destination_type" { type = string }
  attribute "destination_namespace" { type = string }
  attribute "destination_partition" { type = string }
  attribute "destination_peer" { type = string }
  attribute "destination_name" { type = string }
  attribute "datacenter" { type = string }
  attribute "local_bind_address" { type = string }
  attribute "local_bind_port" { type = number }
  attribute "local_bind_socket_path" { type = string }
  attribute "local_bind_socket_mode" { type = string }
  block "config" {
    form    = either
    include = [anything]
  }
  block "mesh_gateway" {
    form    = either
    include = [mesh_gateway]
  }
}

part "mesh_gateway" {
  attribute "mode" { type = string }
}

part "expose" {
  attribute "checks" { type = bool }
  attribute "port" { type = number }
  block "paths" {
    form    = either
    include = [expose_path]
  }
}

part "expose_path" {
  attribute "listener_port" { type = number }
  attribute "path" { type = string }
  attribute "protocol" { type = string }
  attribute "local_path_port" { type = number }
}

part "service_connect" {
  attribute "native" { type = bool }
  block "sidecar_service" {
    form    = either
    include = [service]
  }
}

part "tls" {
  block "defaults" {
    form    = either
    include = [tls_protocol]
  }
  block "internal_rpc" {
    form    = either
    include = [tls_protocol]
  }
  block "https" {
    form    = either
    include = [tls_protocol]
  }
  block "grpc" {
    form    = either
    include = [tls_protocol]
  }
}

part "tls_protocol" {
  attribute "ca_file" { type = string }
  attribute "ca_path" { type = string }
  attribute "cert_file" { type = string }
  attribute "key_file" { type = string }
  attribute "tls_min_version" { type = string }
  attribute "tls_cipher_suites" { type = string }
  attribute "verify_incoming" { type = bool }
  attribute "verify_outgoing" { type = bool }
  attribute "verify_server_hostname" { type = bool }
  attribute "use_auto_cert" { type = bool }
}

part "telemetry" {
  attribute "circonus_api_app" { type = string }
  attribute "circonus_api_token" {
    type      = string
    sensitive = true
  }
  attribute "circonus_api_url" { type = string }
  attribute "circonus_broker_id" { type = string }
  attribute "circonus_broker_select_tag" { type = string }
  attribute "circonus_check_display_name" { type = string }
  attribute "circonus_check_force_metric_activation" { type = string }
  attribute "circonus_check_id" { type = string }
  attribute "circonus_check_instance_id" { type = string }
  attribute "circonus_check_search_tag" { type = string }
  attribute "circonus_check_tags" { type = string }
  attribute "circonus_submission_interval" { type = time }
  attribute "circonus_submission_url" { type = string }
  attribute "disable_hostname" { type = bool }
  attribute "disable_per_tenancy_usage_metrics" { type = bool }
  attribute "enable_host_metrics" { type = bool }
  attribute "dogstatsd_addr" { type = string }
  attribute "dogstatsd_tags" { type = one_of(string, list(string)) }
  attribute "retry_failed_connection" { type = bool }
  attribute "filter_default" { type = bool }
  attribute "prefix_filter" { type = one_of(string, list(string)) }
  attribute "metrics_prefix" { type = string }
  attribute "prometheus_retention_time" { type = time }
  attribute "statsd_address" { type = string }
  attribute "statsite_address" { type = string }
}

part "xds" {
  attribute "update_max_per_second" { type = number }
}

part "ui_config" {
  attribute "enabled" { type = bool }
  attribute "dir" { type = string }
  attribute "content_path" { type = string }
  attribute "metrics_provider" { type = string }
  attribute "metrics_provider_files" { type = one_of(string, list(string)) }
  attribute "metrics_provider_options_json" { type = string }
  block "metrics_proxy" {
    form    = either
    include = [metrics_proxy]
  }
  block "dashboard_url_templates" {
    form    = either
    include = [anything]
  }
}

part "metrics_proxy" {
  attribute "base_url" { type = string }
  attribute "path_allowlist" { type = one_of(string, list(string)) }
  block "add_headers" {
    form    = either
    include = [added_header]
  }
}

part "added_header" {
  attribute "name" { type = string }
  attribute "value" { type = string }
}

part "unix_socket" {
  attribute "group" { type = string }
  attribute "mode" { type = string }
  attribute "user" { type = string }
}

part "rpc" {
  attribute "enable_streaming" { type = bool }
}

part "raft_logstore" {
  attribute "backend" { type = string }
  attribute "disable_log_cache" { type = bool }
  block "verification" {
    form    = either
    include = [logstore_verification]
  }
  block "boltdb" {
    form    = either
    include = [raft_boltdb]
  }
  block "wal" {
    form    = either
    include = [logstore_wal]
  }
}

part "logstore_verification" {
  attribute "enabled" { type = bool }
  attribute "interval" { type = time }
}

part "raft_boltdb" {
  attribute "no_freelist_sync" { type = bool }
}

part "logstore_wal" {
  attribute "segment_size_mb" { type = number }
}

part "internals" {
  block "coordinate" {
    form    = either
    include = [internals_coordinate]
  }
  block "raft" {
    form    = either
    include = [internals_raft]
  }
  block "server" {
    form    = either
    include = [internals_server]
  }
}

part "internals_coordinate" {
  attribute "update_batch_size" { type = number }
  attribute "update_max_batches" { type = number }
  attribute "update_period" { type = time }
}

part "internals_raft" {
  attribute "election_timeout" { type = time }
  attribute "heartbeat_timeout" { type = time }
  attribute "leader_lease_timeout" { type = time }
}

part "internals_server" {
  attribute "health_interval" { type = time }
}

part "audit" {
  attribute "enabled" { type = bool }
  attribute "rpc_enabled" { type = bool }
  block "sink" {
    form    = either
    include = [anything]
    label "name" { type = optional(string) }
  }
}

part "segment" {
  attribute "advertise" { type = string }
  attribute "bind" { type = string }
  attribute "name" { type = string }
  attribute "port" { type = number }
  attribute "rpc_listener" { type = bool }
}

part "reporting" {
  block "license" {
    form    = either
    include = [license]
  }
}

part "license" {
  attribute "enabled" { type = bool }
}
