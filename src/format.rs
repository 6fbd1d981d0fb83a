//! The formats that a string of a form may have, as strictly as a person's typing deserves.

use std::fmt;

/// A format of a string (`format` of the specification's `StringSchema`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Email,
    Uri,
    Date,
    DateTime,
}

impl Format {
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "email" => Some(Self::Email),
            "uri" => Some(Self::Uri),
            "date" => Some(Self::Date),
            "date-time" => Some(Self::DateTime),
            _ => None,
        }
    }

    pub fn matches(self, text: &str) -> bool {
        match self {
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::Date => is_date(text),
            Self::DateTime => is_date_time(text),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Email => "e-mail address",
            Self::Uri => "URI",
            Self::Date => "date as YYYY-MM-DD",
            Self::DateTime => "date and time as RFC 3339 writes them",
        })
    }
}

/// A dot-atom or a quoted string, an at sign, and a domain or an address in brackets (RFC 5321, section 4.1.2).
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom.chars().all(|it| it.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(it) || !it.is_ascii())
    };
    let quoted =
        local.len() >= 2 && local.starts_with('"') && local.ends_with('"') && !local.chars().any(char::is_control);
    let is_local = local.len() <= 64 && (quoted || local.split('.').all(is_atom));
    let is_literal = domain.starts_with('[') && domain.ends_with(']') && domain.len() > 2;
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || !it.is_ascii())
    };
    is_local && (is_literal || domain.len() <= 255 && domain.split('.').all(is_label))
}

/// A scheme, a colon, and nothing that must be percent-encoded (RFC 3986).
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it));
    let bytes = rest.as_bytes();
    let allowed = |(position, byte): (usize, &u8)| match byte {
        b'%' => bytes.get(position + 1..position + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        byte => byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(byte),
    };
    is_scheme && !rest.is_empty() && rest.matches('#').count() <= 1 && bytes.iter().enumerate().all(allowed)
}

fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (number(&bytes[..4]), number(&bytes[5..7]), number(&bytes[8..])) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=12).contains(&month) && (1..=days).contains(&day)
}

/// A date, `T`, a time to the second or finer, and an offset (RFC 3339, section 5.6).
fn is_date_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let Some(rest) = rest.strip_prefix(['T', 't']) else { return false };
    let Some((time, rest)) = rest.split_at_checked(8) else { return false };
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|it: char| it.is_ascii_digit());
            if offset.len() == fraction.len() {
                return false;
            }
            offset
        }
        None => rest,
    };
    let is_offset = match rest.strip_prefix(['+', '-']) {
        Some(offset) => is_clock(offset, &[23, 59]),
        None => rest == "Z" || rest == "z",
    };
    // A leap second is one at the end of a day in UTC; which days have one is not for a form to know.
    is_date(date) && is_clock(time, &[23, 59, 60]) && is_offset
}

/// Pairs of digits with colons between them, each at most its limit.
fn is_clock(text: &str, limits: &[u32]) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    parts.len() == limits.len()
        && parts
            .iter()
            .zip(limits)
            .all(|(part, limit)| part.len() == 2 && number(part.as_bytes()).is_some_and(|it| it <= *limit))
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_take_what_people_type_and_nothing_else() {
        for (format, good, bad) in [
            (
                Format::Email,
                &[
                    "a@b.c",
                    "first.last+tag@sub.example.org",
                    "\"two words\"@example.org",
                    "x@[127.0.0.1]",
                    "jörg@exämple.de",
                    "root@localhost",
                ][..],
                &["", "a", "@b", "a@", "a@b@", "a b@c.d", ".a@b.c", "a..b@c.d", "a@-b.c", "a@b..c", "a@b.c."][..],
            ),
            (
                Format::Uri,
                &[
                    "https://example.org/p?q=1#f",
                    "mailto:a@b.c",
                    "urn:isbn:0451450523",
                    "http://[::1]:80/",
                    "https://e.org/%C3%A9",
                ],
                &[
                    "",
                    "example.org",
                    "//example.org",
                    "1http://x",
                    "https://e.org/a b",
                    "https://e.org/é",
                    "https://e.org/%zz",
                    "a:b#c#d",
                    "x:",
                ],
            ),
            (
                Format::Date,
                &["2026-11-30", "2024-02-29", "2000-02-29", "0001-01-01"],
                &[
                    "",
                    "2026-2-3",
                    "2026-13-01",
                    "2026-00-10",
                    "2026-04-31",
                    "2025-02-29",
                    "1900-02-29",
                    "2026/11/30",
                    "2026-11-3x",
                    "30-11-2026",
                ],
            ),
            (
                Format::DateTime,
                &["2026-11-30T09:19:24Z", "2026-11-30t09:19:24.123456z", "2026-11-30T23:59:60+02:00"],
                &[
                    "",
                    "2026-11-30",
                    "2026-11-30 09:19:24Z",
                    "2026-11-30T09:19:24",
                    "2026-11-30T24:00:00Z",
                    "2026-11-30T09:60:00Z",
                    "2026-11-30T09:19:24.Z",
                    "2026-11-30T09:19Z",
                    "2026-11-30T09:19:24+2:00",
                    "2026-11-30T09:19:24+24:00",
                    "2026-11-é0T09:19:24Z",
                ],
            ),
        ] {
            for text in good {
                assert!(format.matches(text), "{text:?} is a {format}");
            }
            for text in bad {
                assert!(!format.matches(text), "{text:?} is no {format}");
            }
        }
    }
}
