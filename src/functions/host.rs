//! Access to the file system, clock and random numbers for functions, if the program provides it.

use std::sync::Arc;

use crate::eval::Functions;

/// The outside world for functions that need it: files, a clock, randomness, secrets.
///
/// No function of the library uses the operating system by itself. Without a host, evaluation is pure. The default of
/// each method is an error that says that the resource is not available.
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
    /// Reads a file.
    ///
    /// # Errors
    /// The reason why it cannot be read, for the author of the path.
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let _ = path;
        Err("files are not available here".to_owned())
    }

    /// Returns true if there is a file.
    ///
    /// # Errors
    /// The reason why this is unknown.
    fn exists(&self, path: &str) -> Result<bool, String> {
        let _ = path;
        Err("files are not available here".to_owned())
    }

    /// Returns the paths of all files in a folder and its subfolders, relative to the folder, with `/` between names.
    ///
    /// # Errors
    /// The reason why they cannot be listed.
    fn files(&self, folder: &str) -> Result<Vec<String>, String> {
        let _ = folder;
        Err("files are not available here".to_owned())
    }

    /// Returns a path as an absolute path.
    ///
    /// # Errors
    /// The reason why there is none.
    fn absolute(&self, path: &str) -> Result<String, String> {
        let _ = path;
        Err("files are not available here".to_owned())
    }

    /// Returns the home folder, for `~`.
    ///
    /// # Errors
    /// The reason why there is none.
    fn home(&self) -> Result<String, String> {
        Err("the home folder is not available here".to_owned())
    }

    /// Returns seconds and nanoseconds since the beginning of 1970, in UTC.
    ///
    /// # Errors
    /// The reason why there is no clock.
    fn now(&self) -> Result<(i64, u32), String> {
        Err("the clock is not available here".to_owned())
    }

    /// Returns the time for a whole run; by default that of the clock.
    ///
    /// # Errors
    /// The reason why there is no clock.
    fn plan_time(&self) -> Result<(i64, u32), String> {
        self.now()
    }

    /// Fills bytes with random data.
    ///
    /// # Errors
    /// The reason why there is none.
    fn random(&self, bytes: &mut [u8]) -> Result<(), String> {
        let _ = bytes;
        Err("random numbers are not available here".to_owned())
    }

    /// Returns the bcrypt hash of a password, with a cost.
    ///
    /// # Errors
    /// The reason why it cannot be computed.
    fn bcrypt(&self, password: &str, cost: u32) -> Result<String, String> {
        let _ = (password, cost);
        Err("bcrypt is not available here".to_owned())
    }

    /// Decrypts bytes that were encrypted by RSA, with a private key in PEM.
    ///
    /// # Errors
    /// The reason why it cannot be decrypted.
    fn rsa_decrypt(&self, ciphertext: &[u8], private_key: &str) -> Result<Vec<u8>, String> {
        let _ = (ciphertext, private_key);
        Err("RSA is not available here".to_owned())
    }
}

/// A host that gives nothing.
pub(super) struct Nothing;

impl Host for Nothing {}

/// Returns the functions that need a host, using this one.
pub fn with_host(host: Arc<dyn Host>) -> Functions {
    super::library::files::table(super::library::files::all(&host))
}
