import SSOCore

extension Provider {
  /// `grant_type=password` (RFC 6749 §4.3): no page, so nothing but the password can be asked.
  func redeemPassword(_ request: TokenRequest, _ exchange: inout Exchange) throws -> TokenResponse {
    let form = request.http.form
    for name in ["username", "password"] {
      try exchange.checks.require(checkPresent(name, form[name]))
    }
    let username = form["username"] ?? ""
    let found = try directory.person(username: username)
    try exchange.checks.require(checkUserExists(found, username: username, tenant: request.tenant))
    guard let person = found else { throw OAuthError(.invalidGrant, "Unknown user.", aadsts: 50034) }
    try exchange.checks.require(checkPassword(form["password"] ?? "", of: person))
    try exchange.checks.require(checkNeedsNoSecondFactor(person))
    var request = request
    request.authenticatedAt = request.claims.asksAuthTime ? now : nil
    return try issue(
      request, username: person.username, scopes: request.scopes, deviceID: nil, &exchange
    ).response
  }
}

func checkPresent(_ name: String, _ value: String?) -> Finding {
  Finding(
    "\(name) present", expected: name, found: value?.isEmpty == false ? "present" : "none",
    value?.isEmpty == false, source: "RFC 6749 §5.2",
    else: OAuthError(
      .invalidRequest, "The request body must contain the following parameter: '\(name)'.", aadsts: 900_144))
}

private func checkNeedsNoSecondFactor(_ person: Person) -> Finding {
  Finding(
    "password is enough", expected: "no second factor",
    found: person.requiresMFA ? "required" : "not required",
    !person.requiresMFA, source: "Entra",
    else: OAuthError(
      .invalidGrant,
      "Due to a configuration change made by your administrator, or because you moved to a new location, you "
        + "must use multi-factor authentication. Sign in interactively.",
      aadsts: 50076, suberror: "basic_action"))
}
