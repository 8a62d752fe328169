/// An error that describes why the lab could not perform an action: the problem, its cause, and the next
/// step.
package struct LabError: Error, Hashable, Sendable {
  /// The kind of error, for `--json`.
  package enum Kind: String, Codable, Sendable {
    case unknownApp, ambiguousApp, unknownAccount, unknownCredential, nothingMatched, badInput,
      readOnly
    /// Errors of undo and redo: only other users' intents are left, or another intent has changed the same
    /// rows since.
    case notOwn, changedSince
  }

  package var kind: Kind
  package var what: String
  package var why: String
  package var next: Advice

  package init(_ kind: Kind, _ what: String, why: String, next: Advice) {
    self.kind = kind
    self.what = what
    self.why = why
    self.next = next
  }

  /// Returns the error for an unknown name, with the most similar name as a suggestion.
  static func unknown(_ kind: Kind, _ noun: String, _ name: String, among names: [String], list: Advice)
    -> LabError
  {
    let nearest = nearestName(to: name, among: names)
    return LabError(
      kind, "There is no \(noun) \(name).",
      why: names.isEmpty ? "This lab has none." : "The lab has: \(names.prefix(8).joined(separator: ", ")).",
      next: nearest.map { "Did you mean \($0)?" } ?? "List them: \(list)")
  }
}

/// Returns the most similar name, by its spelling or that of one of its parts (`mytestapp9` resembles
/// `com.contoso.mytestapp1`).
package func nearestName(to name: String, among names: [String]) -> String? {
  if let whole = names.closestSpelling(to: name) { return whole }
  for known in names {
    let parts = known.split { ".@ -".contains($0) }.map(String.init)
    if parts.closestSpelling(to: name) != nil { return known }
  }
  return nil
}
