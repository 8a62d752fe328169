import Foundation
import SSOCore
import SSODevice
import SSOProvider
import Testing

@testable import SSOLab

/// The fields that `set`, the lists, and scenario files support.
struct RecordFieldTests {
  /// Returns a record's stored properties in the order of their declaration.
  private func properties(_ record: some DescribedRecord) -> [String] {
    Mirror(reflecting: record).children.compactMap(\.label)
  }

  @Test func everyStoredPropertyIsAField() {
    let app = InstalledApp(
      bundleID: "app", teamID: "T", displayName: "", vendor: "", clientID: "", redirectURI: "",
      keychainAccessGroups: [], keychainSharingGroup: nil, urlSchemes: [], queriesSchemes: [])
    // The path of a real app's project is set by `app import` and is not an editable field.
    #expect(InstalledApp.fieldNames + ["project"] == properties(app))
    let device = Device(id: "d", name: "", platform: .iOS)
    // The fields that the lab manages: `broker platform-sso` creates the registration, and calls create processes.
    #expect(Device.fieldNames + ["platformSSORegistration", "processes"] == properties(device))
    #expect(Tenant.fieldNames == properties(Tenant(id: "t", displayName: "", domains: [])))
    let person = DirectoryUser(objectID: "", homeTenantID: "", username: "", displayName: "", password: "")
    #expect(DirectoryUser.fieldNames == properties(person))
    let registration = ClientRegistration(clientID: "", displayName: "", publisher: "", redirectURIs: [])
    #expect(ClientRegistration.fieldNames == properties(registration))
    #expect(Policy.fieldNames == properties(Policy(name: "", requires: .compliantDevice)))
  }

  /// Reads each field of a record and writes the value back.
  ///
  /// Neither changes anything.
  private func writeBack<Record: DescribedRecord>(_ record: Record) {
    var copy = record
    for field in Record.fields {
      #expect(field.assign(&copy, field.value(record)), "\(field.description.name)")
    }
    #expect(copy == record)
  }

  @Test func aFieldTakesTheValueThatItHas() {
    var app = InstalledApp(
      bundleID: "app", teamID: "T", displayName: "App", vendor: "V", sdk: .adal, clientID: "c",
      redirectURI: "r",
      keychainAccessGroups: ["a"], keychainSharingGroup: "g", urlSchemes: ["s"], queriesSchemes: ["q"],
      urlForwarding: .both)
    writeBack(app)
    app.keychainSharingGroup = nil
    app.tokenExpirationBuffer = 60
    writeBack(app)
    writeBack(
      Device(
        id: "d", name: "n", platform: .macOS, brokerManagement: BrokerManagement(apps: ["app"]),
        certificates: [DeviceCertificate(username: "u", thumbprint: "t")]))
    writeBack(
      Tenant(
        id: "t", displayName: "T", domains: ["d"], subscriptions: [Subscription(id: "s", displayName: "S")]))
    writeBack(
      DirectoryUser(
        objectID: "o", homeTenantID: "t", username: "u", displayName: "U", givenName: "G", password: "p",
        guestIn: ["t2": "o2"], certificates: ["c"]))
    writeBack(
      ClientRegistration(
        clientID: "c", displayName: "C", publisher: "P", redirectURIs: ["r"], secrets: ["s"], refreshIn: 5))
    var api = ClientRegistration(clientID: "c", displayName: "C", publisher: "P", redirectURIs: [])
    api.optionalClaims = OptionalClaims(
      idToken: [OptionalClaim("email")],
      accessToken: [OptionalClaim("aud", additionalProperties: ["use_guid"])])
    writeBack(api)
    writeBack(Policy(name: "n", requires: .certificate, tenantID: "t"))
  }

  /// Microsoft Learn, "Optional claims reference".
  @Test(
    arguments: [
      (#"{"idToken":["email",{"name":"extension_0_skypeID","source":"user"}],"saml2Token":[]}"#, nil),
      (#"{"idToken":["emial"]}"#, "Entra does not have an optional claim emial. Did you mean email?"),
      (#"{"accessToken":[{"name":"jobTitle"}]}"#, "Entra does not have an optional claim jobTitle."),
      (#"{"idtoken":["email"]}"#, "Optional claims are not of idtoken. Did you mean idToken?"),
    ] as [(String, String?)])
  func anOptionalClaimIsOneOfEntras(_ value: String, _ problem: String?) throws {
    let change = try FieldChange("optionalClaims=" + value)
    #expect(ClientRegistration.problem(of: change) == problem)
    let app = ClientRegistration(clientID: "c", displayName: "C", publisher: "P", redirectURIs: [])
    #expect((app.applying(change) == nil) == (problem != nil))
  }

  @Test(
    arguments: [
      (RecordFieldForm.text, "", ""), (.text, "7", "7"), (.flag, "YES", .bool(true)),
      (.flag, "", nil), (.number, "-3", .integer(-3)), (.number, "3.5", nil),
      (.texts, "a, b", ["a", "b"]), (.texts, #"["a,b"]"#, ["a,b"]), (.texts, "", []), (.structure, "", []),
      (.structure, #"{"a":"b"}"#, ["a": "b"]), (.structure, "{", nil),
    ] as [(RecordFieldForm, String, JSONValue?)])
  func textMeansOneValue(_ form: RecordFieldForm, _ text: String, _ value: JSONValue?) throws {
    let field = RecordFieldDescription(name: "field", form: form, isOptional: false)
    #expect(try FieldChange("field=" + text).value(for: field, present: .null) == value)
  }

  @Test(arguments: [RecordFieldForm.text, .number, .choice(["a"]), .structure])
  func emptyTextTakesAnOptionalFieldAway(_ form: RecordFieldForm) throws {
    let field = RecordFieldDescription(name: "field", form: form, isOptional: true)
    #expect(try FieldChange("field=").value(for: field, present: "x") == .null)
  }

  /// A registration that lists no API asks for none; without a list, it may ask for any.
  @Test(arguments: [("", nil), ("[]", []), ("api://a", ["api://a"])] as [(String, [String]?)])
  func theListOfAPIsMayBeRemoved(_ text: String, _ apis: [String]?) throws {
    var app = ClientRegistration(clientID: "c", displayName: "C", publisher: "P", redirectURIs: ["r"])
    app.requiredAPIs = ["api://b"]
    let changed = try #require(app.applying(FieldChange("requiredAPIs=" + text)))
    #expect(changed.requiredAPIs == apis)
  }
}
