/// The row of an app with ADAL, and the prediction of its next call.
extension Stage {
  private static let rowUsers = 3

  func adalRow(of app: InstalledApp) throws -> AppRow {
    let client = quietADALClient(app)
    var users: [String] = []
    var refusal: ADALError?
    do {
      users = try client.users().map(\.userID)
    } catch let error as ADALError {
      refusal = error
    }
    let items = refusal == nil ? try users.first.map { try client.legacy.items(userID: $0) } ?? [] : []
    let access = items.filter { $0.accessToken != nil && normalized($0.clientID) == normalized(app.clientID) }
      .max { ($0.expiresOn?.milliseconds ?? 0) < ($1.expiresOn?.milliseconds ?? 0) }
    let refresh = items.filter { $0.refreshToken != nil }
      .min { ($0.isFamilyCopy ? 1 : 0) < ($1.isFamilyCopy ? 1 : 0) }
    return AppRow(
      bundleID: app.bundleID, displayName: app.displayName, vendor: app.vendor, teamID: app.teamID,
      sdk: app.sdk.rawValue, sdkVersion: app.sdkVersion, clientID: app.clientID, redirectURI: app.redirectURI,
      accounts: users.prefix(Self.rowUsers).map { $0.isEmpty ? "unknown user" : $0 },
      accountCount: users.count,
      accessToken: access.map { TokenStanding($0, at: now) } ?? TokenStanding(.none),
      refreshToken: try refresh?.refreshToken.map { try refreshStanding(ofSecret: $0) }
        ?? TokenStanding(.none),
      target: access?.resource,
      familyID: try Directory(documents: transaction).registration(clientID: app.clientID)?.familyID,
      accessGroup: app.sharedAccessGroup, sharesGroupWith: groupMates(of: app).map(\.displayName),
      broker: adalBrokerWords(app), next: try adalPrediction(app, client, refusal: refusal),
      warnings: try warnings(about: app))
  }

  /// Other apps whose SDK works in the same group, both entitled to it.
  func groupMates(of app: InstalledApp) -> [InstalledApp] {
    installed.filter { other in
      other.bundleID != app.bundleID && other.sharedAccessGroup == app.sharedAccessGroup
        && other.entitledGroups.contains(app.sharedAccessGroup)
        && app.entitledGroups.contains(app.sharedAccessGroup)
    }
  }

  private func adalBrokerWords(_ app: InstalledApp) -> String {
    let failed = app.adalBrokerDecision(on: device, installed: installed).first { $0.verdict == .failed }
    return failed.map { "not used: \($0.name): \($0.found)" } ?? "used"
  }

  /// What `acquireTokenSilentWithResource:` with the app's own resource and no `userId` would do.
  func adalPrediction(_ app: InstalledApp, _ client: ADALClient, refusal: ADALError?) throws -> Prediction {
    if let refusal {
      return Prediction(kind: .failure, sentence: "would fail: \(refusal.details)", checks: [])
    }
    let request = ADALRequest(resource: app.resource, correlationID: "")
    var (decision, checks) = try client.flow.decide(request)
    switch decision {
    case .cached: return Prediction(kind: .cache, sentence: "would use the cache, no network", checks: checks)
    case .redeem(let candidates, _, _): return try adalPrediction(of: candidates, checks)
    case .failed(let error) where error.code != ADALErrorCode.serverUserInputNeeded.rawValue:
      return Prediction(kind: .failure, sentence: "would fail: \(error.details)", checks: checks)
    case .failed:
      var why = "nothing in the cache fits"
      if let condition = try SharingConditions.firstFailed(for: app, on: self),
        let failed = condition.checks.first(where: { $0.verdict == .failed })
      {
        checks += condition.checks
        why = "no SSO with \(condition.with.displayName): \(failed.name)"
      }
      return Prediction(kind: .prompt, sentence: "would prompt: \(why)", checks: checks)
    }
  }

  private func adalPrediction(of candidates: [ADALSilentFlow.Candidate], _ checks: [Check]) throws
    -> Prediction
  {
    var checks = checks
    for candidate in candidates {
      let standing = try refreshStanding(ofSecret: candidate.secret)
      checks.append(
        Check(
          "provider takes the \(candidate.source.rawValue)", expected: "valid",
          found: standing.state.rawValue,
          standing.state == .valid || standing.state == .expiring, source: "fact sheet 4.3(5)"))
      guard checks.last?.verdict == .passed else { continue }
      return Prediction(
        kind: candidate.source == .familyRefreshToken ? .familyRefreshToken : .appRefreshToken,
        sentence: "would redeem the \(candidate.source.rawValue), no person", checks: checks)
    }
    return Prediction(kind: .prompt, sentence: "would prompt: the refresh token is refused", checks: checks)
  }
}

extension TokenStanding {
  /// The state of a legacy access token; one without a date counts as valid, as ADAL takes it.
  init(_ item: LegacyItem, at now: Instant) {
    guard let expiresOn = item.expiresOn else {
      self.init(.valid)
      return
    }
    self.init(until: expiresOn, at: now)
  }
}
