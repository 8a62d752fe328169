import ArgumentParser
import SSOCore
import SSOReference
import SSOTermApp

/// `ssoterm explain CODE|state STATE|ERROR TEXT`.
struct ExplainCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "explain", "Explain a code, a state, or a printed error: what it means and what to do.",
    examples: ["ssoterm explain -- -50002", "ssoterm explain AADSTS50011"],
    after:
      "Without an argument, lists all codes. You can paste an entire error; every code in it is explained.")

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(parsing: .allUnrecognized, help: "-50000, AADSTS50011, 0xCAA20003, state expiring, …")
  var words: [String] = []

  func perform(on console: Console) throws -> ExitStatus {
    guard !words.isEmpty else {
      return try console.show(["explanations": .array(Explanation.all.map(\.json))]) {
        Self.list(console.ink)
      }
    }
    let text = words.filter { $0 != "--" }.joined(separator: " ")
    // Put Entra's number first, because it is more specific than the general words beside it, and the class of an exception
    // last.
    let all = Explanation.find(in: text)
    let rest = all.filter { $0.family != .aadsts }
    let codes = all.filter { $0.family == .aadsts } + rest.filter { !$0.isClass } + rest.filter(\.isClass)
    let numbers = Explanation.meanings(ofNumber: codes.isEmpty ? Self.marked(in: text) ?? text : text)
    let term = (Explanation.term(text) ?? Explanation.state(named: text)).map { [$0] } ?? []
    let source = RuleSource(text).explanation.map { [$0] } ?? []
    let found = numbers.isEmpty ? (source.isEmpty ? codes + term : source) : numbers.map(\.explanation)
    guard !found.isEmpty else { throw Self.unknown(text) }
    let unsigned = Set(numbers.filter(\.lacksMinus).map(\.explanation))
    return try console.show(["explanations": .array(found.map(\.json))]) {
      found.map { one in
        let condition = unsigned.contains(one) ? [console.ink.draw("or with a minus sign:", .faint)] : []
        return (condition + one.lines(console.ink)).joined(separator: "\n")
      }.joined(separator: "\n\n")
    }
  }

  /// Returns the number with which a text begins, in brackets or before a sentence, or of which it says only that it is a
  /// code, or `nil` if it has no such number: `[50126] Invalid user name`, `65001: No consent`, `status code 50126`.
  private static func marked(in text: String) -> String? {
    let words = text.lowercased().split { " :=".contains($0) }
    if words.count > 1, let last = words.last, (3...8).contains(last.count), last.allSatisfy(\.isNumber),
      words.dropLast().allSatisfy({
        ["http", "status", "code", "error", "errorcode", "statuscode"].contains($0)
      })
    {
      return String(last)
    }
    let start = text.drop { "[(#\"' ".contains($0) }
    let number = start.prefix { $0.isASCII && $0.isNumber }
    guard (5...8).contains(number.count), let next = start[number.endIndex...].first,
      "]):;,.-\"' ".contains(next)
    else {
      return nil
    }
    return String(number)
  }

  /// Returns the error for an unknown code.
  ///
  /// It does not suggest a similar number, because another number means something else.
  private static func unknown(_ text: String) -> CommandFailure {
    if let mark = text.firstRange(of: "AADSTS") {
      let number = text[mark.upperBound...].prefix { $0.isASCII && $0.isNumber }
      if !number.isEmpty {
        return CommandFailure(
          status: .nothingMatched, kind: "unknownCode", what: "AADSTS\(number) is not described here.",
          why: "the list has Microsoft's documented codes, and codes that people paste with them",
          next: "Microsoft may describe it at \(AADSTSCode.page(on: number))")
      }
    }
    if let state = Explanation.Family.state.explanation(of: text) {
      return CommandFailure(
        status: .nothingMatched, kind: "unknownCode", what: "\(echo(text)) is not a code.",
        why: "it is an everyday word; in the lists of the lab, it is a state",
        next: "ssoterm explain \(state.displayText)")
    }
    guard text.contains(where: \.isLetter), text.count <= 80 else {
      return CommandFailure(
        status: .nothingMatched, kind: "unknownCode",
        what: text.count <= 80
          ? "\(echo(text)) is not described here." : "No code of this text is described here.",
        why: "the list has Microsoft's documented codes, and codes that people paste with them",
        next: "ssoterm explain")
    }
    // A word of a sentence or of a path is not a spelling of it, and everyday words resemble some codes.
    let codes = Explanation.all.flatMap { [$0.displayText, $0.name] }.filter {
      !$0.isEmpty && !$0.contains(" ") && $0.lowercased() != text.lowercased()
    }
    let near = codes.closestSpelling(to: text, most: text.count / 4)
    return CommandFailure(
      status: .nothingMatched, kind: "unknownCode", what: "There is no code “\(echo(text))”.", why: "",
      next: near.map { TypedLine.replacing(text, with: $0) ?? "Did you mean \($0)?" } ?? "ssoterm explain")
  }

  private static func list(_ ink: TextInk) -> String {
    return TextTable(["CODE", "NAME", "MEANING"], of: Explanation.all) { one in
      [InkedText(one.code, .strong), InkedText(dashed(one.name)), InkedText(one.meaning)]
    }.text(ink)
  }
}

extension Explanation {
  func lines(_ ink: TextInk) -> [String] {
    let title = [code, name].filter { !$0.isEmpty }.joined(separator: "  ")
    return [
      ink.draw(title, .strong) + ink.draw("  " + domain, .faint), ink.sentence(meaning, indent: 2),
      ink.paragraph(InkedText("  cause  ", .faint), [InkedText(cause)]),
      ink.paragraph(InkedText("  to do  ", .faint), [InkedText(remedy.commandLine)]),
    ]
  }

  var json: JSONValue {
    [
      "family": .string(family.rawValue), "domain": .string(domain), "code": .string(code),
      "name": .optional(name.isEmpty ? nil : name), "meaning": .string(meaning), "cause": .string(cause),
      "remedy": .string(remedy.commandLine),
    ]
  }
}
