import SSOCore

extension Provider {
  /// `POST /{tenant}/login`: the person's answer to the sign-in page. Fields `flow`, `username`, `password`,
  /// `code`, `cancel`.
  func login(_ exchange: inout Exchange) throws -> ProviderResponse {
    let request = exchange.request
    var (id, flow): (String, SignInFlow)
    do {
      (id, flow) = try flows.flow(id: request.field("flow"))
    } catch let error as OAuthError {
      return errorPage(error, &exchange)
    }
    if request.form["cancel"] != nil {
      try flows.end(id: id)
      return try redirect(
        flow, refusing: OAuthError(.accessDenied, "The user cancelled the sign-in.", suberror: "cancel"),
        &exchange)
    }
    guard let username = request.field("username") ?? flow.username else {
      return try signInPage(id, flow, username: "", asks: .username, &exchange)
    }
    if username.lowercased() != flow.username?.lowercased() { flow.isPasswordRight = false }
    flow.username = username
    do {
      return try judge(username, id, &flow, &exchange)
    } catch let error as OAuthError {
      exchange.refusal = error
      let asksForName = error.aadsts == 50034 || error.aadsts == 50020
      let ask: SignInPage.Ask = asksForName ? .username : flow.isPasswordRight ? number(&flow) : .password
      try flows.save(flow, id: id)
      return try signInPage(id, flow, username: username, asks: ask, failure: error.message, &exchange)
    }
  }

  /// Goes through the factors in order and asks for the first that is missing.
  private func judge(
    _ username: String, _ id: String, _ flow: inout SignInFlow, _ exchange: inout Exchange
  ) throws -> ProviderResponse {
    let tenant = try AuthorityTenant(flow.authoritySegment, in: directory)
    let found = try directory.person(username: username)
    try exchange.checks.require(checkUserExists(found, username: username, tenant: tenant))
    guard let person = found else { throw OAuthError(.invalidGrant, "Unknown user.", aadsts: 50034) }
    if let answer = try signInByCertificate(person, id, flow, tenant, &exchange) { return answer }
    let password = exchange.request.field("password")
    let session = try sessions.session(of: exchange.cookies)
    let isInSession = session?.admits(person.username, to: flow, at: now) ?? false
    if password == nil, !flow.isPasswordRight, !isInSession {
      try flows.save(flow, id: id)
      return try signInPage(id, flow, username: username, asks: .password, &exchange)
    }
    if let password {
      flow.isPasswordRight = false
      try exchange.checks.require(checkPassword(password, of: person))
      flow.isPasswordRight = true
    }
    try exchange.checks.require(checkEnabled(person))
    try exchange.checks.require(checkPersonBelongs(person, to: tenant))
    if person.requiresMFA && (password != nil || !isInSession) || flow.requirement == .mfa {
      guard let code = exchange.request.field("code") else {
        let ask = number(&flow)
        try flows.save(flow, id: id)
        return try signInPage(id, flow, username: username, asks: ask, &exchange)
      }
      try exchange.checks.require(checkNumber(code, flow: flow))
    }
    let isFresh = flow.isPasswordRight || session == nil
    flow.authenticatedAt = isFresh ? now : session?.authenticated(person.username)
    let cookie = try sessions.signIn(
      person.username, isFresh: isFresh, cookies: exchange.cookies, chance: chance)
    return try admit(person, id, flow, cookies: [cookie], &exchange)
  }

  /// The number of this sign-in's second factor, drawn when it is first needed: 10 to 99.
  private func number(_ flow: inout SignInFlow) -> SignInPage.Ask {
    let drawn = flow.number ?? String(chance.bytes(1).reduce(0) { $0 + Int($1) } % 90 + 10)
    flow.number = drawn
    return .verification(drawn)
  }

  /// `GET /{tenant}/login?flow=…`: the page that this sign-in has come to, for a browser that reloads it.
  func pageAgain(_ exchange: inout Exchange) throws -> ProviderResponse {
    do {
      var (id, flow) = try flows.flow(id: exchange.request.field("flow"))
      if flow.isSignedIn, let person = try directory.person(username: flow.username ?? "") {
        return try admit(person, id, flow, cookies: [], &exchange)
      }
      let asks: SignInPage.Ask =
        flow.isPasswordRight ? number(&flow) : flow.username == nil ? .username : .password
      return try signInPage(id, flow, username: flow.username ?? "", asks: asks, &exchange)
    } catch let error as OAuthError {
      return errorPage(error, &exchange)
    }
  }

  func signInPage(
    _ id: String, _ flow: SignInFlow, username: String, asks: SignInPage.Ask, failure: String? = nil,
    _ exchange: inout Exchange
  ) throws -> ProviderResponse {
    let tenant = try AuthorityTenant(flow.authoritySegment, in: directory)
    let session = try sessions.session(of: exchange.cookies)
    let page = SignInPage(
      tenantName: tenant.displayName,
      appName: try directory.registration(clientID: flow.clientID)?.displayName ?? flow.clientID,
      clientID: flow.clientID, redirectURI: flow.redirectURI, username: username, asks: asks,
      failure: failure,
      accountsInSession: session?.usernames.filter { session?.admits($0, to: flow, at: now) ?? false } ?? [],
      flowID: id)
    return self.page(.signIn(page))
  }
}
