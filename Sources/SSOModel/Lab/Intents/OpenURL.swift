/// `openURL` by any app, of any URL: what a person or a scenario tries on purpose.
struct OpenURL: IntentAction {
  var url: String
  var app: String

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    let runtime = transaction.runtime
    let shown = String(url.prefix { $0 != "?" }.prefix(120))
    transaction.trace.add(.person, .app, actor: app.bundleID, "openURL \(shown)")
    func refused(_ summary: String, because reason: String? = nil) -> Outcome {
      let check = transaction.lastFailedCheck
      return Outcome(
        .failed, summary, errorText: check == nil ? reason : nil, failedCheck: check,
        prompted: transaction.hasPrompted)
    }
    var (answer, sender) = (url, app.bundleID)
    if isBrokerURL(url) {
      guard try runtime.launchBroker(for: url, from: app) else {
        return refused("\(app.displayName) cannot open \(shown).")
      }
      guard let reply = try runtime.broker(for: app).answer(url, from: app) else {
        let reason = transaction.trace.hops.last { $0.from == .broker && $0.action == "refuse" }?.result ?? ""
        return refused("The broker refused the request of \(app.displayName): \(reason)")
      }
      (answer, sender) = (reply, brokerBundleID)
    }
    guard let (bundleID, delivery) = try runtime.deliver(answer, sender: sender) else {
      let scheme = shown.prefix { $0 != ":" }
      return refused("No app opens \(shown).", because: "no app registers the URL scheme \(scheme)")
    }
    let receiver = try transaction.app(bundleID)
    guard let delivery else { return refused("\(receiver.displayName) received the URL, its SDK did not.") }
    return try AppCall(receiver, in: transaction).handle(delivery)
      ?? refused("\(receiver.displayName) ignores the URL.")
  }
}
