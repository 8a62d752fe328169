import SSOCore
import SSOReference

/// The use that a text makes of the errors that it names, if it does not report one: a guide lists them with remedies, a
/// question or a plan is about them, a change handles them, and data has them as values.
///
/// Whatever shows that a call failed, such as a trace ID, decides against all of these.
struct TextSubject {
  private var lines = 0
  /// The list items and headings that are an error's code with its short name.
  private var entries = 0
  /// The errors of a list of links or of HTML.
  private var links = 0
  /// The lines that say what to do, and the headings that ask what an error means.
  private var remedies = 0
  private var meanings = 0
  private var solved = 0
  private var isTitledSolved = false
  private var unsolved = 0
  /// The sentences about a change of a program, and whether the first line is the title of one.
  private var changes = 0
  private var hasTitle = false
  /// The lines of a test's mock, of a table of errors in source, of a schema with examples, and of a rule of an alert.
  private var mocks = 0
  private var descriptions = 0
  private var examples = 0
  private var schemas = 0
  private var rules = 0
  private var conditions = 0
  /// The fields of an entry about an attack, and the lines that are only a word in quotes.
  private var threats = 0
  private var elements = 0
  /// The answers of a quiz, and the lines of source code that a search found.
  private var boxes = 0
  private var found = 0
  /// The subjects of commits with their numbers, the headings of a manual page, and the lines of a list of questions or terms.
  private var commits = 0
  private var manual = 0
  private var answers = 0
  /// The lines that only the report of a failure has.
  private var incidents = 0
  /// Whether someone writes that something does not work.
  private(set) var isComplaint = false

  mutating func add(_ text: String, isFenced: Bool) {
    let lower = text.lowercased()
    lines += 1
    addData(text, lower)
    if Self.ofIncidents.contains(where: lower.contains) || text.hasPrefix("E   ") { incidents += 1 }
    guard !isFenced else { return }
    let isHeading = FailureLine.isHeading(text)
    if Self.isEntry(text, isHeading: isHeading) { entries += 1 }
    if Self.isRemedy(lower) { remedies += 1 }
    if Self.isQuestion(text, isHeading: isHeading), Self.ofMeanings.contains(where: lower.contains) {
      meanings += 1
    }
    if Self.isSolved(lower) { solved += 1 }
    if lines == 1 { isTitledSolved = lower.drop { "#*[ ".contains($0) }.hasPrefix("resolved") }
    if Self.unsolved.contains(where: lower.contains) || text.hasSuffix("?") { unsolved += 1 }
    if Self.complaints.contains(where: lower.contains), !ShownFailure.isLog(text) { isComplaint = true }
    addChange(text, lower)
  }

  /// Returns whether a text, in lowercase, begins with one of some labels.
  private static func begins(_ text: Substring, _ labels: [String]) -> Bool {
    labels.contains {
      text.hasPrefix($0) && text.dropFirst($0.count).first.map { ":*：(".contains($0) } ?? true
    }
  }

  /// Returns whether a text, in lowercase, is labelled as a cause or as a remedy.
  static func isLabel(_ text: Substring) -> Bool { begins(text, ofCauses) || begins(text, ofSolutions) }

  /// Returns whether a sentence that begins with a word, in lowercase, says what to do or what was changed.
  static func isInstruction(_ word: String) -> Bool {
    imperatives.contains(word) || OrdinaryLine.verbs.contains(word)
  }

  /// Returns whether a line, in lowercase, says what to do.
  private static func isRemedy(_ lower: String) -> Bool {
    let bare = lower.drop { "#*-•_>+ 0123456789.".contains($0) }
    return imperatives.contains(String(bare.prefix { $0.isLetter })) || lower.contains("→") || isLabel(bare)
      || imperatives.contains { bare.contains(". \($0) ") || bare.contains(": \($0) ") }
  }

  private mutating func addChange(_ text: String, _ lower: String) {
    if lines == 1, text.contains("AADSTS"),
      OrdinaryLine.verbs.contains(String(lower.prefix { $0.isLetter })) || lower.hasPrefix("show ")
    {
      hasTitle = true
    }
    if Self.ofChanges.contains(where: lower.contains) { changes += 1 }
  }

  private mutating func addData(_ text: String, _ lower: String) {
    if Self.ofMocks.contains(where: text.contains) { mocks += 1 }
    let key = text.drop { "-{ '\"".contains($0) }.prefix { $0.isLetter || $0.isNumber || "_/$".contains($0) }
    let behind = text[key.endIndex...].drop { "'\"".contains($0) }
    if behind.hasPrefix(":") {
      let name = key.lowercased()
      if Self.ofSchemas.contains(name) { examples += 1 }
      if Self.partsOfSchemas.contains(name) || name.count == 3 && name.allSatisfy(\.isNumber) { schemas += 1 }
      if Self.ofRules.contains(name) { rules += 1 }
      if Self.ofConditions.contains(name) { conditions += 1 }
      if Self.ofThreats.contains(name) { threats += 1 }
    }
    if Self.isElement(text) { elements += 1 }
    if text.contains("AADSTS"), Self.isLink(text) { links += 1 }
    if text.contains("desc: \"") || text.contains("desc: '") { descriptions += 1 }
    if OrdinaryLine.isAnswerOfQuiz(text) { boxes += 1 }
    if OrdinaryLine.withoutPlace(text) != nil { found += 1 }
    if OrdinaryLine.hasHash(text) { commits += 1 }
    if ["NAME", "SYNOPSIS", ".SYNOPSIS", ".DESCRIPTION"].contains(text) { manual += 1 }
    if text.hasPrefix("Q: ") || text.hasPrefix("A: ") || Self.isTerm(text) { answers += 1 }
  }

  // MARK: - Forms of lines

  /// Returns whether a line says what a term is: `Lamp shade: the part of a lamp that is around its bulb`.
  private static func isTerm(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: ": ") else { return false }
    let words = text[..<colon.lowerBound].split(separator: " ")
    return words.count < 4 && words.allSatisfy { $0.allSatisfy(\.isLetter) }
      && ["a ", "an ", "the ", "what "].contains(where: text[colon.upperBound...].hasPrefix)
      && !words.contains {
        ["error", "fatal", "warning", "message", "reason", "cause"].contains($0.lowercased())
      }
  }

  /// Returns whether a line is a heading or a list item that is a code with its short name: `### AADSTS50000 — no lamp`,
  /// `- AADSTS50000: no lamp → buy one`, `## MsalLampException (50000)`.
  private static func isEntry(_ text: String, isHeading: Bool) -> Bool {
    var start = text.drop { "#*-• ".contains($0) }
    let number = start.prefix(while: \.isNumber)
    if (1...2).contains(number.count), start.dropFirst(number.count).hasPrefix(". ") {
      start = start.dropFirst(number.count + 2)
    }
    guard start.startIndex != text.startIndex else { return false }
    start = start.drop { "*`_[\" ".contains($0) }
    // `Error AADSTS50000`, `Fehler AADSTS50000`
    if let space = start.firstIndex(of: " "), start[..<space].allSatisfy(\.isLetter),
      start[space...].dropFirst().drop(while: { "*`".contains($0) }).hasPrefix("AADSTS")
    {
      start = start[space...].dropFirst().drop { "*`".contains($0) }
    }
    let code = start.prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    let isCode =
      code.hasPrefix("AADSTS") && code.dropFirst(6).first?.isNumber == true
      || isHeading && code.count > 4 && code.allSatisfy(\.isNumber)
      || code.hasSuffix("Exception") || code.hasSuffix("AuthError")
      || isHeading && code.contains("_") && code.hasSuffix("_error")
    guard isCode else { return false }
    let rest = start[code.endIndex...].drop { "*`_]\" ".contains($0) }
    if rest.isEmpty { return isHeading }
    if rest.contains("→") || rest.contains("->") || rest.contains("=>") { return true }
    guard ":—–-(=|/,".contains(rest.first ?? " ") else { return false }
    // The sentence of the provider is longer.
    let name = rest.firstRange(of: ". ").map { rest[..<$0.lowerBound] } ?? rest
    return name.split(separator: " ").count <= 9
  }

  /// Returns whether a heading, a line in bold, or a line behind `Q:` asks about an error.
  private static func isQuestion(_ text: String, isHeading: Bool) -> Bool {
    (isHeading || text.hasPrefix("**") || text.hasPrefix("Q:"))
      && text.reversed().drop { "* ".contains($0) }.first == "?" && text.contains("AADSTS")
  }

  /// Returns whether a line is a word in quotes, as in a list of words: `"bad_lamp",`.
  private static func isElement(_ text: String) -> Bool {
    let word = text.hasSuffix(",") ? text.dropLast() : text[...]
    return word.count > 2 && word.first == "\"" && word.last == "\""
      && word.dropFirst().dropLast().allSatisfy { $0.isLetter || $0.isNumber || "_-.'".contains($0) }
  }

  /// Returns whether a line is an item of a list that leads to a page: `- [AADSTS50000: no lamp](lamps/50000.md)`,
  /// `<li>AADSTS50000: no lamp</li>`.
  private static func isLink(_ text: String) -> Bool {
    let isItem = ["- ", "* "].contains(where: text.hasPrefix)
    return text.hasPrefix("<li") || isItem && text.dropFirst(2).hasPrefix("[") && text.contains("](")
  }

  /// Returns whether a line, in lowercase, says that a failure is over.
  static func isSolved(_ lower: String) -> Bool {
    solutionsFound.contains(where: lower.contains) && !lower.contains("?")
      && !unsolved.contains(where: lower.contains)
  }

  private static let ofIncidents = WordList.named("TextSubject.incidents")
  private static let ofCauses = WordList.named("TextSubject.causes")
  private static let ofSolutions = WordList.named("TextSubject.solutions")
  private static let imperatives = Set(WordList.named("TextSubject.imperatives"))
  private static let solutionsFound = WordList.named("TextSubject.solved")
  private static let complaints = WordList.named("TextSubject.complaints")
  private static let unsolved = WordList.named("TextSubject.unsolved")
  private static let ofChanges = WordList.named("TextSubject.changes")
  private static let ofMocks = WordList.named("TextSubject.mocks")
  private static let ofSchemas = Set(WordList.named("TextSubject.schemas"))
  private static let partsOfSchemas = Set(WordList.named("TextSubject.schemaParts"))
  private static let ofRules = Set(WordList.named("TextSubject.rules"))
  private static let ofThreats = Set(WordList.named("TextSubject.threats"))
  private static let ofMeanings = WordList.named("TextSubject.meanings")
  private static let ofConditions = Set(WordList.named("TextSubject.conditions"))

  // MARK: - The subject

  /// Returns whether the text has an answer only as data: a test's mock, the example of a schema, a table in source, or a rule.
  func isData(_ reports: Int) -> Bool {
    guard incidents == 0, reports == 0 else { return false }
    return mocks > 0 || descriptions > 0 && lines > 1 || examples > 0 && examples + schemas > 2
      || conditions > 0 && rules + conditions > 1 || threats > 1 || elements > 2 && elements * 2 >= lines
  }

  /// Returns whether the text only speaks of errors, and a program printed `printed` of its lines as it ran, and people write
  /// of themselves in `reports` of them.
  func isOrdinary(printed: Int, reports: Int, people: Int) -> Bool {
    if solved > 0, unsolved == 0, lines <= 15, printed == 0 || isTitledSolved { return true }
    guard incidents == 0 else { return false }
    // The name of a file may be like the beginning of an error.
    if found * 3 >= lines * 2, found > 1 { return true }
    if commits > 2 && commits * 3 >= lines * 2 || manual > 1 { return true }
    guard printed == 0, reports == 0, lines > 1 else { return false }
    if boxes > 1 || links > 0 || answers > 1 && answers * 2 > lines { return true }
    if entries > 0, remedies > 0 || entries > 2 { return true }
    if meanings > 0, people == 0 { return true }
    return hasTitle && changes > 0
  }
}
