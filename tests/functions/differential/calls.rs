//! Random calls of all functions of the official library.

use serde_json::{Value as Json, json};

use super::random::{NUMBERS, Random, number, ty, value};
use super::texts::{Text, text};

/// The kind of value for an argument, most of the time.
#[derive(Clone, Copy)]
enum Arg {
    Is(Text),
    Number,
    /// A small whole number.
    Small,
    Bool,
    Any,
    Strings,
    /// A list, set or tuple of anything.
    Sequence,
    /// A map or object.
    Mapping,
    /// A list of strings or of the keys that maps have.
    Keys,
}

use Arg::{Any, Bool, Is, Keys, Mapping, Number, Sequence, Small, Strings};

/// The functions with what they take. What stands last is given any number of times, if the name ends
/// in dots.
const CALLS: &[(&str, &[Arg])] = &[
    ("abs", &[Number]),
    ("add", &[Number, Number]),
    ("and", &[Bool, Bool]),
    ("assertnotnull", &[Any]),
    ("base64decode", &[Is(Text::Base64)]),
    ("base64encode", &[Is(Text::Any)]),
    ("basename", &[Is(Text::Path)]),
    ("ceil", &[Number]),
    ("chomp", &[Is(Text::Any)]),
    ("chunklist", &[Sequence, Small]),
    ("cidrhost", &[Is(Text::Block), Number]),
    ("cidrnetmask", &[Is(Text::Block)]),
    ("cidrsubnet", &[Is(Text::Block), Small, Small]),
    ("cidrsubnets...", &[Is(Text::Block), Small]),
    ("coalesce...", &[Any]),
    ("coalescelist...", &[Sequence]),
    ("compact", &[Strings]),
    ("concat...", &[Sequence]),
    ("contains", &[Sequence, Any]),
    ("csvdecode", &[Is(Text::Csv)]),
    ("dirname", &[Is(Text::Path)]),
    ("distinct", &[Sequence]),
    ("divide", &[Number, Number]),
    ("element", &[Sequence, Small]),
    ("equal", &[Any, Any]),
    ("flatten", &[Sequence]),
    ("floor", &[Number]),
    ("format...", &[Is(Text::Format), Any]),
    ("format...", &[Is(Text::Format), Number]),
    ("formatdate", &[Is(Text::Layout), Is(Text::Time)]),
    ("formatlist...", &[Is(Text::Format), Any]),
    ("greaterthan", &[Number, Number]),
    ("hasindex", &[Any, Small]),
    ("indent", &[Small, Is(Text::Any)]),
    ("index", &[Sequence, Small]),
    ("index", &[Mapping, Is(Text::Any)]),
    ("int", &[Number]),
    ("join...", &[Is(Text::Any), Strings]),
    ("jsondecode", &[Is(Text::Json)]),
    ("jsonencode", &[Any]),
    ("keys", &[Mapping]),
    ("length", &[Any]),
    ("lessthan", &[Number, Number]),
    ("log", &[Number, Number]),
    ("lookup", &[Mapping, Is(Text::Any), Any]),
    ("lower", &[Is(Text::Any)]),
    ("max...", &[Number]),
    ("md5", &[Is(Text::Any)]),
    ("merge...", &[Mapping]),
    ("min...", &[Number]),
    ("modulo", &[Number, Number]),
    ("multiply", &[Number, Number]),
    ("negate", &[Number]),
    ("not", &[Bool]),
    ("notequal", &[Any, Any]),
    ("or", &[Bool, Bool]),
    ("parseint", &[Is(Text::Integer), Number]),
    ("pow", &[Number, Number]),
    ("range...", &[Number]),
    ("range...", &[Small]),
    ("regex", &[Is(Text::Pattern), Is(Text::Any)]),
    ("regexall", &[Is(Text::Pattern), Is(Text::Any)]),
    ("regexreplace", &[Is(Text::Any), Is(Text::Pattern), Is(Text::Replacement)]),
    ("replace", &[Is(Text::Any), Is(Text::Any), Is(Text::Any)]),
    ("reverse", &[Sequence]),
    ("sethaselement", &[Sequence, Any]),
    ("setintersection...", &[Sequence]),
    ("setproduct...", &[Sequence]),
    ("setsubtract", &[Sequence, Sequence]),
    ("setsymmetricdifference...", &[Sequence]),
    ("setunion...", &[Sequence]),
    ("sha1", &[Is(Text::Any)]),
    ("sha256", &[Is(Text::Any)]),
    ("sha512", &[Is(Text::Any)]),
    ("signum", &[Number]),
    ("slice", &[Sequence, Small, Small]),
    ("sort", &[Strings]),
    ("split", &[Is(Text::Any), Is(Text::Any)]),
    ("strlen", &[Is(Text::Any)]),
    ("strrev", &[Is(Text::Any)]),
    ("substr", &[Is(Text::Any), Small, Small]),
    ("subtract", &[Number, Number]),
    ("timeadd", &[Is(Text::Time), Is(Text::Duration)]),
    ("title", &[Is(Text::Any)]),
    ("tobool", &[Any]),
    ("tolist", &[Any]),
    ("tomap", &[Any]),
    ("tonumber", &[Any]),
    ("toset", &[Any]),
    ("tostring", &[Any]),
    ("trim", &[Is(Text::Any), Is(Text::Any)]),
    ("trimprefix", &[Is(Text::Any), Is(Text::Any)]),
    ("trimspace", &[Is(Text::Any)]),
    ("trimsuffix", &[Is(Text::Any), Is(Text::Any)]),
    ("upper", &[Is(Text::Any)]),
    ("urlencode", &[Is(Text::Any)]),
    ("uuidv5", &[Is(Text::Namespace), Is(Text::Any)]),
    ("values", &[Mapping]),
    ("yamldecode", &[Is(Text::Yaml)]),
    ("yamlencode", &[Any]),
    ("zipmap", &[Keys, Sequence]),
];

/// The percentage of arguments that are null, unknown or marked.
const ODD: usize = 20;

/// One random call.
pub fn call(random: &mut Random) -> Json {
    let (name, arguments) = CALLS[random.below(CALLS.len())];
    let (name, variadic) = name.strip_suffix("...").map_or((name, false), |name| (name, true));
    let mut wanted: Vec<Arg> = arguments.to_vec();
    if variadic && let Some(last) = wanted.pop() {
        let count = random.pick(&[0, 1, 1, 2, 2, 3]);
        wanted.extend(std::iter::repeat_n(last, count));
    }
    if random.chance(2) {
        match random.chance(50) {
            true => drop(wanted.pop()),
            false => wanted.push(Any),
        }
    }
    let arguments: Vec<Json> = wanted.into_iter().map(|wanted| argument(random, wanted)).collect();
    json!({ "op": "call", "name": name, "args": arguments })
}

fn argument(random: &mut Random, wanted: Arg) -> Json {
    if random.chance(3) {
        let ty = ty(random, 2);
        return value(random, &ty, ODD);
    }
    let of = |random: &mut Random, name: &str| value(random, &json!(name), ODD);
    match wanted {
        Is(kind) => match random.chance(ODD) {
            true => of(random, "string"),
            false => text(random, kind).into(),
        },
        Number => match random.chance(ODD) {
            true => of(random, "number"),
            false => number(random.pick(NUMBERS)),
        },
        Small => match random.chance(ODD) {
            true => of(random, "number"),
            false => number(random.pick(&["0", "1", "2", "3", "4", "8", "-1", "-2", "1.5"])),
        },
        Bool => of(random, "bool"),
        Any => {
            let ty = ty(random, 2);
            value(random, &ty, ODD)
        }
        Strings | Keys => value(random, &json!(["list", "string"]), ODD),
        Sequence => {
            let inner = ty(random, 2);
            let ty = match random.below(5) {
                0 => json!(["set", inner]),
                1 | 2 => {
                    let more = self::ty(random, 1);
                    json!(["tuple", [inner, more, "string"]])
                }
                _ => json!(["list", inner]),
            };
            value(random, &ty, ODD)
        }
        Mapping => {
            let inner = ty(random, 1);
            let ty = match random.chance(50) {
                true => json!(["map", inner]),
                false => json!(["object", { "a": inner, "b": "string", "é": "number" }]),
            };
            value(random, &ty, ODD)
        }
    }
}
