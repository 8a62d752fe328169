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
  }

  /// Returns the kind of value that a field with this name contains, or `nil` if the value may stay.
  package static func kind(ofField name: String) -> Kind? {
    let name = name.lowercased()
    return fields[name]
      ?? (name.hasPrefix("login_hint")
        ? .person
        : name.contains("password") || name.contains("secret")
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
    "newpassword": .password, "oldpassword": .password, "passphrase": .password, "passcode": .password,
    // Labels in German, French, Portuguese, Dutch, Norwegian, Danish, and Finnish.
    "passwort": .password, "kennwort": .password, "passe": .password, "senha": .password,
    "wachtwoord": .password, "passord": .password, "adgangskode": .password, "salasana": .password,
    "state": .other, "nonce": .other, "client_info": .person, "login": .person, "loginfmt": .person,
    "username": .person, "login_hint": .person, "upn": .person, "preferred_username": .person,
    "unique_name": .person, "email": .person, "name": .person, "given_name": .person, "family_name": .person,
    "ccs": .person, "sid": .person, "username_hint": .person, "domain_hint_user": .person,
    "cookie": .cookie, "set-cookie": .cookie, "set-cookie2": .cookie,
    "authorization": .header, "proxy-authorization": .header, "x-ms-refreshtokencredential": .cookie,
    "x-ms-devicecredential": .cookie, "x-anchormailbox": .person, "x-api-key": .header,
    "x-csrf-token": .header, "x-xsrf-token": .header, "x-functions-key": .header,
    "ocp-apim-subscription-key": .header, "apikey": .token, "api_key": .token, "api-key": .token,
    "accountkey": .password, "sharedaccesskey": .password, "sig": .token,
  ]

  /// A key that is generated for each run of the program, without which a mark does not reveal the short secret that it
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

extension Redaction {
  /// Returns a text of unknown format with hashes in place of secrets: the values of certain fields, and whatever looks
  /// like a token.
  ///
  /// These are `name=value`, `"name": "value"`, `[name] => value`, `--name value`, `key="name" value="value"`, `Bearer …`,
  /// `eyJ….….…`, client secrets of Entra, and any run of 60 or more base64 characters. In a sentence, an ordinary word after `token` or `code` stays: `cannot get a token: received nothing`.
  package static func text(
    _ text: String, inSentence: Bool = false, taken: (Kind) -> Void = { _ in }
  ) -> String {
    var scanner = TextScanner(bytes: Array(text.utf8), isSentence: inSentence)
    scanner.scan(taken)
    return String(decoding: scanner.output, as: UTF8.self)
  }
}

/// A scanner that reads a text once.
private struct TextScanner {
  let bytes: [UInt8]
  let isSentence: Bool
  var output: [UInt8] = []
  private var index = 0

  init(bytes: [UInt8], isSentence: Bool) {
    (self.bytes, self.isSentence) = (bytes, isSentence)
    output.reserveCapacity(bytes.count)
  }

  mutating func scan(_ taken: (Redaction.Kind) -> Void) {
    while index < bytes.count {
      guard Self.isWord(bytes[index]) else {
        if let password = passwordOfURL(index) {
          taken(.password)
          output += bytes[index..<password.lowerBound]
          output += Array(Redaction.hash(String(decoding: bytes[password], as: UTF8.self)).utf8)
          index = password.upperBound
          continue
        }
        output.append(bytes[index])
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
      let word = start..<index
      if word.count >= Self.shortestSecret {
        let text = String(decoding: bytes[word], as: UTF8.self)
        if Self.looksSecret(text) {
          taken(.token)
          output += Array(Redaction.hash(text).utf8)
          continue
        }
      }
      output += bytes[word]
      guard let (kind, value) = value(after: word) else { continue }
      output += bytes[index..<value.lowerBound]
      index = value.upperBound
      let text = String(decoding: bytes[value], as: UTF8.self)
      // `Code=-50002` of an NSError: an authorization code is never a number.
      // `Code="NoSuchLamp"` and `"code":"NoSuchLamp"` are errors of Azure; an authorization code has digits.
      if Self.isHarmless(text)
        || kind == .code && names(word, "code") && (Int(text) != nil || isNameOfError(value))
        || goesOn(value, after: word, kind)
      {
        output += bytes[value]
      } else {
        taken(kind)
        output += Array(Redaction.hash(text).utf8)
      }
    }
  }

  /// Returns the range of the password in `://user:password@host`, whose colon is at `colon`, or of a user name of 16
  /// characters or more in `https://user@host`, which may be a token, or `nil` if there is neither.
  private func passwordOfURL(_ colon: Int) -> Range<Int>? {
    guard bytes[colon] == 0x3A, at(colon + 1) == 0x2F, at(colon + 2) == 0x2F else { return nil }
    let authority = bytes[min(colon + 3, bytes.count)...].prefix(1000).prefix {
      !$0.isSpace && $0 != 0x2F && $0 != 0x3F && $0 != 0x23 && !isQuote($0) && $0 != 0x3C && $0 != 0x5C
    }
    guard let end = authority.lastIndex(of: 0x40) else { return nil }
    guard let start = authority[..<end].firstIndex(of: 0x3A) else {
      let scheme = bytes[..<colon].suffix(5)
      let isWeb = scheme.suffix(4).elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
      return isWeb && end - authority.startIndex >= 16 ? authority.startIndex..<end : nil
    }
    return start + 1 < end ? start + 1..<end : nil
  }

  /// Returns the kind and the range of a secret value after a word, or `nil` if there is none.
  ///
  /// Most words of a log have no value, so only a word that has one is looked up.
  private func value(after word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    let before = word.lowerBound > 0 ? bytes[word.lowerBound - 1] : 0x0A
    if before == 0x3C || before == 0x3A, at(index) == 0x20 || at(index) == 0x3E, let value = content(of: word)
    {
      return value
    }
    if names(word, "code"), let code = oneTimeCode(after: word) { return (.password, code) }
    if at(index) == 0x20 { return names(word, "bearer") ? bearerToken : spacedValue(after: word) }
    // `ida:ClientSecret` is a key of ASP.NET's settings.
    let isQuoted =
      isQuote(at(index)) && (isQuote(before) || before == 0x3A) || at(index) == 0x5D && before == 0x5B
    // In a quotation inside a string, a backslash precedes each quotation mark.
    var sign = isQuoted ? index + 1 : index
    if at(index) == 0x5C, isQuote(at(index + 1)) { sign = index + 2 }
    let isName = isQuoted || sign == index + 2
    if isQuoted, bytes[min(sign, bytes.count)...].starts(with: " value=".utf8) { sign += 6 }
    while at(sign) == 0x20 { sign += 1 }
    // `JWT::LampError` names a class.
    guard at(sign) == 0x3D || at(sign) == 0x3A && at(sign + 1) != 0x3A,
      let kind = Redaction.kind(ofField: String(decoding: bytes[word], as: UTF8.self))
    else { return nil }
    // In running text, the values after these words are not secrets: "error code: 500", "state: 1", "responding to
    // request: StatusCode=403".
    if at(sign) == 0x3A, !isName,
      kind == .person || kind == .other || kind == .code || names(word, "request") || names(word, "response")
    {
      return nil
    }
    // `=>` of PHP and Ruby.
    var first = at(sign) == 0x3D && at(sign + 1) == 0x3E ? sign + 2 : sign + 1
    while at(first) == 0x20 { first += 1 }
    // Values inside an object or a list are removed, but not the object or list itself.
    guard at(first) != 0x7B, at(first) != 0x5B else { return nil }
    switch kind {
    case .cookie: return (kind, first..<(bytes[first...].firstIndex(of: 0x0A) ?? bytes.count))
    case .header: return (kind, headerValue(first))
    default: break
    }
    let escape = at(first) == 0x5C && isQuote(at(first + 1)) ? 1 : 0
    guard isQuote(at(first + escape)) else { return (kind, plainValue(first)) }
    let open = first + escape + 1
    return (kind, open..<closingQuote(bytes[first + escape], from: open, isEscaped: escape == 1))
  }

  /// Returns the content of an element of XML that has a secret: `<o:Password Type="lamp">…</o:Password>`, or `nil` for any
  /// other element.
  private func content(of word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    let name = String(decoding: bytes[word], as: UTF8.self)
    guard let kind = Redaction.kind(ofField: name), kind == .password || kind == .token,
      let open = bytes[index...].prefix(300).firstIndex(of: 0x3E),
      !bytes[index..<open].contains(0x3C),
      let end = bytes[(open + 1)...].firstIndex(where: { $0 == 0x3C || $0 == 0x0A }), end > open + 1
    else { return nil }
    return (kind, open + 1..<end)
  }

  /// The token after `Bearer`, which the words of a sentence are not: `Bearer was not authenticated`.
  private var bearerToken: (Redaction.Kind, Range<Int>)? {
    let value = plainValue(index + 1)
    let isToken = value.count >= 20 || bytes[value].contains { $0.isDigit || $0 == 0x2E }
    return isToken ? (.token, value) : nil
  }

  /// Returns the value that a space separates from its name: that of an option on a command line, such as
  /// `--client-secret …`, and any that looks like a secret, such as in `the secret value …`.
  private func spacedValue(after word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    let isOption = bytes[word.lowerBound] == 0x2D
    let name = String(decoding: bytes[word], as: UTF8.self).lowercased()
    if isOption, let value = optionValue(name) { return (.password, value) }
    if name == "convertto-securestring" { return (.password, quotedOrPlainValue(index + 1)) }
    guard let kind = Redaction.kind(ofField: name), kind == .password || kind == .token else { return nil }
    let (first, isStated) = afterFillers(index + 1)
    let value = quotedOrPlainValue(first)
    let isMeant =
      kind == .password && !name.contains("secret")
      ? isPassword(value, word) : isStated && isStatedSecret(value)
    return Self.looksRandom(bytes[value]) || isMeant ? (kind, value) : nil
  }

  /// Returns the index after the words between a secret's name and its value, and whether one of them is a verb.
  private func afterFillers(_ start: Int) -> (first: Int, isStated: Bool) {
    var (first, isStated) = (start, false)
    for _ in 0..<2 {
      guard let filler = Self.fillers.first(where: { bytes[first...].starts(with: $0.utf8) }) else { break }
      first += filler.utf8.count
      isStated = isStated || filler == "is " || filler == "was "
    }
    return (first, isStated)
  }

  /// The words that may stand between a secret's name and its value, of which there are two at most: `the secret sent was …`.
  private static let fillers = [
    "value ", "is ", "was ", "sent ", "used ", "given ", "entered ", "provided ", "received ",
  ]

  /// Returns whether a value behind a name and a verb is a secret: `the secret sent was lamp5lamp`.
  ///
  /// Without the verb, a name after `secret` is that of an object of Kubernetes.
  private func isStatedSecret(_ value: Range<Int>) -> Bool {
    guard !value.isEmpty else { return false }
    return isQuote(at(value.lowerBound - 1)) ? isQuote(at(value.upperBound)) : mixesDigits(bytes[value])
  }

  /// Returns whether a value after the word `password` is a password: `with password 'red lamp'`, `password lamp5l`,
  /// `using password lamp`.
  private func isPassword(_ value: Range<Int>, _ word: Range<Int>) -> Bool {
    guard !value.isEmpty else { return false }
    if isQuote(at(value.lowerBound - 1)) { return isQuote(at(value.upperBound)) }
    let text = bytes[value]
    if mixesDigits(text) || text.dropFirst().dropLast().contains(where: { "@#$%!^*".utf8.contains($0) }) {
      return true
    }
    // Without digits, it is the last word of a part of a sentence: `with password lamp, as lee`.
    let before = String(decoding: bytes[..<word.lowerBound].suffix(6), as: UTF8.self).lowercased()
    let next = at(value.upperBound)
    guard text.count >= 4, before.hasSuffix("using ") || before.hasSuffix("with "),
      next == 0x0A || next == 0x2C || next == 0x3B || text.last == 0x2E
    else { return false }
    let last = String(decoding: text, as: UTF8.self).lowercased().trimming { $0 == "." }
    return !Self.ofPasswords.contains(last)
      && !["tion", "ing", "ment", "ed", "als"].contains(where: last.hasSuffix)
  }

  /// The words that follow `with password` in a sentence; nouns with an ending such as in `authentication` are not listed.
  private static let ofPasswords: Set = [
    "again", "alone", "auth", "change", "expiry", "first", "flow", "grant", "hash", "here", "instead",
    "login", "manager",
    "mode", "only", "policy", "prompt", "reset", "sign-in", "signin", "sync", "too", "type",
  ]

  /// Returns whether a word has letters and digits as a secret does, and is not a number, a path, a time, or the name of an
  /// algorithm.
  private func mixesDigits(_ text: ArraySlice<UInt8>) -> Bool {
    text.count >= 6 && text.contains(where: \.isDigit) && text.contains(where: \.isLetter)
      && !text.starts(with: "0x".utf8) && !text.contains(0x2F) && !text.contains(0x3A)
      && !["base64", "sha", "md5", "pbkdf2", "x509", "utf", "aes", "oauth2"].contains { name in
        text.starts(with: name.utf8) { $0 | 0x20 == $1 }
      }
  }

  /// Returns the range of a code that the user reads and types, or `nil` for any other code.
  ///
  /// `verification code: 068349`, `OTP code 068349`, `enter the code ABC123DEF to authenticate`.
  private func oneTimeCode(after word: Range<Int>) -> Range<Int>? {
    var first = index
    if at(first) == 0x3A { first += 1 }
    guard at(first) == 0x20 else { return nil }
    first = afterFillers(first + 1).first
    let value = quotedOrPlainValue(first)
    var end = value.upperBound
    if end > value.lowerBound, at(end - 1) == 0x2E { end -= 1 }
    let text = bytes[value.lowerBound..<end]
    guard (4...12).contains(text.count),
      text.allSatisfy({ $0.isDigit || (0x41...0x5A).contains($0) || $0 == 0x2D })
    else { return nil }
    if text.count >= 6, bytes[end...].starts(with: " to authenticate".utf8) { return value.lowerBound..<end }
    let before = String(decoding: bytes[..<word.lowerBound].suffix(16), as: UTF8.self).lowercased()
    let isNamed = ["otp ", "totp ", "verification ", "one-time ", "passcode ", "security "].contains(
      where: before.hasSuffix)
    return isNamed && text.contains(where: \.isDigit) ? value.lowerBound..<end : nil
  }

  /// Returns the value of an option that is a secret, or `nil` for another option.
  private func optionValue(_ name: String) -> Range<Int>? {
    let value = quotedOrPlainValue(index + 1)
    guard let first = bytes[value].first, first != 0x2D, first != 0x28 else { return nil }
    switch name {
    case "-p": return isOfLogin ? value : nil
    case "-u", "--user":
      // `curl -u PERSON:PASSWORD`
      guard let colon = bytes[value].firstIndex(of: 0x3A), at(colon + 1) != 0x2F else { return nil }
      return colon + 1..<value.upperBound
    default:
      let field = name.drop { $0 == "-" }.replacing("-", with: "_")
      let kind = Redaction.kind(ofField: field)
      return kind == .password || kind == .token ? value : nil
    }
  }

  /// Whether the line so far is a command line with a user, whose `-p` is the password.
  private var isOfLogin: Bool {
    let start = bytes[..<index].suffix(400)
    let line = String(
      decoding: start.suffix(from: start.lastIndex(of: 0x0A) ?? start.startIndex), as: UTF8.self)
    return line.contains(" -u ") || line.contains(" --username ") || line.contains(" login ")
  }

  private func quotedOrPlainValue(_ first: Int) -> Range<Int> {
    isQuote(at(first))
      ? first + 1..<closingQuote(at(first), from: first + 1, isEscaped: false) : plainValue(first)
  }

  /// Returns whether what stands in the place of a value is the next word of a text, and no value.
  ///
  /// After the name of a token and a colon, that is a short word with another one behind it, a word that begins a reason,
  /// the status of a response, or a known code: `Invalid Jwt: The ID Token …`, `cannot get a token: 401 Unauthorized`,
  /// `get-token: invalid_grant: expired`. Any other word may be a token. In a sentence, no token is a short word of letters,
  /// and no authorization code is a short number or without digits.
  private func goesOn(_ value: Range<Int>, after word: Range<Int>, _ kind: Redaction.Kind) -> Bool {
    let hasColon = !value.isEmpty && at(value.upperBound - 1) == 0x3A
    let text = bytes[value.lowerBound..<value.upperBound - (hasColon ? 1 : 0)]
    let isWord = text.count <= 12 && text.allSatisfy { $0.isLetter || isSentence && $0 == 0x5F }
    let name = String(decoding: bytes[word], as: UTF8.self)
    if isSentence, name.hasSuffix("code") {
      let isNumber = text.contains { !$0.isLetter && $0 != 0x5F }
      return text.count <= (isNumber ? 6 : 40)
    }
    if isSentence, name.hasSuffix("token"), isWord { return true }
    guard kind == .token, !names(word, "secret"), at(value.lowerBound - 1) == 0x20,
      at(value.lowerBound - 2) == 0x3A
    else { return false }
    let isFollowed = at(value.upperBound) == 0x20
    if isFollowed, isWord || text.count == 3 && text.allSatisfy(\.isDigit) { return true }
    let known = String(decoding: text, as: UTF8.self)
    return Self.firstWords.contains(known) || Explanation.isStringCode(known)
  }

  private static let firstWords: Set = [
    "a", "an", "authentication", "authorization", "cannot", "connection", "context", "could", "error",
    "expired", "failed", "forbidden", "invalid", "missing", "no", "not", "request", "server", "the",
    "timeout",
    "unable", "unauthorized", "unexpected", "unknown",
  ]

  /// Returns the range up to white space or a character that ends a value in a form, JSON, or a sentence.
  private func plainValue(_ first: Int) -> Range<Int> {
    let end = bytes[min(first, bytes.count)...].firstIndex {
      $0.isSpace || $0 == 0x26 || $0 == 0x22 || $0 == 0x27 || $0 == 0x7D || $0 == 0x5D || $0 == 0x3C
        || $0 == 0x3B
        || $0 == 0x2C
    }
    return min(first, bytes.count)..<(end ?? bytes.count)
  }

  /// Returns whether a value is quoted and consists of a few words, each with a capital first: `NoSuchLamp`.
  private func isNameOfError(_ value: Range<Int>) -> Bool {
    guard isQuote(at(value.lowerBound - 1)), value.count <= 40, bytes[value].allSatisfy(\.isLetter) else {
      return false
    }
    let capitals = value.filter { bytes[$0] < 0x61 }
    // In random letters, every second one is a capital.
    return capitals.first == value.lowerBound && capitals.count * 3 <= value.count
  }

  /// Returns the range of a header's value, without a scheme such as `Bearer`, which stays.
  private func headerValue(_ first: Int) -> Range<Int> {
    let start = isQuote(at(first)) ? first + 1 : first
    let word = plainValue(start)
    return at(word.upperBound) == 0x20 && word.count < 10 ? plainValue(word.upperBound + 1) : word
  }

  private func closingQuote(_ quote: UInt8, from start: Int, isEscaped: Bool) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != 0x0A {
      if bytes[index] == quote { return index }
      if bytes[index] == 0x5C {
        if isEscaped, at(index + 1) == quote { return index }
        index += 1
      }
      index += 1
    }
    return min(index, bytes.count)
  }

  /// Returns whether a word is this name, ignoring case.
  private func names(_ word: Range<Int>, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(bytes[word]) { $0 == $1 | 0x20 } }
  }

  private func at(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x0A }
  private func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }

  /// Returns whether a byte occurs in tokens, codes, names, and percent-encoded values.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == 0x5F || byte == 0x2D || byte == 0x2E || byte == 0x7E
      || byte == 0x25
      || byte == 0x2B || byte == 0x2F || byte == 0x40 || byte == 0x21 || byte == 0x2A
  }

  /// Returns whether a word in the place of a value is not a secret, such as the number in `bad_token: AADSTS50173`.
  private static func isHarmless(_ value: String) -> Bool {
    value.isEmpty || Redaction.isHash(value) || value.hasPrefix("Masked") || isNumberOfEntra(value)
      || value.hasPrefix("auth.placeholder")
      // A class of Ruby or C++: `InvalidAuthenticityToken: ActionController::InvalidAuthenticityToken`.
      || value.contains("::")
      || value.allSatisfy { $0 == "*" }
      // `(using password: YES)` is MySQL's.
      || ["null", "(null)", "nil", "none", "None", "true", "false", "not-null", "YES)", "NO)"].contains(value)
  }

  private static func isNumberOfEntra(_ value: String) -> Bool {
    value.hasPrefix("AADSTS") && value.utf8.dropFirst(6).allSatisfy { $0.isDigit || $0 == 0x3A }
  }

  /// Returns whether a word has the form of a client secret of Entra: some 40 characters, of which the fourth to sixth are a
  /// digit and `Q~` (https://learn.microsoft.com/purview/sit-defn-azure-ad-client-secret).
  private static func isClientSecret(_ word: String.UTF8View) -> Bool {
    guard (37...41).contains(word.count) else { return false }
    let middle = Array(word.dropFirst(3).prefix(3))
    return middle[0].isDigit && middle[1] == 0x51 && middle[2] == 0x7E
  }

  /// Returns whether a word of 12 characters or more has digits, and letters of both cases or a `~`.
  private static func looksRandom(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.count { $0.isDigit }
    let capitals = word.count { (0x41...0x5A).contains($0) }
    let letters = word.count { $0.isLetter }
    return word.count >= 12 && digits > 1 && (capitals > 0 && letters > capitals || word.contains(0x7E))
      && word.allSatisfy { isWord($0) || $0 == 0x3D }
  }

  /// The minimum length of a token; shorter words are never treated as one.
  private static let shortestSecret = 20

  /// Returns whether a word looks like a token: `eyJ…`, Entra's refresh tokens and codes (`0.A…`, `1.A…`, `M.C…`), or
  /// any long run.
  private static func looksSecret(_ word: String) -> Bool {
    let count = word.utf8.count
    if word.hasPrefix("eyJ") { return count >= shortestSecret }
    if word.hasPrefix("0.A") || word.hasPrefix("1.A") || word.hasPrefix("M.C") { return count >= 24 }
    if isClientSecret(word.utf8) { return true }
    guard count >= 60 else { return false }
    // The words of a sentence in a form are short: `error_description=AADB2C%3a+An+exception+…`.
    if count < 15 * word.utf8.count(where: { $0 == 0x2B }) { return false }
    // A path or a URL has slashes and dots between its words; a token has long runs.
    return (word.utf8.split { $0 == 0x2F || $0 == 0x2E }.map(\.count).max() ?? 0) >= 60
  }
}
