//! Names from logs as anchors and file names: nothing but lower-case letters, digits and hyphens is left.

use std::collections::{BTreeMap, BTreeSet};

/// Longest slug.
const LONGEST: usize = 40;

/// The name as an anchor or file name; may be equal for different names.
pub fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if out.len() >= LONGEST {
            break;
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let trimmed = out.trim_end_matches('-');
    if trimmed.is_empty() { "unnamed".to_owned() } else { trimmed.to_owned() }
}

/// A slug for each name, no two alike.
pub fn unique_slugs(names: &[String]) -> BTreeMap<String, String> {
    let mut taken = BTreeSet::new();
    let mut slugs = BTreeMap::new();
    for name in names {
        let base = slug(name);
        let mut candidate = base.clone();
        let mut n = 2;
        while !taken.insert(candidate.clone()) {
            candidate = format!("{base}-{n}");
            n += 1;
        }
        slugs.insert(name.clone(), candidate);
    }
    slugs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_become_harmless_and_stay_apart() {
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("<script>"), "script");
        assert_eq!(slug("…"), "unnamed");
        let names = ["A b", "a-b", "a/b"].map(str::to_owned);
        let slugs = unique_slugs(&names);
        assert_eq!(slugs.values().map(String::as_str).collect::<Vec<_>>(), ["a-b", "a-b-2", "a-b-3"]);
    }
}
