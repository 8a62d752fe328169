/// The actions of Enter on a row of the Lab screen's right panel.
enum LabRowAction: FeatureAction {
  case change
  /// Runs another action on the record.
  case run

  static let keys: [KeyCommand] = [
    KeyCommand(
      change, [.enter], "Enter", "change", name: "change field", "Changes the selected field of a record."),
    KeyCommand(
      run, [.enter], "Enter", "run", name: "run action",
      "Runs the action of the selected row: adds a record, removes it, reports the device as compliant."
    ),
  ]

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    guard model.place.screen == .records, model.panel == 1, let row = model.screens.lab.selectedField else {
      return "Tab, then select a \(self == .change ? "field" : "line in brackets")"
    }
    switch (self, row) {
    case (.change, .field), (.run, .action): return model.screens.lab.reasonCannotOpen(model.shared)
    case (.change, .action): return "no field"
    case (.run, .field): return "a field is changed"
    }
  }

  func run(on model: inout AppModel) -> [Command] { model.open() }
}
