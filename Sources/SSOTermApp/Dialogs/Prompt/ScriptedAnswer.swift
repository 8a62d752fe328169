/// The answer that the scenario of a demo has for the open prompt, while one of its steps is running.
struct ScriptedAnswer: Equatable, Sendable {
  /// The number of the step, counted from 1.
  var step: Int
  /// The answer, or `nil` if the scenario has no answer to this prompt.
  var answer: Answer?
}

extension PromptDialog {
  /// Whether Enter would send the scenario's answer.
  var isAsScripted: Bool { scripted?.answer != nil && answer == scripted?.answer }

  /// The text for the status line about the keys of the demo, or `nil` outside a step.
  var scriptHint: String? {
    guard let scripted, !isSigningOut else { return nil }
    let way =
      switch scripted.answer {
      case nil: "the scenario has no answer to this prompt"
      case _ where isAsScripted: "Enter or > sends the scenario's answer"
      case .cancel?: "the scenario cancels here: > or Esc"
      default: "this is not the scenario's answer, > sends that"
      }
    return "Step \(scripted.step): \(way); \(escapeLeavesStep ? "Esc or <" : "<") leaves the step."
  }

  /// Returns whether a key is text for the field of the page.
  ///
  /// While a step of a demo is running, letters, digits, and spaces are text only after the user has typed something,
  /// and `>` and `<` always belong to the demo.
  func typesAsText(_ key: KeyPress) -> Bool {
    guard case .signIn(let page) = prompt, case .character(let character) = key else { return false }
    guard scripted != nil else { return true }
    let isUntouched = isAsScripted || field.text == (page.asks == .username ? page.username : "")
    return !isUntouched && (character.isLetter || character.isNumber || character == " ")
  }
}
