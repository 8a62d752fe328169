import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

@Suite struct BundledScenarioTests {
  static let folder = bundledScenarioFolder
  let library = ScenarioLibrary()

  static let names = ScenarioLibrary().names()

  @Test func theFirstIssuesScenariosAreThere() {
    let first: Set = [
      "contoso-suite", "contoso-suite-broken-client-id", "contoso-suite-broken-entitlement",
      "contoso-suite-broken-sharing-group", "contoso-suite-broken-team", "shared-removal",
      "two-vendors",
    ]
    #expect(first.subtracting(Self.names).isEmpty)
  }

  @Test(arguments: names) func decodesAndIsToldWithNotes(_ name: String) throws {
    let file = try library.scenario(name)
    #expect(file.name == name)
    #expect(!file.title.isEmpty && !file.note.isEmpty)
    #expect(file.steps.allSatisfy { !$0.note.isEmpty })
  }

  @Test func theSuiteIsTheArticlesOwn() throws {
    let world = try library.scenario("contoso-suite").world
    #expect(
      world.apps.map(\.redirectURI) == (1...3).map { "msauth.com.contoso.mytestapp\($0)://auth" })
    #expect(Set(world.apps.map(\.clientID)) == ["b6c69a37-df96-4db0-9088-2ab96e1d8215"])
    #expect(Set(world.apps.map(\.keychainSharingGroup)) == ["com.microsoft.adalcache"])
    #expect(world.apps[0].urlSchemes == ["msauth.com.contoso.mytestapp1"])
    #expect(world.device.brokerVersion == nil)
  }

  @Test func aBrokenVariantDiffersInOneAppOnly() throws {
    let whole = try library.scenario("contoso-suite").world.apps
    var broken = try library.scenario("contoso-suite-broken-team").world.apps
    #expect(broken[1].teamID == "F6G7H8I9J0")
    broken[1].teamID = whole[1].teamID
    broken[1].webView = whole[1].webView
    #expect(broken == whole)
  }

  @Test func anUnknownNameSuggestsTheNearest() {
    let error = #expect(throws: ScenarioError.self) { try library.scenario("two-vendor") }
    #expect(error?.nearest == "two-vendors")
    #expect(error?.what == "There is no scenario “two-vendor”.")
  }

  /// Dictionaries iterate in a different order in each instance, so whatever depends on the order differs even between
  /// two runs in one process.
  @Test(arguments: names) func theSameSeedGivesTheSameBytes(_ name: String) throws {
    let file = try library.scenario(name)
    func told() throws -> [String] {
      let lab = try Lab.temporary(file)
      let report = lab.run(file)
      let texts = try lab.read { reader in
        let traces = try reader.traces.rows(limit: 1000).map { try reader.traces.trace($0.id) }
        let tokens = try reader.tokens.rows(unmasked: true)
        return try traces.map { try encodeJSON($0) } + tokens.map { try encodeJSON($0) }
      }
      return ["\(report)"] + texts.map { String(decoding: $0, as: UTF8.self) }
    }
    let (first, second) = (try told(), try told())
    #expect(first.count > 1 || file.steps.isEmpty)
    for (one, other) in zip(first, second) where one != other { Issue.record("\(one)\n\(other)") }
    #expect(first.count == second.count)
  }

  /// A failed check is displayed as `✗` before its failure, or before its name, which then must not be a sentence that
  /// states the opposite.
  @Test(arguments: names) func aFailedCheckSaysWhatFailed(_ name: String) throws {
    let file = try library.scenario(name)
    let lab = try Lab.temporary(file)
    _ = lab.run(file)
    let traces = try lab.read { reader in
      try reader.traces.rows(limit: 1000).compactMap { try reader.traces.trace($0.id) }
    }
    let assertions: Set = [
      "is", "has", "may", "not", "registered", "valid", "known", "enabled", "given", "present", "exists",
      "matches", "equals",
    ]
    for check in traces.flatMap(\.hops).flatMap(\.checks)
    where check.verdict == .failed && check.failure == nil && !check.name.hasPrefix("policy “") {
      let words = check.name.split(separator: " ").map(String.init)
      #expect(assertions.isDisjoint(with: words), "\(check.name)")
    }
  }
}
