//! A value that a sweep gives to a key: as TOML in a scene, as JSON in tables.

use std::collections::BTreeMap;

use serde::Serialize;
use toml::de::DeValue;

/// A value of a scene's key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Parameter {
    /// A number with a fraction, or infinity.
    Number(#[serde(serialize_with = "number")] f64),
    /// A whole number.
    Integer(i64),
    /// true or false.
    Flag(bool),
    /// Text.
    Text(String),
    /// An array.
    List(Vec<Parameter>),
    /// A table.
    Table(BTreeMap<String, Parameter>),
}

/// JSON has no infinity, so this writes TOML's text for it.
fn number<S: serde::Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match number.is_infinite() {
        true => serializer.collect_str(number),
        false => serializer.serialize_f64(*number),
    }
}

impl Parameter {
    /// From a parsed value; `None` for dates and for numbers out of range.
    pub(super) fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        Some(match value {
            DeValue::Float(float) => Parameter::Number(float.as_str().parse().ok()?),
            DeValue::Integer(integer) => {
                Parameter::Integer(i64::from_str_radix(integer.as_str(), integer.radix()).ok()?)
            }
            DeValue::Boolean(flag) => Parameter::Flag(*flag),
            DeValue::String(text) => Parameter::Text(text.to_string()),
            DeValue::Array(items) => {
                let items = items.iter().map(|item| Self::from_toml(item.get_ref()));
                Parameter::List(items.collect::<Option<_>>()?)
            }
            DeValue::Table(table) => {
                let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
                    let key: &std::borrow::Cow<'_, str> = key.get_ref();
                    Some((key.to_string(), Self::from_toml(value.get_ref())?))
                };
                Parameter::Table(table.iter().map(entry).collect::<Option<_>>()?)
            }
            DeValue::Datetime(_) => return None,
        })
    }

    /// As TOML, in one line.
    pub fn to_toml(&self) -> String {
        // JSON's strings are TOML's basic strings.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Parameter::Number(number) if number.is_nan() => "nan".into(),
            Parameter::Number(number) => format!("{number:?}"),
            Parameter::Integer(number) => number.to_string(),
            Parameter::Flag(flag) => flag.to_string(),
            Parameter::Text(text) => quoted(text),
            Parameter::List(items) => {
                let items: Vec<String> = items.iter().map(Parameter::to_toml).collect();
                format!("[{}]", items.join(", "))
            }
            Parameter::Table(entries) => {
                let entry =
                    |(key, value): (&String, &Parameter)| format!("{} = {}", quoted(key), value.to_toml());
                let entries: Vec<String> = entries.iter().map(entry).collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use toml::de::DeTable;

    use super::*;

    #[test]
    fn what_is_written_reads_back_the_same() {
        let text = "x = [1.5, 1e-9, 1e300, 0x10, -3, true, \"a \\\"b\\\" \\n\", [[0.0, 1, -2.5]], { \"a b\" = 1, c = [] }]";
        let read = |text: &str| {
            let table = DeTable::parse(text).unwrap();
            let value = table.get_ref().values().next().unwrap().get_ref();
            Parameter::from_toml(value).unwrap()
        };
        let first = read(text);
        assert_eq!(read(&format!("x = {}", first.to_toml())), first);
        assert!(!first.to_toml().contains('\n'));
        let stiffnesses = read("x = [inf, 1.0]");
        assert_eq!(read(&format!("x = {}", stiffnesses.to_toml())), stiffnesses);
        assert_eq!(serde_json::to_string(&stiffnesses).unwrap(), "[\"inf\",1.0]");
        let json = serde_json::to_string(&first).unwrap();
        assert!(
            json.starts_with("[1.5,1e-9,1e+300,16,-3,true,\"a \\\"b\\\" \\n\",[[0.0,1,-2.5]],{"),
            "{json}"
        );
    }
}
