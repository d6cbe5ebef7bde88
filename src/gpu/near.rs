//! Finds names similar to an unknown one, for messages.

/// Most names in a hint.
const MOST: usize = 3;

/// "; did you mean ..?" with the names of `known` nearest to `name`, or an empty text if none is near. If names are
/// paths, the nearest end of the path counts.
pub(super) fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let most = 1 + name.len() / 4;
    let mut near: Vec<(usize, &str)> =
        known.map(|known| (from_ends(name, known), known)).filter(|n| n.0 <= most).collect();
    near.sort_unstable();
    near.dedup();
    let least = near.first().map_or(0, |n| n.0);
    near.retain(|n| n.0 == least);
    near.truncate(MOST);
    let quoted: Vec<String> = near.iter().map(|n| format!("'{}'", n.1)).collect();
    if quoted.is_empty() { String::new() } else { format!("; did you mean {}?", quoted.join(" or ")) }
}

/// The least distance between `name` and an end of the path `known`.
fn from_ends(name: &str, known: &str) -> usize {
    let ends = known.match_indices('/').map(|(at, _)| &known[at + 1..]);
    ends.chain([known]).map(|end| distance(name, end)).min().unwrap_or(usize::MAX)
}

/// Levenshtein distance: insertions, deletions and changes of letters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j].min(diagonal) + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn near_names_are_offered_and_far_ones_are_not() {
        let known = ["methods/vbd/descend.wgsl", "methods/xpbd/ends.wgsl", "methods/local_global/ends.wgsl"];
        let hint = |name| hint(name, known.into_iter());
        assert_eq!(hint("vbd/descent.wgsl"), "; did you mean 'methods/vbd/descend.wgsl'?");
        assert_eq!(
            hint("ends.wgsl"),
            "; did you mean 'methods/local_global/ends.wgsl' or 'methods/xpbd/ends.wgsl'?"
        );
        assert_eq!(hint("something else"), "");
    }
}
