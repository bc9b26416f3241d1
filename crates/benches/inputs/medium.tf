# A service that runs in containers behind a load balancer, with its database, its alarms, and
# the permissions it needs. Each service of the platform is one use of this module.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source                = "hashicorp/aws"
      version               = ">= 5.40, < 6.0"
      configuration_aliases = [aws.dns]
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
  }
}

# ------------------------------------------------------------------------------------------------
# What the caller decides
# ------------------------------------------------------------------------------------------------

variable "name" {
  description = "The name of the service. It is part of the name of everything in here."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,22}$", var.name))
    error_message = "A name has 2 to 23 characters: lower case letters, digits, and hyphens."
  }
}

variable "environment" {
  description = "The environment, one of \"test\", \"staging\" and \"production\"."
  type        = string
}

variable "image" {
  description = "The container image, with its tag."
  type        = string
}

variable "network" {
  description = "The network in which the service runs, as the network module gives it."
  type = object({
    vpc_id          = string
    private_subnets = list(string)
    public_subnets  = list(string)
    cidr_block      = string
  })
}

variable "containers" {
  description = "How many containers run, and how large they are."
  type = object({
    minimum = optional(number, 2)
    maximum = optional(number, 6)
    cpu     = optional(number, 256)
    memory  = optional(number, 512)
    port    = optional(number, 8080)
  })
  default = {}
}

variable "database" {
  description = "The database of the service, if it has one."
  type = object({
    engine_version = optional(string, "16.3")
    instance_class = optional(string, "db.t4g.medium")
    storage        = optional(number, 20)
    retention_days = optional(number, 14)
  })
  default = null
}

variable "variables" {
  description = "Environment variables of the containers."
  type        = map(string)
  default     = {}
}

variable "secrets" {
  description = "Environment variables whose values are kept in the secrets manager, by their names."
  type        = map(string)
  default     = {}
}

variable "routes" {
  description = "Which requests go to the service."
  type = list(object({
    hosts    = list(string)
    paths    = optional(list(string), ["/*"])
    priority = number
  }))
}

variable "tags" {
  type    = map(string)
  default = {}
}

# ------------------------------------------------------------------------------------------------
# What follows from it
# ------------------------------------------------------------------------------------------------

data "aws_region" "current" {}

data "aws_caller_identity" "current" {}

data "aws_lb" "shared" {
  name = "platform-${var.environment}"
}

data "aws_lb_listener" "https" {
  load_balancer_arn = data.aws_lb.shared.arn
  port              = 443
}

locals {
  full_name     = "${var.name}-${var.environment}"
  is_production = var.environment == "production"
  has_database  = var.database != null
  account       = data.aws_caller_identity.current.account_id
  region        = data.aws_region.current.name

  tags = merge(var.tags, {
    Service     = var.name
    Environment = var.environment
    Module      = "service"
  })

  # The containers get these whatever the caller says.
  variables = merge(
    {
      SERVICE_NAME = var.name
      ENVIRONMENT  = var.environment
      AWS_REGION   = local.region
      PORT         = tostring(var.containers.port)
    },
    local.has_database ? {
      DATABASE_HOST = aws_db_instance.this[0].address
      DATABASE_PORT = tostring(aws_db_instance.this[0].port)
      DATABASE_NAME = aws_db_instance.this[0].db_name
    } : {},
    var.variables,
  )

  secret_arns = [for name in values(var.secrets) : "arn:aws:secretsmanager:${local.region}:${local.account}:secret:${name}"]
  hosts       = distinct(flatten(var.routes[*].hosts))
}

# ------------------------------------------------------------------------------------------------
# The containers
# ------------------------------------------------------------------------------------------------

resource "aws_cloudwatch_log_group" "this" {
  name              = "/services/${local.full_name}"
  retention_in_days = local.is_production ? 90 : 14
  tags              = local.tags
}

resource "aws_ecs_task_definition" "this" {
  family                   = local.full_name
  network_mode             = "awsvpc"
  requires_compatibilities = ["FARGATE"]
  cpu                      = var.containers.cpu
  memory                   = var.containers.memory
  execution_role_arn       = aws_iam_role.execution.arn
  task_role_arn            = aws_iam_role.task.arn
  tags                     = local.tags

  container_definitions = jsonencode([
    {
      name         = var.name
      image        = var.image
      essential    = true
      portMappings = [{ containerPort = var.containers.port, protocol = "tcp" }]
      environment  = [for key in sort(keys(local.variables)) : { name = key, value = local.variables[key] }]
      secrets = [
        for key, secret in var.secrets : {
          name      = key
          valueFrom = "arn:aws:secretsmanager:${local.region}:${local.account}:secret:${secret}"
        }
      ]
      logConfiguration = {
        logDriver = "awslogs"
        options = {
          "awslogs-group"         = aws_cloudwatch_log_group.this.name
          "awslogs-region"        = local.region
          "awslogs-stream-prefix" = "container"
        }
      }
      healthCheck = {
        command     = ["CMD-SHELL", "curl -fsS http://localhost:${var.containers.port}/health || exit 1"]
        interval    = 15
        timeout     = 5
        retries     = 3
        startPeriod = 30
      }
    },
  ])

  runtime_platform {
    operating_system_family = "LINUX"
    cpu_architecture        = "ARM64"
  }
}

resource "aws_ecs_service" "this" {
  name                               = local.full_name
  cluster                            = "platform-${var.environment}"
  task_definition                    = aws_ecs_task_definition.this.arn
  desired_count                      = var.containers.minimum
  launch_type                        = "FARGATE"
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = 200
  propagate_tags                     = "SERVICE"
  tags                               = local.tags

  network_configuration {
    subnets          = var.network.private_subnets
    security_groups  = [aws_security_group.containers.id]
    assign_public_ip = false
  }

  load_balancer {
    target_group_arn = aws_lb_target_group.this.arn
    container_name   = var.name
    container_port   = var.containers.port
  }

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }

  lifecycle {
    # The number of containers follows the load.
    ignore_changes = [desired_count]
  }

  depends_on = [aws_lb_listener_rule.this]
}

resource "aws_appautoscaling_target" "this" {
  service_namespace  = "ecs"
  resource_id        = "service/platform-${var.environment}/${aws_ecs_service.this.name}"
  scalable_dimension = "ecs:service:DesiredCount"
  min_capacity       = var.containers.minimum
  max_capacity       = max(var.containers.minimum, var.containers.maximum)
}

resource "aws_appautoscaling_policy" "this" {
  for_each = { cpu = "ECSServiceAverageCPUUtilization", memory = "ECSServiceAverageMemoryUtilization" }

  name               = "${local.full_name}-${each.key}"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.this.service_namespace
  resource_id        = aws_appautoscaling_target.this.resource_id
  scalable_dimension = aws_appautoscaling_target.this.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value       = each.key == "cpu" ? 60 : 75
    scale_in_cooldown  = 300
    scale_out_cooldown = 60

    predefined_metric_specification {
      predefined_metric_type = each.value
    }
  }
}

# ------------------------------------------------------------------------------------------------
# How requests reach them
# ------------------------------------------------------------------------------------------------

resource "aws_lb_target_group" "this" {
  name                 = substr(local.full_name, 0, 32)
  port                 = var.containers.port
  protocol             = "HTTP"
  target_type          = "ip"
  vpc_id               = var.network.vpc_id
  deregistration_delay = 30
  tags                 = local.tags

  health_check {
    path                = "/health"
    matcher             = "200-299"
    interval            = 15
    healthy_threshold   = 2
    unhealthy_threshold = 4
  }
}

resource "aws_lb_listener_rule" "this" {
  for_each = { for index, route in var.routes : tostring(index) => route }

  listener_arn = data.aws_lb_listener.https.arn
  priority     = each.value.priority
  tags         = local.tags

  action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.this.arn
  }

  condition {
    host_header {
      values = each.value.hosts
    }
  }

  dynamic "condition" {
    for_each = each.value.paths == tolist(["/*"]) ? [] : [each.value.paths]

    content {
      path_pattern {
        values = condition.value
      }
    }
  }
}

resource "aws_route53_record" "this" {
  for_each = toset(local.hosts)
  provider = aws.dns

  zone_id = var.zone_ids[join(".", slice(split(".", each.value), 1, length(split(".", each.value))))]
  name    = each.value
  type    = "A"

  alias {
    name                   = data.aws_lb.shared.dns_name
    zone_id                = data.aws_lb.shared.zone_id
    evaluate_target_health = true
  }
}

resource "aws_security_group" "containers" {
  name_prefix = "${local.full_name}-containers-"
  description = "The containers of ${var.name}"
  vpc_id      = var.network.vpc_id
  tags        = merge(local.tags, { Name = "${local.full_name}-containers" })

  ingress {
    description     = "Requests from the load balancer"
    from_port       = var.containers.port
    to_port         = var.containers.port
    protocol        = "tcp"
    security_groups = data.aws_lb.shared.security_groups
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }

  lifecycle {
    create_before_destroy = true
  }
}

# ------------------------------------------------------------------------------------------------
# The database
# ------------------------------------------------------------------------------------------------

resource "random_password" "database" {
  count   = local.has_database ? 1 : 0
  length  = 40
  special = false
}

resource "aws_db_subnet_group" "this" {
  count      = local.has_database ? 1 : 0
  name       = local.full_name
  subnet_ids = var.network.private_subnets
  tags       = local.tags
}

resource "aws_db_instance" "this" {
  count = local.has_database ? 1 : 0

  identifier                   = local.full_name
  engine                       = "postgres"
  engine_version               = var.database.engine_version
  instance_class               = var.database.instance_class
  allocated_storage            = var.database.storage
  max_allocated_storage        = var.database.storage * 5
  storage_encrypted            = true
  db_name                      = replace(var.name, "-", "_")
  username                     = "service"
  password                     = random_password.database[0].result
  db_subnet_group_name         = aws_db_subnet_group.this[0].name
  multi_az                     = local.is_production
  backup_retention_period      = var.database.retention_days
  deletion_protection          = local.is_production
  skip_final_snapshot          = !local.is_production
  performance_insights_enabled = true
  tags                         = local.tags
}

# ------------------------------------------------------------------------------------------------
# Permissions
# ------------------------------------------------------------------------------------------------

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ecs-tasks.amazonaws.com"]
    }

    condition {
      test     = "ArnLike"
      variable = "aws:SourceArn"
      values   = ["arn:aws:ecs:${local.region}:${local.account}:*"]
    }
  }
}

resource "aws_iam_role" "execution" {
  name               = "${local.full_name}-execution"
  assume_role_policy = data.aws_iam_policy_document.assume.json
  tags               = local.tags
}

resource "aws_iam_role" "task" {
  name               = "${local.full_name}-task"
  assume_role_policy = data.aws_iam_policy_document.assume.json
  tags               = local.tags
}

resource "aws_iam_role_policy" "secrets" {
  count = length(var.secrets) > 0 ? 1 : 0
  name  = "read-secrets"
  role  = aws_iam_role.execution.id

  policy = <<-POLICY
    {
      "Version": "2012-10-17",
      "Statement": [{
        "Effect": "Allow",
        "Action": ["secretsmanager:GetSecretValue"],
        "Resource": ${jsonencode(local.secret_arns)}
      }]
    }
  POLICY
}

# ------------------------------------------------------------------------------------------------
# Alarms
# ------------------------------------------------------------------------------------------------

resource "aws_cloudwatch_metric_alarm" "errors" {
  alarm_name          = "${local.full_name}-errors"
  alarm_description   = "More than one in a hundred requests to ${var.name} fails."
  comparison_operator = "GreaterThanThreshold"
  evaluation_periods  = 5
  threshold           = 1
  treat_missing_data  = "notBreaching"
  tags                = local.tags

  metric_query {
    id          = "rate"
    expression  = "100 * errors / requests"
    label       = "Failed requests, in percent"
    return_data = true
  }

  dynamic "metric_query" {
    for_each = { errors = "HTTPCode_Target_5XX_Count", requests = "RequestCount" }

    content {
      id = metric_query.key

      metric {
        namespace   = "AWS/ApplicationELB"
        metric_name = metric_query.value
        period      = 60
        stat        = "Sum"
        dimensions  = { TargetGroup = aws_lb_target_group.this.arn_suffix }
      }
    }
  }
}

output "security_group_id" {
  description = "The security group of the containers, for other services to let them in."
  value       = aws_security_group.containers.id
}

output "urls" {
  description = "Where the service can be reached."
  value       = [for host in local.hosts : "https://${host}/"]
}
