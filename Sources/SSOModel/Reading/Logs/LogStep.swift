/// What a sentence of an SDK says: one step of a call, in the words of the lab's own traces.
struct LogStep: Sendable {
  /// What the step means for the call that it belongs to.
  enum Meaning: Sendable {
    case begins
    case happens
    /// A check that passed.
    case holds
    /// A check that failed; the call may go on another way.
    case fails(expected: String)
    case succeeds
    /// The call ends; the line's own words say whether with an error.
    case ends
    case cancels
  }
  /// The sentence's beginning, exactly as the SDK has it.
  var sentence: StaticString
  var from: Party
  var to: Party
  var action: String
  var result: String
  var meaning: Meaning

  /// Whether an error may be printed behind the sentence.
  var tellsErrors: Bool {
    switch meaning {
    case .fails, .ends: true
    case .begins, .happens, .holds, .succeeds, .cancels: false
    }
  }

  init(
    _ sentence: StaticString, _ from: Party, _ to: Party, _ action: String, _ result: String = "",
    _ meaning: Meaning = .happens
  ) {
    self.sentence = sentence
    self.from = from
    self.to = to
    self.action = action
    self.result = result
    self.meaning = meaning
  }
}

/// Finds the step that a message describes: by its first eight bytes, then byte by byte.
struct LogSteps: Sendable {
  private let byHead: [UInt64: [LogStep]]
  /// Sentences that begin with what differs from call to call.
  private let inner: [LogStep]

  init(_ steps: [LogStep], inner: [LogStep] = []) {
    self.inner = inner
    // The longer of two that begin alike is meant, if it fits.
    byHead = Dictionary(grouping: steps) { step in
      step.sentence.withUTF8Buffer { Self.head(LineBytes($0)) ?? 0 }
    }
    .mapValues { $0.sorted { $0.sentence.utf8CodeUnitCount > $1.sentence.utf8CodeUnitCount } }
  }

  func step(of message: LineBytes) -> LogStep? {
    if let head = Self.head(message), let candidates = byHead[head],
      let found = candidates.first(where: { message.hasText($0.sentence, at: 0) })
    {
      return found
    }
    return inner.first { message.index(of: $0.sentence) != nil }
  }

  private static func head(_ line: LineBytes) -> UInt64? {
    guard line.count >= 8, let base = line.bytes.baseAddress else { return nil }
    return UnsafeRawPointer(base).loadUnaligned(as: UInt64.self)
  }

  private static let apple = LogSteps(LogStep.ofApple + LogStep.ofAppleCache, inner: LogStep.insideApple)
  private static let android = LogSteps(LogStep.ofAndroid)
  private static let dotnet = LogSteps(LogStep.ofNet)
  private static let javaScript = LogSteps(LogStep.ofJavaScript, inner: LogStep.insideJavaScript)
  private static let runtime = LogSteps(LogStep.ofRuntime)
  private static let python = LogSteps(LogStep.ofPython)
  private static let none = LogSteps([])

  static func of(_ kind: LogKind) -> LogSteps {
    switch kind {
    case .apple: apple
    case .android: android
    case .dotnet: dotnet
    case .javaScript: javaScript
    case .runtime: runtime
    case .python: python
    case .entra, .printed: none
    }
  }
}
