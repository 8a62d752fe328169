import SSOCore
import SSOReference

/// The lines of source code, of what a search of it prints, and of a quiz, that have a number of Entra.
extension OrdinaryLine {
  /// Returns whether source code compares a number with a text, searches for it, has it as the key of a table, or is
  /// commented with it: `lamp.test(/AADSTS(50000|50001)/)`, `'AADSTS50000' = 'No lamp'`, `lamp.on() // AADSTS50000`.
  static func isInSource(_ line: String, _ place: Range<String.Index>) -> Bool {
    if let content = withoutPlace(line) { return isOfFile(content) }
    let before = line[..<place.lowerBound]
    let behind = line[place.upperBound...]
    return isInPattern(before, behind) || isComparison(before, behind) || isEntry(before, behind)
      || isCommented(before) || isSettingOrItem(before, behind)
  }

  /// Returns the line of a file that a search found, or `nil` for another line: `lamp/lamp.ts:12:  lamp.on()`.
  static func withoutPlace(_ line: String) -> Substring? {
    let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].contains(" "), !parts[1].isEmpty, parts[1].allSatisfy(\.isNumber),
      let dot = parts[0].lastIndex(of: "."), files.contains(parts[0][dot...].dropFirst().lowercased())
    else { return nil }
    // Compilers and loggers put a space, or a column, behind the line's number.
    let content = parts[2]
    let isOfProgram = content.hasPrefix(" ") && !content.hasPrefix("  ") || content.first?.isNumber == true
    return isOfProgram || content.isEmpty ? nil : content
  }

  /// Returns whether a code is the name of a setting or, in quotes, an item of a list or the key of a table:
  /// `page for AADSTS50000 = /help`, `["lamp", "AADSTS50000"]`, `{"lamp": "on", "AADSTS50000": "No lamp"}`.
  static func isSettingOrItem(_ before: Substring, _ behind: Substring) -> Bool {
    if behind.hasPrefix(" = ") { return true }
    guard let quote = behind.first, "\"'".contains(quote), before.last == quote,
      let last = before.dropLast().last(where: { $0 != " " }),
      let next = behind.dropFirst().first(where: { $0 != " " })
    else { return false }
    return before.contains("[") && "[,".contains(last) && ",]".contains(next)
      || "{,".contains(last) && next == ":" && behind.dropFirst(2).trimmed.hasPrefix("\"")
  }

  private static let files = Set(
    WordList.named("OrdinaryLine.sources") + [
      "ps1", "psm1", "sh", "yml", "yaml", "json", "md", "sql", "tf", "bicep",
    ])

  /// Returns whether a line of a file is not the output of a program, which may be in a file, too.
  private static func isOfFile(_ content: Substring) -> Bool {
    let text = content.trimmed
    return !text.hasPrefix("AADSTS") || !text.contains(". ")
  }

  /// Returns whether a regular expression has the letters before the numbers of Entra: `AADSTS(50000|50001)`, `AADSTS\d+`.
  static func isPattern(_ line: String) -> Bool {
    ["AADSTS(", "AADSTS\\d", "AADSTS[0", "AADSTS(?"].contains { mark in
      guard let found = line.firstRange(of: mark) else { return false }
      return mark != "AADSTS(" || line[found.upperBound...].first?.isNumber == true
    }
  }

  /// Returns whether a number is in a regular expression: `AADSTS(50000|50001)`, `.*AADSTS50000.*`, `/AADSTS50000/`.
  private static func isInPattern(_ before: Substring, _ behind: Substring) -> Bool {
    [".*", "\\b", "(?:", "\"^", "'^", "/^"].contains(where: before.hasSuffix)
      || [".*", "\\b", "|AADSTS", "(", "$\"", "$'", "$/", "\\d", "[0"].contains(where: {
        behind.hasPrefix($0) && (behind.first != "(" || behind.dropFirst().first?.isNumber == true)
      })
      || before.hasSuffix("/") && behind.hasPrefix("/") || before.hasSuffix("|") && before.contains("AADSTS")
      || before.hasSuffix("(") && behind.hasPrefix("|")
      || ["=~ ", "!~ ", "|~ "].contains { before.contains($0) }
  }

  /// Returns whether a number is the argument of a function that searches for it, or the string that another may have.
  private static func isComparison(_ before: Substring, _ behind: Substring) -> Bool {
    let isQuoted = before.last.map { "\"'".contains($0) && behind.first == $0 } ?? false
    if isQuoted, [" in ", " -in ", " not in "].contains(where: behind.dropFirst().hasPrefix) { return true }
    return searches.contains { mark in
      guard let call = before.ranges(of: mark).last else { return false }
      let argument = before[call.upperBound...]
      return argument.utf8.count < 24 && !argument.contains(")") && !argument.contains(". ")
    }
  }

  private static let searches = WordList.named("OrdinaryLine.searches")

  /// Returns whether a number in quotes, in brackets, or alone is the key of a table: `'AADSTS50000' = 'No lamp'`.
  private static func isEntry(_ before: Substring, _ behind: Substring) -> Bool {
    let quote = before.last.flatMap { "\"'".contains($0) ? $0 : nil }
    guard before.allSatisfy({ "\"'[{( \t".contains($0) }) else { return false }
    var rest = behind
    if let quote {
      guard rest.first == quote else { return false }
      rest = rest.dropFirst()
    }
    rest = rest.drop { "] ".contains($0) }
    for sign in ["=>", "=", ":", "->", ","] where rest.hasPrefix(sign) && (quote != nil || sign != ",") {
      let value = rest.dropFirst(sign.count).drop { $0 == " " }
      // A number before a sentence in quotes is an error, unless it is in quotes itself.
      return value.first.map {
        "\"'([{".contains($0) || "fF@$".contains($0) && value.dropFirst().first == "\""
      } ?? false
        && (quote != nil || sign != ":" || ",\"'".contains(rest.last ?? " "))
    }
    return false
  }

  /// Returns whether a statement is before a comment in which a number is.
  private static func isCommented(_ before: Substring) -> Bool {
    for mark in [" // ", " # ", " /* ", " <!-- "] {
      guard let comment = before.firstRange(of: mark) else { continue }
      let statement = before[..<comment.lowerBound].trimmed
      if ["case ", "let ", "var ", "const "].contains(where: statement.hasPrefix) { return true }
      if let last = statement.last, ";{}()[],:\"'".contains(last) { return true }
    }
    return false
  }

  /// Returns whether a line is an answer of a quiz or of a form: `- [ ] AADSTS50000`, `☐ AADSTS50000`.
  static func isAnswerOfQuiz(_ line: String) -> Bool {
    let text = line.drop { "-*+ ".contains($0) }
    guard let box = ["[ ]", "[x]", "[X]", "☐", "☑", "☒", "( )", "(x)", "○", "◯"].first(where: text.hasPrefix)
    else {
      return false
    }
    return text.dropFirst(box.count).drop { " `*".contains($0) }.hasPrefix("AADSTS")
  }

  /// Returns whether a line is an item of a list of things to do: `[x] the page for AADSTS50000`.
  static func isOfChecklist(_ line: String) -> Bool {
    ["[ ] ", "[x] ", "[X] ", "( ) ", "(x) ", "☐ ", "☑ "].contains(
      where: line.drop { "-*+ ".contains($0) }.hasPrefix)
  }

  /// Returns whether a line has a code only as an example of what to write in a form: `<e.g. AADSTS50000, -50000>`.
  static func isPlaceholder(_ line: String) -> Bool {
    [
      "e.g. ", "e.g., ", "z. B. ", "z.B. ", "for example ", "for example, ", "for instance ", "zum beispiel ",
      "par ex. ", "p. ej. ",
    ].contains {
      mark in
      guard let found = line.firstRange(of: mark) else { return false }
      let before = line[..<found.lowerBound].trimmed
      let code = line[found.upperBound...].drop { "`'\"<(".contains($0) }
      guard before.utf8.count < 60, before.isEmpty || "(<[:,\"'".contains(before.last ?? " ") else {
        return false
      }
      return code.hasPrefix("AADSTS") || code.first == "-" && code.dropFirst().first?.isNumber == true
    }
  }
}
