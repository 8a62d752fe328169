import SSOCore
import SSODevice
import SSOReference

/// Answers of the broker that come outside of a call.
extension Stage {
  /// The receiver's SDK looks at a URL that no call waits for.
  /// - Returns: nil if it takes no notice.
  func handle(_ delivery: URLDelivery, by app: InstalledApp) throws -> Outcome? {
    do {
      switch app.sdk {
      case .msal: return try client(app).handleResponse(delivery).map(succeeded)
      case .adal:
        return try adalClient(app).handleResponse(delivery).map {
          Outcome($0, prompted: !prompts.isEmpty)
        }
      }
    } catch let error as MSALError {
      trace.add(.sdk, .app, actor: app.bundleID, "error", result: error.printed)
      return Outcome(error, prompted: !prompts.isEmpty, failedCheck: error.failedCheck ?? lastFailedCheck)
    } catch let error as ADALError {
      trace.add(.sdk, .app, actor: app.bundleID, "error", result: error.printed)
      return Outcome(error, prompted: !prompts.isEmpty, failedCheck: error.failedCheck ?? lastFailedCheck)
    }
  }

  /// A call that goes on when the broker is there.
  func waits(_ app: InstalledApp, _ waiting: WaitingForBroker) -> Outcome {
    Outcome(
      .failed, "\(app.displayName) waits for the broker, which is to be installed from \(waiting.appLink).",
      failedCheck: lastFailedCheck, next: "Install it: ssoterm broker install", prompted: !prompts.isEmpty)
  }
}

extension Outcome {
  /// The tokens are cached, and that is all (fact sheet §5.5).
  static func nobodyWaited(
    username: String, homeAccountID: String?, expiresOn: Instant, scopes: [String], prompted: Bool
  ) -> Outcome {
    Outcome(
      .succeeded,
      "The answer for \(username) is in the cache. No call waited for it: the app had been started anew.",
      username: username, homeAccountID: homeAccountID, expiresOn: expiresOn, grantedScopes: scopes,
      source: MSALResult.Source.broker.rawValue, prompted: prompted)
  }
}
