//! `hcl mv --references`: every variable and local of modules gets another name, and then its own again. What comes
//! out is what was there, byte by byte, and in between all names are defined.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::cli::{files_folder, hcl};

/// Modules of our own: what there is of each program, with names in all ways in which they can be written.
/// The modules of the fixtures, and that of the examples.
const OWN: [&str; 10] = [
    "projects/web",
    "projects/image",
    "projects/job",
    "projects/bake",
    "projects/live",
    "projects/json",
    "projects/keys",
    "projects/loop",
    "projects/web/network",
    "terraform",
];

/// Modules of others, in the corpus.
const CORPUS: [&str; 10] = [
    "terraform-aws-modules+terraform-aws-eks",
    "terraform-aws-modules+terraform-aws-eks/modules/karpenter",
    "terraform-aws-modules+terraform-aws-eks/modules/_user_data",
    "kube-hetzner+terraform-hcloud-kube-hetzner/modules/host",
    "aws-ia+terraform-aws-vpc_endpoints",
    "GoogleCloudPlatform+cloud-foundation-fabric/modules/folder",
    "GoogleCloudPlatform+cloud-foundation-fabric/modules/cloud-run-v2",
    "cloudposse+terraform-aws-components/modules/eks/cluster",
    "Azure+terraform/quickstart/201-machine-learning-moderately-secure",
    "vmware-samples+packer-examples-for-vsphere/terraform/vsphere-role",
];

/// The files of a folder with those below it, and what is in them.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut waiting) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let text = fs::read(&path).expect("a readable file");
                found.insert(path, text);
            }
        }
    }
    found
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let output = hcl().args(arguments).current_dir(folder).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() != Some(2), "{}: {arguments:?}: {said}", folder.display());
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the definitions in a folder that can be renamed there, and the number of errors.
fn definitions(folder: &Path) -> (Vec<String>, usize) {
    let text = run(folder, &["graph", "--json", "."]);
    let graph: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let all = graph["definitions"].as_array().expect("an array").iter();
    let names = all.map(|definition| definition["address"].as_str().expect("a text").to_owned());
    let names = names.filter(|name| name.starts_with("var.") || name.starts_with("local.") || name.starts_with("TAG"));
    (names.collect(), graph["undefined"].as_array().expect("an array").len())
}

/// The number of names changed in a module from elsewhere, spread over it; all of them if `HCL_LR_RENAME` is set.
const MOST: usize = 3;

fn there_and_back(module: &Path, name: &str, most: usize) -> usize {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "rename-{}-{}",
        std::process::id(),
        name.replace('/', "-")
    ));
    for (path, text) in files(module) {
        let to = copy.join(path.strip_prefix(module).expect("a path in it"));
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::write(to, text).expect("a writable file");
    }
    let before = files(&copy);
    let (defined, undefined) = definitions(&copy);
    let names: Vec<&String> = defined.iter().step_by(defined.len().div_ceil(most.max(1)).max(1)).collect();
    let renamed = |name: &str| format!("{name}_by_another_name");
    for name in &names {
        run(&copy, &["mv", "--quiet", "--references", name.as_str(), &renamed(name), "."]);
    }
    let after = |name: &String| if names.contains(&name) { renamed(name) } else { name.clone() };
    assert_eq!(definitions(&copy), (defined.iter().map(after).collect(), undefined), "{name}");
    for name in &names {
        run(&copy, &["mv", "--quiet", "--references", &renamed(name), name.as_str(), "."]);
    }
    assert!(before == files(&copy), "{name} is not as it was");
    fs::remove_dir_all(&copy).expect("the folder can be removed");
    names.len()
}

#[test]
fn all_names_of_our_modules_change_and_change_back() {
    let (files, examples) = (files_folder(), crate::support::golden::root().join("examples"));
    let folder = |name: &str| if name == "terraform" { examples.join(name) } else { files.join(name) };
    let count: usize = OWN.iter().map(|name| there_and_back(&folder(name), name, usize::MAX)).sum();
    assert!(count > 40, "only {count} names");
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_all_names_of_modules_change_and_change_back() {
    let corpus = crate::support::needs::corpus();
    let there = CORPUS.iter().filter(|name| corpus.join(name).is_dir());
    let most = if std::env::var_os("HCL_LR_RENAME").is_some() { usize::MAX } else { MOST };
    let count: usize = there.map(|name| there_and_back(&corpus.join(name), name, most)).sum();
    println!("{count} names");
    assert!(count > 15, "only {count} names");
}
