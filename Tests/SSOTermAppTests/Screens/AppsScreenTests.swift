import Foundation
import SSOCore
import TerminalUI
import Testing

@testable import SSOLab
@testable import SSOTermApp

/// The Apps screen in a wide window: what apps share, whose accounts they have, the remaining lifetimes, and the next
/// call.
struct DashboardTests {
  private static let wide = Size(width: 120, height: 40)

  private func rows(_ model: AppModel, _ size: Size = wide) -> [String] {
    FrameSample("", model).frame(size).text().split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  @Test func appsOfOneClientStandUnderWhatTheyShare() throws {
    let rows = rows(LabByKeys.suite(""))
    let heading = try #require(rows.firstIndex { $0.contains("client b6c69a37-df96-4db0-9088-2ab96e1d8215") })
    #expect(rows[heading].contains("keychain A1B2C3D4E5.com.microsoft.adalcache"))
    for (row, brace) in zip(
      rows[(heading + 1)...], ["┌ My Test App 1", "├ My Test App 2", "└ My Test App 3"])
    {
      #expect(
        row.contains(brace) && row.contains("ada@contoso.com") && row.contains("✓ silent: cache"), "\(row)")
      #expect(row.contains("● ━━━━━━━━ 1h") && row.contains("● ━━━━━━━━ 90d"), "\(row)")
    }
  }

  @Test func anAppWithAnotherKeychainGroupIsOutsideTheBraceAndSaysWhyItAsks() throws {
    var keys = try LabByKeys("contoso-suite-broken-sharing-group")
    keys.signIn()
    let rows = rows(keys.model)
    let other = try #require(
      keys.model.lab.apps.first {
        keys.model.screens.apps.groups[$0.clientID]?.sharers.contains($0.bundleID) == false
      })
    let row = try #require(rows.first { $0.contains(other.displayName) })
    #expect(!row.contains("┌") && !row.contains("├") && !row.contains("└"))
    let reason = try #require(other.next.reason)
    #expect(row.contains("needs sign-in: " + reason.prefix(36)), "\(row)")
    #expect(
      rows.contains { $0.contains("┌ My Test App 1") } && rows.contains { $0.contains("└ My Test App 3") })
    #expect(rows.contains { $0.contains("(2 of 3)") })
  }

  @Test func twoAccountsAreTwoRowsWithTheirNames() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("a\r")
    keys.press(.control("u"))
    for key in "grace@contoso.com\r" { keys.press(key == "\r" ? .enter : .character(key)) }
    keys.answerPages()
    let rows = rows(keys.model).filter { $0.contains("My Test App 1") && $0.contains("━") }
    #expect(
      rows.contains { $0.contains("ada@contoso.com") } && rows.contains { $0.contains("grace@contoso.com") })
  }

  /// Regression: the values were cut by a few characters beside a panel without events.
  @Test func withoutEventsTheValuesOfTheSelectedAppAreWhole() throws {
    let text = FrameSample("", try LabByKeys("contoso-suite").model).frame(Size(width: 80, height: 24)).text()
    for value in [
      "b6c69a37-df96-4db0-9088-2ab96e1d8215", "msauth.com.contoso.mytestapp1://auth",
      "A1B2C3D4E5.com.microsoft.adalcache",
    ] {
      #expect(text.contains(value), "\(text)")
    }
  }

  /// A row in a window of 80 columns has no additional contents.
  @Test func aNarrowWindowHasNoHeadingsAndNoBars() {
    let rows = rows(LabByKeys.suite(""), Size(width: 80, height: 24))
    #expect(!rows[3...6].contains { $0.contains("client b6c6") })
    #expect(
      rows[4].contains("My Test App 1") && rows[4].contains("● 1h") && rows[6].contains("My Test App 3"))
  }

  /// A text that names a key or a screen does what it says when it is clicked.
  @Test func theKeysNamedInTheFrameAreClickable() throws {
    var keys = try LabByKeys("contoso-suite")
    let size = keys.model.size
    keys.signIn()
    #expect(keys.model.notice?.canUndo == true)
    keys.take(.event(.mouse(x: size.width - 4, y: size.height - 2, kind: .press)))
    #expect(keys.model.notice?.text.contains("Undone: sign in") == true)
    let lines = rows(keys.model, size)
    let heading = try #require(lines.firstIndex { $0.contains(" Events ") && $0.contains(" 4 Trace") })
    keys.take(.event(.mouse(x: size.width - 4, y: heading, kind: .press)))
    #expect(keys.model.place == .traces)
  }

  /// The next call has a column if there is room for it.
  @Test func aWindowOf100ColumnsHasTheNextCallInTheRow() {
    let rows = rows(LabByKeys.suite(""), Size(width: 100, height: 30))
    #expect(rows[3].contains("NEXT CALL") && rows[4].contains("✓ silent: cache, no network"), "\(rows)")
  }

  @Test func aSortedListKnowsNoGroups() {
    let rows = rows(LabByKeys.suite("O1"))
    #expect(!rows.contains { $0.contains("┌ My Test App") } && rows.contains { $0.contains("My Test App 1") })
  }

  @Test(
    arguments: [
      (TokenStatus(.valid, secondsLeft: 3600), "● ━━━━━━━━ 1h"),
      (TokenStatus(.valid, secondsLeft: 7200), "● ━━━━━━━━ 2h"),
      (TokenStatus(.valid, secondsLeft: 1801), "● ━━━━━─── 30m"),
      (TokenStatus(.expiring, secondsLeft: 1), "◔ ━─────── <1m"),
      (TokenStatus(.expired, secondsLeft: -60), "○ ──────── expired"),
      (TokenStatus(.none), "· none"), (TokenStatus(.revoked), "✗ revoked"),
    ] as [(TokenStatus, String)])
  func aBarShowsWhatIsLeft(_ status: TokenStatus, _ text: String) {
    #expect(status.barText(of: 3600, width: 8) == text)
  }

  /// The newest call of the selected app is below the prediction of the next call, and is updated after each call.
  @Test(arguments: [Size(width: 120, height: 40), Size(width: 200, height: 60)])
  func aLargeWindowShowsTheLastCallOfTheSelectedApp(_ size: Size) throws {
    var keys = try LabByKeys("contoso-suite")
    keys.take(.event(.resize(width: size.width, height: size.height)))
    #expect(rows(keys.model, size).contains { $0.contains("My Test App 1 has made no call") })
    keys.signIn()
    #expect(rows(keys.model, size).contains { $0.contains("Last call: sign in My Test App 1 ") })
    keys.press("js")
    let text = rows(keys.model, size)
    let heading = try #require(text.firstIndex { $0.contains("Last call: silent My Test App 2 ") })
    #expect(text[heading + 1].contains("Keychain"))
    #expect(text[heading...].contains { $0.contains("Token for ada@contoso.com from the cache") })
    keys.press("k")
    #expect(rows(keys.model, size).contains { $0.contains("Last call: sign in My Test App 1 ") })
    keys.press("jz")
    #expect(
      rows(keys.model, size).contains { $0.contains("Last call: silent My Test App 2 ↶ undone") },
      "\(rows(keys.model, size))")
    keys.take(.event(.resize(width: 80, height: 24)))
    #expect(keys.model.screens.apps.lastCall == .awaited(nil), "nothing is read that is not shown")
  }

  /// The title of a trace identifies the caller: an app's ID, or the name of an external client.
  @Test(
    arguments: [
      ("silent com.contoso.mail", 9, AppKind.simulated, true),
      ("sign in com.contoso.mail as ada", 9, .simulated, true),
      ("sign in com.contoso.mail2", 9, .simulated, false),
      ("app com.contoso.mail: teamID=T", 1, .simulated, false),
      ("Mail: token", 9, .simulated, false), ("Mail: token", 1, .real, true),
      ("Mailer: token", 1, .real, false),
    ])
  func theLastCallIsTheAppsOwn(_ title: String, _ hops: Int, _ kind: AppKind, _ isOwn: Bool) {
    var app = Sample.apps[0]
    (app.bundleID, app.displayName, app.kind) = ("com.contoso.mail", "Mail", kind)
    let trace = TraceSummary(
      id: 1, title: title, correlationID: "", at: Sample.now, verdict: "", summary: "", hopCount: hops)
    #expect((LastCall.newest(of: app, in: [trace]) != nil) == isOwn)
  }

  /// The bars shrink before the text of the next call is truncated.
  @Test func theNextCallIsNotCutWhileBarsHaveRoomToGive() throws {
    var keys = try LabByKeys("contoso-suite-broken-sharing-group")
    keys.signIn()
    let rows = rows(keys.model, Size(width: 132, height: 40))
    #expect(
      rows.contains { $0.contains("needs sign-in: its sharing group differs from My Test App 1's") },
      "\(rows)"
    )
    #expect(AppColumn.wideLayout(for: AppWidths(keys.model.lab.apps), AppColumn.wide, width: 300).bar == 20)
    #expect(AppColumn.wideLayout(for: AppWidths(keys.model.lab.apps), AppColumn.wide, width: 60).bar == 4)
  }

  /// If warnings are underlined, the indent of a continued line is not.
  @Test func theIndentOfALineIsPlain() {
    var grid = Grid(width: 20, height: 1)
    grid.lines([PanelLine("    goes on", .warning)], in: Rect(x: 0, y: 0, width: 20, height: 1))
    #expect(grid[4, 0].style == .plain && grid[5, 0].style == .warning && grid.text() == "     goes on")
  }

  /// Regression: an app that pretends to be another vendor's client gave the group its own vendor's name.
  @Test func aClientIDThatAppsOfTwoVendorsUseHasNoVendorsName() throws {
    let keys = try LabByKeys("B2-spoofed-request")
    let rows = keys.model.lab.apps
    let group = try #require(rows.groups.values.first { $0.appCount > 1 })
    #expect(Set(rows.filter { $0.clientID == group.clientID }.map(\.vendor)).count > 1)
    #expect(group.vendor.isEmpty && group.heading.hasPrefix("client "))
  }
}

/// The steps of a call without a prompt, drawn below the apps.
struct CallPictureTests {
  private func suite(mayMove: Bool = true) throws -> LabByKeys {
    var keys = try LabByKeys("contoso-suite")
    keys.model.mayMove = mayMove
    return keys
  }

  @Test(arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40)])
  func eachStepIsLitInItsTurnAndThenTheOutcomeStands(_ size: Size) throws {
    var keys = try suite()
    keys.signIn()
    #expect(keys.model.screens.apps.picture != nil, "a call with prompts is drawn from its beginning")
    keys.press("js")
    var pictures = 0
    var last = ""
    while let picture = keys.model.screens.apps.picture {
      #expect(keys.model.alarms[.callPicture] == picture.wait)
      last = FrameSample("", keys.model).frame(size).text()
      if !picture.isWhole {
        #expect(last.contains("step \(picture.flow.rows[picture.shown - 1].first + 1) of "))
      }
      keys.take(.alarm(.callPicture))
      pictures += 1
    }
    let rows = pictures - 1
    #expect(rows > 3 && last.contains("any key ends it") && last.contains("silent"))
    #expect(
      (last.contains("Keychain") || last.contains("Kchn"))
        && last.contains("Token for ada@contoso.com from the cache"))
    #expect(keys.model.alarms[.callPicture] == nil)
    #expect(FrameSample("", keys.model).frame(size).text().contains("next silent call"))
  }

  @Test func aCallThatFailsIsDrawnToo() throws {
    var keys = try suite()
    keys.press("s")
    let picture = try #require(keys.model.screens.apps.picture)
    #expect(picture.outcome.style == .bad && picture.outcome.text.hasPrefix("✗"))
  }

  @Test func anyKeyEndsItAndItDoesNotComeBackByItself() throws {
    var keys = try suite()
    keys.press("s")
    #expect(keys.model.screens.apps.picture != nil)
    keys.press("j")
    #expect(keys.model.screens.apps.picture == nil)
    // The trace arrives after the key press that ended it.
    let trace = try #require(try keys.lab.read { try $0.traces.rows(limit: 1) }.first)
    let outcome = try #require(keys.performed.last?.outcome)
    let read = try keys.lab.read { try $0.traces.trace(trace.id) }
    keys.take(.loaded(.callPicture(read, outcome)))
    #expect(keys.model.screens.apps.picture == nil)
  }

  @Test func withoutMotionAndOnOtherScreensThereIsNone() throws {
    var keys = try suite(mayMove: false)
    keys.press("s")
    #expect(keys.model.screens.apps.picture == nil && keys.performed.count == 1)
    keys = try suite()
    keys.press("s3.")
    #expect(keys.performed.count == 2 && keys.model.screens.apps.picture == nil)
  }

  /// The status line says why a call failed, and the drawing of the call does not repeat it.
  @Test(arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40)])
  func anOutcomeIsSaidOnce(_ size: Size) throws {
    var keys = try LabByKeys("contoso-suite-broken-team")
    keys.model.mayMove = true
    keys.signIn()
    keys.press("js")
    while keys.model.screens.apps.picture?.isWhole == false { keys.take(.alarm(.callPicture)) }
    let text = FrameSample("", keys.model).frame(size).text()
    let sentence = "Its team differs from My Test App 1's: F6G7H8I9J0 ≠ A1B2C3D4E5 (-50002)."
    #expect(text.components(separatedBy: sentence).count == 2, "\(text)")
  }

  /// Regression: a row of the trace had the reason as its result, and once more as its check.
  @Test(arguments: [Size(width: 80, height: 24), Size(width: 140, height: 40)])
  func theStepThatNamesTheReasonHasItOnce(_ size: Size) throws {
    var keys = try LabByKeys("contoso-suite-broken-team")
    keys.take(.event(.resize(width: size.width, height: size.height)))
    keys.signIn()
    keys.press("js4\rG")
    let lines = FrameSample("", keys.model).frame(size).text().split(separator: "\n")
    let step = try #require(lines.first { $0.contains("why no SSO with My Test") }, "\(lines)")
    #expect(!step.contains("✗ its team"))
  }

  /// The reason with which the lab rejects a call is the entire sentence.
  @Test func aRefusalOfTheLabIsSaidOnce() throws {
    var keys = try LabByKeys("A5-picker-on-windows")
    keys.press("s")
    let text = try #require(keys.model.notice?.text)
    #expect(
      text.components(separatedBy: "simulates only the account picker of Windows").count == 2, "\(text)")
  }

  /// The lab does not simulate Windows' caches, and names no keychain group in their place.
  @Test func onWindowsNoKeychainIsNamed() throws {
    let robot = try RobotUser("A5-picker-on-windows", size: Size(width: 120, height: 40))
    robot.screen(.apps).sees("MSAL.NET", "ms-appx-web").doesNotSee("keychain ").doesNotSee(
      "adalcache")
  }

  @Test func whatIsOfAndroidIsCalledSo() throws {
    let robot = try RobotUser("android-broker-keeps-tokens", size: Size(width: 120, height: 40))
    robot.screen(.apps).sees("signature hash ", "cache M4DeiOVEVN").doesNotSee("team ").doesNotSee(
      "keychain ")
    robot.screen(.keychain).sees("5 Caches", "Caches 2", "CACHE").doesNotSee("Access groups")
    robot.screen(.records).sees("Ada's Android phone").doesNotSee("iPhone")
  }
}

/// The small animation after single sign-on.
struct RowMotionTests {
  private func suite(mayMove: Bool = true) throws -> LabByKeys {
    var keys = try LabByKeys("contoso-suite")
    keys.model.mayMove = mayMove
    return keys
  }

  @Test func sixtyColumnsNameEveryTab() throws {
    let rows = FrameSample("", try suite().model).frame(Size(width: 60, height: 20)).text().split(
      separator: "\n")
    #expect(rows[1] == " [1 Apps] 2 Acct 3 Tok 4 Trace 5 Keych 6 Lab 7 Prov 9 Scen")
  }

  @Test func theRowOfTheAppThatNeededNobodyLightsUpOnceAndThenSleeps() throws {
    var keys = try suite()
    keys.signIn()
    #expect(keys.model.motion == nil, "a person signed in")
    keys.press("j")
    let quiet = FrameSample("", keys.model).frame(Size(width: 80, height: 24))
    keys.press("s")
    #expect(keys.model.motion?.bundleID == "com.contoso.mytestapp2")
    var lit: [Int] = []
    while let motion = keys.model.motion {
      #expect(keys.model.alarms[.motion] == Alarm.Wait(occasion: motion.frame, milliseconds: 60))
      let styles = FrameSample("", keys.model).frame(Size(width: 80, height: 24)).styleText()
      // Count the cells with the reversed ink for good.
      lit.append(
        styles.split(separator: "\n", omittingEmptySubsequences: false)[5].filter { $0 == "3" }.count)
      keys.take(.alarm(.motion))
    }
    #expect(lit.count == RowMotion.frames && lit == lit.sorted() && lit.last == 78)
    #expect(keys.model.alarms[.motion] == nil)
    let rows = FrameSample("", keys.model).frame(Size(width: 80, height: 24)).text().split(separator: "\n")
    #expect(rows.contains { $0.contains("Token for ada@contoso.com from the cache") })
    #expect(quiet.text().split(separator: "\n")[5] == rows[5], "it changes no text")
  }

  @Test func aKeyEndsItAtOnceAndAFailureStartsNone() throws {
    var keys = try suite()
    keys.press("s")
    #expect(keys.performed.last?.outcome.verdict == .failed && keys.model.motion == nil)
    keys.signIn()
    keys.press("js")
    #expect(keys.model.motion != nil)
    keys.press("k")
    #expect(keys.model.motion == nil)
  }

  @Test func withoutMotionNothingMoves() throws {
    var keys = try suite(mayMove: false)
    keys.signIn()
    keys.press("js")
    #expect(keys.performed.last?.outcome.verdict == .succeeded)
    #expect(keys.model.motion == nil && keys.model.alarms[.motion] == nil)
  }
}

struct CoachTests {
  @Test func theGuideFollowsWhatTheUserDoes() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.model.shared.coach = .signIn
    #expect(keys.text.contains("1/6  Press i"))
    keys.signIn()
    #expect(keys.model.coach == .silent)
    #expect(keys.text.contains("2/6  Now j, then s") && keys.text.contains("✓  Token for"), "below the tabs")
    keys.press("js")
    #expect(keys.model.coach == .why)
    keys.press("w")
    keys.press(.escape)
    #expect(keys.model.coach == .expire)
    keys.press("e")
    #expect(keys.model.coach == .silentAgain)
    keys.press("s")
    #expect(keys.model.coach == .undo)
    keys.press("z")
    #expect(keys.model.coach == nil)
  }

  /// Whoever expires the token without asking why is not asked to expire it again.
  @Test func theGuideFollowsWhoeverGoesOnWithoutTheExplanation() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.model.shared.coach = .silent
    keys.press("jse")
    #expect(keys.model.coach == .silentAgain)
    keys.press("s")
    #expect(keys.model.coach == .undo)
  }

  @Test func theGuideOfAStoreWithASignInBeginsWithTheSecondStep() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.model.shared.coach = .signIn
    keys.press(.function(5))
    #expect(keys.model.coach == .silent)
  }

  @Test func theGuideCanBeClosed() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.model.shared.coach = .signIn
    keys.press("x")
    #expect(keys.model.coach == nil && !keys.text.contains("1/6"))
  }
}

struct TimelineTests {
  @Test func movingTheClockShortensTheBarsAndChangesThePrediction() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("L")
    let timeline = try #require(keys.model.topDialog(Timeline.self))
    #expect(timeline.lifetimes.map { $0.label.prefix(2) }.sorted() == ["AT", "RT"])
    #expect(keys.text.contains("▲ now") && keys.text.contains("NEXT ✓ silent: cache"))
    for _ in 0..<7 { keys.press(.right) }
    #expect(keys.model.lab.status?.clockOffset == 4200)
    #expect(keys.text.contains("○ expired") && keys.text.contains("NEXT ✓ silent: app refresh token"))
    keys.press("T")
    #expect(keys.model.lab.status?.clockOffset == nil)
    keys.press(.escape)
    #expect(keys.model.dialogs.isEmpty)
  }

  @Test func theCallCanBeMadeAtTheTimeOfTheTimeline() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("L")
    for _ in 0..<7 { keys.press(.right) }
    #expect(keys.text.contains("WAS 09:00 ✓ silent: cache, no network"), "\(keys.text)")
    #expect(keys.text.contains("─○") && keys.text.contains("◌ s renews it"), "\(keys.text)")
    keys.press("s")
    #expect(keys.performed.last?.intent.value is AcquireSilently)
    #expect(keys.model.topDialog(Timeline.self) != nil)
    #expect(keys.text.contains("NEXT ✓ silent: cache, no network") && !keys.text.contains("○ expired"))
    #expect(!keys.text.contains("renews it"))
  }

  /// The calls of the account's apps are on the axis, and Enter opens the last call before the clock's time.
  @Test func theTimelineShowsWhenCallsWereMade() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("L")
    for _ in 0..<7 { keys.press(.right) }
    keys.press("s")
    let rows = keys.text.split(separator: "\n")
    #expect(rows.contains { $0.contains("calls") && $0.count(where: { $0 == "✓" }) == 2 }, "\(keys.text)")
    #expect(rows.contains { $0.contains("LAST 10:10 ✓ silent My Test App 1") }, "\(keys.text)")
    for _ in 0..<2 { keys.press(.left) }
    #expect(keys.text.contains("LAST 09:00 ✓ sign in My Test App 1"), "\(keys.text)")
    keys.press(.enter)
    #expect(keys.model.dialogs.isEmpty && keys.model.shared.place.screen == .trace)
    #expect(keys.text.contains("sign in My Test App 1"))
  }

  /// A small window has the ends of the tokens without their bars, and says so.
  @Test func aNarrowTimelineSaysWhatItLacks() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("L")
    let text = FrameSample("", keys.model).frame(Size(width: 40, height: 12)).text()
    #expect(text.contains("AT") && text.contains("● 1h") && text.contains("▲ now") && text.contains("NEXT ✓"))
    #expect(text.contains("No room for the time axis.") && !text.contains("has an end"))
    #expect(text.contains("Esc close"))
  }

  @Test func withoutAnAccountThereIsNoTimeline() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press("L")
    #expect(
      keys.model.topDialog(Timeline.self) == nil && keys.model.notice?.text.contains("no account") == true)
  }
}
