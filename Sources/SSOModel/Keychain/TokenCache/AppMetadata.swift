/// Whether a client is a member of a family (docs/behaviour/msal-cache.md §4).
///
/// No item: unknown, try family 1. An item with `""`: known to be none.
package struct AppMetadata: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  /// `environment` is the preferred-cache host.
  package init(clientID: String, environment: String, familyID: String) {
    fields = [
      "client_id": .string(clientID), "environment": .string(environment), "family_id": .string(familyID),
    ]
  }

  package var clientID: String { text("client_id") ?? "" }
  package var environment: String { text("environment") ?? "" }
  /// `1`, or empty for a client that is in no family.
  package var familyID: String {
    get { text("family_id") ?? "" }
    set { setText("family_id", newValue) }
  }
}
