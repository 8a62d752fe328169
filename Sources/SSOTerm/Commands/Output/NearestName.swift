/// The name that is written most like `name`, if any is near enough to be meant.
func nearestName(to name: String, among names: [String]) -> String? {
  let wanted = Array(name.lowercased().unicodeScalars)
  let scored = names.map { candidate in
    (candidate, score(wanted, Array(candidate.lowercased().unicodeScalars)))
  }
  guard let best = scored.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
  return best.1 <= max(2, wanted.count / 2) ? best.0 : nil
}

/// 1 where one name is a part of the other, otherwise the edit distance.
private func score(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  if a == b { return 0 }
  if a.count > 2, b.count > 2, b.contains(a) || a.contains(b) { return 1 }
  return editDistance(a, b)
}

/// Levenshtein: insertions, deletions and replacements, one row at a time.
func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
  var row = Array(0...b.count)
  for (i, left) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, right) in b.enumerated() {
      let replaced = diagonal + (left == right ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
    }
  }
  return row[b.count]
}
