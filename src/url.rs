//! The URL that a user is sent to: what hosts refuse, and what does not belong into one.

use crate::secret;

/// What is wrong with a URL, in words that follow "the URL".
pub(crate) fn problem(text: &str) -> Option<String> {
    let forbidden =
        |character: char| character.is_control() || character.is_whitespace() || "<>\"\\^`{|}".contains(character);
    if text.chars().any(forbidden) {
        return Some("has characters that a URL must percent-encode".to_owned());
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        return Some("is not absolute; begin it with https://".to_owned());
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Some("has user info before its host; leave it out".to_owned());
    }
    let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, port)) => (host, port.strip_prefix(':')),
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    if host.is_empty() {
        return Some("has no host".to_owned());
    }
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return Some("has a port that is no number from 0 to 65535".to_owned());
    }
    let is_loopback = host == "localhost" || host == "::1" || is_loopback_v4(host);
    if !(scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http") && is_loopback) {
        return Some("is neither https nor http on the loopback".to_owned());
    }
    let query = rest.split('#').next().and_then(|rest| rest.split_once('?')).map_or("", |(_, query)| query);
    let telling = query
        .split('&')
        .map(|pair| pair.split('=').next().unwrap_or_default())
        .find(|name| secret::is_secret_name(name));
    telling.map(|name| format!("carries a secret in its query parameter {name:?}, where logs and histories keep it; let the page ask for it"))
}

fn is_loopback_v4(host: &str) -> bool {
    host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}
