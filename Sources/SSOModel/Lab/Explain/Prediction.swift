import SSOCore
import SSODevice

/// The predicted result of an app's next silent call, which the flow itself computes on a scratch copy.
package struct Prediction: Codable, Hashable, Sendable {
  /// The source of the token, or the obstacle.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case cache, appRefreshToken, familyRefreshToken, broker, prompt, failure
    /// An external client that authenticates with its own secret, without a user and a refresh token.
    case ownSecret
  }
  package var kind: Kind
  /// The prediction as text, such as "silent: cache, no network" or "needs sign-in: no refresh token of this client
  /// is in the cache".
  package var sentence: String
  /// The reason of the failed check, as in `why` and the call's outcome, or `nil` if the call succeeds.
  package var reason: String?
  /// The checks of the call.
  ///
  /// A failed check is the deciding one. If the call succeeds, no check failed.
  package var checks: [Check]
}

/// A predictor of an app's next silent call, which makes the call itself on a scratch copy of this lab.
///
/// So the prediction takes everything into account that affects the call: cache, discovery, faults, and
/// policies of the provider.
struct Predictor {
  let reader: LabReader

  /// Predicts a call with the app's own scopes.
  ///
  /// `account` is a username or home account ID, whether or not the app lists it, or `nil` for a call that
  /// does not specify an account.
  ///
  /// - Throws: `StoreError`. An error of the call itself is the prediction.
  package func prediction(_ app: InstalledApp, account: String?) throws -> Prediction {
    if let check = reader.device.silentCallCheck(of: app) {
      return Prediction(.failure, check.reason, checks: [check], cause: check)
    }
    let tried = TraceRecorder()
    let sdk = reader.sdk(of: app, trace: tried)
    do {
      try sdk.checkApplication()
      var request = SDKRequest(
        account: try sdk.account(named: account), correlationID: RandomSource(reader.randomness).upperUUID())
      request.isAccountNamed = account != nil
      let result = try sdk.acquireSilently(request)
      return Prediction(
        Prediction.Kind(result.source), origin(of: result, tried), checks: checks(tried, sdk), cause: nil)
    } catch let error as SDKError {
      let cause = try SharingQueries(reader: reader).cause(of: error, of: app, account: account, tried)
      return error.needsInteraction
        ? Prediction(.prompt, cause.reason, checks: checks(tried, sdk), cause: cause)
        : Prediction(
          .failure, "\(cause.reason) (\(error.codeText))", checks: checks(tried, sdk), cause: cause)
    }
  }

  /// Returns the checks of the SDK's own decision and the failed checks of the provider.
  ///
  /// Keychain look-ups and passed checks of the setup are omitted.
  private func checks(_ tried: TraceRecorder, _ sdk: any IdentitySDK) -> [Check] {
    let setUp = sdk.setUp.checks.filter { $0.verdict == .passed }
    return tried.hops.flatMap { hop in
      hop.to.isStorage
        ? [] : hop.to == .provider ? hop.checks.filter { $0.verdict == .failed } : hop.checks
    }.filter { !setUp.contains($0) }
  }

  /// Returns the origin of the token of a call that succeeds.
  private func origin(of result: SDKResult, _ tried: TraceRecorder) -> String {
    guard result.source == .cache, !result.isFallback else {
      return result.isFallback ? "cache, the server is unavailable" : result.source.rawValue
    }
    return tried.hops.contains { $0.to == .provider }
      ? "cache, after instance discovery" : "cache, no network"
  }
}

extension Prediction {
  /// Creates a prediction.
  ///
  /// `detail` is the origin of the token, or the reason that the call gets no token. `cause` is the condition that
  /// decided against the call, or `nil` if it succeeds.
  init(_ kind: Kind, _ detail: String, checks: [Check] = [], cause: Check? = nil) {
    let all = checks + (cause.map { checks.contains($0) ? [] : [$0] } ?? [])
    self.init(
      kind: kind, sentence: "\(kind.displayText): \(detail)", reason: cause?.reason,
      checks: all.decided(by: cause))
  }

  /// The prediction as a predicate of "the next call".
  var predicate: String { kind.isSilent ? "is " + sentence : sentence }
}

extension Prediction.Kind {
  /// The prediction as every surface names it (docs/terms.md).
  package var displayText: String {
    switch self {
    case .cache, .appRefreshToken, .familyRefreshToken, .broker, .ownSecret: "silent"
    case .prompt: "needs sign-in"
    case .failure: "fails"
    }
  }

  /// Whether the call gets a token, without a prompt.
  package var isSilent: Bool { self != .prompt && self != .failure }

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
