import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference

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
    let reader = try SharingQueries(stage: self).app(app)
    let refresh = items.filter {
      $0.refreshToken != nil
        && SharingRule(credential: SharedCredential($0, in: app.sharedAccessGroup), app: reader).holds
    }.min { ($0.isFamilyCopy ? 1 : 0) < ($1.isFamilyCopy ? 1 : 0) }
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
      broker: adalBrokerWords(app), next: try adalPrediction(app, refusal: refusal),
      warnings: try warnings(about: app))
  }

  /// Every condition for the broker, by the app's own library.
  func brokerDecision(of app: InstalledApp) -> [Check] {
    app.sdk == .adal
      ? app.adalBrokerDecision(on: device, installed: installed) : client(app).brokerDecision()
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
    let failed = brokerDecision(of: app).first { $0.verdict == .failed }
    return failed.map { "not used: \($0.name): \($0.found)" } ?? "used"
  }

  /// What `acquireTokenSilentWithResource:` with the app's own resource would do: the call itself, tried in a scratch copy
  /// of this world.
  /// - Parameter userID: nil: no `userId` is handed over.
  func adalPrediction(_ app: InstalledApp, userID: String? = nil, refusal: ADALError?) throws -> Prediction {
    if let refusal {
      let (_, reasons) =
        refusal.mayLackSharing
        ? try SharingQueries(stage: self).refusal(of: app, account: userID) : (nil, [])
      return Prediction(kind: .failure, sentence: "would fail: \(refusal.details)", checks: reasons)
    }
    let tried = TraceRecorder()
    let client = ADALClient(scratchClient(app, trace: tried).around)
    do {
      let result = try client.acquireSilently(request(app, userID, [], chance.upperUUID()))
      return Prediction(
        kind: result.source.prediction,
        sentence: result.source == .cache
          ? "would use the cache, no network" : "would redeem the \(result.source.rawValue), no person",
        checks: tried.decisiveChecks)
    } catch let error as ADALError {
      let (missing, reasons) =
        error.mayLackSharing
        ? try SharingQueries(stage: self).refusal(of: app, account: userID) : (nil, [])
      let checks = tried.decisiveChecks + reasons
      guard error.code == ADALCode.serverUserInputNeeded.number else {
        return Prediction(kind: .failure, sentence: "would fail: \(error.details)", checks: checks)
      }
      let why =
        missing?.words
        ?? (error.isCacheMiss ? "nothing in the cache fits" : "the refresh token is refused")
      return Prediction(kind: .prompt, sentence: "would prompt: \(why)", checks: checks)
    }
  }
}

extension ADALResult.Source {
  fileprivate var prediction: Prediction.Kind {
    switch self {
    case .cache: .cache
    case .multiResourceRefreshToken, .singleResourceRefreshToken: .appRefreshToken
    case .familyRefreshToken: .familyRefreshToken
    case .webSession, .broker: .broker
    }
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
