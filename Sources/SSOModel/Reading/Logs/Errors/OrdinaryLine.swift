import SSOCore
import SSOReference

/// A recogniser of lines that name an error although nothing failed: results of tests that passed, requests that a web
/// server answered, subjects of commits, comments, and counters.
enum OrdinaryLine {
  /// Returns whether a line has one of these forms.
  static func matches(_ text: String) -> Bool {
    let line = text.trimming { " \t\r>|│".unicodeScalars.contains($0) }
    return isStepOfQuery(text) || isPassedTest(line) || isAnswered(line) || isCommit(line) || isComment(line)
      || isSuccess(line)
      || isWarningOfSystem(line) || isOfBuild(line) || countsNone(line) || onlyCounts(line)
      || isOfChecklist(line) || isExpected(line) || isHabit(line) || isAboutErrors(line) || isOver(line)
      || isNothing(line) || FailureLine.isDescribedLabel(line)
  }

  /// Returns whether a line with a number of Entra has one of these forms; behind a number in a sentence of the provider, only a
  /// test that passed, an example of what to write, and an item of a list that says what is usual are.
  static func namesNumber(_ text: String, hasSentence: Bool) -> Bool {
    let line = text.trimming { " \t\r>|│".unicodeScalars.contains($0) }
    return isPassedTest(line) || isPlaceholder(line) || isHabit(line) || isOfChecklist(line)
      || !hasSentence && (isCommit(line) || isComment(line) || isAboutErrors(line) || isOver(line))
  }

  /// Returns whether an item of a list says with what another error usually comes.
  ///
  /// `• 4lamp: Often with “AADSTS50000: No lamp.”`
  private static func isHabit(_ line: String) -> Bool {
    guard ["• ", "- ", "* "].contains(where: line.hasPrefix), let mark = line.firstRange(of: "AADSTS") else {
      return false
    }
    return line[..<mark.lowerBound].lowercased().split { !$0.isLetter }.contains(where: habits.contains)
  }

  /// Returns whether a program says that an earlier error has ended: `lit (previous error "bad_lamp" cleared)`, `last failure:
  /// bad_lamp (4 days ago)`.
  private static func isOver(_ line: String) -> Bool {
    let lower = line.lowercased()
    return ["previous error", "last failure", "last error"].contains(where: lower.contains)
      && ["cleared", "resolved", "recovered", " ago"].contains(where: lower.contains)
  }

  /// Returns whether a line has the field of an error, and no error in it: `The lamp is off, error: (null)`, `Error of the lamp: none`.
  private static func isNothing(_ line: String) -> Bool {
    let lower = line.lowercased()
    return ["error: (null)", "error=(null)", "error: nil"].contains(where: lower.hasSuffix)
      && !lower.contains("fail")
      || lower.contains("error") && lower.hasSuffix(": none")
      || isUnset(line)
  }

  /// Returns whether a line is a member of an object without a value: `lampProvider: undefined,`.
  private static func isUnset(_ line: String) -> Bool {
    guard let colon = line.firstRange(of: ": ") else { return false }
    return line[..<colon.lowerBound].allSatisfy { $0.isLetter || $0.isNumber || "_$?".contains($0) }
      && ["undefined", "null", "nil"].contains(
        line[colon.upperBound...].trimming { ", ".unicodeScalars.contains($0) })
  }

  /// Returns whether a line is the result of a test that passed, or says that a test begins.
  private static func isPassedTest(_ line: String) -> Bool {
    if passedBeginnings.contains(where: line.hasPrefix) { return true }
    if passedEndings.contains(where: line.hasSuffix) { return true }
    // TAP: `ok 12 - refuses an expired token`.
    if line.hasPrefix("ok "), line.dropFirst(3).first?.isNumber == true { return true }
    // pytest: `test_lamp.py::test_expired PASSED [ 12%]`; XCTest: `Test Case '-[Lamp testExpired]' passed (0.001 seconds).`
    if line.hasPrefix("Test Case '") || line.hasPrefix("Test Suite '") {
      return line.contains("' passed") || line.contains("' started")
    }
    // `dotnet test`: `Passed Lamp.ExpiredTests.Refuses [12 ms]`
    if line.hasPrefix("Passed "), line.hasSuffix("s]") { return true }
    return line.contains(" PASSED") && line.contains("test") || line.contains("\" passed after ")
  }

  /// Returns whether a line has what a test that failed expected, or a program foresees: `Expected: "bad_lamp"`, `+BadLampError`
  /// of a comparison.
  private static func isExpected(_ line: String) -> Bool {
    let mark = line.hasPrefix("[") ? line.firstRange(of: "] ") : nil
    let text = mark.map { line[$0.upperBound...].trimmed } ?? line
    // `DEBUG lamp - bad_lamp is expected on first start`
    let isForeseen =
      line.contains(" is expected ")
      && line.split(whereSeparator: { !$0.isLetter }).contains {
        ["debug", "info", "trace", "verbose"].contains($0.lowercased())
      }
    return isForeseen || text.hasPrefix("Expected: ")
      || text.first == "+" && text.dropFirst().first.map { $0.isLetter || "\"'`".contains($0) } ?? false
  }

  private static let passedBeginnings = WordList.named("OrdinaryLine.passedBeginnings")
  private static let passedEndings = [" ... ok", " ... OK", " [PASS]", " PASSED", " ✓", " ✔", " ... ignored"]

  /// Returns whether a line of a web server's or a proxy's log reports a request that was answered without an error, or
  /// whose path is that of a file of a page.
  private static func isAnswered(_ line: String) -> Bool {
    if line.contains("ttp request status: 2") { return true }
    guard let method = methods.lazy.compactMap({ line.firstRange(of: $0) }).first else { return false }
    let rest = line[method.upperBound...]
    let path = rest.prefix { !" \"?".contains($0) }.lowercased()
    guard path.hasPrefix("/") || path.hasPrefix("http") else { return false }
    if isAsset(path) { return true }
    // `"GET /lamp HTTP/1.1" 200 512`, `GET /lamp 200 3 ms`, `GET /lamp => 200`
    let behind = rest.dropFirst(path.count).drop { $0 != " " && $0 != "\"" }
    let words = behind.split { " \"=>:[](),".contains($0) }.filter { !$0.hasPrefix("HTTP/") }
    guard let status = words.first(where: { $0.count == 3 && $0.allSatisfy(\.isNumber) }),
      let number = Int(status)
    else { return false }
    return (200..<400).contains(number) && !rest.contains("error=") && !rest.contains("error_")
  }

  private static let methods = ["GET ", "HEAD ", "POST ", "PUT ", "OPTIONS "]

  /// Returns whether a path is that of an image, a style sheet, a script, or a document.
  static func isAsset(_ path: some StringProtocol) -> Bool {
    guard let dot = path.lastIndex(of: ".") else { return false }
    return [
      "png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "css", "js", "mjs", "map", "woff", "woff2", "ttf",
      "html", "txt", "md",
    ]
    .contains(String(path[dot...].dropFirst()))
  }

  /// Returns whether a line is the subject of a commit or an entry of a list of changes.
  private static func isCommit(_ line: String) -> Bool {
    // `* 1a2b3c4 Fix the lamp`, as a graph of commits has it.
    var text = line.drop { "*|/\\ ".contains($0) }
    // `1a2b3c4 Fix the lamp`
    let hash = text.prefix { $0.isHexDigit && !$0.isUppercase }
    let hasHash =
      (7...40).contains(hash.count) && hash.contains(where: \.isNumber)
      && text.dropFirst(hash.count).first == " "
    if hasHash {
      text = text.dropFirst(hash.count + 1)
      // A container's ID is a number of this form, too, and a program's line is behind it.
      let isSubject =
        text.first?.isLetter == true && !text.prefix { $0 != " " }.hasSuffix("ed")
        && !text.split(separator: " ").contains { $0.hasPrefix("AADSTS") && $0.hasSuffix(":") }
      if hash.contains(where: \.isLetter), isSubject, !FailureLine.beginsWithError(String(text)) {
        return true
      }
    } else {
      text = line[...]
    }
    if text.hasPrefix("(HEAD") || text.hasPrefix("Merge pull request ") || text.hasPrefix("Merge branch ") {
      return true
    }
    var isListed = hasHash
    for mark in ["- ", "* ", "• ", "-["] where text.hasPrefix(mark) {
      (text, isListed) = (text.dropFirst(mark.count - (mark == "-[" ? 1 : 0)), true)
    }
    // `- [MINOR] Fix the lamp`
    if isListed, text.hasPrefix("["), let end = text.firstRange(of: "] "),
      !text[..<end.lowerBound].contains(" ")
    {
      text = text[end.upperBound...]
    }
    let end = text.split(separator: " ").last ?? ""
    let number = String(end).trimming { "(#)".unicodeScalars.contains($0) }
    if end.contains("#"), !number.isEmpty, number.allSatisfy(\.isNumber), isListed || end.hasPrefix("(#") {
      return true
    }
    let first = text.prefix { $0.isLetter }
    // `fix(auth): refuse the lamp`
    let behind = text.dropFirst(first.count)
    if types.contains(String(first)),
      behind.hasPrefix(": ") || behind.hasPrefix("!: ") || behind.hasPrefix("(") && behind.contains("): ")
    {
      return true
    }
    return isListed
      && (verbs.contains(first.lowercased()) && behind.hasPrefix(" ") || text.contains(" now throw"))
  }

  /// Returns whether a line begins with the number of a commit, and not with that of a container: `1a2b3c4 Light the lamp`.
  static func hasHash(_ line: String) -> Bool {
    let hash = line.prefix { $0.isHexDigit && !$0.isUppercase }
    return (7...40).contains(hash.count) && hash.contains(where: \.isNumber)
      && hash.contains(where: \.isLetter)
      && line[hash.endIndex...].hasPrefix(" ") && !ShownFailure.isLog(line[hash.endIndex...].trimmed)
  }

  private static let types: Set = [
    "fix", "feat", "chore", "docs", "refactor", "ci", "perf", "style", "revert", "deps",
  ]
  static let verbs = Set(WordList.named("OrdinaryLine.verbs"))

  /// Returns whether a line is a comment of a source file.
  private static func isComment(_ line: String) -> Bool {
    ["// ", "//! ", "/// ", "/* ", "/** ", "* @", "<!-", "TODO", "FIXME", "HACK:"].contains(
      where: line.hasPrefix)
  }

  /// Returns whether a line says that something succeeded, and does not contain a word for a failure.
  static func isSuccess(_ line: String) -> Bool {
    let lower = line.lowercased()
    guard
      [
        "check passed", "checks passed", "tests passed", "succeeded", "successfully", "=success",
        "was successful",
        "\"success\"", "status=ok",
      ].contains(
        where: lower.contains)
    else { return false }
    return ![
      "fail", "error", "exception", "denied", "refus", "reject", "invalid", "unable", "cannot", "could not",
      "not ",
      "unauthorized", "expired", "false", "aadsts", "null", "unsuccessful", "until", "however", "but ",
    ].contains(where: lower.contains)
  }

  /// Returns whether Apple's system prints a line even if the apps do not fail: UIKit asks if another app is there, the
  /// daemon of the keychain logs the queries of all apps, and the network framework each attempt.
  private static func isWarningOfSystem(_ line: String) -> Bool {
    if ["canOpenURL: failed for URL", " secd[", "CredStore - performQuery"].contains(where: line.contains) {
      return true
    }
    return ofNetwork.contains(where: line.contains) && !line.contains("Error Domain=")
  }

  private static let ofNetwork = WordList.named("OrdinaryLine.ofNetwork")

  /// Returns whether a line is the summary of a run in which nothing failed: `12 tests, 0 failures`.
  static func countsNone(_ line: String) -> Bool {
    let words = line.lowercased().split { !($0.isLetter || $0.isNumber) }
    return words.count <= 16
      && zip(words, words.dropFirst()).contains { number, word in
        number == "0" && ["failures", "failed", "errors"].contains(word)
      }
      && !line.contains("AADSTS")
  }

  /// Returns whether Gradle prints a line for a task of a build, whose name may be that of a library: `> Task :msal:lint
  /// FAILED`.
  private static func isOfBuild(_ line: String) -> Bool {
    line.hasPrefix("Task :")
      && ["FAILED", "UP-TO-DATE", "SKIPPED", "NO-SOURCE", "FROM-CACHE"].contains(
        where: line.hasSuffix)
      || line.hasPrefix("Execution failed for task ':") || line.hasPrefix("* What went wrong:")
  }
}

extension OrdinaryLine {
  /// Returns whether all codes of a line are keys of a table of texts.
  static func isTable(_ text: String) -> Bool {
    let matches = Explanation.matches(in: text).filter { !$0.isName }
    return !matches.isEmpty && matches.allSatisfy { isKey(text, $0.place) }
  }

  /// Returns whether a code is the key of a table of texts, or one of ``isSettingOrItem(_:_:)``.
  static func isValueOrKey(_ text: String, _ place: Range<Int>) -> Bool {
    let (start, end) = (
      text.utf8.index(text.startIndex, offsetBy: place.lowerBound),
      text.utf8.index(text.startIndex, offsetBy: place.upperBound)
    )
    return isKey(text, place) || isSettingOrItem(text[..<start], text[end...])
  }

  /// Returns whether a code is the key of a table of texts: `"AADSTS50126": "No lamp"`, `bad_lamp: 'The lamp is out',`.
  static func isKey(_ text: String, _ place: Range<Int>) -> Bool {
    let bytes = Array(text.utf8)
    func at(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x0A }
    let quote = at(place.lowerBound - 1)
    let isQuoted = (quote == 0x22 || quote == 0x27) && at(place.upperBound) == quote
    let colon = place.upperBound + (isQuoted ? 1 : 0)
    let value = at(colon + 1) == 0x20 ? colon + 2 : colon + 1
    guard at(colon) == 0x3A, at(value) == 0x22 || at(value) == 0x27,
      let last = bytes.last(where: { !$0.isSpace })
    else {
      return false
    }
    // `{"lamp": {"bad_lamp": "The lamp is out", …}}`
    let outer = isQuoted ? bytes[..<(place.lowerBound - 1)].last { !$0.isSpace } : nil
    if outer == 0x7B || outer == 0x2C { return true }
    // `error=bad_lamp: "The lamp is out"` is an error.
    let first = bytes.firstIndex { !$0.isSpace && $0 != 0x22 && $0 != 0x27 && $0 != 0x7B && $0 != 0x2D }
    return first == place.lowerBound && (isQuoted || last == 0x2C || last == at(value))
  }

  /// Returns whether a line only counts errors, or lists so many that it is documentation, because an answer never has
  /// several words of OAuth.
  private static func onlyCounts(_ line: String) -> Bool {
    guard line.utf8.contains(UInt8(ascii: "_")) else { return false }
    let words = Explanation.matches(in: line).filter { $0.explanation.family == .oauth && !$0.isName }
    return words.count > 3
      || !words.isEmpty && words.allSatisfy { isCounted(line, at: $0.place.upperBound) }
  }

  /// Returns whether a number is a count of an error, and not the error: `invalid_grant=0`, `"invalid_grant": 3`.
  ///
  /// The error's word ends at `end`, in bytes.
  static func isCounted(_ text: String, at end: Int) -> Bool {
    var rest = text.utf8.dropFirst(end)
    if let first = rest.first, "\"'".utf8.contains(first) { rest = rest.dropFirst() }
    guard let sign = rest.first, sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":") else { return false }
    rest = rest.dropFirst().drop { $0 == 0x20 }
    let digits = rest.prefix { $0.isDigit }
    let next = rest.dropFirst(digits.count).first ?? 0x20
    return (1...4).contains(digits.count) && (next.isSpace || ",}])".utf8.contains(next))
  }
}
