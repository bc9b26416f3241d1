# The network of a small office application.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.40"
    }
  }
}

provider "aws" {
  region = var.region
}

locals {
  name = "office-${var.environment}"

  tags = {
    Project     = "office"
    Environment = var.environment
    ManagedBy   = "terraform"
  }
}

variable "region" {
  description = "Where everything is built."
  type        = string
  default     = "eu-central-1"
}

variable "environment" {
  type = string
}

module "network" {
  source = "./modules/network"

  name     = local.name
  cidr     = "10.20.0.0/16"
  zones    = ["${var.region}a", "${var.region}b", "${var.region}c"]
  private  = [for index in range(3) : cidrsubnet("10.20.0.0/16", 8, index)]
  public   = [for index in range(3) : cidrsubnet("10.20.0.0/16", 8, index + 100)]
  nat      = true
  one_nat  = var.environment != "production"
  tags     = local.tags
}

resource "aws_s3_bucket" "documents" {
  bucket = "${local.name}-documents"
  tags   = merge(local.tags, { Content = "documents" })

  lifecycle {
    prevent_destroy = true
  }
}

output "subnets" {
  description = "The private subnets, by their zone."
  value       = module.network.private_subnets
}
