import DoctorTestSupport
import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOReference
import SSOStore
import Testing

@testable import SSODoctor
@testable import SSOTermApp

/// A real project in the lab: its apps work like any others, undo removes them, and a second import reports the
/// changes.
@Suite struct ProjectImportTests {
  private static func lab() throws -> Lab {
    let lab = Lab(store: try WorldStore.open(.memory, create: true))
    try lab.create(
      named: "empty", seed: 1,
      LabWorld(
        device: Device(id: "phone", name: "phone", platform: .iOS, brokerVersion: "6.8.0"), tenants: [],
        people: [],
        registrations: [], apps: [], brokerAccounts: []))
    return lab
  }

  private static func records(_ fixture: XcodeFixture, target: String? = nil) throws -> ProjectRecords {
    try fixture.diagnosis().records(named: "Suite", target: target, clientID: nil)
  }

  private static func run(_ records: ProjectRecords, on lab: Lab) throws -> Outcome {
    guard case .done(let outcome, _) = try lab.perform(ImportProject(records)) else {
      throw ImportRefusal.nothingToImport
    }
    return outcome
  }

  @Test func theAppsAreThereAndShareAsTheirFilesSay() throws {
    let lab = try Self.lab()
    let outcome = try Self.run(try Self.records(XcodeFixture()), on: lab)
    #expect(outcome.verdict == .succeeded)
    let apps = try lab.read { $0.installed }
    #expect(apps.map(\.bundleID) == ["com.contoso.calendar", "com.contoso.mail"])
    #expect(
      apps.map(\.redirectURI) == ["msauth.com.contoso.calendar://auth", "msauth.com.contoso.mail://auth"])
    #expect(apps.map(\.urlForwarding) == [.sceneDelegate, .sceneDelegate])
    let answer = try lab.read { try $0.why.app("com.contoso.mail", with: "com.contoso.calendar").answer }
    #expect(answer == "They share a sign-in through the keychain, and through the broker.")
    #expect(try lab.undo() != nil)
    #expect(try lab.read { $0.installed } == [])
  }

  @Test func againItIsUpdatedAndTheChangesAreNamed() throws {
    let lab = try Self.lab()
    var fixture = XcodeFixture()
    _ = try Self.run(try Self.records(fixture), on: lab)
    let same = try Self.run(try Self.records(fixture), on: lab)
    #expect(same.effects == [])
    fixture.replace("    <string>msauthv3</string>\n", with: "", in: "Mail/Info.plist")
    let changed = try Self.run(try Self.records(fixture), on: lab)
    #expect(
      changed.effects?.first == #"com.contoso.mail: queriesSchemes ["msauthv2","msauthv3"] -> ["msauthv2"]"#)
  }

  /// Android apps are on the device, and the signature hash replaces the team of iOS.
  @Test func anAndroidAppIsImportedWithItsConfiguration() throws {
    let lab = try Self.lab()
    var fixture = AndroidFixture()
    fixture.files["app/build.gradle"]? +=
      "dependencies { implementation \"com.microsoft.identity.client:msal:5.4.0\" }"
    let records = try fixture.diagnosis().records(named: "Notes", target: nil, clientID: nil)
    let app = try #require(records.apps.first)
    #expect(app.bundleID == "com.contoso.notes" && app.clientID == AndroidFixture.clientID)
    #expect(app.teamID == AndroidFixture.hash && app.sdkVersion == "5.4.0")
    #expect(app.redirectURI == "msauth://com.contoso.notes/" + AndroidFixture.encodedHash)
    #expect(app.authority == "https://login.microsoftonline.com/organizations" && app.brokerUse == .auto)
    let outcome = try Self.run(records, on: lab)
    #expect(
      outcome.effects?.contains(
        """
        com.contoso.notes: built for Android, and the device runs iOS; change it: \
        \(.set, "device", "phone", "platform=Android")
        """
      ) == true, "\(outcome.effects ?? [])")
    #expect(try lab.read { $0.installed.map(\.bundleID) } == ["com.contoso.notes"])
    #expect(
      try lab.read { try $0.directory.registration(clientID: AndroidFixture.clientID)?.displayName }
        == "Notes")
  }

  /// A sample beside the configuration is not imported, a variable of the build file is read, and what the lab knows of
  /// the app stays if its files do not say it.
  @Test func anAndroidAppOfTheLabIsUpdatedByItsFiles() throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/res/raw/auth_ciam.json"] = fixture.files[AndroidFixture.configuration]?
      .replacing(AndroidFixture.clientID, with: "CLIENT_ID")
    fixture.files["app/build.gradle"]? +=
      """

      def msalVersion = "5.2.+"
      dependencies { implementation "com.microsoft.identity.client:msal:${msalVersion}" }
      """
    let records = try fixture.diagnosis().records(named: "Notes", target: nil, clientID: nil)
    let app = try #require(records.apps.first)
    #expect(app.clientID == AndroidFixture.clientID && app.sdkVersion == "5.2.+" && app.urlSchemes == [])
    let lab = try Self.lab()
    _ = try lab.perform(EditRecord(.device, record: "phone", [try FieldChange("platform=Android")]))
    _ = try Self.run(records, on: lab)
    for change in ["displayName=My notes", "urlForwarding="] {
      _ = try lab.perform(EditRecord(.app, record: "com.contoso.notes", [try FieldChange(change)]))
    }
    #expect(try Self.run(records, on: lab).summary.hasSuffix("nothing differs."))
    fixture.replace(
      "\"broker_redirect", with: "\"authorization_user_agent\": \"WEBVIEW\", \"broker_redirect",
      in: AndroidFixture.configuration)
    let changed = try fixture.diagnosis().records(named: "Notes", target: nil, clientID: nil)
    #expect(
      try Self.run(changed, on: lab).effects?.first
        == #"com.contoso.notes: webView "systemSession" -> "embedded""#)
  }

  /// Two apps with the same client and certificate share nothing in a keychain, but they share the broker.
  @Test func twoAndroidAppsShareThroughTheBrokerOnly() throws {
    var fixture = AndroidFixture()
    for (path, text) in fixture.files where path.hasPrefix("app/") {
      fixture.files["tasks" + path.dropFirst(3)] = text.replacing(
        "com.contoso.notes", with: "com.contoso.tasks")
    }
    let sharing = try #require(try DiagnosedSharing(of: fixture.diagnosis(), clientID: nil))
    #expect(sharing.apps.map(\.bundleID).sorted() == ["com.contoso.notes", "com.contoso.tasks"])
    #expect(
      sharing.pairs.map(\.answer) == [
        "They share a sign-in through the broker: on Android each app has its own token cache."
      ])
    #expect(sharing.visibility.allSatisfy { $0.extent == .nothing })
  }

  /// A registration's platforms and public client flows decide calls in the lab, as at Entra.
  @Test func aRegistrationKeepsItsPlatforms() throws {
    let lab = try Self.lab()
    var fixture = XcodeFixture()
    let mistake = try #require(XcodeMistake.all.first { $0.rule == .clientType })
    mistake.make(&fixture)
    fixture.registration.replace(
      "\"spa\"",
      with:
        "\"requiredResourceAccess\": [{ \"resourceAppId\": \"00000003-0000-0000-c000-000000000000\" }], \"spa\""
    )
    _ = try Self.run(try Self.records(fixture), on: lab)
    let known = try lab.read { try $0.directory.registration(clientID: XcodeFixture.clientID) }
    #expect(known?.redirectURIs == ["msauth.com.contoso.calendar://auth"])
    #expect(known?.webRedirectURIs == ["msauth.com.contoso.mail://auth"] && known?.allowsPublicClient == true)
    #expect(known?.requiredAPIs == ["00000003-0000-0000-c000-000000000000"])
  }

  /// The app's client is added anyway, so that it can be tried; the import says that Entra may not know it.
  @Test func aRegistrationOfAnotherClientIsNamed() throws {
    let lab = try Self.lab()
    var fixture = XcodeFixture()
    let other = "99999999-9999-4999-8999-999999999999"
    fixture.registration = fixture.registration.replacing(XcodeFixture.clientID, with: other)
    let outcome = try Self.run(try Self.records(fixture), on: lab)
    let line = outcome.effects?.map { "\($0)" }.first { $0.contains("is of another client, \(other);") }
    #expect(
      line?.hasPrefix("registration \(XcodeFixture.clientID): added, with ") == true,
      "\(outcome.effects ?? [])")
    #expect(line?.contains("AADSTS700016") == true)
  }

  /// Two apps have the same client, whose registration is missing, so the added registration has both redirect URIs.
  @Test func theAddedRegistrationHasTheRedirectURIsOfAllItsApps() throws {
    let lab = try Self.lab()
    var records = try Self.records(XcodeFixture())
    records.registrations = []
    _ = try Self.run(records, on: lab)
    let known = try lab.read { try $0.directory.registration(clientID: XcodeFixture.clientID) }
    #expect(
      known?.redirectURIs.sorted() == [
        "msauth.com.contoso.calendar://auth", "msauth.com.contoso.mail://auth",
      ])
    #expect(try Self.run(records, on: lab).effects == [])
  }

  @Test func aWebAppBecomesARegistrationUnlessItsClientIsKnown() throws {
    let files = [
      "package.json": #"{ "name": "portal", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/auth.js": """
      import { PublicClientApplication } from "@azure/msal-browser";
      const app = new PublicClientApplication({ auth: { clientId: "\(AndroidFixture.clientID)",
        authority: "https://login.microsoftonline.com/common", redirectUri: "https://portal.contoso.com/" } });
      """,
    ]
    let lab = try Self.lab()
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    let records = try diagnosis.records(named: "portal", target: nil, clientID: nil)
    let outcome = try Self.run(records, on: lab)
    #expect(outcome.summary == "Imported portal.")
    let client = try lab.read { try $0.directory.registration(clientID: AndroidFixture.clientID) }
    #expect(client?.spaRedirectURIs == ["https://portal.contoso.com/"] && client?.redirectURIs == [])
    #expect(try Self.run(records, on: lab).summary == "portal: nothing differs.")
  }

  @Test func whatCannotBeImportedIsNamed() throws {
    var fixture = XcodeFixture()
    #expect(throws: ImportRefusal.unknownTarget("Notes", among: ["Mail", "Calendar"])) {
      try Self.records(fixture, target: "Notes")
    }
    fixture.replace("\"" + XcodeFixture.clientID + "\"", with: "Secrets.load()", in: "Mail/SignIn.swift")
    #expect(throws: ImportRefusal.missingClientID(["Mail"])) { try Self.records(fixture) }
  }

  /// A project that is built for two platforms under one ID is two installed apps with one registration.
  @Test(arguments: [Platform.iOS, .android])
  func appsWithOneIDAreImportedOnTwoDevices(_ platform: Platform) throws {
    let lab = try Self.lab()
    if platform != .iOS {
      _ = try lab.perform(
        EditRecord(.device, record: "phone", [try FieldChange("platform=\(platform.rawValue)")]))
    }
    var records = try Self.records(XcodeFixture())
    var android = try #require(records.apps.first { $0.bundleID == "com.contoso.mail" })
    android = PlatformDefaults(.android).moving(android)
    android.platform = .android
    android.webView = .embedded
    records.apps.append(android)
    let outcome = try Self.run(records, on: lab)
    let id = "com.contoso.mail"
    let app = try #require(try lab.read { $0.installed.first { $0.bundleID == id } })
    #expect(app.platform == platform && (app.webView == .embedded) == (platform == .android))
    let elsewhere = try lab.read { try $0.appsElsewhere() }
    let other = try #require(elsewhere.first { $0.app.bundleID == id })
    #expect(other.device.platform == (platform == .iOS ? .android : .iOS))
    #expect(other.app.platform == other.device.platform && other.app.clientID == app.clientID)
    let lines = (outcome.effects ?? []).map { "\($0)" }
    #expect(lines.contains { $0.hasPrefix("\(id): on \(other.device.title); to use it: ") }, "\(lines)")
    // A second import changes nothing, and adds no device.
    let again = try Self.run(records, on: lab)
    #expect(!(again.effects ?? []).contains { "\($0)".contains(": added") }, "\(again.effects ?? [])")
    #expect(try lab.read { try $0.devices().count } == 2)
  }

  /// An app of the same ID for another platform is another one, with none of its settings.
  @Test func anAppForAnotherPlatformDoesNotMixWithTheOneThere() throws {
    let lab = try Self.lab()
    var records = try Self.records(XcodeFixture())
    _ = try Self.run(records, on: lab)
    _ = try lab.perform(
      EditRecord(
        .app, record: "com.contoso.mail",
        [try FieldChange("webView=safariView"), try FieldChange("tokenExpirationBuffer=60")]))
    records.apps = records.apps.map { app in
      var app = app
      app.platform = .android
      return app
    }
    _ = try Self.run(records, on: lab)
    let id = "com.contoso.mail"
    try lab.read { reader in
      let app = try #require(try reader.appsElsewhere().first { $0.app.bundleID == id }).app
      #expect(app.platform == .android && app.webView == .systemSession && app.tokenExpirationBuffer == nil)
      let kept = try #require(reader.installed.first { $0.bundleID == id })
      #expect(kept.platform == .iOS && kept.webView == .safariView && kept.tokenExpirationBuffer == 60)
    }
  }
}
