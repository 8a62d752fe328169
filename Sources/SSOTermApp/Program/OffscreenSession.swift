/// The screens of a lab without a terminal: each key and its commands are carried out at once, and the result is a
/// screen.
struct OffscreenSession {
  private(set) var model: AppModel
  private let runner: CommandRunner

  /// Creates the screens of a lab.
  ///
  /// `file` is the scenario of a demo, whose steps can then be run.
  init(_ lab: Lab, title: String, size: Size = Size(width: 100, height: 30), demo file: ScenarioFile? = nil) {
    runner = CommandRunner(lab: lab, clipboard: ClipboardController(.off) { _ in nil }) {}
    model = AppModel(title: title, size: size)
    if let file {
      model.shared.isPresenting = true
      model.screens.story.show(file, &model.shared)
      model.notice = nil
    }
    carryOut(model.follow(path: "apps"))
  }

  mutating func press(_ key: KeyPress) { carryOut(update(&model, .event(.key(key)))) }

  private mutating func carryOut(_ commands: [Command]) {
    var queue = commands
    while !queue.isEmpty {
      if let message = runner.run(queue.removeFirst()) { queue += update(&model, message) }
    }
  }

  var picture: Grid {
    var grid = Grid(width: model.size.width, height: model.size.height)
    view(model, into: &grid)
    return grid
  }
}
