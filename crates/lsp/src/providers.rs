//! Schemas of providers, by the versions that are locked.

use std::sync::Arc;

use hcl_lr::{ConfigFile, Expression, ParseOptions, Scope, Source};
use hcl_lr_language::schema::ProviderSchemas;
use hcl_lr_project::PROVIDER_SCHEMAS;

use crate::disk::{Access, Disk, MAX_FILE};

/// Reads files with schemas of providers, as `terraform providers schema -json` prints them. In a path, `{name}` and
/// `{version}` stand for those of each provider in `.terraform.lock.hcl` in the folder of the workspace. Unreadable
/// files are reported and skipped; a locked version without a file is not an error. If no file is named, the schemas that
/// `hcl providers import` has kept in the folder are read.
pub fn read(
    paths: &[String],
    root: Option<&str>,
    disk: &mut Disk,
    wrong: &mut Vec<String>,
) -> Option<Arc<ProviderSchemas>> {
    let mut all: Option<ProviderSchemas> = None;
    let is_kept = paths.is_empty() && root.is_some();
    let kept = [PROVIDER_SCHEMAS.to_owned()];
    let paths = if is_kept { &kept } else { paths };
    let locked = if paths.iter().any(|path| is_pattern(path)) { locked(root, disk) } else { Vec::new() };
    for path in paths {
        let path = match path.starts_with('/') {
            true => path.clone(),
            false => format!("{}/{path}", root.unwrap_or_default()),
        };
        let files: Vec<String> = match is_pattern(&path) {
            true => locked
                .iter()
                .map(|provider| path.replace("{name}", &provider.name).replace("{version}", &provider.version))
                .collect(),
            false => vec![path.clone()],
        };
        for file in files {
            let read = match is_kept {
                true => disk.read_up_to(&file, &Access::new(root.map(str::to_owned)), MAX_SCHEMAS),
                false => disk.read_named(&file, MAX_SCHEMAS),
            };
            let Some(bytes) = read else {
                if !is_pattern(&path) && !is_kept {
                    wrong.push(format!(
                        "`{file}` cannot be read; write it with `terraform providers schema -json > {file}`"
                    ));
                }
                continue;
            };
            let source = Source::from_bytes(&file, bytes);
            let (schemas, found) = ParseOptions::new().parse::<ProviderSchemas>(source).into_parts();
            wrong.extend(found.iter().map(|error| format!("{}: {error}", error.place())));
            if !found.has_errors() {
                all = Some(match all {
                    Some(all) => all.with(schemas),
                    None => schemas,
                });
            }
        }
    }
    all.map(Arc::new)
}

/// Longer files of schemas are not read.
const MAX_SCHEMAS: u64 = 512 << 20;

fn is_pattern(path: &str) -> bool {
    path.contains("{name}") || path.contains("{version}")
}

/// A provider with the version that is locked.
struct Locked {
    name: String,
    version: String,
}

/// The providers in the lock file of a folder.
fn locked(root: Option<&str>, disk: &mut Disk) -> Vec<Locked> {
    let path = format!("{}/.terraform.lock.hcl", root.unwrap_or_default());
    let Some(bytes) = disk.read_named(&path, MAX_FILE) else { return Vec::new() };
    let file = hcl_lr::parse::<ConfigFile>((path.as_str(), bytes)).into_value();
    let ConfigFile::Native(file) = &file else { return Vec::new() };
    let blocks = file.body().blocks_of_type("provider");
    let provider = |block: hcl_lr::syntax::ast::BlockNode<'_>| {
        let label = block.labels().next()?.text().into_owned();
        let version = Expression::from(block.body().attribute("version")?.expression());
        let version = version.evaluate(&Scope::new()).ok()?.as_str()?.to_owned();
        Some(Locked { name: label.rsplit('/').next()?.to_owned(), version })
    };
    blocks.filter_map(provider).collect()
}
