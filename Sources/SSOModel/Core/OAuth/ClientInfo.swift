/// The `client_info` value, which identifies a user across tenants.
///
/// It is the base64url encoding of `{"uid":"…","utid":"…"}` (docs/behaviour/msal-cache.md §7).
package struct ClientInfo: Hashable, Sendable {
  /// The user's object ID in the home tenant.
  package var uid: String
  /// The home tenant's ID.
  package var utid: String

  package init(uid: String, utid: String) {
    self.uid = uid
    self.utid = utid
  }

  /// Creates a value from its encoded form, or returns `nil` if it is not base64url of JSON or if either ID is missing
  /// or empty.
  package init?(_ encoded: String) {
    guard let json = Base64URL.decode(encoded).flatMap({ JSONValue(bounded: $0) }) else { return nil }
    guard let uid = json["uid"]?.string, let utid = json["utid"]?.string else { return nil }
    guard !uid.isEmpty, !utid.isEmpty else { return nil }
    self.init(uid: uid, utid: utid)
  }

  package var encoded: String {
    Base64URL.encode(JSONValue.object(["uid": .string(uid), "utid": .string(utid)]).bytes(.wire))
  }

  /// The home account ID: `uid.utid` in lowercase.
  package var homeAccountID: String { (uid + "." + utid).lowercased() }
}
