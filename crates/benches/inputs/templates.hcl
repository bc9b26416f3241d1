# Templates of every kind: scripts, configuration files, messages.

resource "cloudinit_config" "server" {
  user_data = <<-EOT
    #!/bin/bash
    set -euo pipefail

    export NAME="${var.name}"
    export REGION="${var.region}"
    export TOKEN=$(curl -s -X PUT http://169.254.169.254/latest/api/token -H "ttl: 21600")

    # Volumes
    %{ for index, volume in var.volumes ~}
    mkfs.ext4 -L ${volume.label} /dev/${volume.device}
    mkdir -p ${volume.path}
    echo "LABEL=${volume.label} ${volume.path} ext4 defaults,noatime 0 ${index + 1}" >> /etc/fstab
    %{ endfor ~}
    mount -a

    # Users
    %{ for user in var.users }
    useradd --create-home --shell ${coalesce(user.shell, "/bin/bash")} ${user.name}
    %{ if user.admin ~}
    usermod -aG sudo ${user.name}
    %{ else ~}
    usermod -aG ${join(",", user.groups)} ${user.name}
    %{ endif ~}
    install -d -m 700 -o ${user.name} /home/${user.name}/.ssh
    cat > /home/${user.name}/.ssh/authorized_keys <<KEYS
    ${join("\n", user.keys)}
    KEYS
    %{ endfor }

    for file in /opt/install/*.sh; do
      echo "running $${file}"
      bash "$${file}" || exit 1
    done

    printf '%%{http_code}\n' > /etc/curl-format
    systemctl enable --now ${var.service}.service
  EOT
}

job "web" {
  datacenters = ["dc1"]

  group "proxy" {
    count = 2

    task "nginx" {
      driver = "docker"

      template {
        destination = "local/nginx.conf"
        change_mode = "signal"
        data        = <<EOF
worker_processes auto;
events { worker_connections ${var.connections}; }

http {
  log_format main '$remote_addr - $remote_user [$time_local] "$request" $status';
  upstream backend {
%{ for server in var.servers ~}
    server ${server.address}:${server.port}%{ if server.backup } backup%{ endif } weight=${server.weight};
%{ endfor ~}
  }

  server {
    listen 443 ssl http2;
    server_name ${join(" ", concat([var.domain], [for name in var.aliases : "${name}.${var.domain}"]))};
    ssl_certificate     /etc/ssl/${var.domain}.pem;
    ssl_certificate_key /etc/ssl/${var.domain}.key;

    location / {
      proxy_pass http://backend;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
%{ for path, target in var.redirects ~}
    location = ${path} { return ${try(target.code, 301)} ${target.url}; }
%{ endfor ~}
  }
}
EOF
      }

      env {
        GREETING = "Hello, ${var.name}! It is \"${title(var.weekday)}\" in ${var.city}.\n"
        SCHEDULE = "${var.minute} ${var.hour} * * ${join(",", var.weekdays)}"
        ENDPOINT = "${var.tls ? "https" : "http"}://${var.host}:${var.port}${trimsuffix(var.path, "/")}/api/v${var.version}"
        MESSAGE  = "%{ if var.count == 0 }nothing%{ else }${var.count} thing%{ if var.count > 1 }s%{ endif }%{ endif } left"
        LABELS   = "%{ for key, value in var.labels }${key}=${value},%{ endfor }"
        NESTED   = "a${"b${"c${"d${var.e}d"}c"}b"}a"
        UNICODE  = "Gr\u00fc\u00dfe aus Köln, ${var.sender} \U0001F44B"
        PLAIN    = "arn:aws:s3:::bucket/with/a/path/that/is/rather/long/*"
        COST     = "$5 or $${not_a_variable}, 100%"
        ID       = "${var.id}"
      }
    }
  }
}

resource "aws_cloudwatch_dashboard" "main" {
  dashboard_body = <<-JSON
    {
      "widgets": [
        %{~ for index, name in var.services ~}
        {
          "type": "metric",
          "x": ${index % 2 * 12}, "y": ${floor(index / 2) * 6}, "width": 12, "height": 6,
          "properties": {
            "title": "${title(name)} (${upper(var.environment)})",
            "metrics": [["AWS/ECS", "CPUUtilization", "ServiceName", "${name}"]],
            "region": "${var.region}"
          }
        }%{ if index < length(var.services) - 1 },%{ endif }
        %{~ endfor ~}
      ]
    }
  JSON

  alarm_text = <<-TEXT
    The service ${~ var.service ~} has not answered since ${formatdate("hh:mm", var.since)}.

    %{~ if var.escalated }
    It was escalated to ${join(" and ", var.contacts[*].name)}.
    %{~ else }
    Nobody was told yet.
    %{~ endif }

    What to do:
      1. Look at the logs: https://logs.example.com/?service=${urlencode(var.service)}
      2. Restart it: systemctl restart ${var.service}
      3. Call ${try(var.contacts[0].phone, "the office")}.
  TEXT
}
