import SSOProvider
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOStore

/// If two apps differ, the remedy changes the app whose value differs from the rest of the lab.
@Suite struct OddAppTests {
  private static let (mail, tasks, chat) = ("com.contoso.mail", "com.contoso.tasks", "com.contoso.chat")

  private static func app(_ id: String, _ change: (inout InstalledApp) -> Void = { _ in }) -> InstalledApp {
    var app = InstalledApp(
      bundleID: id, teamID: "A1B2C3D4E5", displayName: String(id.split(separator: ".")[2]), vendor: "Contoso",
      clientID: "c1", redirectURI: "msauth.\(id)://auth",
      keychainAccessGroups: [
        "$(AppIdentifierPrefix)com.contoso.shared", "$(AppIdentifierPrefix)com.contoso.own",
      ],
      keychainSharingGroup: "com.contoso.shared", urlSchemes: ["msauth.\(id)"],
      queriesSchemes: ["msauthv2", "msauthv3"])
    change(&app)
    return app
  }

  private static func lab(
    _ apps: [InstalledApp], registrations: [ClientRegistration] = [], platform: Platform = .iOS
  ) throws -> Lab {
    let lab = Lab(store: try WorldStore.open(.memory, create: true))
    try lab.create(
      named: "odd", seed: 1,
      LabWorld(
        device: Device(id: "phone", name: "phone", platform: platform), tenants: [], people: [],
        registrations: registrations, apps: apps, brokerAccounts: []))
    return lab
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var odd: @Sendable (inout InstalledApp) -> Void
    var change: String
    /// The text after "because" if the odd app is the app that is signed in.
    var reason: String
  }

  static let cases = [
    Case(
      testDescription: "client ID", odd: { $0.clientID = "c2" }, change: "clientID=c1",
      reason: "tasks has another client ID"),
    Case(
      testDescription: "team", odd: { $0.teamID = "Z9Y8X7W6V5" }, change: "teamID=A1B2C3D4E5",
      reason: "tasks has another team"),
    Case(
      testDescription: "sharing group", odd: { $0.keychainSharingGroup = "com.contoso.own" },
      change: "keychainSharingGroup=com.contoso.shared", reason: "tasks has another sharing group"),
    Case(
      testDescription: "sharing group that no other app is entitled to",
      odd: {
        $0.keychainSharingGroup = "com.contoso.tasks.only"
        $0.keychainAccessGroups.append("$(AppIdentifierPrefix)com.contoso.tasks.only")
      }, change: "keychainSharingGroup=com.contoso.shared", reason: "tasks has another sharing group"),
  ]

  @Test(arguments: cases, [true, false])
  func theRemedyChangesTheOddOneOfThree(_ one: Case, _ isOddAsked: Bool) throws {
    let lab = try Self.lab([Self.app(Self.mail), Self.app(Self.tasks, one.odd), Self.app(Self.chat)])
    let (asking, other) = isOddAsked ? (Self.tasks, Self.mail) : (Self.mail, Self.tasks)
    let why = try lab.read { try $0.why.app(asking, with: other) }
    #expect(!why.holds)
    #expect(why.remedy == Remedy(.app, Self.tasks, one.change))
    #expect(why.answer.contains(one.reason) == !isOddAsked, "\(why.answer)")
    let cause = why.firstFailure?.name
    try lab.outcome(EditRecord(.app, record: Self.tasks, [try FieldChange(one.change)]))
    let after = try lab.read { try $0.why.app(asking, with: other) }
    #expect(after.sections[0].checks.firstFailure?.name != cause)
  }

  /// If there are only two apps, the client whose registration has both redirect URIs is kept.
  @Test(arguments: [true, false])
  func ofTwoAppsTheRegistrationDecides(_ isKnownAsked: Bool) throws {
    let uris = [Self.mail, Self.tasks].map { "msauth.\($0)://auth" }
    let lab = try Self.lab(
      [Self.app(Self.mail), Self.app(Self.tasks) { $0.clientID = "c2" }],
      registrations: [
        ClientRegistration(clientID: "c1", displayName: "Suite", publisher: "Contoso", redirectURIs: uris),
        ClientRegistration(clientID: "c2", displayName: "Old", publisher: "Contoso", redirectURIs: [uris[1]]),
      ])
    let (asking, other) = isKnownAsked ? (Self.mail, Self.tasks) : (Self.tasks, Self.mail)
    let why = try lab.read { try $0.why.app(asking, with: other) }
    #expect(why.remedy == Remedy(.app, Self.tasks, "clientID=c1"))
  }

  /// Nothing shows which of the two is right, so the asking app is changed.
  @Test func withoutAMajorityTheAskingAppIsChanged() throws {
    let lab = try Self.lab([Self.app(Self.mail), Self.app(Self.tasks) { $0.clientID = "c2" }])
    #expect(
      try lab.read { try $0.why.app(Self.mail, with: Self.tasks) }.remedy
        == Remedy(.app, Self.mail, "clientID=c2"))
  }

  // MARK: - Another system

  private static func android(_ id: String) -> InstalledApp {
    app(id) {
      ($0.platform, $0.teamID, $0.keychainAccessGroups) = (.android, "aGFzaA==", [])
      ($0.keychainSharingGroup, $0.redirectURI) = (nil, "msauth://\(id)/aGFzaA%3D%3D")
    }
  }

  @Test func anAppOfAnotherSystemIsSaidToBeOne() throws {
    let lab = try Self.lab([Self.android(Self.mail), Self.android(Self.tasks), Self.app(Self.chat)])
    let words = "mail is built for Android, and the device runs iOS."
    let remedy = Remedy(.device, "phone", "platform=Android")
    try lab.read { reader in
      for why in [
        try reader.why.app(Self.mail), try reader.why.app(Self.mail, with: Self.tasks),
        try reader.why.app(Self.mail, with: Self.chat), try reader.why.app(Self.chat, with: Self.mail),
      ] {
        #expect(why.answer == words)
        #expect(why.remedy == remedy)
        #expect(why.sections.flatMap(\.checks).map(\.source) == ["real-apps.md §3"])
      }
      let next = try Predictor(reader: reader).prediction(try reader.app(Self.mail), account: nil)
      #expect(next.sentence == "fails: " + words.dropLast())
      let cells = try reader.why.visibility().filter { $0.signedIn == Self.chat || $0.looking == Self.chat }
      #expect(cells.allSatisfy { $0.extent == .nothing && $0.displayText.contains("is built for Android") })
    }
  }

  /// The call does what was predicted, and with the device that the prediction suggests, the call continues.
  @Test func aCallOfAnAppOfAnotherSystemIsNotMade() throws {
    let lab = try Self.lab([Self.android(Self.mail)])
    let call = AcquireSilently(app: Self.mail, account: nil, scopes: [], forceRefresh: false)
    let outcome = try lab.outcome(call)
    #expect(outcome.summary == "mail is built for Android, and the device runs iOS.")
    #expect(outcome.next == "\(.set, "device", "phone", "platform=Android")")
    try lab.outcome(EditRecord(.device, record: "phone", [try FieldChange("platform=Android")]))
    #expect(try lab.outcome(call).error?.symbol == "illegal_argument_exception")
  }

  /// An app that is not on this device does not explain another app's call.
  @Test func anAppOfAnotherSystemIsNoReason() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let (signedIn, other) = ("com.contoso.mytestapp1", "com.contoso.mytestapp2")
    try lab.outcome(
      SignIn(app: signedIn, account: nil, scopes: [], prompt: .whenRequired),
      [.accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept])
    try lab.outcome(EditRecord(.app, record: other, [try FieldChange("clientID=other")]))
    func reason() throws -> String? {
      try lab.read { try Predictor(reader: $0).prediction(try $0.app(other), account: nil).reason }
    }
    #expect(try reason() == "its client ID differs from My Test App 1's")
    try lab.outcome(EditRecord(.app, record: signedIn, [try FieldChange("platform=Android")]))
    #expect(try reason() == "its client ID differs from My Test App 3's")
  }

  @Test func onAndroidTheBrokerSharesAndNoKeychainDoes() throws {
    let lab = try Self.lab([Self.android(Self.mail), Self.android(Self.tasks)], platform: .android)
    try lab.read { reader in
      let why = try reader.why.app(Self.mail, with: Self.tasks)
      #expect(
        why.answer
          == "mail does not share tasks's sign-in, because on Android each app has its own token cache. "
          + "The system's browser keeps its cookies for both: the second sign-in may need no password.")
      #expect(why.remedy == nil)
      let text = why.sections.flatMap { [$0.title] + $0.checks.map(\.name) }.joined(separator: " ")
      #expect(!text.contains("keychain") && !text.contains("entitlements"), "\(text)")
    }
    try lab.outcome(EditRecord(.device, record: "phone", [try FieldChange("brokerVersion=6.8.30")]))
    let why = try lab.read { try $0.why.app(Self.mail, with: Self.tasks) }
    #expect(
      why.answer
        == "They share a sign-in through the broker: on Android each app has its own token cache.")
    #expect(why.holds)
  }
}
