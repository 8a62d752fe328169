import Foundation
import SSODevice
import SSOReference
import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// Changing a record by hand reports the effects on the apps at once, and undo reverses it.
@Suite struct EditTests {
  private func lab() throws -> Lab {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let answers: [Answer] = [
      .accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept,
    ]
    guard
      case .done(let outcome, _) = try lab.perform(
        SignIn(app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired),
        answers: answers)
    else { throw LabError(.badInput, "asked for more", why: "", next: "") }
    #expect(outcome.verdict == .succeeded)
    return lab
  }

  private func edit(_ lab: Lab, _ kind: RecordKind, _ name: String, _ changes: String...) throws -> Outcome {
    let parsed = try changes.map { try FieldChange($0) }
    guard case .done(let outcome, _) = try lab.perform(EditRecord(kind, record: name, parsed)) else {
      throw LabError(.badInput, "asked a person", why: "", next: "")
    }
    return outcome
  }

  @Test func anotherTeamBreaksTheSecondAppAndUndoMendsIt() throws {
    let lab = try lab()
    let before = try lab.read { try $0.apps.rows() }
    let outcome = try edit(lab, .app, "mytestapp2", "teamID=F6G7H8I9J0")
    #expect(
      outcome.effects?.contains {
        $0.description.hasPrefix("My Test App 2: ") && $0.description.contains("its team differs from")
      } == true)
    let why = try lab.read { try $0.why.app("com.contoso.mytestapp2", with: "com.contoso.mytestapp1") }
    #expect(
      why.firstFailure
        == Check(
          "same team", expected: "A1B2C3D4E5", found: "F6G7H8I9J0", verdict: .failed, source: "claim C1"))
    #expect(!why.holds)
    _ = try lab.undo()
    #expect(try lab.read { try $0.apps.rows() } == before)
    #expect(try lab.read { try $0.why.app("com.contoso.mytestapp2", with: "com.contoso.mytestapp1") }.holds)
    #expect(
      try lab.read { try $0.why.app("com.contoso.mytestapp2", with: "com.contoso.mytestapp1") }.sections[0]
        .checks
        .allSatisfy { $0.verdict == .passed })
  }

  /// Regression: such a record was a blank row in every list.
  @Test(arguments: ["", "   "])
  func aRecordWithoutANameIsCalledByItsKey(_ blank: String) throws {
    let lab = try lab()
    _ = try edit(lab, .app, "mytestapp1", "displayName=" + blank)
    _ = try edit(lab, .person, "ada@contoso.com", "displayName=" + blank)
    _ = try edit(lab, .registration, "b6c69a37-df96-4db0-9088-2ab96e1d8215", "displayName=" + blank)
    #expect(try lab.read { try $0.app("mytestapp1").displayName } == "com.contoso.mytestapp1")
    #expect(
      try lab.read { try $0.records.rows(.person) }.first { $0.name == "ada@contoso.com" }?.title
        == "ada@contoso.com")
    #expect(
      try lab.read { try $0.records.rows(.registration) }.contains {
        $0.title == "b6c69a37-df96-4db0-9088-2ab96e1d8215"
      })
  }

  @Test func listsGrowAndShrinkAndFlagsAreYesOrNo() throws {
    let lab = try lab()
    _ = try edit(lab, .app, "mytestapp1", "queriesSchemes+=msauthv2,msauthv3", "queriesSchemes-=msauthv2")
    _ = try edit(lab, .device, "iPhone", "isLocked=yes")
    _ = try edit(lab, .app, "mytestapp3", "keychainSharingGroup=")
    func value(_ kind: RecordKind, _ name: String, _ field: String) throws -> String? {
      try lab.read { try $0.records.row(kind, named: name) }.fields.first { $0.name == field }?.value
    }
    #expect(try value(.app, "mytestapp1", "queriesSchemes") == "msauthv3")
    #expect(try value(.device, "iPhone", "isLocked") == "yes")
    #expect(try value(.app, "mytestapp3", "keychainSharingGroup") == nil)
    #expect(try value(.person, "ada", "password") == "[masked 17 chars]")
    let asked = try lab.read { try $0.records.row(.person, named: "ada", unmasked: true) }
    #expect(asked.fields.first { $0.name == "password" }?.value == "analytical-engine")
  }

  @Test(arguments: [
    ("teamId=X", "An app has no field “teamId”."),
    ("isExtension=perhaps", "isExtension cannot be “perhaps”."),
    ("bundleID=x", "bundleID is the key of the app and cannot be changed."),
    ("brokerUse=perhaps", "brokerUse cannot be “perhaps”."), ("urlSchemes", "“urlSchemes” changes nothing."),
    ("teamID+=x", "teamID cannot be +=“x”."),
  ])
  func refuses(_ change: String, _ what: String) throws {
    let lab = try lab()
    let before = try lab.read { try $0.records.rows(.app) }
    let error = #expect(throws: LabError.self) { try edit(lab, .app, "mytestapp1", change) }
    #expect(error?.what == what)
    #expect(try lab.read { try $0.records.rows(.app) } == before)
  }

  @Test(arguments: [
    "redirectURIs=javascript:alert(1)", "redirectURIs+=JAVASCRIPT:alert(1)", "logoutURIs=data:text/html",
  ])
  func anAddressThatRunsAsScriptIsNotRegistered(_ change: String) throws {
    let lab = try lab()
    let name = try #require(try lab.read { try $0.records.rows(.registration) }.first?.name)
    let error = #expect(throws: LabError.self) { try edit(lab, .registration, name, change) }
    #expect(error?.why.hasSuffix("None may be javascript:, data: or vbscript:.") == true)
  }

  @Test(arguments: [
    ("tokenExpirationBuffer=abc", "Expected a whole number."), ("isExtension=perhaps", "Expected yes or no."),
    ("brokerUse=perhaps", "Expected one of auto, none."),
    ("displayName-=x", "Expected text."),
  ])
  func saysWhatAFieldTakesEvenIfItIsNotSet(_ change: String, _ why: String) throws {
    let lab = try lab()
    let error = #expect(throws: LabError.self) { try edit(lab, .app, "mytestapp1", change) }
    #expect(error?.why == why)
    let choices = ["Expected one of auto, none.": "auto", "Expected yes or no.": "yes"]
    #expect(
      error?.next
        == (choices[why].map { "Did you mean \($0)?" } ?? "\(.show, "app", "com.contoso.mytestapp1")"))
  }

  @Test func aListOfObjectsIsTypedAsJSON() throws {
    let lab = try lab()
    let name = try #require(try lab.read { try $0.records.rows(.registration) }.first?.name)
    func keys() throws -> String? {
      try lab.read { try $0.records.row(.registration, named: name) }.fields.first {
        $0.name == "publicKeys"
      }?.value
    }
    for identifier in ["k1", "k2"] {
      _ = try edit(
        lab, .registration, name, #"publicKeys=[{"kty":"RSA","kid":"\#(identifier)","n":"0Q","e":"AQAB"}]"#)
      #expect(try keys()?.contains(identifier) == true)
    }
    _ = try edit(lab, .registration, name, "publicKeys=")
    #expect(try keys() ?? "" == "")
  }

  /// The client ID is a GUID, as at Entra, which is generated for a registration that is created with only a name.
  @Test(arguments: [
    ("My web app", nil as String?),
    ("5C1E0F5A-0000-4000-8000-000000000001", "5c1e0f5a-0000-4000-8000-000000000001"),
  ])
  func aRegistrationIsNamedByAGUID(_ name: String, _ clientID: String?) throws {
    let lab = try lab()
    let before = Set(try lab.read { try $0.records.rows(.registration) }.map(\.name))
    _ = try lab.perform(AddRecord(.registration, record: name, []))
    let added = try lab.read { try $0.records.rows(.registration) }.filter { !before.contains($0.name) }
    #expect(added.map(\.title) == [name])
    #expect(added.allSatisfy { UUID(uuidString: $0.name) != nil && $0.name == clientID ?? $0.name })
  }

  @Test func aListThatIsNotThereYetGrows() throws {
    let lab = try lab()
    let authority = "https://login.microsoftonline.com/common"
    _ = try edit(lab, .app, "mytestapp1", "knownAuthorities+=\(authority)")
    #expect(
      try lab.read { try $0.records.row(.app, named: "mytestapp1") }.fields.first {
        $0.name == "knownAuthorities"
      }?.value
        == authority)
  }

  @Test(arguments: [
    (RecordKind.app, "com.contoso.mytestapp4", ["displayName=Four"]),
    (.person, "linus@contoso.com", ["password=kernel"]), (.tenant, "fabrikam.com", []),
    (.registration, "0f9d6c1a-0000-4000-8000-000000000001", ["redirectURIs+=msauth.com.contoso.x://auth"]),
  ])
  func aRecordComesAndGoes(_ kind: RecordKind, _ name: String, _ fields: [String]) throws {
    let lab = try lab()
    let before = try lab.read { try $0.records.rows(kind) }
    _ = try lab.perform(AddRecord(kind, record: name, try fields.map { try FieldChange($0) }))
    #expect(try lab.read { try $0.records.rows(kind) }.count == before.count + 1)
    let again = #expect(throws: LabError.self) { try lab.perform(AddRecord(kind, record: name, [])) }
    #expect(again?.why == "Names are unique.")
    let title = kind == .tenant ? "fabrikam.com" : name
    _ = try lab.perform(RemoveRecord(kind, record: title))
    #expect(try lab.read { try $0.records.rows(kind) } == before)
    _ = try lab.undo()
    #expect(try lab.read { try $0.records.rows(kind) }.count == before.count + 1)
    _ = try lab.undo()
    #expect(try lab.read { try $0.records.rows(kind) } == before)
  }

  /// A personal account is at home in one tenant, whatever domain its username has.
  @Test func aPersonalAccountIsAtHomeWithAllOthers() throws {
    let lab = try lab()
    _ = try lab.perform(
      AddRecord(.person, record: "linus@contoso.com", [try FieldChange("isPersonal=yes")]))
    _ = try lab.perform(AddRecord(.person, record: "rosa@contoso.com", []))
    _ = try edit(lab, .person, "rosa@contoso.com", "isPersonal=yes")
    for name in ["linus@contoso.com", "rosa@contoso.com"] {
      let person = try #require(try lab.read { try $0.directory.person(username: name) })
      #expect(person.homeTenantID == Tenant.personalID)
      #expect(person.objectID.hasPrefix("00000000-0000-0000-"))
    }
  }

  @Test func somebodyWhoWasAddedSignsInInAnAppThatWasAdded() throws {
    let lab = try lab()
    for intent in [
      AddRecord(.person, record: "linus@contoso.com", [try FieldChange("password=kernel")]),
      AddRecord(.app, record: "com.contoso.mytestapp4", []),
      EditRecord(
        .registration, record: "b6c69a37-df96-4db0-9088-2ab96e1d8215",
        [try FieldChange("redirectURIs+=msauth.com.contoso.mytestapp4://auth")]),
    ] as [any Intent] { _ = try lab.perform(intent) }
    guard
      case .done(let outcome, _) = try lab.perform(
        SignIn(app: "com.contoso.mytestapp4", account: nil, scopes: [], prompt: .login),
        answers: [.accept, .username("linus@contoso.com"), .password("kernel"), .accept])
    else {
      Issue.record("an answer is missing")
      return
    }
    #expect(outcome.username == "linus@contoso.com")
  }

  @Test(arguments: [
    (RecordKind.person, "linus@nowhere.example", "There is no tenant “nowhere.example”."),
    (.app, "a b", "“a b” cannot name an app."), (.device, "device-1", "a device device-1 exists already."),
  ])
  func doesNotAdd(_ kind: RecordKind, _ name: String, _ what: String) throws {
    let lab = try lab()
    let error = #expect(throws: LabError.self) { try lab.perform(AddRecord(kind, record: name, [])) }
    #expect(error?.what == what)
  }

  @Test func aTenantThatIsSomebodysHomeStays() throws {
    let lab = try lab()
    let error = #expect(throws: LabError.self) { try lab.perform(RemoveRecord(.tenant, record: "Contoso")) }
    #expect(error?.what == "The tenant Contoso is the home tenant of users.")
  }

  @Test func whyNamesTheAppsThatDoNotListAnAccount() throws {
    let lab = try lab()
    _ = try edit(lab, .app, "mytestapp2", "teamID=F6G7H8I9J0")
    let why = try lab.read { try $0.why.account("ada@contoso.com") }
    #expect(why.answer == "Signed in to My Test App 1, My Test App 3.")
    #expect(why.holds && why.sections.map { $0.checks[0].verdict } == [.passed, .skipped, .passed])
  }
}
