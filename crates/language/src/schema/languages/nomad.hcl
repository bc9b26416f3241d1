# Job files of Nomad. What the client fills in, such as ${attr.cpu.arch}, stays as it is written.

language "nomad" {
  title       = "Nomad"
  description = "Jobs that Nomad runs."
  docs        = "https://developer.hashicorp.com/nomad/docs/job-specification"
  functions   = "nomad"
  environment = "NOMAD_VAR_"

  undefined_is_text = true
  checks_names      = true

  files "job" {
    patterns = ["*.nomad", "*.nomad.hcl"]
    also     = ["*.hcl"]
    body     = file
  }
  files "volume" {
    description = "A volume, for `nomad volume create` and `register`."
    patterns    = ["*.nomad", "*.nomad.hcl", "volume.hcl", "*.volume.hcl"]
    also        = ["*.hcl"]
    detect      = ["plugin_id", "capability", "external_id & type =", "host_path & type ="]
    body        = volume_specification
  }
  files "node_pool" {
    description = "A pool of nodes, for `nomad node pool apply`."
    patterns    = ["*.nomad", "*.nomad.hcl"]
    also        = ["*.hcl"]
    detect      = ["node_pool label {}"]
    body        = node_pool_specification
  }
  files "quota" {
    description = "A quota, for `nomad quota apply`."
    patterns    = ["*.nomad", "*.nomad.hcl", "spec.hcl", "quota.hcl", "*.quota.hcl"]
    also        = ["*.hcl"]
    detect      = ["name = & limit {}"]
    body        = quota_specification
  }
  files "namespace" {
    description = "A namespace, for `nomad namespace apply`."
    patterns    = ["*.nomad", "*.nomad.hcl"]
    also        = ["*.hcl"]
    detect      = ["name =", "node_pool_config", "capabilities {}"]
    body        = namespace_specification
  }
  files "variable" {
    description = "A variable of Nomad, for `nomad var put`."
    patterns    = ["*.nomad", "*.nomad.hcl"]
    also        = ["*.hcl"]
    detect      = ["items & path ="]
    body        = variable_specification
  }
  files "values" {
    description = "Values for the variables of a job, for `nomad job run -var-file`."
    patterns    = ["*.nomad", "*.nomad.hcl"]
    detect      = ["* ="]
    body        = values
  }
}

types {
  time   = one_of(duration, number)
  scalar = one_of(string, number, bool)
}

part "file" {
  block "variable" {
    description = "An input of the job file."
    label "name" { type = identifier }
    defines "variable" {
      value    = input
      address  = "var.{name}"
      constant = true
    }
    attribute "type" {
      type        = type
      description = "The type that values are converted to."
    }
    attribute "default" {
      type        = any
      description = "The value if no other is given."
    }
    attribute "description" { type = string }
    attribute "sensitive" { type = bool }
    block "validation" {
      role = check
      attribute "condition" { type = required(any) }
      attribute "error_message" { type = required(string) }
    }
  }
  block "variables" {
    description = "Inputs with their defaults."
    attribute "*" {
      type = any
      defines "variable" {
        value    = input
        address  = "var.{attribute}"
        constant = true
      }
    }
  }
  block "locals" {
    description = "Names for expressions."
    attribute "*" {
      defines "local" {
        value   = value
        address = "local.{attribute}"
      }
    }
  }
  block "job" {
    required    = true
    nesting     = single
    description = "The job."
    dynamic     = true
    label "name" { type = string }
    # A job is what its attributes and blocks say.
    defines "job" {
      address      = "job.{name}"
      by_attribute = true
      nested       = true
    }
    include = [job]
  }
}

part "values" {
  attribute "*" {
    type        = any
    description = "The value of a variable."
  }
}

part "map_of_scalars" {
  attribute "*" { type = any }
  open = true
}

part "job" {
  attribute "id" { type = string }
  attribute "name" { type = string }
  attribute "namespace" {
    type        = string
    description = "The namespace of the job."
  }
  attribute "region" {
    type        = string
    description = "The region that runs the job."
  }
  attribute "type" {
    type        = one_of("service", "batch", "system", "sysbatch")
    description = "The kind of scheduler."
  }
  attribute "priority" {
    type        = integer(1, 100)
    description = "The priority; a higher one comes first."
  }
  attribute "all_at_once" { type = bool }
  attribute "datacenters" {
    type        = list(string)
    description = "The datacenters that run the job."
  }
  attribute "node_pool" {
    type        = string
    description = "The node pool that runs the job."
  }
  attribute "vault_token" { type = string }
  attribute "consul_token" { type = string }
  block "meta" {
    form        = either
    description = "Texts that tasks can read."
    include     = [map_of_scalars]
  }
  block "group" {
    description = "Tasks that run on one client."
    unique      = true
    label "name" { type = string }
    include = [group]
  }
  block "task" {
    description = "A task of a group of its own."
    unique      = true
    label "name" { type = string }
    include = [task]
  }
  block "constraint" {
    description = "A condition on clients."
    include     = [constraint]
  }
  block "affinity" {
    description = "A preference among clients."
    include     = [affinity]
  }
  block "spread" {
    description = "How allocations are spread."
    include     = [spread]
  }
  block "update" {
    nesting     = single
    description = "How updates are made."
    include     = [update]
  }
  block "migrate" {
    nesting = single
    include = [migrate]
  }
  block "periodic" {
    nesting     = single
    description = "When the job runs."
    include     = [periodic]
  }
  block "parameterized" {
    nesting     = single
    description = "The job is started with parameters."
    include     = [parameterized]
  }
  block "reschedule" {
    nesting = single
    include = [reschedule]
  }
  block "multiregion" {
    nesting     = single
    description = "The regions that run the job."
    include     = [multiregion]
  }
  block "vault" {
    nesting = single
    include = [vault]
  }
  block "ui" {
    nesting = single
    include = [ui]
  }
}

part "group" {
  attribute "count" {
    type        = number
    description = "The number of instances."
  }
  attribute "shutdown_delay" { type = time }
  attribute "max_run_duration" { type = time }
  attribute "stop_after_client_disconnect" { type = time }
  attribute "max_client_disconnect" { type = time }
  attribute "prevent_reschedule_on_lost" { type = bool }
  block "meta" {
    form        = either
    description = "Texts that tasks can read."
    include     = [map_of_scalars]
  }
  block "task" {
    description = "A program that runs."
    unique      = true
    label "name" { type = string }
    include = [task]
  }
  block "constraint" {
    include = [constraint]
  }
  block "affinity" {
    include = [affinity]
  }
  block "spread" {
    include = [spread]
  }
  block "update" {
    nesting = single
    include = [update]
  }
  block "migrate" {
    nesting = single
    include = [migrate]
  }
  block "reschedule" {
    nesting = single
    include = [reschedule]
  }
  block "restart" {
    nesting     = single
    description = "What happens when a task fails."
    include     = [restart]
  }
  block "ephemeral_disk" {
    nesting = single
    include = [ephemeral_disk]
  }
  block "disconnect" {
    nesting = single
    include = [disconnect]
  }
  block "network" {
    description = "The network of the group."
    include     = [network]
  }
  block "service" {
    description = "A service that is registered."
    include     = [service]
  }
  block "volume" {
    description = "A volume that tasks can mount."
    label "name" { type = string }
    include = [volume]
  }
  block "scaling" {
    label "type" { type = optional(string) }
    include = [scaling]
  }
  block "vault" {
    nesting = single
    include = [vault]
  }
  block "consul" {
    nesting = single
    include = [consul]
  }
}

part "task" {
  attribute "driver" {
    type        = required(string)
    description = "The driver that runs the task."
  }
  attribute "user" { type = string }
  attribute "leader" { type = bool }
  attribute "kind" { type = string }
  attribute "kill_timeout" {
    type        = time
    description = "How long the task has to stop."
  }
  attribute "kill_signal" { type = string }
  attribute "shutdown_delay" { type = time }
  block "meta" {
    form        = either
    description = "Texts that the task can read."
    include     = [map_of_scalars]
  }
  block "env" {
    form        = either
    description = "Environment variables of the task."
    include     = [map_of_scalars]
  }
  block "config" {
    nesting     = single
    form        = either
    description = "The configuration of the driver."
    include     = [config]
  }
  block "constraint" {
    include = [constraint]
  }
  block "affinity" {
    include = [affinity]
  }
  block "artifact" {
    description = "A file that is downloaded."
    include     = [artifact]
  }
  block "template" {
    description = "A file that is rendered."
    include     = [template]
  }
  block "service" {
    include = [service]
  }
  block "resources" {
    nesting     = single
    description = "What the task needs."
    include     = [resources]
  }
  block "logs" {
    nesting = single
    include = [logs]
  }
  block "restart" {
    nesting = single
    include = [restart]
  }
  block "lifecycle" {
    nesting = single
    include = [lifecycle]
  }
  block "dispatch_payload" {
    nesting = single
    include = [dispatch_payload]
  }
  block "volume_mount" {
    description = "A volume that the task mounts."
    include     = [volume_mount]
  }
  block "csi_plugin" {
    nesting = single
    include = [csi_plugin]
  }
  block "vault" {
    nesting     = single
    description = "Access to Vault."
    include     = [vault]
  }
  block "consul" {
    nesting = single
    include = [consul]
  }
  block "identity" {
    include = [identity]
  }
  block "scaling" {
    label "type" { type = string }
    include = [scaling]
  }
  block "action" {
    label "name" { type = string }
    include = [action]
  }
  block "schedule" {
    nesting = single
    include = [anything]
  }
  block "secret" {
    label "name" { type = string }
    include = [anything]
  }
}

part "anything" {
  open = true
}

part "config" {
  match "parent.driver" {
    case "docker" {
      open = true
      attribute "image" { type = string }
      attribute "command" { type = string }
      attribute "args" { type = list(string) }
      attribute "entrypoint" { type = one_of(string, list(string)) }
      attribute "ports" { type = list(string) }
      attribute "volumes" { type = list(string) }
      attribute "network_mode" { type = string }
      attribute "privileged" { type = bool }
      attribute "force_pull" { type = bool }
      attribute "hostname" { type = string }
      attribute "work_dir" { type = string }
      attribute "labels" { type = any }
      attribute "image_pull_timeout" { type = time }
      attribute "auth_soft_fail" { type = bool }
      attribute "cap_add" { type = list(string) }
      attribute "cap_drop" { type = list(string) }
      attribute "dns_servers" { type = list(string) }
      attribute "extra_hosts" { type = list(string) }
      attribute "readonly_rootfs" { type = bool }
      attribute "shm_size" { type = number }
      attribute "userns_mode" { type = string }
      attribute "interactive" { type = bool }
      attribute "tty" { type = bool }
      attribute "init" { type = bool }
    }
    case "exec" "raw_exec" {
      open = true
      attribute "command" { type = required(string) }
      attribute "args" { type = list(string) }
    }
    case "java" {
      open = true
      attribute "class" { type = string }
      attribute "jar_path" { type = string }
      attribute "class_path" { type = string }
      attribute "args" { type = list(string) }
      attribute "jvm_options" { type = list(string) }
    }
    case "qemu" {
      open = true
      attribute "image_path" { type = required(string) }
      attribute "accelerator" { type = string }
      attribute "args" { type = list(string) }
    }
    otherwise { open = true }
  }
}

part "constraint" {
  attribute "attribute" {
    type        = string
    description = "The value that is compared."
  }
  attribute "operator" {
    type        = string
    description = "The comparison."
  }
  attribute "value" {
    type        = scalar
    description = "The value that it is compared with."
  }
  attribute "distinct_hosts" { type = bool }
  attribute "distinct_property" { type = string }
  attribute "regexp" { type = string }
  attribute "set_contains" { type = string }
  attribute "set_contains_all" { type = string }
  attribute "set_contains_any" { type = string }
  attribute "version" { type = string }
  attribute "semver" { type = string }
}

part "affinity" {
  attribute "attribute" { type = string }
  attribute "operator" { type = string }
  attribute "value" { type = scalar }
  attribute "weight" { type = integer(-100, 100) }
  attribute "regexp" { type = string }
  attribute "set_contains" { type = string }
  attribute "set_contains_all" { type = string }
  attribute "set_contains_any" { type = string }
  attribute "version" { type = string }
  attribute "semver" { type = string }
}

part "spread" {
  attribute "attribute" { type = string }
  attribute "weight" { type = integer(-100, 100) }
  block "target" {
    label "value" { type = string }
    include = [spread_target]
  }
}

part "spread_target" {
  attribute "percent" { type = number }
}

part "update" {
  attribute "max_parallel" {
    type        = number
    description = "The number of allocations that are updated at once."
  }
  attribute "health_check" { type = one_of("checks", "task_states", "manual", "") }
  attribute "min_healthy_time" { type = time }
  attribute "healthy_deadline" { type = time }
  attribute "progress_deadline" { type = time }
  attribute "auto_revert" { type = bool }
  attribute "auto_promote" { type = bool }
  attribute "canary" { type = number }
  attribute "stagger" { type = time }
}

part "migrate" {
  attribute "max_parallel" { type = number }
  attribute "health_check" { type = string }
  attribute "min_healthy_time" { type = time }
  attribute "healthy_deadline" { type = time }
}

part "periodic" {
  attribute "cron" { type = string }
  attribute "crons" { type = list(string) }
  attribute "enabled" { type = bool }
  attribute "prohibit_overlap" { type = bool }
  attribute "time_zone" { type = string }
}

part "parameterized" {
  attribute "payload" { type = one_of("optional", "required", "forbidden", "") }
  attribute "meta_required" { type = list(string) }
  attribute "meta_optional" { type = list(string) }
}

part "reschedule" {
  attribute "attempts" { type = number }
  attribute "interval" { type = time }
  attribute "delay" { type = time }
  attribute "delay_function" { type = one_of("constant", "exponential", "fibonacci", "") }
  attribute "max_delay" { type = time }
  attribute "unlimited" { type = bool }
}

part "restart" {
  attribute "attempts" { type = number }
  attribute "interval" { type = time }
  attribute "delay" { type = time }
  attribute "mode" { type = one_of("fail", "delay") }
  attribute "render_templates" { type = bool }
}

part "multiregion" {
  block "strategy" {
    nesting = single
    include = [multiregion_strategy]
  }
  block "region" {
    label "name" { type = string }
    include = [multiregion_region]
  }
}

part "multiregion_strategy" {
  attribute "max_parallel" { type = number }
  attribute "on_failure" { type = string }
}

part "multiregion_region" {
  attribute "count" { type = number }
  attribute "datacenters" { type = list(string) }
  attribute "node_pool" { type = string }
  block "meta" {
    form        = either
    description = "Texts that tasks can read."
    include     = [map_of_scalars]
  }
}

part "ephemeral_disk" {
  attribute "size" { type = number }
  attribute "sticky" { type = bool }
  attribute "migrate" { type = bool }
}

part "disconnect" {
  attribute "lost_after" { type = time }
  attribute "replace" { type = bool }
  attribute "reconcile" { type = one_of("keep_original", "keep_replacement", "best_score", "longest_running", "") }
  attribute "stop_on_client_after" { type = time }
}

part "network" {
  attribute "mode" {
    type        = string
    description = "The mode, such as `bridge` or `host`."
    check {
      condition = contains(["", "none", "host", "bridge"], value) || can(regex("^cni/", value))
      message   = "no client has this mode: it is `none`, `host`, `bridge` or `cni/NAME`"
    }
  }
  attribute "hostname" { type = string }
  attribute "mbits" { type = number }
  attribute "device" { type = string }
  attribute "cidr" { type = string }
  attribute "ip" { type = string }
  block "port" {
    description = "A port."
    unique      = true
    label "name" { type = string }
    include = [port]
  }
  block "dns" {
    nesting = single
    include = [dns]
  }
  block "cni" {
    nesting = single
    include = [cni]
  }
}

part "port" {
  attribute "static" {
    type        = integer
    description = "The port of the host."
  }
  attribute "to" {
    type        = integer
    description = "The port that the task listens on."
  }
  attribute "host_network" { type = string }
  attribute "ignore_collision" { type = bool }
}

part "dns" {
  attribute "servers" { type = list(string) }
  attribute "searches" { type = list(string) }
  attribute "options" { type = list(string) }
}

part "cni" {
  attribute "args" { type = any }
}

part "volume" {
  attribute "type" {
    type        = one_of("host", "csi")
    description = "The type."
  }
  attribute "source" { type = string }
  attribute "read_only" { type = bool }
  attribute "sticky" { type = bool }
  attribute "per_alloc" { type = bool }
  attribute "access_mode" { type = string }
  attribute "attachment_mode" { type = string }
  block "mount_options" {
    nesting = single
    include = [mount_options]
  }
}

part "mount_options" {
  attribute "fs_type" { type = string }
  attribute "mount_flags" { type = list(string) }
}

part "volume_mount" {
  attribute "volume" { type = string }
  attribute "destination" { type = string }
  attribute "read_only" { type = bool }
  attribute "propagation_mode" { type = one_of("private", "host-to-task", "bidirectional", "") }
  attribute "selinux_label" { type = one_of("z", "Z", "") }
}

part "scaling" {
  attribute "enabled" { type = bool }
  attribute "type" { type = string }
  attribute "min" { type = number }
  attribute "max" { type = number }
  block "policy" {
    nesting = single
    form    = either
    include = [anything]
  }
}

part "vault" {
  attribute "policies" { type = list(string) }
  attribute "role" { type = string }
  attribute "namespace" { type = string }
  attribute "cluster" { type = string }
  attribute "env" { type = bool }
  attribute "disable_file" { type = bool }
  attribute "change_mode" { type = one_of("noop", "restart", "signal", "") }
  attribute "change_signal" { type = string }
  attribute "allow_token_expiration" { type = bool }
}

part "consul" {
  attribute "namespace" { type = string }
  attribute "cluster" { type = string }
  attribute "partition" { type = string }
}

part "ui" {
  attribute "description" { type = string }
  block "link" {
    include = [ui_link]
  }
}

part "ui_link" {
  attribute "label" { type = string }
  attribute "url" { type = string }
}

part "identity" {
  attribute "name" { type = string }
  attribute "aud" { type = list(string) }
  attribute "change_mode" { type = one_of("noop", "restart", "signal", "") }
  attribute "change_signal" { type = string }
  attribute "env" { type = bool }
  attribute "file" { type = bool }
  attribute "filepath" { type = string }
  attribute "service_name" { type = string }
  attribute "ttl" { type = time }
  attribute "extra_claims" {
    type        = list(string)
    description = "Names of claims that the namespace offers and the token has."
  }
}

part "action" {
  attribute "command" { type = required(string) }
  attribute "args" { type = list(string) }
}

part "lifecycle" {
  attribute "hook" { type = required(one_of("prestart", "poststart", "poststop")) }
  attribute "sidecar" { type = bool }
}

part "dispatch_payload" {
  attribute "file" { type = string }
}

part "csi_plugin" {
  attribute "id" { type = string }
  attribute "type" { type = one_of("node", "controller", "monolith") }
  attribute "mount_dir" { type = string }
  attribute "stage_publish_base_dir" { type = string }
  attribute "health_timeout" { type = time }
}

part "artifact" {
  attribute "source" {
    type        = required(string)
    description = "The address of the file."
  }
  attribute "destination" { type = string }
  attribute "mode" { type = one_of("any", "file", "dir") }
  attribute "insecure" { type = bool }
  attribute "chown" { type = bool }
  block "options" {
    form        = either
    description = "Options of the download."
    include     = [map_of_scalars]
  }
  block "headers" {
    form        = either
    description = "Headers of the request."
    include     = [map_of_scalars]
  }
}

part "template" {
  attribute "source" { type = string }
  attribute "destination" { type = string }
  attribute "data" { type = string }
  attribute "change_mode" { type = one_of("noop", "restart", "signal", "script", "") }
  attribute "change_signal" { type = string }
  attribute "splay" { type = time }
  attribute "perms" { type = string }
  attribute "uid" { type = number }
  attribute "gid" { type = number }
  attribute "left_delimiter" { type = string }
  attribute "right_delimiter" { type = string }
  attribute "env" { type = bool }
  attribute "vault_grace" { type = time }
  attribute "error_on_missing_key" { type = bool }
  attribute "once" { type = bool }
  block "change_script" {
    nesting = single
    include = [change_script]
  }
  block "wait" {
    nesting = single
    form    = either
    include = [wait]
  }
}

part "change_script" {
  attribute "command" { type = required(string) }
  attribute "args" { type = list(string) }
  attribute "timeout" { type = time }
  attribute "fail_on_error" { type = bool }
  attribute "run_on_first_render" {
    type        = bool
    description = "Also run the script after the template was rendered for the first time."
  }
}

part "wait" {
  attribute "min" { type = time }
  attribute "max" { type = time }
}

part "resources" {
  attribute "cpu" {
    type        = number
    description = "MHz of the processor."
  }
  attribute "cores" { type = number }
  attribute "memory" {
    type        = number
    description = "MB of memory."
  }
  attribute "memory_max" { type = number }
  attribute "disk" { type = number }
  attribute "secrets" { type = number }
  attribute "iops" { type = number }
  block "network" {
    include = [network]
  }
  block "device" {
    label "name" { type = string }
    include = [device]
  }
  block "numa" {
    nesting = single
    include = [numa]
  }
}

part "device" {
  attribute "count" { type = number }
  block "constraint" {
    include = [constraint]
  }
  block "affinity" {
    include = [affinity]
  }
}

part "numa" {
  attribute "affinity" { type = string }
  attribute "devices" { type = list(string) }
}

part "logs" {
  attribute "max_files" { type = number }
  attribute "max_file_size" { type = number }
  attribute "disabled" { type = bool }
  attribute "enabled" { type = bool }
}

part "service" {
  attribute "name" {
    type        = string
    description = "The name of the service."
  }
  attribute "port" {
    type        = scalar
    label_of    = ["group.network.port", "task.resources.network.port"]
    description = "The label of a port, or a number."
  }
  attribute "tags" { type = list(string) }
  attribute "canary_tags" { type = list(string) }
  attribute "enable_tag_override" { type = bool }
  attribute "address_mode" { type = one_of("auto", "host", "driver", "alloc", "alloc_ipv6", "") }
  attribute "address" { type = string }
  attribute "task" { type = string }
  attribute "on_update" { type = one_of("require_healthy", "ignore_warnings", "ignore", "") }
  attribute "provider" { type = one_of("consul", "nomad", "") }
  attribute "cluster" { type = string }
  attribute "kind" { type = string }
  block "check" {
    description = "A check of the health of the service."
    include     = [service_check]
  }
  block "check_restart" {
    nesting = single
    include = [check_restart]
  }
  block "connect" {
    nesting = single
    include = [connect]
  }
  block "meta" {
    form        = either
    description = "Texts of the service."
    include     = [map_of_scalars]
  }
  block "canary_meta" {
    form        = either
    description = "Texts of canaries."
    include     = [map_of_scalars]
  }
  block "tagged_addresses" {
    form        = either
    description = "Addresses by tag."
    include     = [map_of_scalars]
  }
  block "identity" {
    include = [identity]
  }
  block "weights" {
    nesting = single
    include = [weights]
  }
}

part "weights" {
  attribute "passing" { type = number }
  attribute "warning" { type = number }
}

part "service_check" {
  attribute "name" { type = string }
  attribute "type" { type = one_of("http", "tcp", "grpc", "script") }
  attribute "command" { type = string }
  attribute "args" { type = list(string) }
  attribute "path" { type = string }
  attribute "protocol" { type = string }
  attribute "port" {
    type        = scalar
    label_of    = ["group.network.port", "task.resources.network.port"]
    description = "The label of a port, or a number."
  }
  attribute "expose" { type = bool }
  attribute "address_mode" { type = one_of("auto", "host", "driver", "alloc", "alloc_ipv6", "") }
  attribute "advertise" { type = string }
  attribute "interval" { type = time }
  attribute "timeout" { type = time }
  attribute "initial_status" { type = one_of("passing", "warning", "critical", "") }
  attribute "tls_server_name" { type = string }
  attribute "tls_skip_verify" { type = bool }
  attribute "method" { type = string }
  attribute "grpc_service" { type = string }
  attribute "grpc_use_tls" { type = bool }
  attribute "task" { type = string }
  attribute "success_before_passing" { type = number }
  attribute "failures_before_critical" { type = number }
  attribute "failures_before_warning" { type = number }
  attribute "body" { type = string }
  attribute "on_update" { type = one_of("require_healthy", "ignore_warnings", "ignore", "") }
  attribute "notes" { type = string }
  block "check_restart" {
    nesting = single
    include = [check_restart]
  }
  block "header" {
    form    = either
    include = [anything]
  }
}

part "check_restart" {
  attribute "limit" { type = number }
  attribute "grace" { type = time }
  attribute "ignore_warnings" { type = bool }
}

part "connect" {
  attribute "native" { type = bool }
  block "sidecar_service" {
    nesting = single
    include = [anything]
  }
  block "sidecar_task" {
    nesting = single
    include = [anything]
  }
  block "gateway" {
    nesting = single
    include = [anything]
  }
}

part "volume_specification" {
  attribute "id" {
    type        = string
    description = "The identifier of the volume."
  }
  attribute "name" {
    type        = required(string)
    description = "The name."
  }
  attribute "namespace" { type = string }
  attribute "type" {
    type        = required(one_of("csi", "host"))
    description = "The type."
  }
  attribute "plugin_id" {
    type        = string
    description = "The plugin that makes it."
  }
  attribute "external_id" { type = string }
  attribute "snapshot_id" { type = string }
  attribute "clone_id" { type = string }
  attribute "capacity" { type = size }
  attribute "capacity_min" {
    type        = size
    description = "The smallest size."
  }
  attribute "capacity_max" {
    type        = size
    description = "The largest size."
  }
  attribute "node_id" { type = string }
  attribute "node_pool" { type = string }
  attribute "host_path" { type = string }
  block "capability" {
    description = "How the volume can be used."
    include     = [volume_capability]
  }
  block "constraint" {
    include = [constraint]
  }
  block "mount_options" {
    nesting = single
    form    = either
    include = [mount_options]
  }
  block "secrets" {
    nesting = single
    form    = either
    include = [map_of_scalars]
  }
  block "parameters" {
    nesting = single
    form    = either
    include = [map_of_scalars]
  }
  block "context" {
    nesting = single
    form    = either
    include = [map_of_scalars]
  }
  block "topology_request" {
    nesting = single
    include = [anything]
  }
}

part "volume_capability" {
  attribute "access_mode" { type = required(string) }
  attribute "attachment_mode" { type = required(string) }
}

part "node_pool_specification" {
  block "node_pool" {
    required    = true
    nesting     = single
    description = "The pool."
    label "name" { type = string }
    attribute "description" { type = string }
    attribute "node_identity_ttl" { type = time }
    block "meta" {
      form    = either
      include = [map_of_scalars]
    }
    block "scheduler_config" {
      nesting     = single
      description = "How its nodes are chosen, other than by the settings of the cluster."
      attribute "scheduler_algorithm" { type = one_of("binpack", "spread") }
      attribute "memory_oversubscription_enabled" { type = bool }
    }
  }
}

part "namespace_specification" {
  attribute "name" {
    type        = string
    description = "The name; the command line has it, too."
  }
  attribute "description" { type = string }
  attribute "quota" {
    type        = string
    description = "The quota that the namespace has."
  }
  block "capabilities" {
    nesting     = single
    description = "What its jobs may use."
    attribute "enabled_task_drivers" { type = list(string) }
    attribute "disabled_task_drivers" { type = list(string) }
    attribute "enabled_network_modes" { type = list(string) }
    attribute "disabled_network_modes" { type = list(string) }
  }
  block "meta" {
    form    = either
    include = [map_of_scalars]
  }
  block "node_pool_config" {
    nesting = single
    open    = true
    attribute "default" { type = string }
    attribute "allowed" { type = list(string) }
    attribute "denied" { type = list(string) }
  }
  block "vault" {
    nesting = single
    open    = true
    attribute "default" { type = string }
    attribute "allowed" { type = list(string) }
    attribute "denied" { type = list(string) }
  }
  block "consul" {
    nesting = single
    open    = true
    attribute "default" { type = string }
    attribute "allowed" { type = list(string) }
    attribute "denied" { type = list(string) }
  }
  block "required_extra_claims" {
    form    = either
    include = [map_of_scalars]
  }
  block "optional_extra_claims" {
    form    = either
    include = [map_of_scalars]
  }
}

part "quota_specification" {
  attribute "name" { type = required(string) }
  attribute "description" { type = string }
  block "limit" {
    description = "The limits in a region."
    attribute "region" { type = string }
    attribute "variables_limit" { type = number }
    block "region_limit" {
      nesting = single
      include = [quota_resources]
      block "storage" {
        nesting = single
        attribute "variables" { type = one_of(number, size) }
        attribute "host_volumes" { type = one_of(number, size) }
      }
      block "node_pool" {
        description = "The limits in a pool of nodes."
        label "name" { type = string }
        include = [quota_resources]
        block "storage" {
          nesting = single
          attribute "variables" { type = one_of(number, size) }
          attribute "host_volumes" { type = one_of(number, size) }
        }
      }
    }
  }
}

part "quota_resources" {
  attribute "cores" { type = number }
  attribute "cpu" { type = number }
  attribute "memory" { type = number }
  attribute "memory_max" { type = number }
  attribute "secrets" { type = number }
  block "numa" {
    nesting = single
    include = [numa]
  }
  block "device" {
    label "name" { type = string }
    attribute "count" { type = number }
    block "constraint" { include = [constraint] }
    block "affinity" { include = [affinity] }
  }
}

part "variable_specification" {
  attribute "path" { type = string }
  attribute "namespace" { type = string }
  attribute "create_index" { type = integer }
  attribute "modify_index" { type = integer }
  attribute "create_time" { type = integer }
  attribute "modify_time" { type = integer }
  block "items" {
    form        = either
    description = "The values by their names."
    include     = [map_of_scalars]
  }
}
