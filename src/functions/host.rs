//! The file system, clock and random numbers for functions, if the program provides them.

use std::sync::Arc;

use crate::eval::Functions;

/// The outside world for functions that need it: files, a clock, randomness, secrets.
///
/// No function of the library asks the operating system by itself. Without a host, an evaluation is
/// pure: what comes out depends on nothing but what goes in. Each method that is not written says that
/// there is no such thing.
///
/// ```
/// use std::sync::Arc;
/// use hcl_lr::Scope;
/// use hcl_lr::functions::{self, Host};
///
/// struct Files;
///
/// impl Host for Files {
///     fn read(&self, path: &str) -> Result<Vec<u8>, String> {
///         match path {
///             "motd" => Ok(b"Welcome!".to_vec()),
///             _ => Err("there is no such file".to_owned()),
///         }
///     }
/// }
///
/// let scope = Scope::new().with_functions(functions::terraform().with_all(&functions::with_host(Arc::new(Files))));
/// let file = hcl_lr::parse::<hcl_lr::File>("a = file(\"motd\")\nb = timestamp()\n").into_result()?;
/// let value = |name| file.body().attribute(name).unwrap().expression().evaluate(&scope);
/// assert_eq!(value("a")?.as_str(), Some("Welcome!"));
/// assert!(value("b").unwrap_err().to_string().contains("the clock is not available here"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub trait Host: Send + Sync {
    /// The content of a file.
    ///
    /// # Errors
    /// Why it cannot be read, in words for whoever wrote the path.
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let _ = path;
        Err("files are not available here".to_owned())
    }

    /// Returns true if there is a file.
    ///
    /// # Errors
    /// Why nobody can say.
    fn exists(&self, path: &str) -> Result<bool, String> {
        let _ = path;
        Err("files are not available here".to_owned())
    }

    /// The paths of all files in a folder and the folders in it, from that folder on, with `/`
    /// between names.
    ///
    /// # Errors
    /// Why they cannot be listed.
    fn files(&self, folder: &str) -> Result<Vec<String>, String> {
        let _ = folder;
        Err("files are not available here".to_owned())
    }

    /// A path as an absolute path.
    ///
    /// # Errors
    /// Why there is none.
    fn absolute(&self, path: &str) -> Result<String, String> {
        let _ = path;
        Err("files are not available here".to_owned())
    }

    /// The home folder, for which `~` stands.
    ///
    /// # Errors
    /// Why there is none.
    fn home(&self) -> Result<String, String> {
        Err("the home folder is not available here".to_owned())
    }

    /// Seconds and nanoseconds since the beginning of 1970, in UTC.
    ///
    /// # Errors
    /// Why there is no clock.
    fn now(&self) -> Result<(i64, u32), String> {
        Err("the clock is not available here".to_owned())
    }

    /// The time that counts for a whole run; the clock, unless the program says otherwise.
    ///
    /// # Errors
    /// Why there is no clock.
    fn plan_time(&self) -> Result<(i64, u32), String> {
        self.now()
    }

    /// Fills bytes with randomness.
    ///
    /// # Errors
    /// Why there is none.
    fn random(&self, bytes: &mut [u8]) -> Result<(), String> {
        let _ = bytes;
        Err("random numbers are not available here".to_owned())
    }

    /// The bcrypt hash of a password, with a cost.
    ///
    /// # Errors
    /// Why there is none.
    fn bcrypt(&self, password: &str, cost: u32) -> Result<String, String> {
        let _ = (password, cost);
        Err("bcrypt is not available here".to_owned())
    }

    /// Decrypts bytes that were encrypted by RSA, with a private key in PEM.
    ///
    /// # Errors
    /// Why it cannot be decrypted.
    fn rsa_decrypt(&self, ciphertext: &[u8], private_key: &str) -> Result<Vec<u8>, String> {
        let _ = (ciphertext, private_key);
        Err("RSA is not available here".to_owned())
    }
}

/// A host that gives nothing.
pub(super) struct Nothing;

impl Host for Nothing {}

/// The functions that need the outside world, with what a host gives them.
pub fn with_host(host: Arc<dyn Host>) -> Functions {
    super::library::files::table(super::library::files::all(&host))
}
