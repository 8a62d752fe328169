import SSOCore
import SSODevice
import SSOProvider
import SSOReference

/// A call of an app to its SDK.
struct AppCall {
  let transaction: IntentTransaction
  let app: InstalledApp
  /// Whether another interactive call of the app is running.
  private let isBusy: Bool

  init(_ app: InstalledApp, in transaction: IntentTransaction, isBusy: Bool = false) {
    self.app = app
    self.transaction = transaction
    self.isBusy = isBusy
  }

  var sdk: any IdentitySDK {
    guard isBusy else { return transaction.runtime.sdk(of: app) }
    var context = transaction.runtime.context(of: app)
    context.isBusy = true
    return context.sdk
  }
  private var trace: TraceRecorder { transaction.trace }

  /// Makes a token call.
  ///
  /// An error of the SDK is an outcome. `account` and `authority` are as the call specifies them; `isSilent` is true for a
  /// call that the lab must simulate on the device's platform.
  ///
  /// - Throws: The error of `call`, apart from `SDKError`.
  func outcome(
    for account: String?, authority: String? = nil, isSilent: Bool = false,
    _ call: (any IdentitySDK) throws -> SDKResult
  ) throws -> Outcome {
    let device = transaction.device
    let check =
      isSilent
      ? device.silentCallCheck(of: app) : device.interactiveCallCheck(of: app, authority: authority)
    if let check { return Outcome(notMade: check) }
    let sdk = sdk
    do {
      let result = try call(sdk)
      trace.add(
        app.sdk.party, .app, actor: app.bundleID, "result", result: "access token", sent: sdk.shown(result))
      return succeeded(result, sdk)
    } catch let waiting as WaitingForBroker {
      return Outcome(
        .failed, "\(app.displayName) waits for the broker, which must be installed from \(waiting.appLink).",
        failedCheck: transaction.lastFailedCheck, next: "Install it: \(.installBroker)",
        prompted: transaction.hasPrompted)
    } catch let error as SDKError {
      trace.add(app.sdk.party, .app, actor: app.bundleID, "error", result: error.printed)
      let cause = try SharingQueries(reader: transaction.reader).cause(
        of: error, of: app, account: account, trace)
      var outcome = Outcome(error, of: app.bundleID, prompted: transaction.hasPrompted, failedCheck: cause)
      outcome.next = accountToName(error, cause) ?? nearestScope(cause) ?? outcome.next
      return outcome
    }
  }

  /// Passes a URL that no call waits for to the app's SDK.
  ///
  /// - Returns: The outcome, or `nil` if the SDK ignores the URL.
  func handle(_ delivery: URLDelivery) throws -> Outcome? {
    let sdk = sdk
    do {
      return try sdk.handleResponse(delivery).map { succeeded($0, sdk) }
    } catch let error as SDKError {
      return transaction.failure(error, of: app)
    }
  }

  private func succeeded(_ result: SDKResult, _ sdk: any IdentitySDK) -> Outcome {
    var outcome = Outcome(
      .succeeded, "", username: result.username, homeAccountID: result.homeAccountID,
      expiresOn: result.expiresOn, grantedScopes: result.scopes, source: result.source.rawValue,
      prompted: transaction.hasPrompted)
    guard result.isAwaited else {
      // The tokens are only cached (docs/behaviour/broker.md §5).
      outcome.summary =
        "The answer for \(result.username) is in the cache. No call waited for it: the app had been restarted."
      outcome.source = SDKResult.Source.broker.rawValue
      return outcome
    }
    let how =
      switch result.source {
      case .cache where result.isExtendedLifetime:
        "from the cache: the server is unavailable, and the token's extended lifetime has not ended"
      case .cache where result.isFallback: "from the cache: the server is unavailable"
      case .cache where trace.hops.contains { $0.to == .provider }: "from the cache, after instance discovery"
      case .cache: "from the cache, no network"
      case .webSession: "in a \(sdk.webPageName)"
      case .broker: "through the broker"
      default: "with the \(result.source.rawValue)"
      }
    outcome.summary = "Token for \(result.username.isEmpty ? "an unknown user" : result.username) \(how)."
    outcome.accessToken = result.accessToken
    return outcome
  }

  /// Returns the advice after a call that did not specify one of several accounts.
  private func accountToName(_ error: SDKError, _ failed: Check) -> Advice? {
    guard error.isAmbiguous else { return nil }
    let names = failed.found.split(separator: ", ").prefix(9).map(String.init)
    let calls: [Advice] = names.map { "\(.silent, app.bundleID, with: [.account: $0])" }
    guard let first = calls.first else { return nil }
    return calls.dropFirst().reduce("Name one: \(first)") { "\($0) or \($1)" }
  }

  /// Returns the advice after a rejected scope: the most similar registered scope.
  private func nearestScope(_ failed: Check) -> Advice? {
    guard failed.isOfRequestedScopes else { return nil }
    let registration = try? transaction.directory.registration(clientID: app.clientID)
    let allowed = registration?.allowedScopes ?? []
    let known = Set(allowed.map { $0.lowercased() })
    let asked = failed.found.split(separator: " ").map(String.init)
    for scope in asked where !known.contains(scope.lowercased()) {
      if let near = nearestName(to: scope, among: allowed) { return "Did you mean --scope \(near)?" }
    }
    return nil
  }
}

extension Outcome {
  /// Creates the outcome of a call that is not made, because the lab does not simulate it on the device.
  init(notMade check: Check) {
    self.init(
      .failed, "\(check.reason).", failedCheck: check,
      next: check.remedy.map { "\(.set, $0.kind.rawValue, $0.record, $0.change)" })
  }

  /// Creates the outcome of an SDK's error, with the text that the SDK prints.
  ///
  /// `app` is the bundle ID of the app that called.
  init(_ error: SDKError, of app: String, prompted: Bool, failedCheck: Check?) {
    let isPolicy = [OAuthSuberror.additionalAction, .messageOnly].map(\.text).contains(error.suberror)
    self.init(
      error.isCancellation ? .cancelled : .failed,
      error.isCancellation ? "Cancelled by the user." : error.description, errorText: error.printed,
      errorDomain: error.domain, errorCode: error.exception == nil ? error.preciseCode : nil,
      error: ReportedError(error), failedCheck: failedCheck,
      next: error.needsInteraction && !isPolicy ? "\(.signIn, app)" : nil,
      prompted: prompted)
  }
}

extension ReportedError {
  /// Creates the values of an SDK's error; an exception has words in place of the codes.
  fileprivate init(_ error: SDKError) {
    let hasCodes = error.exception == nil
    self.init(
      code: hasCodes ? error.code : nil, internalCode: hasCodes ? error.internalCode : nil,
      symbol: error.exception?.errorCode, oauth: error.oauthError, suberror: error.suberror)
  }
}
