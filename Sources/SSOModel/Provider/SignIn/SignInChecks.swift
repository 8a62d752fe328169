/// Checks that the user exists.
///
/// The rules of the sign-in page follow in the order in which they apply.

func checkUserExists(_ person: Person?, username: String, tenant: AuthorityTenant) -> RuleResult {
  RuleResult(
    "user exists", expected: "a user of the directory", found: username, person != nil, source: "Entra",
    else: OAuthError(
      .invalidGrant,
      "The user account '\(username)' does not exist in the directory '\(tenant.displayName)'.",
      aadsts: .accountNotFound))
}

func checkPassword(_ password: String, of person: Person) -> RuleResult {
  let isRight = isSameSecret(password, person.password)
  return RuleResult(
    "password", expected: "the account's password", found: isRight ? "the same" : "another", isRight,
    source: "Entra",
    else: OAuthError(
      .invalidGrant, "Error validating credentials due to invalid username or password.",
      aadsts: .wrongPassword))
}

func checkEnabled(_ person: Person) -> RuleResult {
  RuleResult(
    "account enabled", expected: "enabled", found: person.isDisabled ? "disabled" : "enabled",
    !person.isDisabled, source: "Entra", remedy: Remedy(.person, person.username, "isDisabled=no"),
    else: OAuthError(.invalidGrant, "The user account is disabled.", aadsts: .accountDisabled))
}

func checkNumber(_ code: String, flow: SignInFlow) -> RuleResult {
  RuleResult(
    "second factor", expected: "the number shown", found: code == flow.number ? "the same" : "another",
    code == flow.number, source: "Entra",
    else: OAuthError(
      .invalidGrant,
      "Authentication failed during the strong authentication request: enter the number shown.",
      aadsts: .mfaFailed))
}
