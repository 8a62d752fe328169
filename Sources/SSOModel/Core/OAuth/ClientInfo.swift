/// Who the person is in every tenant: `client_info`, base64url of `{"uid":"…","utid":"…"}` (docs/behaviour/msal-cache.md §7).
package struct ClientInfo: Hashable, Sendable {
  /// Object ID in the home tenant.
  package var uid: String
  /// Home tenant's ID.
  package var utid: String

  package init(uid: String, utid: String) {
    self.uid = uid
    self.utid = utid
  }

  /// Nil if it is not base64url of JSON, or either half is missing or empty.
  package init?(_ encoded: String) {
    guard let json = Base64URL.decode(encoded).flatMap({ JSONValue(bounded: $0) }) else { return nil }
    guard let uid = json["uid"]?.string, let utid = json["utid"]?.string else { return nil }
    guard !uid.isEmpty, !utid.isEmpty else { return nil }
    self.init(uid: uid, utid: utid)
  }

  package var encoded: String {
    Base64URL.encode(JSONValue.object(["uid": .string(uid), "utid": .string(utid)]).bytes(.wire))
  }

  /// `uid.utid` in lower case.
  package var homeAccountID: String { (uid + "." + utid).lowercased() }
}
