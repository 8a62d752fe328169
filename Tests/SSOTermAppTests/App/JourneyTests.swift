import Testing

@testable import SSOTermApp
@testable import TerminalUI

/// The README's five minutes, and what a person shows an audience next, as a user at the keyboard goes through them.
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
    lab.select("My Test App 2").sees("NEXT would use the cache, after instance discovery")
      .press("s").sees("Token for ada@contoso.com from the cache")
    try lab.end(as: "silent-sign-on")
  }

  @Test func anExpiredTokenIsRenewedAndAnInvalidRefreshTokenAsksForASignIn() throws {
    let lab = try RobotUser("contoso-suite")
    signIn(lab)
    lab.press("e").sees("The access token t2 of ada@contoso.com is expired.")
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
}
