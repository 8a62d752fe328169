import SSOReference
import TerminalUI
import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOTermApp

/// A call for one of several accounts specifies the account.
struct SeveralAccountsTests {
  private static let app = "com.contoso.mytestapp1"

  /// Returns the screens with Ada and Grace signed in to the first app of the suite.
  private func twoPeople() throws -> LabByKeys {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    // The system alert comes first.
    keys.press("a\r")
    keys.press(.control("u"))
    for key in "grace@contoso.com\r" { keys.press(key == "\r" ? .enter : .character(key)) }
    keys.answerPages()
    keys.press("g")
    let rows = keys.model.lab.apps.filter { $0.bundleID == Self.app }
    #expect(rows.map(\.accounts) == [["ada@contoso.com"], ["grace@contoso.com"]])
    return keys
  }

  @Test func eachKeyActsForTheAccountOfItsRow() throws {
    var keys = try twoPeople()
    #expect(
      keys.text.contains("Apps by account") && keys.text.contains("for ada@contoso.com: next silent call"))
    keys.press("js")
    #expect(keys.model.notice?.text.hasPrefix("✓ Token for grace@contoso.com") == true)
    keys.press("e")
    #expect(keys.model.notice?.text.contains("of grace@contoso.com is expired") == true)
    let states = try keys.lab.read { try $0.apps.rows() }.filter { $0.bundleID == Self.app }.map(
      \.accessToken.state)
    #expect(states == [.valid, .expired])
    keys.press("o")
    #expect(keys.model.topDialog(Confirmation.self)?.title == "Sign grace@contoso.com out of My Test App 1")
    keys.press(.tab)
    keys.press("\r")
    #expect(keys.model.screens.apps.selected(keys.model.shared)?.bundleID == Self.app)
    #expect(
      try keys.lab.read { try $0.apps.rows() }.first { $0.bundleID == Self.app }?.accounts == [
        "ada@contoso.com"
      ])
  }

  /// Two access tokens with the same scopes differ by their users, which are shown if there is room.
  @Test func theListOfTokensSaysWhoseAnAccessTokenIs() throws {
    var keys = try twoPeople()
    keys.press("3+")
    let rows = keys.text.split(separator: "\n").filter { $0.contains(" AT  ") }
    #expect(rows.contains { $0.contains("ada  User.Read openid profile") }, "\(keys.text)")
    #expect(rows.contains { $0.contains("grace  User.Read openid profile") })
  }

  /// At 80 columns, an account of the broker loses its domain before it loses the end of its name.
  @Test func anAccountOfTheBrokerIsShownWithoutItsDomainBeforeItIsCut() throws {
    let lab = try RobotUser("two-vendors", size: Size(width: 80, height: 24)).press("3")
    lab.sees("PRT ada@contoso.com ", "PRT grace ", "○ expired").doesNotSee("grace@contoso.…")
  }

  /// At 100 columns, the list of tokens leaves the inspector the columns of a GUID.
  @Test func aGUIDAmongTheClaimsOfATokenIsOnOneLine() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("3")
    let text = FrameSample("", keys.model).frame(Size(width: 100, height: 40)).text()
    #expect(text.contains("appid           b6c69a37-df96-4db0-9088-2ab96e1d8215"), "\(text)")
  }

  /// The whole name of a group is below a list that shows it without its middle.
  @Test func theNameOfAGroupIsShownInFull() throws {
    try RobotUser("two-vendors", size: Size(width: 80, height: 24)).press("5")
      .sees("SGGM6D27TK.com.microsoft.", "workplacejoin")
  }

  /// Of two vendors, the broker shares the sign-in, although no condition of the keychain holds.
  @Test func theGridSaysThatItsConditionsAreNeededOnlyWithoutTheBroker() throws {
    try RobotUser("two-vendors", size: Size(width: 80, height: 24)).press("m")
      .sees("through the broker, no password", "Needed only without the broker")
    try RobotUser("contoso-suite", size: Size(width: 80, height: 24)).press("m")
      .doesNotSee("Needed only without the broker")
  }

  /// The command line behaves in the same way, and fails without a name.
  @Test func thePaletteTakesTheAccountBehindTheApp() throws {
    var keys = try twoPeople()
    keys.press(":silent mytestapp1 grace@contoso.com\r")
    #expect(keys.model.notice?.text.hasPrefix("✓ Token for grace@contoso.com") == true)
    keys.press(":silent \(Self.app)\r")
    #expect(keys.performed.last?.outcome.errorCode == -50002)
    let row = try #require(keys.model.lab.apps.first { $0.accounts == ["grace@contoso.com"] })
    keys.press("jw")
    #expect(
      keys.model.topDialog(Why.self)?.checklist.title
        == "Why My Test App 1 needs no sign-in for grace@contoso.com")
    keys.press(.escape)
    #expect(
      CallAction.silent.commandWords("", in: keys.model)
        == ["silent", Self.app, "--account", try #require(row.account)])
    #expect(CallAction.silent.commandWords(Self.app, in: keys.model) == ["silent", Self.app])
  }

  /// Regression: it was the state "none: Nothing is stored".
  @Test func aCodeIsExplainedAndNotAWordBesideIt() throws {
    var model = Sample.model(.apps)
    model.lab.apps[0].next = Prediction(
      kind: .failure, sentence: "fails: several accounts, none named (-42102)", checks: [Sample.failed])
    _ = FrameSample.commands(&model, "W")
    #expect(model.topDialog(Explained.self)?.codes.map(\.code) == ["failure", "-42102"])
  }

  @Test func theDecidingConditionIsTheOneOfHeadingStarCursorAndVerdict() throws {
    var keys = try LabByKeys("contoso-suite-broken-sharing-group")
    keys.signIn()
    keys.press("jw")
    let why = try #require(keys.model.topDialog(Why.self))
    #expect(why.selected?.name == "configured sharing group" && why.selected == why.checklist.firstFailure)
    let lines = keys.text.split(separator: "\n")
    #expect(lines.filter { $0.contains("<- here") }.count == 1)
    #expect(lines.contains { $0.contains("configured sharing group") && $0.contains("<- here") })
    #expect(keys.text.contains("first failure"))
  }

  @Test func whatIsSilentHasNoRedCondition() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    for place in ["1w", "4w"] {
      keys.press(place)
      let why = try #require(keys.model.topDialog(Why.self))
      #expect(why.firstFailure == nil && !keys.text.contains("✗"), "\(why.checklist.title)")
      keys.press(.escape)
    }
  }
}
