import Essentials
import SSOCore

/// A browser's recording in HAR 1.2, as Firefox, Chromium, Playwright, and mitmproxy write it.
package struct HARFile: Sendable {
  /// The maximum size of a file, in bytes.
  package static let sizeLimit = 268_435_456
  /// The maximum number of requests to read; the recording of an entire day has more.
  static let mostEntries = 50_000

  let exchanges: [RecordedExchange]
  /// The number of entries that lack a method or a URL, or exceed the limit.
  package let unreadable: Int
  /// Whether the recording has no cookies and no `Authorization`, as in Chrome's “sanitized” recordings.
  package let lacksCookies: Bool

  /// Returns whether a file appears to be a recording: JSON with an object `log` near its beginning.
  ///
  /// Each line of a container's log is an object with a text `log`.
  package static func isRecording(_ head: some Collection<UInt8>) -> Bool {
    let text = String(decoding: head.prefix(4096), as: UTF8.self)
    guard text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "{",
      let key = text.firstRange(of: "\"log\"")
    else { return false }
    let rest = text[key.upperBound...].drop(while: \.isWhitespace)
    guard rest.first == ":" else { return false }
    let value = rest.dropFirst().first { !$0.isWhitespace }
    return value == "{" || value == nil
  }

  /// - Throws: ``HARError``.
  package init(_ data: Data) throws(HARError) {
    guard data.count <= Self.sizeLimit else {
      throw HARError(reason: "It is larger than \(Self.sizeLimit / 1_048_576) MB.")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let document: JSONValue
    do {
      document = try JSONParser.parse(data.starts(with: mark) ? data.dropFirst(3) : data)
    } catch {
      throw HARError(error)
    }
    guard let entries = document["log"]?["entries"]?.array else {
      throw HARError(reason: "Expected an object with log.entries, as HAR 1.2 has them.")
    }
    var exchanges: [RecordedExchange] = []
    var unreadable = 0
    for (index, entry) in entries.prefix(Self.mostEntries).enumerated() {
      if let exchange = RecordedExchange(entry, number: index + 1) {
        exchanges.append(exchange)
      } else {
        unreadable += 1
      }
    }
    self.unreadable = unreadable + max(0, entries.count - Self.mostEntries)
    self.exchanges = exchanges
    lacksCookies = !exchanges.contains { exchange in
      exchange.request.header("Cookie") != nil || exchange.request.header("Authorization") != nil
        || exchange.response.headers.contains { $0.isHeader("Set-Cookie") }
    }
  }
}

/// An error that describes why a file cannot be read as a recording.
package struct HARError: Error, CustomStringConvertible, Sendable {
  var reason: String
  package var description: String { reason }

  init(reason: String) { self.reason = reason }

  init(_ error: any Error) {
    guard let error = error as? JSONParseError else {
      reason = "It is not JSON."
      return
    }
    reason =
      switch error.reason {
      case .truncated: "The file is truncated at byte \(error.offset). Did the browser stop while it wrote?"
      case .unexpected(let expected): "Not JSON at byte \(error.offset): expected \(expected)."
      case .tooDeep: "Nested too deeply at byte \(error.offset)."
      }
  }
}

/// One request with its response.
struct RecordedExchange: Sendable {
  /// The one-based position in the file.
  package var number: Int
  package var at: Instant?
  /// The time until the response arrived, in milliseconds.
  var duration: Double
  package var request: HTTPRequest
  package var response: HTTPResponse
  /// The URL as it was sent, with its fragment.
  var url: URLParts

  init?(_ entry: JSONValue, number: Int) {
    guard let request = entry["request"], let method = request["method"]?.string,
      var url = request["url"]?.string.flatMap({ URLParts($0) })
    else { return nil }
    url.removeUserInfo()
    self.number = number
    self.url = url
    at = entry["startedDateTime"]?.string.flatMap { Instant(iso8601: $0) }
    duration = entry["time"]?.double ?? 0
    self.request = HTTPRequest(
      method, origin: url.origin, path: url.path.isEmpty ? "/" : url.path,
      query: Self.fields(url.query) ?? Self.pairs(request["queryString"]), headers: Self.headers(request),
      form: Self.form(request["postData"]), body: Data((request["postData"]?["text"]?.string ?? "").utf8))
    let answer = entry["response"]
    var headers = Self.headers(answer)
    if let target = answer?["redirectURL"]?.string, !target.isEmpty,
      !headers.contains(where: { $0.isHeader("Location") })
    {
      headers.append(NameValue("Location", target))
    }
    response = HTTPResponse(
      Int(answer?["status"]?.double ?? 0), headers: headers, body: Self.content(answer?["content"]))
  }

  private static func fields(_ query: String?) -> [NameValue]? {
    query.flatMap { FormEncoding.decode($0) }
  }

  private static func pairs(_ list: JSONValue?) -> [NameValue] {
    (list?.array ?? []).prefix(500).compactMap { pair in
      pair["name"]?.string.map { NameValue($0, pair["value"]?.string ?? "") }
    }
  }

  /// Returns the headers, including the cookies if the message has them only as a list.
  private static func headers(_ message: JSONValue?) -> [NameValue] {
    var headers = pairs(message?["headers"])
    let cookies = pairs(message?["cookies"])
    if !cookies.isEmpty, !headers.contains(where: { $0.name.lowercased().hasSuffix("cookie") }) {
      headers.append(NameValue("Cookie", cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")))
    }
    return headers
  }

  private static func form(_ post: JSONValue?) -> [NameValue] {
    let type = post?["mimeType"]?.string?.lowercased() ?? ""
    guard type.isEmpty || type.hasPrefix("application/x-www-form-urlencoded") else { return [] }
    if let text = post?["text"]?.string, let fields = fields(text), !fields.isEmpty { return fields }
    // Browsers write these parameters as they were sent, still encoded.
    return pairs(post?["params"]).map {
      NameValue(FormEncoding.decodeText($0.name) ?? $0.name, FormEncoding.decodeText($0.value) ?? $0.value)
    }
  }

  private static func content(_ content: JSONValue?) -> Data {
    guard let text = content?["text"]?.string else { return Data() }
    guard content?["encoding"]?.string == "base64" else { return Data(text.utf8) }
    return Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
  }
}

extension JSONValue {
  /// The value of any number, whether it is an integer or not.
  fileprivate var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value) where value.isFinite && abs(value) < 1e12: value
    default: nil
    }
  }
}
