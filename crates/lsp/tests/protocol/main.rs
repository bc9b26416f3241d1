//! Sessions with the server, as a client has them.

mod client;
mod edits;
mod kit;
mod neovim;
mod offered;
mod secrets;
