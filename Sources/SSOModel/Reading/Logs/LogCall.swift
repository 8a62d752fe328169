/// One call of an app, assembled from its lines, with the hops of the lab's own traces as far as the log shows them.
struct LogCall {
  /// The maximum number of hops to keep; further hops are only counted.
  static let mostHops = 120

  /// The ID as written in the log, or an empty string if no line contains one.
  var correlationID = ""
  private(set) var kinds: [LogKind] = []
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
  private var failedCheck: Check?
  /// The words of the lines from which hops were read, which are formatted late because most calls are dropped unread.
  private var words: [Int: Words] = [:]
  /// The known names, with the number of the first line that contains their mask.
  private var people: [String: Int] = [:]
  private var reportedErrors = 0

  /// Whether a line said that the call has ended.
  var hasEnded: Bool { verdict != nil }
  var hasBegun: Bool { title != nil }
  var hasFailed: Bool { verdict == .failed || verdict == nil && (failedCheck != nil || error != nil) }

  mutating func count(_ line: LogLine) {
    lineCount += 1
    if !kinds.contains(line.kind) { kinds.append(line.kind) }
    guard let at = line.at else { return }
    if firstAt == nil { firstAt = at }
    lastAt = at
  }

  /// Records the known names whose masks a line contains.
  mutating func noteNames(in text: String, line: Int, _ known: KnownPeople) {
    note(known.revealed(text).names, line: line)
  }

  private mutating func note(_ names: [String], line: Int) {
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
      hop.checks = [check(step.action, expected: expected, found: found?.words ?? step.result, .failed)]
      note(found)
    case .succeeds: (verdict, error) = (.succeeded, nil)
    case .cancels: verdict = .cancelled
    case .ends: end(&hop, LoggedError(text))
    }
    append(hop, Words(record, text))
  }

  /// Adds a line that is not a known sentence, but has the level error or a code of the provider.
  mutating func add(_ error: LoggedError?, _ record: LogRecord, text: String) {
    if let error, let code = error.entra {
      // Several layers log the same response.
      guard !hops.suffix(4).contains(where: { $0.result == code }) else { return countOther() }
      append(
        Hop(
          from: .provider, to: .sdk, action: "refuse", result: code,
          checks: [check("the provider's answer", expected: "tokens", found: error.text, .failed)]),
        Words(record, text))
      return note(error)
    }
    reportedErrors += 1
    guard reportedErrors <= 20 else { return countOther() }
    append(
      Hop(from: .sdk, to: .app, action: "report an error", result: error?.words ?? ""), Words(record, text))
    if let error { note(error) }
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
    hop.result = found.words
    let isCancelled = found.isCancellation
    if hop.to == .app { verdict = isCancelled ? .cancelled : .failed }
    if !isCancelled { hop.checks = [check(hop.action, expected: "a token", found: found.words, .failed)] }
    // The error that the app receives takes precedence over the error of a lower layer.
    if hop.to == .app || error == nil { error = found }
  }

  private mutating func note(_ found: LoggedError?) {
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

    init(_ record: LogRecord, _ text: String) {
      (number, at) = (record.number, record.parts.at)
      self.text = text.utf8.count > LogText.longestKept ? LogText.shown(text) : text
    }
  }

  private mutating func showWords(_ known: KnownPeople) {
    for (index, line) in words {
      let (revealed, names) = known.revealed(LogText.shown(line.text))
      note(names, line: line.number)
      let time = line.at.map { ", +\($0.seconds - (firstAt ?? $0).seconds) s" } ?? ""
      hops[index].sent = [NameValue("line \(line.number)\(time)", revealed)]
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
    call.showWords(known)
    return call.trace(number: number)
  }

  private func trace(number: Int64) -> Trace {
    let people = people.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    let outcome = outcome(of: people.first)
    let name = title ?? "a call that began before the log"
    let who = people.isEmpty ? "" : " for \(people.joined(separator: ", "))"
    return Trace(
      summary: TraceSummary(
        id: number, title: name + who, correlationID: correlationID, at: firstAt ?? Instant(0),
        verdict: outcome?.verdict.rawValue ?? "", summary: outcome?.summary ?? unfinished,
        hopCount: hops.count + hopsLeftOut),
      hops: hops, outcome: outcome)
  }

  private var unfinished: String {
    "the log does not say how the call ended (\(lineCount) lines, \(otherLines) of them not recognised)"
  }

  private func outcome(of username: String?) -> Outcome? {
    let length = firstAt.flatMap { first in lastAt.map { first.seconds(until: $0) } } ?? 0
    let time = length > 0 ? " after \(durationText(length))" : ""
    switch verdict {
    case .succeeded:
      return Outcome(.succeeded, "The call succeeded\(time).", failedCheck: nil, username: username)
    case .cancelled:
      return Outcome(
        .cancelled, "The person or the app cancelled\(time).", failedCheck: failedCheck,
        username: username)
    case .failed, nil:
      guard verdict == .failed || failedCheck != nil || error != nil else { return nil }
      let words = error?.words ?? failedCheck?.reason ?? "no code is in the log"
      return Outcome(
        .failed, "The call failed\(time): \(words).", errorText: error?.text, errorDomain: error?.domain,
        errorCode: error?.code, failedCheck: failedCheck, next: remedy, username: username)
    }
  }

  private var remedy: Advice? {
    Explanation.ofError(
      [error?.words, error?.text, failedCheck?.found].compactMap(\.self).joined(separator: " ")
    ).first?.remedyOutside
  }
}
