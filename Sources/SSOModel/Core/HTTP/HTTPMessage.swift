import Essentials

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

/// An HTTP response; status 0 stands for a response that never arrived.
package struct HTTPResponse: Codable, Hashable, Sendable {
  package var status: Int
  package var headers: [NameValue]
  package var body: Data

  package init(_ status: Int, headers: [NameValue] = [], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The absence of a response: status 0 means that no connection could be made.
  package static let noConnection = HTTPResponse(0)
}

extension [NameValue] {
  /// The first value with this name, or `nil` if there is none.
  package subscript(name: String) -> String? { first { $0.name == name }?.value }
}
