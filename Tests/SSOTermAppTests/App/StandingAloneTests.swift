import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOTermApp
@testable import TerminalUI

/// Texts that are shown without their list, compared with what is on the screen beside them.
@Suite struct StandingAloneTests {
  /// Regression: it was "✗ same client ID: b6c69a37…", which reads as if the ID were the same.
  @Test func aFailedConditionIsSaidAsASentence() {
    var check = Check("same client ID", expected: "a", found: "b", false, source: "claim C1")
    #expect(
      Notice(Outcome(.failed, "x", failedCheck: check)).text == "✗ “same client ID” does not hold: b. x")
    check.failure = "its client ID differs from Mail's"
    #expect(
      Notice(Outcome(.failed, "x", failedCheck: check)).text == "✗ Its client ID differs from Mail's. x")
  }

  @Test func theReasonIsSaidOnce() throws {
    var keys = try LabByKeys("contoso-suite")
    let text = FrameSample("", keys.model).frame(Size(width: 80, height: 24)).text()
    #expect(text.contains("NEXT would prompt: no account is signed in") && !text.contains("because"))
    keys.press("t")
    #expect(keys.model.notice?.text == "✓ The lab's clock is moved 1h forward.")
    keys.press("T")
    #expect(keys.model.notice?.text == "✓ The lab's clock is no longer moved.")
  }

  /// Regression: it said "none: Nothing is stored" about an item that existed.
  @Test func anItemWithoutAStateIsNotCalledMissing() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("5")
    keys.press(.tab)
    for _ in 0..<20 where keys.model.screens.keychain.selectedItem?.isDated == true { keys.press("j") }
    #expect(keys.model.screens.keychain.selectedItem?.isDated == false)
    keys.press("W")
    #expect(keys.model.notice?.text == "This item is not a token: it has no state. :explain takes a code.")
    #expect(keys.model.dialogs.isEmpty)
  }
}
