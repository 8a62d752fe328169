/// A command from the settings, which runs its program with values of the selection.
enum CustomAction: FeatureAction {
  case run(CustomCommand)
  /// The user's confirmation that the program may run.
  case confirm

  func obstacle(in model: AppModel) -> String? {
    guard case .run(let command) = self else { return nil }
    for value in command.needed where value.text(in: model) == nil {
      return "nothing that is selected has $\(value.rawValue)"
    }
    for word in command.words.dropFirst() {
      // A program would take such an argument for an option, even where it expects a value.
      if case .value(let value)? = word.first, value.text(in: model)?.hasPrefix("-") == true {
        return "$\(value.rawValue) begins with “-”, which programs take for an option"
      }
    }
    return nil
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .run(let command):
      let program = ExternalProgram(command, in: model)
      guard command.asksFirst else { return [.runProgram(program)] }
      model.shared.open(RunConfirmation(program: program))
      return []
    case .confirm:
      guard let question = model.topDialog(RunConfirmation.self) else { return [] }
      model.dialogs.removeLast()
      return [.runProgram(question.program)]
    }
  }
}

extension ExternalProgram {
  /// Creates a program with the values of the current selection in its arguments and in its environment.
  fileprivate init(_ command: CustomCommand, in model: AppModel) {
    name = command.name
    words = command.words.map { word in
      word.map { piece in
        switch piece {
        case .text(let text): text
        case .value(let value): value.text(in: model) ?? ""
        }
      }.joined()
    }
    for value in CustomCommand.Value.allCases { variables[value.rawValue] = value.text(in: model) }
  }
}

extension KeyContext { static let runQuestion = KeyContext("runQuestion") }

/// The confirmation that precedes a program whose command contains `confirm: true`.
struct RunConfirmation: TextWindow {
  var program: ExternalProgram

  static let keys: [KeyContext: [KeyCommand]] = [
    .runQuestion: [
      KeyCommand(CustomAction.confirm, [.enter], "Enter", "run", name: "run program", "Runs the program."),
      DialogAction.closeQuietly,
    ]
  ]

  var context: KeyContext { .runQuestion }
  var title: String { "Run “\(program.name)”?" }
  var mostWidth: Int { 76 }

  func lines(width: Int) -> [PanelLine] {
    wrapped(program.words.map(shellWord).joined(separator: " "), width).map { PanelLine($0, .bold) }
      + [PanelLine(""), PanelLine("Enter runs it, Esc does not.", .dim)]
  }
}
