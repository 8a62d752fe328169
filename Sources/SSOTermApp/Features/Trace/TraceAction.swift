/// The actions on traces and their steps.
enum TraceAction: FeatureAction {
  case nextStep, previousStep, mark, jumpToMark, note, follow, exportMenu, paste
  case play, faster, slower
  case export(ExportForm)

  var changesLab: Bool { self == .note || self == .paste }

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.trace
    return switch self {
    case .nextStep: screen.list.state.selection + 1 < screen.list.count ? nil : "last step"
    case .previousStep: screen.list.state.selection > 0 ? nil : "first step"
    case .play: screen.list.count > 1 ? nil : "there is nothing to play"
    case .faster: screen.playback.canBeFaster ? nil : "it is the fastest"
    case .slower: screen.playback.canBeSlower ? nil : "it is the slowest"
    case .mark, .note: screen.selectedStep == nil ? "select one step first; Enter opens the row" : nil
    case .jumpToMark:
      (model.selection.trace.flatMap { screen.marks[$0] } ?? []).isEmpty ? "m marks a step" : nil
    case .exportMenu, .export: model.selection.trace == nil ? "no trace yet" : nil
    case .follow, .paste: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .nextStep, .previousStep:
      model.screens.trace.playback.isRunning = false
      model.screens.trace.list.state.selection += self == .nextStep ? 1 : -1
      model.shared.scroll = 0
    case .play: model.screens.trace.play()
    case .faster, .slower:
      model.screens.trace.playback.change(by: self == .faster ? 1 : -1)
      model.shared.say("Speed: \(model.screens.trace.playback.words).")
    case .mark, .jumpToMark, .note:
      if let id = model.selection.trace, let step = model.screens.trace.selectedRow?.first {
        run(on: &model, trace: id, step: step)
      }
    case .follow:
      model.screens.traces.follows.toggle()
      model.shared.say(model.screens.traces.follows ? "Following new traces." : "Not following.")
    case .exportMenu: model.shared.open(Menu(.export))
    case .paste: model.shared.open(PasteField())
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
      // The next marked step that is shown, or the first one after the last.
      let screen = model.screens.trace
      let marked = (screen.marks[id] ?? []).filter { mark in
        screen.flow.row(of: mark).map(screen.list.matches.contains) ?? false
      }.sorted()
      guard let next = marked.first(where: { $0 > step }) ?? marked.first else { return }
      model.screens.trace.select(step: next)
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
      guard let id = model.selection.trace, let step = model.screens.trace.selectedStep else { return [] }
      return [.note(trace: id, step: step, text: argument)]
    default: return nil
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    guard let id = model.selection.trace else { return nil }
    switch self {
    case .exportMenu: return ["trace", "export", "\(id)", "--as", argument.isEmpty ? "text" : argument]
    case .note:
      guard let step = model.screens.trace.selectedStep, !argument.isEmpty else { return nil }
      return ["trace", "note", "\(id)", "\(step + 1)", argument]
    default: return nil
    }
  }
}

extension TraceScreen {
  /// Starts or stops the playback, which begins again with the first step if the last one is selected.
  mutating func play() {
    guard !playback.isRunning else {
      playback.isRunning = false
      return
    }
    if list.state.selection + 1 >= list.count { list.state.selection = 0 }
    playback.start()
  }

  /// Advances to the next step after a step has been lit for its time.
  mutating func beat() {
    guard playback.isRunning else { return }
    list.state.selection = min(list.state.selection + 1, max(0, list.count - 1))
    playback.beat()
    if list.state.selection + 1 >= list.count { playback.isRunning = false }
  }
}
