import Foundation
import Testing

@testable import SSOLab
@testable import SSOScenarios
@testable import SSOStore
@testable import SSOTermApp
@testable import TerminalUI

/// The README's five minutes, and the next part of a presentation, as a user goes through them at the keyboard.
///
/// The animations of the documentation are recordings of these tests (`Scripts/pictures`).
struct JourneyTests {
  /// Signs Ada in, in the first app.
  private func signIn(_ lab: RobotUser) {
    lab.screen(.apps).select("My Test App 1").press("i").sees("Wants to Use")
      .press(.enter).sees("Test users")
      .press(.control("t")).press(.enter).sees("Password")
      .press(.control("t")).press(.enter).sees("Permissions requested")
      .press(.enter).sees("ada@contoso.com")
  }

  @Test func theSecondAppIsSignedInSilently() throws {
    let lab = try RobotUser("contoso-suite")
    signIn(lab)
    lab.select("My Test App 2").sees("NEXT ✓ silent: cache, after instance discovery")
      .press("s").sees("Token for ada@contoso.com from the cache")
    try lab.end(as: "silent-sign-on")
  }

  @Test func anExpiredTokenIsRenewedAndAnInvalidRefreshTokenAsksForASignIn() throws {
    let lab = try RobotUser("contoso-suite")
    signIn(lab)
    lab.press("e").sees("The access token of ada@contoso.com is expired.")
      .press("s").sees("Token for ada@contoso.com with the app refresh token.")
      .press("I").press("e").press("s").sees("✗")
      .press("W").sees("-50002")
      .press(.escape)
      .press("z").sees("↶")
      .press("Z").doesNotSee("↶")
    try lab.end(as: "expiry")
  }

  @Test func aTraceIsReadStepByStep() throws {
    let lab = try RobotUser("contoso-suite")
    signIn(lab)
    lab.screen(.traces).select("sign in").press(.enter).sees("step 1/")
      .press("]]]").sees("step 4/")
      .press("[").sees("step 3/")
    try lab.end(as: "trace")
  }

  @Test func theBrokerOffersTheAccountToTheSecondVendorsApp() throws {
    let lab = try RobotUser(demo: "two-vendors")
    lab.screen(.apps).press("i").sees("Choose an account", "Use another account")
    try lab.end(as: "choose-an-account")
  }

  @Test func removingAnAccountShowsFirstWhatTheOtherAppsLose() throws {
    let lab = try RobotUser("contoso-suite")
    signIn(lab)
    lab.select("My Test App 1").press("o").sees("My Test App 2", "My Test App 3")
      .press(.escape).sees("ada@contoso.com")
    try lab.end(as: "blast-radius")
  }

  @Test func aFaultIsInjectedAndCleared() throws {
    let lab = try RobotUser("contoso-suite")
    lab.press("!").press("a").press(.enter).press("429:7").press(.enter).press(.enter).sees("faults 1")
      .press("d").doesNotSee("faults 1")
    try lab.end(as: "fault")
  }

  @Test func aFailedCallOfALogIsReproducedAndAnAssumptionIsChanged() throws {
    let lab = try RobotUser("contoso-suite", size: Size(width: 120, height: 40))
    lab.screen(.traces).press("p").paste(Sample.failedLog).press(.enter).sees("✗", "R reproduce")
      .press("R").sees("✓ reproduced", "in both", "the refresh token has expired")
      .select("cause").sees("The refresh token was not used for more than 90 days.", "e assume")
      .select("mended by").sees("acquire the token interactively", "Proved")
      .select("bundle ID").press("e").press(.control("u")).press("com.example.mail").press(.enter)
      .sees("com.example.mail", "you chose it", "✓ reproduced")
      .press(.tab).sees("Source MSAL → Provider redeem the refresh token", "✗ the refresh token has expired")
      .press(.escape).press(.escape).sees("R reproduce")
    try lab.end(as: "reproduce")
  }
}

/// Section G of the claims: the screens' view of a lab.
///
/// Each row holds for a scenario, but no longer after one record of its world was changed.
struct TerminalClaim: CustomTestStringConvertible, Sendable {
  /// The claim's ID and text.
  var testDescription: String
  var scenario: String
  /// Whether the first user signs in to the first app before the keys.
  var isSignedIn = true
  var keys: String
  /// The text that the screen then contains.
  var shows: String
  /// The patch for the scenario's world, in the format of `patch:`.
  var patch: String

  static let all = [
    TerminalClaim(
      testDescription: "G2: accounts are listed across the apps", scenario: "contoso-suite", keys: "2",
      shows: "My Test App 1, My Test App 2", patch: "apps: {com.contoso.mytestapp2: {teamID: F6G7H8I9J0}}"),
    TerminalClaim(
      testDescription: "G3: the broker's picker", scenario: "two-vendors", isSignedIn: false, keys: "i",
      shows: "Choose an account", patch: "brokerAccounts: {ada@contoso.com: , grace@contoso.com: }"),
    TerminalClaim(
      testDescription: "G3: a picker that says who needs a password", scenario: "two-vendors",
      isSignedIn: false, keys: "i", shows: "needs password",
      patch: "brokerAccounts: {grace@contoso.com: {state: ready}}"),
    TerminalClaim(
      testDescription: "G4: tokens by client ID and redirect URI", scenario: "contoso-suite", keys: "3",
      shows: "mytestapp2://auth",
      patch: #"apps: {com.contoso.mytestapp2: {redirectURI: "x-msauth-other://com.contoso.other"}}"#),
    TerminalClaim(
      testDescription: "G5: a demo of the broker's flow tells its steps", scenario: "two-vendors",
      isSignedIn: false, keys: ">\r\r8", shows: "✓ as exp", patch: "brokerAccounts: {ada@contoso.com: }"),
  ]
}

struct TerminalClaimTests {
  private func screen(_ claim: TerminalClaim, patched: Bool) throws -> String {
    let library = ScenarioLibrary()
    var file = try library.scenario(claim.scenario)
    if patched {
      let text = "name: patched\ninherit: \(claim.scenario)\npatch:\n  \(claim.patch)\n"
      let source = ScenarioSource(path: "patched.yaml", text: text)
      file = try ScenarioFile(source) { name throws(ScenarioError) in try library.source(named: name) }
    }
    var terminal = try LabByKeys(file)
    if claim.isSignedIn { terminal.signIn() }
    terminal.press(claim.keys)
    return terminal.text
  }

  @Test(arguments: TerminalClaim.all) func holdsAndNoLongerWithAChangedRecord(_ claim: TerminalClaim) throws {
    let whole = try screen(claim, patched: false)
    #expect(whole.contains(claim.shows), "\(whole)")
    let broken = try screen(claim, patched: true)
    #expect(!broken.contains(claim.shows), "\(broken)")
  }

  /// G1: a credential store that several terminals share.
  @Test(arguments: [true, false]) func anotherTerminalSeesTheSignIn(_ shares: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ssoterm-G1-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func terminal(_ store: String) throws -> LabByKeys {
      let path = folder.appending(path: store).path
      let suite = try ScenarioLibrary().scenario("contoso-suite")
      return LabByKeys(try Lab.open(.file(path: path), creating: { suite }).lab, title: "contoso-suite")
    }
    var first = try terminal("a.sqlite")
    first.signIn()
    var second = try terminal(shares ? "a.sqlite" : "b.sqlite")
    second.press("2")
    #expect(second.text.contains("ada@contoso.com") == shares)
  }
}
