import Testing

@testable import SSOTermApp
@testable import TerminalUI

/// The use of large windows, and what a small window says about the things that it has no room for.
struct WindowSizeTests {
  private func signedIn(_ lab: RobotUser) -> RobotUser {
    lab.select("My Test App 1").press("i").press(.enter)
    for _ in 0..<2 { lab.press(.control("t")).press(.enter) }
    return lab.press(.enter)
  }

  @Test(arguments: [Size(width: 140, height: 50), Size(width: 200, height: 60)])
  func aWideWindowShowsTheSelectedStepBesideTheFlow(_ size: Size) throws {
    signedIn(try RobotUser("contoso-suite", size: size)).screen(.traces).press(.enter)
      .sees("step 1/", "Step 1", "User -> App: sign in", "By com.contoso.mytestapp1")
      .press("]]]]").sees("step 5/", "Step 5", "MSAL -> Provider: GET")
  }

  /// The last line of the flow is complete, because the lanes come closer to each other.
  @Test func lanesGiveWayToTextsThatWouldBeCut() throws {
    signedIn(try RobotUser("contoso-suite", size: Size(width: 120, height: 40))).screen(.traces).press(.enter)
      .sees("GET /common/v2.0/.well-known/openid-configuration = 200 ✓")
  }

  /// A text that is too long for one line of the flow has two while there are lines that no step needs.
  @Test func noTextOfAFlowIsCutAboveEmptyLines() throws {
    signedIn(try RobotUser("contoso-suite", size: Size(width: 140, height: 40))).screen(.traces).press(.enter)
      .sees("step 1/33", "asked whether My Test App 1 may use", "POST /common/oauth2/v2.0/token = 200 ✓ 31")
      .doesNotSee("…")
  }

  /// Conditions that would be cut beside the selected one are above it, as in a window of 80 columns.
  @Test func theConditionsOfWhyAreWhole() throws {
    signedIn(try RobotUser("contoso-suite-broken-team", size: Size(width: 100, height: 24))).press("jw")
      .sees("its entitlements do not name My Test App 1's access group").doesNotSee("…")
  }

  /// Regression: the step below had ten empty lines, and the reason to go on was cut.
  @Test func aTextOfAFlowHasTheLinesThatTheStepBelowDoesNotNeed() throws {
    try RobotUser(demo: "two-vendors", size: Size(width: 120, height: 40)).press(">").press(">").press(">")
      .screen(.traces).press(.enter)
      .sees("step 1/42", "· so the page asks for consent", "handed to com.contoso.mytestapp1", "By com.")
      .doesNotSee("…")
  }

  /// Regression: the hint about the scripted answer hid what the window has no room for.
  @Test(arguments: [
    (Size(width: 60, height: 20), "> answers. No room for the steps so far."),
    (Size(width: 40, height: 12), "> answers. No room: the steps so far."),
  ])
  func aSmallPromptOfADemoSaysWhatItLacks(_ size: Size, _ text: String) throws {
    try RobotUser(demo: "two-vendors", size: size).press(">").sees("Choose an account", text)
  }

  @Test(arguments: [Size(width: 60, height: 20), Size(width: 79, height: 24)])
  func aSmallWindowNamesTheColumnsAndPanelsThatItHasNoRoomFor(_ size: Size) throws {
    try RobotUser("contoso-suite", size: size).press("xjk").sees("No room for", "REDIRECT URI")
  }

  @Test func aLowWindowNamesTheKeyForTheOtherPanel() throws {
    let lab = signedIn(try RobotUser("contoso-suite", size: Size(width: 40, height: 12))).press(.escape)
    lab.screen(.accounts).sees("Tab: more. No room: TENANT")
      .press(.tab).sees("Ada Lovelace").doesNotSee("ACCOUNT APPS")
    lab.screen(.tokens).sees("Tab: more. No room: Access token")
      .press(.tab).sees("Usable by")
    lab.screen(.traces).press(.enter).sees("Tab: more. No room: the lanes")
      .press(.tab).sees("User -> App: sign in")
  }

  /// A step with a long text, such as an SDK's error, takes no room from the lanes' names.
  @Test func inAVeryWideWindowLongTextsLeaveTheNamesOfTheLanesWhole() throws {
    signedIn(try RobotUser("contoso-suite-broken-team", size: Size(width: 200, height: 60)))
      .select("My Test App 2").press("s").press("kj")
      .sees(
        "Last call: silent My Test App 2", "User App MSAL System Keychain", "Error Domain=MSALErrorDomain")
  }

  @Test func aWindowOfTheUsualSizeLacksNothingToMention() throws {
    for screen in ["1", "2", "3", "4", "5", "6", "7", "9"] {
      try RobotUser("contoso-suite", size: Size(width: 80, height: 24)).press("xjk").press(screen)
        .doesNotSee("No room for")
    }
  }
}

/// The facts that a window of 80x24 shows whole, because they differ from row to row.
struct UsualWindowTests {
  private let size = Size(width: 80, height: 24)

  private func signedIn(_ lab: RobotUser) -> RobotUser {
    lab.select("My Test App 1").press("i").press(.enter)
    for _ in 0..<2 { lab.press(.control("t")).press(.enter) }
    return lab.press(.enter).press("xjk")
  }

  @Test func appsHaveTheirNextCallBesideTheirTokens() throws {
    signedIn(try RobotUser("contoso-suite-broken-team", size: size))
      .sees("ACCOUNT AT RT NEXT CALL")
      .sees("My Test App 1 ada@contoso.com ● 1h ● 90d ✓ silent: cache")
      .sees("My Test App 2 - · none · none ! needs sign-in")
      .press("ttkj").sees("○ expired ● 90d ✓ silent: app RT")
  }

  /// Regression: the reason was cut beside a client ID that was cut too.
  @Test func aWindowForATalkHasTheReasonOfTheNextCallWhole() throws {
    signedIn(try RobotUser("contoso-suite-broken-team", size: Size(width: 100, height: 30)))
      .sees("APP ACCOUNT AT NEXT CALL")
      .sees("My Test App 2 - · none ! needs sign-in: its team differs from My Test App 1's")
  }

  /// Regression: the next call gave way before columns that the panel below has too.
  @Test(arguments: [Size(width: 60, height: 20), Size(width: 40, height: 12)])
  func aSmallWindowKeepsTheNextCall(_ size: Size) throws {
    let lab = try RobotUser("contoso-suite-broken-team", size: size)
    lab.sees("NEXT CALL").sees("! needs sign-in")
  }

  @Test func theItemsOfAKeychainGroupHaveTheirKindAndStateWhole() throws {
    signedIn(try RobotUser("contoso-suite", size: size)).press("tt").screen(.keychain)
      .sees("account metadata - -", "access token ada@contoso.com ○ expired")
  }

  @Test func theStepsOfADemoHaveTheirTitlesWhole() throws {
    try RobotUser(demo: "two-vendors", size: size).screen(.demo)
      .sees(
        "1 Ada signs in to My Test App 1, by choosing her account next: >",
        "4 Grace is in the picker too, but has to type her password -")
  }

  @Test func hiddenConditionsAreCountedInFull() throws {
    signedIn(try RobotUser("contoso-suite-broken-team", size: size)).press("jw")
      .sees("more hold; press a")
  }
}

/// Titles and cursors of dialogs about a change.
struct ChangeDialogTests {
  @Test func aDeletionNamesTheCredentialAndItsUser() throws {
    let lab = try RobotUser("contoso-suite")
    lab.select("My Test App 1").press("i").press(.enter)
    for _ in 0..<2 { lab.press(.control("t")).press(.enter) }
    lab.press(.enter).screen(.tokens).press("d").sees("Delete the access token of ada@contoso.com")
  }

  @Test func aDemosStepByHandComesAgainOnceItIsUndone() throws {
    let lab = try RobotUser(demo: "contoso-suite")
    lab.select("My Test App 1").press("i").press(.enter)
    for _ in 0..<2 { lab.press(.control("t")).press(.enter) }
    lab.press(.enter).sees("That was step 1 of 4").press("z").sees("Undone: sign in")
      .screen(.demo).sees("0 of 4 done")
  }

  @Test func afterAnUndoneFixTheConditionThatDecidesIsSelectedAgain() throws {
    let lab = try RobotUser(demo: "contoso-suite-broken-team", size: Size(width: 80, height: 24))
    lab.select("My Test App 1").press("i").press(.enter)
    for _ in 0..<2 { lab.press(.control("t")).press(.enter) }
    lab.press(.enter).select("My Test App 2").press("s").sees("Its team differs", "w why and fix")
      .press("w").sees("Condition 4 of 8", "Fix (f)")
      .press("f").press(.enter).sees("Keep this change?")
      .press(.escape).sees("Undone", "Condition 4 of 8", "Fix (f)")
  }
}
