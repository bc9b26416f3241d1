//! The inputs of the benchmarks: those of this project, generated ones, and those of the folder `shared` beside it or
//! in `HCL_BENCH_DIR`, if they exist.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};

/// A source with a name.
pub struct Input {
    pub name: String,
    pub text: String,
}

impl Input {
    fn read(path: &Path, name: String) -> Option<Input> {
        let text = fs::read_to_string(path).map_err(|error| println!("{}: {error}; skipped", path.display())).ok()?;
        Some(Input { name, text })
    }
}

/// The inputs that were asked for: paths on the command line, or else all that are there.
pub fn inputs() -> Vec<Input> {
    let paths: Vec<PathBuf> = std::env::args_os()
        .skip(1)
        .filter(|argument| !argument.as_encoded_bytes().starts_with(b"-"))
        .map(PathBuf::from)
        .collect();
    if !paths.is_empty() {
        return paths.iter().filter_map(|path| Input::read(path, path.display().to_string())).collect();
    }
    let own = ["small.tf", "medium.tf", "expressions.hcl", "templates.hcl"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("inputs");
    let mut inputs: Vec<Input> =
        own.iter().filter_map(|name| Input::read(&folder.join(name), (*name).into())).collect();
    inputs.push(Input { name: "generated, 1 MB".into(), text: generated(1_000_000) });
    match bench_folder() {
        Some(folder) => {
            let names = ["small.tf", "medium.tf", "large.tf", "expressions.hcl", "templates.hcl"];
            inputs.extend(names.iter().filter_map(|name| Input::read(&folder.join(name), format!("shared {name}"))));
        }
        None => println!("no ../shared/bench, and no HCL_BENCH_DIR: the shared inputs are skipped"),
    }
    inputs
}

/// The folder of the shared inputs.
pub fn bench_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("HCL_BENCH_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench"),
    };
    folder.is_dir().then_some(folder)
}

/// All `.tf`, `.hcl` and `.tfvars` files of the shared corpus, in the order of their paths, which are their names.
pub fn corpus() -> Option<Vec<Input>> {
    let folder = bench_folder()?.join("../corpus");
    let mut sources = Vec::new();
    read_below(&folder, &mut sources).ok()?;
    (!sources.is_empty()).then_some(sources)
}

fn read_below(folder: &Path, sources: &mut Vec<Input>) -> std::io::Result<()> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let extension = path.extension().unwrap_or_default();
        if path.is_dir() {
            read_below(&path, sources)?;
        } else if ["tf", "hcl", "tfvars"].iter().any(|&known| extension == known) {
            sources.push(Input { name: path.to_string_lossy().into_owned(), text: fs::read_to_string(path)? });
        }
    }
    Ok(())
}

/// A configuration of at least a given number of bytes, always the same: blocks in the style of Terraform
/// modules, each with other names and numbers, in an order that does not repeat.
pub fn generated(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 4096);
    let mut random = Random(0x5eed);
    let mut count = 0;
    while text.len() < bytes {
        count += 1;
        block(&mut text, &mut random, count);
    }
    text
}

/// A linear congruential generator with the constants of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }
}

const NAMES: &[&str] =
    &["frontend", "orders", "billing", "catalog", "search", "session_store", "ingest", "mail", "audit_log", "reports"];
const REGIONS: &[&str] = &["eu-central-1", "eu-north-1", "us-east-2", "ap-south-1"];
const TYPES: &[&str] =
    &["string", "number", "bool", "list(string)", "map(string)", "set(object({ name = string, size = number }))"];

fn block(text: &mut String, random: &mut Random, count: usize) {
    use std::fmt::Write;
    let (name, other) = (random.pick(NAMES), random.pick(NAMES));
    let (port, size, days) = (1024 + random.below(40_000), random.below(500), random.below(365));
    let (region, kind) = (random.pick(REGIONS), random.pick(TYPES));
    // Writing to a string does not fail.
    let _ = match random.below(8) {
        0 => write!(
            text,
            r#"variable "{name}_{count}" {{
  description = "How many instances of {name} run in {region}, with a reserve for days of much traffic."
  type        = {kind}
  default     = null
}}

"#
        ),
        1 => write!(
            text,
            r#"# Everything that may reach {name} from outside.
resource "aws_security_group" "{name}_{count}" {{
  name        = "${{var.prefix}}-{name}-{count}"
  description = "Traffic to {name}"
  vpc_id      = module.network.vpc_id

  ingress {{
    from_port   = {port}
    to_port     = {port}
    protocol    = "tcp"
    cidr_blocks = ["10.{size}.0.0/16", var.office_range]
  }}

  dynamic "ingress" {{
    for_each = var.{other}_ranges
    content {{
      from_port   = ingress.value.port
      to_port     = ingress.value.port
      protocol    = lookup(ingress.value, "protocol", "tcp")
      cidr_blocks = ingress.value.ranges
    }}
  }}

  tags = merge(local.tags, {{
    Name  = "{name}-{count}"
    Owner = "team-{other}"
  }})
}}

"#
        ),
        2 => write!(
            text,
            r#"locals {{
  {name}_{count}_hosts = [for index in range({size}) : format("%s-%03d.%s", var.prefix, index, local.zone)]
  {name}_{count}_users = {{ for user in var.users : user.name => user.groups if user.active && length(user.groups) > 0 }}
  {name}_{count}_ports = distinct(flatten(concat(values(local.ports)[*].tcp, [{port}])))
  {name}_{count}_size  = var.environment == "production" ? max({size}, var.minimum * 2) : 1
}}

"#
        ),
        3 => write!(
            text,
            r#"resource "aws_instance" "{name}_{count}" {{
  count = var.{name}_enabled ? {size} : 0

  ami                    = data.aws_ami.base.id
  instance_type          = var.instance_types["{other}"]
  subnet_id              = element(module.network.private_subnets, count.index)
  vpc_security_group_ids = [aws_security_group.{name}.id, aws_security_group.internal.id]
  monitoring             = true

  root_block_device {{
    volume_size = {size}
    volume_type = "gp3"
    encrypted   = true
  }}

  user_data = <<-EOT
    #!/bin/sh
    set -eu
    echo "starting {name} on $(hostname)" >> /var/log/bootstrap.log
    export REGION={region} PORT={port} PREFIX=${{var.prefix}}
    /opt/{name}/bin/start --port {port} --retain {days}d
  EOT

  lifecycle {{
    ignore_changes = [ami, user_data]
  }}
}}

"#
        ),
        4 => write!(
            text,
            r#"module "{name}_{count}" {{
  source  = "./modules/{name}"
  version = "~> {size}.{days}"

  name        = "${{local.prefix}}-{name}"
  region      = "{region}"
  retention   = {days}
  environment = var.environment
  subnets     = module.network.private_subnets
  endpoints   = {{
    internal = "https://{name}.internal:{port}/health"
    public   = "https://${{var.domain}}/{name}"
  }}

  providers = {{
    aws = aws.{other}
  }}
}}

"#
        ),
        5 => write!(
            text,
            r#"output "{name}_{count}" {{
  description = "Where {name} can be reached."
  value       = try(aws_instance.{name}[0].private_ip, null)
  sensitive   = false
}}

"#
        ),
        6 => write!(
            text,
            r#"data "aws_iam_policy_document" "{name}_{count}" {{
  statement {{
    sid       = "Read{count}"
    effect    = "Allow"
    actions   = ["s3:GetObject", "s3:ListBucket", "s3:GetBucketLocation"]
    resources = ["arn:aws:s3:::${{var.prefix}}-{name}", "arn:aws:s3:::${{var.prefix}}-{name}/*"]

    condition {{
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id] # only this one
    }}
  }}
}}

"#
        ),
        _ => write!(
            text,
            r#"resource "local_file" "{name}_{count}" {{
  filename = "${{path.module}}/out/{name}-{count}.conf"
  content  = <<EOF
listen {port};
%{{ for host in local.{name}_hosts ~}}
upstream ${{host}}:{port} weight={size};
%{{ endfor ~}}
%{{ if var.{other}_enabled ~}}
retain ${{var.retention["{name}"]}} # {days} days
%{{ else ~}}
retain none
%{{ endif ~}}
EOF
}}

"#
        ),
    };
}
