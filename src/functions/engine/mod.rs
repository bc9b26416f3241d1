//! The foundations of functions: readers and writers of notations, which do not depend on functions.
//!
//! Each behaves like the one in the official engine, including its errors.

pub mod base64;
pub(super) mod charset;
pub(super) mod cidr;
pub(super) mod csv;
pub(super) mod date;
pub(super) mod decimal;
pub(super) mod float;
#[cfg(feature = "functions")]
pub(super) mod glob;
#[cfg(feature = "functions")]
pub(super) mod gzip;
#[cfg(feature = "functions")]
pub(super) mod hash;
pub(super) mod paths;
pub(super) mod printf;
#[cfg(feature = "functions")]
pub(super) mod regex;
pub(super) mod url;
pub(super) mod yaml;
