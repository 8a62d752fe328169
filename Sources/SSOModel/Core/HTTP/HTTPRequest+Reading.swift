import Essentials

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
      throw OAuthError(.invalidRequest, "The request's target cannot be decoded.", aadsts: .requestMalformed)
    }
    self.init(method, origin: origin, path: path, query: query, headers: headers, body: body)
    let type = header("Content-Type")?.lowercased().prefix { $0 != ";" }.trimmed ?? ""
    guard !body.isEmpty, type == "application/x-www-form-urlencoded" || type.isEmpty else { return }
    guard let text = String(validating: body, as: UTF8.self), let form = FormEncoding.decode(text) else {
      throw OAuthError(
        .invalidRequest,
        "The body is not application/x-www-form-urlencoded: a '%' or a byte of it cannot be decoded.",
        aadsts: .requestMalformed)
    }
    self.form = form
    self.body = Data()
  }

  /// Returns the first header with this name, ignoring case, or `nil` if there is none.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The name and value of each cookie in the `Cookie` headers (RFC 6265 §4.2).
  package var cookies: [NameValue] {
    headers.filter { $0.name.lowercased() == "cookie" }.flatMap { $0.value.split(separator: ";") }
      .compactMap { pair in
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return halves.count == 2 ? NameValue(halves[0].trimmed, halves[1].trimmed) : nil
      }
  }
}
