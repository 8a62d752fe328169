import Crypto
import Essentials

/// The values that must not leave a log or a recording (docs/behaviour/real-logs.md §6).
///
/// This is the only list of names, for the text of logs, for recordings, and for the output of `--redact`.
package enum Redaction {
  /// The kind of a removed value, for the receipt.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case token, code, password, cookie, header, person, other
  }

  /// Returns the kind of value that a field with this name contains, or `nil` if the value may stay.
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

  /// A key that is new in each run of the program, without which a mark does not reveal the short secret that it
  /// represents.
  private static let key = SymmetricKey(size: .bits256)

  /// Returns the replacement for a value: `<hash:1a2b3c4d>`.
  package static func hash(_ value: String) -> String { "<hash:" + digits(value) + ">" }

  /// Returns eight hexadecimal digits of a value's HMAC-SHA256.
  ///
  /// Equal values have equal digits within one run of the program, and only there.
  static func digits(_ value: String) -> String {
    HMAC<SHA256>.authenticationCode(for: Data(value.utf8), using: key).prefix(4).map(hexadecimal).joined()
  }

  /// Returns whether a text is a result of ``hash(_:)``, from this run or another one, which is not replaced again.
  package static func isHash(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 15 && text.hasPrefix("<hash:") && text.hasSuffix(">")
  }

  /// Returns whether a value cannot be known because it was replaced with its hash, or masked as in SSOTerm's own
  /// exports.
  static func isTakenOut(_ text: some StringProtocol) -> Bool { isHash(text) || isMasked(text) }
}

extension String {
  /// Returns whether a text occurs in this string.
  ///
  /// Foundation's `contains` creates an `NSString` of both, and a log needs this check for each word.
  fileprivate func holds(_ text: StaticString) -> Bool {
    var name = self
    return name.withUTF8 { LineBytes($0).index(of: text) != nil }
  }
}
