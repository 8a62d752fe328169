import SafeText

/// An authorization request of a recording, with the values to compare with its response and its token request.
struct RecordedSignIn {
  var at: Instant?
  var clientID: String
  var redirectURI: String?
  var state: String?
  var nonce: String?
  var challenge: String?
  var challengeMethod: String?
  var isSilent: Bool
  /// Everything that makes two requests the same to a user, without what changes each time.
  var identity: String
  /// The `code`s that were issued for it.
  var codes: Set<String> = []
  var redeemedCodes: Set<String> = []

  init(_ exchange: RecordedExchange) {
    let request = exchange.request
    at = exchange.at
    clientID = request.field("client_id") ?? ""
    redirectURI = request.field("redirect_uri")
    state = request.field("state")
    nonce = request.field("nonce")
    challenge = request.field("code_challenge")
    challengeMethod = request.field("code_challenge_method")
    isSilent = request.field("prompt") == "none"
    identity = [
      request.path, clientID, redirectURI ?? "", request.field("scope") ?? "", request.field("prompt") ?? "",
    ]
    .joined(separator: " ")
  }
}

/// A response of the authorization endpoint, in a redirect's query or fragment, or in a form that submits itself.
struct RecordedAnswer {
  var fields: [NameValue]
  /// The target of the response, without its query and fragment.
  var target: String

  var code: String? { fields["code"] }
  var state: String? { fields["state"] }
  var error: String? { fields["error"] }

  /// Creates the answer in an HTTP response, or returns `nil` if there is none.
  init?(of response: HTTPResponse, from url: URLParts) {
    if let location = response.location {
      // A redirect to a path alone stays at the provider.
      guard let target = URLParts(location) else { return nil }
      self.init(target)
      return
    }
    guard let form = HTMLForm(response.body), let target = URLParts(form.action), target.origin != url.origin
    else {
      return nil
    }
    self.init(fields: form.fields, target: target)
  }

  init?(_ target: URLParts) {
    let fields =
      (FormEncoding.decode(target.query ?? "") ?? []) + (FormEncoding.decode(target.fragment ?? "") ?? [])
    self.init(fields: fields, target: target)
  }

  init?(fields: [NameValue], target: URLParts) {
    guard fields["code"] != nil || fields["error"] != nil || fields["id_token"] != nil else { return nil }
    self.fields = fields
    self.target = target.origin + target.path
  }
}

/// The form of a page that submits itself: `<form action="…">` with hidden inputs, as far as `form_post` requires it.
struct HTMLForm {
  private(set) var action = ""
  private(set) var fields: [NameValue] = []

  init?(_ body: some Collection<UInt8>) {
    guard body.count < 262_144 else { return nil }
    let text = String(decoding: body, as: UTF8.self)
    for tag in text.split(separator: "<").prefix(2000) {
      let attributes = Self.attributes(tag.prefix { $0 != ">" })
      if tag.lowercased().hasPrefix("form"), let action = attributes["action"] { self.action = action }
      if tag.lowercased().hasPrefix("input"), let name = attributes["name"], !action.isEmpty {
        fields.append(NameValue(name, attributes["value"] ?? ""))
      }
    }
    guard !action.isEmpty, !fields.isEmpty else { return nil }
  }

  private static func attributes(_ tag: Substring) -> [String: String] {
    var found: [String: String] = [:]
    var rest = tag[...]
    while let sign = rest.firstRange(of: "=\"") {
      let name =
        rest[..<sign.lowerBound].split(whereSeparator: \.isWhitespace).last.map { $0.lowercased() } ?? ""
      rest = rest[sign.upperBound...]
      let end = rest.firstIndex(of: "\"") ?? rest.endIndex
      found[name] = Escaping.readingEntities(rest[..<end])
      rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
    }
    return found
  }
}
