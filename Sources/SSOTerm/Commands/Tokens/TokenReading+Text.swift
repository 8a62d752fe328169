extension TokenReading {
  /// Returns the kind of the token, its claims with their meanings, and its checks.
  func text(unmasked: Bool, _ ink: Ink) -> String {
    var lines = [ink.draw(form.words, .strong)]
    if standing.state != .none { lines[0] += ink.draw("  ") + ink.draw(stateText(standing)) }
    lines += table("header", header, unmasked, ink) + table("claims", claims, unmasked, ink)
    lines += checks.map { checkLine($0, ink) }
    return lines.joined(separator: "\n")
  }

  private func table(_ title: String, _ fields: [String: JSONValue], _ unmasked: Bool, _ ink: Ink) -> [String]
  {
    guard !fields.isEmpty else { return [] }
    let table = TextTable([], of: fields.sorted(by: { $0.key < $1.key })) { (name, value) in
      [
        InkedText("  " + name, .faint), InkedText(Self.shown(name, value, unmasked)),
        InkedText(Self.meaning(of: name, value), .faint),
      ]
    }
    return [ink.draw(title, .faint)] + table.lines(ink)
  }

  func json(unmasked: Bool) -> JSONValue {
    func shown(_ fields: [String: JSONValue]) -> JSONValue {
      .object(
        Dictionary(
          uniqueKeysWithValues: fields.map { name, value in
            let text = Self.shown(name, value, unmasked)
            return (name, text == Self.shown(name, value, true) ? value : .string(text))
          }))
    }
    return [
      "form": .string(form.rawValue), "state": .string(standing.state.rawValue),
      "secondsLeft": .optional(standing.secondsLeft), "header": shown(header), "claims": shown(claims),
      "checks": .array(checks.map(\.json)),
    ]
  }

  private static func isPersonal(_ name: String) -> Bool {
    Redaction.kind(ofField: name) != nil && name != "nonce"
  }

  private static func shown(_ name: String, _ value: JSONValue, _ unmasked: Bool) -> String {
    let text = value.string ?? value.text(.wire)
    if unmasked { return text }
    if isPersonal(name) { return Redaction.hash(text) }
    // A claim may contain an entire token, either directly or inside an object.
    return text.contains("eyJ") ? Redaction.text(text) : text
  }

  /// Returns the time for a claim with a time, and an explanation for the claims that people confuse.
  private static func meaning(of name: String, _ value: JSONValue) -> String {
    switch name {
    case "iat", "nbf", "exp", "auth_time", "xms_st_iat": value.numericDate?.iso8601 ?? ""
    case "aud": "who it is for"
    case "azp", "appid": "the client that asked for it"
    case "iss": "who issued it"
    case "tid": "tenant"
    case "oid": "the person's or app's object in the tenant"
    case "sub": "the person or app, for this client only"
    case "scp": "what the app may do for the person"
    case "roles": "roles of the person or the app"
    case "azpacr", "appidacr":
      ["0": "public client", "1": "client secret", "2": "certificate"][value.string ?? ""] ?? ""
    case "amr": "how the person authenticated"
    case "acrs": "authentication contexts of Conditional Access"
    case "xms_cc": "capabilities that the client declares"
    case "kid": "the key that signed it"
    case "_claim_names", "hasgroups": "groups that do not fit into the token: ask Microsoft Graph for them"
    case "_claim_sources": "where to ask for them"
    case "tfp", "acr": AuthorityPath.isPolicy(value.string ?? "") ? "the policy of Azure AD B2C" : ""
    case "at": "the access token"
    case "cnf": "the key that its holder must have"
    case "ts": value.numericDate.map { "signed " + $0.iso8601 } ?? ""
    case "m": "the request's method"
    case "u": "its host"
    case "p": "its path"
    default: ""
    }
  }
}
