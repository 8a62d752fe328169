import SSOCore
import SSODevice
import SSOLab

/// A call of a reproduction as a program makes it over HTTP, for the tests that are exported.
package struct ReproducedCall: Sendable {
  /// Whether the call redeems the app's refresh token, and shows no page.
  package var isSilent: Bool
  /// The scopes of the call, including the SDK's own.
  package var scopes: [String]
  /// The person's answers: `username`, `password`, `consent`, `verification`.
  package var answers: [(name: String, value: String)]

  init(_ step: Attempt.Step) {
    isSilent = step.action["silent"] != nil
    let asked = (step.action["silent"] ?? step.action["signIn"])?["scopes"]?.texts ?? []
    scopes = (asked.isEmpty ? ["User.Read"] : asked) + ["openid", "profile", "offline_access"]
    answers = ["username", "password", "consent", "verification"].compactMap { name in
      guard case .text(let value)? = step.answers?[name] else { return nil }
      return (name, value)
    }
    if case .text(let account)? = step.action["silent"]?["account"] { answers.append(("username", account)) }
  }
}

/// A reproduction as a test of another program needs it: the app's registration, and the call before and after the
/// change.
package struct ReproducedTest: Sendable {
  package var clientID: String
  package var redirectURI: String
  package var bundleID: String
  /// The tenant in the path of the authority, such as `common`.
  package var tenant: String
  /// The one-based number of the scenario's step that fails.
  package var step: Int
  package var call: ReproducedCall
  /// The call after the change, or `nil` if no change is known.
  package var mended: ReproducedCall?
  /// Whether the provider refuses the call, so that a program sees it over HTTP.
  package var isOverHTTP: Bool
}

extension Reproduction {
  /// The reproduction for an exported test, or `nil` without a failure in the lab.
  package var test: ReproducedTest? {
    guard let attempt, let last = attempt.steps.last, let failure else { return nil }
    guard let app = attempt.world.apps.first else { return testOfProgram(attempt.world.programs.first, last) }
    let segments = URLParts(app.authority)?.path.split(separator: "/") ?? []
    let usesBroker = attempt.world.device.brokerVersion != nil
    return ReproducedTest(
      clientID: app.clientID, redirectURI: app.redirectURI, bundleID: app.bundleID,
      tenant: segments.first.map(String.init) ?? "common", step: attempt.steps.count,
      call: ReproducedCall(last), mended: changes.first?.attempt.steps.last.map(ReproducedCall.init),
      isOverHTTP: failure.aadsts != nil && !usesBroker
        && [.authorize, .token].contains(failure.place ?? .sdk))
  }

  /// The test of a program's call, which runs the scenario: it knows each field that the program sends.
  private func testOfProgram(_ program: Program?, _ last: Attempt.Step) -> ReproducedTest? {
    guard let program, let attempt else { return nil }
    let tenant = URLParts(program.authority)?.path.split(separator: "/").first.map(String.init)
    return ReproducedTest(
      clientID: program.clientID, redirectURI: program.redirectURI, bundleID: program.name,
      tenant: tenant ?? "common", step: attempt.steps.count, call: ReproducedCall(last),
      mended: changes.first?.attempt.steps.last.map(ReproducedCall.init), isOverHTTP: false)
  }
}
