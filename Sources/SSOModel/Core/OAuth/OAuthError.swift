import Essentials
import SSOReference

/// An error that the identity provider returns for a rejected request.
///
/// `code` is sent as `error` (RFC 6749 §5.2). `reason` is one sentence for the user and is sent in `error_description`,
/// after the AADSTS number. Two errors are equal if all of their properties are.
package struct OAuthError: Error, Hashable, Sendable {
  package var code: OAuthErrorCode
  package var reason: String
  /// Entra's error number, such as 50126 in `AADSTS50126`.
  package var aadsts: Int?
  /// Azure AD B2C's error number, such as 90091 in `AADB2C90091`, which replaces Entra's.
  package var b2c: Int?
  /// Whether AD FS rejects the request, and so replaces Entra's number with its own, `msis`, or omits it.
  package var isOfFederation = false
  /// AD FS's error number, such as 9612 in `MSIS9612`.
  package var msis: Int?
  /// The suberror: `bad_token`, `client_mismatch`, `consent_required`, `user_account_deleted`, and others.
  package var suberror: String?
  /// The claims challenge: JSON with the claims that the client has to request next time.
  package var claims: String?

  package init(
    _ code: OAuthErrorCode, _ reason: String, aadsts: AADSTSCode? = nil, suberror: OAuthSuberror? = nil,
    claims: String? = nil
  ) {
    self.init(code, reason, number: aadsts?.number, suberror: suberror?.text, claims: claims)
  }

  /// Creates an error from a response, which may contain numbers and suberrors that are not explained here.
  package init(
    _ code: OAuthErrorCode, _ reason: String, number: Int?, suberror: String?, claims: String? = nil
  ) {
    self.code = code
    self.reason = reason
    aadsts = number
    self.suberror = suberror
    self.claims = claims
  }

  /// The error of instance discovery for an unknown host, whose message the SDKs use too.
  package static let unknownInstance = OAuthError(
    .invalidInstance, "Unknown or invalid instance.", aadsts: .unknownInstance)

  /// The number with its prefix, such as `AADSTS50126`, `AADB2C90091`, or `MSIS9612`.
  package var number: String? {
    isOfFederation
      ? msis.map { "MSIS\($0)" } : b2c.map { "AADB2C\($0)" } ?? aadsts.map { "AADSTS\($0)" }
  }

  /// The number and the reason: `AADSTS50126: Error validating credentials…`.
  package var message: String { number.map { "\($0): \(reason)" } ?? reason }

  /// Returns `error_uri`: the page of Microsoft's error look-up for the number, or `nil` if the error does not have a
  /// number.
  ///
  /// The page is at the host that received the request (Azure/azure-cli#18945, umijs/umi-request#299), or at the public
  /// cloud's if that host is not Microsoft's.
  package func page(at origin: String) -> String? {
    guard b2c == nil, !isOfFederation, let aadsts, !AADSTSCode.withoutPage.contains(aadsts) else {
      return nil
    }
    let host = URLParts(origin)?.authority ?? ""
    return AADSTSCode.page(on: aadsts, at: Cloud(host: host) == nil ? PublicCloud.preferredNetwork : host)
  }
}

/// Entra's JSON body for a rejected request (docs/behaviour/provider.md §19):
/// `{"correlation_id":…,"error":…,"error_codes":[50126],"error_description":…,"timestamp":…,"trace_id":…}`.
package struct OAuthErrorBody: Hashable, Sendable {
  package var error: OAuthError
  package var traceID: String
  package var correlationID: String
  package var now: Instant
  /// The origin of the request, or an empty string if it is unknown.
  package var origin: String

  package init(
    _ error: OAuthError, traceID: String, correlationID: String, now: Instant, origin: String = ""
  ) {
    self.origin = origin
    self.error = error
    self.traceID = traceID
    self.correlationID = correlationID
    self.now = now
  }

  /// The error description: `AADSTS50126: … Trace ID: … Correlation ID: … Timestamp: 2026-01-01 10:00:00Z`.
  ///
  /// B2C writes each part on its own line and omits the trace ID. AD FS writes only the message.
  package var description: String {
    if error.isOfFederation { return error.message }
    if error.b2c != nil {
      return error.message + "\r\nCorrelation ID: \(correlationID)\r\nTimestamp: \(timestamp)\r\n"
    }
    return error.message + " Trace ID: \(traceID) Correlation ID: \(correlationID) Timestamp: \(timestamp)"
  }

  package var timestamp: String { now.displayText }

  /// Returns the error response as the provider sends it (docs/behaviour/provider.md §19).
  package func response(status: Int = 400) -> HTTPResponse {
    guard error.b2c == nil, !error.isOfFederation else {
      return .json(status, ["error": .string(error.code.text), "error_description": .string(description)])
    }
    var body: [String: JSONValue] = [
      "error": .string(error.code.text), "error_description": .string(description),
      "error_codes": .array(error.aadsts.map { [.integer(Int64($0))] } ?? []),
      "timestamp": .string(timestamp), "trace_id": .string(traceID),
      "correlation_id": .string(correlationID),
    ]
    body["error_uri"] = error.page(at: origin).map(JSONValue.string)
    body["claims"] = error.claims.map(JSONValue.string)
    if let suberror = error.suberror {
      body["suberror"] = .string(suberror)
      if suberror == OAuthSuberror.clientMismatch.text { body["error_additional_info"] = [.string(suberror)] }
    }
    return .json(status, .object(body))
  }
}

extension HTTPResponse {
  /// Returns a JSON response that must not be cached (RFC 6749 §5.1), with Entra's headers.
  package static func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
    json(
      status, value,
      caching: [
        NameValue("Cache-Control", "no-store, no-cache"), NameValue("Pragma", "no-cache"),
        NameValue("Expires", "-1"),
      ])
  }

  /// Returns a JSON response that a client may cache for a day, such as Entra's metadata and keys.
  package static func metadata(_ value: JSONValue) -> HTTPResponse {
    json(200, value, caching: [NameValue("Cache-Control", "max-age=86400, private")])
  }

  private static func json(_ status: Int, _ value: JSONValue, caching: [NameValue]) -> HTTPResponse {
    let type = NameValue("Content-Type", "application/json; charset=utf-8")
    return HTTPResponse(status, headers: [type] + caching, body: value.bytes(.wire))
  }
}

extension OAuthError {
  /// Creates an error from a response, as a client does.
  ///
  /// An unknown code becomes `server_error`.
  package init(reading response: HTTPResponse) {
    guard let body = JSONValue(bounded: response.body), let name = body["error"]?.string else {
      self.init(.serverError, "The answer (status \(response.status)) is not an OAuth response.")
      return
    }
    let text = body["error_description"]?.string ?? name
    let number = body["error_codes"]?.array?.first?.integer.map(Int.init)
    let prefix = number.map { "AADSTS\($0): " } ?? ""
    let bare = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    let reason = bare.firstRange(of: " Trace ID: ").map { String(bare[..<$0.lowerBound]) } ?? bare
    self.init(
      OAuthErrorCode(text: name) ?? .serverError, reason, number: number, suberror: body["suberror"]?.string,
      claims: body["claims"]?.string)
    let parts = text.split(separator: ": ", maxSplits: 1).map(String.init)
    guard number == nil, parts.count == 2, parts[0].hasPrefix("AADB2C"), let own = Int(parts[0].dropFirst(6))
    else {
      return
    }
    b2c = own
    self.reason = parts[1].firstRange(of: "\r\n").map { String(parts[1][..<$0.lowerBound]) } ?? parts[1]
  }
}

extension OAuthError {
  /// Returns the error for a request that cannot be read, in Entra's words, and then `detail`, a sentence for the developer
  /// that Entra does not have.
  package static func malformed(_ code: OAuthErrorCode, _ detail: String? = nil) -> OAuthError {
    OAuthError(
      code,
      (["Invalid request. Request is malformed or invalid."] + [detail].compactMap(\.self)).joined(
        separator: " "),
      aadsts: .requestMalformed)
  }
}
