import SSOCore
import SSODevice
import SSOKeychain
import SSOReference

extension Stage {
  /// What the next silent call with the app's own scopes would do: the call itself, tried in a scratch copy of this world.
  ///
  /// So the prediction is right about everything that the call meets: cache, discovery, faults and policies of the provider.
  func prediction(_ app: InstalledApp, accounts: [MSALAccount], refusal: MSALError?) throws -> Prediction {
    let (applicationChecks, applicationError) = app.applicationChecks()
    if let error = applicationError {
      return Prediction(
        kind: .failure, sentence: "would fail: \(error.description)", checks: applicationChecks)
    }
    if let refusal { return try prediction(app, refusal, account: nil, isKnown: false, applicationChecks) }
    if accounts.count > 1 {
      return Prediction(
        kind: .failure, sentence: "would fail: several accounts, none named (-42102)",
        checks: applicationChecks)
    }
    return try prediction(app, account: accounts.first, named: nil)
  }

  /// The same for the account of this username or home account ID, whether the app lists it or not.
  func prediction(_ app: InstalledApp, accountNamed name: String) throws -> Prediction {
    if app.sdk == .adal { return try adalPrediction(app, userID: name, refusal: nil) }
    let (checks, error) = app.applicationChecks()
    if let error {
      return Prediction(kind: .failure, sentence: "would fail: \(error.description)", checks: checks)
    }
    do {
      return try prediction(app, account: try quietClient(app).knownAccount(name), named: name)
    } catch let error as MSALError {
      return try prediction(app, error, account: name, isKnown: false, checks)
    }
  }

  private func prediction(
    _ app: InstalledApp, account: MSALAccount?, named name: String?
  ) throws -> Prediction {
    let tried = TraceRecorder()
    let client = scratchClient(app, trace: tried)
    let request = SilentRequest(account: account, scopes: app.scopes, correlationID: chance.upperUUID())
    do {
      let result = try client.acquireSilently(request)
      return Prediction(
        kind: Prediction.Kind(result.source), sentence: sentence(result, tried), checks: tried.decisiveChecks)
    } catch let error as MSALError {
      return try prediction(app, error, account: name, isKnown: account != nil, tried.decisiveChecks)
    }
  }

  private func sentence(_ result: MSALResult, _ tried: TraceRecorder) -> String {
    if result.isFallback { return "would use the cache: the server is unavailable" }
    switch result.source {
    case .cache where tried.hops.contains { $0.to == .provider }:
      return "would use the cache, after instance discovery"
    case .cache: return "would use the cache, no network"
    default: return "would redeem the \(result.source.rawValue), no person"
    }
  }

  private func prediction(
    _ app: InstalledApp, _ error: MSALError, account: String?, isKnown: Bool, _ checks: [Check]
  ) throws -> Prediction {
    let (missing, reasons) =
      error.mayLackSharing
      ? try SharingQueries(stage: self).refusal(of: app, account: account) : (nil, [])
    let checks = checks + reasons
    guard error.code == MSALCode.interactionRequired.number else {
      let words = error.domain == "NSOSStatusErrorDomain" ? error.keychainWords : error.description
      return Prediction(kind: .failure, sentence: "would fail: \(words)", checks: checks)
    }
    if let missing {
      return Prediction(kind: .prompt, sentence: "would prompt: \(missing.words)", checks: checks)
    }
    let refused = error.oauthError != nil ? "the refresh token is refused" : error.description
    return Prediction(
      kind: .prompt, sentence: "would prompt: \(isKnown ? refused : "no account signed in")", checks: checks)
  }
}

extension Prediction.Kind {
  fileprivate init(_ source: MSALResult.Source) {
    self =
      switch source {
      case .cache: .cache
      case .appRefreshToken, .legacyRefreshToken: .appRefreshToken
      case .familyRefreshToken, .legacyFamilyRefreshToken: .familyRefreshToken
      case .broker, .webSession: .broker
      }
  }
}

extension MSALError {
  fileprivate var keychainWords: String {
    (KeychainError(number: code)?.name ?? domain) + " (\(code))"
  }
}

extension TraceRecorder {
  /// The checks of the SDK's own decision, and those that failed at the provider: not each look into the keychain.
  var decisiveChecks: [Check] {
    hops.flatMap { hop in
      hop.to == .keychain
        ? [] : hop.to == .provider ? hop.checks.filter { $0.verdict == .failed } : hop.checks
    }
  }
}
