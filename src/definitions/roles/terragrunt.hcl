# What defines names in files of Terragrunt. What other files and commands give is only known later.

functions = "terraform"
later     = ["include", "values", "path", "terraform"]

# An included file may have dependencies as well.
elsewhere = ["include.dependency", "include.feature"]

later_functions = [
  "constraint_check",
  "deep_merge",
  "find_in_parent_folders",
  "get_aws_account_alias",
  "get_aws_account_id",
  "get_aws_caller_identity_arn",
  "get_aws_caller_identity_user_id",
  "get_default_retryable_errors",
  "get_env",
  "get_original_terragrunt_dir",
  "get_parent_terragrunt_dir",
  "get_path_from_repo_root",
  "get_path_to_repo_root",
  "get_platform",
  "get_repo_root",
  "get_terraform_cli_args",
  "get_terraform_command",
  "get_terraform_commands_that_need_input",
  "get_terraform_commands_that_need_locking",
  "get_terraform_commands_that_need_parallelism",
  "get_terraform_commands_that_need_vars",
  "get_terragrunt_dir",
  "get_terragrunt_source_cli_flag",
  "get_working_dir",
  "mark_as_read",
  "mark_glob_as_read",
  "path_relative_from_include",
  "path_relative_to_include",
  "read_terragrunt_config",
  "read_tfvars_file",
  "render_aws_provider_configuration",
  "run_cmd",
  "sops_decrypt_file",
  "strcontains",
  "timecmp",
]

define "locals" {
  kind    = attributes
  address = "local.{attribute}"
}

define "feature" {
  kind    = value
  address = "feature.{name}.value"
  value   = "default"
}

define "dependency" {
  kind    = later
  address = "dependency.{name}"
}

define "unit" {
  kind    = later
  address = "unit.{name}"
}

define "stack" {
  kind    = later
  address = "stack.{name}"
}

# Such as `inputs`: nothing refers to it.
top_level {}
