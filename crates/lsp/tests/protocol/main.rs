//! Sessions with the server, as a client has them.

#[path = "../../../../tests/support/cases.rs"]
mod cases;
mod client;
mod edits;
mod emacs;
#[path = "../../../../tests/support/golden.rs"]
mod golden;
mod kit;
mod neovim;
mod offered;
#[path = "../../../../tests/support/random.rs"]
mod random;
mod secrets;
mod typed;
