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
}
