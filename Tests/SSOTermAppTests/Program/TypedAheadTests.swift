import SSOServer
import TerminalUI
import Testing

@testable import SSOTermApp

/// Keys that arrive while the lab is still processing an earlier one.
struct TypedAheadTests {
  private func key(_ character: Character) -> InputEvent { .key(.character(character)) }

  /// Returns, for each of these keys, whether it has to wait.
  private func held(_ events: [InputEvent], by ahead: inout TypeAheadBuffer) -> [Bool] {
    events.map { ahead.holds($0) }
  }

  /// Returns the keys that may act now.
  private func freed(_ ahead: inout TypeAheadBuffer) -> [InputEvent] {
    var keys: [InputEvent] = []
    while let key = ahead.next() { keys.append(key) }
    return keys
  }

  @Test func keysWaitInTheirOrderUntilTheAnswerIsThere() {
    var ahead = TypeAheadBuffer()
    #expect(held([key("i")], by: &ahead) == [false])
    ahead.started(.change)
    #expect(held([key("j"), .paste("x"), key("s")], by: &ahead) == [true, true, true])
    #expect(freed(&ahead) == [])
    ahead.answered(.change)
    let first = ahead.next()
    #expect(first == key("j"))
    // The data that `j` loads is awaited as well.
    ahead.started(.change)
    #expect(freed(&ahead) == [] && held([key("k")], by: &ahead) == [true])
    ahead.answered(.change)
    #expect(freed(&ahead) == [.paste("x"), key("s"), key("k")])
    #expect(held([key("j")], by: &ahead) == [false])
  }

  @Test func keysThatLeaveSuspendOrRedrawAndWhatIsNoKeyNeverWait() {
    var ahead = TypeAheadBuffer()
    ahead.started(.change)
    let free: [InputEvent] = "czl".map { .key(.control($0)) } + [.woken, .resize(width: 80, height: 24)]
    #expect(held(free, by: &ahead) == free.map { _ in false })
  }

  @Test func whileTheServerIsAwayKeysWaitOnlyIfAQuestionIsAsked() {
    var ahead = TypeAheadBuffer()
    ahead.started(.reading)
    #expect(held([key("j")], by: &ahead) == [true])
    ahead.isServerSilent = true
    #expect(freed(&ahead) == [key("j")] && held([key("k")], by: &ahead) == [false])
    ahead.started(.change)
    #expect(held([key("s")], by: &ahead) == [false])
    ahead.isAsking = true
    #expect(held([key("s")], by: &ahead) == [true])
  }

  @Test func whatCameUpByItselfTakesNoKeyThatWasTypedBefore() {
    var ahead = TypeAheadBuffer()
    ahead.started(.change)
    #expect(held([.key(.enter)], by: &ahead) == [true])
    ahead.drop()
    ahead.answered(.change)
    #expect(freed(&ahead) == [])
  }

  @Test(
    arguments: [
      (.perform(Sample.intent, []), true), (.undo, true), (.load(.blastRadius(Sample.intent)), true),
      (.load(.why(.app("a"))), true), (.load(.tokens(.everything)), true), (.load(.status), false),
      (.load(.detail("t1", revealed: false)), false), (.load(.allTokens(.everything)), false),
      (.load(.accountRows([])), false), (.serve(ServeOptions()), false), (.stopServing, false),
      (.copy(Copy(text: "", label: "")), false),
    ] as [(Command, Bool)])
  func whatOpensSomethingOrFillsAListIsAwaited(_ command: Command, _ isAwaited: Bool) {
    #expect((command.work != nil) == isAwaited)
  }
}
