extension WhyQueries {
  /// Explains which apps can use a credential and which condition prevents the others.
  ///
  /// - Parameter id: The `TokenRow.id`.
  /// - Returns: The checks of each app, or `nil` if the credential does not exist.
  /// - Throws: `StoreError`.
  package func credential(_ id: String) throws -> Checklist? {
    guard let row = try TokenQueries(reader: reader).detail(id)?.row, let rowID = Int64(id.dropFirst()),
      let credential = try reader.items.item(row: rowID).flatMap({ SharedCredential($0) })
    else { return nil }
    let isIssued = row.accessGroup.hasPrefix(ExternalClient.teamID + ".")
    let apps = isIssued ? try reader.externalClients().map(\.asApp) : reader.installed
    let rules = try apps.map {
      SharingRule(credential: credential, app: try SharingQueries(reader: reader).app($0))
    }
    let users = row.apps.isEmpty ? "No app can use it" : "Usable by \(row.apps.joined(separator: ", "))"
    let isUnknown = row.state == .unknown
    let isInForce = row.state.isUsable || isUnknown
    let inForce = Check(
      "it is valid", expected: "valid or expiring",
      found: isUnknown ? "not issued here: only its provider knows" : row.state.rawValue,
      verdict: isUnknown ? .skipped : isInForce ? .passed : .failed, source: "silent-call.md §1")
    let unusable =
      rules.lazy.compactMap(\.checks.firstFailure).first
      ?? Check("an app can use it", expected: "an app", found: "none", false, source: "claim C8")
    return Checklist(
      title: "Who can use the \(row.type) \(row.id)",
      answer: users + (isInForce ? "." : ", but it is \(row.state.rawValue)."),
      cause: isInForce ? row.apps.isEmpty ? unusable : nil : inForce,
      sections: [Checklist.Section(title: "The credential itself", checks: [inForce])]
        + rules.map { rule in
          Checklist.Section(
            title: "\(rule.app.app.displayName): \(rule.holds ? "can use it" : "cannot use it")",
            checks: rule.checks)
        })
  }
}
