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

/// The actions on real projects.
///
/// This program never writes to their files.
enum DoctorAction: FeatureAction {
  /// Only in the palette: opens a path.
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
      // Check the files at once, even if the system does not watch folders.
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

  /// Returns the check of the dialog, or else of the focused panel.
  private func check(in model: AppModel) -> DoctorCheck? {
    model.topDialog(Finding.self)?.check ?? (model.panel == 1 ? model.screens.doctor.selectedCheck : nil)
  }

  /// Expands the home folder in a path, because no shell has done so.
  private static func inHome(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = StandardStreams.variable("HOME") else { return path }
    return home + path.dropFirst()
  }
}
