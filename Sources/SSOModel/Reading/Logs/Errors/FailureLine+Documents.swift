import SSOCore
import SSOReference

/// The lines of a document, or of a command, that have the words of a failure.
extension FailureLine {
  /// Returns whether a line is a step, a heading, a definition, or a row of a table, in which only a stronger form than this
  /// one shows a failure.
  static func isOfDocument(_ line: String, _ form: Form) -> Bool {
    form <= .sentence && (isStep(line) && !endsWithFailure(line) || isHeading(line) || isDefinition(line))
      || form <= .code && isRow(line)
  }

  /// Returns whether a line is a numbered step, as people list what they did: `1. The lamp doesn't need a bulb`.
  static func isStep(_ text: String) -> Bool {
    let number = text.prefix(while: \.isNumber)
    return (1...2).contains(number.count) && text.dropFirst(number.count).hasPrefix(". ")
  }

  /// Returns whether the last words of a step are a failure that someone saw: `2. When I turn the wick the lamp shows "No oil was
  /// found"`.
  static func endsWithFailure(_ step: String) -> Bool {
    let text = step.drop { $0.isNumber || ". ".contains($0) }
    guard let end = text.lastIndex(where: { "\"”`".contains($0) }), let quoted = quotation(in: String(text)),
      text[...end].dropLast().hasSuffix(quoted)
    else { return false }
    let rest = text[end...].dropFirst().trimming { ". ".unicodeScalars.contains($0) }
    let hasCondition = text.lowercased().hasPrefix("if ") && !text[..<end].contains(" then ")
    return !hasCondition && ["", "appears", "occurs", "is shown", "is displayed", "shows up"].contains(rest)
  }

  /// Returns whether a line is a heading of a document: `## Lamp failures`.
  static func isHeading(_ text: String) -> Bool {
    text.hasPrefix("#") && text.drop(while: { $0 == "#" }).first == " "
  }

  /// Returns the failure in the title of a report as a program prints it, or `nil` if the title is a user's own words, or is about a
  /// change: `# The lamp is dark`, `# Fix the lamp that failed`.
  static func ofTitle(_ title: String) -> String? {
    let text = withoutLabel(bare(title))
    let first = text.lowercased().prefix { $0.isLetter }
    guard !titlesOfChanges.contains(String(first)), !text.hasSuffix("?"), !ShownFailure.isHeadOfChange(title)
    else {
      return nil
    }
    let failure = FailureLine(text)
    if let failure, failure.form >= .marked, failure.sentence.split(separator: " ").count > 2 {
      return failure.sentence
    }
    if let name = PrintedError.className(in: text) { return name }
    if let failure, failure.isQuoted || isOfProgram(failure.sentence) { return failure.sentence }
    if isOfProgram(text) || namesMember(text) { return cut(text) }
    return status(in: text).map { "HTTP \($0)" }
  }

  /// Returns the status with which a title says that a server answered, or `nil` if it does not say so: `The lamp returns 401`.
  private static func status(in title: String) -> Int? {
    let words = title.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
    for (before, number) in zip(words, words.dropFirst()) where answers.contains(before) && number.count == 3
    {
      if let status = Int(number), (400..<600).contains(status) { return status }
    }
    return nil
  }

  private static let answers = Set(WordList.named("FailureLine.answers"))

  /// Returns a title without the labels that people put in front of it: `[Bug]: The lamp is out`.
  private static func withoutLabel(_ title: String) -> String {
    var text = title[...]
    while text.first == "[" || text.first == "【", let end = text.firstIndex(where: { "]】".contains($0) }),
      text.distance(from: text.startIndex, to: end) < 25
    {
      text = text[end...].dropFirst().drop { ": -".contains($0) }
    }
    let label = text.prefix { $0.isLetter }
    if ["bug", "issue", "question", "help", "support", "fix"].contains(label.lowercased()),
      text[label.endIndex...].hasPrefix(": ")
    {
      text = text[label.endIndex...].dropFirst(2)
    }
    return String(text)
  }

  /// Returns whether a sentence begins as programs, and seldom people, say that something failed: `Failed to light the lamp`,
  /// `Error lighting the lamp`, but not `Unable to log in`.
  private static func isOfProgram(_ text: String) -> Bool {
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard words.count > 2, let start = programs.first(where: { text.lowercased().hasPrefix($0) }) else {
      return words.count > 2 && words[0] == "error" && words[1].hasSuffix("ing") && text.hasPrefix("E")
    }
    let verb = text.lowercased().dropFirst(start.count).prefix { $0.isLetter }
    return text.first?.isUppercase == true && !verbsOfPeople.contains(String(verb))
  }

  /// Returns whether a title says of a member, a field, or a word in quotes what a program says of it:
  /// `lamp_id not present in LampSet`, `claim "lamp" is invalid`.
  private static func namesMember(_ title: String) -> Bool {
    let lower = title.lowercased()
    return statesOfMembers.contains(where: lower.contains)
      && title.split(separator: " ").contains { word in
        let bare = word.trimming { "\"'`.,()".unicodeScalars.contains($0) }
        return bare.contains("_") || bare.count < word.count - 1
      }
  }

  private static let statesOfMembers = WordList.named("FailureLine.statesOfMembers")
  private static let programs = WordList.named("FailureLine.programs")
  private static let verbsOfPeople = Set(WordList.named("FailureLine.verbsOfPeople"))

  private static let titlesOfChanges = Set(WordList.named("FailureLine.titlesOfChanges"))

  /// Returns whether a line is a row of a table of Markdown: `| lamp | oil |`, ``lamp`|Light it if not lit|`on``.
  private static func isRow(_ text: String) -> Bool {
    let columns = text.count { $0 == "|" }
    return columns > 1 && (text.hasPrefix("|") && text.hasSuffix("|") || text.hasPrefix("`"))
  }

  /// Returns whether a line is an item of a list that says what a word stands for: `- `LampFailure` if the lamp fails`.
  private static func isDefinition(_ text: String) -> Bool {
    isDescribedLabel(text)
      || ["- `", "* `"].contains(where: text.hasPrefix)
        && text.dropFirst(3).firstRange(of: "` ").map { !text[$0.upperBound...].contains("rror: ") } ?? false
        // A status is not defined: `- `400 Bad Request` is returned for `/lamp/token``.
        && text.dropFirst(3).prefix(3).contains { !$0.isNumber }
  }

  /// Returns whether a line is a label in bold with what it stands for: `**Error: Dark:** This indicates that the lamp is out`.
  static func isDescribedLabel(_ text: String) -> Bool {
    guard text.hasPrefix("**"), let end = text.firstRange(of: ":** ") else { return false }
    let words = text[end.upperBound...].split(separator: " ")
    return words.count > 3 && ["This", "These", "That", "It", "They"].contains(words[0])
  }

  /// Returns whether a line is an option of a command: `--lamp "$failed_lamp"`.
  static func isOption(_ text: String) -> Bool {
    text.hasPrefix("--") && text.dropFirst(2).first?.isLetter == true
  }

  /// Returns whether a sentence, in lowercase, says what its reader will see under a condition: `If the lamp is out, you'll see
  /// an error`.
  static func isCondition(_ lower: String) -> Bool {
    ["if ", "when "].contains(where: lower.hasPrefix)
      && [" you will ", " you'll ", " you may ", " you might "].contains(where: lower.contains)
  }
}
