/// The reason that the app's side of the broker protocol stopped, as a code of IdentityCore.
///
/// Each SDK reports its own code for it to the app (docs/behaviour/errors.md §2).
struct BrokerFault: Error, Hashable {
  var code: IdentityCoreCode
  var reason: String
  /// The check that failed, or `nil` if none did.
  var check: Check?

  init(_ code: IdentityCoreCode, _ reason: String, check: Check? = nil) {
    self.code = code
    self.reason = reason
    self.check = check
  }

  /// Returns the fault for an app that is active again, and whose SDK received no response.
  static func notReceived(by sdk: SDKKind, check: Check) -> BrokerFault {
    let subject = sdk == .msal ? "Application" : "application"
    return BrokerFault(
      .brokerResponseNotReceived, "\(subject) did not receive response from broker.", check: check)
  }
}
