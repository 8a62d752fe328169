import ArgumentParser
import SSOCore
import SSOLab
import SSOProvider
import SSOTermApp

/// `ssoterm fault add|list|clear`: injects failures of the provider, to test how an SDK reacts.
struct FaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "fault", "Make the provider fail, to see how an SDK reacts.",
    examples: ["ssoterm fault add token 503 --times 1", "ssoterm fault list", "ssoterm fault clear"],
    subcommands: [FaultAdd.self, FaultList.self, FaultClear.self], defaultSubcommand: FaultList.self)
}

struct FaultAdd: LabCommand {
  static let configuration = CommandConfiguration(
    "add", "Set a fault.",
    examples: ["ssoterm fault add token 503:2", "ssoterm fault add token 429 --client \"Azure CLI\""],
    after: """
      KIND is one of: \(Fault.Kind.allowed.joined(separator: ", ")).
      slow, hang and truncated apply to real programs; for a simulated app a hang is a failed connection.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(
    help: "\(Fault.Endpoint.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(Fault.Endpoint.allCases.map(\.rawValue)), transform: Fault.Endpoint.init(typed:))
  var endpoint: Fault.Endpoint

  @Argument(
    help: "503, 429:30, slow:5, invalid_grant:bad_token, token:signature, …",
    completion: .list(Fault.Kind.examples.map(\.value).filter { !$0.contains(":") }))
  var kind: String

  @Option(
    name: .customLong("client"),
    help: "Only for requests of this client: its ID, or the name of its registration.")
  var clientID: String?

  @Option(help: "Only for this number of requests.")
  var times: Int?

  func perform(on console: Console) throws -> ExitStatus {
    var fault = try fault()
    let lab = try console.openLab(options)
    // A client need not be registered; if it is not, the fault applies once it is.
    let known = try? clientID.map { name in
      try lab.read { try $0.records.row(.registration, named: name).name }
    }
    fault.clientID = known ?? clientID
    return try console.show(try runUnattended(AddFault(fault), on: lab))
  }

  private func fault() throws(LabError) -> Fault {
    Fault(
      endpoint, try Fault.Kind(named: kind, at: endpoint),
      remaining: try times.map { times throws(LabError) in try Fault.times(String(times)) })
  }
}

struct FaultList: LabCommand {
  static let configuration = CommandConfiguration(
    "list", "List the faults that are set.",
    examples: ["ssoterm fault list"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let faults = try console.openLabToRead(options).read { try $0.provider.faults() }
    return try console.show(["faults": .array(faults.map(\.json))]) {
      guard !faults.isEmpty else { return "No faults are set." }
      return TextTable(["ENDPOINT", "KIND", "CLIENT", "LEFT"], of: faults) { fault in
        [
          InkedText(fault.endpoint.rawValue, .strong), InkedText(fault.kind.text, .bad),
          InkedText(fault.clientID ?? "any"), InkedText(fault.remaining.map(String.init) ?? "until cleared"),
        ]
      }.text(console.ink)
    }
  }
}

struct FaultClear: LabCommand {
  static let configuration = CommandConfiguration(
    "clear", "Remove the faults.",
    examples: ["ssoterm fault clear"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Only this fault: its number in ssoterm fault list, from 1.")
  var number: Int?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    guard let number else { return try console.show(try runUnattended(ClearFaults(), on: lab)) }
    let faults = try lab.read { try $0.provider.faults() }
    guard faults.indices.contains(number - 1) else {
      throw CommandFailure(
        status: .nothingMatched, kind: "unknownFault", what: "There is no fault \(number).",
        why: faults.isEmpty ? "no fault is set" : faults.count == 1 ? "1 is set" : "\(faults.count) are set",
        next: "ssoterm fault list")
    }
    return try console.show(try runUnattended(ClearFault(faults[number - 1]), on: lab))
  }
}

extension Fault {
  fileprivate var json: JSONValue {
    [
      "endpoint": .string(endpoint.rawValue), "kind": .string(kind.text), "clientID": .optional(clientID),
      "remaining": .optional(remaining),
    ]
  }
}

extension Fault.Endpoint {
  /// Creates an endpoint from a word of the command line.
  ///
  /// A mistake in it is known before the other arguments are read, so that the corrected command has no mistake.
  fileprivate init(typed word: String) throws {
    do throws(LabError) { try self.init(named: word) } catch {
      // The reason has the names that resemble the word.
      let isSimilar = nearestName(to: word, among: Self.allCases.map(\.rawValue)) != nil
      let usual = isSimilar ? "" : ", such as \(Self.token.rawValue)"
      throw ValidationError("\(error.what.withoutStop): \(clause(error.why).withoutStop)\(usual).")
    }
  }
}
