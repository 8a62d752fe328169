import SSOCore

/// A user in one tenant: one item for each realm, shared by all apps of the access group (docs/behaviour/msal-cache.md
/// §3).
package struct AccountItem: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  package init(type: AccountType = .mssts, _ values: [AccountField: String] = [:]) {
    fields = [AccountField.authorityType.rawValue: .string(type.jsonName)]
    for (field, value) in values { fields[field.rawValue] = .string(value) }
  }

  /// The value of a known key, or `nil` if it is absent or not a string.
  ///
  /// Setting `nil` removes the key.
  package subscript(field: AccountField) -> String? {
    get { text(field.rawValue) }
    set { setText(field.rawValue, newValue) }
  }

  /// The account type, or `nil` if `authority_type` is absent or unknown; such an item is dropped on read.
  package var type: AccountType? { self[.authorityType].flatMap(AccountType.init(jsonName:)) }
  /// The home account ID: `uid.utid`.
  package var homeAccountID: String { self[.homeAccountID] ?? "" }
  package var username: String { self[.username] ?? "" }
  package var name: String? { self[.name] }
  package var environment: String { self[.environment] ?? "" }
  /// The tenant ID.
  package var realm: String { self[.realm] ?? "" }

  /// Returns this account merged over an older one, with the keys that only the older one has (msal-cache.md §3, on
  /// save).
  package func merged(over old: AccountItem) -> AccountItem {
    AccountItem(fields: old.fields.merging(fields) { $1 })
  }
}

/// The family membership of a client (docs/behaviour/msal-cache.md §4).
///
/// A missing item means that the membership is unknown and family 1 should be tried. An item with `""` means that the
/// client is known not to be in a family.
package struct AppMetadata: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  /// Creates an item; `environment` is the preferred-cache host.
  package init(clientID: String, environment: String, familyID: String) {
    fields = [
      "client_id": .string(clientID), "environment": .string(environment), "family_id": .string(familyID),
    ]
  }

  package var clientID: String { text("client_id") ?? "" }
  package var environment: String { text("environment") ?? "" }
  /// The family ID: `1`, or an empty string for a client that is not in a family.
  package var familyID: String {
    get { text("family_id") ?? "" }
    set { setText("family_id", newValue) }
  }
}
