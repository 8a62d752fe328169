import SSOReference
import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// A lab with an iPhone and an Android phone: one app on both, with one registration.
struct DeviceTests {
  private static let app = "com.contoso.mytestapp1"

  private func lab() throws -> Lab {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    try lab.outcome(AddRecord(.app, record: Self.app, [try FieldChange("platform=Android")]))
    return lab
  }

  private func signIn(_ lab: Lab) throws -> Outcome {
    // Only iOS asks before the page.
    let alert: [Answer] = try lab.read { $0.device.platform == .iOS ? [.accept] : [] }
    return try lab.outcome(
      SignIn(app: Self.app, account: nil, scopes: [], prompt: .whenRequired),
      alert + [.username("ada@contoso.com"), .password("analytical-engine"), .accept])
  }

  private func silent(_ lab: Lab) throws -> Outcome {
    try lab.outcome(AcquireSilently(app: Self.app, account: nil, scopes: [], forceRefresh: false))
  }

  @Test func theSameAppOnTwoPlatformsIsTwoAppsWithOneRegistration() throws {
    let lab = try lab()
    let (here, elsewhere, registrations) = try lab.read { reader in
      (
        reader.installed.filter { $0.bundleID == Self.app }, try reader.appsElsewhere(),
        try reader.directory.registrations().filter { $0.clientID == reader.installed[0].clientID }
      )
    }
    #expect(here.map(\.platform) == [.iOS] && elsewhere.map(\.app.platform) == [.android])
    #expect(
      elsewhere.map(\.app.bundleID) == [Self.app] && elsewhere.map(\.app.clientID) == here.map(\.clientID))
    let own = registrations.flatMap(\.redirectURIs).filter { $0.contains("mytestapp1") }
    #expect(
      own == [
        "msauth.com.contoso.mytestapp1://auth",
        "msauth://com.contoso.mytestapp1/ga0RGNYHvNM5d0SLGQfpQWAPGJ8%3D",
      ])
  }

  @Test func eachDeviceHasItsOwnCache() throws {
    let lab = try lab()
    #expect(try signIn(lab).summary.hasPrefix("On iOS: "))
    #expect(try silent(lab).verdict == .succeeded)
    let chosen = try lab.outcome(UseDevice("device-2"))
    #expect(chosen.summary == "The lab is on Ada's Android phone (Android) now.")
    #expect(try silent(lab).verdict == .failed)
    #expect(try signIn(lab).summary.hasPrefix("On Android: "))
    try lab.outcome(UseDevice("iPhone"))
    #expect(try silent(lab).summary.hasPrefix("On iOS: "))
    #expect(try lab.undo() == "use device iPhone")
    #expect(try lab.read { $0.device.platform } == .android)
  }

  @Test func anAppOfTheOtherDeviceIsNotUnknown() throws {
    let lab = try lab()
    try lab.outcome(UseDevice("device-2"))
    let error = #expect(throws: LabError.self) { try lab.read { try $0.app("mytestapp2") } }
    #expect(error?.what == "My Test App 2 is on Ada's iPhone (iOS).")
    #expect(error?.next.description.contains("device-1") == true)
    #expect(throws: LabError.self) { try lab.read { try $0.app("nobody") } }
  }

  @Test func aDeviceGoesWithAllThatIsOnIt() throws {
    let lab = try lab()
    try lab.outcome(UseDevice("device-2"))
    _ = try signIn(lab)
    let error = #expect(throws: LabError.self) {
      try lab.perform(RemoveRecord(.device, record: "device-2"))
    }
    #expect(error?.what == "The device that the lab is on cannot be deleted.")
    try lab.outcome(UseDevice("device-1"))
    try lab.outcome(RemoveRecord(.device, record: "device-2"))
    #expect(try lab.read { try $0.appsElsewhere().isEmpty && $0.devices().count == 1 })
    _ = try lab.undo()
    try lab.outcome(UseDevice("device-2"))
    #expect(try silent(lab).verdict == .succeeded)
  }

  @Test func aDeviceIsAddedAsItIsBought() throws {
    let lab = try lab()
    try lab.outcome(AddRecord(.device, record: "pc", [try FieldChange("platform=Windows")]))
    try lab.outcome(UseDevice("pc"))
    try lab.read { reader in
      #expect(reader.device.name == "Ada's PC" && reader.device.brokerVersion != nil)
      #expect(reader.installed.isEmpty)
    }
  }

  @Test func theSameAppOnAnotherDeviceHasTheSameClient() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let first = try lab.read { $0.installed[0] }
    try lab.outcome(AddRecord(.device, record: "pixel", [try FieldChange("platform=Android")]))
    try lab.outcome(UseDevice("pixel"))
    let added = try lab.outcome(AddRecord(.app, record: first.bundleID, []))
    #expect(try lab.read { try $0.app(first.bundleID).clientID } == first.clientID)
    #expect(!(added.effects ?? []).contains { "\($0)".contains("No registration") }, "\(added)")
  }

  /// An app for a platform that no device has yet stays where it is, as before, unless its ID is taken.
  @Test func onlyATakenIDMakesADevice() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    try lab.outcome(AddRecord(.app, record: "com.contoso.four", [try FieldChange("platform=Android")]))
    #expect(try lab.read { try $0.devices().count } == 1)
    try lab.outcome(AddRecord(.device, record: "phone", [try FieldChange("platform=Android")]))
    let added = try lab.outcome(
      AddRecord(.app, record: "com.contoso.five", [try FieldChange("platform=Android")]))
    #expect(
      (added.effects ?? []).contains { "\($0)" == "It is on Ada's Android phone (Android)." }, "\(added)")
    #expect(try lab.read { try $0.appsElsewhere().map(\.app.bundleID) } == ["com.contoso.five"])
  }
}
