//! The dated revisions of the Model Context Protocol, and what each one has.

use std::fmt;

/// A published revision of the protocol, in order of date.
///
/// ```
/// use elicit_doctor::Revision;
///
/// assert!(!Revision::V2025_03_26.has_elicitation());
/// assert!(Revision::V2025_11_25.has_modes() && !Revision::V2025_11_25.is_per_request());
/// assert_eq!(Revision::NEWEST.to_string(), "2026-07-28");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each variant is its date")]
pub enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Revision {
    /// Every revision that this library knows, oldest first.
    pub const ALL: [Revision; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];
    /// The newest revision that this library knows: the one whose rules a later date is read by.
    pub const NEWEST: Revision = Self::V2026_07_28;

    /// The date, as it stands in `protocolVersion`.
    pub const fn date(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Whether a client can declare `elicitation` at all (since 2025-06-18).
    pub const fn has_elicitation(self) -> bool {
        self as u8 >= Self::V2025_06_18 as u8
    }

    /// Whether elicitation has the modes `form` and `url` (since 2025-11-25; before, it is always a form).
    pub const fn has_modes(self) -> bool {
        self as u8 >= Self::V2025_11_25 as u8
    }

    /// Whether capabilities come with every request, and a server asks by an input-required result instead of a
    /// request of its own (since 2026-07-28).
    pub const fn is_per_request(self) -> bool {
        self as u8 >= Self::V2026_07_28 as u8
    }

    /// The revision of this date, if it is a known one.
    pub fn from_date(date: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.date() == date)
    }
}

/// A date as it stands in `protocolVersion`: of a revision, or of one that this library does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date([u8; 10]);

impl Date {
    /// Reads a text of the form `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Self> {
        let date = Self(text.as_bytes().try_into().ok()?);
        let is_date = date.0.iter().enumerate().all(|(position, byte)| match position {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        is_date.then_some(date)
    }

    pub fn as_str(&self) -> &str {
        // Digits and hyphens are UTF-8.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// By which revision's rules the date is read: its own, the newest known one for a later date, and the newest one
    /// before it for an unknown date in between.
    pub fn rules(&self) -> Revision {
        // Dates of this form sort as texts.
        let known = Revision::ALL.into_iter().rev().find(|known| known.date() <= self.as_str());
        known.unwrap_or(Revision::V2024_11_05)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.date())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_sort_by_date() {
        assert!(Revision::ALL.windows(2).all(|pair| pair[0] < pair[1] && pair[0].date() < pair[1].date()));
        assert_eq!(Revision::ALL.last(), Some(&Revision::NEWEST));
    }

    #[test]
    fn an_unknown_date_is_read_by_the_newest_revision_before_it() {
        for (version, rules) in [
            ("2026-07-28", Some(Revision::V2026_07_28)),
            ("2027-01-15", Some(Revision::V2026_07_28)),
            ("2025-09-01", Some(Revision::V2025_06_18)),
            ("2024-10-07", Some(Revision::V2024_11_05)),
            ("DRAFT-2026", None),
            ("2026-7-28", None),
            ("2026/07/28", None),
            ("", None),
        ] {
            assert_eq!(Date::parse(version).map(|date| date.rules()), rules, "{version:?}");
        }
    }
}
