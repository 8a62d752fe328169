import SSOCore
import SSOReference

/// The calls of a log (docs/behaviour/real-logs.md §3).
///
/// A line's call is found by correlation ID, or else by thread; otherwise, it is the call that is being read.
struct LogCalls {
  /// The number of newest calls to keep, and the maximum number of older calls that failed.
  static let most = 400
  private static let mostKeys = 20_000

  let people: KnownPeople
  /// The newest calls; the index of a call follows from its number.
  private var ring = [LogCall](repeating: LogCall(), count: LogCalls.most)
  private var kept: [LogCall] = []
  /// The number of the last call; the first call has number 1.
  private var serial = 0
  private var keys = CallNumbers()
  /// The call that the last line of each kind belonged to, by the kind's position.
  private var current = [Int?](repeating: nil, count: LogKind.allCases.count)
  private var lastTouched: Int?
  private(set) var leftOut = 0
  /// Whether the log is read as it is written, so that calls are taken before its end.
  var isFollowed = false
  /// The numbers of the calls that have ended but have not been taken yet.
  private var ended: [Int] = []
  /// The error of the last line if zone.js reports it as uncaught; the next line may begin with it again.
  private var uncaught: String?

  init(people: KnownPeople) { self.people = people }

  mutating func take(_ record: LogRecord, _ bytes: LineBytes, _ strings: LogStrings) {
    let parts = record.parts
    if repeatsError(parts, bytes), let lastTouched, isThere(lastTouched) {
      ring[place(lastTouched)].count(parts)
      return
    }
    let number = call(of: record, bytes)
    lastTouched = number
    current[parts.kind.position] = number
    let place = place(number)
    defer { if isFollowed, ring[place].isNews, ended.last != number { ended.append(number) } }
    ring[place].count(parts)
    if parts.kind == .python, let hop = PythonLine.hop(record, bytes) {
      ring[place].add(hop.hop, ends: hop.ends)
      return
    }
    if let step = record.step {
      adoptID(of: record, bytes, number)
      let text =
        strings.sentence(of: bytes[parts.message]) ?? bytes.text(parts.message.lowerBound..<bytes.count)
      ring[place].add(step, record, text: text)
    } else if parts.level == .error || bytes.index(of: "AADSTS", from: parts.message.lowerBound) != nil {
      let text = bytes.text(parts.message.lowerBound..<bytes.count)
      let name = text.contains("\n") ? PrintedError.exceptionName(in: text) : nil
      ring[place].add(LoggedError(text) ?? LoggedError(sentence: text, name: name), record, text: text)
    } else {
      ring[place].countOther()
      if !people.isEmpty, bytes.index(of: "auth.placeholder-", from: parts.message.lowerBound) != nil {
        ring[place].addPeople(
          in: bytes.text(parts.message.lowerBound..<bytes.count), line: record.number, people)
      }
    }
  }

  /// Returns whether a line begins the stack of the error that the line before it reports: Angular prints `Uncaught (in
  /// promise): LampError: …`, and below it the error's own stack, which begins with `LampError: …`.
  private mutating func repeatsError(_ parts: LogLine, _ bytes: LineBytes) -> Bool {
    guard parts.kind == .javaScript else {
      uncaught = nil
      return false
    }
    let error = String(
      bytes.text(parts.message.lowerBound..<bytes.count).prefix { !$0.isNewline })
    let isUncaught = bytes.index(of: "Uncaught (in promise): ").map { $0 < parts.message.lowerBound } ?? false
    defer { uncaught = isUncaught ? error : nil }
    return !isUncaught && parts.correlation == nil && error == uncaught
  }

  // MARK: - Finding the call

  private mutating func call(of record: LogRecord, _ bytes: LineBytes) -> Int {
    let parts = record.parts
    let thread = parts.thread.map { CallKey(thread: bytes[$0], of: parts.kind) }
    if let range = parts.correlation {
      let key = CallKey(bytes[range])
      let number = existing(key) ?? firstLine(of: key, bytes.text(range), thread)
      if let thread { keys[thread] = number }
      return number
    }
    if parts.kind.isErrorText || parts.kind == .python, let id = namedID(bytes) {
      // The provider's response contains the ID that the request had.
      let number =
        existing(CallKey(bytes[id])) ?? open(lastTouched) ?? make(CallKey(bytes[id]), id: bytes.text(id))
      keys[CallKey(bytes[id])] = number
      return number
    }
    // MSAL Python logs the ID again if it continues with another refresh token.
    if let id = announcedID(of: record, bytes), let number = existing(CallKey(bytes[id])) { return number }
    let begins = if case .begins = record.step?.meaning { true } else { false }
    if let thread, let number = existing(thread), !begins || !ring[place(number)].hasBegun {
      return number
    }
    let candidate = thread == nil ? current[parts.kind.position] : nil
    if let number = open(candidate ?? (parts.kind.isErrorText ? lastTouched : nil)),
      !begins || !ring[place(number)].hasBegun
    {
      return number
    }
    return make(thread, id: "")
  }

  /// Returns a new call for an ID that earlier lines did not contain.
  private mutating func firstLine(of key: CallKey, _ id: String, _ thread: CallKey?) -> Int {
    knownByHead(key, id) ?? unnamed(thread, key, id) ?? make(key, id: id)
  }

  /// Returns the call of which only the first eight digits of the ID were known, and stores the entire ID.
  private mutating func knownByHead(_ key: CallKey, _ id: String) -> Int? {
    guard let number = existing(key.head), ring[place(number)].correlationID.count == 8 else { return nil }
    ring[place(number)].correlationID = id
    keys[key] = number
    return number
  }

  /// Returns the call that the thread began before the call had an ID, and assigns the ID to it.
  private mutating func unnamed(_ thread: CallKey?, _ key: CallKey, _ id: String) -> Int? {
    guard let number = open(existing(thread)), ring[place(number)].correlationID.isEmpty else {
      return nil
    }
    ring[place(number)].correlationID = id
    keys[key] = number
    if let head = key.head { keys[head] = number }
    return number
  }

  /// Finds the ID in `Correlation ID: <UUID>` (an error of the provider) or `MSALCorrelationIDKey=<UUID>` (an error of
  /// MSAL for iOS).
  private func namedID(_ bytes: LineBytes) -> Range<Int>? {
    let start: Int
    if let mark = bytes.index(of: "Correlation ID: ") {
      start = mark + 16
    } else if let mark = bytes.index(of: "MSALCorrelationIDKey=") {
      start = mark + 21
    } else {
      return nil
    }
    let end = bytes.index(from: start) { $0.isHexDigit || $0 == 0x2D }
    return end - start == 36 ? start..<end : nil
  }

  /// Finds the ID in a line that announces the ID of the call that it begins, as MSAL Python and MSALRuntime write it.
  private func announcedID(of record: LogRecord, _ bytes: LineBytes) -> Range<Int>? {
    guard case .begins = record.step?.meaning, record.parts.kind == .python || record.parts.kind == .runtime,
      let word = bytes.index(of: "orrelation", from: record.parts.message.lowerBound),
      let mark = bytes.index(of: ": ", from: word)
    else { return nil }
    let end = bytes.index(from: mark + 2) { $0.isHexDigit || $0 == 0x2D }
    return end - mark == 38 ? mark + 2..<end : nil
  }

  private mutating func adoptID(of record: LogRecord, _ bytes: LineBytes, _ number: Int) {
    guard let id = announcedID(of: record, bytes) else { return }
    if ring[place(number)].correlationID.isEmpty { ring[place(number)].correlationID = bytes.text(id) }
    let key = CallKey(bytes[id])
    keys[key] = number
    if let head = key.head { keys[head] = number }
  }

  /// Returns the index of a call for which ``isThere(_:)`` is `true`.
  private func place(_ number: Int) -> Int { number % Self.most }

  private func isThere(_ number: Int) -> Bool { number > serial - Self.most && number <= serial }

  private mutating func existing(_ key: CallKey?) -> Int? {
    guard let key, let number = keys[key], isThere(number) else { return nil }
    return number
  }

  private func open(_ number: Int?) -> Int? {
    number.flatMap { isThere($0) && !ring[place($0)].hasEnded ? $0 : nil }
  }

  /// Creates a call, which takes the place of the oldest one.
  private mutating func make(_ key: CallKey?, id: String) -> Int {
    serial += 1
    let place = place(serial)
    if serial > Self.most {
      if ring[place].hasFailed, kept.count < Self.most { kept.append(ring[place]) } else { leftOut += 1 }
    }
    ring[place] = LogCall()
    ring[place].correlationID = id
    if let key { keys[key] = serial }
    if let head = key?.head { keys[head] = serial }
    if keys.count > Self.mostKeys { keys.removeAll(upTo: serial - Self.most) }
    if keys.count > Self.mostKeys { keys.removeAll(upTo: serial) }
    return serial
  }

  // MARK: - The result

  /// Returns the calls that have ended since the last time, with the number of each as its ID.
  ///
  /// A call that consists of errors without lines of an SDK ends as soon as its last line is complete, so that the next
  /// error is another call. Other calls that failed may still end; they are included when no line has come for a while.
  mutating func takeEnded(_ calls: LogReader.NewCalls) -> [Trace] {
    if calls != .endedByNow {
      let withOpen = calls == .failed || calls == .atEnd
      for number in max(1, serial - Self.most + 1)..<(serial + 1)
      where ring[place(number)].endsWithFailure(withOpen: withOpen) { ended.append(number) }
    }
    defer { ended.removeAll() }
    return ended.filter(isThere).compactMap { number in
      guard ring[place(number)].take() else { return nil }
      return ring[place(number)].trace(number: Int64(number), people)
    }
  }

  /// Returns the traces in the order in which the calls began, without calls whose lines do not describe a step.
  func traces() -> [Trace] {
    let all = kept + (max(0, serial - Self.most)..<serial).map { ring[place($0 + 1)] }
    return all.filter { !$0.hops.isEmpty }.enumerated().map { $1.trace(number: Int64($0 + 1), people) }
  }
}

/// A detector for logs whose times go back from line to line, because log services list the newest line first.
struct LineOrder: Sendable {
  private var last: Instant?
  private var steps = (back: 0, forth: 0)

  mutating func add(_ moment: Instant?) {
    guard let moment else { return }
    if let last, moment < last { steps.back += 1 }
    if let last, moment > last { steps.forth += 1 }
    last = moment
  }

  /// Whether the newest line comes first.
  ///
  /// If several processes write to one log, its times occasionally go back.
  var isNewestFirst: Bool { steps.back > 1 && steps.back > 2 * steps.forth }
}
