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
