import SSOCore
import SSOReference

/// One call of an app, assembled from its lines, with those hops of the lab's own traces that the log shows.
struct LogCall {
  /// The maximum number of hops to keep; further hops are only counted.
  static let mostHops = 120

  /// The ID as written in the log, or an empty string if the lines do not contain one.
  var correlationID = ""
  private(set) var kinds: [LogKind] = []
  private var isOfADAL = false
  private(set) var firstAt: Instant?
  private var lastAt: Instant?
  private(set) var hops: [Hop] = []
  private var hopsLeftOut = 0
  private(set) var lineCount = 0
  /// The number of lines with sentences that do not represent a step.
  private var otherLines = 0
  private var title: String?
  private var verdict: Outcome.Verdict?
  private var error: LoggedError?
  /// The first error without any code.
  private var sentence: LoggedError?
  private var failedCheck: Check?
  /// The words of the lines from which hops were read, which are formatted late because most calls are dropped unread.
  private var words: [Int: Words] = [:]
  /// The numbers of these lines.
  var lineNumbers: Set<Int> { Set(words.values.map(\.number)) }
  /// The known names, with the number of the first line that contains their mask.
  private var people: [String: Int] = [:]
  private var reportedErrors = 0
  /// The first response of an OAuth endpoint that says why it failed.
  private var refusal: OAuthRefusal?
  /// The texts of the first errors, which are searched for the cause when the call is shown.
  private var errorTexts: [String] = []

  /// The verdict with which the call was last taken.
  private var taken: Outcome.Verdict?

  /// Whether the call has ended since it was last taken.
  var isNews: Bool { verdict != nil && verdict != taken }

  /// Returns whether the call has not been taken with its verdict yet, and marks it as taken.
  mutating func take() -> Bool {
    let current = verdict ?? (hasFailed ? .failed : nil)
    guard current != taken, !hops.isEmpty else { return false }
    taken = current
    return true
  }

  /// Returns whether the call has failed without an end; if it has only errors and no lines of an SDK, it ends.
  ///
  /// A call of an SDK, which may still end, counts only if `withOpen` is `true`.
  mutating func endsWithFailure(withOpen: Bool) -> Bool {
    guard verdict == nil, hasFailed, taken != .failed else { return false }
    guard kinds.allSatisfy(\.isErrorText) else { return withOpen }
    verdict = .failed
    return true
  }

  /// Whether a line said that the call has ended.
  var hasEnded: Bool { verdict != nil }
  var hasBegun: Bool { title != nil }
  var hasFailed: Bool {
    verdict == .failed || verdict == nil && (failedCheck != nil || error != nil || reportedErrors > 0)
  }

  mutating func count(_ line: LogLine) {
    lineCount += 1
    if !kinds.contains(line.kind) { kinds.append(line.kind) }
    if line.isOfADAL { isOfADAL = true }
    guard let at = line.at else { return }
    if firstAt == nil { firstAt = at }
    lastAt = at
  }

  /// Records the known names whose masks a line contains.
  mutating func addPeople(in text: String, line: Int, _ known: KnownPeople) {
    addPeople(known.revealed(text).names, line: line)
  }

  private mutating func addPeople(_ names: [String], line: Int) {
    for name in names { people[name] = min(people[name] ?? line, line) }
  }

  mutating func countOther() { otherLines += 1 }

  /// Adds the step that a record describes.
  mutating func add(_ step: LogStep, _ record: LogRecord, text: String) {
    var hop = Hop(from: step.from, to: step.to, action: step.action, result: step.result)
    switch step.meaning {
    case .begins: if title == nil { title = step.action }
    case .happens: break
    case .holds:
      hop.checks = [check(step.action, expected: step.result, found: step.result, .passed)]
    case .fails(let expected):
      let found = LoggedError(text)
      hop.checks = [check(step.action, expected: expected, found: found?.displayText ?? step.result, .failed)]
      keep(found)
      keep(text)
    case .succeeds: (verdict, error, errorTexts) = (.succeeded, nil, [])
    case .cancels: verdict = .cancelled
    case .lacks(let expected):
      hop.checks = [check(step.action, expected: expected, found: step.result, .failed)]
      verdict = .failed
    case .ends:
      let found = LoggedError(text)
      end(&hop, found)
      if hop.result != "ok" { keep(text) }
    }
    append(hop, Words(record, text))
  }

  /// Adds a line that is not a known sentence, but has the level error or a code of the provider.
  mutating func add(_ error: LoggedError, _ record: LogRecord, text: String) {
    add(error, Words(record, text), text)
  }

  /// Adds a line from an unknown log that contains a known code.
  mutating func addPrinted(_ text: String, line number: Int) {
    lineCount += 1
    if kinds.isEmpty { kinds = [.printed] }
    add(
      LoggedError(text)
        ?? LoggedError(
          sentence: text, name: PrintedError.errorName(in: Redaction.text(text, inSentence: true))),
      Words(text, number), text)
  }

  /// Adds a line whose form shows what failed.
  mutating func addQuoted(_ sentence: String, of text: String, line number: Int) {
    lineCount += 1
    kinds = [.printed]
    add(LoggedError(sentence: text, name: sentence), Words(text, number), text)
  }

  private mutating func add(_ error: LoggedError, _ words: Words, _ text: String) {
    guard error.entra != nil || reportedErrors < 20 else { return countOther() }
    var error = error
    keep(text)
    if error.entra == nil, kinds.allSatisfy(\.isErrorText),
      let found = OAuthRefusal(Redaction.text(text, inSentence: true))
    {
      error.name = found.displayText
      if refusal == nil { refusal = found }
      keep(found.displayText)
    }
    if let code = error.entra {
      // Several layers log the same response.
      guard !hops.suffix(4).contains(where: { $0.result == code }) else { return countOther() }
      append(
        Hop(
          from: .provider, to: .sdk, action: "refuse", result: code,
          checks: [check("the provider's answer", expected: "tokens", found: error.text, .failed)]),
        words)
      return keep(error)
    }
    reportedErrors += 1
    let isOfMSAL = !kinds.allSatisfy(\.isErrorText) || Explanation.isOfMSAL(text)
    append(
      Hop(
        from: isOfMSAL ? .sdk : .library, to: .app, action: "report an error", result: error.displayText),
      words)
    if !error.displayText.isEmpty { keep(error) } else if sentence == nil { sentence = error }
  }

  /// Keeps the text of an error, or its beginning and end.
  private mutating func keep(_ text: String) {
    guard errorTexts.count < 8 else { return }
    let bytes = text.utf8
    errorTexts.append(
      bytes.count <= 4096
        ? text
        : String(decoding: bytes.prefix(3072), as: UTF8.self) + " "
          + String(decoding: bytes.suffix(1024), as: UTF8.self))
  }

  /// Adds a hop that was read from a line in another format: an HTTP request.
  mutating func add(_ hop: Hop, ends verdict: Outcome.Verdict? = nil) {
    append(hop)
    if let verdict { self.verdict = verdict }
  }

  private mutating func end(_ hop: inout Hop, _ found: LoggedError?) {
    guard let found else {
      // "Silent flow finished" with error 0; it does not override an earlier result.
      if hop.result.isEmpty { hop.result = "ok" }
      if verdict == nil, hop.to == .app { verdict = hop.result == "ok" ? .succeeded : .failed }
      return
    }
    hop.result = found.displayText
    // Without its beginning, a pasted error is all there is of the call.
    let isCancelled = found.isCancellation && hasBegun
    if hop.to == .app { verdict = isCancelled ? .cancelled : .failed }
    if !isCancelled {
      hop.checks = [check(hop.action, expected: "a token", found: found.displayText, .failed)]
    }
    // The error that the app receives takes precedence over the error of a lower layer.
    if hop.to == .app || error == nil { error = found }
  }

  private mutating func keep(_ found: LoggedError?) {
    guard let found, error == nil || error?.entra == nil && found.entra != nil else { return }
    error = found
  }

  private mutating func append(_ hop: Hop, _ line: Words? = nil) {
    if failedCheck == nil { failedCheck = hop.checks.first { $0.verdict == .failed } }
    guard hops.count < Self.mostHops else {
      hopsLeftOut += 1
      return
    }
    words[hops.count] = line
    hops.append(hop)
  }

  /// The words of a hop's line, to be shown with its number and its time.
  private struct Words {
    let number: Int
    let at: Instant?
    let text: String
    /// The lines of a record of several lines that may hold the code of its error.
    var suspects: [(number: Int, text: String)] = []

    init(_ record: LogRecord, _ text: String) {
      self.init(text, record.number, at: record.parts.at)
      guard text.utf8.contains(0x0A) else { return }
      var whole = text
      whole.withUTF8 { takeSuspects(LineBytes($0), record) }
    }

    private static let mostSuspects = 12
    private static let longestSuspect = 400

    private mutating func takeSuspects(_ text: LineBytes, _ record: LogRecord) {
      var (start, number) = (0, record.number)
      while start < text.count, suspects.count < Self.mostSuspects {
        let end = text.index(of: 0x0A, from: start) ?? text.count
        let line = text[start..<end]
        let isFrame = line.hasText("at ", at: line.index(from: 0, skipping: \.isSpace))
        if !isFrame, PrintedError.isPossible(in: line) {
          suspects.append((number, line.text(0..<min(line.count, Self.longestSuspect))))
        }
        number += start == 0 ? 1 + record.joinedLines : 1
        start = end + 1
      }
    }

    init(_ text: String, _ number: Int, at: Instant? = nil) {
      (self.number, self.at) = (number, at)
      self.text = text.utf8.count > LogText.longestKept ? LogText.shown(text) : text
    }
  }

  private mutating func showWords(_ known: KnownPeople, _ cause: Explanation?) {
    for (index, line) in words {
      let (revealed, names) = known.revealed(LogText.shown(line.text))
      addPeople(names, line: line.number)
      let time = line.at.map { ", +\($0.seconds - (firstAt ?? $0).seconds) s" } ?? ""
      hops[index].sent = [NameValue("line \(line.number)\(time)", revealed)]
      // The line of the record that has the code, if that is not the first.
      let spelled = cause.flatMap { cause in line.suspects.first { $0.text.contains(cause.code) } }
      let exact =
        spelled
        ?? line.suspects.first { suspect in
          if let cause { return Explanation.find(in: suspect.text).contains(cause) }
          return error?.name.map(suspect.text.contains) ?? false
        }
      if let exact, exact.number != line.number {
        hops[index].sent.append(
          NameValue("line \(exact.number)", known.revealed(LogText.shown(exact.text)).text))
      }
    }
    words = [:]
  }

  private func check(
    _ name: String, expected: String, found: String, _ verdict: Check.Verdict
  ) -> Check {
    Check(name, expected: expected, found: found, verdict: verdict, source: "real-logs.md §2")
  }

  // MARK: - The trace

  /// Returns the call as a trace, in the same form as the lab's own traces.
  func trace(number: Int64, _ known: KnownPeople) -> Trace {
    var call = self
    let cause = hasFailed ? cause : nil
    call.showWords(known, cause)
    return call.trace(number: number, cause)
  }

  /// Returns whether the call has a cause that a table explains, and that is not only a class or a wrapper.
  func namesCause(_ known: KnownPeople) -> Bool {
    let certainty = trace(number: 1, known).verdict?.certainty
    return certainty == .seen || certainty == .inferred
  }

  private func trace(number: Int64, _ cause: Explanation?) -> Trace {
    let people = people.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    let outcome = outcome(of: people.first, cause)
    let name = title ?? "a call that began before the log"
    let who = people.isEmpty ? "" : " for \(people.joined(separator: ", "))"
    return Trace(
      summary: TraceSummary(
        id: number, title: name + who, correlationID: correlationID, at: firstAt ?? Instant(0),
        verdict: outcome?.verdict.rawValue ?? "", summary: outcome?.summary ?? unfinished,
        hopCount: hops.count + hopsLeftOut),
      hops: isOfADAL ? hops.map(Self.ofADAL) : hops, outcome: outcome)
  }

  private var unfinished: String {
    "the log does not say how the call ended (\(lineCount) lines, \(otherLines) of them not recognised)"
  }

  private func outcome(of username: String?, _ cause: Explanation?) -> Outcome? {
    let length = firstAt.flatMap { first in lastAt.map { first.seconds(until: $0) } } ?? 0
    let time = length > 0 ? " after \(durationText(length))" : ""
    switch verdict {
    case .succeeded:
      return Outcome(.succeeded, "The call succeeded\(time).", failedCheck: nil, username: username)
    case .cancelled:
      return Outcome(
        .cancelled, "The user or the app cancelled\(time).", failedCheck: failedCheck,
        username: username)
    case .failed, nil:
      guard hasFailed else { return nil }
      return Outcome(
        .failed, "The call failed\(time): \(failure(cause)).", errorText: (error ?? sentence)?.text,
        errorDomain: error?.domain, errorCode: error?.code, failedCheck: failedCheck,
        next: cause.map(advice), username: username)
    }
  }

  /// Returns a step as a step of ADAL; the sentences of Apple's logs are those of both libraries.
  private static func ofADAL(_ hop: Hop) -> Hop {
    var hop = hop
    if hop.from == .sdk { hop.from = .adal }
    if hop.to == .sdk { hop.to = .adal }
    return hop
  }

  /// Returns the advice for a cause; an OAuth error has several causes, which its description tells apart.
  private func advice(_ cause: Explanation) -> Advice {
    guard cause.family == .oauth, refusal?.word == cause.code else { return cause.remedyOutside }
    return "Do what the description asks for; the provider's documentation or log may say more."
  }

  /// The explanation that is nearest to the cause, or `nil` if the codes of the call are unknown.
  private var cause: Explanation? {
    let stated = Explanation.ofError(
      [error?.displayText, error?.text, failedCheck?.found].compactMap(\.self).joined(separator: " ")
    ).first
    let other = errorTexts.compactMap { Explanation.ofError($0).first }.min { $0.distance < $1.distance }
    guard let stated, let other else { return stated ?? other }
    return other.distance < stated.distance ? other : stated
  }

  /// Returns the codes of the failure, including its cause, or its sentence if it does not have a code.
  private func failure(_ cause: Explanation?) -> String {
    let stated = error?.displayText ?? failedCheck?.reason ?? ""
    let known = Explanation.find(in: [stated, failedCheck?.found ?? ""].joined(separator: " "))
    if let cause, !known.contains(cause), stated.isEmpty || !cause.isGeneral {
      return stated.isEmpty || cause.code.hasPrefix(stated) ? cause.code : "\(stated), \(cause.code)"
    }
    if !stated.isEmpty { return stated }
    return sentence.map { "no known code is in the log; it says: " + $0.shortText } ?? "no code is in the log"
  }
}
