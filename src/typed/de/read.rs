//! Reads a value of a type, and goes on after errors.
//!
//! serde stops at the first error, and a type says what it needs only by refusing what it is given. So a structure may
//! be asked for in several passes. Each part of the input is read in one of them; a part that has been read or reported
//! is given as a harmless [stand-in](super::stand_in) in the later ones, or left out if its type has none.

use ::serde::de::{Deserialize, DeserializeSeed};

use super::context::Context;
use super::error::{Error, Kind};
use super::hidden::refused;
use super::input::Input;
use super::messages;
use super::pass::{De, Pass};
use super::path::Path;
use super::stand_in::stand_in;

/// Reads a value. Errors are put on the list; then there may be no value, or one with stand-ins in it.
pub(super) fn read<'de, T: Deserialize<'de>>(
    cx: &Context<'_, 'de>,
    input: &Input<'_>,
    path: &Path<'_>,
) -> Result<T, Error> {
    // Nothing more would be reported: the rest is not read.
    if cx.is_full() {
        return Err(Error::reported());
    }
    let pass = Pass::new(cx.mark());
    let result = cx.deeper(
        || input.place(),
        || loop {
            let result = T::deserialize(De { cx, input, path, pass: Some(&pass) });
            if !pass.goes_on(cx, &result) {
                break result;
            }
        },
    );
    result.map_err(|error| {
        match error.into_kind() {
            Kind::NeedsLabels => return Kind::NeedsLabels.into(),
            Kind::Placed(diagnostics) => diagnostics.into_iter().for_each(|diagnostic| cx.record(diagnostic)),
            // It may be a consequence of what has been reported, or of a stand-in.
            _ if pass.has_failed(cx) => {}
            Kind::Reported | Kind::Again => cx.fail(),
            Kind::Missing(_) if cx.broken => cx.fail(),
            fresh => cx.record(refused(&fresh, cx, input, path)),
        }
        Error::reported()
    })
}

/// Reads a value that others need. If it cannot be read, something harmless stands in for it.
pub(super) fn read_or_stand_in<'de, T: Deserialize<'de>>(
    cx: &Context<'_, 'de>,
    input: &Input<'_>,
    path: &Path<'_>,
) -> Result<T, Error> {
    read(cx, input, path).or_else(|error| if cx.is_full() { Err(error) } else { stand_in() })
}

/// Reads a value whose type is hidden, such as by `DeserializeSeed`. Errors in its parts are put on the list; one of
/// the value itself ends what it is in.
pub(super) fn read_seed<'de, S: DeserializeSeed<'de>>(
    cx: &Context<'_, 'de>,
    input: &Input<'_>,
    path: &Path<'_>,
    seed: S,
) -> Result<S::Value, Error> {
    let read = || seed.deserialize(De { cx, input, path, pass: None });
    cx.deeper(|| input.place(), read).map_err(|error| placed(error, cx, input, path))
}

/// Gives an error of a type the place of what it was made for.
pub(super) fn placed(error: Error, cx: &Context<'_, '_>, input: &Input<'_>, path: &Path<'_>) -> Error {
    match error.into_kind() {
        kind @ (Kind::Reported | Kind::Placed(_) | Kind::Again | Kind::NeedsLabels) => kind.into(),
        fresh => refused(&fresh, cx, input, path).into(),
    }
}

/// Reads a key or a name.
pub(super) fn read_name<'de, T: Deserialize<'de>>(
    cx: &Context<'_, 'de>,
    name: &Input<'_>,
    path: &Path<'_>,
) -> Result<T, Error> {
    T::deserialize(De { cx, input: name, path, pass: None }).map_err(|error| match error.into_kind() {
        kind @ (Kind::Reported | Kind::Placed(_) | Kind::Again | Kind::NeedsLabels) => kind.into(),
        fresh => messages::refused(&fresh, name, path).into(),
    })
}
