import ArgumentParser
import SSOCore
import SSOLab
import SSOProvider
import SSOTermApp

/// `ssoterm token forge [KIND --for API]`: creates tokens that a resource server has to reject.
struct TokenForge: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "forge",
    abstract: "Make an access token with one flaw, to test whether your API rejects it.",
    discussion: """
      Without KIND, lists the kinds. Prints only the token to stdout, and its flaw to stderr. If the API also rejects \
      “valid”, check its issuer, audience, and jwks_uri first.

      Examples:
        ssoterm token forge expired --for api://orders | ssoterm token -
        curl -H "Authorization: Bearer $(ssoterm token forge none --for Orders)" URL
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(
    help: "\(ForgedToken.Kind.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(ForgedToken.Kind.allCases.map(\.rawValue)))
  var kind: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("The API: the client ID, App ID URI, or name of its registration.", valueName: "api"))
  var resource: String?

  @Option(help: "The permission, which is the last part of a scope.")
  var permission = ".default"

  @Option(help: "The user to issue the token to (default: the lab's first user).")
  var person: String?

  @Option(help: "The provider's port, if it is not the one of the server that started last.")
  var port: Int?

  /// Returns the command with an API that each lab has.
  private static func forGraph(_ kind: String) -> String {
    "ssoterm token forge \(kind) --for https://graph.microsoft.com"
  }

  func perform(on console: Console) throws -> ExitStatus {
    guard let kind else { return try list(on: console) }
    guard let known = ForgedToken.Kind(rawValue: kind) else {
      let names = ForgedToken.Kind.allCases.map(\.rawValue)
      throw CommandFailure(
        usage: "There is no kind of forged token “\(kind)”.",
        why: "expected one of \(names.listed(near: kind, as: "kinds"))",
        next: nearestName(to: kind, among: names).map { near in
          resource == nil ? Self.forGraph(near) : "Did you mean \(near)?"
        } ?? "ssoterm token forge")
    }
    guard let resource else {
      throw CommandFailure(
        usage: "No API specified for the token.", why: "a token has one audience",
        next: Self.forGraph(kind))
    }
    let lab = try console.openLab(options)
    try lab.registerExternalClients()
    let token = try lab.forge(
      known, for: resource, permission: permission, username: person, port: port)
    if !console.json {
      console.note("\(known.rawValue): \(known.flaw)")
      if let check = known.check {
        console.note("the check that refuses it: \(check) [\(known.source)]")
      } else {
        console.note("no check refuses it [\(known.source)]")
      }
    }
    return try console.show(known.json.adding(["token": .string(token.compact)])) { token.compact }
  }

  private func list(on console: Console) throws -> ExitStatus {
    let kinds = ForgedToken.Kind.allCases
    return try console.show(["kinds": .array(kinds.map(\.json))]) {
      var table = TextTable(["KIND", "WHAT IS WRONG, AND THE CHECK THAT REFUSES IT"])
      for kind in kinds {
        table.append([InkedText(kind.rawValue, .strong), InkedText(kind.flaw)])
        table.append([InkedText(""), InkedText(kind.check ?? "No check refuses it.", .faint)])
      }
      return table.text(console.ink)
    }
  }
}

extension ForgedToken.Kind {
  fileprivate var json: JSONValue {
    [
      "kind": .string(rawValue), "flaw": .string(flaw), "check": .optional(check), "source": .string(source),
    ]
  }
}
