import Testing

@testable import SSODoctor

/// A real project in the lab: its apps work there as any other, undo takes them back, and again says what changed.
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
    guard case .done(let outcome, _) = try lab.perform(.importProject(records)) else {
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

  @Test func whatCannotBeImportedIsNamed() throws {
    var fixture = XcodeFixture()
    #expect(throws: ImportRefusal.unknownTarget("Notes", among: ["Mail", "Calendar"])) {
      try Self.records(fixture, target: "Notes")
    }
    fixture.replace("\"" + XcodeFixture.clientID + "\"", with: "Secrets.load()", in: "Mail/SignIn.swift")
    #expect(throws: ImportRefusal.missingClientID(["Mail"])) { try Self.records(fixture) }
  }
}
