import Essentials
import SSOReference

/// An HTTP request as the provider receives it, with its target split into parts and its body complete.
package struct HTTPRequest: Codable, Hashable, Sendable {
  package var method: String
  /// The scheme and host, such as `https://login.microsoftonline.com`, which determine the issuer and the environment.
  package var origin: String
  /// The percent-encoded path, beginning with `/`.
  package var path: String
  package var query: [NameValue]
  package var headers: [NameValue]
  /// The decoded fields of an `application/x-www-form-urlencoded` body.
  package var form: [NameValue]
  /// The unchanged body of any other type, such as the JSON of a registration.
  package var body: Data

  package init(
    _ method: String, origin: String, path: String, query: [NameValue] = [], headers: [NameValue] = [],
    form: [NameValue] = [], body: Data = Data()
  ) {
    self.method = method
    self.origin = origin
    self.path = path
    self.query = query
    self.headers = headers
    self.form = form
    self.body = body
  }
}

/// An HTTP response; status 0 represents a response that never arrived.
package struct HTTPResponse: Codable, Hashable, Sendable {
  package var status: Int
  package var headers: [NameValue]
  package var body: Data

  package init(_ status: Int, headers: [NameValue] = [], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A missing response: status 0 means that the connection failed.
  package static let noConnection = HTTPResponse(0)
}

extension [NameValue] {
  /// The first value with this name, or `nil` if the name does not occur.
  package subscript(name: String) -> String? { first { $0.name == name }?.value }
}

extension HTTPRequest {
  /// The URL of this request.
  package var url: String {
    origin + path + (query.isEmpty ? "" : "?" + FormEncoding.encode(query))
  }

  /// Returns a field of the body or, if it is not there, of the query; `nil` if the field is missing or empty.
  package func field(_ name: String) -> String? {
    let value = form[name] ?? query[name]
    return value?.isEmpty == true ? nil : value
  }

  /// The first name that occurs twice in the query or twice in the body, or `nil` if names are not repeated.
  package var repeatedField: String? {
    [query, form].lazy.compactMap { fields in
      var seen: Set<String> = []
      return fields.first { !seen.insert($0.name).inserted }?.name
    }.first
  }
}

extension HTTPRequest {
  /// The word of `User-Agent` by which a page in an app's own web view names itself: the SDK reads where the page goes, and
  /// answers challenges (`kMSIDPKeyAuthKeyWordForUserAgent` in `CC/workplacejoin/MSIDWorkPlaceJoinConstants.m`).
  package static let embeddedViewMark = "PKeyAuth/1.0"

  /// Whether the page is in an app's own web view.
  package var isFromEmbeddedView: Bool {
    header("User-Agent")?.contains(Self.embeddedViewMark) ?? false
  }

  /// Returns the request of the browser or view with this `User-Agent`.
  package func shown(by userAgent: String) -> HTTPRequest {
    var request = self
    request.headers.append(NameValue("User-Agent", userAgent))
    return request
  }

  /// Whether `User-Agent` names a platform of Conditional Access (Microsoft Learn, "Block access for unknown or unsupported
  /// device platform").
  package var namesKnownPlatform: Bool {
    let agent = header("User-Agent") ?? ""
    return ["iPhone", "iPad", "Android", "Macintosh", "Windows"].contains { agent.contains($0) }
  }
}

extension HTTPResponse {
  /// The target of a redirect, from the `Location` header, or `nil` if the header is missing.
  package var location: String? {
    headers.first { $0.isHeader("location") }?.value
  }
}

extension NameValue {
  /// Returns whether this is the header with the given name, ignoring the case of ASCII letters (RFC 9110 §5.1).
  package func isHeader(_ name: String) -> Bool {
    self.name.utf8.count == name.utf8.count
      && zip(self.name.utf8, name.utf8).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension HTTPRequest {
  /// Creates a request from the parts received over a socket.
  ///
  /// It accepts what real clients send: unescaped spaces and `:` in a form, and a form without `Content-Type`. It
  /// rejects what cannot be decoded (a lone `%`, bytes that are not valid UTF-8) rather than guessing.
  ///
  /// `target` is the path and query, as in the request line.
  /// - Throws: `OAuthError` with `invalid_request` if a percent escape or UTF-8 cannot be decoded.
  package init(
    _ method: String, origin: String, target: String, headers: [NameValue] = [], body: Data = Data()
  ) throws(OAuthError) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let path = halves.first, path.hasPrefix("/"),
      let query = FormEncoding.decode(halves.dropFirst().first ?? "")
    else {
      throw .malformed(.invalidRequest, "The request's target cannot be decoded.")
    }
    self.init(method, origin: origin, path: path, query: query, headers: headers, body: body)
    let type = header("Content-Type")?.lowercased().prefix { $0 != ";" }.trimmed ?? ""
    guard !body.isEmpty, type == "application/x-www-form-urlencoded" || type.isEmpty else { return }
    guard let text = String(validating: body, as: UTF8.self), let form = FormEncoding.decode(text) else {
      let fields = body.count(where: { $0 == UInt8(ascii: "&") }) + 1
      throw .malformed(
        .invalidRequest,
        fields > FormEncoding.maximumFields
          ? "The body has \(fields) fields: at most \(FormEncoding.maximumFields) are read."
          : "The body is not application/x-www-form-urlencoded: a '%' or a byte of it cannot be decoded.")
    }
    self.form = form
    self.body = Data()
  }

  /// Returns the first header with this name, ignoring case, or `nil` if it is missing.
  package func header(_ name: String) -> String? {
    headers.first { $0.isHeader(name) }?.value
  }

  /// The name and value of each cookie in the `Cookie` headers (RFC 6265 §4.2).
  package var cookies: [NameValue] {
    headers.filter { $0.isHeader("cookie") }.flatMap { $0.value.split(separator: ";") }
      .compactMap { pair in
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return halves.count == 2 ? NameValue(halves[0].trimmed, halves[1].trimmed) : nil
      }
  }
}
