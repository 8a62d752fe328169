import Essentials
import SSOCore
import SSOReference

/// The first and the last unrecognised lines that look like errors.
///
/// If nothing else in the log failed, they are tried as `explain` tries a text: with codes that other programs use too.
struct Suspects {
  private static let mostFirst = 30
  private static let mostLast = 30
  private static let longest = 2000
  /// The maximum number of unrecognised lines in pasted text.
  private static let mostLines = 120
  /// The maximum number of lines of a text in which any sentence about a failure counts.
  private static let mostLinesOfSentence = 25

  private var lines: [(number: Int, text: String)] = []
  private var code = SourceCode()
  /// Whether the last retained line is source code.
  private var isInCode = false
  /// Whether source code, which is not retained, is about a sign-in.
  private var isOfSignIn = false
  private var first: [(number: Int, text: String)] = []
  private var last: [(number: Int, text: String)] = []
  private var count = 0
  /// Whether a line of a stack names a sign-in library.
  private var isBelowLibrary = false

  mutating func add(_ line: LineBytes, _ number: Int) {
    guard !(isInCode && lines.last?.number == number) else { return }
    let suspect = (number, line.text(0..<min(line.count, Self.longest)))
    if first.count < Self.mostFirst {
      first.append(suspect)
    } else if last.count < Self.mostLast {
      last.append(suspect)
    } else {
      last[count % Self.mostLast] = suspect
      count += 1
    }
  }

  /// Notes that a line which is not retained is about a sign-in.
  mutating func noteSignIn() { isOfSignIn = true }

  /// Retains an unrecognised line, of which a text has few, whether it looks like an error or not; of source code, only
  /// its place.
  mutating func keep(_ line: LineBytes, _ number: Int) {
    guard lines.count < Self.mostLines else { return }
    let text = line.text(0..<min(line.count, Self.longest))
    isInCode = code.takes(text)
    if isInCode, !isOfSignIn { isOfSignIn = FailureLine.isOfSignIn(text) }
    lines.append((number, isInCode ? "" : text))
  }

  /// Returns whether a line is within the brackets of the source code above it.
  func continuesCode(_ line: LineBytes) -> Bool {
    var code = code
    return code.isOpen && code.takes(line.text(0..<min(line.count, Self.longest)))
  }

  /// The unrecognised lines without secrets, because a sentence from one is shown as the cause.
  private var shownLines: [String] { lines.map { Redaction.text($0.text, inSentence: true) } }

  /// Returns the call whose failure a line of a short text shows by its form alone, or `nil` if none does, if the
  /// text is not about a sign-in, or if it has more unrecognised lines (`count`) than people paste.
  ///
  /// In a long text, and behind a sign-in that succeeded, only a sentence about a sign-in counts. The title of a report
  /// says more than a sentence that no program need have printed.
  func quoted(_ count: Int, afterSignIn: Bool, ofReport isReport: Bool) -> LogCall? {
    guard count <= Self.mostLines,
      // A word alone says nothing.
      lines.contains(where: { $0.text.trimmed.contains { " _:".contains($0) } }),
      isBelowLibrary || isOfSignIn || lines.contains(where: { FailureLine.isOfSignIn($0.text) }),
      let (index, failure) = FailureLine.find(in: shownLines),
      failure.form > .sentence && !afterSignIn
        || FailureLine.isOfSignIn(lines[index].text)
          && (!afterSignIn || FailureLine.namesSignIn(lines[index].text))
        || !afterSignIn && lines.count(where: { !$0.text.isEmpty }) <= Self.mostLinesOfSentence
    else { return nil }
    let isInCode = !lines[..<index].count { $0.text.trimmed.hasPrefix("```") }.isMultiple(of: 2)
    if isReport, failure.form <= .sentence, !isInCode, let titled { return titled }
    return call(failure.sentence, index)
  }

  /// Returns the call that a crash ended, or `nil` if no crash is reported, or if nothing in the text or beside it
  /// (`isBeside`) is about a sign-in.
  ///
  /// An error with a known cause says more.
  func crash(besideIdentity isBeside: Bool) -> LogCall? {
    guard let crash = CrashReport(shownLines),
      isBeside || crash.isOfSignIn || isOfSignIn || lines.contains(where: { FailureLine.isOfSignIn($0.text) })
    else { return nil }
    return call(crash.sentence, crash.index)
  }

  /// The call whose failure only the frames of a stack show, because its first line is missing, or `nil` if there are no
  /// such frames of a sign-in library.
  var headless: LogCall? {
    guard count == 0, let (index, sentence) = CrashReport.headless(in: lines.map(\.text)) else { return nil }
    return call(sentence, index)
  }

  /// The call whose failure only the title of a report names, or `nil` if there is no title or no failure in it.
  var titled: LogCall? {
    // A tracker shows the number and the labels of an issue above its title.
    guard count == 0,
      let index = lines.prefix(Self.mostLinesAboveTitle).firstIndex(where: { $0.text.hasPrefix("# ") }),
      isOfSignIn || lines.contains(where: { FailureLine.isOfSignIn($0.text) }),
      let sentence = FailureLine.ofTitle(Redaction.text(lines[index].text, inSentence: true))
    else { return nil }
    return call(sentence, index)
  }

  private static let mostLinesAboveTitle = 4

  private func call(_ sentence: String, _ index: Int) -> LogCall {
    var call = LogCall()
    call.addQuoted(sentence, of: lines[index].text, line: lines[index].number)
    return call
  }

  /// Adds a line of a stack, which may name the library in which an exception without a message was thrown.
  mutating func addFrame(_ line: LineBytes) {
    guard !isBelowLibrary, !first.isEmpty else { return }
    isBelowLibrary = PrintedError.namesLibrary(line.text(0..<min(line.count, 400)))
  }

  /// Returns the call that the lines with known codes report, or `nil` if they do not report one.
  ///
  /// If other lines come from an identity SDK (`isBeside`), codes that other programs also use count.
  func call(among lines: [UnknownLine] = [], besideIdentity isBeside: Bool = false) -> LogCall? {
    let all = (first + last.sorted { $0.number < $1.number }).filter { !SourceCode.isLine($0.text) }
    guard !all.isEmpty else { return nil }
    let isOfIdentity =
      isBeside || isBelowLibrary || all.contains { PrintedError.mentionsIdentity($0.text) }
      || lines.contains { PrintedError.mentionsIdentity($0.text) }
    let isOfOffice =
      isOfIdentity && (all.map(\.text) + lines.map(\.text)).contains(where: PrintedError.mentionsOffice)
    let surroundings: PrintedError.Surroundings =
      isOfOffice ? .office : isOfIdentity ? .identity : .onlyThese
    var found = all.filter { PrintedError.isError($0.text, among: surroundings) }
    if found.isEmpty, isOfIdentity {
      let isBesideLibrary = isBelowLibrary || all.contains { PrintedError.namesLibrary($0.text) }
      found = all.filter { PrintedError.isUnknownFailure($0.text, isBesideLibrary: isBesideLibrary) }
    }
    guard !found.isEmpty else { return nil }
    if let name = PrintedError.errorName(in: found[0].text),
      !PrintedError.isError(found[0].text, among: surroundings) || FailureLine.isGeneral(name),
      (name.hasSuffix("Exception") || name.hasSuffix("Error")) && !name.contains(" ")
        || FailureLine.isGeneral(name),
      let (index, failure) = FailureLine.find(in: shownLines),
      // PowerShell's message is above the class.
      failure.form >= (name.contains(" ") || found[0].text.contains("CategoryInfo ") ? .sentence : .marked),
      failure.sentence.contains(where: { " _".contains($0) })
    {
      // A sentence above the exception's name says more.
      return call(failure.sentence, index)
    }
    var call = LogCall()
    for (offset, (number, text)) in found.enumerated() {
      var whole = withDescription(text, number)
      if offset == 0, whole == text, let reason = self.reason(behind: text, number) {
        let known = Explanation.ofError(text)
        guard !known.isEmpty else {
          call.addQuoted(reason.failure.sentence, of: reason.text, line: reason.number)
          return call
        }
        let isTold =
          FailureLine.reason(behind: known[0].code, in: text) != nil
          || FailureLine(text)?.form == .exception
        if known[0].isGeneral, !isTold { whole += " " + reason.text.trimmed }
      }
      call.addPrinted(whole, line: number)
    }
    return call
  }

  /// The call whose failure another line shows than those of errors on which all advice is to read the lines above, or `nil` if
  /// none does.
  var causeAbove: LogCall? {
    guard let (index, failure) = FailureLine.find(in: shownLines), failure.form >= .marked else { return nil }
    return call(failure.sentence, index)
  }

  /// Returns the line below an error that says why it occurred, with its failure, or `nil` if none does.
  private func reason(behind error: String, _ number: Int) -> (
    number: Int, text: String, failure: FailureLine
  )? {
    let range = number + 1...number + FailureLine.mostLinesToReason
    for line in lines where range.contains(line.number) && !line.text.isEmpty {
      let shown = FailureLine.bare(Redaction.text(line.text, inSentence: true))
      guard FailureLine.isReason(shown, behind: error), let failure = FailureLine(shown) else { continue }
      return (line.number, line.text, failure)
    }
    return nil
  }

  /// Returns a line with the description of its OAuth error, which is on another line if the JSON spans several.
  private func withDescription(_ text: String, _ number: Int) -> String {
    guard !OAuthRefusal.isDescribed(text), let word = OAuthRefusal.word(in: text) else { return text }
    // The next answer has its own word.
    let near = lines.first { line in
      abs(line.number - number) <= 2 && OAuthRefusal.isDescribed(line.text)
        && OAuthRefusal.word(in: line.text).map { $0 == word } ?? true
    }
    return near.map { text + " " + $0.text.trimmed } ?? text
  }
}
