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
  private var headings = 0
  private var listItems = 0
  private var versions = 0
  private var steps = 0
  private var stories = 0
  private var passed = 0
  private var failed = 0
  private var translations = 0
  /// The lines of a table of errors with their meanings.
  private var rows = 0
  /// The lines that a program printed as it ran, such as a frame of a stack, a line with a time, or an error.
  private var printed = 0
  private var fencedPrinted = 0
  /// The printed lines that are members of an object.
  private var members = 0
  /// The lines in which people write of themselves or of the system on which they saw an error.
  private var reports = 0
  /// The headings of the form in which people report an error, and the headings that documents also have.
  private var reportHeadings = 0
  private var sharedHeadings = 0
  /// The blocks of code that are changes of a file, the samples that it announces, and the lines of a library's
  /// log in a block of code.
  private var diffs = 0
  private var samples = TextSamples()
  private var fencedLogLines = 0
  /// The provider's own answers that refuse a request, and those of them that are not in a fence.
  private var refusals = 0
  private var openRefusals = 0
  /// The lines of a usage text, of a list of questions and answers, of a commit, and of a file of settings.
  private var options = 0
  private var questions = 0
  private var answers = 0
  private var commits = 0
  private var settings = 0
  /// The headings that only the description of a pull request has.
  private var pullHeadings = 0
  /// Whether the title says that the text is a list of questions and answers.
  private var isFAQ = false
  /// The numbers of Entra with which lines begin, and the numbers that are all of a line.
  private var numbers: Set<Substring> = []
  private var loneNumbers: Set<Substring> = []
  /// The lines of the minutes of a meeting, and of a review of code.
  private var minutes = 0
  private var reviews = 0
  /// The addresses at the end of a document to which its links refer.
  private var references = 0
  /// The sentences, those of a page of documentation, and the lines in which people speak of themselves.
  private var sentences = 0
  private var advice = 0
  private var people = 0
  /// The last line of code, and the last sentence with a number.
  private var codeAt = 0
  private var numberAt = 0
  private var isNested = false
  /// Whether a setting is about an error.
  private var hasErrorKey = false
  /// The last lines that say that a sign-in succeeded, and that something failed.
  private var succeededAt = 0
  private var failedAt = 0
  private var isFenced = false
  private var isInTable = false
  private var isInComment = false
  /// Whether a string of several lines that describes a part of a program in Python has begun.
  private var isInDocstring = false
  /// Whether a line of a shell goes on in the next one.
  private var isContinued = false
  private var source = SourceCode()
  private var subject = TextSubject()
  private var shown = ShownFailure()
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
    let text = line.trimmed
    guard !text.isEmpty, lines < Self.mostLines else { return }
    lines += 1
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
    if Self.isRefusal(text), !isInComment, !isInDocstring, !source.isOpen, !isLiteral {
      refusals += 1
      if !isFenced { openRefusals += 1 }
    }
    let isPrinted = Self.isPrinted(line, text)
    if isFenced {
      // An example of a document is like what people paste.
      if isPrinted { fencedPrinted += 1 }
      shown.add(text, isFenced: true, isCode: false)
      return
    }
    let isCode = !isPrinted && (source.takes(line) || Self.isCode(text))
    shown.add(
      text, isFenced: false,
      isCode: isCode || isInComment || isInDocstring || Self.beginsComment(text) || Self.isLiteral(text))
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
    isContinued = text.last.map { "\\`^".contains($0) } ?? false
  }

  private mutating func addProse(_ text: String) {
    let lower = text.lowercased()
    if FailureLine.isHeading(text) {
      headings += 1
      let title = lower.drop { "# ".contains($0) }
      if Self.pullRequests.contains(where: title.hasPrefix) { pullHeadings += 1 }
      if Self.isOfReport(lower) { reportHeadings += 1 } else if Self.isShared(lower) { sharedHeadings += 1 }
    }
    samples.add(text, lower)
    if text.hasPrefix("["), text.contains("]: "), text.split(separator: " ").count == 2 {
      references += 1
    }
    let bare = lower.drop { "#*-• ".contains($0) }
    if Self.ofMinutes.contains(where: bare.hasPrefix) { minutes += 1 }
    if Self.ofReviews.contains(where: lower.contains) { reviews += 1 }
    if Self.ofPages.contains(where: lower.contains) { advice += 1 }
    if text.hasSuffix("."), text.split(separator: " ").count > 5 { sentences += 1 }
    let words = lower.split { !$0.isLetter && $0 != "'" && $0 != "’" }
    if FailureLine.isOfPerson(lower) || words.contains(where: Self.ofGroups.contains) { people += 1 }
    if ["- ", "* ", "• ", "+ "].contains(where: text.hasPrefix) { listItems += 1 }
    if Self.isVersion(lower) { versions += 1 }
    let first = text.prefix { $0.isLetter }
    if ["Feature", "Scenario", "Given", "When", "Then", "And", "But", "Background"].contains(first) {
      steps += 1
    }
    if lower.hasPrefix("feature:") || lower.hasPrefix("scenario:") { steps += 1 }
    if lower.hasPrefix("as a "), lower.contains("i want") || lower.contains("i can") { stories += 1 }
    if lower.hasPrefix("acceptance criteria") { stories += 1 }
    if lower.hasPrefix("usage:") || lower == "options:" || lower == "commands:"
      || text.hasPrefix("--") && !isContinued
    {
      options += 1
    }
    if lines <= 3, Self.isTitleOfFAQ(lower) { isFAQ = true }
    if text.hasPrefix("Q: ") || text.hasPrefix("**Q") { questions += 1 }
    if text.hasPrefix("A: ") || text.hasPrefix("**A") { answers += 1 }
    if text.hasPrefix("Author: ") || text.hasPrefix("commit "), lines <= 3 { commits += 1 }
    addSetting(text, lower)
    let isQuestion = text.hasPrefix("**") && text.hasSuffix("?**")
    if FailureLine.isOfPerson(lower), stories == 0, !FailureLine.isHeading(text), !isQuestion { reports += 1 }
    if text.hasPrefix("msgid ") || text.hasPrefix("msgstr ") || text.hasPrefix("<string name=")
      || text.hasPrefix("\"") && text.hasSuffix("\";") && text.contains("\" = \"")
    {
      translations += 1
    }
  }

  /// Counts a line of YAML: `lamp:`, `- lamp: 5`.
  private mutating func addSetting(_ text: String, _ lower: String) {
    let bare = lower.trimming { "- '\"".unicodeScalars.contains($0) }
    let key = bare.prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
    let rest = bare[key.endIndex...].drop { "'\"".contains($0) }
    guard !key.isEmpty, rest == ":" || rest.hasPrefix(": ") else { return }
    settings += 1
    if rest == ":" { isNested = true }
    if ["error", "message", "reason", "exception", "errorcode", "errors", "msg", "status", "err"].contains(
      key)
      || lower.contains("aadsts")
    {
      hasErrorKey = true
    }
  }

  // MARK: - Sign-ins

  private mutating func addOutcome(_ text: String) {
    let lower = text.lowercased()
    if Self.successes.contains(where: lower.contains), !FailureLine.isOfPerson(lower),
      !["fail", "error", "unsuccess", "not ", "n't", " if "].contains(where: lower.contains)
    {
      succeededAt = lines
    } else if FailureLine.saysFailure(lower) || lower.contains("error") || lower.contains("exception")
      || lower.contains("aadsts")
    {
      failedAt = lines
    }
  }

  /// The words with which libraries and tools say that a sign-in succeeded.
  private static let successes = WordList.named("TextForm.successes")

  /// Whether a line says that a sign-in succeeded.
  var hasSignedIn: Bool { succeededAt > 0 }

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
      words.contains(where: { ["passed", "passing", "failures", "failed", "ok"].contains($0) })
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
      || text.hasPrefix("ok  \t") || text.hasPrefix("--- PASS") || text == "PASS"
      || lower.hasPrefix("tests:") && lower.contains(" passed")
    if isSummary { passed += 1 }
  }

  // MARK: - Tables of errors

  private mutating func addTable(_ text: String) {
    guard text.hasPrefix("|") else {
      isInTable = false
      return
    }
    let cells = text.lowercased().split(separator: "|").map(\.trimmed)
    let isHeader =
      cells.contains {
        ["error", "code", "error code", "exception", "symptom", "status", "problem", "issue"].contains($0)
      }
      && cells.contains { cell in
        [
          "description", "meaning", "cause", "solution", "resolution", "fix", "remedy", "how to", "what",
          "likely", "mitigation",
        ]
        .contains(where: cell.contains)
      }
    if isHeader { isInTable = true }
    if isInTable { rows += 1 }
  }

  /// Counts a row that begins with another number of Entra than the rows above: `AADSTS50011  Lamp  No lamp`, `50011,Lamp`.
  private mutating func addNumber(_ text: String) {
    let start = text.drop { "|`*- ".contains($0) }
    let digits = (start.hasPrefix("AADSTS") ? start.dropFirst(6) : start).prefix {
      $0.isASCII && $0.isNumber
    }
    guard (5...8).contains(digits.count), Explanation.isEntraNumber(digits) else { return }
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

  /// The words with which people speak of a group that they belong to.
  private static let ofGroups: Set<Substring> = ["we", "our", "us"]
  /// The beginnings, in lowercase, of the lines that only the minutes of a meeting have.
  private static let ofMinutes = WordList.named("TextForm.minutes")
  /// The words, in lowercase, with which documentation speaks to the developer of an app.
  private static let ofPages = WordList.named("TextForm.pages")
  /// The words, in lowercase, with which people ask for a change of code.
  private static let ofReviews = WordList.named("TextForm.reviews")

  /// Returns whether a line, in lowercase, is the title of a list of questions and answers: `# Lamp FAQ`.
  private static func isTitleOfFAQ(_ lower: String) -> Bool {
    let words = lower.split { !$0.isLetter }
    return words.count <= 6 && (words.contains("faq") || words.contains("faqs"))
      || lower.contains("frequently asked questions") && words.count <= 8
  }

  /// The beginnings of the headings with which the description of a pull request says what it changes.
  private static let pullRequests = WordList.named("TextForm.pullRequests")

  // MARK: - Forms of lines

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
    if text.hasPrefix("@"), text.dropFirst().first?.isLetter == true { return true }
    guard let last = text.last else { return false }
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
    return end == quote && !text.contains(": ") && text.last != quote
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
    let start = text.drop { "{[<\\\"' ".contains($0) }
    guard start.startIndex != text.startIndex, start.hasPrefix("error"),
      let key = start.firstRange(of: "error_description")
    else { return false }
    let value = start[key.upperBound...].drop { "\\\"': ".contains($0) }
    return start[key.upperBound..<value.startIndex].contains(":") && value.hasPrefix("AADSTS")
      && value.dropFirst(6).first?.isNumber == true
  }

  /// Returns whether a line, in lowercase, is the heading of a version or of a list of changes: `## 2.14.0`, `### Fixed`.
  private static func isVersion(_ lower: String) -> Bool {
    let isHeading = lower.hasPrefix("#")
    let title = lower.trimming { "# []*\t".unicodeScalars.contains($0) }
    if [
      "changelog", "change log", "release notes", "what's new", "what’s new", "unreleased",
      "breaking changes", "bug fixes",
    ]
    .contains(where: title.hasPrefix), title.utf8.count < 60 {
      return true
    }
    if isHeading,
      ["fixed", "added", "changed", "deprecated", "removed", "security", "fixes", "features"].contains(title)
    {
      return true
    }
    let number =
      title.hasPrefix("version ") ? title.dropFirst(8) : title.hasPrefix("v") ? title.dropFirst() : title[...]
    let parts = number.prefix { $0.isNumber || $0 == "." }.split(separator: ".")
    return parts.count > 1 && parts.count < 5 && (isHeading || title.hasPrefix("version "))
      && title.utf8.count < 40
  }

  /// Returns whether the words of a heading, in lowercase, are of the form in which people report an error.
  private static func isOfReport(_ lower: String) -> Bool {
    [
      "describe the", "reproduce", "expected", "actual", "log output", "screenshots", "current behavior",
      "additional context", "stack trace",
    ].contains(where: lower.contains)
  }

  /// Returns whether the words of a heading, in lowercase, are of that form, and of documents too.
  private static func isShared(_ lower: String) -> Bool {
    ["describe", "environment", "logs", "steps", "error message", "configuration"].contains(
      where: lower.contains)
  }

  // MARK: - The form of the text

  /// Whether the text only speaks of errors.
  var isOrdinary: Bool {
    guard !hasLog else { return false }
    if isAboutErrors || lines > 0 && !shown.isShown { return true }
    guard lines > 1 else { return false }
    // A log in a block of code is an example if the text around it is that of a long document.
    if fencedLogLines > 0 { return isDocument && headings > 3 && openRefusals == 0 && printed * 15 <= lines }
    if passed > 0, failed == 0 { return true }
    if succeededAt > failedAt { return true }
    if subject.isData(reports), reportHeadings == 0 { return true }
    if samples.isAnnounced, reports + people == 0, reportHeadings == 0 { return true }
    // A refusal is of the provider, whatever is around it, unless a document has it as an example.
    if refusals > 0 {
      return openRefusals == 0 && (isDocument || samples.isAnnounced && reports == 0)
        || (samples.isAnnounced || advice > 2) && isPage
    }
    if stories > 0 || steps > 2 && steps * 2 > lines { return true }
    if translations * 2 > lines { return true }
    if rows > 2 || references > 0, printed + fencedPrinted == 0, reports + people == 0, reportHeadings == 0 {
      return true
    }
    // Below the heading of a version stands its time.
    if versions > 0, listItems * 3 >= lines - headings - printed, printed <= versions { return true }
    let isPrinted = lines < 40 ? printed > 0 : printed * 20 > code + comments
    // Someone may write below the code what it ends with.
    let isReported = numberAt > codeAt && code > 0
    if (code + comments) * 5 >= lines * 3, lines > 3, !isPrinted, !isReported,
      reports < 3 || reports * 30 <= lines
    {
      return true
    }
    if diffs > 0, printed == 0 { return true }
    if options > 2, options * 2 > lines { return true }
    if questions > 0, answers > 0, printed == 0 { return true }
    if isFAQ, printed == 0 { return true }
    if pullHeadings > 0, printed == 0, reports == 0, reportHeadings == 0 { return true }
    if numbers.count > 2, numbers.count * 2 > lines, printed == 0, reports == 0 { return true }
    if loneNumbers.count > 2, printed == 0, reports == 0 { return true }
    if isPage { return true }
    if minutes > 1, printed == 0, reportHeadings == 0 { return true }
    if reviews > 0, lines <= 12, printed == 0, reportHeadings == 0, code == 0 { return true }
    if commits > 1 { return true }
    if settings * 10 >= lines * 9, isNested, !hasErrorKey, printed == 0 { return true }
    return isDocument && printed * 15 <= lines
  }

  /// Whether the text is about errors, and neither the answer of a server nor the form of a report is in it.
  private var isAboutErrors: Bool {
    refusals == 0 && fencedLogLines == 0 && reportHeadings == 0
      && subject.isOrdinary(printed: printed, reports: reports)
  }

  /// Whether the text is a page of documentation without the marks of its headings.
  private var isPage: Bool {
    advice > 1 && sentences > 3 && sentences * 5 >= lines && people == 0
      && (printed - members) * 15 <= lines && reportHeadings == 0
  }

  /// Whether the text has chapters, and its writers seldom write of themselves.
  private var isDocument: Bool {
    headings > 1 && lines > 11 && reportHeadings == 0 && sharedHeadings * 3 <= headings
      && reports * 15 <= lines
  }
}
