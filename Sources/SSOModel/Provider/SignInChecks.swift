import SSOCore

/// The rules of the sign-in page, in the order they are applied.

func checkUserExists(_ person: Person?, username: String, tenant: AuthorityTenant) -> Finding {
  Finding(
    "user exists", expected: "a user of the directory", found: username, person != nil, source: "Entra",
    else: OAuthError(
      .invalidGrant,
      "The user account '\(username)' does not exist in the directory '\(tenant.displayName)'.",
      aadsts: 50034))
}

func checkPassword(_ password: String, of person: Person) -> Finding {
  let isRight = isSameSecret(password, person.password)
  return Finding(
    "password", expected: "the account's password", found: isRight ? "the same" : "another", isRight,
    source: "Entra",
    else: OAuthError(
      .invalidGrant, "Error validating credentials due to invalid username or password.", aadsts: 50126))
}

func checkEnabled(_ person: Person) -> Finding {
  Finding(
    "account enabled", expected: "enabled", found: person.isDisabled ? "disabled" : "enabled",
    !person.isDisabled, source: "Entra",
    else: OAuthError(.invalidGrant, "The user account is disabled.", aadsts: 50057))
}

func checkNumber(_ code: String, flow: SignInFlow) -> Finding {
  Finding(
    "second factor", expected: "the number shown", found: code == flow.number ? "the same" : "another",
    code == flow.number, source: "Entra",
    else: OAuthError(
      .invalidGrant,
      "Authentication failed during the strong authentication request: enter the number shown.",
      aadsts: 500121))
}
