public import Foundation

/// An HTTP request as the provider takes it: the target is split, the body is whole.
public struct HTTPRequest: Codable, Hashable, Sendable {
  public var method: String
  /// `https://login.microsoftonline.com`; decides issuer and environment.
  public var origin: String
  /// Percent-encoded path, beginning with `/`.
  public var path: String
  public var query: [SentField]
  public var headers: [SentField]
  /// Fields of an `application/x-www-form-urlencoded` body, decoded.
  public var form: [SentField]
  /// A body of another type, as it came: the JSON of a registration.
  public var body: Data

  public init(
    _ method: String, origin: String, path: String, query: [SentField] = [], headers: [SentField] = [],
    form: [SentField] = [], body: Data = Data()
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

public struct HTTPResponse: Codable, Hashable, Sendable {
  public var status: Int
  public var headers: [SentField]
  public var body: Data

  public init(_ status: Int, headers: [SentField] = [], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// No answer at all: status 0 stands for a connection that could not be made.
  public static let noConnection = HTTPResponse(0)
}

extension [SentField] {
  /// The first value of that name.
  public subscript(name: String) -> String? { first { $0.name == name }?.value }
}
