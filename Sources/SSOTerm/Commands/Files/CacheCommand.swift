import ArgumentParser

/// `ssoterm cache check FILE`.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "cache", "Check a token cache file.",
    examples: ["ssoterm cache check ~/.azure/msal_token_cache.json"],
    subcommands: [CacheCheckCommand.self])
}

struct CacheCheckCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "check", "List orphaned, duplicate, unreadable and expired entries, and what each SDK reads.",
    examples: ["ssoterm cache check ~/.azure/msal_token_cache.json"],
    after:
      "The file is only read. Exit code 1 if something was found that should be fixed; an expired access token "
      + "is only reported.")

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A token cache that MSAL wrote; - reads stdin.", completion: .file())
  var file: String

  func perform(on console: Console) throws -> ExitStatus {
    let (name, data) = try readFile(file)
    let check: CacheCheck
    do {
      check = try CacheCheck(data, now: StandardStreams.now())
    } catch {
      throw notACache(name, error)
    }
    try console.show(check.json(name)) { check.text(name, console.ink) }
    return check.findings.contains(where: \.needsAction) ? .finding : .done
  }
}

extension CacheCheck {
  func text(_ name: String, _ ink: Ink) -> String {
    let problems = findings.count(where: \.needsAction)
    let expired = findings.count - problems
    let counts = counted(problems, "finding") + (expired == 0 ? "" : ", \(counted(expired, "expired token"))")
    var lines = [ink.draw(name, .strong) + ink.draw(": " + counts)]
    for finding in findings {
      lines.append(
        ink.draw(finding.needsAction ? "✗ " : "· ", finding.needsAction ? .warning : .faint)
          + ink.draw("\(finding.kind.rawValue): \(finding.entry)"))
      lines.append(ink.draw("    \(finding.reason) \(finding.next)"))
    }
    for (family, clients) in families.sorted(by: { $0.key < $1.key }) {
      let title = family.isEmpty ? "no family" : "family \(family)"
      lines.append(ink.draw("\(title): ", .faint) + ink.draw(clients.joined(separator: ", ")))
    }
    let table = TextTable(["SDK", "OWN KEYS", "FOREIGN KEYS"], of: views) { view in
      [
        InkedText(view.sdk.rawValue), InkedText(String(view.ownKeys)), InkedText(String(view.foreignKeys)),
      ]
    }
    return (lines + table.lines(ink)).joined(separator: "\n")
  }

  func json(_ name: String) -> JSONValue {
    [
      "file": .string(name),
      "findings": .array(
        findings.map {
          [
            "kind": .string($0.kind.rawValue), "entry": .string($0.entry), "reason": .string($0.reason),
            "next": .string($0.next), "needsAction": .bool($0.needsAction),
          ]
        }),
      "families": .object(families.mapValues { .strings($0) }),
      "views": .array(
        views.map {
          [
            "sdk": .string($0.sdk.rawValue), "ownKeys": .count($0.ownKeys),
            "foreignKeys": .count($0.foreignKeys),
          ]
        }),
    ]
  }
}
