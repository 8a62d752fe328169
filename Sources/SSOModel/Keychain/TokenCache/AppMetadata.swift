/// Whether a client is a member of a family (fact sheet §1.5). No item: unknown, try family 1. An item with
/// `""`: known to be none.
public struct AppMetadata: CacheEntity {
  public var fields: [String: JSONValue]

  public init(fields: [String: JSONValue]) { self.fields = fields }

  /// - Parameter environment: the host of the request, not the preferred-cache host.
  public init(clientID: String, environment: String, familyID: String) {
    fields = [
      "client_id": .string(clientID), "environment": .string(environment), "family_id": .string(familyID),
    ]
  }

  public var clientID: String { text("client_id") ?? "" }
  public var environment: String { text("environment") ?? "" }
  /// `1`, or empty for a client that is in no family.
  public var familyID: String {
    get { text("family_id") ?? "" }
    set { setText("family_id", newValue) }
  }
}
