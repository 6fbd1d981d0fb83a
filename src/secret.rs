//! Whether a form asks for a secret: a password, a key, a token, a one-time code, card data.
//!
//! A heuristic on words. A name in any spelling (`apiKey`, `api_key`, `API key`) is split into words, and a secret is a
//! phrase of them at the end of the name, or the whole of a telling word; what follows a phrase and makes it something
//! about a secret (`tokenCount`, `passwordPolicy`) makes it harmless.

/// Words that are a secret by themselves, wherever they stand in a name.
const TELLING: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "cvv",
    "cvv2",
    "cvc",
    "cvc2",
    "otp",
    "totp",
    "hotp",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "accesstoken",
    "authtoken",
    "refreshtoken",
    "clientsecret",
    "credential",
    "credentials",
    "mnemonic",
    "passwort",
    "kennwort",
    "contraseña",
    "pat",
];

/// Words that are a secret where they end a name, or stand alone.
const LAST: &[&str] = &["pin", "secret", "secrets", "token", "jwt", "bearer", "iban"];

/// Words that make one together, one after another.
const PHRASES: &[&[&str]] = &[
    &["api", "key"],
    &["access", "key"],
    &["secret", "key"],
    &["private", "key"],
    &["ssh", "key"],
    &["signing", "key"],
    &["encryption", "key"],
    &["master", "key"],
    &["license", "key"],
    &["auth", "key"],
    &["api", "token"],
    &["access", "token"],
    &["auth", "token"],
    &["bearer", "token"],
    &["refresh", "token"],
    &["session", "token"],
    &["id", "token"],
    &["security", "token"],
    &["client", "secret"],
    &["shared", "secret"],
    &["pass", "word"],
    &["pass", "phrase"],
    &["pass", "code"],
    &["pin", "code"],
    &["pin", "number"],
    &["one", "time", "code"],
    &["one", "time", "password"],
    &["verification", "code"],
    &["security", "code"],
    &["auth", "code"],
    &["authentication", "code"],
    &["2fa", "code"],
    &["mfa", "code"],
    &["sms", "code"],
    &["recovery", "code"],
    &["recovery", "codes"],
    &["backup", "code"],
    &["backup", "codes"],
    &["recovery", "phrase"],
    &["seed", "phrase"],
    &["secret", "phrase"],
    &["card", "number"],
    &["credit", "card"],
    &["debit", "card"],
    &["card", "expiry"],
    &["card", "code"],
    &["account", "number"],
    &["routing", "number"],
    &["sort", "code"],
    &["bank", "account"],
    &["connection", "string"],
    &["social", "security"],
];

/// Words after a secret that make it something about one.
const ABOUT: &[&str] = &[
    "count",
    "counts",
    "limit",
    "limits",
    "length",
    "policy",
    "policies",
    "type",
    "types",
    "budget",
    "usage",
    "enabled",
    "required",
    "strength",
    "rotation",
    "hint",
    "holder",
    "size",
    "format",
    "manager",
    "expiration",
    "expires",
    "age",
    "field",
    "label",
    "name",
    "names",
    "url",
    "scope",
    "scopes",
    "bucket",
    "ring",
    "provider",
    "issuer",
    "color",
    "board",
    "map",
    "location",
    "style",
    "symbol",
    "price",
    "supply",
    "network",
    "standard",
    "change",
    "reset",
    "days",
    "per",
    "id",
];

/// Words before a secret that say that it is asked about, not asked for.
const WITHOUT: &[&str] = &[
    "max", "min", "num", "number", "total", "has", "is", "use", "show", "hide", "forgot", "change", "reset",
    "remember", "santa", "no",
];

/// Whether a name of a property or parameter is that of a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    asks(&words(name))
}

/// Whether a sentence, a title or a description asks for a secret: one names it by a phrase, or by a telling word.
pub(crate) fn asks_for_secret(text: &str) -> bool {
    text.split(['.', '!', '?', ',', ';', ':', '\n', '(', ')']).any(|clause| {
        let words = words(clause);
        // "never", "not", "without" turn a clause around: "Do not enter your password."
        let denies =
            words.iter().any(|word| matches!(word.as_str(), "never" | "not" | "don't" | "dont" | "without" | "no"));
        !denies && asks(&words)
    })
}

fn asks(words: &[String]) -> bool {
    (0..words.len()).any(|start| {
        let length = secret_at(&words[start..]);
        let before = start.checked_sub(1).map(|before| words[before].as_str());
        let after = words.get(start + length).map(String::as_str);
        length > 0
            && !before.is_some_and(|word| WITHOUT.contains(&word))
            && !after.is_some_and(|word| ABOUT.contains(&word))
    })
}

/// How many words at the start make a secret; 0 for none.
fn secret_at(words: &[String]) -> usize {
    let phrase = PHRASES
        .iter()
        .find(|phrase| words.len() >= phrase.len() && phrase.iter().zip(words).all(|(part, word)| part == word));
    match (phrase, words) {
        (Some(phrase), _) => phrase.len(),
        (None, [word, ..]) if TELLING.contains(&word.as_str()) => 1,
        (None, [word]) if LAST.contains(&word.as_str()) => 1,
        _ => 0,
    }
}

/// The words of a name or a text, in lower case: `apiKeyV2`, `API_KEY` and `api key` begin with `api`, `key`.
fn words(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (position, &character) in characters.iter().enumerate() {
        let previous = position.checked_sub(1).map(|previous| characters[previous]);
        let next = characters.get(position + 1);
        // `apiKey` breaks before K, `APIKey` before the K that a small letter follows.
        let breaks = character.is_uppercase()
            && previous.is_some_and(|previous| {
                previous.is_lowercase() || previous.is_uppercase() && next.is_some_and(|next| next.is_lowercase())
            });
        if (!character.is_alphanumeric() && character != '\'' || breaks) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() || character == '\'' {
            word.extend(character.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of secrets: half of the list. Each is tried in four spellings.
    const SECRETS: &[&str] = &[
        "password",
        "user password",
        "new password",
        "current password",
        "db password",
        "passwd",
        "pwd",
        "passphrase",
        "key passphrase",
        "passcode",
        "api key",
        "openai api key",
        "apikey",
        "access key",
        "aws access key",
        "secret key",
        "private key",
        "ssh key",
        "signing key",
        "encryption key",
        "master key",
        "access token",
        "auth token",
        "bearer token",
        "refresh token",
        "session token",
        "github token",
        "token",
        "jwt",
        "client secret",
        "secret",
        "webhook secret",
        "shared secret",
        "credential",
        "credentials",
        "aws credentials",
        "pin",
        "pin code",
        "card pin",
        "sim pin",
        "pin number",
        "otp",
        "totp",
        "totp code",
        "one time code",
        "one time password",
        "verification code",
        "security code",
        "2fa code",
        "mfa code",
        "sms code",
        "recovery code",
        "backup code",
        "backup codes",
        "recovery phrase",
        "seed phrase",
        "mnemonic",
        "cvv",
        "cvc",
        "card cvv",
        "card number",
        "credit card",
        "credit card number",
        "debit card",
        "card expiry",
        "bank account",
        "account number",
        "routing number",
        "sort code",
        "iban",
        "connection string",
        "social security number",
        "authentication code",
        "auth code",
        "api token",
        "npm token",
        "id token",
        "security token",
        "personal access token",
        "client credentials",
        "database credentials",
        "wallet mnemonic",
        "login password",
        "root password",
        "wifi password",
        "old password",
        "confirm password",
        "smtp password",
        "proxy password",
        "admin password",
        "vault secret",
        "signing secret",
        "app secret",
        "consumer secret",
        "hmac secret",
        "oauth token",
        "deploy token",
        "slack token",
        "registry token",
        "bot token",
        "license key",
        "auth key",
        "secret phrase",
        "pat",
    ];

    /// Names that sound alike and are none.
    const HARMLESS: &[&str] = &[
        "token count",
        "max tokens",
        "total tokens",
        "token limit",
        "token budget",
        "token usage",
        "tokenizer",
        "tokens per minute",
        "token type",
        "token symbol",
        "passenger name",
        "passenger",
        "passengers",
        "passport country",
        "secretary",
        "secretariat",
        "pinned",
        "pinned message",
        "pin color",
        "pin board",
        "pin location",
        "pinterest board",
        "pinning",
        "spinner",
        "opinion",
        "name",
        "e mail",
        "email address",
        "user name",
        "display name",
        "first name",
        "phone",
        "phone number",
        "city",
        "country",
        "postal code",
        "zip code",
        "country code",
        "area code",
        "language code",
        "error code",
        "status code",
        "promo code",
        "discount code",
        "color code",
        "qr code",
        "code",
        "source code",
        "code review",
        "barcode",
        "product code",
        "airport code",
        "key",
        "primary key",
        "foreign key",
        "keyboard",
        "keyword",
        "keywords",
        "sort key",
        "partition key",
        "hot key",
        "piano key",
        "monkey",
        "turkey",
        "key points",
        "keynote",
        "password policy",
        "password length",
        "password strength",
        "password manager",
        "password hint",
        "has password",
        "forgot password",
        "change password",
        "reset password",
        "show password",
        "card holder",
        "card type",
        "business card",
        "greeting card",
        "card color",
        "postcard",
        "wild card",
        "account name",
        "account type",
        "account",
        "account id",
        "number of guests",
        "number",
        "date",
        "time",
        "one time",
        "security",
        "security level",
        "access",
        "access level",
        "private",
        "public",
        "session",
        "session name",
        "client",
        "client name",
        "bearer name",
        "recovery",
        "recovery time",
        "backup",
        "backup plan",
        "seed",
        "random seed",
        "phrase",
        "search phrase",
        "connection",
        "connection type",
        "string",
        "social",
        "social media",
        "authority",
        "author",
        "compass",
        "bypass",
        "passage",
        "encompass",
        "secret santa",
    ];

    fn spellings(name: &str) -> [String; 4] {
        let words: Vec<&str> = name.split(' ').collect();
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        let pascal: String = words.iter().map(|word| capital(word)).collect();
        let camel = words[0].to_owned() + &words[1..].iter().map(|word| capital(word)).collect::<String>();
        [
            name.to_owned(),
            words.join("_"),
            camel,
            words.join("-").to_uppercase() + if pascal.is_empty() { "x" } else { "" },
        ]
    }

    #[test]
    fn names_of_secrets_are_told_from_names_that_sound_alike() {
        assert!(SECRETS.len() >= 100 && HARMLESS.len() >= 100, "{} and {}", SECRETS.len(), HARMLESS.len());
        let wrong = |names: &[&str], secret| -> Vec<String> {
            names
                .iter()
                .flat_map(|name| spellings(name))
                .filter(|spelling| is_secret_name(spelling) != secret)
                .collect()
        };
        assert_eq!(wrong(SECRETS, true), [""; 0], "secrets that were missed");
        assert_eq!(wrong(HARMLESS, false), [""; 0], "harmless names that were taken for secrets");
    }

    #[test]
    fn sentences_that_ask_for_a_secret_are_told_from_sentences_that_mention_one() {
        for text in [
            "Please enter your password.",
            "Paste the API key here",
            "What is your card number?",
            "Enter the one-time code we sent you",
            "Your PIN",
        ] {
            assert!(asks_for_secret(text), "{text}");
        }
        for text in [
            "Where to?",
            "Never enter a password here.",
            "Do not type your API key.",
            "How many tokens may this cost?",
            "Pick a seat for each passenger",
            "The secretary's name",
        ] {
            assert!(!asks_for_secret(text), "{text}");
        }
    }
}
