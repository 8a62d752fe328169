import SSOCore
import SSOReference

/// `grant_type=password` (RFC 6749 §4.3).
///
/// It does not show a page, so it can check only the password.
struct PasswordGrant {
  let provider: ProviderResources

  func redeem(_ request: TokenRequest, _ context: inout RequestContext) throws -> TokenResponse {
    let form = request.http.form
    try context.require(checkTenantTakesPasswords(request))
    try context.require(["username", "password"].map { checkPresent($0, form[$0]) })
    let username = form["username"] ?? ""
    let account = try provider.directory.person(username: username)
    // A personal account that is a guest cannot use its password (Microsoft Learn, "OAuth 2.0 Resource Owner Password
    // Credentials"); that Entra does not find it is assumed.
    let found = account?.isPersonal == true ? nil : account
    if account == nil, [.common, .organizations].contains(request.tenant) {
      let domain = username.split(separator: "@").last.map(String.init) ?? ""
      try context.require(
        checkDomainIsKnown(domain, try provider.directory.tenant(byNameOrID: domain) != nil))
    }
    let person = try context.require(
      found, checkUserExists(found, username: username, tenant: request.tenant))
    let (guesses, password) = (provider.guesses(of: person), form["password"] ?? "")
    try guesses.require(checkPassword(password, of: person), guess: password, &context)
    let resourceID = try provider.directory.resourceID(of: request.scopes)
    try context.require(
      [checkPasswordIsValid(person), checkSecondFactor(of: person, isGiven: false, accessing: resourceID)]
        .compactMap(\.self))
    try guesses.forget()
    var request = request
    request.authenticatedAt = request.claims.asksAuthTime ? provider.now : nil
    return try TokenIssuance(
      provider: provider, request: request, username: person.username, scopes: request.scopes,
      situation: AccessSituation(authenticatedAt: provider.now)
    ).issue(&context).response
  }
}

private func checkTenantTakesPasswords(_ request: TokenRequest) -> RuleResult {
  RuleResult(
    "tenant takes passwords", expected: "organizations or a tenant", found: request.tenant.segment,
    request.http.isVersionOne || ![.common, .consumers].contains(request.tenant), source: "Entra",
    failure: "this authority does not take passwords",
    else: OAuthError(
      .invalidRequest,
      "The grant type is not supported over the /common or /consumers endpoints. Please use the /organizations or "
        + "tenant-specific endpoint.", aadsts: .grantNeedsTenant))
}

/// Checks that the username leads to a tenant, if the authority does not (MicrosoftDocs/azure-docs#68490).
private func checkDomainIsKnown(_ domain: String, _ isKnown: Bool) -> RuleResult {
  RuleResult(
    "domain of the username", expected: "a domain of a tenant", found: domain, isKnown, source: "Entra",
    failure: "no tenant has the domain of the username", else: .tenantNotNamed)
}

func checkPresent(_ name: String, _ value: String?) -> RuleResult {
  RuleResult(
    "\(name) present", expected: name, found: value?.isEmpty == false ? "present" : "none",
    value?.isEmpty == false, source: "RFC 6749 §5.2",
    failure: "\(name) is missing",
    else: OAuthError(
      .invalidRequest, "The request body must contain the following parameter: '\(name)'.",
      aadsts: .bodyParameterMissing))
}

/// Checks that the account itself does not require a second factor that was not given.
func checkSecondFactor(
  of person: DirectoryUser, isGiven: Bool, accessing resourceID: String
) -> RuleResult {
  RuleResult(
    "no second factor is required", expected: "no second factor",
    found: isGiven ? "given" : person.requiresMFA ? "required" : "not required",
    isGiven || !person.requiresMFA, source: "Entra",
    remedy: Remedy(.person, person.username, "requiresMFA=no"),
    failure: "a second factor is required",
    else: person.hasNoSecondFactor == true
      ? .secondFactorNotRegistered(.invalidGrant, .mfaEnrollment, accessing: resourceID)
      : .secondFactorMissing(.invalidGrant, accessing: resourceID))
}
