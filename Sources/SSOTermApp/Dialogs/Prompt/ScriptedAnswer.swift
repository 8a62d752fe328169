/// What the scenario of a demo has for the prompt that is open, while one of its steps runs.
struct ScriptedAnswer: Equatable, Sendable {
  /// Counted from 1.
  var step: Int
  /// nil: the scenario has no answer to this prompt.
  var answer: Answer?
}

extension PromptDialog {
  /// Whether Enter would send the scenario's answer.
  var isAsScripted: Bool { scripted?.answer != nil && answer == scripted?.answer }

  /// What the keys of the demo would do here, for the status line; nil without a step.
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

  /// On a page with a field letters are text, unless the person has typed nothing in a step; `>` and `<` are the demo's there
  /// in any case.
  func typesAsText(_ key: KeyPress) -> Bool {
    guard case .signIn(let page) = prompt, case .character(let character) = key else { return false }
    guard scripted != nil else { return true }
    let isUntouched = isAsScripted || field.text == (page.asks == .username ? page.username : "")
    return !isUntouched && (character.isLetter || character.isNumber || character == " ")
  }
}
