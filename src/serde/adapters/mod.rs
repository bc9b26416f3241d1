//! Files for libraries that merge the configuration of a program from several sources.

#[cfg(feature = "config")]
pub mod config;
#[cfg(feature = "figment")]
pub mod figment;
mod untyped;
