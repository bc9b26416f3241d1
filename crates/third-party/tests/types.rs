//! Types of other packages: what is written is read again as the same value, as an attribute, in a block, in a list, as
//! a value, and in JSON.

use std::fmt::Debug;

use hcl_lr::typed::{BlockOf, from_json_str};
use hcl_lr::{from_str, from_value, to_string, to_value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Attribute<T> {
    x: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Block<T> {
    block: BlockOf<Attribute<T>>,
}

/// A structure by which serde buffers the value.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Flattened<T> {
    first: u8,
    #[serde(flatten)]
    rest: Attribute<T>,
}

/// Checks all ways to write and read a value.
#[track_caller]
fn all_ways<T: Serialize + DeserializeOwned + Debug + PartialEq + Clone>(value: T) {
    text(&Attribute { x: value.clone() });
    text(&Attribute { x: vec![value.clone(), value.clone()] });
    text(&Attribute { x: Some(value.clone()) });
    text(&Block { block: BlockOf(Attribute { x: value.clone() }) });
    text(&Flattened { first: 1, rest: Attribute { x: value.clone() } });
    let attribute = Attribute { x: value };
    let written = to_value(&attribute).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(from_value::<Attribute<T>>(&written).unwrap_or_else(|why| panic!("{why:?}")), attribute, "{written}");
    let json = serde_json::to_string(&attribute).expect("JSON");
    assert_eq!(from_json_str::<Attribute<T>>(&json).unwrap_or_else(|why| panic!("{why:?}")), attribute, "{json}");
}

#[track_caller]
fn text<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T) {
    let text = to_string(value).unwrap_or_else(|why| panic!("{why}"));
    let read: T = from_str(&text).unwrap_or_else(|why| panic!("{text}{why:?}"));
    assert_eq!(&read, value, "{text}");
}

/// The error for a wrong value, as a line.
#[track_caller]
fn error<T: DeserializeOwned + Debug>(text: &str) -> String {
    from_str::<Attribute<T>>(text).expect_err(text).short()
}

macro_rules! types {
    ($($name:ident: $value:expr;)+) => {$(
        #[test]
        fn $name() {
            all_ways($value);
        }
    )+};
}

types! {
    arcstr_string: arcstr::ArcStr::from("a ${b}");
    arrayvec_vector: arrayvec::ArrayVec::<u8, 4>::from_iter([1, 2]);
    arrayvec_string: arrayvec::ArrayString::<8>::from("abc").unwrap();
    bigdecimal_number: "12345678901234567890.12345678901234567890".parse::<bigdecimal::BigDecimal>().unwrap();
    bitflags_flags: Flags::A | Flags::B;
    bytes_bytes: bytes::Bytes::from_static(b"\x00\x01\xff");
    bytesize_size: bytesize::ByteSize::mib(5);
    camino_path: camino::Utf8PathBuf::from("/a/b");
    chrono_date_and_time: chrono::DateTime::parse_from_rfc3339("2024-02-29T12:34:56.789+02:00").unwrap();
    chrono_date: chrono::NaiveDate::from_ymd_opt(2024, 2, 29).unwrap();
    chrono_duration: Seconds(chrono::TimeDelta::seconds(90));
    compact_str_string: compact_str::CompactString::from("abc");
    either_string_or_number: Either(either::Either::<String, u8>::Right(7));
    hashbrown_map: hashbrown::HashMap::<String, u8>::from_iter([("a".to_owned(), 1)]);
    heapless_vector: heapless::Vec::<u8, 4>::from_slice(&[1, 2]).unwrap();
    http_status: Status(http::StatusCode::NOT_FOUND);
    humantime_duration: Timeout { every: std::time::Duration::from_secs(90) };
    indexmap_map: indexmap::IndexMap::<String, u8>::from_iter([("b".to_owned(), 1), ("a".to_owned(), 2)]);
    ipnet_network: "10.0.0.0/8".parse::<ipnet::IpNet>().unwrap();
    jiff_timestamp: "2024-06-19T19:22:45Z".parse::<jiff::Timestamp>().unwrap();
    jiff_span: "P1DT2H".parse::<jiff::SignedDuration>().unwrap_or(jiff::SignedDuration::from_hours(26));
    linked_hash_map_map: linked_hash_map::LinkedHashMap::<String, u8>::from_iter([("a".to_owned(), 1), ("b".to_owned(), 2)]);
    nonempty_list: nonempty::NonEmpty::from((1_u8, vec![2, 3]));
    num_bigint_number: "-123456789012345678901234567890".parse::<num_bigint::BigInt>().unwrap();
    ordered_float_number: ordered_float::OrderedFloat(0.1);
    rust_decimal_number: "1234.5678".parse::<rust_decimal::Decimal>().unwrap();
    semver_version: semver::Version::new(1, 2, 3);
    semver_requirement: semver::VersionReq::parse(">=1.2, <2").unwrap();
    serde_bytes_bytes: serde_bytes::ByteBuf::from(vec![0, 1, 255]);
    smallvec_vector: smallvec::SmallVec::<[u8; 2]>::from_slice(&[1, 2, 3]);
    smol_str_string: smol_str::SmolStr::new("abc");
    time_date_and_time: Moment { at: time::macros::datetime!(2024-02-29 12:34:56 UTC) };
    time_duration: time::Duration::milliseconds(1500);
    url_url: url::Url::parse("https://example.org/a?b=c#d").unwrap();
    uuid_id: uuid::Uuid::from_u128(0x1234_5678_9abc_def0_1234_5678_9abc_def0);
    vec1_list: vec1::vec1![1_u8, 2];
}

bitflags::bitflags! {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Flags: u8 {
        const A = 1;
        const B = 2;
    }
}

impl Serialize for Flags {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        bitflags::serde::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Flags {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Flags, D::Error> {
        bitflags::serde::deserialize(deserializer)
    }
}

#[serde_with::serde_as]
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Seconds(#[serde_as(as = "serde_with::DurationSeconds<i64>")] chrono::TimeDelta);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Either(#[serde(with = "either::serde_untagged")] either::Either<String, u8>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Status(#[serde(with = "http_serde::status_code")] http::StatusCode);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Timeout {
    #[serde(with = "humantime_serde")]
    every: std::time::Duration,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Moment {
    #[serde(with = "time::serde::rfc3339")]
    at: time::OffsetDateTime,
}

/// A wrong text is an error at its place, and does not hide the next one.
#[test]
fn each_wrong_text_has_a_place() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct File {
        url: url::Url,
        id: uuid::Uuid,
        version: semver::Version,
        at: chrono::DateTime<chrono::Utc>,
        network: ipnet::IpNet,
        when: jiff::Timestamp,
        #[serde(with = "humantime_serde")]
        every: std::time::Duration,
        #[serde(with = "serde_regex")]
        name: regex::Regex,
        token: secrecy::SecretString,
        last: u8,
    }
    let lines = [
        "url     = \"x\"",
        "id      = \"x\"",
        "version = \"x\"",
        "at      = \"x\"",
        "network = \"x\"",
        "when    = \"x\"",
        "every   = \"x\"",
        "name    = \"(\"",
        "token   = 1",
        "last    = \"x\"",
    ];
    let errors = from_str::<File>(&lines.join("\n")).unwrap_err();
    let found: Vec<usize> = errors.iter().map(|error| error.place().position().line).collect();
    assert_eq!(found, (1..=lines.len()).collect::<Vec<_>>(), "{errors}");
}

#[test]
fn what_a_type_says_is_shown() {
    let shown = error::<vec1::Vec1<u8>>("x = []\n");
    assert!(shown.contains("`x`: "), "{shown}");
    let shown = error::<semver::Version>("x = \"1.2\"\n");
    assert!(shown.starts_with("<input>:1:5: error[invalid-value]") && shown.contains("`x`: unexpected end"), "{shown}");
}

#[test]
fn numbers_of_other_packages_are_exact_where_they_read_text() {
    let read: Attribute<bigdecimal::BigDecimal> = from_str("x = \"1e400\"\n").expect("a number");
    assert_eq!(read.x, "1e400".parse::<bigdecimal::BigDecimal>().unwrap());
}

#[test]
fn values_are_validated_after_they_are_read() {
    use garde::Validate;
    #[derive(Deserialize, garde::Validate)]
    struct File {
        #[garde(length(min = 3))]
        name: String,
        #[garde(range(min = 1))]
        port: u16,
    }
    let file: File = from_str("name = \"ab\"\nport = 0\n").expect("it has the right types");
    assert_eq!(file.validate().unwrap_err().iter().count(), 2);
}
