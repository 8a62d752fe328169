import Essentials
import SSOReference
import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// Returns a lab of the articles' suite.
private func suite(_ change: (inout LabWorld) -> Void) throws -> Lab {
  var file = try ScenarioLibrary().scenario("contoso-suite")
  change(&file.world)
  return try Lab.temporary(file)
}

/// The fields of an app that belong to a platform.
struct PlatformFieldTests {
  /// A lab of an earlier version: iOS's values in the apps of an Android phone.
  @Test func fieldsOfAnotherPlatformAreExplainedUntilTheyAreMended() throws {
    let lab = try suite { $0.device.platform = .android }
    let (app, why) = try lab.read {
      (try #require(try $0.apps.rows().first), try $0.why.app("com.contoso.mytestapp1"))
    }
    let reason = try #require(app.warnings.first)
    #expect(reason.contains("runs on Android, and has ") && reason.contains("urlSchemes"))
    #expect(why.answer.hasSuffix(reason + "."))
    #expect(why.sections.first?.checks.first?.name == "the app's fields are of its platform")
    #expect(why.remedy == Remedy(.app, "com.contoso.mytestapp1", "platform=Android"))
    _ = try lab.perform(
      EditRecord(.app, record: "com.contoso.mytestapp1", [try FieldChange("platform=Android")]))
    let mended = try lab.read { try $0.why.app("com.contoso.mytestapp1") }
    #expect(!mended.answer.contains("of another platform") && mended.remedy == nil)
  }

  /// The cache of an app for Android is named after its signature hash, which the mend replaces.
  @Test(arguments: [(RecordKind.app, "com.contoso.mytestapp1"), (.device, "device-1")])
  func aMendKeepsTheSignIn(_ kind: RecordKind, _ record: String) throws {
    let lab = try suite { $0.device.platform = .android }
    let app = "com.contoso.mytestapp1"
    let signedIn = try lab.outcome(
      SignIn(app: app), [.username("ada@contoso.com"), .password("analytical-engine"), .accept])
    #expect(signedIn.verdict == .succeeded, "\(signedIn)")
    try lab.outcome(EditRecord(kind, record: record, [try FieldChange("platform=Android")]))
    #expect(try lab.read { try $0.app(app).teamID } == PlatformDefaults(.android).teamID)
    let silent = try lab.outcome(AcquireSilently(app: app))
    #expect(silent.verdict == .succeeded, "\(silent)")
  }

  @Test(arguments: [(Platform.android, "Ada's Android phone"), (.macOS, "Ada's Mac"), (.windows, "Ada's PC")])
  func aDeviceThatNobodyNamedIsCalledAsItsPlatform(_ platform: Platform, _ expected: String) throws {
    func name(after changes: String...) throws -> String {
      let lab = try suite { _ in }
      for change in changes {
        _ = try lab.perform(EditRecord(.device, record: "device-1", [try FieldChange(change)]))
      }
      return try lab.read { $0.device.name }
    }
    #expect(try name(after: "platform=\(platform.rawValue)") == expected)
    #expect(try name(after: "platform=\(platform.rawValue)", "platform=iOS") == "Ada's iPhone")
    #expect(try name(after: "name=Demo", "platform=\(platform.rawValue)") == "Demo")
  }

  @Test func anAppOnTwoPlatformsIsTwoAppsWithOneRegistration() throws {
    let lab = try suite { _ in }
    let (apple, android) = ("com.contoso.mytestapp1", "com.contoso.mytestapp1.android")
    try lab.outcome(EditRecord(.app, record: apple, [try FieldChange("platform=iOS")]))
    try lab.outcome(AddRecord(.app, record: android, [try FieldChange("platform=Android")]))
    let registration = try lab.read { reader in
      let apps = reader.installed.filter { [apple, android].contains($0.bundleID) }
      #expect(Set(apps.map(\.clientID)).count == 1)
      #expect(apps.compactMap(\.platform) == [Platform.iOS, Platform.android])
      return try reader.directory.registration(clientID: apps[0].clientID)
    }
    let own = (registration?.redirectURIs ?? []).filter { $0.contains("mytestapp1") }
    #expect(
      own == [
        "msauth.com.contoso.mytestapp1://auth",
        "msauth://com.contoso.mytestapp1.android/ga0RGNYHvNM5d0SLGQfpQWAPGJ8%3D",
      ])
    func signIn(_ app: String) throws -> Outcome {
      try lab.outcome(
        SignIn(app: app, account: nil, scopes: [], prompt: .whenRequired),
        [.username("ada@contoso.com"), .password("analytical-engine"), .accept])
    }
    #expect(try signIn(android).summary.contains("is built for Android, and the device runs iOS"))
    try lab.outcome(EditRecord(.device, record: "device-1", [try FieldChange("platform=Android")]))
    #expect(try signIn(android).verdict == .succeeded)
    #expect(try signIn(apple).summary.contains("is built for iOS, and the device runs Android"))
  }

  @Test func anAppForWindowsHasNoInfoPlistToCheck() {
    let app = PlatformDefaults(.windows).app(
      bundleID: "com.contoso.one", teamID: "A1B2C3D4E5", clientID: "b6c69a37-df96-4db0-9088-2ab96e1d8215",
      vendor: "Contoso")
    let checks = MSALApplication(app: app.asInstalled(on: .windows), platform: .windows).checks().checks
    #expect(checks.map(\.name) == ["authority is well formed", "client ID is given"])
  }

  /// Any user who can write a lab chooses the paths in it, so a key does not open another user's file.
  @Test(arguments: ["own", "another's", "gone"])
  func aStoredProjectIsOpenedOnlyIfItBelongsToThisUser(_ owner: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ssoterm-project-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var source = ProjectSource(paths: [folder.path])
    if owner != "gone" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }
    if owner == "another's" {
      // Only root may give a folder away; other users have files that belong to root.
      if getuid() == 0 {
        try #require(chown(folder.path, 65534, 65534) == 0)
      } else {
        source.paths = ["/etc"]
      }
    }
    let lab = try suite { $0.apps[0].project = source }
    let rows = try lab.read { try $0.apps.rows() }
    #expect(rows.first?.project == (owner == "another's" ? nil : source))
  }

  /// The client registers the Web Account Manager's redirect URI; cache and silent calls are not simulated (broker.md §2(8)).
  @Test func anAppOnWindowsHasMSALNETAndItsRedirectURI() throws {
    let lab = try suite { world in
      world.device.platform = .windows
      world.apps = world.apps.map { PlatformDefaults(.windows).moving($0) }
    }
    let added = try lab.outcome(AddRecord(.app, record: "com.contoso.new", []))
    #expect((added.effects ?? []).contains { "\($0)".contains("not MSAL.NET") }, "\(added)")
    #expect(!(added.effects ?? []).contains { "\($0)".contains("shares its group") })
    try lab.read { reader in
      let rows = try reader.apps.rows()
      #expect(
        rows.allSatisfy { $0.redirectURI == "ms-appx-web://microsoft.aad.brokerplugin/\($0.clientID)" })
      #expect(rows.allSatisfy { $0.libraryText == "MSAL.NET 4.87.0" && $0.warnings.isEmpty })
      #expect(rows.allSatisfy { $0.sharesGroupWith.isEmpty && $0.next.sentence.contains("not MSAL.NET") })
      let record = try reader.records.row(.app, named: "com.contoso.new")
      #expect(!record.fields.contains { $0.name == "webView" })
      #expect(record.note?.contains("not MSAL.NET") == true)
      let registration = try reader.directory.registration(clientID: rows[0].clientID)
      #expect(registration?.redirectURIs.contains(rows[0].redirectURI) == true)
    }
  }

  /// A lab of an earlier version: iOS's values in the apps of a PC.
  @Test func iOSsValuesOnWindowsAreNamedAndMended() throws {
    let lab = try suite { $0.device.platform = .windows }
    let warning = try #require(try lab.read { try $0.apps.rows().first?.warnings.first })
    #expect(warning.contains("redirectURI") && warning.contains("of another platform"))
    _ = try lab.perform(EditRecord(.device, record: "device-1", [try FieldChange("platform=Windows")]))
    #expect(try lab.read { try $0.apps.rows() }.allSatisfy { $0.warnings.isEmpty })
  }

  @Test(arguments: [Platform.iOS, .macOS])
  func anAppOfThePlatformIsNotMixed(_ platform: Platform) throws {
    let lab = try suite { world in
      world.device.platform = platform
      world.apps = world.apps.map { PlatformDefaults(platform).moving($0) }
      // A developer's own choices are not another platform's.
      world.apps[0].queriesSchemes = []
      world.apps[1].keychainSharingGroup = "com.contoso.shared"
    }
    #expect(
      try lab.read { try $0.apps.rows() }.allSatisfy { !$0.warnings.contains { $0.contains("platform") } })
  }

  @Test func aFieldThatThePlatformDoesNotHaveIsNotShown() throws {
    func names(_ platform: Platform, _ kind: RecordKind) throws -> [String] {
      let lab = try suite { world in
        world.device.platform = platform
        world.apps = world.apps.map { PlatformDefaults(platform).moving($0) }
      }
      return try #require(try lab.read { try $0.records.rows(kind) }.first).fields.map(\.name)
    }
    let apple = [
      "keychainAccessGroups", "keychainSharingGroup", "urlSchemes", "queriesSchemes", "isExtension",
    ]
    #expect(try names(.android, .app).filter { apple.contains($0) } == [])
    #expect(try names(.windows, .app).filter { apple.contains($0) } == [])
    #expect(try names(.iOS, .app).filter { apple.contains($0) } == apple)
    #expect(try names(.android, .app).contains("accountMode") && !names(.iOS, .app).contains("accountMode"))
    #expect(try !names(.iOS, .app).contains("xpcMode") && names(.macOS, .app).contains("xpcMode"))
    #expect(
      try !names(.android, .device).contains("ssoProfile") && names(.iOS, .device).contains("ssoProfile"))
  }
}

/// The device's profile of the SSO extension, as the user sets it (docs/behaviour/broker.md §13).
struct SSOProfileFieldTests {
  private func set(_ value: String, _ platform: Platform = .iOS) throws -> (
    outcome: Outcome, profile: SSOProfile?
  ) {
    let lab = try suite { $0.device.platform = platform }
    let edit = EditRecord(.device, record: "device-1", [try FieldChange("ssoProfile=\(value)")])
    guard case .done(let outcome, _) = try lab.perform(edit) else {
      throw LabError(.badInput, "asked a person", why: "", next: "")
    }
    return (outcome, try lab.read { $0.device.ssoProfile })
  }

  @Test(arguments: [
    (#"{"ExtensionDate": {}}"#, "A payload has no key ExtensionDate. Did you mean ExtensionData?"),
    (
      #"{"ExtensionData": {"AppAlowList": "com.contoso.one"}}"#,
      "A payload has no key AppAlowList. Did you mean AppAllowList?"
    ),
  ])
  func anUnknownKeyIsNamed(_ value: String, _ why: String) throws {
    let error = try #require(throws: LabError.self) { _ = try set(value) }
    #expect(error.why == why)
  }

  @Test func aKeyWithoutEffectIsNamed() throws {
    let (outcome, profile) = try set(
      #"{"Type": "Redirect", "Hosts": [], "ExtensionData": {"AppCookieSSOAllowList": "a", "AppBlockList": "b"}}"#
    )
    #expect(profile?.extensionData?.appBlockList == "b")
    #expect(
      outcome.effects?.map(\.description) == ["Without an effect in the lab: Hosts, AppCookieSSOAllowList"])
  }

  @Test func whoIsAdmitted() throws {
    func admits(_ bundleID: String, _ json: String, on platform: Platform) throws -> Bool {
      try #require(try set(json, platform).profile).admits(bundleID, on: platform)
    }
    let safari = "com.apple.mobilesafari"
    #expect(try admits(safari, "{}", on: .iOS))
    #expect(try admits(safari, #"{"ExtensionData": {"AppPrefixAllowList": "com.contoso."}}"#, on: .iOS))
    #expect(try !admits(safari, #"{"ExtensionData": {"AppBlockList": "\#(safari)"}}"#, on: .iOS))
    #expect(try admits("com.apple.news", "{}", on: .iOS))
    #expect(try !admits("com.apple.news", #"{"ExtensionData": {"AppPrefixAllowList": "a."}}"#, on: .iOS))
    #expect(try admits("com.microsoft.edgemac", "{}", on: .macOS))
    #expect(try !admits("com.microsoft.edge", "{}", on: .iOS) && !admits("com.contoso.one", "{}", on: .iOS))
    #expect(
      try admits("com.contoso.one", #"{"ExtensionData": {"Enable_SSO_On_All_ManagedApps": 1}}"#, on: .iOS))
  }

  @Test(
    arguments: [
      ("{}", "login", "select_account"),
      (#"{"disable_explicit_native_app_prompt": 1}"#, "select_account", "select_account"),
      (#"{"disable_explicit_native_app_prompt_and_autologin": 1}"#, nil, "select_account"),
      (#"{"disable_explicit_app_prompt": 0}"#, "login", "login"),
      (#"{"disable_explicit_app_prompt_and_autologin": 1}"#, "login", nil),
    ] as [(String, String?, String?)])
  func anExplicitPromptIsReplaced(_ data: String, _ ofApp: String?, _ ofPage: String?) throws {
    let extensionData = try #require(try set("{\"ExtensionData\": \(data)}").profile?.extensionData)
    #expect(extensionData.prompt("login", isOfPage: false) == ofApp)
    #expect(extensionData.prompt("login", isOfPage: true) == ofPage)
    #expect(extensionData.prompt("consent", isOfPage: true) == "consent")
  }

  /// A field offers and takes only the values that its platform has.
  @Test(
    arguments: [
      (Platform.android, "webView", ["systemSession", "embedded"], "safariView"),
      (.android, "urlForwarding", ["both", "neither"], "sceneDelegate"),
      (.macOS, "webView", ["systemSession", "ephemeralSession", "embedded"], "safariView"),
    ])
  func valuesAreThoseOfThePlatform(
    _ platform: Platform, _ field: String, _ choices: [String], _ foreign: String
  ) throws {
    let lab = try suite { $0.device.platform = platform }
    let app = "com.contoso.mytestapp1"
    let row = try lab.read { try $0.records.row(.app, named: app) }
    #expect(row.fields.first { $0.name == field }?.choices == choices)
    let error = #expect(throws: LabError.self) {
      try lab.perform(EditRecord(.app, record: app, [try FieldChange("\(field)=\(foreign)")]))
    }
    #expect(error?.why == "An app on \(platform.rawValue) can have \(choices.joined(separator: ", ")).")
    for value in choices {
      try lab.outcome(EditRecord(.app, record: app, [try FieldChange("\(field)=\(value)")]))
    }
  }

  /// Apps of two platforms share a group only by name.
  @Test func appsOfTwoPlatformsShareNoGroup() throws {
    let lab = try suite { $0.apps[1].platform = .windows }
    let rows = try lab.read { try $0.apps.rows() }
    #expect(rows.map(\.sharesGroupWith) == [["My Test App 3"], [], ["My Test App 1"]])
    let groups = try lab.read { try $0.keychain.groups() }
    let group = try #require(groups.first { $0.accessGroup == "A1B2C3D4E5.com.microsoft.adalcache" })
    #expect(group.readers.map(\.displayName) == ["My Test App 1", "My Test App 3"])
    #expect(group.outsiders == ["My Test App 2: built for Windows"])
  }

  /// The lab does not simulate Windows' caches, so it shows no groups of iOS in their place.
  @Test func aSignInOnWindowsLeavesNoKeychainItems() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("A5-picker-on-windows"))
    let ada = try #require(try lab.read { try $0.status.broker().accounts.first })
    #expect(ada == "ada@contoso.com")
    var answers: [Answer] = []
    while case .needs(let prompt, _) = try lab.perform(
      SignIn(app: "com.contoso.mytestapp1"), answers: answers)
    {
      var approver = try lab.store.write(nil) { try AutomaticApprover(username: ada, in: $0) }
      answers.append(approver.answer(prompt))
    }
    #expect(try lab.read { try $0.keychain.groups() } == [])
    #expect(try lab.read { $0.device.name } == "Ada's PC")
  }
}
