/// A buffer for key presses that arrive while the lab is still processing an earlier one.
///
/// They wait for its result, so that each acts on the screen that it was meant for.
struct TypeAheadBuffer {
  /// The kind of work that keys wait for.
  enum Work: Sendable { case reading, change }

  /// Whether the lab's server is away.
  ///
  /// Keys then act on the rows that are present, but still wait for the result of an answer to a prompt.
  var isServerSilent = false
  /// Whether a prompt of a flow is on the screen.
  var isAsking = false
  private var held: [InputEvent] = []
  /// The numbers of commands in progress whose results decide what the next key acts on.
  private var readings = 0
  private var changes = 0

  private var isBusy: Bool { changes > 0 && (isAsking || !isServerSilent) || readings > 0 && !isServerSilent }

  /// Records that a command was started by a key.
  mutating func started(_ work: Work) { count(work, 1) }

  /// Records that the result of a command has been shown.
  mutating func answered(_ work: Work) { count(work, -1) }

  private mutating func count(_ work: Work, _ number: Int) {
    switch work {
    case .reading: readings += number
    case .change: changes += number
    }
  }

  /// Returns whether a key must wait, and holds it if so.
  ///
  /// Keys that quit, suspend, or redraw never wait.
  mutating func holds(_ event: InputEvent) -> Bool {
    switch event {
    case .key(.control("c")), .key(.control("z")), .key(.control("l")): return false
    case .key, .paste: break
    default: return false
    }
    guard isBusy || !held.isEmpty else { return false }
    held.append(event)
    return true
  }

  /// Drops keys typed before the current screen appeared.
  mutating func drop() { held = [] }

  /// Removes and returns the next key, or returns `nil` while an earlier key is still being processed.
  mutating func next() -> InputEvent? {
    isBusy || held.isEmpty ? nil : held.removeFirst()
  }
}

extension Command {
  /// The work that later keys wait for if a key led to this command, or `nil` if its result does not decide what they
  /// act on.
  var work: TypeAheadBuffer.Work? {
    switch self {
    case .perform, .change, .undo, .redo, .runStep, .judgeStep, .rerunSteps, .note, .readLog: .change
    case .load(let load): load.decidesKeys ? .reading : nil
    case .runScenario, .report, .readEvidence, .serve, .stopServing, .serveBus, .copy, .copySecret,
      .clearClipboard, .redraw, .suspend, .runProgram, .mouse, .export, .edit, .finish:
      nil
    }
  }
}

extension Load {
  /// Whether the load opens something or fills a list.
  ///
  /// Further columns and details only add to what is already there.
  fileprivate var decidesKeys: Bool {
    switch self {
    case .status, .accountRows, .tokenRows, .itemRows, .detail, .callPicture, .lastCall: false
    default: !isOfAllRows
    }
  }
}
