/// A person in one tenant: one item per realm, shared by all apps of the access group (fact sheet §1.4).
public struct AccountItem: CacheEntity {
  public var fields: [String: JSONValue]

  public init(fields: [String: JSONValue]) { self.fields = fields }

  public init(type: AccountType = .mssts, _ values: [AccountField: String] = [:]) {
    fields = [AccountField.authorityType.rawValue: .string(type.jsonName)]
    for (field, value) in values { fields[field.rawValue] = .string(value) }
  }

  /// A known key's value; nil if it is absent or no string. Setting nil removes the key.
  public subscript(field: AccountField) -> String? {
    get { text(field.rawValue) }
    set { setText(field.rawValue, newValue) }
  }

  /// Nil if `authority_type` is absent or unknown: such an item is dropped on read.
  public var type: AccountType? { self[.authorityType].flatMap(AccountType.init(jsonName:)) }
  /// `uid.utid`.
  public var homeAccountID: String { self[.homeAccountID] ?? "" }
  /// The person's object ID in this realm; a guest has another one than at home.
  public var localAccountID: String { self[.localAccountID] ?? "" }
  public var username: String { self[.username] ?? "" }
  public var name: String? { self[.name] }
  public var environment: String { self[.environment] ?? "" }
  /// Tenant ID.
  public var realm: String { self[.realm] ?? "" }
  /// Base64url text as the server sent it.
  public var clientInfo: String? { self[.clientInfo] }

  /// This account over an older one: keys that only the older has are kept (§1.4, on save).
  public func merged(over old: AccountItem) -> AccountItem {
    AccountItem(fields: old.fields.merging(fields) { $1 })
  }
}
