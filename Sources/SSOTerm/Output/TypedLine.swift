import Essentials
import SSOCore
import SSOLab
import SSOReading
import SafeText

/// The command line that was typed, from which an error derives a command that works.
enum TypedLine {
  static var words: [String] { Array(ProgramStart.arguments.dropFirst()) }

  static func text(of words: [String]) -> String { (["ssoterm"] + words).map(word).joined(separator: " ") }

  /// Returns a word for a shell; an equals sign needs no quotes.
  private static func word(_ text: String) -> String {
    text.split(separator: "=", omittingEmptySubsequences: false).map {
      $0.isEmpty ? "" : shellWord(String($0))
    }
    .joined(separator: "=")
  }

  /// Whether the line may be repeated: it is short, and contains no address, nothing encoded, and nothing that looks like
  /// a secret.
  static var isRepeatable: Bool { mayRepeat(words) }

  private static func mayRepeat(_ words: [String]) -> Bool {
    words.allSatisfy { word in
      let text = word.lowercased()
      let isSecret =
        text != "--password-stdin" && !text.hasSuffix("=-")
        && ["password", "secret", "eyj", "token="].contains { text.contains($0) }
      return !isSecret && word.utf8.count <= 200 && !text.contains("://") && !text.contains("%")
    } && !hasSecret(words.joined(separator: " "))
  }

  private static func hasSecret(_ line: String) -> Bool {
    Redaction.text(line, of: Redaction.Kind.secrets) != line
  }

  /// The line with the password from a file in place of the password, or `nil` if it may not be repeated.
  static var withoutPassword: String? {
    guard let place = words.firstIndex(where: { $0.hasPrefix("--password") && $0 != "--password-stdin" })
    else {
      return nil
    }
    let length = words[place] == "--password" ? 2 : 1
    let rest = Array(words[..<place] + words.dropFirst(place + length))
    return mayRepeat(rest) ? text(of: rest + ["--password-stdin"]) + " < FILE" : nil
  }

  /// Returns the line with `-` in place of a secret, or `nil` if it may not be repeated.
  static func withoutSecret(of change: FieldChange) -> String? {
    let name = change.field + change.operation.rawValue
    guard let place = words.firstIndex(of: name + change.value) else { return nil }
    let others = Array(words[..<place] + words[(place + 1)...])
    return mayRepeat(others) ? text(of: words.replacing(place, with: name + "-")) : nil
  }

  /// Returns the line with another word in place of the first wrong one, or `nil` if that is not possible.
  static func replacing(_ wrong: String, with right: String) -> String? {
    guard isRepeatable else { return nil }
    return replacing(wrong, with: right, in: words).map(text(of:))
  }

  /// Returns words with another one in place of a wrong one, which may be several words, the value of `--option=value`, or
  /// the field of `field=value`.
  static func replacing(_ wrong: String, with right: String, in words: [String]) -> [String]? {
    if let place = words.firstIndex(of: wrong) { return words.replacing(place, with: right) }
    let parts = wrong.split(separator: " ").map(String.init)
    if parts.count > 1, let range = words.firstRange(of: parts) {
      return words[..<range.lowerBound] + right.split(separator: " ").map(String.init)
        + words[range.upperBound...]
    }
    if let place = words.firstIndex(where: { $0.hasSuffix("=" + wrong) }) {
      return words.replacing(place, with: words[place].dropLast(wrong.count) + right)
    }
    guard
      let place = words.firstIndex(where: { word in
        ["=", "+=", "-="].contains { word.hasPrefix(wrong + $0) }
      })
    else { return nil }
    return words.replacing(place, with: right + words[place].dropFirst(wrong.count))
  }

  /// Returns the line with an option and its values, in place of the same option with other values.
  private static func with(_ option: Substring) -> String {
    let parts = option.split(separator: " ").map(String.init)
    if parts.count > 1, parts.allSatisfy({ $0.hasPrefix("-") }) {
      return text(of: parts.filter { !words.contains($0) }.reduce(words) { $0.beforeTerminator([$1]) })
    }
    let name = String(option.prefix { $0 != " " })
    let values = parts.count - 1
    let end = words.firstIndex(of: "--") ?? words.count
    guard let place = words.firstIndex(of: name), place < end else {
      return [text(of: Array(words[..<end])), String(option)].joined(separator: " ")
        + words[end...].map { " " + shellWord($0) }.joined()
    }
    let given = words[(place + 1)..<end].prefix(values).prefix { !$0.hasPrefix("-") }.count
    return [text(of: Array(words[..<place])), String(option)].joined(separator: " ")
      + words[(place + 1 + given)...].map { " " + shellWord($0) }.joined()
  }

  /// Returns advice as the command to type, or as the sentence that it is.
  ///
  /// `wrong` is the word that the error is about, or `nil` if it is not about a word.
  static func advice(_ next: String, wrong: String?) -> String {
    for (mark, ending) in [("the same command with ", ""), ("Repeat the command with ", " to create it.")] {
      guard next.hasPrefix(mark), next.hasSuffix(ending) else { continue }
      let option = next.dropFirst(mark.count).dropLast(ending.count)
      if option.hasPrefix("-"), isRepeatable { return "try: \(with(option))" }
    }
    let pipe = " | the same command"
    if next.hasSuffix(pipe), isRepeatable { return "try: \(next.dropLast(pipe.count)) | \(text(of: words))" }
    if next.lowercased().hasPrefix("the same command without "), isRepeatable {
      let option = String(next.dropFirst("the same command without ".count))
      return "try: " + text(of: words.filter { $0 != option })
    }
    let question = "Did you mean "
    if next.hasPrefix(question), next.hasSuffix("?") {
      let name = String(next.dropFirst(question.count).dropLast().drop { $0 == "'" })
      let right = name.hasSuffix("'") ? String(name.dropLast()) : name
      if right.hasPrefix("--"), isRepeatable { return "try: \(with(right[...]))" }
      return wrong.flatMap { replacing($0, with: right) }.map { "try: " + $0 } ?? next
    }
    if next == "the same command again" { return "try: " + text(of: words) }
    if ["<", ">"].contains(where: { next.hasPrefix("the same command \($0) ") }), isRepeatable {
      return "try: " + text(of: words) + next.dropFirst("the same command".count)
    }
    guard !next.hasSuffix("?") else { return next }
    // A command begins with a lowercase letter or with a variable of the environment, or a colon is before it.
    let isSentence =
      next.first?.isUppercase == true && next.dropFirst().first?.isLowercase == true && !next.contains(": ")
    // A short sentence before one of our commands adds nothing to the problem. A longer one also offers other ways.
    let command = next.firstRange(of: ": ssoterm ")
    guard let command, !next[..<command.lowerBound].contains(",") else {
      return isSentence ? next : "try: " + next
    }
    return "try: " + next[command.lowerBound...].dropFirst(2)
  }
}

extension TypedLine {
  /// Returns the line with a new store in place of the store that it specifies, or else the start of the program with that
  /// store.
  static func inStore(_ path: String) -> String {
    let option = ["--store", path, "--create"]
    guard isRepeatable else { return text(of: option) }
    let typed = storeWords ?? []
    let kept = words.firstRange(of: typed).map { Array(words[..<$0.lowerBound] + words[$0.upperBound...]) }
    return text(
      of: (typed.isEmpty ? words : kept ?? words).filter { $0 != "--create" }.beforeTerminator(option))
  }

  /// Returns advice whose command is about the store of the typed line, and not about the usual one.
  static func withStore(_ advice: String) -> String {
    guard let option = storeWords, isRepeatable, advice.hasPrefix("try: ssoterm "),
      !advice.contains(" --store"), advice.split(separator: "ssoterm ").count == 2,
      let name = advice.split(separator: " ").dropFirst(2).first, CommandTable.isOfLab(String(name))
    else { return advice }
    let ends = [" -- ", " < ", " > ", " | "].compactMap { advice.firstRange(of: $0)?.lowerBound }
    let end: String.Index = ends.min() ?? advice.endIndex
    let words: String = option.map(word).joined(separator: " ")
    return "\(advice[..<end]) \(words)\(advice[end...])"
  }

  /// The option with which the typed line specifies a store, or `nil` if it does not specify one.
  private static var storeWords: [String]? {
    let words = Self.words.prefix { $0 != "--" }
    if let place = words.firstIndex(of: "--store"), words.indices.contains(place + 1) {
      return ["--store", words[place + 1]]
    }
    return words.first { $0.hasPrefix("--store=") }.map { [$0] }
  }
}

extension [String] {
  /// Returns the words with another one at a place.
  fileprivate func replacing(_ place: Int, with word: some StringProtocol) -> [String] {
    var words = self
    words[place] = String(word)
    return words
  }
}
