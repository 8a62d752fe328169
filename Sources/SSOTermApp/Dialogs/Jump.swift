import TerminalUI

extension KeyContext { static let jump = KeyContext("jump") }

/// Letters on the rows of the screen, each of which does what a click there does.
struct Jump: DialogComponent {
  struct Target: Equatable, Sendable {
    var letter: Character
    var touch: Touch
  }

  /// The letters, with the easiest to reach first.
  static let letters = Array("asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM")

  /// Returns letters for the rows of the screen and the places that its panels link to, and then for the tabs.
  static func targets(in model: AppModel) -> [Target] {
    var (rows, tabs): ([Touch], [Touch]) = ([], [])
    for touch in InputHandling.touchableGrid(of: model.behind).touches {
      switch touch.target {
      // An entry of several lines has one letter.
      case .row, .place: if rows.last?.target != touch.target { rows.append(touch) }
      case .tab: tabs.append(touch)
      case .button, .text, .key: break
      }
    }
    return zip(letters, rows + tabs).map { Target(letter: $0, touch: $1) }
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .jump: letters.map { letter in
      KeyCommand(
        JumpAction.go(letter), [.character(letter)], String(letter), "", name: "jump \(letter)",
        "Goes to the row or tab with this letter.")
    } + [.close([.escape], "close", name: "close jump", "Goes back to the screen.")]
  ]

  var context: KeyContext { .jump }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let targets = Self.targets(in: model)
    for target in targets {
      let rect = target.touch.rect
      grid.put(
        String(target.letter), at: rect.x, rect.y, width: 1, style: Style(.accent, bold: true, reverse: true))
    }
    grid.cursor = targets.first.map { Point(x: $0.touch.rect.x, y: $0.touch.rect.y) }
  }
}

/// The actions that show the letters, and that go to one of them.
enum JumpAction: FeatureAction {
  case show
  case go(Character)

  var keyGroup: KeyGroup { .everywhere }

  static let key = KeyCommand(
    JumpAction.show, [.character("'")], "'", "", name: "jump",
    "Shows a letter on each row and tab; the letter goes there, and opens the row if it is selected.")

  func obstacle(in model: AppModel) -> String? {
    guard case .go(let letter) = self else { return nil }
    return Jump.targets(in: model).contains { $0.letter == letter } ? nil : "no row has this letter"
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .show:
      guard !Jump.targets(in: model).isEmpty else {
        model.shared.say("There is no row to go to.")
        return []
      }
      model.shared.open(Jump())
      return []
    case .go(let letter):
      guard let target = Jump.targets(in: model).first(where: { $0.letter == letter }) else { return [] }
      model.dialogs.removeLast()
      return InputHandling.activate(target.touch.target, &model)
    }
  }
}
