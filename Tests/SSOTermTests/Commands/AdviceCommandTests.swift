import ArgumentParser
import SSOLab
import SSOReference
import Testing

@testable import SSOTerm
@testable import SSOTermApp

/// The command line for an action exists.
struct AdviceCommandTests {
  private static let samples: [Advice] =
    [
      "\(.apps)", "\(.accounts)", "\(.tokens, with: [.json: ""])", "\(.tokens, with: [.client: "CLIENTID"])",
      "\(.keychain)", "\(.status)", "\(.traces, with: [.store: "STORE"])", "\(.trace, "1")", "\(.journal)",
      "\(.faults)", "\(.scenarios)", "\(.labs, with: [.store: "STORE"])", "\(.environment)",
      "\(.why, "APP", "OTHER")", "\(.why, "APP", with: [.account: "USER"])", "\(.why, with: [.token: "t1"])",
      "\(.why, with: [.trace: "1"])", "\(.explain, "50011")", "\(.doctor, ".")",
      "\(.signIn, "APP", with: [.account: "USER", .prompt: "login"])",
      "\(.silent, "APP", with: [.account: "USER"])", "\(.signOut, "APP", with: [.browser: ""])",
      "\(.signOut, "APP", with: [.account: "USER", .wipeAccount: ""])",
      "\(.signOut, "APP", with: [.wipeCache: ""])", "\(.currentAccount, "APP")",
      "\(.enroll, "APP", with: [.account: "USER"])", "\(.useDevice, "DEVICE")", "\(.installBroker)",
      "\(.resetClock)", "\(.undo)", "\(.undoForAnyone)", "\(.redo)", "\(.redoForAnyone)",
      "\(.addFault, "token", "503", with: [.times: "1"])", "\(.start, with: [.store: "STORE"])",
      "\(.openReadOnly, with: [.store: "STORE"])", "\(.serve, with: [.fault: "token=503,times=1"])",
      "\(.serve, with: [.bind: "127.0.0.1", .port: "0"])", "\(.serveBroker)",
      "\(.exportKey, with: [.output: "FILE", .store: "STORE"])",
      "\(.importKey, "FILE", with: [.store: "STORE"])",
      "\(.add, "policy", "NAME", with: [.require: "allowedExecutable", .executable: "/usr/bin/az"])",
    ] + RecordKind.allCases.map { "\(.list, $0.rawValue)" }
    + RecordKind.allCases.filter { $0 != .policy }.flatMap { kind -> [Advice] in
      ["\(.show, kind.rawValue, "NAME")", "\(.set, kind.rawValue, "NAME", "a=b")"]
    }
    + RecordKind.allCases.filter { $0 != .policy && $0 != .device }.flatMap { kind -> [Advice] in
      ["\(.add, kind.rawValue, "NAME", "a=b")", "\(.remove, kind.rawValue, "NAME")"]
    }

  @Test func everyActionHasASample() {
    let actions = Self.samples.flatMap(\.actions)
    let untried = Set(Advice.Verb.allCases).subtracting(actions.map(\.verb))
    #expect(
      untried == [.checklistFormat, .addFederation],
      "--help is not a command, and federation add takes more")
    #expect(Set(actions.flatMap(\.details.keys)) == Set(Advice.Detail.allCases))
  }

  @Test(arguments: samples) func commandLineIsOneOfTheProgram(_ advice: Advice) throws {
    for action in advice.actions { _ = try SSOTermCommand.parseAsRoot(action.commandWords) }
  }

  /// The commands in the remedies of all codes.
  @Test func remediesNameCommandsOfTheProgram() throws {
    for explanation in Explanation.all {
      for action in explanation.remedy.actions where action.verb != .addFederation {
        #expect(throws: Never.self, "\(explanation.code)") {
          _ = try SSOTermCommand.parseAsRoot(action.commandWords)
        }
      }
      #expect(!explanation.remedy.commandLine.contains("{"), "\(explanation.code)")
    }
  }
}
