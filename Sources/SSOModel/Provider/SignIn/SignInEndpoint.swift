/// `/{tenant}/login`: the user's response to the sign-in page.
///
/// The fields are `flow`, `username`, `password`, `code`, and `cancel`.
struct SignInEndpoint {
  let provider: ProviderResources

  /// Continues the sign-in (`POST`) with the first missing factor.
  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    let request = context.request
    var signIn = try provider.signIn(of: &context)
    if request.form["cancel"] != nil {
      try signIn.end()
      return try signIn.response.withError(.signInCancelled, &context)
    }
    guard let username = request.field("username") ?? signIn.flow.username else {
      return try signIn.page(username: "", asks: .username, context)
    }
    if username.lowercased() != signIn.flow.username?.lowercased() {
      (signIn.flow.isPasswordRight, signIn.flow.hasSecondFactor) = (false, nil)
    }
    signIn.flow.username = username
    do {
      return try checkFactors(username, &signIn, &context)
    } catch let error as OAuthError {
      context.refusal = error
      let isAboutName = [AADSTSCode.accountNotFound, .accountNotInTenant].map(\.number).contains(error.aadsts)
      // Only a wrong number prompts for the number again. A disabled account is rejected before it is
      // prompted for one.
      if error.aadsts != AADSTSCode.mfaFailed.number { signIn.flow.isPasswordRight = false }
      let ask: SignInPage.Ask =
        isAboutName ? .username : signIn.flow.isPasswordRight ? signIn.askForNumber() : .password
      try signIn.save(&context)
      return try signIn.page(username: username, asks: ask, failure: error.message, context)
    }
  }

  /// Shows the current page of this sign-in (`GET ?flow=…`), for a browser that reloads it.
  func showAgain(_ context: inout RequestContext) throws -> ProviderResponse {
    var signIn = try provider.signIn(of: &context)
    let username = signIn.flow.username ?? ""
    if signIn.flow.isSignedIn, let person = try provider.directory.person(username: username) {
      return try signIn.proceed(as: person, cookies: [], &context)
    }
    let asks: SignInPage.Ask =
      signIn.flow.isPasswordRight
      ? signIn.askForNumber() : signIn.flow.username == nil ? .username : .password
    return try signIn.page(username: username, asks: asks, context)
  }

  /// Checks the factors in order and prompts for the first missing one.
  private func checkFactors(
    _ username: String, _ signIn: inout OngoingSignIn, _ context: inout RequestContext
  ) throws -> ProviderResponse {
    let tenant = try AuthorityTenant(signIn.flow.authoritySegment, in: provider.directory)
    let found = try provider.directory.person(username: username)
    let person = try context.require(found, checkUserExists(found, username: username, tenant: tenant))
    if let response = try signIn.byCertificate(person, tenant, &context) { return response }
    let guesses = provider.guesses(of: person)
    let password = context.request.field("password")
    let session = try provider.sessions.session(of: context.cookies)
    let isInSession = session?.allows(person.username, to: signIn.flow, at: provider.now) ?? false
    if password == nil, !signIn.flow.isPasswordRight, !isInSession {
      try signIn.save(&context)
      return try signIn.page(username: username, asks: .password, context)
    }
    if let password {
      signIn.flow.isPasswordRight = false
      try guesses.require(checkPassword(password, of: person), guess: password, &context)
      signIn.flow.isPasswordRight = true
    }
    try context.require([checkEnabled(person), checkPersonBelongs(person, to: tenant)])
    if try person.requiresMFA && (password != nil || !isInSession) || signIn.flow.requirement == .mfa
      || signIn.lacksSecondFactor(person, tenant, context)
    {
      guard let code = context.request.field("code") else {
        let ask = signIn.askForNumber()
        try signIn.save(&context)
        return try signIn.page(username: username, asks: ask, context)
      }
      try guesses.require(checkNumber(code, flow: signIn.flow), guess: code, &context)
      signIn.flow.hasSecondFactor = true
    }
    try guesses.forget()
    let isFresh = signIn.flow.isPasswordRight || session == nil
    signIn.flow.authenticatedAt = isFresh ? provider.now : session?.authenticated(person.username)
    let cookie = try provider.sessions.signIn(
      person.username, isFresh: isFresh, hasSecondFactor: signIn.flow.hasSecondFactor == true,
      cookies: context.cookies, random: provider.random)
    return try signIn.proceed(as: person, cookies: [cookie], &context)
  }
}

extension OAuthError {
  /// The error of a cancelled sign-in.
  ///
  /// `cancel` is its `error_subcode`.
  fileprivate static var signInCancelled: OAuthError {
    var error = OAuthError(.accessDenied, "The user cancelled the sign-in.")
    error.suberror = cancelled
    return error
  }

  private static let cancelled = "cancel"
  /// Whether the user closed the page.
  ///
  /// No rule rejected the request.
  var isCancellation: Bool { code == .accessDenied && suberror == Self.cancelled }
}
