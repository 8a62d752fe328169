import Crypto
import Essentials
import SSOCore
import SSOReference

/// The values that must not leave a log or a recording (docs/behaviour/real-logs.md §6).
///
/// This is the only list of names for text that was written elsewhere: the text of logs, recordings, and the output of
/// `--redact`.
package enum Redaction {
  /// The kind of a removed value, for the receipt.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case token, code, password, cookie, header, person, other

    /// The kinds of values with which others can sign in.
    package static let secrets: Set<Kind> = [.token, .code, .password, .cookie, .header]
  }

  /// Returns the kind of value that a field with this name contains, or `nil` if the value may stay.
  package static func kind(ofField name: String) -> Kind? {
    let name = name.lowercased()
    if let kind = fields[name] { return kind }
    if name.hasPrefix("login_hint") { return .person }
    // `PublicKeyToken` is a part of an assembly's name, and `secretName` names an object.
    guard !publicEndings.contains(where: name.hasSuffix) else { return nil }
    if name.contains("password") || name.contains("secret") { return .password }
    if name.hasSuffix("token"), name.utf8.count > 5 { return .token }
    if name.hasPrefix(".aspnet") || cookieEndings.contains(where: name.hasSuffix) { return .cookie }
    return passwordEndings.contains(where: name.hasSuffix) ? .password : nil
  }

  /// The endings of names that are about a secret, but are not its name.
  private static let publicEndings = WordList.named("Redaction.publicEndings")
  /// The endings of names as in `DB_PASS`, `STORAGE_ACCESS_KEY`, and `x-functions-key`.
  private static let passwordEndings = WordList.named("Redaction.passwordEndings")
  /// Returns whether a name that ``kind(ofField:)`` calls a cookie's is that of a cookie itself, and not of a header.
  static func isCookie(_ name: String) -> Bool { !cookieHeaders.contains(name.lowercased()) }

  private static let cookieHeaders: Set = [
    "cookie", "cookies", "set-cookie", "set-cookie2", "set_cookie", "http_cookie", "document.cookie",
  ]
  /// The endings of the names of cookies with a session.
  private static let cookieEndings = ["sessionid", "sessid", ".sid", "session-token", "authsession"]

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
    "otp": .code, "totp": .code, "pin": .code, "verification_code": .code, "verificationcode": .code,
    "sms_code": .code, "spa_code": .code, "authcode": .code, "auth_code": .code, "session_state": .other,
    "password": .password, "passwd": .password, "pwd": .password, "client_secret": .password,
    "client_credential": .password,
    "newpassword": .password, "oldpassword": .password, "passphrase": .password, "passcode": .password,
    // Labels in German, French, Portuguese, Dutch, Norwegian, Danish, and Finnish.
    "passwort": .password, "kennwort": .password, "passe": .password, "senha": .password,
    "wachtwoord": .password, "passord": .password, "adgangskode": .password, "salasana": .password,
    "state": .other, "nonce": .other, "client_info": .person, "login": .person, "loginfmt": .person,
    "username": .person, "login_hint": .person, "upn": .person, "preferred_username": .person,
    "unique_name": .person, "email": .person, "name": .person, "given_name": .person, "family_name": .person,
    "ccs": .person, "sid": .person, "username_hint": .person, "domain_hint_user": .person,
    "cookie": .cookie, "cookies": .cookie, "set-cookie": .cookie, "set-cookie2": .cookie,
    "set_cookie": .cookie,
    "http_cookie": .cookie, "document.cookie": .cookie, "estsauth": .cookie, "estsauthpersistent": .cookie,
    "estsauthlight": .cookie, "esctx": .cookie, "buid": .cookie, "fpc": .cookie, "signinstatecookie": .cookie,
    "fedauth": .cookie,
    "rtfa": .cookie, "msisauth": .cookie, "_oauth2_proxy": .cookie, "mspauth": .cookie,
    "authorization": .header, "proxy-authorization": .header, "x-ms-refreshtokencredential": .cookie,
    "x-ms-devicecredential": .cookie, "x-anchormailbox": .person, "x-api-key": .header,
    "x-csrf-token": .header, "x-xsrf-token": .header, "x-functions-key": .header,
    // The secret with which a program on App Service asks for its managed identity.
    "identity_header": .header, "x-identity-header": .header,
    "ocp-apim-subscription-key": .header, "apikey": .token, "api_key": .token, "api-key": .token,
    "accountkey": .password, "sharedaccesskey": .password, "sharedaccesssignature": .token, "sig": .token,
    "samlart": .token, "wctx": .other, "x-ms-client-jwt": .token, "kerberos_ticket": .token,
  ]

  /// A key that is generated for each run of the program, without which a mark does not reveal the short secret that it
  /// represents.
  private static let key = SymmetricKey(size: .bits256)

  /// Returns the replacement for a value: `<hash:kqvzmngx>`.
  package static func hash(_ value: String) -> String { "<hash:" + letters(value) + ">" }

  /// Returns eight letters for the first bits of a value's HMAC-SHA256.
  ///
  /// Equal values have equal letters within one run of the program, and only there.
  static func letters(_ value: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Data(value.utf8), using: key).prefix(4)
    return String(decoding: code.flatMap { [alphabet[Int($0 >> 4)], alphabet[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The letters of a mark: neither digits of a number nor vowels, which every word contains.
  ///
  /// A mark is in the texts in which codes and failures are searched, and must not be taken for either.
  private static let alphabet = Array("ghjklmnpqrstvxyz".utf8)

  /// Returns whether a text is a result of ``hash(_:)``, from this run or another one, which is not replaced again.
  package static func isHash(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 15 && text.hasPrefix("<hash:") && text.hasSuffix(">")
  }

  /// Returns whether a value cannot be known because it was replaced with its hash, or masked as in SSOTerm's own
  /// exports.
  static func isTakenOut(_ text: some StringProtocol) -> Bool { isHash(text) || isMasked(text) }
}

extension Redaction {
  /// Returns a text of unknown format with hashes in place of secrets: the values of certain fields, and whatever looks
  /// like a token.
  ///
  /// These are `name=value`, `"name": "value"`, `[name] => value`, `--name value`, `key="name" value="value"`, `Bearer …`,
  /// `eyJ….….…`, client secrets of Entra, keys in PEM, long runs of base64, and what a sentence says is a secret
  /// (``StatedSecrets``). In a sentence, an ordinary word after `token` or `code` stays: `cannot get a token: received
  /// nothing`.
  package static func text(
    _ text: String, of kinds: Set<Kind> = Set(Kind.allCases), inSentence: Bool = false,
    taken: (Kind) -> Void = { _ in }
  ) -> String {
    var scanner = TextScanner(bytes: Array(text.utf8), kinds, isSentence: inSentence)
    scanner.scan(taken)
    return String(decoding: scanner.output, as: UTF8.self)
  }
}
