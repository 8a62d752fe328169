import SSOCore
import SSOReference

/// The sentences that speak of a number of Entra, and do not say that a sign-in failed with it.
extension OrdinaryLine {
  /// Returns whether a sentence only mentions the numbers in it: `Did you look for AADSTS50000?`, `Handle AADSTS50000`,
  /// `AADSTS50000 means that the lamp is out`, `AADSTS50000 and AADSTS50001`.
  ///
  /// A number with the provider's sentence behind it, as in `AADSTS50000: No lamp.`, is an error, as is a number in a line
  /// that begins as a program prints an error.
  static func onlyMentions(_ text: String) -> Bool {
    guard ["AADSTS", "AADB2C", "/error?code=", "rror ", "ode ", "0x", "CAA"].contains(where: text.contains)
    else {
      return false
    }
    let whole = text.trimming { " \t\r>|│".unicodeScalars.contains($0) }
    if isLookedUp(whole) || isAnswerOfQuiz(whole) || isPattern(whole) { return true }
    let line = String(withoutListNumber(whole))
    let places = numbers(in: line)
    guard let first = places.first, line.utf8.count < 1200 else { return false }
    if isInSource(line, first) { return true }
    let lower = line.lowercased()
    guard !isWithSentence(line, places), !FailureLine.beginsWithError(line) else { return false }
    if Set(places.map { line[$0] }).count > 1 || line.hasPrefix("Q: ") || line.hasPrefix("A: ")
      || asked.contains(where: lower.contains) || TextSubject.isSolved(lower)
    {
      return true
    }
    let sentence = sentence(around: first, in: line)
    let before = line[sentence.lowerBound..<first.lowerBound].lowercased()
    let behind = line[first.upperBound..<sentence.upperBound].lowercased()
    // A number without its letters is a code more seldom.
    if line[first].allSatisfy(\.isNumber) { return isSupposed(before, behind) }
    return isSetting(before, behind) || isTopic(before) || isDefined(behind, isListed: isListMark(before))
      || isSupposed(before, behind) || isDemanded(behind)
  }

  /// The words with which people ask each other for a code, or say where they will write about it.
  private static let asked = WordList.named("OrdinaryLine.asked")

  /// Returns whether the words behind a number, in lowercase, say what a program should do with it: `AADSTS50000 must end the
  /// loop`.
  private static func isDemanded(_ behind: String) -> Bool {
    let words = behind.split { !$0.isLetter && $0 != "'" && $0 != "’" }.prefix(2)
    return words.first.map { ["must", "should", "shall"].contains($0) } ?? false
      || words.elementsEqual(["needs", "to"]) || words.elementsEqual(["ought", "to"])
  }

  /// Returns whether a line has only the address of the page that explains a number, and not as the field of an answer.
  private static func isLookedUp(_ line: String) -> Bool {
    line.contains("/error?code=") && !line.contains("AADSTS") && !line.contains("error_uri")
  }

  /// Returns a line without the number of a list item: `2. Look for AADSTS50000`.
  private static func withoutListNumber(_ line: String) -> Substring {
    let rest = line.drop(while: \.isNumber)
    return rest.hasPrefix(". ") && rest.startIndex != line.startIndex && line.utf8.count - rest.utf8.count < 3
      ? rest.dropFirst(2) : line[...]
  }

  /// Returns whether a number is all of the value of a setting that does not name an error: `match: "AADSTS50000"`.
  private static func isSetting(_ before: String, _ behind: String) -> Bool {
    let key = before.trimming { "- \"'".unicodeScalars.contains($0) }
    let isQuoted = behind.first.map { "\"'".contains($0) && before.last == $0 } ?? false
    return isQuoted && key.hasSuffix(":") && behind.allSatisfy { "\"',".contains($0) } && !key.contains(" ")
      && !["error", "code", "reason", "status", "result", "message", "exception"].contains(
        where: key.contains)
  }

  /// Returns the places of the numbers in a line: `AADSTS50000`, `AADB2C90000`, `AADSTS 50000`, and, if
  /// there is none of these, `0xCAA00000`, `CAA00000`, or else `error 50000`.
  private static func numbers(in line: String) -> [Range<String.Index>] {
    let found = ["AADSTS", "AADB2C"].flatMap { line.ranges(of: $0) }.compactMap {
      mark -> Range<String.Index>? in
      let start = line[mark.upperBound...].drop { $0 == " " }.startIndex
      let end = line[start...].prefix(while: \.isNumber).endIndex
      return line.distance(from: start, to: end) > 3 ? mark.lowerBound..<end : nil
    }.sorted { $0.lowerBound < $1.lowerBound }
    guard found.isEmpty else { return found }
    let results = (line.ranges(of: "0x") + line.ranges(of: "CAA")).compactMap {
      result(in: line, at: $0.lowerBound)
    }
    guard results.isEmpty else { return results }
    // `error 50000`, `code 50000`
    return ["rror ", "ode "].flatMap { line.ranges(of: $0) }.compactMap { mark in
      let digits = line[mark.upperBound...].prefix { $0.isASCII && $0.isNumber }
      return (5...8).contains(digits.count) && Explanation.isEntraNumber(digits)
        ? mark.upperBound..<digits.endIndex : nil
    }.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the place of a result of Windows that begins at an index, or `nil` if another word is there.
  private static func result(in line: String, at start: String.Index) -> Range<String.Index>? {
    if line[..<start].last == "x" { return nil }
    let digits = line[start...].prefix { $0.isHexDigit || $0 == "x" }
    return (8...10).contains(digits.count) ? start..<digits.endIndex : nil
  }

  /// Returns whether the provider's sentence follows one of the numbers.
  private static func isWithSentence(_ line: String, _ places: [Range<String.Index>]) -> Bool {
    places.contains { line[$0.upperBound...].drop { "`*'\"".contains($0) }.hasPrefix(":") }
      || places.first.map { $0.lowerBound == line.startIndex && isSentence(line[$0.upperBound...]) } ?? false
  }

  /// Returns whether a sentence of the provider follows a number without a colon: ` Invalid lamp of the hall is given`.
  static func isSentence(_ rest: Substring) -> Bool {
    let words = rest.split(separator: " ")
    return rest.hasPrefix(" ") && words.count > 3 && words[0].count > 2 && words[0].first?.isUppercase == true
      && words.dropFirst().prefix(3).allSatisfy { $0.first?.isLowercase == true }
  }

  /// Returns the sentence around a place, whose marks are those of prose.
  private static func sentence(around place: Range<String.Index>, in line: String) -> Range<String.Index> {
    let before = line[..<place.lowerBound]
    let start = [". ", "? ", "! ", "; "].compactMap { mark in
      before.ranges(of: mark).last { end in
        !["e.g", "i.e", "z. B", "z.B"].contains(where: before[..<end.lowerBound].hasSuffix)
      }?.upperBound
    }.max()
    let behind = line[place.upperBound...]
    let end = [". ", "? ", "! "].compactMap { behind.firstRange(of: $0)?.upperBound }.min()
    return (start ?? line.startIndex)..<(end ?? line.endIndex)
  }

  /// Returns whether the words before a number, in lowercase, make it the topic of a sentence: `a guide about AADSTS50000`.
  private static func isTopic(_ before: String) -> Bool {
    let words = before.split { !$0.isLetter && $0 != "." }
    guard let last = words.last else { return false }
    // `[Bugfix] Handle the error AADSTS50000`
    let isTitle = words.first.map { verbs.contains(String($0)) || ofTitles.contains(String($0)) } ?? false
    let isWritten = words.indices.dropLast().contains { index in
      writings.contains(String(words[index])) && ["on", "about", "for"].contains(words[index + 1])
    }
    return isTitle || isWritten || topics.contains(String(last))
      || last == "on" && words.count > 1 && documents.contains(String(words[words.count - 2]))
      || ["error", "errors", "code", "codes", "errorcode"].contains(last) && words.count > 1
        && topics.contains(String(words[words.count - 2]))
  }

  /// The words before what a sentence is about.
  private static let topics = Set(WordList.named("OrdinaryLine.topics"))
  /// The texts that people write on a code.
  private static let documents: Set = [
    "page", "article", "section", "chapter", "doc", "docs", "guide", "talk", "note",
  ]
  /// The texts that are written on something else than what happened now.
  private static let writings: Set = [
    "article", "articles", "documentation", "guide", "tutorial", "wiki", "faq",
  ]
  private static let ofTitles: Set = [
    "clarify", "bugfix", "workaround", "clean", "touch", "correct", "explain",
  ]

  /// Returns whether the words behind a number, in lowercase, say what it means: `means that …`, or, in a list, `→ …`.
  private static func isDefined(_ behind: String, isListed: Bool) -> Bool {
    let text = behind.drop { "`*'\") ".contains($0) }
    // `AADSTS50000 below 200 a week` is a goal.
    let goal = text.split(separator: " ").prefix(2)
    if let first = goal.first, ["below", "under", "<"].contains(first), goal.last?.first?.isNumber == true {
      return true
    }
    if isListed, ["→", "=>", "->", "—", "–", "- ", "= "].contains(where: text.hasPrefix) { return true }
    let words = text.split(separator: " ").prefix(2).map(String.init)
    guard let verb = words.first, definitions.contains(verb) else { return false }
    return words.count < 2
      || !["the", "what", "still", "thrown", "returned", "displayed", "shown"].contains(words[1])
      || words == ["is", "what"]
  }

  private static let definitions: Set = [
    "is", "means", "are", "stands", "indicates", "happens", "occurs", "says",
  ]

  private static func isListMark(_ before: String) -> Bool {
    let mark = before.filter { !" `*'\"".contains($0) }
    return mark.isEmpty && before.contains { "*".contains($0) } || mark == "-" || mark == "•"
  }

  /// Returns whether a sentence, in lowercase, supposes that the error occurs: `If a lamp has none, it will get AADSTS50000`.
  private static func isSupposed(_ before: String, _ behind: String) -> Bool {
    if suppositions.contains(where: before.contains) { return true }
    let words = before.split { !$0.isLetter && $0 != "'" && $0 != "’" }
    // `Should this cover AADSTS50000, too?`
    if words.count > 1, words[0] == "should", ["this", "that", "it", "the", "these"].contains(words[1]),
      behind.trimmed.hasSuffix("?") || behind.contains("? ")
    {
      return true
    }
    let isOfWriter = FailureLine.isOfPerson(before) || words.contains { ["we", "our", "us"].contains($0) }
    // `When the lamp shows AADSTS50000, the bulb usually is out.`
    let isGeneral =
      words.first == "when" && behind.split { !$0.isLetter }.contains(where: habits.contains)
    return !isOfWriter
      && (isGeneral || words.contains { habits.contains($0) || conditions.contains($0) }
        || behind.split { !$0.isLetter }.prefix(4).contains { habits.contains($0) })
  }

  private static let conditions: Set<Substring> = ["if", "would", "might", "may", "could", "can", "unless"]
  /// The words that say what happens as a rule.
  static let habits: Set<Substring> = ["usually", "typically", "generally", "commonly", "often"]
  private static let suppositions = WordList.named("OrdinaryLine.suppositions")
}
