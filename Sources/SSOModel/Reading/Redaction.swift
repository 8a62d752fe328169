import Crypto
import Essentials

/// What must not leave a log or a recording (docs/behaviour/real-logs.md §6).
///
/// The one list of names: for logs' text, for recordings, for what `--redact` writes.
package enum Redaction {
  /// What a taken-out value was, for the receipt.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case token, code, password, cookie, header, person, other
  }

  /// What a field of that name holds; nil if its value may stay.
  package static func kind(ofField name: String) -> Kind? {
    let name = name.lowercased()
    return fields[name]
      ?? (name.hasPrefix("login_hint")
        ? .person
        : name.holds("password") || name.holds("secret")
          ? .password : name.hasSuffix("token") && name.utf8.count > 5 ? .token : nil)
  }

  private static let fields: [String: Kind] = [
    "access_token": .token, "refresh_token": .token, "id_token": .token, "id_token_hint": .token,
    "logout_hint": .person, "assertion": .token, "client_assertion": .token, "request": .token, "prt": .token,
    "refreshtoken": .token, "accesstoken": .token, "idtoken": .token, "subject_token": .token,
    "actor_token": .token, "session_key_jwe": .token, "session_key": .token, "req_cnf": .token, "jwt": .token,
    "flowtoken": .token, "sft": .token, "ctx": .token, "canary": .token, "apicanary": .token, "token": .token,
    "samlresponse": .token, "wresult": .token, "encrypteddata": .token, "sessionid": .token, "secret": .token,
    "hpgrequestid": .other, "tenant_session_key": .token, "broker_key": .password, "response": .token,
    "application_token": .token, "broker_application_token": .token,
    "code": .code, "code_verifier": .code, "device_code": .code, "user_code": .code, "otc": .code,
    "spa_code": .code, "authcode": .code, "auth_code": .code, "session_state": .other,
    "password": .password, "passwd": .password, "pwd": .password, "client_secret": .password,
    "newpassword": .password, "oldpassword": .password,
    "state": .other, "nonce": .other, "client_info": .person, "login": .person, "loginfmt": .person,
    "username": .person, "login_hint": .person, "upn": .person, "preferred_username": .person,
    "unique_name": .person, "email": .person, "name": .person, "given_name": .person, "family_name": .person,
    "ccs": .person, "sid": .person, "username_hint": .person, "domain_hint_user": .person,
    "cookie": .cookie, "set-cookie": .cookie, "set-cookie2": .cookie,
    "authorization": .header, "proxy-authorization": .header, "x-ms-refreshtokencredential": .cookie,
    "x-ms-devicecredential": .cookie, "x-anchormailbox": .person, "x-api-key": .header,
    "x-csrf-token": .header, "x-xsrf-token": .header,
  ]

  /// New in each run of the program: without it a mark does not tell which short secret it represents.
  private static let key = SymmetricKey(size: .bits256)

  /// What is in place of a value: `<hash:1a2b3c4d>`.
  package static func hash(_ value: String) -> String { "<hash:" + digits(value) + ">" }

  /// Eight hexadecimal digits of HMAC-SHA256: equal values have equal ones within a run of the program, and only there.
  static func digits(_ value: String) -> String {
    HMAC<SHA256>.authenticationCode(for: Data(value.utf8), using: key).prefix(4).map(hexadecimal).joined()
  }

  /// Whether the text is one that ``hash(_:)`` made, in this run or another one, which is not taken out again.
  package static func isHash(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 15 && text.hasPrefix("<hash:") && text.hasSuffix(">")
  }

  /// Whether the value cannot be known: it is replaced by its hash, or masked as in SSOTerm's own exports.
  static func isTakenOut(_ text: some StringProtocol) -> Bool { isHash(text) || isMasked(text) }
}

extension String {
  /// Whether the text occurs in it.
  ///
  /// Foundation's `contains` makes an `NSString` of both: a log asks this for each word.
  fileprivate func holds(_ text: StaticString) -> Bool {
    var name = self
    return name.withUTF8 { LineBytes($0).index(of: text) != nil }
  }
}
