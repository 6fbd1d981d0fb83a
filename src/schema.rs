//! The schema of a form: the kinds of property that each revision knows, and what their values may be.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::format::Format;
use crate::json::{Kind, Value};
use crate::revision::Revision;
use crate::support::excerpt;

/// A kind of property that a form can have: a row of [`ROWS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyKind {
    Text,
    Number,
    Integer,
    Boolean,
    Choice,
    LegacyTitledChoice,
    TitledChoice,
    Choices,
    TitledChoices,
}

/// What the specification says of a kind.
pub(crate) struct Row {
    kind: PropertyKind,
    /// What to call it in a message.
    pub name: &'static str,
    pub since: Revision,
    /// Since when it may have a default.
    pub default_since: Revision,
    /// The keywords of its own, beside the ones that every kind has.
    keywords: &'static [&'static str],
}

/// The keywords that every kind has.
const COMMON: &[&str] = &["type", "title", "description", "default"];

/// The specification's table of property kinds.
const ROWS: &[Row] = &[
    row(PropertyKind::Text, "a string", V1, V2, &["minLength", "maxLength", "format"]),
    row(PropertyKind::Number, "a number", V1, V2, &["minimum", "maximum"]),
    row(PropertyKind::Integer, "an integer", V1, V2, &["minimum", "maximum"]),
    row(PropertyKind::Boolean, "a boolean", V1, V1, &[]),
    row(PropertyKind::Choice, "a choice", V1, V2, &["enum"]),
    row(PropertyKind::LegacyTitledChoice, "a choice with enumNames", V1, V2, &["enum", "enumNames"]),
    row(PropertyKind::TitledChoice, "a choice with titles (oneOf)", V2, V2, &["oneOf"]),
    row(PropertyKind::Choices, "a multiple choice", V2, V2, &["items", "minItems", "maxItems"]),
    row(PropertyKind::TitledChoices, "a multiple choice with titles", V2, V2, &["items", "minItems", "maxItems"]),
];

const V1: Revision = Revision::V2025_06_18;
const V2: Revision = Revision::V2025_11_25;

const fn row(
    kind: PropertyKind,
    name: &'static str,
    since: Revision,
    default_since: Revision,
    keywords: &'static [&'static str],
) -> Row {
    Row { kind, name, since, default_since, keywords }
}

impl PropertyKind {
    pub fn row(self) -> &'static Row {
        // Every kind has its row; a test says so.
        ROWS.iter().find(|row| row.kind == self).unwrap_or(&ROWS[0])
    }

    /// Whether the user types the value in, and does not pick it.
    pub fn is_typed_in(self) -> bool {
        matches!(self, Self::Text | Self::Number | Self::Integer)
    }

    /// Whether a schema of this kind may have the keyword.
    pub fn knows(self, keyword: &str) -> bool {
        COMMON.contains(&keyword) || self.row().keywords.contains(&keyword)
    }
}

/// A property of a form, read from its schema. What is wrong with the details is for [`Property::problems`].
#[derive(Debug)]
pub(crate) struct Property<'d> {
    pub schema: Value<'d>,
    pub kind: PropertyKind,
    pub default: Option<Value<'d>>,
    /// The bounds of the length, the value or the number of choices, whichever the kind bounds.
    least: Option<Value<'d>>,
    most: Option<Value<'d>>,
    format: Option<Value<'d>>,
    choices: Vec<Choice<'d>>,
    enum_names: Option<Value<'d>>,
}

/// One choice of a property.
#[derive(Debug)]
struct Choice<'d> {
    place: Value<'d>,
    /// `None` where it is no string.
    text: Option<Cow<'d, str>>,
    has_title: bool,
}

/// What is wrong, and where.
#[derive(Debug)]
pub(crate) struct Problem<'d> {
    pub place: Value<'d>,
    pub message: String,
}

impl<'d> Problem<'d> {
    fn new(place: Value<'d>, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }
}

impl<'d> Property<'d> {
    /// Reads the schema of a property, or says why it is no kind that elicitation knows.
    pub fn read(schema: Value<'d>) -> Result<Self, Problem<'d>> {
        if !schema.is_object() {
            return Err(Problem::new(schema, "the schema of a property is an object"));
        }
        let [kind, choices, enum_names, one_of, items, default, reference] =
            schema.pick(["type", "enum", "enumNames", "oneOf", "items", "default", "$ref"]);
        if let Some(reference) = reference {
            return Err(Problem::new(reference, "forms know no $ref; write the property out"));
        }
        let Some(kind) = kind else {
            return Err(Problem::new(schema, "a property states its type: string, number, integer, boolean or array"));
        };
        let Some(name) = kind.as_str() else {
            let message = "forms know no union of types; state one, and leave an optional property out of required";
            return Err(Problem::new(kind, message));
        };
        let mut property = Self {
            schema,
            kind: PropertyKind::Boolean,
            default,
            least: None,
            most: None,
            format: None,
            choices: Vec::new(),
            enum_names: None,
        };
        match (&*name, choices, one_of) {
            ("string", Some(list), _) => {
                property.kind =
                    if enum_names.is_some() { PropertyKind::LegacyTitledChoice } else { PropertyKind::Choice };
                property.choices = plain_choices(list)?;
                property.enum_names = enum_names;
            }
            ("string", None, Some(list)) => {
                property.kind = PropertyKind::TitledChoice;
                property.choices = titled_choices(list)?;
            }
            ("string", None, None) => {
                property.kind = PropertyKind::Text;
                [property.least, property.most, property.format] = schema.pick(["minLength", "maxLength", "format"]);
            }
            ("number" | "integer", ..) => {
                property.kind = if name == "number" { PropertyKind::Number } else { PropertyKind::Integer };
                [property.least, property.most] = schema.pick(["minimum", "maximum"]);
            }
            ("boolean", ..) => {}
            ("array", ..) => {
                let Some(items) = items.filter(|items| items.is_object()) else {
                    let message = "a multiple choice has items: {\"type\":\"string\",\"enum\":[…]} or {\"anyOf\":[…]}";
                    return Err(Problem::new(items.unwrap_or(schema), message));
                };
                let [item_type, list, any_of] = items.pick(["type", "enum", "anyOf"]);
                match (item_type, list, any_of) {
                    (_, None, Some(list)) => {
                        property.kind = PropertyKind::TitledChoices;
                        property.choices = titled_choices(list)?;
                    }
                    (Some(item_type), Some(list), _) if item_type.is_text("string") => {
                        property.kind = PropertyKind::Choices;
                        property.choices = plain_choices(list)?;
                    }
                    _ => {
                        let message = "forms know no lists but of choices: items is {\"type\":\"string\",\"enum\":[…]} or {\"anyOf\":[…]}";
                        return Err(Problem::new(items, message));
                    }
                }
                [property.least, property.most] = schema.pick(["minItems", "maxItems"]);
            }
            ("object", ..) => {
                return Err(Problem::new(
                    kind,
                    "forms are flat; take the properties of the object into the form itself",
                ));
            }
            _ => return Err(Problem::new(kind, "forms know the types string, number, integer, boolean and array")),
        }
        Ok(property)
    }

    /// Whether the value is a URI.
    pub fn is_uri(&self) -> bool {
        self.format.is_some_and(|format| format.is_text("uri"))
    }

    /// What is wrong with the details of the schema.
    pub fn problems(&self, mut report: impl FnMut(Problem<'d>)) {
        let counts = self.kind != PropertyKind::Number && self.kind != PropertyKind::Integer;
        for bound in [self.least, self.most].into_iter().flatten() {
            let number = bound.as_f64();
            if number.is_none_or(|number| counts && (number < 0.0 || number.fract() != 0.0)) {
                let what = if counts { "a whole number from 0" } else { "a number" };
                report(Problem::new(bound, format!("the bound is {}; it must be {what}", excerpt(bound))));
            }
        }
        if let (Some(least), Some(most)) = (self.number(self.least), self.number(self.most)) {
            if least > most {
                let place = self.most.unwrap_or(self.schema);
                report(Problem::new(place, format!("nothing can be at least {least} and at most {most}")));
            }
        }
        if let Some(format) = self.format {
            if format.as_str().as_deref().and_then(Format::from_name).is_none() {
                let message = format!("forms know the formats email, uri, date and date-time, not {}", excerpt(format));
                report(Problem::new(format, message));
            }
        }
        self.choice_problems(&mut report);
        if let Some(default) = self.default {
            if let Err(why) = self.check(default) {
                report(Problem::new(default, format!("the default does not fit its own schema: {why}")));
            }
        }
    }

    fn choice_problems(&self, report: &mut impl FnMut(Problem<'d>)) {
        if self.kind.is_typed_in() || self.kind == PropertyKind::Boolean {
            return;
        }
        if self.choices.is_empty() {
            report(Problem::new(self.schema, "there is nothing to choose from; name at least one choice"));
        }
        let titled = matches!(self.kind, PropertyKind::TitledChoice | PropertyKind::TitledChoices);
        let mut texts = HashSet::new();
        for choice in &self.choices {
            match &choice.text {
                None if titled => report(Problem::new(
                    choice.place,
                    "a choice with a title is {\"const\": string, \"title\": string}",
                )),
                None => report(Problem::new(choice.place, "a choice is a string")),
                Some(_) if titled && !choice.has_title => {
                    report(Problem::new(choice.place, "the choice has no title; give it one, or use enum"))
                }
                Some(text) if !texts.insert(text) => {
                    report(Problem::new(choice.place, "the choice stands here twice"));
                }
                Some(_) => {}
            }
        }
        if let Some(names) = self.enum_names {
            let strings = names.elements().filter(|name| name.kind() == Kind::String).count();
            if names.kind() != Kind::Array || strings != names.elements().count() {
                report(Problem::new(names, "enumNames is an array of strings"));
            } else if strings != self.choices.len() {
                let message = format!("enumNames has {strings} names for {} choices", self.choices.len());
                report(Problem::new(names, message));
            }
        }
        if let Some(least) = self.number(self.least).filter(|least| *least > self.choices.len() as f64) {
            let place = self.least.unwrap_or(self.schema);
            report(Problem::new(place, format!("nobody can pick {least} of {} choices", self.choices.len())));
        }
    }

    /// Whether a value, a default or an answer, fits the property; why not, where it does not.
    pub fn check(&self, value: Value<'_>) -> Result<(), String> {
        match self.kind {
            PropertyKind::Boolean => match value.kind() {
                Kind::Bool => Ok(()),
                _ => Err(format!("{} is not true or false", excerpt(value))),
            },
            PropertyKind::Number | PropertyKind::Integer => {
                let Some(number) = value.as_f64() else { return Err(format!("{} is no number", excerpt(value))) };
                if self.kind == PropertyKind::Integer && number.fract() != 0.0 {
                    return Err(format!("{} is no whole number", excerpt(value)));
                }
                self.check_bounds(number, || excerpt(value))
            }
            PropertyKind::Text => {
                let Some(text) = value.as_str() else { return Err(format!("{} is no string", excerpt(value))) };
                // The length of a string is counted in code points (JSON Schema, minLength).
                let length = text.chars().count() as f64;
                self.check_bounds(length, || format!("the length of {}, {length},", excerpt(value)))?;
                match self.format.and_then(|format| format.as_str().as_deref().and_then(Format::from_name)) {
                    Some(format) if !format.matches(&text) => Err(format!("{} is no {format}", excerpt(value))),
                    _ => Ok(()),
                }
            }
            PropertyKind::Choice | PropertyKind::LegacyTitledChoice | PropertyKind::TitledChoice => {
                check_choice(value, |text| self.choices.iter().any(|choice| choice.text.as_deref() == Some(text)))
            }
            PropertyKind::Choices | PropertyKind::TitledChoices => {
                if value.kind() != Kind::Array {
                    return Err(format!("{} is no array", excerpt(value)));
                }
                // The answer comes from the peer, and may be as long as it likes.
                let known: HashSet<&str> = self.choices.iter().filter_map(|choice| choice.text.as_deref()).collect();
                value.elements().try_for_each(|choice| check_choice(choice, |text| known.contains(text)))?;
                let count = value.elements().count() as f64;
                self.check_bounds(count, || format!("the number of choices, {count},"))
            }
        }
    }

    fn check_bounds(&self, number: f64, what: impl Fn() -> String) -> Result<(), String> {
        match (self.number(self.least), self.number(self.most)) {
            (Some(least), _) if number < least => Err(format!("{} is less than {least}", what())),
            (_, Some(most)) if number > most => Err(format!("{} is more than {most}", what())),
            _ => Ok(()),
        }
    }

    fn number(&self, bound: Option<Value<'_>>) -> Option<f64> {
        bound.and_then(Value::as_f64)
    }
}

fn check_choice(value: Value<'_>, is_known: impl Fn(&str) -> bool) -> Result<(), String> {
    let Some(text) = value.as_str() else { return Err(format!("{} is no string", excerpt(value))) };
    match is_known(&text) {
        true => Ok(()),
        false => Err(format!("{} is none of the choices", excerpt(value))),
    }
}

fn plain_choices(list: Value<'_>) -> Result<Vec<Choice<'_>>, Problem<'_>> {
    if list.kind() != Kind::Array {
        return Err(Problem::new(list, "enum is an array of strings"));
    }
    Ok(list.elements().map(|place| Choice { place, text: place.as_str(), has_title: false }).collect())
}

fn titled_choices(list: Value<'_>) -> Result<Vec<Choice<'_>>, Problem<'_>> {
    if list.kind() != Kind::Array {
        return Err(Problem::new(list, "choices with titles are an array of {\"const\": string, \"title\": string}"));
    }
    let choice = |place| {
        let [text, title] = Value::pick(place, ["const", "title"]);
        let has_title = title.is_some_and(|title| title.kind() == Kind::String);
        Choice { place, text: text.and_then(Value::as_str), has_title }
    };
    Ok(list.elements().map(choice).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_row() {
        use PropertyKind::*;
        for kind in [Text, Number, Integer, Boolean, Choice, LegacyTitledChoice, TitledChoice, Choices, TitledChoices] {
            assert_eq!(ROWS.iter().filter(|row| row.kind == kind).count(), 1, "{kind:?}");
        }
    }
}
