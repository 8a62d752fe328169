import SSOCore

extension Diagnosis {
  /// Returns the place of the value that a remedy changes, or of its app if no file has the value, or `nil` if it is
  /// for no app here.
  package func place(of remedy: Remedy) -> FilePlace? {
    guard remedy.kind == .app else { return nil }
    if let facts = apple.first(where: { $0.bundleID?.value == remedy.record }) {
      return place(of: remedy.change, in: facts) ?? facts.origin
    }
    let facts = android.first { $0.packageName?.value == remedy.record }
    let client = remedy.change.hasPrefix("clientID=") ? facts?.configurations.first?.clientID?.place : nil
    return client ?? facts?.origin
  }

  /// Returns the place of the field in a change such as `clientID=…` or `keychainAccessGroups+=…`.
  private func place(of change: String, in facts: AppleFacts) -> FilePlace? {
    switch change.prefix(while: \.isLetter) {
    case "clientID": return facts.clientID?.place
    case "teamID": return facts.teamID?.place
    case "redirectURI": return facts.source?.redirectURI.place
    case "authority": return facts.source?.authority.place
    case "keychainSharingGroup": return facts.source?.keychainGroup.place ?? facts.source?.clientID.place
    case "urlSchemes": return facts.urlSchemes?.place
    case "queriesSchemes": return facts.querySchemes?.place
    case "keychainAccessGroups":
      switch facts.entitlements {
      case .groups(let list, let file): return list?.place ?? file
      case .none(let place, _): return place
      case .unread: return nil
      }
    default: return nil
    }
  }
}
