import SSOCore
import SSOReference

/// A response of the token endpoint, as the SDK's HTTP layer classifies it (docs/behaviour/silent-call.md §3).
enum ServerAnswer {
  case tokens(TokenResponse)
  case refused(OAuthError)
  case status(Int, headers: [NameValue])
  case unreachable
  /// JSON with neither an access token nor an error.
  case unusable
  /// The body is not valid JSON, for example because it is truncated.
  case unreadable(JSONParseError)

  init(_ response: HTTPResponse) {
    switch response.status {
    case 0: self = .unreachable
    case 200, 400, 401:
      if let problem = response.jsonProblem {
        self = .unreadable(problem)
        return
      }
      do throws(OAuthError) {
        self = .tokens(try TokenResponse(reading: response))
      } catch {
        self = JSONValue(bounded: response.body)?["error"]?.string == nil ? .unusable : .refused(error)
      }
    case let status: self = .status(status, headers: response.headers)
    }
  }

  init(_ refusal: ServerRefusal) {
    switch refusal {
    case .oauth(let code, let reason, let aadsts, let suberror):
      let code = OAuthErrorCode(text: code) ?? .serverError
      self = .refused(OAuthError(code, reason, number: aadsts, suberror: suberror))
    case .status(let status, let headers): self = .status(status, headers: headers)
    }
  }

  /// The rejection that throttling stores and returns for an identical request, or `nil` if the response is not a
  /// rejection.
  var refusal: ServerRefusal? {
    switch self {
    case .tokens, .unreachable, .unusable, .unreadable: nil
    case .refused(let error):
      .oauth(code: error.code.text, reason: error.reason, aadsts: error.aadsts, suberror: error.suberror)
    case .status(let status, let headers): .status(status, headers: headers)
    }
  }

  /// Whether the status is 5xx, which means that the server is unavailable and an older token may be used.
  var isServerUnavailable: Bool {
    if case .status(let status, _) = self { (500...599).contains(status) } else { false }
  }
}

extension HTTPResponse {
  /// The reason that the body is not valid JSON, or `nil` if it is.
  var jsonProblem: JSONParseError? {
    do {
      _ = try JSONParser.parse(body)
      return nil
    } catch {
      return error as? JSONParseError
    }
  }
}
