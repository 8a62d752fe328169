/// Why an app's side of the broker protocol stopped, in IdentityCore's codes (docs/behaviour/errors.md §2); each SDK gives the app its own
/// code for the same (errors.md §2).
struct BrokerFault: Error, Hashable {
  var code: IdentityCoreCode
  var reason: String
  /// The check that failed, if one did.
  var check: Check?

  init(_ code: IdentityCoreCode, _ reason: String, check: Check? = nil) {
    self.code = code
    self.reason = reason
    self.check = check
  }

  /// The app is active again, and its SDK got no answer.
  static func notReceived(by sdk: SDKKind, check: Check) -> BrokerFault {
    let subject = sdk == .msal ? "Application" : "application"
    return BrokerFault(
      .brokerResponseNotReceived, "\(subject) did not receive response from broker.", check: check)
  }
}
