import ArgumentParser

/// `ssoterm explain CODE|STATE|ERROR TEXT`.
struct ExplainCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a code, a state or a printed error: what it means and what to do.",
    discussion:
      examples(
        "ssoterm explain -- -50002",
        "ssoterm explain AADSTS50011",
        after:
          "Without an argument it lists all codes. A whole error may be pasted; every code in it is explained."
      ))

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(parsing: .allUnrecognized, help: "-50000, AADSTS50011, expiring, AD_ERROR_UI_USER_CANCEL, …")
  var words: [String] = []

  func perform(on console: Console) throws -> ExitStatus {
    guard !words.isEmpty else {
      try console.show(.array(Explanation.all.map(\.json))) { Self.list(console.ink) }
      return .done
    }
    let found = Explanation.find(in: words.joined(separator: " "))
    guard !found.isEmpty else {
      throw CommandFailure(
        unknown: "code", words.joined(separator: " "), among: Explanation.words, list: "ssoterm explain")
    }
    try console.show(.array(found.map(\.json))) {
      found.map { $0.lines(console.ink).joined(separator: "\n") }.joined(separator: "\n\n")
    }
    return .done
  }

  private static func list(_ ink: Ink) -> String {
    var table = TextTable(["CODE", "NAME", "MEANING"])
    for one in Explanation.all {
      table.append([InkedText(one.code, .strong), InkedText(dashed(one.name)), InkedText(one.meaning)])
    }
    return table.text(ink)
  }
}

extension Explanation {
  func lines(_ ink: Ink) -> [String] {
    let title = [code, name].filter { !$0.isEmpty }.joined(separator: "  ")
    return [
      ink.draw(title, .strong) + ink.draw("  " + family.domain, .faint), ink.draw("  " + meaning),
      ink.draw("  cause  ", .faint) + ink.draw(cause), ink.draw("  to do  ", .faint) + ink.draw(remedy),
    ]
  }

  var json: JSONValue {
    [
      "family": .string(family.rawValue), "domain": .string(family.domain), "code": .string(code),
      "name": .optional(name.isEmpty ? nil : name), "meaning": .string(meaning), "cause": .string(cause),
      "remedy": .string(remedy),
    ]
  }
}
