//! Conversions into a source.

use std::sync::Arc;

use super::Source;

/// The name of a source that was given none.
const UNNAMED: &str = "<input>";

macro_rules! sources {
    ($($of:ident $(<const $n:ident>)? ($content:ty))+) => {
        $(
            /// A source named `<input>`.
            impl $(<const $n: usize>)? From<$content> for Source {
                fn from(content: $content) -> Source {
                    Source::$of(UNNAMED, content)
                }
            }

            /// A source with a name.
            impl<Name: AsRef<str> $(, const $n: usize)?> From<(Name, $content)> for Source {
                fn from((name, content): (Name, $content)) -> Source {
                    Source::$of(name.as_ref(), content)
                }
            }
        )+
    };
}

sources! {
    new(&str) new(String) new(&String) from_bytes(Vec<u8>) from_bytes(&[u8]) from_bytes<const N>(&[u8; N])
}

/// The same source, if it is not shared; otherwise a copy of it.
impl From<Arc<Source>> for Source {
    fn from(source: Arc<Source>) -> Source {
        Arc::unwrap_or_clone(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_with_and_without_a_name() {
        let read = |source: Source| (source.name().to_owned(), source.text().to_owned());
        let unnamed = ("<input>".to_owned(), "a".to_owned());
        let named = ("n".to_owned(), "a".to_owned());
        assert_eq!(read("a".into()), unnamed);
        assert_eq!(read((&"a".to_owned()).into()), unnamed);
        assert_eq!(read(b"a".into()), unnamed);
        assert_eq!(read(vec![b'a'].into()), unnamed);
        assert_eq!(read(("n", "a").into()), named);
        assert_eq!(read(("n".to_owned(), &b"a"[..]).into()), named);
        let shared = Arc::new(Source::from_bytes("n", b"\xff".to_vec()));
        let copy = Source::from(shared.clone());
        assert_eq!((copy.name(), copy.invalid_utf8()), ("n", shared.invalid_utf8()));
    }
}
