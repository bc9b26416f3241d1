//! Files in HCL as sources for the packages [config](https://docs.rs/config) and [figment](https://docs.rs/figment), which
//! merge the configuration of a program from files, the environment and more.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "config")]
pub mod config;
#[cfg(feature = "figment")]
pub mod figment;
#[cfg(any(feature = "config", feature = "figment"))]
mod untyped;
