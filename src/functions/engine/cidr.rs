//! Blocks of IP addresses in CIDR notation (RFC 4632, RFC 4291).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::model::Number;

/// An address block: the first address and the number of leading bits that all addresses share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// In the low bits.
    first: u128,
    prefix: u32,
    /// 32 or 128.
    bits: u32,
}

/// The rule for leading zeros in the numbers of an IPv4 address, as written by old programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zeros {
    Refused,
    Ignored,
}

/// Parses an address. Returns its bits, and the number of bits of its kind.
pub(crate) fn address(text: &str, zeros: Zeros) -> Option<(u128, u32)> {
    if text.contains(':') {
        let address: Ipv6Addr = text.parse().ok()?;
        return Some((address.to_bits(), 128));
    }
    let mut bits = 0_u32;
    let mut count = 0;
    for part in text.split('.') {
        let fine = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !fine || zeros == Zeros::Refused && part.len() > 1 && part.starts_with('0') {
            return None;
        }
        bits = bits << 8
            | u32::from(
                part.trim_start_matches('0')
                    .parse::<u8>()
                    .or_else(|why| match part.trim_start_matches('0') {
                        "" => Ok(0),
                        _ => Err(why),
                    })
                    .ok()?,
            );
        count += 1;
        if count > 4 {
            return None;
        }
    }
    (count == 4).then_some((u128::from(bits), 32))
}

fn show(address: u128, bits: u32) -> IpAddr {
    match bits {
        32 => Ipv4Addr::from_bits(address as u32).into(),
        _ => Ipv6Addr::from_bits(address).into(),
    }
}

/// The low `count` bits.
fn low(count: u32) -> u128 {
    1_u128.checked_shl(count).map_or(u128::MAX, |bit| bit - 1)
}

impl Block {
    /// Reads a block such as `10.0.0.0/8`. Bits after the prefix are ignored.
    pub fn parse(text: &str, zeros: Zeros) -> Result<Block, String> {
        let read = || {
            let (host, prefix) = text.split_once('/')?;
            let (address, bits) = address(host, zeros)?;
            let digits = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_digit());
            let prefix: u32 = prefix.parse().ok().filter(|prefix| digits && *prefix <= bits)?;
            Some(Block { first: address & !low(bits - prefix), prefix, bits })
        };
        read().ok_or_else(|| format!("`{text}` is not an address block such as 10.0.0.0/8 or fd00::/16"))
    }

    /// Returns the number of bits that distinguish the addresses of the block.
    pub fn free(&self) -> u32 {
        self.bits - self.prefix
    }

    /// Returns the address with a number in the block; negative numbers count from the end.
    pub fn host(&self, number: &Number) -> Result<String, String> {
        let last = low(self.free());
        let magnitude = u128::try_from(&number.abs()).ok();
        let offset = match number.is_negative() {
            true => magnitude.and_then(|magnitude| last.checked_sub(magnitude - 1)),
            false => magnitude.filter(|magnitude| *magnitude <= last),
        };
        match offset {
            Some(offset) => Ok(show(self.first | offset, self.bits).to_string()),
            None => Err(format!("{self} has no address with number {number}")),
        }
    }

    /// Returns the mask of the prefix as an address.
    pub fn mask(&self) -> String {
        show(low(self.bits) & !low(self.free()), self.bits).to_string()
    }

    pub fn is_v4(&self) -> bool {
        self.bits == 32
    }

    /// Returns the subnet with a number, of all subnets whose prefix has `more` additional bits.
    pub fn part(&self, more: u32, number: &Number) -> Result<Block, String> {
        if more > self.free() {
            return Err(format!(
                "the prefix of {self} cannot be {more} bits longer; the address has {} bits",
                self.bits
            ));
        }
        let prefix = self.prefix + more;
        let number = u128::try_from(number).ok().filter(|number| *number <= low(more));
        let Some(number) = number else {
            return Err(format!("{more} more bits of prefix leave no room for a part with this number"));
        };
        let shifted = number.checked_shl(self.bits - prefix).unwrap_or(0);
        Ok(Block { first: self.first | shifted, prefix, bits: self.bits })
    }

    /// Returns consecutive subnets, each with some additional bits of prefix.
    pub fn parts(&self, more: &[u32]) -> Result<Vec<Block>, (usize, String)> {
        let mut parts = Vec::new();
        // The first free address, or none if all are taken.
        let mut free = Some(self.first);
        let last = self.first | low(self.free());
        for (index, more) in more.iter().enumerate() {
            if *more > self.free() {
                return Err((index, format!("the prefix of {self} cannot be {more} bits longer")));
            }
            let prefix = self.prefix + more;
            let size = low(self.bits - prefix);
            let first = free.and_then(|free| free.checked_add(size)).map(|end| end & !size);
            let first = first.filter(|first| first | size <= last);
            let Some(first) = first else {
                return Err((
                    index,
                    format!("there is no room left in {self} for a part with {prefix} bits of prefix"),
                ));
            };
            free = (first | size).checked_add(1);
            parts.push(Block { first, prefix, bits: self.bits });
        }
        Ok(parts)
    }

    /// Returns true if a block of addresses, or one of them, lies within this one.
    pub fn contains(&self, other: &Block) -> bool {
        self.bits == other.bits && other.prefix >= self.prefix && other.first & !low(self.free()) == self.first
    }

    /// The block of one address.
    pub fn of_address(text: &str, zeros: Zeros) -> Option<Block> {
        let (first, bits) = address(text, zeros)?;
        Some(Block { first, prefix: bits, bits })
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", show(self.first, self.bits), self.prefix)
    }
}
