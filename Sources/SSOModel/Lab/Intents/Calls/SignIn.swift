import SSOCore
import SSODevice
import SSOReference

/// An interactive sign-in by a user in an app (docs/behaviour/interactive-call.md §1, docs/behaviour/adal.md §8).
package struct SignIn: AppIntent {
  package static let verb = "signIn"
  package var app: String
  var account: String?
  var scopes: [String]
  var prompt: PromptBehavior
  /// Whether another interactive call of the app is running (docs/behaviour/interactive-call.md §1(1)).
  var overlaps: Bool
  var options: CallOptions

  package init(
    app: String, account: String? = nil, scopes: [String] = [], prompt: PromptBehavior = .whenRequired,
    overlaps: Bool = false, options: CallOptions = CallOptions()
  ) {
    self.app = app
    self.account = account
    self.scopes = scopes
    self.prompt = prompt
    self.overlaps = overlaps
    self.options = options
  }

  package var displayText: String {
    "sign in \(app)" + (account.map { " as \($0)" } ?? "") + (overlaps ? " while another call runs" : "")
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    transaction.trace.add(.person, .app, actor: app.bundleID, "sign in")
    if overlaps, let why = Self.unknownOverlap(on: transaction.device) {
      throw LabError(
        .badInput, "\(app.displayName) cannot make two calls at once.", why: why,
        next: "\(.signIn, app.bundleID)")
    }
    let hasCache = transaction.device.simulationCheck == nil
    let call = AppCall(app, in: transaction, isBusy: overlaps)
    return try call.outcome(for: account, authority: options.authority) { sdk in
      try sdk.checkApplication()
      let known = try hasCache ? account.flatMap { try sdk.knownAccount($0) } : nil
      return try sdk.acquireInteractively(
        SDKRequest(
          account: known, loginHint: account, scopes: scopes, prompt: prompt, options: options,
          correlationID: transaction.correlationID))
    }
  }

  /// Returns the reason that the lab does not know the result of a second call, or `nil` if it does.
  private static func unknownOverlap(on device: Device) -> String? {
    if device.platform == .android { return "The lab does not simulate a second call of MSAL for Android." }
    if device.ssoProfile != nil { return "The lab does not simulate a second call by the SSO extension." }
    return nil
  }
}
