/// Who the person is in every tenant: `client_info`, base64url of `{"uid":"…","utid":"…"}` (fact sheet §3.1).
public struct ClientInfo: Hashable, Sendable {
  /// Object ID in the home tenant.
  public var uid: String
  /// Home tenant's ID.
  public var utid: String

  public init(uid: String, utid: String) {
    self.uid = uid
    self.utid = utid
  }

  /// Nil if it is no base64url of JSON, or either half is missing or empty.
  public init?(_ encoded: String) {
    guard let json = Base64URL.decode(encoded).flatMap({ JSONValue(bounded: $0) }) else { return nil }
    guard let uid = json["uid"]?.string, let utid = json["utid"]?.string else { return nil }
    guard !uid.isEmpty, !utid.isEmpty else { return nil }
    self.init(uid: uid, utid: utid)
  }

  public var encoded: String {
    Base64URL.encode(JSONValue.object(["uid": .string(uid), "utid": .string(utid)]).wireBytes())
  }

  /// `uid.utid` in lower case.
  public var homeAccountID: String { (uid + "." + utid).lowercased() }
}
