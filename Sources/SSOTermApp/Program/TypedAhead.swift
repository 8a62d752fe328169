/// Keys that were typed while the lab still works on what an earlier key asked for.
///
/// They wait for its answer, so that each acts on the screen that it was meant for.
struct TypedAhead {
  /// What keys wait for.
  enum Work: Sendable { case reading, change }

  /// The lab's server is away: keys then act on the rows that are there, though not on the answers to a question.
  var isServerSilent = false
  /// A question of a flow is on the screen.
  var isAsking = false
  private var held: [InputEvent] = []
  /// Commands under way whose answer decides what the next key acts on.
  private var readings = 0
  private var changes = 0

  private var isBusy: Bool { changes > 0 && (isAsking || !isServerSilent) || readings > 0 && !isServerSilent }

  /// A command that a key led to was started.
  mutating func started(_ work: Work) { count(work, 1) }

  /// Its result has been shown.
  mutating func answered(_ work: Work) { count(work, -1) }

  private mutating func count(_ work: Work, _ number: Int) {
    switch work {
    case .reading: readings += number
    case .change: changes += number
    }
  }

  /// Whether a key has to wait, and is kept.
  ///
  /// Those that leave, suspend or redraw never do.
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

  /// Forgets them: the person typed them before what is on the screen now came up.
  mutating func drop() { held = [] }

  /// The key whose turn it is; nil while one before it is not done.
  mutating func next() -> InputEvent? {
    isBusy || held.isEmpty ? nil : held.removeFirst()
  }
}

extension Command {
  /// What later keys wait for if a key led to it; nil if its answer does not decide what they act on.
  var work: TypedAhead.Work? {
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
  /// Whether it opens something or fills a list; further columns and details only show more of what is there.
  fileprivate var decidesKeys: Bool {
    switch self {
    case .status, .accountRows, .tokenRows, .itemRows, .detail, .callPicture, .lastCall: false
    default: !isOfAllRows
    }
  }
}
