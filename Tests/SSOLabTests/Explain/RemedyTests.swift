import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

/// The change that `why` proposes makes the condition hold.
@Suite struct RemedyTests {
  private static let app = "com.contoso.mytestapp2"

  /// Returns a lab in which My Test App 1 is signed in.
  ///
  /// My Test App 2 shares its sign-in before the change.
  private func lab(_ changes: [String]) throws -> Lab {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    try lab.outcome(
      SignIn(app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired),
      [.accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept])
    try lab.outcome(EditRecord(.app, record: Self.app, try changes.map { try FieldChange($0) }))
    return lab
  }

  private static let mistakes: [([String], String)] = [
    (["keychainSharingGroup=com.contoso.mytestapp2"], "configured sharing group"),
    (["clientID=4d9e2b70-0000-4000-8000-00000000d4b5"], "same client ID"),
    (["teamID=ZZZZZZZZZZ"], "same team"),
    (["keychainAccessGroups="], "access group in its entitlements"),
    (["urlSchemes="], "redirect scheme is registered"),
    (["redirectURI=abc"], "redirect scheme is registered"),
    (["queriesSchemes=msauthv2"], "query schemes are registered"),
    (["authority=nonsense"], "authority is well formed"),
    (
      ["redirectURI=msauth.com.contoso.other://auth", "urlSchemes=msauth.com.contoso.other"],
      "redirect URI is broker-capable"
    ),
  ]

  @Test(arguments: mistakes) func whatIsProposedLeadsToASilentCall(_ changes: [String], _ name: String)
    throws
  {
    let lab = try lab(changes)
    var why = try lab.read { try $0.why.app(Self.app) }
    #expect(why.firstFailure?.name == name)
    // One mistake may hide another; each has its own remedy.
    for _ in 0..<4 {
      guard let cause = why.firstFailure else { break }
      let remedy = try #require(why.remedy, "\(cause.name)")
      let kind = try #require(RecordKind(rawValue: remedy.kind.rawValue))
      try lab.outcome(EditRecord(kind, record: remedy.record, [try FieldChange(remedy.change)]))
      why = try lab.read { try $0.why.app(Self.app) }
      #expect(why.firstFailure?.name != cause.name, "\(remedy.change) does not help")
    }
    #expect(why.holds, "\(why.answer)")
    #expect(
      try lab.outcome(AcquireSilently(app: Self.app, account: nil, scopes: [], forceRefresh: false)).verdict
        == .succeeded)
  }

  /// The user sees an error page and can only close it, because the deciding condition is at the provider.
  @Test func anErrorPageIsMendedInTheRegistration() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let (client, uri) = ("b6c69a37-df96-4db0-9088-2ab96e1d8215", "msauth.com.contoso.mytestapp1://auth")
    try lab.outcome(EditRecord(.registration, record: client, [FieldChange("redirectURIs-=\(uri)")]))
    let call = SignIn(
      app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired)
    guard case .done(_, let trace) = try lab.perform(call, answers: [.accept, .cancel]) else {
      return #expect(Bool(false))
    }
    let why = try #require(try lab.read { try $0.why.trace(trace) })
    #expect(
      why.answer == "Cancelled by the user, because the redirect URI is not registered.")
    let remedy = try #require(why.remedy)
    #expect(remedy == Remedy(.registration, client, "redirectURIs+=\(uri)"))
    try lab.outcome(EditRecord(.registration, record: client, [FieldChange(remedy.change)]))
    let answers: [Answer] = [
      .accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept,
    ]
    #expect(try lab.outcome(call, answers).verdict == .succeeded)
  }

  /// Regression: undo said that it undid a sign-in, although the password had been wrong.
  @Test func undoSaysThatASignInNeverHappened() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let call = SignIn(app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired)
    let answers: [Answer] = [.accept, .username("ada@contoso.com"), .password("wrong"), .cancel]
    #expect(try lab.outcome(call, answers).verdict == .cancelled)
    let undone = try lab.undo()
    #expect(undone?.hasSuffix(" (cancelled)") != false, "\(undone ?? "")")
    #expect(try lab.read { try $0.traces.rows() }.first?.title.contains("cancelled") == false)
  }

  /// Regression: the first undo after a sign-in that the user left at once said that it undid something.
  @Test func undoPassesOverASignInThatWasLeftAtOnce() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let call = SignIn(app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired)
    #expect(try lab.outcome(call, [.cancel]).verdict == .cancelled)
    #expect(try lab.undo() == nil)
    try lab.outcome(EditRecord(.app, record: "com.contoso.mytestapp1", [FieldChange("vendor=Fabrikam")]))
    #expect(try lab.outcome(call, [.cancel]).verdict == .cancelled)
    #expect(try lab.undo()?.hasSuffix("vendor=Fabrikam") == true)
    #expect(try lab.undo() == nil)
  }

  /// A check that holds proposes nothing, and two checks are equal if they say the same.
  @Test func onlyAFailedCheckHasARemedy() {
    let remedy = Remedy(.app, "a", "b=c")
    let held = Check("n", expected: "e", found: "f", true, source: "s", remedy: remedy)
    let failed = Check("n", expected: "e", found: "f", false, source: "s", remedy: remedy)
    #expect(held.remedy == nil && failed.remedy == remedy)
    #expect(failed == Check("n", expected: "e", found: "f", false, source: "s"))
  }

  /// The table of traces stores no remedies, so the remedy comes from the cause of the outcome.
  @Test func theWhyOfATraceProposesTheFieldToo() throws {
    let lab = try lab(["keychainSharingGroup=com.contoso.mytestapp2"])
    guard
      case .done(_, let trace) = try lab.perform(
        AcquireSilently(app: Self.app, account: nil, scopes: [], forceRefresh: false), answers: [])
    else { return #expect(Bool(false)) }
    let why = try #require(try lab.read { try $0.why.trace(trace) })
    #expect(why.remedy == Remedy(.app, Self.app, "keychainSharingGroup=com.microsoft.adalcache"))
  }
}
