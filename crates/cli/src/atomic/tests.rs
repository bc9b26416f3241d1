use super::*;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("hcl-lr-write-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn contents_change_and_nothing_else_is_left() {
    let folder = folder("contents");
    let path = folder.join("a.tf");
    fs::write(&path, "old").expect("a file");
    write(&path, b"new").expect("it can be written");
    assert_eq!(fs::read(&path).expect("it is there"), b"new");
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
    write(&folder.join("b.tf"), b"new").expect("it can be made");
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2);
    assert!(write(&folder, b"new").is_err() && write(&folder.join("no/such"), b"new").is_err());
    fs::remove_dir_all(folder).expect("it can be removed");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("links");
    let (path, link) = (folder.join("a.tf"), folder.join("link.tf"));
    fs::write(&path, "old").expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink("a.tf", &link).expect("a link");
    write(&link, b"new").expect("it can be written");
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert_eq!(fs::read(&path).expect("the file"), b"new");
    assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o777, 0o640);
    symlink("made.tf", folder.join("ahead.tf")).expect("a link");
    write(&folder.join("ahead.tf"), b"new").expect("what it leads to is made");
    assert_eq!(fs::read(folder.join("made.tf")).expect("the file"), b"new");
    write(Path::new("/dev/null"), b"new").expect("a device stays one");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).expect("permissions");
    assert!(write(&path, b"newer").is_err(), "who may not write it does not want it replaced");
    fs::remove_dir_all(folder).expect("it can be removed");
}
#[test]
fn a_new_file_replaces_none() {
    let folder = folder("create");
    let path = folder.join("a.tf");
    create(&path, b"one").expect("it can be made");
    assert_eq!(create(&path, b"two").map_err(|error| error.kind()), Err(io::ErrorKind::AlreadyExists));
    assert_eq!(fs::read(&path).expect("it is there"), b"one");
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
    fs::remove_dir_all(folder).expect("it can be removed");
}
#[test]
fn changes_of_other_programs_are_not_lost() {
    let folder = folder("changes");
    let path = folder.join("a.tf");
    fs::write(&path, "theirs\n").expect("a file");
    let ours = |now: &[u8]| Ok(Some([now, b"ours\n"].concat()));
    update(&path, b"", b"ours\n", ours).expect("it is made again");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "theirs\nours\n");
    // It changes each time it is read.
    let mut count = 0;
    let again = |now: &[u8]| {
        count += 1;
        fs::write(&path, format!("{count}\n")).expect("it can be written");
        ours(now)
    };
    let error = update(&path, b"", b"ours\n", again).expect_err("it never holds still");
    let expected = "another program has changed it meanwhile, and it changes again and again; try again when no other program writes it";
    assert_eq!(error.to_string(), expected);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "5\n");
    let refused = update(&path, b"", b"ours\n", |_| Err("it has errors now".to_owned()));
    assert_eq!(refused.unwrap_err().to_string(), "another program has changed it meanwhile, and it has errors now");
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
    fs::remove_dir_all(folder).expect("it can be removed");
}

#[cfg(unix)]
#[test]
fn all_names_of_a_file_have_the_new_contents() {
    use std::os::unix::fs::MetadataExt;
    let folder = folder("names");
    let (path, other) = (folder.join("a.tf"), folder.join("b.tf"));
    fs::write(&path, "a longer text").expect("a file");
    fs::hard_link(&path, &other).expect("another name");
    write(&path, b"new").expect("it can be written");
    assert_eq!(fs::read(&other).expect("the other name"), b"new");
    assert_eq!(fs::metadata(&path).expect("the file").nlink(), 2);
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2);
    fs::remove_dir_all(folder).expect("it can be removed");
}

#[cfg(unix)]
#[test]
#[ignore = "needs attributes"]
fn needs_attributes_extended_attributes_stay() {
    let folder = folder("attributes");
    let path = folder.join("a.tf");
    fs::write(&path, "old").expect("a file");
    xattr::set(&path, "user.origin", b"here").expect("the file system has extended attributes");
    write(&path, b"new").expect("it can be written");
    assert_eq!(xattr::get(&path, "user.origin").expect("attributes").as_deref(), Some(&b"here"[..]));
    fs::remove_dir_all(folder).expect("it can be removed");
}
