//! The names of files in HCL.

/// The extensions of files in native syntax. They also cover longer endings such as `.pkr.hcl`, `.nomad.hcl` or
/// `.tftest.hcl`. Ambiguous extensions are missing: `.pp` is mostly Puppet rather than Pulumi, and `.tpl` can be a
/// template of any language.
pub const FILE_EXTENSIONS: [&str; 11] =
    ["hcl", "tf", "tfvars", "tofu", "tfbackend", "nomad", "tm", "wpvars", "hcldec", "tftpl", "pkrtpl"];

/// The extensions before `.json` of files in the JSON syntax.
pub const JSON_FILE_EXTENSIONS: [&str; 18] = [
    "hcl",
    "tf",
    "tfvars",
    "tofu",
    "tfbackend",
    "pkr",
    "pkrvars",
    "nomad",
    "tftest",
    "tofutest",
    "tfmock",
    "tfquery",
    "tfcomponent",
    "tfstack",
    "tfdeploy",
    "tm",
    "wpvars",
    "hcldec",
];

/// Returns true if the name or path is that of an HCL file. Most files named `.json` have nothing to do with HCL, so
/// `.json` must follow one of [`JSON_FILE_EXTENSIONS`], or the name must be `docker-bake.json` or similar. Extensions
/// are compared without regard to case.
///
/// ```
/// use hcl_lr_language::schema::is_hcl_file;
///
/// for name in ["main.tf", "net/main.tf.json", "web.nomad.hcl", ".terraform.lock.hcl", "docker-bake.json"] {
///     assert!(is_hcl_file(name), "{name}");
/// }
/// assert!(!is_hcl_file("package.json") && !is_hcl_file("main.tf~") && !is_hcl_file("hcl"));
/// ```
pub fn is_hcl_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let is_in = |extension: &str, all: &[&str]| all.iter().any(|known| known.eq_ignore_ascii_case(extension));
    if extension.eq_ignore_ascii_case("json") {
        let is_bake = || stem == "docker-bake" || stem.starts_with("docker-bake.");
        return stem.rsplit_once('.').is_some_and(|(_, inner)| is_in(inner, &JSON_FILE_EXTENSIONS)) || is_bake();
    }
    is_in(extension, &FILE_EXTENSIONS)
}

/// Returns true if the name or path is that of a template file: text with interpolations, without attributes and
/// blocks.
///
/// ```
/// use hcl_lr_language::schema::is_template_file;
///
/// assert!(is_template_file("user-data.sh.tftpl") && !is_template_file("main.tf"));
/// ```
pub fn is_template_file(path: &str) -> bool {
    let name = path.to_ascii_lowercase();
    [".tftpl", ".pkrtpl", ".pkrtpl.hcl"].iter().any(|ending| name.ends_with(ending))
}
