extension Stage {
  /// What the next silent call with the app's own scopes would do: decided by the flow itself, then by what the provider's
  /// records say of the refresh token it would redeem. Nothing is sent and nothing written.
  func prediction(
    _ app: InstalledApp, _ client: MSALClient, accounts: [MSALAccount], refusal: MSALError?
  ) throws -> Prediction {
    let (applicationChecks, applicationError) = app.applicationChecks()
    if let error = applicationError ?? refusal {
      return Prediction(
        kind: .failure, sentence: "would fail: \(error.description)", checks: applicationChecks)
    }
    if accounts.count > 1 {
      return Prediction(
        kind: .failure, sentence: "would fail: several accounts, none named (-42102)",
        checks: applicationChecks)
    }
    let flow = SilentFlow(app: app, cache: client.cache, now: now)
    let decision: SilentFlow.Decision
    var checks: [Check]
    do {
      (decision, checks) = try flow.decide(account: accounts.first, scopes: app.scopes, forceRefresh: false)
    } catch let status as KeychainError {
      return Prediction(
        kind: .failure, sentence: "would fail: \(status.name) (\(status.rawValue))", checks: [])
    }
    switch decision {
    case .cached:
      return Prediction(kind: .cache, sentence: "would use the cache, no network", checks: checks)
    case .failed(let error):
      if let condition = try SharingConditions.firstFailed(for: app, on: self),
        let failed = condition.checks.first(where: { $0.verdict == .failed })
      {
        checks += condition.checks
        return Prediction(
          kind: .prompt, sentence: "would prompt: no SSO with \(condition.with.displayName): \(failed.name)",
          checks: checks)
      }
      let why = accounts.isEmpty ? "no account signed in" : error.description
      return Prediction(kind: .prompt, sentence: "would prompt: \(why)", checks: checks)
    case .redeem(let candidates, _, _):
      return try prediction(of: candidates, by: app, checks)
    }
  }

  private func prediction(
    of candidates: [SilentFlow.Candidate], by app: InstalledApp, _ checks: [Check]
  ) throws -> Prediction {
    var checks = checks
    for candidate in candidates {
      let standing = try refreshStanding(of: candidate.token)
      checks.append(
        Check(
          "provider takes the \(candidate.source.rawValue)", expected: "valid",
          found: standing.state.rawValue,
          standing.state == .valid || standing.state == .expiring, source: "fact sheet 4.1(7)"))
      guard checks.last?.verdict == .passed else { continue }
      let policies = try provider(.system, actor: "").policyChecks(
        refreshToken: candidate.token.secret, clientID: app.clientID)
      checks += policies
      guard !policies.contains(where: { $0.verdict == .failed }) else { continue }
      let kind: Prediction.Kind =
        candidate.source == .appRefreshToken ? .appRefreshToken : .familyRefreshToken
      return Prediction(
        kind: kind, sentence: "would redeem the \(candidate.source.rawValue), no person", checks: checks)
    }
    return Prediction(kind: .prompt, sentence: "would prompt: the refresh token is refused", checks: checks)
  }
}
