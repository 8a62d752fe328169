import Essentials
import SSOCore
import SSOReference

/// A recording without its secrets (docs/behaviour/real-logs.md §6).
///
/// Only what is known to be harmless stays. Everything else is replaced with its hash.
package struct RecordingRedaction: Sendable {
  /// The number of removed values of each kind.
  package private(set) var receipt: [Redaction.Kind: Int] = [:]
  package private(set) var bodies = 0
  package private(set) var file = Data()

  /// - Throws: ``HARError``.
  package init(_ data: Data) throws(HARError) {
    let document: JSONValue
    do {
      document = try JSONParser.parse(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
    } catch {
      throw HARError(error)
    }
    guard let entries = document["log"]?["entries"]?.array else {
      throw HARError(reason: "Expected an object with log.entries, as HAR 1.2 has them.")
    }
    // Only fields of the format are written again, because browsers add their own fields, and pages have titles.
    let clean: JSONValue = [
      "log": [
        "version": "1.2", "creator": ["name": "ssoterm", "version": "0.1.0", "comment": "cleaned"],
        "entries": .array(entries.map { entry($0) }),
      ]
    ]
    file = clean.bytes(.document)
  }

  private mutating func take(_ kind: Redaction.Kind, _ value: String) -> String {
    guard !value.isEmpty, !Redaction.isHash(value), !value.hasPrefix("<jwt ") else { return value }
    receipt[kind, default: 0] += 1
    return Self.mark(value)
  }

  /// Returns the replacement for a value.
  ///
  /// A signed token keeps what a reader needs: `<jwt hash:1a2b3c4d alg=RS256 aud=… exp=…>`.
  private static func mark(_ value: String) -> String {
    guard value.hasPrefix("eyJ"), let token = try? JSONWebToken(unverified: value) else {
      return Redaction.hash(value)
    }
    let header = ["alg", "kid"].compactMap { name in token.header[name]?.string.map { "\(name)=\(safe($0))" }
    }
    let claims = ["aud", "iss", "tid", "iat", "nbf", "exp"].compactMap { name in
      token.claims[name].map { "\(name)=\(safe($0.string ?? $0.text(.wire)))" }
    }
    return "<jwt hash:\(Redaction.letters(value)) \((header + claims).joined(separator: " "))>"
  }

  /// Returns a safe form of a token's value, into which the token's creator may have put anything.
  private static func safe(_ text: String) -> String {
    let text = Redaction.text(text)
    return text.utf8.count > 120 ? Redaction.hash(text) : text
  }

  // MARK: - What may stay

  private static let plainFields = Set(WordList.named("RecordingRedaction.plainFields"))
  private static let plainHeaders = Set(WordList.named("RecordingRedaction.plainHeaders"))
  private static let urlHeaders: Set<String> = ["location", "referer", "content-location"]

  /// Returns the display form of a field of a query or a form: its value, or its hash.
  static func shown(_ name: String, _ value: String) -> String {
    if value.isEmpty || Redaction.isHash(value) { return value }
    guard plainFields.contains(name.lowercased()) else { return Redaction.hash(value) }
    return LogText.shown(value.contains("@") ? Redaction.text(value) : value)
  }

  private mutating func field(_ name: String, _ value: String) -> String {
    guard Self.plainFields.contains(name.lowercased()) else {
      return take(Redaction.kind(ofField: name) ?? .other, value)
    }
    return name.lowercased().hasSuffix("redirect_uri") ? url(value) : text(value)
  }

  private mutating func text(_ value: String) -> String {
    var found: [Redaction.Kind] = []
    let clean = Redaction.text(value) { found.append($0) }
    for kind in found { receipt[kind, default: 0] += 1 }
    guard clean.contains("@") else { return clean }
    // `User account 'ada@contoso.com' …`: a word that looks like an email address belongs to a user.
    return clean.split(omittingEmptySubsequences: false) { " '\"<>(),;".contains($0) }.reduce(into: clean) {
      text, word in
      if word.contains("@"), !word.contains("://") {
        text = text.replacing(word, with: take(.person, String(word)))
      }
    }
  }

  private mutating func url(_ value: String) -> String {
    guard let parts = URLParts(value) else { return take(.other, value) }
    let authority = parts.authority.contains("@") ? take(.password, parts.authority) : parts.authority
    var clean = parts.scheme + ":" + (authority.isEmpty ? "" : "//" + authority)
    clean += path(parts.path)
    for (mark, fields) in [("?", parts.query), ("#", parts.fragment)] {
      guard let fields, !fields.isEmpty else { continue }
      clean += mark + form(fields)
    }
    return clean
  }

  /// Redacts a path, in which a name is a user's and a long run is a token.
  private mutating func path(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let isName = segment.contains("@") || segment.lowercased().contains("%40")
      return isName ? take(.person, String(segment)) : text(String(segment))
    }
    .joined(separator: "/")
  }

  /// Redacts `name=value&…`; a text in any other form is replaced entirely.
  private mutating func form(_ text: String) -> String {
    guard text.contains("="), let fields = FormEncoding.decode(text, maximumFields: 1000) else {
      return take(.other, text)
    }
    return FormEncoding.encode(fields.map { NameValue(Redaction.text($0.name), field($0.name, $0.value)) })
  }

  // MARK: - An entry

  private mutating func entry(_ entry: JSONValue) -> JSONValue {
    var clean: [String: JSONValue] = ["cache": .object([:])]
    for name in ["startedDateTime", "time"] { clean[name] = entry[name].map { plain($0) } }
    clean["timings"] = [
      "send": .integer(0), "wait": entry["time"].map { plain($0) } ?? .integer(0), "receive": .integer(0),
    ]
    clean["request"] = request(entry["request"])
    clean["response"] = response(entry["response"])
    return .object(clean)
  }

  /// Returns a number or a time unchanged, and replaces any other text.
  private mutating func plain(_ value: JSONValue) -> JSONValue {
    guard let text = value.string else { return value.object == nil && value.array == nil ? value : .null }
    return Instant(iso8601: text) == nil || text.utf8.count > 40 ? .string(take(.other, text)) : value
  }

  private mutating func request(_ request: JSONValue?) -> JSONValue {
    var clean = message(request)
    clean["method"] = .string(text(request?["method"]?.string ?? ""))
    let address = request?["url"]?.string ?? ""
    clean["url"] = .string(url(address))
    clean["queryString"] = .array(
      (URLParts(address)?.query.flatMap { FormEncoding.decode($0) } ?? []).map {
        [
          "name": .string(Redaction.text($0.name)),
          "value": .string(RecordingRedaction.shown($0.name, $0.value)),
        ]
      })
    if let post = request?["postData"] {
      let body = post["text"]?.string ?? Self.encoded(post["params"])
      let type = post["mimeType"]?.string ?? ""
      clean["postData"] = [
        "mimeType": .string(text(type)),
        "text": .string(self.body(body, isForm: !type.lowercased().contains("json"))),
      ]
    }
    return .object(clean)
  }

  private static func encoded(_ params: JSONValue?) -> String {
    FormEncoding.encode(
      (params?.array ?? []).compactMap { pair in
        pair["name"]?.string.map {
          NameValue(
            FormEncoding.decodeText($0) ?? $0, FormEncoding.decodeText(pair["value"]?.string ?? "") ?? "")
        }
      })
  }

  private mutating func response(_ response: JSONValue?) -> JSONValue {
    var clean = message(response)
    clean["status"] = response?["status"].map { plain($0) } ?? .integer(0)
    clean["statusText"] = .string(text(response?["statusText"]?.string ?? ""))
    clean["redirectURL"] = .string(
      response?["redirectURL"]?.string.flatMap { $0.isEmpty ? nil : url($0) } ?? "")
    let content = response?["content"]
    var body = content?["text"]?.string ?? ""
    if content?["encoding"]?.string == "base64" {
      body =
        Data(base64Encoded: body, options: .ignoreUnknownCharacters).map {
          String(decoding: $0, as: UTF8.self)
        } ?? ""
    }
    clean["content"] = [
      "size": .integer(Int64(body.utf8.count)), "mimeType": .string(text(content?["mimeType"]?.string ?? "")),
      "text": .string(self.body(body, isForm: false)),
    ]
    return .object(clean)
  }

  /// Redacts headers and cookies, which have the same form in requests and responses.
  private mutating func message(_ message: JSONValue?) -> [String: JSONValue] {
    let headers: [JSONValue] = (message?["headers"]?.array ?? []).compactMap { header in
      guard let name = header["name"]?.string, let value = header["value"]?.string else { return nil }
      return ["name": .string(Redaction.text(name)), "value": .string(self.header(name.lowercased(), value))]
    }
    let cookies: [JSONValue] = (message?["cookies"]?.array ?? []).compactMap { cookie in
      cookie["name"]?.string.map {
        ["name": .string(Redaction.text($0)), "value": .string(take(.cookie, cookie["value"]?.string ?? ""))]
      }
    }
    return [
      "headers": .array(headers), "cookies": .array(cookies), "headersSize": .integer(-1),
      "bodySize": .integer(-1),
      "httpVersion": .string(text(message?["httpVersion"]?.string ?? "")),
    ]
  }

  private mutating func header(_ name: String, _ value: String) -> String {
    if Self.urlHeaders.contains(name) { return url(value) }
    if name == "www-authenticate" || Self.plainHeaders.contains(name) { return text(value) }
    switch name {
    case "cookie", "set-cookie":
      // The names stay, because a reader wants to know which session there was.
      return value.split(separator: name == "cookie" ? ";" : "\n").map { pair in
        let halves = pair.split(separator: "=", maxSplits: 1)
        let secret = halves.count > 1 ? String(halves[1].prefix { $0 != ";" }) : ""
        return Redaction.text(halves.first.map { $0.trimmed } ?? "") + "=" + take(.cookie, secret)
      }
      .joined(separator: name == "cookie" ? "; " : "\n")
    case "authorization":
      let halves = value.split(separator: " ", maxSplits: 1).map(String.init)
      guard halves.count == 2 else { return take(.header, value) }
      return Redaction.text(halves[0]) + " " + take(.token, halves[1])
    default: return take(Redaction.kind(ofField: name) ?? .header, value)
    }
  }

  // MARK: - Bodies

  private mutating func body(_ body: String, isForm: Bool) -> String {
    if body.isEmpty { return "" }
    if let value = JSONValue(bounded: Data(body.utf8), maximumBytes: 4_194_304, maximumDepth: 40) {
      return json(value, "").text(.wire)
    }
    if isForm, body.contains("="), FormEncoding.decode(body, maximumFields: 1000) != nil { return form(body) }
    bodies += 1
    // Keep only the error that a page reports.
    let error = body.contains("AADSTS") ? LoggedError(HTMLText.plain(body)).map { " " + $0.text } ?? "" : ""
    return "[\(body.utf8.count) bytes taken out]\(error)"
  }

  private mutating func json(_ value: JSONValue, _ name: String) -> JSONValue {
    switch value {
    case .object(let members):
      return .object(
        Dictionary(
          members.map { (Redaction.text($0.key), json($0.value, $0.key)) }, uniquingKeysWith: { a, _ in a }))
    case .array(let elements): return .array(elements.map { json($0, name) })
    case .string(let text): return .string(isPlain(name) ? self.text(text) : field(name, text))
    case .integer(let number) where Redaction.kind(ofField: name) != nil:
      return .string(take(Redaction.kind(ofField: name) ?? .other, "\(number)"))
    case .numeral(let digits): return .string(take(.other, digits))
    case .integer, .number, .bool, .null: return value
    }
  }

  /// Returns whether a field is part of a discovery document or a key set.
  private func isPlain(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("_endpoint") || name.hasSuffix("_supported")
      || ["issuer", "jwks_uri", "kid", "kty", "use", "alg"].contains(name)
  }
}
