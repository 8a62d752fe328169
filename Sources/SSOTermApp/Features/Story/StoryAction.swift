extension KeyCommand {
  static let storyNext = KeyCommand(
    StoryAction.next, [.character(">")], ">", "next step", name: "story next",
    "Runs the next step of the demo's scenario; its answers are filled in, Enter sends them.")
  static let storyBack = KeyCommand(
    StoryAction.back, [.character("<")], "<", "step back", name: "story back",
    "Goes one step back in the demo's scenario. What you did in between is undone too.")
}

/// Going through the steps of a demo's scenario, from any screen.
enum StoryAction: FeatureAction {
  case next, back

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    guard let story = model.screens.story.story else { return StoryScreen.noStory }
    return switch self {
    case .next: story.next == nil ? "all steps were run" : nil
    case .back: story.reports.isEmpty ? "no step was run yet" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    guard let story = model.screens.story.story else { return [] }
    guard self == .next else {
      return model.shared.begin(
        "Previous step", .rerunSteps(Array(story.steps.prefix(max(0, story.reports.count - 1)))))
    }
    guard let step = story.next else { return [] }
    let number = story.reports.count + 1
    return model.shared.begin(
      "Step \(number) of \(story.steps.count): \(step.title)", .runStep(StepExecution(step, index: number)))
  }
}
