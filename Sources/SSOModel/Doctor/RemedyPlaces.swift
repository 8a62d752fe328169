import SSOCore

extension Diagnosis {
  /// Returns the place of the value that a remedy changes, or of its app or registration if the files do not have the
  /// value, or `nil` if they have neither.
  package func place(of remedy: Remedy) -> FilePlace? {
    let field = String(remedy.change.prefix(while: \.isLetter))
    switch remedy.kind {
    case .app: break
    case .registration:
      let facts = registrations.first { $0.clientID.value.lowercased() == remedy.record.lowercased() }
      return facts.map { field.hasSuffix("edirectURIs") ? $0.redirects.first?.place ?? $0.origin : $0.origin }
    case .device, .person: return nil
    }
    if let facts = apple.first(where: { $0.bundleID?.value == remedy.record }) {
      return place(of: remedy.change, in: facts) ?? facts.origin
    }
    guard let facts = android.first(where: { $0.packageNames.contains(remedy.record) }) else { return nil }
    return field == "scopes" ? placeOfScopes(of: facts.name) ?? facts.origin : place(of: field, in: facts)
  }

  /// Returns the place of scopes that are a mistake, or `nil` without a finding.
  private func placeOfScopes(of subject: String) -> FilePlace? {
    findings.first { $0.rule == .requestScopes && $0.subject == subject }?.place
  }

  private func place(of field: String, in facts: AndroidFacts) -> FilePlace {
    let configuration = facts.configuration
    let place: FilePlace? =
      switch field {
      case "clientID": configuration?.clientID?.place
      case "redirectURI": configuration?.redirectURI?.place
      case "accountMode": configuration?.accountMode?.place
      case "authority": configuration.map { FilePlace($0.path, line: $0.authoritiesLine) }
      case "urlForwarding": facts.filters.first?.place ?? facts.activity ?? facts.manifest
      case "isActivityExported": facts.activity ?? facts.manifest
      default: nil
      }
    return place ?? facts.origin
  }

  /// Returns the place of the field in a change such as `clientID=…` or `keychainAccessGroups+=…`.
  private func place(of change: String, in facts: AppleFacts) -> FilePlace? {
    switch change.prefix(while: \.isLetter) {
    case "clientID": return facts.clientID?.place
    case "teamID": return facts.teamID?.place
    // Without a value in code, it belongs where the code creates the application object.
    case "redirectURI": return facts.source?.redirectURI.place ?? facts.source?.clientID.place
    case "authority", "authorityClass", "knownAuthorities":
      return facts.source?.authority.place ?? facts.source?.clientID.place
    case "scopes": return placeOfScopes(of: facts.subject)
    case "keychainSharingGroup": return facts.source?.keychainGroup.place ?? facts.source?.clientID.place
    case "urlSchemes": return facts.urlSchemes?.place
    case "queriesSchemes": return facts.querySchemes?.place
    case "urlForwarding": return findings.first { $0.rule == .callback && $0.subject == facts.subject }?.place
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
