import Essentials
import SSOCore
import SSOReference

/// A reader that processes the log lines of identity SDKs piece by piece and groups them into calls
/// (docs/behaviour/real-logs.md).
///
/// Its memory does not grow with the log: it retains the newest calls, a limited number of failed calls, and the first
/// unknown lines.
package struct LogReader {
  /// The maximum length of a line, in bytes; a longer line is cut, and the rest counts as unknown.
  static let longestLine = 262_144
  /// The maximum size, in bytes, of a record with the lines after its first, such as a stack or a JSON document.
  static let longestRecord = 1_048_576

  private var calls: LogCalls
  private let strings: LogStrings
  private var recogniser = LogRecognizer()
  /// The complete lines that are not finished yet, including the lines of the open record.
  private var buffer: [UInt8] = []
  /// The index in the buffer of the first line that was not read yet.
  private var unread = 0
  private var unfinishedLine: [UInt8] = []
  private var open: LogRecord?
  private var lineNumber = 0
  /// The number of lines that the last joined line has in addition to its first.
  private var joinedLines = 0
  private var unknown: [UnknownLine] = []
  private var unknownCount = 0
  private var suspects = Suspects()
  private var statuses = Suspects()
  private var polls = Suspects()
  private var secretLines = SecretLines()
  private var form = TextForm()
  /// The number of lines of each kind, by its position.
  private var lineCounts = [Int](repeating: 0, count: LogKind.allCases.count)
  private var order = LineOrder()

  package init(people: KnownPeople = KnownPeople(), strings: LogStrings = LogStrings()) {
    calls = LogCalls(people: people)
    self.strings = strings
  }

  /// Reads a piece of the log, which may end within a line.
  package mutating func feed(_ piece: UnsafeRawBufferPointer) {
    let newline = piece.lastIndex(of: 0x0A)
    guard let newline else {
      unfinishedLine.append(contentsOf: piece)
      if unfinishedLine.count > Self.longestLine { endLine() }
      return
    }
    let start = buffer.count
    buffer.append(contentsOf: unfinishedLine)
    buffer.append(contentsOf: piece[...newline])
    unfinishedLine.removeAll(keepingCapacity: true)
    unfinishedLine.append(contentsOf: piece[(newline + 1)...])
    LineCleaner.clean(&buffer, from: start)
    readLines()
  }

  private mutating func endLine() {
    let start = buffer.count
    buffer.append(contentsOf: unfinishedLine)
    buffer.append(0x0A)
    unfinishedLine.removeAll(keepingCapacity: true)
    LineCleaner.clean(&buffer, from: start)
    readLines()
  }

  /// Whether the log is read as it is written; calls can then be taken before its end.
  package var isFollowed: Bool {
    get { calls.isFollowed }
    set { calls.isFollowed = newValue }
  }

  /// The calls to take from a log that is being written.
  package enum NewCalls: Sendable {
    /// Calls that ended by the lines before the last one, which may continue.
    case endedByNow
    /// Calls that ended, or whose lines are only errors that an app printed, although lines keep coming. The last line
    /// may continue.
    case overdue
    /// Calls that ended, or whose lines are only errors that an app printed, because no line has come for a moment.
    case ended
    /// Calls that ended or failed, because no line has come for a while.
    case failed
    /// Calls that ended or failed, because the log has ended.
    case atEnd
  }

  /// Returns the calls that ended since the last time, in order, with the number of each as its ID.
  package mutating func takeCalls(_ calls: NewCalls) -> [Trace] {
    if calls == .atEnd { readRest() }
    // Lines that do not continue the last record may have followed it.
    let isOver = calls == .overdue && open.map { $0.end + 1 < unread } ?? false
    if calls != .endedByNow, calls != .overdue || isOver {
      withBuffer { reader, bytes in reader.closeRecord(bytes) }
    }
    return self.calls.takeEnded(calls)
  }

  /// Parses the remaining bytes as the last line, and assembles the calls.
  package mutating func finish() -> LogReading {
    readRest()
    withBuffer { reader, bytes in reader.closeRecord(bytes) }
    if form.isOrdinary {
      return LogReading(
        traces: [], callsLeftOut: 0, lineCount: lineNumber, counts: [:], unknown: unknown,
        unknownCount: lineNumber, isNewestFirst: false, isOrdinary: true)
    }
    var traces = calls.traces()
    let failed = traces.filter { $0.outcome?.verdict == .failed }
    let hasSucceeded = traces.contains { $0.outcome?.verdict == .succeeded }
    // An app's lines in an SDK's log are about its sign-in, unless the sign-in succeeded.
    let isBesideLog = counts.keys.contains { $0 != .printed } && !hasSucceeded
    if failed.isEmpty, let crash = suspects.crash(besideIdentity: isBesideLog),
      suspects.call(among: unknown, besideIdentity: isBesideLog)?.namesCause(calls.people) != true
    {
      add(crash, to: &traces)
    } else if failed.isEmpty,
      let call = suspects.call(among: unknown, besideIdentity: isBesideLog) ?? loneCode
        ?? (hasSucceeded ? nil : statuses.call(besideIdentity: true))
    {
      add(call, to: &traces)
    } else if traces.allSatisfy({ $0.outcome == nil }),
      let call = suspects.quoted(
        unknownCount, afterSignIn: form.hasSignedIn, ofReport: form.isReport) ?? suspects.headless
        ?? (form.hasSignedIn ? nil : polls.call(besideIdentity: true))
        ?? (form.isReport ? suspects.titled : nil)
    {
      add(call, to: &traces)
    } else if !failed.isEmpty, failed.allSatisfy({ $0.verdict?.certainty == .general }),
      let call = suspects.call(besideIdentity: true), call.namesCause(calls.people)
    {
      // A class or a wrapper says less than a code beside it that other programs use too.
      add(call, to: &traces)
    }
    if form.isReport, !traces.isEmpty, traces.allSatisfy({ $0.verdict.map { $0.cause == nil } ?? false }),
      let call = suspects.titled
    {
      // What the lines do not name, the title may.
      add(call, to: &traces)
    }
    let causes = traces.compactMap(\.verdict)
    if !causes.isEmpty, causes.allSatisfy(\.pointsAbove), let call = suspects.causeAbove {
      add(call, to: &traces)
    }
    return LogReading(
      traces: traces, callsLeftOut: calls.leftOut, lineCount: lineNumber, counts: counts,
      unknown: unknown, unknownCount: unknownCount, isNewestFirst: order.isNewestFirst)
  }

  private mutating func add(_ call: LogCall, to traces: inout [Trace]) {
    // Its lines were unrecognised until now, except lines of an SDK's log that name an error.
    if counts.keys.allSatisfy(\.isErrorText) {
      unknownCount -= min(unknownCount, call.lineCount)
      let numbers = call.lineNumbers
      unknown.removeAll { numbers.contains($0.number) }
    }
    lineCounts[LogKind.printed.position] += call.lineCount
    traces.append(call.trace(number: Int64(traces.count + 1), calls.people))
  }

  /// The number of lines of each kind that occurs.
  private var counts: [LogKind: Int] {
    let found = LogKind.allCases.map { ($0, lineCounts[$0.position]) }
    return Dictionary(uniqueKeysWithValues: found.filter { $0.1 > 0 })
  }

  /// The call of a text that has nothing but a code, or `nil` if there is anything else, or no code.
  private var loneCode: LogCall? {
    guard unknownCount == 1, counts.isEmpty, let line = unknown.first,
      PrintedError.isLoneCode(line.text.trimmed)
    else { return nil }
    var call = LogCall()
    call.addPrinted(line.text, line: line.number)
    return call
  }

  private mutating func readRest() {
    if !unfinishedLine.isEmpty { endLine() }
    readLines(isLast: true)
  }

  /// Calls `body` with the buffer, which is taken out of `self` for the duration of the call so that both can be
  /// changed.
  private mutating func withBuffer(_ body: (inout Self, UnsafeMutableBufferPointer<UInt8>) -> Void) {
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    bytes.withUnsafeMutableBufferPointer { body(&self, $0) }
    swap(&bytes, &buffer)
  }

  /// - Parameter isLast: Whether nothing follows the buffer, so that a line that was cut remains cut.
  private mutating func readLines(isLast: Bool = false) {
    withBuffer { reader, bytes in
      let whole = LineBytes(UnsafeBufferPointer(bytes))
      while reader.unread < bytes.count {
        let end = whole.index(of: 0x0A, from: reader.unread) ?? bytes.count
        guard let next = reader.readLine(bytes, reader.unread..<end, isLast: isLast) else { break }
        reader.unread = next
      }
    }
    let done = min(open?.line.lowerBound ?? unread, unread, buffer.count)
    buffer.removeFirst(done)
    unread -= done
    open?.move(by: -done)
    if buffer.count > Self.longestRecord {
      withBuffer { reader, bytes in reader.closeRecord(bytes) }
      buffer.removeAll(keepingCapacity: true)
      unread = 0
    }
  }

  /// - Returns: The start of the next line, or `nil` if this line was cut and its rest has not been read yet.
  private mutating func readLine(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ first: Range<Int>, isLast: Bool
  ) -> Int? {
    let whole = LineBytes(UnsafeBufferPointer(bytes))
    var (range, reading) = (first, recogniser.read(whole[first]))
    if case .cut = reading {
      switch joinWrappedLine(bytes, first, isLast: isLast) {
      case .whole(let line, let all): (range, reading) = (all, .line(line))
      case .needsMore: return nil
      case .broken: break
      }
    }
    lineNumber += 1
    if case .line(let line) = reading, !line.kind.isErrorText, line.kind != .javaScript || line.at != nil {
      secretLines.reset()
      form.addLogLine()
    } else {
      secretLines.mask(bytes, range)
      if lineNumber <= TextForm.mostLines {
        form.add(whole.text(range.lowerBound..<min(range.upperBound, range.lowerBound + 600)))
      }
    }
    guard case .line(let line) = reading,
      line.kind != .printed || !suspects.continuesCode(whole[range])
    else {
      continueRecord(bytes, range)
      return range.upperBound + 1
    }
    if line.kind.isErrorText || line.kind == .python, isPoll(whole[range]) {
      closeRecord(bytes)
      lineCounts[line.kind.position] += 1
      polls.add(whole[range], lineNumber)
      suspects.noteSignIn()
      return range.upperBound + 1
    }
    let number = lineNumber
    let isWrapped = range != first
    if isWrapped { lineNumber += joinedLines }
    // The rest of a wrapped sentence may contain the code of an error.
    if line.kind == .printed, joinSentence(bytes, range) { return range.upperBound + 1 }
    // The code of an error in a stack or in an exception's text belongs to the line before it.
    if line.kind.isErrorText, open?.isContinued(by: whole[range]) == true {
      open?.end = range.upperBound
      return range.upperBound + 1
    }
    closeRecord(bytes)
    lineCounts[line.kind.position] += 1
    order.add(line.at)
    let step = strings.step(of: whole[range][line.message], line.kind)
    // MSAL.js names the errors that it overcomes in lines for developers.
    let isOvercome = line.kind == .javaScript && line.level == .verbose && step?.isError == true
    open = LogRecord(
      parts: line, line: range, end: range.upperBound, number: number, step: isOvercome ? nil : step)
    open?.isWrapped = isWrapped
    if isWrapped { open?.joinedLines = joinedLines }
    // Lines that are not marked as errors may name errors that the library overcomes.
    if open?.step == nil, line.level != .error,
      Self.errorMarks[line.kind.position].contains(where: { whole[range].index(of: $0) != nil })
    {
      suspects.add(whole[range], number)
    }
    // MSALRuntime's telemetry has the status of a call, which other lines may have told better.
    if [.runtime, .javaScript].contains(line.kind), whole[range].index(of: "Value: StatusInternal::") != nil {
      statuses.add(whole[range], number)
    }
    return range.upperBound + 1
  }

  /// Returns whether a line is only the answer to a poll of the device flow before the user has answered (RFC 8628 §3.5): what
  /// comes after it is the failure, if anything is.
  private func isPoll(_ bytes: LineBytes) -> Bool {
    guard
      bytes.index(of: "70016") != nil || bytes.index(of: "authorization_pending") != nil
        || bytes.index(of: "slow_down") != nil
    else { return false }
    let codes = Explanation.find(in: bytes.text(0..<min(bytes.count, Self.longestPoll)))
    return !codes.isEmpty && codes.allSatisfy(\.isOfPolling)
  }

  /// The maximum length, in bytes, of an answer to a poll with its description and its IDs.
  private static let longestPoll = 2000

  /// The texts beside an error that a library logs at any level, or, as MSAL for iOS does in many lines, without one, by
  /// the kind's position.
  private static let errorMarks: [[StaticString]] = LogKind.allCases.map { kind in
    switch kind {
    case .runtime, .python: ["Created an error: "]
    case .apple: ["Error Domain=", " error code -"]
    case .dotnet: [" returned in broker response"]
    case .javaScript: ["Error: "]
    case .android, .entra, .printed: []
    }
  }

  private enum Joined {
    case whole(LogLine, Range<Int>)
    case needsMore, broken
  }

  /// Joins a wrapped line in place: up to three line feeds become spaces.
  private mutating func joinWrappedLine(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ first: Range<Int>, isLast: Bool
  ) -> Joined {
    let whole = LineBytes(UnsafeBufferPointer(bytes))
    var range = first
    let digits = mendNumber(bytes, at: first.upperBound)
    if digits > 0, case .line(let line) = recogniser.read(whole[first.lowerBound..<first.upperBound + digits])
    {
      joinedLines = 0
      return .whole(line, first.lowerBound..<first.upperBound + digits)
    }
    var feeds: [Int] = []
    var result = Joined.broken
    while feeds.count < 3 {
      guard range.upperBound + 1 < bytes.count else {
        result = isLast ? .broken : .needsMore
        break
      }
      let end = whole.index(of: 0x0A, from: range.upperBound + 1) ?? bytes.count
      if case .line = recogniser.read(whole[range.upperBound + 1..<end]) { break }
      feeds.append(range.upperBound)
      bytes[range.upperBound] = 0x20
      range = range.lowerBound..<end
      if case .line(let line) = recogniser.read(whole[range]) {
        joinedLines = feeds.count
        return .whole(line, range)
      }
    }
    for feed in feeds { bytes[feed] = 0x0A }
    return result
  }

  /// Moves the digits of a number that the end of a line interrupts in front of it, `AADSTS50<line feed>011: …`, and
  /// returns how many there are.
  private func mendNumber(_ bytes: UnsafeMutableBufferPointer<UInt8>, at feed: Int) -> Int {
    let whole = LineBytes(UnsafeBufferPointer(bytes))
    var start = feed
    while start > 0, whole[start - 1].isDigit { start -= 1 }
    guard start >= 6, feed - start < 5, whole.hasText("AADSTS", at: start - 6) else { return 0 }
    // The next line may begin with the frame of a table: `│ 011: …`.
    let first = whole.index(from: feed + 1) { !$0.isDigit && !$0.isLetter && $0 != 0x0A }
    let end = whole.index(from: first, skipping: \.isDigit)
    guard first < min(end, feed + 12), (5...8).contains(feed - start + end - first) else { return 0 }
    let digits = Array(bytes[first..<end])
    for index in (feed..<first).reversed() { bytes[index + digits.count] = bytes[index] }
    for (offset, digit) in digits.enumerated() { bytes[feed + offset] = digit }
    return digits.count
  }

  /// Handles a line without its own mark, which continues the record before it or a wrapped message, or is
  /// unknown.
  private mutating func continueRecord(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>) {
    let whole = LineBytes(UnsafeBufferPointer(bytes))
    var range = range
    if let record = open, record.end + 1 == range.lowerBound {
      let digits = mendNumber(bytes, at: record.end)
      open?.lengthen(by: digits)
      range = range.lowerBound + digits..<range.upperBound
    }
    let line = whole[range]
    if joinSentence(bytes, range) { return }
    // A heading of the form in which people report an error ends what they pasted.
    let isHeading = line[0] == UInt8(ascii: "#") && FailureLine.isHeading(line.text(0..<min(line.count, 80)))
    // So does the head of somebody else's post.
    if isHeading || open != nil && line.count < 120 && line.index(of: " · ") != nil { closeRecord(bytes) }
    guard var record = open, record.isContinued(by: line) else { return keepUnknown(line) }
    record.end = range.upperBound
    // MSAL.NET begins some messages with a line feed.
    if record.step == nil, whole[record.line][record.parts.message].isBlank {
      let start = line.index(from: 0, skipping: \.isSpace)
      record.step = LogSteps.of(record.parts.kind).step(of: line[start..<line.count])
    }
    open = record
  }

  /// Joins a line to the message of the record before it, if both together are a known sentence.
  private mutating func joinSentence(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>) -> Bool
  {
    guard var record = open, record.step == nil, record.end + 1 == range.lowerBound,
      record.end == record.line.upperBound, let step = wrapped(record, bytes, range)
    else { return false }
    record.step = step
    record.joinedLines += 1
    record.parts.message = record.parts.message.lowerBound..<range.upperBound - record.line.lowerBound
    record.line = record.line.lowerBound..<range.upperBound
    record.end = range.upperBound
    open = record
    return true
  }

  /// Returns the step that the message describes together with this line, or `nil` if they describe none.
  ///
  /// If they do, the line feed between them becomes a space.
  private func wrapped(
    _ record: LogRecord, _ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>
  ) -> LogStep? {
    let whole = LineBytes(UnsafeBufferPointer(bytes))
    let start = record.line.lowerBound + record.parts.message.lowerBound
    bytes[range.lowerBound - 1] = 0x20
    if let step = LogSteps.of(record.parts.kind).step(of: whole[start..<range.upperBound]) { return step }
    bytes[range.lowerBound - 1] = 0x0A
    return nil
  }

  private mutating func keepUnknown(_ line: LineBytes) {
    guard !line.isBlank else { return }
    unknownCount += 1
    suspects.keep(line, lineNumber)
    if PrintedError.isPossible(in: line) {
      if isPoll(line) { polls.add(line, lineNumber) } else { suspects.add(line, lineNumber) }
    } else if line.hasText("at ", at: line.index(from: 0, skipping: \.isSpace)) {
      suspects.addFrame(line)
    }
    if unknown.count < UnknownLine.kept {
      unknown.append(
        UnknownLine(number: lineNumber, text: LogText.shown(line.text(0..<min(line.count, 400)))))
    }
  }

  private mutating func closeRecord(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let record = open else { return }
    open = nil
    let whole = LineBytes(UnsafeBufferPointer(bytes))
    calls.take(record, whole[record.line.lowerBound..<record.end], strings)
  }
}
