import Essentials

/// An HTTP request as the provider takes it: the target is split, the body is whole.
package struct HTTPRequest: Codable, Hashable, Sendable {
  package var method: String
  /// `https://login.microsoftonline.com`; decides issuer and environment.
  package var origin: String
  /// Percent-encoded path, beginning with `/`.
  package var path: String
  package var query: [NameValue]
  package var headers: [NameValue]
  /// Fields of an `application/x-www-form-urlencoded` body, decoded.
  package var form: [NameValue]
  /// A body of another type, as it came: the JSON of a registration.
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

/// An answer of HTTP; status 0 stands for one that never came.
package struct HTTPResponse: Codable, Hashable, Sendable {
  package var status: Int
  package var headers: [NameValue]
  package var body: Data

  package init(_ status: Int, headers: [NameValue] = [], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// No answer at all: status 0 means that no connection could be made.
  package static let noConnection = HTTPResponse(0)
}

extension [NameValue] {
  /// The first value of that name.
  package subscript(name: String) -> String? { first { $0.name == name }?.value }
}
