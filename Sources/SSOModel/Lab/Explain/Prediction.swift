/// What the next silent call of an app would do, as the flow itself decides it on a scratch copy.
package struct Prediction: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case cache, appRefreshToken, familyRefreshToken, broker, prompt, failure
    /// A real program that signs in by itself: no person, and no refresh token.
    case ownSecret
  }
  package var kind: Kind
  /// "would use cache, no network"; "would prompt: No token matching arguments found in the cache…".
  package var sentence: String
  /// The checks it went through, first failure included.
  package var checks: [Check]
}

/// Predicts an app's next silent call: the call itself, tried on a scratch copy of this lab.
///
/// So the prediction is right about everything that the call meets: cache, discovery, faults and policies of the provider.
package struct Predictor {
  let reader: LabReader

  /// The call with the app's own scopes that names no account.
  /// - Parameters:
  ///   - accounts: those that the app lists, as far as they were looked at.
  ///   - refusal: why they cannot be listed.
  func prediction(
    _ sdk: any IdentitySDK, accounts: [SDKAccount], refusal: SDKError?
  ) throws -> Prediction {
    let (checks, error) = sdk.applicationChecks()
    if let error {
      return Prediction(kind: .failure, sentence: "would fail: \(error.description)", checks: checks)
    }
    if let refusal { return try prediction(sdk.app, refusal, account: nil, isKnown: false, checks) }
    do {
      return try prediction(sdk.app, account: sdk.only { accounts }, named: nil)
    } catch let error as SDKError {
      return Prediction(kind: .failure, sentence: "would fail: \(error.summary)", checks: checks)
    }
  }

  /// The call for the account of this username or home account ID, whether the app lists it or not.
  package func prediction(_ app: InstalledApp, accountNamed name: String) throws -> Prediction {
    let sdk = reader.sdk(of: app)
    let (checks, error) = sdk.applicationChecks()
    if let error {
      return Prediction(kind: .failure, sentence: "would fail: \(error.description)", checks: checks)
    }
    do {
      return try prediction(app, account: sdk.knownAccount(name), named: name)
    } catch let error as SDKError {
      return try prediction(app, error, account: name, isKnown: false, checks)
    }
  }

  private func prediction(
    _ app: InstalledApp, account: SDKAccount?, named name: String?
  ) throws -> Prediction {
    let tried = TraceRecorder()
    let sdk = reader.sdk(of: app, trace: tried)
    let request = SDKRequest(account: account, correlationID: RandomSource(reader.randomness).upperUUID())
    do {
      let result = try sdk.acquireSilently(request)
      return Prediction(
        kind: Prediction.Kind(result.source), sentence: sentence(result, tried), checks: tried.decisiveChecks)
    } catch let error as SDKError {
      return try prediction(app, error, account: name, isKnown: account != nil, tried.decisiveChecks)
    }
  }

  private func sentence(_ result: SDKResult, _ tried: TraceRecorder) -> String {
    if result.isFallback { return "would use the cache: the server is unavailable" }
    switch result.source {
    case .cache where tried.hops.contains { $0.to == .provider }:
      return "would use the cache, after instance discovery"
    case .cache: return "would use the cache, no network"
    default: return "would redeem the \(result.source.rawValue), no person"
    }
  }

  private func prediction(
    _ app: InstalledApp, _ error: SDKError, account: String?, isKnown: Bool, _ checks: [Check]
  ) throws -> Prediction {
    let (missing, reasons) =
      error.mayLackSharing
      ? try SharingQueries(reader: reader).refusal(of: app, account: account) : (nil, [])
    let checks = checks + reasons
    guard error.needsInteraction else {
      return Prediction(kind: .failure, sentence: "would fail: \(error.summary)", checks: checks)
    }
    let why = missing?.words ?? reason(error, isKnown: isKnown)
    return Prediction(kind: .prompt, sentence: "would prompt: \(why)", checks: checks)
  }

  private func reason(_ error: SDKError, isKnown: Bool) -> String {
    let refused = "the refresh token is refused"
    guard error.sdk == .msal else { return error.isCacheMiss ? "nothing in the cache fits" : refused }
    guard isKnown else { return "no account signed in" }
    return error.oauthError != nil ? refused : error.description
  }
}

extension Prediction.Kind {
  fileprivate init(_ source: SDKResult.Source) {
    self =
      switch source {
      case .cache: .cache
      case .appRefreshToken, .legacyRefreshToken, .singleResourceRefreshToken: .appRefreshToken
      case .familyRefreshToken, .legacyFamilyRefreshToken: .familyRefreshToken
      case .broker, .webSession: .broker
      }
  }
}

extension TraceRecorder {
  /// The checks of the SDK's own decision, and those that failed at the provider: not each look into the keychain.
  fileprivate var decisiveChecks: [Check] {
    hops.flatMap { hop in
      hop.to == .keychain
        ? [] : hop.to == .provider ? hop.checks.filter { $0.verdict == .failed } : hop.checks
    }
  }
}
