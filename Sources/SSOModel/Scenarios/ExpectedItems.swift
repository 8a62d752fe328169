/// The expected keychain items of one access group, counted after the step.
///
/// Omitted values are not checked.
package struct ExpectedItems: Hashable, Sendable {
  /// The full access group, including the team prefix.
  package var group: String
  /// A part of the item's service.
  package var service: String?
  /// The kind of item, as the Keychain screen displays it.
  package var kind: ItemKind?
  package var format: ItemFormat?
  /// The possible owners: each is the item's username, or part of its account attribute.
  package var owner: [String] = []
  /// The number of items, or `nil` for at least one.
  package var count: Int?

  func judge(_ rows: [KeychainItemRow]) -> Mismatch? {
    let matching = rows.filter(matches)
    guard count.map({ $0 != matching.count }) ?? matching.isEmpty else { return nil }
    let words = [
      "items", format.map { "in \($0.rawValue) format" }, kind?.rawValue, service.map { "with '\($0)'" },
      owner.first.map { "of \($0)" }, "in \(group)",
    ].compactMap(\.self)
    let wanted = count.map(String.init) ?? "1 or more"
    return Mismatch(expected: "\(wanted) \(words.joined(separator: " "))", found: "\(matching.count)")
  }

  private func matches(_ row: KeychainItemRow) -> Bool {
    if let service, !row.key.service.contains(service) { return false }
    if let kind, kind.rawValue != row.kind { return false }
    if let format, format != row.format { return false }
    return owner.isEmpty || owner.contains { $0 == row.username || row.key.account.contains($0) }
  }
}
