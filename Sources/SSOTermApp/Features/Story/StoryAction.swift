import SSOScenarios
import TerminalUI

extension KeyCommand {
  static let storyNext = KeyCommand(
    StoryAction.next, [.character(">")], ">", "tell next", name: "story next",
    "Tells the next step of the demo's story; its answers are filled in, Enter sends them.")
  static let storyBack = KeyCommand(
    StoryAction.back, [.character("<")], "<", "tell back", name: "story back",
    "Goes a step back in the demo's story. What you did besides is taken back too.")
}

/// Going through the story, from any screen.
enum StoryAction: FeatureAction {
  case next, back

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    guard let story = model.screens.story.story else { return StoryScreen.noStory }
    return switch self {
    case .next: story.next == nil ? "the story is told" : nil
    case .back: story.reports.isEmpty ? "nothing was told yet" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    guard let story = model.screens.story.story else { return [] }
    guard self == .next else {
      return model.shared.begin(
        "A step back", .retell(Array(story.steps.prefix(max(0, story.reports.count - 1)))))
    }
    guard let step = story.next else { return [] }
    let number = story.reports.count + 1
    return model.shared.begin(
      "Step \(number) of \(story.steps.count): \(step.title)", .tell(StepTelling(step, index: number)))
  }
}
