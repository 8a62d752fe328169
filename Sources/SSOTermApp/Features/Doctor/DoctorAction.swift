extension DoctorScreen {
  static let keys: [KeyCommand] = .ofScreen(
    own: [
      .editPlace,
      KeyCommand(
        DoctorAction.judge, [.character("r")], "r", "judge again", name: "judge",
        "Reads and judges the files again, as happens by itself when one of them changes."),
    ], copy: .copyFix)
}

extension KeyCommand {
  static let editPlace = KeyCommand(
    DoctorAction.edit, [.character("e")], "e", "edit", name: "edit",
    "Opens the file of the selected check in your editor (VISUAL or EDITOR), at its line.")
  static let copyFix = KeyCommand(
    DoctorAction.copyFix, [.character("y")], "y", "copy the lines", name: "copy fix",
    "Copies the lines to write instead.")
}

/// What can be done with real projects: nothing of them is written by this program.
enum DoctorAction: FeatureAction {
  /// Of the palette: a path.
  case open
  case judge, edit, copyFix

  func obstacle(in model: AppModel) -> String? {
    switch self {
    case .open: nil
    case .judge: model.place.project == nil ? "no project is open" : nil
    case .edit:
      switch check(in: model) {
      case nil: "select a check first"
      case let check?:
        SampleProject(check.place.path) == nil ? nil : "a sample is part of the program and cannot be edited"
      }
    case .copyFix: check(in: model)?.fix == nil ? "there are no lines to write for it" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .open:
      model.shared.sayArgumentIsMissing()
      return []
    case .judge: return model.reload()
    case .edit:
      // What was changed is judged at once, where the system watches no folders too.
      return check(in: model).map { [.edit($0.place)] + model.reload() } ?? []
    case .copyFix:
      return check(in: model)?.fix.map { [.copy(Copy(text: $0, label: CopyItem.fix.words))] } ?? []
    }
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    guard self == .open else { return nil }
    return model.open(.doctor(ProjectSource(paths: [Self.inHome(argument)])))
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    switch self {
    case .open: argument.isEmpty ? nil : ["doctor", Self.inHome(argument), "--open"]
    case .judge: model.place.project.map { ["doctor"] + $0.paths }
    case .edit, .copyFix: nil
    }
  }

  /// The check of the dialog, else of the panel that has the keys.
  private func check(in model: AppModel) -> DoctorCheck? {
    model.topDialog(Finding.self)?.check ?? (model.panel == 1 ? model.screens.doctor.selectedCheck : nil)
  }

  /// No shell has read the path.
  private static func inHome(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = StandardStreams.variable("HOME") else { return path }
    return home + path.dropFirst()
  }
}
