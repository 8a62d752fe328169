/// What can be done with traces and their steps.
enum TraceAction: FeatureAction {
  case nextStep, previousStep, mark, jumpToMark, note, follow, exportMenu
  case export(ExportForm)

  var changesLab: Bool { self == .note }

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.trace
    return switch self {
    case .nextStep: screen.list.state.selection + 1 < screen.list.count ? nil : "last step"
    case .previousStep: screen.list.state.selection > 0 ? nil : "first step"
    case .mark, .note: screen.selectedHop == nil ? "select a step first" : nil
    case .jumpToMark:
      (model.selection.trace.flatMap { screen.marks[$0] } ?? []).isEmpty ? "m marks a step" : nil
    case .exportMenu, .export: model.selection.trace == nil ? "no trace yet" : nil
    case .follow: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .nextStep: model.screens.trace.list.state.selection += 1
    case .previousStep: model.screens.trace.list.state.selection -= 1
    case .mark, .jumpToMark, .note:
      if let id = model.selection.trace, let step = model.screens.trace.list.selectedRow {
        run(on: &model, trace: id, step: step)
      }
    case .follow:
      model.screens.traces.follows.toggle()
      model.shared.say(model.screens.traces.follows ? "Following new traces." : "Not following.")
    case .exportMenu: model.shared.open(Menu(.export))
    case .export(let form):
      if model.topDialog(Menu.self) != nil { model.dialogs.removeLast() }
      return model.selection.trace.map { [.export(trace: $0, form)] } ?? []
    }
    return []
  }

  private func run(on model: inout AppModel, trace id: Int64, step: Int) {
    switch self {
    case .mark: model.screens.trace.marks[id, default: []].formSymmetricDifference([step])
    case .jumpToMark:
      // The next marked step that is shown; after the last comes the first.
      let list = model.screens.trace.list
      let marked = (model.screens.trace.marks[id] ?? []).filter(list.matches.contains).sorted()
      guard let next = marked.first(where: { $0 > step }) ?? marked.first else { return }
      model.screens.trace.list.select(id: "\(next)")
    default:
      let field = TextField(model.screens.trace.trace?.notes[step] ?? "")
      model.shared.open(NoteField(trace: id, step: step, field: field))
    }
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    switch self {
    case .exportMenu:
      return Self.run(argument, among: ExportForm.allCases.map { ($0.word, .export($0)) }, on: &model)
    case .note:
      guard let id = model.selection.trace, let step = model.screens.trace.list.selectedRow else { return [] }
      return [.note(trace: id, step: step, text: argument)]
    default: return nil
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    guard let id = model.selection.trace else { return nil }
    switch self {
    case .exportMenu: return ["trace", "export", "\(id)", "--as", argument.isEmpty ? "text" : argument]
    case .note:
      guard let step = model.screens.trace.list.selectedRow, !argument.isEmpty else { return nil }
      return ["trace", "note", "\(id)", "\(step + 1)", argument]
    default: return nil
    }
  }
}
