/// A person in one tenant: one item per realm, shared by all apps of the access group (docs/behaviour/msal-cache.md §3).
package struct AccountItem: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  package init(type: AccountType = .mssts, _ values: [AccountField: String] = [:]) {
    fields = [AccountField.authorityType.rawValue: .string(type.jsonName)]
    for (field, value) in values { fields[field.rawValue] = .string(value) }
  }

  /// A known key's value; nil if it is absent or no string.
  ///
  /// Setting nil removes the key.
  package subscript(field: AccountField) -> String? {
    get { text(field.rawValue) }
    set { setText(field.rawValue, newValue) }
  }

  /// Nil if `authority_type` is absent or unknown: such an item is dropped on read.
  package var type: AccountType? { self[.authorityType].flatMap(AccountType.init(jsonName:)) }
  /// `uid.utid`.
  package var homeAccountID: String { self[.homeAccountID] ?? "" }
  package var username: String { self[.username] ?? "" }
  package var name: String? { self[.name] }
  package var environment: String { self[.environment] ?? "" }
  /// Tenant ID.
  package var realm: String { self[.realm] ?? "" }

  /// This account over an older one: keys that only the older has are kept (msal-cache.md §3, on save).
  package func merged(over old: AccountItem) -> AccountItem {
    AccountItem(fields: old.fields.merging(fields) { $1 })
  }
}
