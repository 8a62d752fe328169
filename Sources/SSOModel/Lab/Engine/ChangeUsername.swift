import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SSOStore

/// The change of a user's username, which "may change at any time" (claim F3).
///
/// The directory and all of the provider's records follow. The caches of apps and the broker keep the old name until
/// they get a new token, so an app finds the account again only by its identifier.
extension IntentTransaction {
  /// The kinds of records in which the provider names users.
  private static let kindsWithUsernames: [DocumentKind] = [
    .person, .authorizationCode, .refreshToken, .ssoSession, .policy, .deviceRegistration, .managedDevice,
    .appEnrollment, .group, .appRole, .revocation,
  ]

  /// Replaces a username wherever the provider refers to the user, in values and keys.
  ///
  /// - Throws: `LabError` if the new name cannot be a username in the user's directory.
  func changeUsername(_ old: String, to new: String) throws {
    let domain = new.split(separator: "@").last.map(String.init) ?? ""
    let person = try directory.knownPerson(old)
    guard new.contains("@"), !new.contains(where: \.isWhitespace), !new.contains("/"),
      try person.isPersonal || directory.tenant(byNameOrID: domain)?.id == person.homeTenantID
    else {
      throw LabError(
        .badInput, "“\(new)” cannot be a username of \(old).",
        why: "Expected a name in a domain of the home tenant, without spaces and slashes.",
        next: "\(.show, "person", old)")
    }
    guard try directory.person(username: new).map({ $0.objectID == person.objectID }) ?? true else {
      throw LabError(
        .badInput, "A user \(new) exists already.", why: "Usernames are unique.",
        next: "\(.list, "person")")
    }
    for kind in Self.kindsWithUsernames {
      for (key, body) in try store.documents(kind, keyPrefix: "") {
        let document = try JSONParser.parse(body)
        let renamed = document.renaming(old, to: new)
        let newKey = key.split(separator: "/", omittingEmptySubsequences: false)
          .map { $0.lowercased() == old.lowercased() ? new.lowercased() : String($0) }.joined(separator: "/")
        guard renamed != document || newKey != key else { continue }
        if newKey != key { try store.delete(kind, key) }
        try store.put(renamed.bytes(.wire), kind, newKey)
      }
    }
  }
}

extension JSONValue {
  /// Returns the document with each string that is the old name replaced; a lowercase name is replaced in lowercase.
  fileprivate func renaming(_ old: String, to new: String) -> JSONValue {
    switch self {
    case .string(let text) where text.lowercased() == old.lowercased():
      .string(text == text.lowercased() && text != old ? new.lowercased() : new)
    case .array(let list): .array(list.map { $0.renaming(old, to: new) })
    case .object(let members): .object(members.mapValues { $0.renaming(old, to: new) })
    default: self
    }
  }
}
