/// The calls of a log, found by correlation ID, else by thread, else as the one that is being told
/// (docs/behaviour/real-logs.md §3).
struct LogCalls {
  /// Calls that are open or were the last to end; of older ones the failed are kept, up to as many again.
  static let most = 400
  private static let mostKeys = 20_000

  private let people: KnownPeople
  private var calls: [Int: LogCall] = [:]
  private var order: [Int] = []
  private var firstInOrder = 0
  private var kept: [LogCall] = []
  private var serial = 0
  private var keys: [CallKey: Int] = [:]
  /// The call that the last line of each kind belonged to.
  private var current: [LogKind: Int] = [:]
  private var lastTouched: Int?
  private(set) var leftOut = 0

  init(people: KnownPeople) { self.people = people }

  mutating func take(_ record: LogRecord, _ bytes: LineBytes, _ strings: LogStrings) {
    let parts = record.parts
    let number = call(of: record, bytes)
    lastTouched = number
    current[parts.kind] = number
    calls[number]?.count(parts)
    if parts.kind == .python, let hop = PythonLine.hop(record, bytes) {
      calls[number]?.add(hop.hop, ends: hop.ends)
      return
    }
    if let step = record.step {
      adoptID(of: record, bytes, number)
      let text =
        strings.sentence(of: bytes[parts.message]) ?? bytes.text(parts.message.lowerBound..<bytes.count)
      calls[number]?.add(step, record, text: text)
    } else if parts.level == .error || bytes.index(of: "AADSTS", from: parts.message.lowerBound) != nil {
      let text = bytes.text(parts.message.lowerBound..<bytes.count)
      calls[number]?.add(LoggedError(text), record, text: text)
    } else {
      calls[number]?.countOther()
      if !people.isEmpty, bytes.index(of: "auth.placeholder-", from: parts.message.lowerBound) != nil {
        calls[number]?.noteNames(
          in: bytes.text(parts.message.lowerBound..<bytes.count), line: record.number, people)
      }
    }
  }

  // MARK: - Which call

  private mutating func call(of record: LogRecord, _ bytes: LineBytes) -> Int {
    let parts = record.parts
    let thread = parts.thread.map { CallKey(thread: bytes[$0], of: parts.kind) }
    if let range = parts.correlation {
      let key = CallKey(bytes[range])
      let number = existing(key) ?? firstLine(of: key, bytes.text(range), thread)
      if let thread { keys[thread] = number }
      return number
    }
    if parts.kind == .entra || parts.kind == .python, let id = namedID(bytes) {
      // The provider's answer names the ID that the request had.
      let number =
        existing(CallKey(bytes[id])) ?? open(lastTouched) ?? make(CallKey(bytes[id]), id: bytes.text(id))
      keys[CallKey(bytes[id])] = number
      return number
    }
    // MSAL Python says it again when it goes on with another refresh token.
    if let id = announcedID(of: record, bytes), let number = existing(CallKey(bytes[id])) { return number }
    let begins = if case .begins = record.step?.meaning { true } else { false }
    if let thread, let number = existing(thread), !begins || calls[number]?.hasBegun == false {
      return number
    }
    let candidate = thread == nil ? current[parts.kind] : nil
    if let number = open(candidate ?? (parts.kind == .entra ? lastTouched : nil)),
      !begins || calls[number]?.hasBegun == false
    {
      return number
    }
    let number = make(thread, id: "")
    return number
  }

  /// The call of an ID that no line had before.
  private mutating func firstLine(of key: CallKey, _ id: String, _ thread: CallKey?) -> Int {
    knownByHead(key, id) ?? unnamed(thread, key, id) ?? make(key, id: id)
  }

  /// The call of which only the ID's first eight digits were known.
  private mutating func knownByHead(_ key: CallKey, _ id: String) -> Int? {
    guard let number = existing(key.head), calls[number]?.correlationID.count == 8 else { return nil }
    calls[number]?.correlationID = id
    keys[key] = number
    return number
  }

  /// The call that its thread began before it had an ID: from now on it has this one.
  private mutating func unnamed(_ thread: CallKey?, _ key: CallKey, _ id: String) -> Int? {
    guard let number = open(existing(thread)), calls[number]?.correlationID.isEmpty == true else {
      return nil
    }
    calls[number]?.correlationID = id
    keys[key] = number
    if let head = key.head { keys[head] = number }
    return number
  }

  /// `Correlation ID: <UUID>` in an error of the provider.
  private func namedID(_ bytes: LineBytes) -> Range<Int>? {
    guard let mark = bytes.index(of: "Correlation ID: ") else { return nil }
    let start = mark + 16
    let end = bytes.index(from: start) { $0.isHexDigit || $0 == 0x2D }
    return end - start == 36 ? start..<end : nil
  }

  /// The ID in a line that names the ID of the call that it begins: MSAL Python's and MSALRuntime's.
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
    if calls[number]?.correlationID.isEmpty == true { calls[number]?.correlationID = bytes.text(id) }
    let key = CallKey(bytes[id])
    keys[key] = number
    if let head = key.head { keys[head] = number }
  }

  private func existing(_ key: CallKey?) -> Int? {
    key.flatMap { keys[$0] }.flatMap { calls[$0] == nil ? nil : $0 }
  }

  private func open(_ number: Int?) -> Int? {
    number.flatMap { calls[$0]?.hasEnded == false ? $0 : nil }
  }

  private mutating func make(_ key: CallKey?, id: String) -> Int {
    serial += 1
    var call = LogCall()
    call.correlationID = id
    calls[serial] = call
    order.append(serial)
    if let key { keys[key] = serial }
    if let head = key?.head { keys[head] = serial }
    if calls.count > Self.most { dropOldest() }
    if keys.count > Self.mostKeys { keys = keys.filter { calls[$0.value] != nil } }
    if keys.count > Self.mostKeys { keys.removeAll() }
    return serial
  }

  private mutating func dropOldest() {
    let oldest = order[firstInOrder]
    firstInOrder += 1
    if firstInOrder > 1000 {
      order.removeFirst(firstInOrder)
      firstInOrder = 0
    }
    guard let call = calls.removeValue(forKey: oldest) else { return }
    if call.hasFailed, kept.count < Self.most { kept.append(call) } else { leftOut += 1 }
  }

  // MARK: - The result

  /// In the order in which they began; calls of which no line tells a step are left out.
  func traces() -> [Trace] {
    let all = kept + order[firstInOrder...].compactMap { calls[$0] }
    return all.filter { !$0.hops.isEmpty }.enumerated().map { $1.trace(number: Int64($0 + 1), people) }
  }
}
