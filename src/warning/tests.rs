use super::*;

#[test]
fn copies_are_warned_once() {
    let warning =
        |body: &str, text: &str| Warning { body: Some(body.into()), key: "scale", text: text.into() };
    let [a, b] = ["a", "b"].map(|body| warning(body, "large"));
    let merged = merge(vec![vec![a.clone()], vec![a.clone(), b], vec![a.clone()]]);
    let told = " (so in copy 1; 1 of 3 copies are warned of it)";
    assert_eq!(merged, [a.clone(), warning("b", &format!("large{told}"))]);
    // Alike in all, but not the same.
    let merged = merge(vec![vec![a], vec![warning("a", "larger")]]);
    assert_eq!(merged, [warning("a", "large (so in copy 0; 2 of 2 copies are warned of it)")]);
}
