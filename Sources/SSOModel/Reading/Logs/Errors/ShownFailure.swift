import SSOCore
import SSOReference

/// The evidence with which a text shows that a call failed, beside the marks of a text that only speaks of errors.
///
/// A text shows a failure by its form: a program printed its lines as it ran, a server answered, or someone reports what
/// happened to them. Any other text that names an error (a guide, a list, source code, data, a plan) only mentions it. The
/// counters are kinds of lines, not words of errors.
struct ShownFailure {
  /// The number of lines of a text that has no form of its own.
  private static let mostLinesOfShort = 5

  private var lines = 0
  /// The lines of a log, of a stack, of a shell, and of an answer; twice for an answer with its IDs.
  private var output = 0
  /// The lines that begin as a program prints an error.
  private var errors = 0
  /// The same within blocks of code, where a document has examples and a report has what it is about.
  private var quoted = 0
  /// Those of `errors` that do not have the form of a setting.
  private var outright = 0
  /// The sentences that quote what failed, and the errors below a sentence that announces what happened.
  private var quotations = 0
  private var announced = 0
  private var announces = false
  private var announcesFailure = false
  /// The lines outside of blocks of code.
  private var openLines = 0
  /// The lines in which people write of themselves or ask for help, and the headings of a report.
  private(set) var people = 0
  private var reports = 0
  private(set) var reportHeadings = 0
  /// Whether the text is a thread about a change of a program.
  private var isOfChange = false
  /// The headings that reports share with documents, as `Errors`: they say something only above what a program printed.
  private(set) var sharedHeadings = 0
  /// The lines that speak to a reader, suppose something, say what to do, or are labelled as a cause or a remedy.
  private var addressed = 0
  private var conditions = 0
  private var instructions = 0
  private var labels = 0
  private(set) var headings = 0
  private var tables = 0
  private var items = 0
  private var code = 0
  private var settings = 0
  /// The lines that are a result code with its sentence, as a page prints it; a list has several.
  private var coded = 0
  /// The codes within a sentence, and the codes of which the line is a printed error, a field, or nothing else.
  private var mentioned = 0
  private var stated = 0

  // MARK: - Lines

  /// Notes a line of the log of a library in a block of code.
  mutating func addFencedLogLine() {
    lines += 1
    quoted += 1
  }

  /// Notes a line, which may be one of source code or of a comment in it.
  mutating func add(_ line: String, isFenced: Bool, isCode: Bool) {
    // Quotation marks, and the frame with which a program prints an error.
    let text = String(line.drop { "> \t│".contains($0) })
    guard !text.isEmpty else { return }
    lines += 1
    let (isHeading, isTable) = (
      FailureLine.isHeading(text), text.hasPrefix("|") && (text.hasSuffix("|") || text.contains("||"))
    )
    if lines < 4, Self.isHeadOfChange(text) { (isOfChange, reportHeadings) = (true, 0) }
    if !isFenced, Self.isHeadOfPost(text) {
      if !isOfChange { reportHeadings += 1 }
      return
    }
    let isItem = Self.isItem(text)
    let isError = Self.beginsError(text)
    let isOutput = Self.isLog(text) || Self.isFrame(text) || Self.isPrompt(text)
    let isSource = isCode && !isOutput && !(isError && lines == 1)
    let isAnswer = !isSource && !isTable && Self.isAnswer(text)
    addCodes(text)
    if Self.isCoded(text) { coded += 1 }
    // A user's list of steps may end with an object of Apple's.
    let isStep = isItem && lines > 1 && !text.contains("ErrorDomain Code=-")
    let isShown = isError && !isSource && !isHeading && !isTable && !isStep
    if isFenced {
      if SourceCode.isLine(text) || text.hasPrefix("//") { return }
      quoted += (isOutput ? 1 : 0) + (isAnswer ? 1 : 0) + (isShown ? 1 : 0)
      return
    }
    output += (isOutput ? 1 : 0) + (isAnswer ? 2 : 0)
    openLines += 1
    let lower = text.lowercased()
    if isShown {
      errors += 1
      if !Self.isSetting(text) { outright += 1 }
    }
    if announces, isShown || announcesFailure && (text == "{" || text.hasPrefix("{\"")) { announced += 1 }
    if isHeading { headings += 1 }
    announces = !isSource && !isHeading && Self.announces(lower)
    announcesFailure = announces && Self.ofAnnouncements.contains(where: lower.contains)
    if !isSource, !isHeading, !isOutput,
      isItem ? FailureLine.isStep(text) && FailureLine.endsWithFailure(text) : FailureLine.quotesFailure(text)
    {
      quotations += 1
    }
    // A form asks for `Error:`, and a setting is `error:`.
    let isName = text.first?.isUppercase == true && text.hasSuffix(":") || text.hasSuffix("：")
    let isLabel = (isHeading || text.hasPrefix("**") || isName) && !(isHeading && text.contains("AADSTS"))
    if !isSource {
      let title = lower.drop { "#* ".contains($0) }
      if Self.isOutcome(title) || isLabel && Self.reportTitles.contains(where: title.hasPrefix) {
        reportHeadings += 1
      } else if isLabel, Self.sharedTitles.contains(where: title.hasPrefix) {
        sharedHeadings += 1
      }
    }
    if isTable { tables += 1 }
    if isItem { items += 1 }
    if isTable || isOutput { return }
    if isSource {
      code += 1
    } else if Self.isSetting(text), !isError {
      settings += 1
    } else {
      addProse(text, isHeading || isItem, isError)
    }
  }

  /// Counts the codes of a line, of which a field has some behind its name, and a sentence some among its words.
  private mutating func addCodes(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.withUnsafeBufferPointer(Explanation.mayOccur) else { return }
    let isSentence = text.split(separator: " ").count > 5
    let matches = Explanation.matches(in: text)
    // Beside the known sentence of a program, a name is a part of what it printed.
    if matches.contains(where: {
      !$0.isName && $0.explanation.family == .message && $0.quotation.contains(" ")
    }) {
      return
    }
    for match in matches where !match.quotation.contains(" ") {
      let behind = bytes[match.place.upperBound...].drop { " `*'\")".utf8.contains($0) }
      let before = bytes[..<match.place.lowerBound].reversed().drop { "`*'\"".utf8.contains($0) }
      let isInWords =
        before.isEmpty
        || before.first == 0x20 && before.dropFirst().first.map { !":=,>|)]".utf8.contains($0) } ?? true
      if isSentence, isInWords, behind.first != UInt8(ascii: ":") { mentioned += 1 } else { stated += 1 }
    }
  }

  /// Notes what a line says; in a heading or an item of a list (`isPart`) no user tells what happened.
  private mutating func addProse(_ text: String, _ isPart: Bool, _ isError: Bool) {
    let lower = Self.withoutQuotations(text).lowercased()
    let words = lower.split { !$0.isLetter && $0 != "'" && $0 != "’" }
    // `im` is a German word, too.
    let isOfPeople = words.indices.contains { index in
      Self.ofPeople.contains(words[index])
        || words[index] == "im"
          && words[(index + 1)...].first.map { $0.hasSuffix("ing") || $0 == "not" } ?? false
    }
    if !isPart, isOfPeople { people += 1 }
    if Self.ofReports.contains(where: lower.contains) { reports += 1 }
    // An error may say what to do.
    guard !isError else { return }
    let bare = lower.drop { !$0.isLetter }
    if TextSubject.isLabel(bare) { labels += 1 }
    let first = bare.prefix { $0.isLetter }
    if bare[first.endIndex...].hasPrefix(" "), TextSubject.isInstruction(String(first)) { instructions += 1 }
    // The provider speaks to the user, too.
    guard !Self.ofProviders.contains(where: lower.contains) else { return }
    let end = lower.firstRange(of: "aadsts")?.lowerBound ?? lower.endIndex
    let own = lower[..<end].split { !$0.isLetter && $0 != "'" && $0 != "’" }
    if !text.hasSuffix("?"), own.contains(where: Self.ofReaders.contains) { addressed += 1 }
    if own.contains(where: Self.ofConditions.contains) { conditions += 1 }
  }

  // MARK: - Forms of lines

  /// Returns whether a line was written by a tracker of issues: the head of a post, or the labels of a thread.
  static func isOfThread(_ text: String) -> Bool { text.hasPrefix("labels: ") || isHeadOfPost(text) }

  /// Returns whether a line is the head of an issue, or of what someone wrote in it: `ada commented on Jan 2, 2026`,
  /// `ada opened this issue 3 days ago`, `ada · comment · 2026-01-02`.
  private static func isHeadOfPost(_ text: String) -> Bool {
    if text.contains(" · issue #") { return true }
    guard text.utf8.count < 120, let last = text.last, last.isNumber || text.hasSuffix(" ago") else {
      return false
    }
    return headsOfPosts.contains(where: text.contains)
  }

  /// Returns whether a line above the first post of a thread says that it is about a change of a program, and not about a
  /// failure: `labels: enhancement`.
  static func isHeadOfChange(_ text: String) -> Bool {
    let lower = text.lowercased()
    let tag = lower.hasPrefix("# [") ? lower.prefix { $0 != "]" } : ""
    return lower.contains(" · pull request #") || lower.contains(" wants to merge ")
      || labelsOfChanges.contains(where: tag.contains)
      || lower.hasPrefix("labels:") && labelsOfChanges.contains(where: lower.contains)
  }

  private static let labelsOfChanges = WordList.named("ShownFailure.labelsOfChanges")
  private static let headsOfPosts = WordList.named("ShownFailure.headsOfPosts")

  /// Returns whether the last sentence of a line, in lowercase, says that what follows it happened.
  ///
  /// `It fails when the lamp is new. The endpoint of the lamp returns:`
  private static func announces(_ lower: String) -> Bool {
    guard lower.hasSuffix(":"), lower.split(separator: " ").count > 3 else { return false }
    let words = lower[(lower.ranges(of: ". ").last?.upperBound ?? lower.startIndex)...].split {
      !$0.isLetter && $0 != "'" && $0 != "’"
    }
    return !words.contains {
      ofConditions.contains($0) || ofReaders.contains($0) || ofPossibilities.contains($0)
    }
  }

  /// Returns whether a line is an item of a list: `- lamp`, `3. lamp`.
  private static func isItem(_ text: String) -> Bool {
    if ["- ", "* ", "• ", "+ "].contains(where: text.hasPrefix) { return true }
    let rest = text.drop(while: \.isNumber)
    return rest.startIndex != text.startIndex && (rest.hasPrefix(". ") || rest.hasPrefix(") "))
  }

  /// Returns whether a line has the time, the level, or the fields with which a logger begins it.
  static func isLog(_ text: String) -> Bool {
    let start = text.prefix(36).utf8
    let head = text.firstRange(of: "AADSTS").map { text[..<$0.lowerBound].prefix(36).utf8 } ?? start
    // `09:41`, and not the numbers of a list.
    let digits = Array(head)
    let hasClock = digits.indices.dropFirst(2).dropLast(2).contains { index in
      digits[index] == UInt8(ascii: ":")
        && [index - 2, index - 1, index + 1, index + 2].allSatisfy { digits[$0].isDigit }
    }
    if hasClock, head.count(where: \.isDigit) > 5 || text.hasPrefix("[") { return true }
    // `E/Lamp(12): `, `E1120 09:41`, `[src/lamp.rs:12:9] `.
    if let first = text.first, "VDIWEF".contains(first) {
      let rest = text.dropFirst()
      if rest.first == "/", rest.dropFirst().first?.isLetter == true { return true }
      if rest.prefix(4).count(where: \.isNumber) == 4, rest.dropFirst(4).first == " " { return true }
    }
    if beginnings.contains(where: text.hasPrefix) || isSevere(text) || isOfCrash(text) { return true }
    let bare = text.hasPrefix("[") ? text.dropFirst() : text[...]
    let level = bare.prefix { $0.isLetter }
    let next = bare[level.endIndex...].first
    if upperLevels.contains(String(level)), let next {
      return "]: \t|".contains(next) && bare.count > level.count + 2
    }
    if lowerLevels.contains(String(level)) { return next == ":" }
    // `[lamp] ERROR …`, `lamp.js:12 Uncaught …`
    if text.hasPrefix("["), let end = text.firstRange(of: "] ") {
      let word = text[end.upperBound...].prefix { $0.isLetter }
      if upperLevels.contains(String(word)) { return true }
    }
    let place = text.prefix { $0 != " " }
    return place.contains(".") && place.last?.isNumber == true && place.contains(":")
      && ["Uncaught", "Error", "["].contains(where: text[place.endIndex...].trimmed.hasPrefix)
  }

  /// Returns whether a line of a crash report names the thread that crashed: `Thread 4 Crashed:`.
  private static func isOfCrash(_ text: String) -> Bool {
    if text.hasPrefix("Crashed: ") { return true }
    guard text.hasPrefix("Thread ") else { return false }
    let rest = text.dropFirst(7).drop(while: \.isNumber)
    return rest.hasPrefix(" Crashed") || rest.hasPrefix(" name:") || rest.hasPrefix(": EXC_")
  }

  /// Returns whether a line has the seconds since the start and a letter for the level: `21.048 C | lamp`.
  private static func isSevere(_ text: String) -> Bool {
    let words = text.split(separator: " ", maxSplits: 3)
    return words.count > 3 && words[2] == "|" && words[1].count == 1 && words[1].first?.isUppercase == true
      && words[0].contains(".") && Double(words[0]) != nil
  }

  private static func isFrame(_ text: String) -> Bool {
    if FailureLine.isFrame(text), !text.hasPrefix("at ") || text.contains("(") || text.contains(".") {
      return true
    }
    if text.hasPrefix("-[") || text.hasPrefix("+["), text.contains("] + ") { return true }
    return ["Caused by", "---> ", "E   ", "goroutine "].contains(where: text.hasPrefix)
      || text.contains(" @ ") && text.last?.isNumber == true
  }

  /// Returns whether someone typed a line into a shell, whose prompt is in front of it.
  private static func isPrompt(_ text: String) -> Bool {
    if text.hasPrefix("$ ") || text.hasPrefix("PS ") && text.contains(":\\") { return true }
    if text.dropFirst().hasPrefix(":\\"), text.contains(">") { return true }
    return text.firstRange(of: "$ ").map {
      text[..<$0.lowerBound].contains("@") && !text[..<$0.lowerBound].contains(" ")
    }
      ?? false
  }

  /// Returns whether a line has the values that only the answer of a server has: its IDs, or its fields at their beginning.
  private static func isAnswer(_ text: String) -> Bool {
    let text = String(answer(in: text))
    if answers.contains(where: text.contains) || hasValue(text) { return true }
    if ["Exception {", "Error {", "Exception{"].contains(where: text.contains) { return true }
    // PowerShell's list of the members of an error.
    if text.hasPrefix("Exception  ") || text.hasPrefix("StackTrace  "), text.contains("  : ") { return true }
    if text.hasPrefix("error=") || isRedirect(text) || isEncoded(text) { return true }
    let start = text.drop { "{[<(\\\" 'u".contains($0) }
    guard start.startIndex != text.startIndex else { return false }
    let key = start.prefix { $0.isLetter || $0 == "_" }
    guard
      ["error", "error_description", "errorCode", "message", "code", "__type", "_type"].contains(String(key))
    else { return false }
    let rest = start[key.endIndex...].drop { "\\\"' ".contains($0) }
    guard let sign = rest.first, ":=".contains(sign) else { return false }
    return text.hasPrefix("{") || key.hasPrefix("error")
  }

  /// Returns a line without what a program prints before the answer of a server: `Body: {"error":"lamp_out", …}`.
  ///
  /// A statement has a quote, a bracket, or an equals sign before it; and while the user has not answered, the program asks
  /// again.
  static func answer(in text: String) -> Substring {
    guard !text.contains("authorization_pending"), let brace = text.firstRange(of: ": {\"error"),
      !text[..<brace.lowerBound].contains(where: { "=('\"`{".contains($0) })
    else { return text[...] }
    return text[brace.lowerBound...].dropFirst(2)
  }

  /// Returns whether a line is the address to which a provider sent a browser back with an error (RFC 6749 §4.1.2.1).
  private static func isRedirect(_ text: String) -> Bool {
    guard let scheme = text.firstRange(of: "://") else { return false }
    let address = text[scheme.upperBound...].prefix { !$0.isWhitespace }
    return ["?error=", "&error=", "#error="].contains(where: address.contains)
      && address.contains("&error_description=")
  }

  /// Returns whether a line has a number of the provider with its sentence as an address has it: `AADB2C90000+The+lamp+is+out`,
  /// `AADSTS50000%3a%20The%20lamp`.
  private static func isEncoded(_ text: String) -> Bool {
    ["AADSTS", "AADB2C"].contains { prefix in
      guard let mark = text.firstRange(of: prefix) else { return false }
      let rest = text[mark.upperBound...].drop(while: \.isNumber).drop { $0 == " " }.prefix { $0 != " " }
      return rest.count { $0 == "+" } > 2 || rest.ranges(of: "%20").count > 2
    }
  }

  /// Returns whether a number of the provider and an identifier are in a line, which is then no general description.
  private static func hasValue(_ text: String) -> Bool {
    text.contains("AADSTS")
      && text.split(whereSeparator: { !$0.isHexDigit && $0 != "-" }).contains { part in
        part.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12] && !TextSamples.isExampleID(part)
      }
  }

  /// Returns whether one of the first words of a line is the number that a library of .NET or AD FS puts before its sentence:
  /// `IDW10000: The lamp is out`.
  private static func isNumberOfLibrary(_ words: some Sequence<Substring>) -> Bool {
    words.contains { word in
      word.hasSuffix(":") && ["IDX", "IDW", "MSIS"].contains(where: word.hasPrefix)
        && word.dropLast().suffix(4).allSatisfy(\.isNumber)
    }
  }

  /// Returns whether a line begins as a program prints an error.
  private static func beginsError(_ text: String) -> Bool {
    let bare = text.drop { !$0.isLetter }
    if isNumberOfLibrary(bare.split(separator: " ", maxSplits: 2).prefix(2)) { return true }
    if errorBeginnings.contains(where: bare.hasPrefix) || errorParts.contains(where: text.contains) {
      return true
    }
    // `AADSTS50000: The lamp is out.`, which someone who writes about it puts in quotation marks.
    for prefix in ["AADSTS", "AADB2C", "IDW10"] {
      guard let mark = text.firstRange(of: prefix) else { continue }
      let isQuoted = text[..<mark.lowerBound].last.map { "`\"“'".contains($0) } ?? false
      if isQuoted, mark.lowerBound > bare.startIndex { continue }
      let rest = text[mark.upperBound...].drop { $0.isNumber }.drop { $0 == " " }
      if rest.hasPrefix(": "), rest.dropFirst(2).first?.isLetter == true { return true }
      if mark.lowerBound == text.startIndex, OrdinaryLine.isSentence(" " + rest) { return true }
    }
    // `The keychain answers -34018`
    return ["answers ", "gets ", "get ", "got ", "gives ", "shows "].contains { verb in
      text.firstRange(of: verb).map { text[$0.upperBound...].drop { $0 == "-" }.first?.isNumber == true }
        ?? false
    }
  }

  /// Returns whether a line is a result code with a sentence: `0x80000000 - The lamp in the hall is out`.
  private static func isCoded(_ text: String) -> Bool {
    guard text.hasPrefix("0x") else { return false }
    let rest = text.drop { $0 != " " }
    return (8...11).contains(text.count - rest.count)
      && rest.drop { " -:–".contains($0) }.split(separator: " ").count > 3
  }

  /// Returns whether a line says what someone expected or saw: `Expected : the lamp`, `Actual: no lamp`.
  private static func isOutcome(_ lower: Substring) -> Bool {
    ["expected", "actual"].contains { word in
      lower.hasPrefix(word) && lower.dropFirst(word.count).drop(while: { $0 == " " }).first == ":"
    }
  }

  /// Returns whether a line sets a value: `lamp: on`, `"lamp" = 5`.
  private static func isSetting(_ text: String) -> Bool {
    // `Error: AADSTS50000: The lamp is out`
    if text.hasPrefix("Error: AADSTS") { return false }
    let key = text.drop { "- '\"".contains($0) }.prefix { $0.isLetter || $0.isNumber || "_.$/-".contains($0) }
    guard !key.isEmpty else { return false }
    let rest = text[key.endIndex...].drop { "'\" ".contains($0) }
    return rest == ":" || rest.hasPrefix(": ") || rest.hasPrefix("= ")
  }

  /// Returns a line without what is in quotation marks or backquotes, which are somebody else's words.
  private static func withoutQuotations(_ text: String) -> String {
    var (result, open) = ("", Character?.none)
    for character in text {
      if let end = open {
        if character == end { open = nil }
      } else if "\"`“".contains(character) {
        open = character == "“" ? "”" : character
      } else {
        result.append(character)
      }
    }
    return result
  }

  private static let beginnings = WordList.named("ShownFailure.logs")
  private static let answers = WordList.named("ShownFailure.answers")
  private static let errorBeginnings = WordList.named("ShownFailure.beginnings")
  private static let errorParts = WordList.named("ShownFailure.parts")
  private static let reportTitles = WordList.named("ShownFailure.titles")
  private static let sharedTitles = WordList.named("ShownFailure.sharedTitles")
  private static let ofReports = WordList.named("ShownFailure.reports")
  /// The words of a sentence that announces an answer or an error, and not a setting.
  private static let ofAnnouncements = WordList.named("ShownFailure.announcements")
  private static let ofProviders = WordList.named("ShownFailure.providers")
  private static let upperLevels: Set = [
    "ERROR", "ERRO", "FATAL", "CRITICAL", "SEVERE", "WARN", "WARNING", "INFO", "DEBUG", "TRACE", "Error",
    "Information",
    "Warning", "Debug",
  ]
  private static let lowerLevels: Set = ["fail", "crit", "warn", "info", "dbug"]
  private static let ofPeople = Set(WordList.named("ShownFailure.people").map { $0[...] })
  private static let ofReaders: Set<Substring> = [
    "you", "your", "you'll", "you’ll", "you're", "you’re", "yours",
  ]
  private static let ofPossibilities: Set<Substring> = [
    "may", "might", "can", "could", "will", "would", "example", "e.g", "following", "like",
  ]
  private static let ofConditions: Set<Substring> = ["if", "when", "whenever", "unless"]

  // MARK: - The evidence

  /// Whether a sentence quotes what failed, and nothing in the text speaks to a reader.
  var quotesFailure: Bool { quotations > 0 && addressed + labels + headings + tables == 0 }

  /// Whether a block of code has lines that a program printed.
  var quotesOutput: Bool { quoted > 0 }

  /// Whether a program printed an error that is not one of source code.
  var printsFailure: Bool { outright > 0 }

  /// Whether the text shows that a call failed.
  var isShown: Bool { lines <= Self.mostLinesOfShort ? isShownInShort : isShownInLong }

  /// The headings of a report.
  private var ofReport: Int { reportHeadings + (output + errors + quoted > 0 ? sharedHeadings : 0) }

  private var isShownInShort: Bool {
    let reported = people + reports + ofReport + 2 * announced
    // A condition takes nothing from an error in another paragraph.
    let guidance = addressed + labels + instructions + (outright > 0 ? 0 : conditions)
    if reported > 0, reported * 10 > guidance * 6 { return true }
    // Someone shows what a program printed, whatever they say of it.
    if people > 0, output + errors + quoted > 0, labels + headings == 0 { return true }
    if labels > 0 || headings > 0 && addressed + instructions > 0 { return false }
    if output + errors + quoted > guidance { return true }
    if quotesFailure, guidance == 0 { return true }
    if coded == 1, labels + headings == 0 { return true }
    if mentioned > 0 { return false }
    return stated == 0 || headings + guidance == instructions && (stated < 2 || tables + items < 2)
  }

  private var isShownInLong: Bool {
    let reported = people + reports + 2 * ofReport + 2 * announced
    let guidance =
      addressed + 2 * labels + instructions + (ofReport == 0 ? headings : 0) + tables + conditions / 2
    // One line of a user may be a comment in a file of code.
    let isReported = reported > 0 && reported * 10 >= guidance * 6 && reported * 20 >= lines
    // A file of settings does not hide a line of another form.
    let data = code + (outright + quoted > 0 ? 0 : settings)
    if data * 2 > lines, (output + errors) * 6 < lines {
      return isReported && people + ofReport + announced > 0
    }
    if isReported { return true }
    if output > 0, guidance <= output { return true }
    // A guide speaks to its reader, or says what to do; the headings of a form do not.
    if errors + quoted > 0, addressed + labels + instructions + tables == 0, lines <= 40, headings <= 8,
      data * 2 <= lines
    {
      return true
    }
    guard guidance <= 1 else { return false }
    return quoted > 0 && data == 0 || errors + quoted + (quotesFailure ? 1 : 0) > 0 && openLines <= 8
  }
}
