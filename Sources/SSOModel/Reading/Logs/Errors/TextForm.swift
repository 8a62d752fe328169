import SSOCore
import SSOReference

/// The form of a text that is not the log of a library: whether it is about errors in general, as source code, documentation,
/// a list of changes, a wish of a user, and the output of tests that passed are, or reports an error that occurred.
struct TextForm {
  /// The number of lines by which the form is known.
  static let mostLines = 400

  private var lines = 0
  private var code = 0
  private var comments = 0
  private var steps = 0
  private var stories = 0
  private var passed = 0
  private var failed = 0
  private var translations = 0
  /// The lines of a table of errors with their meanings.
  private var rows = 0
  /// The lines that a program printed as it ran, such as a frame of a stack, a line with a time, or an error.
  private var printed = 0
  /// The printed lines that are members of an object.
  private var members = 0
  /// The lines in which people write of themselves or of the system on which they saw an error.
  private var reports = 0
  /// The blocks of code that are changes of a file, the samples that it announces, and the lines of a library's
  /// log in a block of code.
  private var diffs = 0
  private var samples = TextSamples()
  private var fencedLogLines = 0
  /// The provider's own answers that refuse a request, and those of them that are not in a fence.
  private var refusals = 0
  private var openRefusals = 0
  /// The numbers with which lines begin, and the numbers and words that are all of a line.
  private var numbers: Set<Substring> = []
  private var loneNumbers: Set<Substring> = []
  /// The lines of a review of code.
  private var reviews = 0
  /// The sentences, and those of a page of documentation.
  private var sentences = 0
  private var advice = 0
  /// The last line of code, and the last sentence with a number.
  private var codeAt = 0
  private var numberAt = 0
  /// The last lines that say that a sign-in succeeded, and that something failed.
  private var succeededAt = 0
  private var failedAt = 0
  private var isFenced = false
  private var isInTable = false
  private var isInWikiTable = false
  private var isInComment = false
  /// Whether a string of several lines that describes a part of a program in Python has begun.
  private var isInDocstring = false
  private var source = SourceCode()
  private var subject = TextSubject()
  private var shown = ShownFailure()
  /// Whether a line is the page that a program made of a library's comments, with the keys of its format.
  private var isPageOfCode = false
  /// Whether a line outside of a block of code is of the log of a library.
  private var hasLog = false

  /// Notes a line of the log of a library.
  mutating func addLogLine() {
    if isFenced {
      fencedLogLines += 1
      shown.addFencedLogLine()
    } else {
      hasLog = true
    }
  }

  mutating func add(_ line: String) {
    var text = String(line.trimmed.drop { "│ \t".contains($0) })
    // One backquote begins a block of several lines, too.
    if text.first == "`", text.dropFirst().first.map({ !"`#".contains($0) }) ?? false,
      !text.dropFirst().contains("`")
    {
      text.removeFirst()
    }
    guard !text.isEmpty, lines < Self.mostLines else { return }
    lines += 1
    if text.hasPrefix("{"), Self.keysOfPages.count(where: text.contains) > 1 { isPageOfCode = true }
    if text.hasPrefix("```") || text.hasPrefix("~~~") {
      isFenced.toggle()
      if isFenced, text.drop(while: { "`~ ".contains($0) }).hasPrefix("diff") { diffs += 1 }
      return
    }
    subject.add(text, isFenced: isFenced)
    if isFenced { samples.addContent(text) }
    addSummary(text)
    addTable(text)
    addNumber(text)
    addOutcome(text)
    let isLiteral = text.first.map { "\"'@".contains($0) } == true && code * 2 > lines && lines > 20
    let isRefused =
      Self.isRefusal(text) && !isInComment && !isInDocstring && !source.isOpen && !isLiteral
    if isRefused {
      refusals += 1
      if !isFenced { openRefusals += 1 }
    }
    let isPrinted = !isInTable && (Self.isPrinted(line, text) || isRefused && !isFenced)
    if isFenced {
      // An example of a document is like what people paste.
      shown.add(text, isFenced: true, isCode: false)
      return
    }
    let isCode = !isPrinted && (source.takes(line) || Self.isCode(text))
    shown.add(
      text, isFenced: false,
      isCode: isCode || isInComment || isInDocstring || Self.beginsComment(text) || Self.isLiteral(text))
    // What people quote in a sentence counts as a block of code.
    if !isCode, let quotation = Self.quotation(in: text) {
      shown.add(quotation, isFenced: true, isCode: false)
    }
    let quotes = text.ranges(of: "\"\"\"").count
    if isInDocstring || quotes > 0 {
      comments += 1
      if !quotes.isMultiple(of: 2) { isInDocstring.toggle() }
    } else if isInComment || Self.beginsComment(text) {
      comments += 1
      isInComment =
        !text.contains("*/") && !text.contains("-->")
        && (isInComment || text.hasPrefix("/*") || text.hasPrefix("<!--"))
    } else if isCode {
      code += 1
      codeAt = lines
    } else if isPrinted {
      printed += 1
      if text.hasPrefix("\"") { members += 1 }
    } else if Self.isSentenceWithNumber(text) {
      numberAt = lines
    }
    addProse(text)
  }

  private mutating func addProse(_ text: String) {
    let lower = text.lowercased()
    samples.add(text, lower)
    if Self.ofReviews.contains(where: lower.contains) { reviews += 1 }
    if Self.ofPages.contains(where: lower.contains) { advice += 1 }
    if text.hasSuffix("."), text.split(separator: " ").count > 5 { sentences += 1 }
    if Self.steps.contains(where: text.hasPrefix) { steps += 1 }
    let isStory = lower.hasPrefix("as a ") && (lower.contains("i want") || lower.contains("i can"))
    if isStory || lower.hasPrefix("acceptance criteria") { stories += 1 }
    let isQuestion = text.hasPrefix("**") && text.hasSuffix("?**")
    if FailureLine.isOfPerson(lower), stories == 0, !FailureLine.isHeading(text), !isQuestion { reports += 1 }
    if text.hasPrefix("msgid ") || text.hasPrefix("msgstr ") || text.hasPrefix("<string name=")
      || text.hasPrefix("\"") && text.hasSuffix("\";") && text.contains("\" = \"")
    {
      translations += 1
    }
  }

  /// The words with which the lines of a scenario begin (https://cucumber.io/docs/gherkin/reference).
  private static let steps = [
    "Feature:", "Scenario:", "Given ", "When ", "Then ", "And ", "But ", "Background:",
  ]

  // MARK: - Sign-ins

  private mutating func addOutcome(_ text: String) {
    let lower = text.lowercased()
    if Self.successes.contains(where: lower.contains), !FailureLine.isOfPerson(lower),
      !["fail", "error", "unsuccess", "not ", "n't", " if "].contains(where: lower.contains)
    {
      succeededAt = lines
    } else if !OrdinaryLine.countsNone(text),
      FailureLine.saysFailure(lower) || lower.contains("error") || lower.contains("exception")
        || lower.contains("aadsts")
    {
      failedAt = lines
    }
  }

  /// The words with which libraries and tools say that a sign-in succeeded.
  private static let successes = WordList.named("TextForm.successes")

  /// Whether a line says that a sign-in succeeded.
  var hasSignedIn: Bool { succeededAt > 0 }

  /// Whether someone reports in the text what happened to them, or quotes what a program printed.
  var isReport: Bool { shown.people + shown.reportHeadings > 0 || shown.quotesOutput }

  // MARK: - Results of tests

  private mutating func addSummary(_ text: String) {
    let lower = text.lowercased().trimming { "= \t".unicodeScalars.contains($0) }
    let words = lower.split { !($0.isLetter || $0.isNumber) }
    func count(_ names: [Substring]) -> Int? {
      zip(words, words.dropFirst()).first { names.contains($1) && $0.allSatisfy(\.isNumber) }.flatMap {
        Int($0.0)
      }
    }
    guard words.count <= 24,
      words.contains(where: { ["passed", "passing", "failures", "failed", "ok", "successful"].contains($0) })
    else {
      return
    }
    if let failures = count(["failed", "failures", "failing", "errors", "error"]), failures > 0 {
      failed += 1
    }
    if lower.hasPrefix("failed") || lower.hasPrefix("--- fail") || lower.hasPrefix("fail") { failed += 1 }
    let isSummary =
      (count(["passed", "passing"]) ?? 0) > 0
      && (lower.contains(" in ") || lower.contains("total") || lower.hasSuffix("s)"))
      || count(["failures"]) == 0 || lower.hasPrefix("test result: ok") || lower.hasPrefix("passed!")
      || lower.hasPrefix("test run successful")
      || text.hasPrefix("ok  \t") || text.hasPrefix("--- PASS") || text == "PASS"
      || lower.hasPrefix("tests:") && lower.contains(" passed")
    if isSummary { passed += 1 }
  }

  // MARK: - Tables of errors

  private mutating func addTable(_ text: String) {
    // MediaWiki's tables have their own marks.
    if text.hasPrefix("{|") { isInWikiTable = true }
    if text.hasPrefix("|}") { isInWikiTable = false }
    if isInWikiTable {
      rows += 1
      return
    }
    let sign: Character = text.hasPrefix("|") ? "|" : text.contains("\t") ? "\t" : ","
    let cells = text.lowercased().split(separator: sign).map(\.trimmed)
    // A line of words with commas between them is a header if it names columns.
    guard sign == "|" || cells.count > 2 && (isInTable || !text.contains(" ") || sign == "\t") else {
      isInTable = false
      return
    }
    let isHeader =
      cells.contains {
        [
          "error", "error message", "code", "error code", "exception", "symptom", "status", "problem",
          "issue",
        ].contains($0)
      }
      && cells.contains { cell in
        [
          "description", "meaning", "cause", "solution", "resolution", "fix", "remedy", "how to", "what",
          "likely", "mitigation", "message", "severity",
        ]
        .contains(where: cell.contains)
      }
    if isHeader { isInTable = true }
    if isInTable { rows += 1 }
  }

  /// Counts a row that begins with another number of Entra than the rows above: `AADSTS50011  Lamp  No lamp`, `50011,Lamp`.
  private mutating func addNumber(_ text: String) {
    if OAuthRefusal.word(in: text) == text { loneNumbers.insert(text[...]) }
    let start = text.drop { "|`*- ".contains($0) }
    let digits = (start.hasPrefix("AADSTS") ? start.dropFirst(6) : start).prefix {
      $0.isASCII && $0.isNumber
    }
    let isOfList = digits.count == 4 || (5...8).contains(digits.count) && Explanation.isEntraNumber(digits)
    guard isOfList else { return }
    let rest = start[digits.endIndex...]
    if rest.allSatisfy({ "`*:., \t".contains($0) }) {
      if start.hasPrefix("AADSTS") { loneNumbers.insert(digits) }
    } else if let next = rest.first, " \t`|,;".contains(next), rest.contains(where: \.isLetter) {
      numbers.insert(digits)
    }
  }

  /// Returns whether a line is a sentence of which one word is a number of four digits or more, as an error's is.
  private static func isSentenceWithNumber(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    return words.count > 3
      && words.contains { word in
        let number = word.trimming { "-`'\".,:;?!()*ADST".unicodeScalars.contains($0) }
        return number.utf8.count >= 4 && number.allSatisfy { $0.isASCII && $0.isNumber }
      }
  }

  /// The members of a page of DocC (`RenderNode.spec.json`).
  private static let keysOfPages = WordList.named("TextForm.keysOfPages")
  /// The words, in lowercase, with which documentation speaks to the developer of an app.
  private static let ofPages = WordList.named("TextForm.pages")
  /// The words, in lowercase, with which people ask for a change of code.
  private static let ofReviews = WordList.named("TextForm.reviews")

  // MARK: - Forms of lines

  /// Returns what a line quotes in backquotes, if it has several words or is an address, or `nil` if it quotes only names.
  private static func quotation(in text: String) -> String? {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().lazy
      .filter { $0.offset % 2 == 1 }.map { $0.element.trimmed }
      .first { $0.split(separator: " ").count > 4 || $0.contains("://") }
  }

  private static func beginsComment(_ text: String) -> Bool {
    ["//", "/*", "* ", "*/", "<!--", "\"\"\"", "--- ", ";;"].contains(where: text.hasPrefix)
      || text == "*" || text.hasPrefix("#!") || text.hasPrefix("#include") || text.hasPrefix("#import")
      || text.hasPrefix("#if")
      || text.hasPrefix("#endif") || text.hasPrefix("#pragma")
  }

  /// Returns whether a line is one of a statement that ``SourceCode`` does not take for one alone.
  private static func isCode(_ text: String) -> Bool {
    if ["{", "}", "};", "});", "})", "],", "]", ")", ");", "},", "@end", "end", "try:", "else:"]
      .contains(text)
    {
      return true
    }
    guard let last = text.last else { return false }
    // `@lamp I see this` speaks to someone.
    if text.hasPrefix("@"), text.dropFirst().first?.isLetter == true {
      return text.split(separator: " ").count < 4 || ";{(),".contains(last)
    }
    if last == ";" || last == "{" { return true }
    return last == ":"
      && ["def ", "class ", "if ", "except ", "for ", "while ", "with ", "elif "].contains(
        where: text.hasPrefix)
      || ["import ", "from ", "package ", "using ", "#import", "@import", "raise ", "return "].contains(
        where: text.hasPrefix)
        && !text.contains(". ")
  }

  /// Returns whether a line is a string or an element of XML: `"The lamp is out",`, `<lamp name="out">`.
  private static func isLiteral(_ text: String) -> Bool {
    if text.hasPrefix("<") { return text.dropFirst().first.map { $0.isLetter || $0 == "/" } ?? false }
    guard let quote = text.first, "\"'".contains(quote) else { return false }
    let end = text.reversed().drop { ",;+) ".contains($0) }.first
    return end == quote && !text.contains(": ") && !text.contains("\":") && text.last != quote
  }

  /// Returns whether a program printed a line as it ran.
  private static func isPrinted(_ line: String, _ text: String) -> Bool {
    if FailureLine.isFrame(text) || text.hasPrefix("Caused by") || text.hasPrefix("---> ") { return true }
    // A time, before a number of Entra.
    let start = text.firstRange(of: "AADSTS").map { text[..<$0.lowerBound] } ?? text[...]
    if start.prefix(24).contains(":"), start.prefix(24).filter(\.isNumber).count >= 6 { return true }
    let first = text.prefix { !$0.isWhitespace }
    // `lampError: "AADSTS50000: …",` is a member of an object.
    if text.hasSuffix(","), first.contains("_") || first.first?.isLowercase == true { return false }
    // A number alone is that of a list.
    if first.hasPrefix("AADSTS"), first == text { return false }
    // The heading of an example.
    if text == "Error response" { return false }
    if first.hasSuffix(":"), first.contains("rror") || first.contains("xception") || first.hasPrefix("AADSTS")
    {
      return true
    }
    // The exceptions of Dart.
    return text.contains("Error Domain=") || text.contains("Exception { errorCode: ")
      || ["Error ", "ERROR ", "Error: ", "{\"error", "error=", "HTTP/1", "fail: ", "FATAL", "E/", "W/"]
        .contains(
          where: text.hasPrefix)
  }

  /// Returns whether a line is the answer with which Entra ID refuses a request, or the field of it that says why:
  /// `{"error":"lamp_out","error_description":"AADSTS50000: …"}`, `"error_description": "AADSTS50000: …",` (RFC 6749 §5.2).
  private static func isRefusal(_ text: String) -> Bool {
    let text = ShownFailure.answer(in: text)
    let start = text.drop { "{[<\\\"' ".contains($0) }
    guard start.startIndex != text.startIndex, start.hasPrefix("error"),
      let key = start.firstRange(of: "error_description")
    else { return false }
    let value = start[key.upperBound...].drop { "\\\"': =".contains($0) }
    let sign = start[key.upperBound..<value.startIndex]
    // A dictionary of Apple's is printed as `"error_description" = "AADSTS50000: …";`.
    return (sign.contains(":") || sign.contains("=") && text.hasSuffix("\";")) && value.hasPrefix("AADSTS")
      && value.dropFirst(6).first?.isNumber == true
  }

  // MARK: - The form of the text

  /// Whether the text only speaks of errors.
  var isOrdinary: Bool {
    guard !hasLog else { return false }
    if isPageOfCode || isAboutErrors || lines > 0 && !shown.isShown { return true }
    guard lines > 1 else { return false }
    // A log in a block of code is an example if the text around it is that of a long document.
    if fencedLogLines > 0 {
      return isDocument && shown.headings > 3 && openRefusals == 0 && printed * 15 <= lines
    }
    if passed > 0, failed == 0 { return true }
    if succeededAt > failedAt, !subject.isComplaint { return true }
    if subject.isData(reports), shown.reportHeadings == 0 { return true }
    if samples.isAnnounced, reports + shown.people == 0, shown.reportHeadings == 0 { return true }
    // A refusal is of the provider, whatever is around it, unless a document has it as an example.
    if refusals > 0 {
      return openRefusals == 0 && (isDocument || samples.isAnnounced && reports == 0)
        || (samples.isAnnounced || advice > 2) && isPage
    }
    if stories > 0 || steps > 2 && steps * 2 > lines { return true }
    if translations * 2 > lines { return true }
    if rows > 2, printed == 0, reports + shown.people == 0 { return true }
    let isPrinted = lines < 40 ? printed > 0 : printed * 20 > code + comments
    // Someone may write below the code what it ends with.
    let isReported =
      numberAt > codeAt && code > 0 || shown.quotesFailure
      || shown.printsFailure && reports + shown.people > 0
    if (code + comments) * 5 >= lines * 3, lines > 3, !isPrinted, !isReported,
      reports < 3 || reports * 30 <= lines
    {
      return true
    }
    if diffs > 0, printed == 0 { return true }
    if numbers.count > 2, numbers.count * 2 > lines, printed == 0, reports == 0 { return true }
    if loneNumbers.count > 2, reports + shown.people == 0 { return true }
    if reviews > 0, lines <= 12, printed == 0, shown.reportHeadings == 0, code == 0 { return true }
    return isDocument && printed * 15 <= lines
  }

  /// Whether the text is about errors, and neither the answer of a server nor the form of a report is in it.
  private var isAboutErrors: Bool {
    refusals == 0 && fencedLogLines == 0 && shown.reportHeadings == 0
      && subject.isOrdinary(printed: printed, reports: reports, people: shown.people)
  }

  /// Whether the text is a page of documentation without the marks of its headings.
  private var isPage: Bool {
    advice > 1 && sentences > 3 && sentences * 5 >= lines && shown.people == 0
      && (printed - members) * 15 <= lines && shown.reportHeadings == 0
  }

  /// Whether the text has chapters, and its writers seldom write of themselves.
  private var isDocument: Bool {
    shown.headings > 1 && lines > 11 && shown.reportHeadings == 0
      && (lines > 20 ? shown.sharedHeadings * 3 <= shown.headings : shown.sharedHeadings * 3 < shown.headings)
      && reports * 15 <= lines
  }
}
