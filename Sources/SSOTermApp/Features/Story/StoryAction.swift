extension KeyCommand {
  static let storyNext = KeyCommand(
    StoryAction.next, [.character(">")], ">", "next step", name: "story next",
    "Runs the next step of the demo's scenario; its answers are filled in, Enter or > sends them. While the presenter bar "
      + "is shown, Page Down and Space do the same, Page Up goes back.")
  static let storyBack = KeyCommand(
    StoryAction.back, [.character("<")], "<", "step back", name: "story back",
    "Goes one step back in the demo's scenario; what you did in between is undone too. In a step that asks "
      + "something, it leaves that step.")
}

/// The actions that go through the steps of a demo's scenario, from any screen.
enum StoryAction: FeatureAction {
  var keyGroup: KeyGroup { .story }
  case next, back

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    guard let story = model.screens.story.story else { return StoryScreen.noStory }
    if let prompt = model.topDialog(PromptDialog.self) {
      guard let scripted = prompt.scripted else { return "no step asks this" }
      return self == .next && scripted.answer == nil ? "the scenario has no answer to this prompt" : nil
    }
    return switch self {
    case .next: story.next == nil ? "all steps were run" : nil
    case .back: story.reports.isEmpty ? "no step was run yet" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    guard let story = model.screens.story.story else { return [] }
    if let prompt = model.topDialog(PromptDialog.self) { return answer(prompt, &model) }
    // The next step keeps the changes of the last one.
    if model.topDialog(Effects.self) != nil { model.dialogs.removeLast() }
    guard self == .next else {
      return model.shared.begin(
        "Previous step", .rerunSteps(Array(story.steps.prefix(max(0, story.reports.count - 1)))))
    }
    guard let step = story.next else { return [] }
    let number = story.reports.count + 1
    return model.shared.begin(
      "Step \(number) of \(story.steps.count): \(step.title)", .runStep(StepExecution(step, index: number)))
  }

  /// Sends the scenario's answer to the prompt of a step, or leaves the step, of which nothing is kept.
  private func answer(_ prompt: PromptDialog, _ model: inout AppModel) -> [Command] {
    if self == .next {
      return prompt.scripted?.answer.map { PromptAction.send($0, of: prompt, &model.shared) } ?? []
    }
    prompt.leaveStep(&model)
    return []
  }
}

extension PromptDialog {
  /// Whether Esc leaves the step of a demo.
  ///
  /// It cancels only where the scenario does.
  var escapeLeavesStep: Bool {
    guard let scripted, scripted.answer != .cancel else { return false }
    if case .errorPage = prompt { return false }
    return true
  }

  /// Closes the prompt.
  ///
  /// Nothing of the step is kept, and the step can be run again.
  func leaveStep(_ model: inout AppModel) {
    model.dialogs.removeLast()
    model.screens.story.story?.execution = nil
    model.shared.say("Step \(scripted?.step ?? 0) is left; it changed nothing. > runs it again.")
  }
}

/// The keys of a presenter's remote control, which go through the steps from any screen while a demo is presented.
enum PresenterRemote {
  static func command(of key: KeyPress, in model: AppModel) -> KeyCommand? {
    guard model.isPresenting, model.hasStory, takes(key, in: model) else { return nil }
    return switch key {
    case .pageDown: .storyNext
    case .pageUp: .storyBack
    // In a trace, Space plays the steps of the trace.
    case .character(" ") where !model.dialogs.isEmpty || model.place.screen != .trace: .storyNext
    default: nil
    }
  }

  /// Returns whether nothing is open in which the key scrolls or is text.
  private static func takes(_ key: KeyPress, in model: AppModel) -> Bool {
    if let prompt = model.topDialog(PromptDialog.self) {
      return prompt.scripted != nil && model.context != .filter && !prompt.typesAsText(key)
    }
    return model.topDialog(Effects.self) != nil || model.dialogs.isEmpty && !model.activeList.isFiltering
  }
}
