import Testing

@testable import SSOLab
@testable import SSOTermApp

/// The Apps screen in a wide window: what apps share, whose accounts, how much is left, what comes next.
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
        row.contains(brace) && row.contains("ada@contoso.com") && row.contains("✓ use the cache"), "\(row)")
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
    #expect(row.contains(", because " + String(reason.prefix(12))), "\(row)")
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

  /// In a window of 80 columns a row says what it said.
  @Test func aNarrowWindowHasNoHeadingsAndNoBars() {
    let rows = rows(LabByKeys.suite(""), Size(width: 80, height: 24))
    #expect(!rows[3...6].contains { $0.contains("client b6c6") })
    #expect(
      rows[4].contains("My Test App 1") && rows[4].contains("● 1h") && rows[6].contains("My Test App 3"))
  }

  @Test func aSortedListKnowsNoGroups() {
    let rows = rows(LabByKeys.suite("O1"))
    #expect(!rows.contains { $0.contains("┌ My Test App") } && rows.contains { $0.contains("My Test App 1") })
  }

  @Test(
    arguments: [
      (TokenStanding(.valid, secondsLeft: 3600), "● ━━━━━━━━ 1h"),
      (TokenStanding(.valid, secondsLeft: 7200), "● ━━━━━━━━ 2h"),
      (TokenStanding(.valid, secondsLeft: 1801), "● ━━━━━─── 30m"),
      (TokenStanding(.expiring, secondsLeft: 1), "◔ ━─────── <1m"),
      (TokenStanding(.expired, secondsLeft: -60), "○ ──────── -1m"),
      (TokenStanding(.none), "· none"), (TokenStanding(.revoked), "✗ revoked"),
    ] as [(TokenStanding, String)])
  func aBarShowsWhatIsLeft(_ standing: TokenStanding, _ text: String) {
    #expect(standing.barText(of: 3600, width: 8) == text)
  }

  /// An app that pretends to be another's client gave its own vendor's name to the group.
  @Test func aClientIDThatAppsOfTwoVendorsUseHasNoVendorsName() throws {
    let keys = try LabByKeys("B2-spoofed-request")
    let rows = keys.model.lab.apps
    let group = try #require(rows.groups.values.first { $0.appCount > 1 })
    #expect(Set(rows.filter { $0.clientID == group.clientID }.map(\.vendor)).count > 1)
    #expect(group.vendor.isEmpty && group.heading.hasPrefix("client "))
  }
}
