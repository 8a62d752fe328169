import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// The data that each kind of web view shares, and the alert before it (docs/behaviour/interactive-call.md §3(4),
/// claims E3, E4).
struct WebViewTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    var view: WebViewKind
    var platform = Platform.iOS
    var sdkVersion = PlatformDefaults(.iOS).sdkVersion
    /// The prompts of a sign-in: the first, the next of the same app, and the first of another app with the same kind.
    var first: [PromptKind]
    var again: [PromptKind]
    var other: [PromptKind]
    var testDescription: String { "\(view.rawValue), \(platform.rawValue), MSAL \(sdkVersion)" }
  }

  @Test(arguments: [
    Kind(
      view: .systemSession, first: [.systemAlert, .signIn, .signIn, .consent], again: [.systemAlert],
      other: [.systemAlert]),
    Kind(
      view: .ephemeralSession, first: [.signIn, .signIn, .consent], again: [.signIn, .signIn],
      other: [.signIn, .signIn]),
    Kind(view: .safariView, first: [.signIn, .signIn, .consent], again: [], other: [.signIn, .signIn]),
    Kind(view: .embedded, first: [.signIn, .signIn, .consent], again: [], other: [.signIn, .signIn]),
    Kind(
      view: .systemSession, platform: .macOS, sdkVersion: "1.0.9", first: [.signIn, .signIn, .consent],
      again: [], other: [.signIn, .signIn]),
    Kind(
      view: .systemSession, platform: .macOS, sdkVersion: "1.1.0", first: [.signIn, .signIn, .consent],
      again: [], other: []),
    Kind(
      view: .ephemeralSession, platform: .macOS, sdkVersion: "1.0.9", first: [.signIn, .signIn, .consent],
      again: [], other: [.signIn, .signIn]),
    Kind(
      view: .ephemeralSession, platform: .macOS, first: [.signIn, .signIn, .consent],
      again: [.signIn, .signIn], other: [.signIn, .signIn]),
    Kind(
      view: .systemSession, platform: .android, first: [.signIn, .signIn, .consent], again: [.signIn],
      other: [.signIn]),
  ])
  func aSignInAsks(_ kind: Kind) throws {
    let lab = try SilentLab(signIn: false) { world in
      world.device.platform = kind.platform
      for index in world.apps.indices {
        (world.apps[index].webView, world.apps[index].sdkVersion) = (kind.view, kind.sdkVersion)
      }
    }
    #expect(try signIn(lab).asked == kind.first)
    #expect(try signIn(lab).asked == kind.again)
    #expect(try signIn(lab, app: "com.contoso.mytestapp2").asked == kind.other)
  }

  @Test func theAlertSaysWhichAppWantsWhichSite() throws {
    let lab = try SilentLab(signIn: false)
    guard case .needs(.systemAlert(let alert), _) = try lab.lab.perform(Self.intent(SilentLab.app)) else {
      Issue.record("no alert")
      return
    }
    #expect(alert.title == "“My Test App 1” Wants to Use “microsoftonline.com” to Sign In")
    #expect(SystemAlert.message == "This allows the app and website to share information about you.")
  }

  @Test func cancelledAtTheAlertTheAppIsToldAsIfThePageWereClosed() throws {
    let lab = try SilentLab(signIn: false)
    let (outcome, hops) = try lab.perform(Self.intent(SilentLab.app), answers: [.cancel])
    #expect(outcome.errorCode == -50005)
    #expect(
      outcome.errorText?.contains("MSALErrorDescriptionKey=User cancelled the authorization session.,")
        == true)
    #expect(hops.asked == ["discovery 200", "configuration 200"])
  }

  /// The system opens the URL at which SFSafariViewController ends, so the app's delegate decides.
  @Test(arguments: [URLForwarding.both, .neither]) func aSafariViewEndsInTheAppDelegate(
    _ forwarding: URLForwarding
  ) throws {
    let lab = try SilentLab(signIn: false) { world in
      world.apps[0].webView = .safariView
      world.apps[0].urlForwarding = forwarding
    }
    let (_, outcome) = try signIn(lab)
    #expect(outcome.source == (forwarding == .both ? "web session" : nil))
    #expect(outcome.errorCode == (forwarding == .both ? nil : -50005))
  }

  @Test func aSignOutOfTheBrowserMeetsTheAlertAfterTheRemoval() throws {
    let lab = try SilentLab()
    let intent = SignOut(
      app: SilentLab.app, account: nil, options: SignOutOptions(fromBrowser: true))
    #expect(try lab.lab.blastRadius(of: intent).losses.filter(\.losesSignIn).count == 3)
    guard case .needs(.systemAlert, _) = try lab.lab.perform(intent) else {
      Issue.record("no alert")
      return
    }
    #expect(try lab.perform(intent, answers: [.cancel]).outcome.errorCode == -50005)
    #expect(try lab.silent(account: "ada@contoso.com").outcome.errorCode == -50002)
  }

  private static func intent(_ app: String) -> any Intent {
    SignIn(app: app, account: nil, scopes: [], prompt: .whenRequired)
  }

  /// Signs Ada in, with an answer to every prompt.
  private func signIn(
    _ lab: SilentLab, app: String = SilentLab.app
  ) throws -> (asked: [PromptKind], outcome: Outcome) {
    var answers: [Answer] = []
    var asked: [PromptKind] = []
    while true {
      switch try lab.lab.perform(Self.intent(app), answers: answers) {
      case .done(let outcome, _): return (asked, outcome)
      case .needs(let prompt, _):
        asked.append(PromptKind(prompt))
        var person = try AutomaticApprover(username: "ada@contoso.com", on: lab)
        answers.append(person.answer(prompt))
      }
    }
  }
}

extension AutomaticApprover {
  fileprivate init(username: String, on lab: SilentLab) throws {
    self = try lab.lab.store.write(nil) {
      try AutomaticApprover(username: username, in: $0)
    }
  }
}
