import ArgumentParser
import Foundation
import SSOProvider
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTerm
@testable import SSOTermApp

/// `why --json`, compared with the calls themselves in random labs.
///
/// Every run tests some labs for each seed. For 200 of them, run `SSOTERM_LABS=25 swift test --filter WhyAgainstCalls`.
@Suite struct WhyAgainstCallsTests {
  private static let labs = ProcessInfo.processInfo.environment["SSOTERM_LABS"].flatMap { UInt64($0) } ?? 2

  /// Returns the document that the command prints.
  private func why(_ words: [String], _ lab: Lab) throws -> [String: JSONValue] {
    let json = try WhyCommand.parse(words + ["--json"]).checklist(lab).json
    guard case .object(let fields) = json else { return [:] }
    let failed = Self.checks(json).filter { $0["verdict"] == .string("failed") }
    #expect((fields["holds"] == .bool(true)) == (fields["firstFailure"] == .null), "\(words)")
    #expect((fields["firstFailure"] == .null) == failed.isEmpty, "\(words)")
    return fields
  }

  private static func checks(_ json: JSONValue) -> [[String: JSONValue]] {
    guard case .object(let fields) = json, case .array(let sections)? = fields["sections"] else { return [] }
    return sections.flatMap { section -> [[String: JSONValue]] in
      guard case .object(let fields) = section, case .array(let checks)? = fields["checks"] else { return [] }
      return checks.compactMap { if case .object(let check) = $0 { check } else { nil } }
    }
  }

  /// Checks that after the change that fixes the deciding condition, another condition decides, or none.
  ///
  /// If the app's fields belong to another platform, the proposed change fixes those.
  private func proposalHelps(_ words: [String], _ lab: Lab, _ message: String) throws {
    let before = try WhyCommand.parse(words).checklist(lab)
    guard let cause = before.firstFailure, let remedy = cause.remedy else { return }
    let isMixed = before.answer.contains("of another platform")
    #expect(isMixed || before.json["fix"] == .strings(["ssoterm"] + remedy.commandWords))
    let kind = try #require(RecordKind(rawValue: remedy.kind.rawValue))
    try lab.outcome(EditRecord(kind, record: remedy.record, [try FieldChange(remedy.change)]))
    let after = try WhyCommand.parse(words).checklist(lab).firstFailure
    #expect(
      after?.name != cause.name || after?.expected != cause.expected,
      "\(message): \(words): \(remedy.commandWords.joined(separator: " ")) leaves \(cause.name)")
  }

  /// Tests every app with every account and with none, and then the trace of the call that was made.
  @Test(arguments: PropertySeeds.all) func ofEveryAppAndAccount(seed: UInt64) throws {
    for lab in 0..<Self.labs {
      var world = GeneratedWorld(seed: seed &* 1000 &+ lab)
      let file = world.file()
      var intents = GeneratedIntents(random: world.random, apps: file.world.apps, people: file.world.people)
      let lab = try Lab.temporary(file)
      for _ in 0..<30 { try intents.perform(intents.next(lab.read { try $0.tokens.rows() }), on: lab) }
      for app in file.world.apps.map(\.bundleID) {
        for account in [nil] + file.world.people.map(\.username) {
          let words = [app] + (account.map { ["--account", $0] } ?? [])
          let said = try why(words, lab)
          let intent = AcquireSilently(app: app, account: account, scopes: [], forceRefresh: false)
          try lab.takenBack { try proposalHelps(words, lab, "seed \(seed)") }
          try lab.takenBack {
            guard let (call, trace) = try intents.perform(intent, on: lab) else { return }
            let message = "seed \(seed): \(words): \(call.errorText ?? call.summary)"
            #expect((said["holds"] == .bool(true)) == (call.verdict == .succeeded), "\(message)")
            #expect(said["firstFailure"] == (call.failedCheck?.json ?? .null), "\(message)")
            let told = try why(["--trace", "\(trace)"], lab)
            #expect(
              told["holds"] == said["holds"] && told["firstFailure"] == said["firstFailure"], "\(message)")
          }
        }
      }
      for account in try lab.read({ try $0.accounts.rows() }) {
        let said = try why(["--account", account.identifier], lab)
        #expect((said["holds"] == .bool(true)) == !account.apps.isEmpty, "seed \(seed): \(account.username)")
        for app in try lab.read({ $0.installed }) {
          let isListed = try lab.read {
            // The lab has no list of an app's accounts where it does not simulate the app's cache.
            try $0.device.simulationCheck == nil
              && Self.lists(
                SDKAccount(identifier: account.homeAccountID, username: account.username), $0.sdk(of: app))
          }
          let row = "seed \(seed): \(app.displayName) lists \(account.username): \(isListed)"
          #expect(account.apps.contains(app.displayName) == isListed, "\(row)")
        }
      }
      for token in try lab.read({ try $0.tokens.rows() }) { _ = try why(["--token", token.id], lab) }
    }
  }

  /// Returns whether the SDK lists a user.
  ///
  /// It looks for the home account ID, or for the username if the SDK knows no ID, as for an account that ADAL before
  /// 2.7 left (claim F5).
  private static func lists(_ person: SDKAccount, _ sdk: any IdentitySDK) throws -> Bool {
    do {
      if try sdk.listedAccount(sdk.callName(of: person)) != nil { return true }
      return try sdk.listedAccount(person.username).map(\.identifier.isEmpty) ?? false
    } catch is SDKError {
      return false
    }
  }

  /// Ada signs in with only one app, and then every other app requests her token.
  @Test(arguments: PropertySeeds.all) func ofEveryPair(seed: UInt64) throws {
    for number in 0..<Self.labs {
      var suite = GeneratedSuite(seed: seed &* 1000 &+ number)
      let file = suite.file()
      let (lab, apps) = (try Lab.temporary(file), file.world.apps)
      for writer in try lab.read({ reader in apps.filter { reader.device.runs($0) } }) {
        try lab.takenBack {
          try lab.outcome(
            SignIn(app: writer.bundleID, account: nil, scopes: [], prompt: .login),
            [.username(GeneratedSuite.ada), .password("p")])
          for reader in apps where reader.bundleID != writer.bundleID {
            let said = try why([reader.bundleID, writer.bundleID], lab)
            let call = try lab.takenBack {
              try lab.outcome(
                AcquireSilently(
                  app: reader.bundleID, account: GeneratedSuite.ada, scopes: [], forceRefresh: false))
            }
            #expect(
              (said["holds"] == .bool(true)) == (call.verdict == .succeeded),
              "seed \(seed): \(writer.bundleID) -> \(reader.bundleID): \(call.summary)")
          }
        }
      }
    }
  }
}
