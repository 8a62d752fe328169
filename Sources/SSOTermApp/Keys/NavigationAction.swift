import SSOCore
import SSOLab
import SSOReference
import TerminalUI

/// The actions for moving between screens, and for the appearance of the window.
enum NavigationAction: FeatureAction {
  case open, back, quit, leave
  /// C-c: quits like a program that was interrupted.
  case interrupt
  case screen(Int)
  case previousScreen, nextPanel, previousPanel
  case zoom, unzoom, presenter, mouse, timeStyle
  /// Chooses the colours, which change while the user moves through the list.
  case theme
  case redraw, reload, suspend
  /// Only in the palette: shows a screen by its path.
  case go

  var keyGroup: KeyGroup { self == .open ? .act : .everywhere }

  func obstacle(in model: AppModel) -> String? {
    switch self {
    case .open: model.screen.reasonCannotOpen(model.shared)
    case .back:
      model.stack.count > 1 || model.panel > 0 || model.activeList.isFiltered || !model.marked.isEmpty
        || model.isZoomed ? nil : "no previous screen"
    case .screen(let number): model.obstacle(toShow: Place.tabScreens[number])
    case .previousScreen: model.previousTab == nil ? "no other screen yet" : nil
    case .nextPanel, .previousPanel:
      type(of: model.screen).panelCount == 1 ? "there is only one panel" : nil
    case .zoom:
      model.isZoomed
        ? "already"
        : model.layout.isSingle || type(of: model.screen).panelCount == 1 ? "there is only one panel" : nil
    case .unzoom: model.isZoomed ? nil : "all panels are shown"
    case .presenter: model.layout.hasRoomForPresenter ? nil : "the window has fewer than 20 rows"
    case .quit, .leave, .interrupt, .mouse, .theme, .timeStyle, .redraw, .reload, .suspend, .go: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .open: return model.open()
    case .back: return model.goBack()
    case .quit: return model.stack.count > 1 ? model.goBack() : quit(&model)
    case .leave: return leave(model)
    case .interrupt: return [.finish(.cancelled)]
    case .screen(let number): return model.show(Place.tabs[number])
    case .previousScreen: return model.previousTab.map { model.show($0) } ?? []
    case .nextPanel: model.focusPanel(model.panel + 1)
    case .previousPanel: model.focusPanel(model.panel - 1)
    case .zoom: model.isZoomed = true
    case .unzoom: model.isZoomed = false
    case .presenter:
      model.isPresenting.toggle()
      model.keyEcho = ""
    case .mouse:
      model.hasMouse.toggle()
      model.shared.say(
        model.hasMouse
          ? model.shared.keys.fill(
            "Clicks work; Shift-drag selects text. Press {mouse} to turn the mouse off.")
          : "The mouse is off: dragging selects text.")
      return [.mouse(model.hasMouse)]
    case .theme:
      let present = model.shared.theme
      model.shared.open(
        Choice(
          ThemeChoice(), title: "Colours", Theme.allCases.map { Candidate($0.rawValue, $0.remark) },
          present: present?.rawValue))
    case .timeStyle:
      model.times.style = model.times.style.next
      let style = model.times.style
      model.shared.say(
        style == .left ? "Showing time left." : "Showing \(style == .utc ? "UTC" : "local") time.")
    case .redraw: return [.redraw]
    case .reload: return model.reload()
    case .suspend: return [.suspend]
    case .go: model.shared.sayArgumentIsMissing()
    }
    return []
  }

  /// Quits, but asks first if something would be lost.
  private func quit(_ model: inout AppModel) -> [Command] {
    let scenarios = model.screens.scenarios
    if scenarios.checklist != nil, !scenarios.isReported {
      model.shared.open(QuitConfirmation.checklist)
      return []
    }
    let isInMemory = model.lab.status.map { $0.storePath == nil } ?? false
    let hasHistory =
      model.lab.status?.canUndo != nil || model.screens.demo.running?.reports.isEmpty == false
    // A file, or the projects that doctor reads, are left as they are.
    guard isInMemory, hasHistory, !model.lab.isReadOnly else { return leave(model) }
    model.shared.open(QuitConfirmation.demo)
    return []
  }

  private func leave(_ model: AppModel) -> [Command] { [.finish(model.isPickerOnly ? .cancelled : .quit)] }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    switch self {
    case .timeStyle:
      guard let style = TimeStyle(rawValue: argument.lowercased()) else {
        return model.shared.refuse("way to show time", argument, among: TimeStyle.allCases.map(\.rawValue))
      }
      model.times.style = style
      return []
    case .go:
      let name = String(argument.prefix { $0 != "/" }).lowercased()
      let known = model.tabs.map { $0.title.lowercased() }
      return known.contains(name)
        ? model.follow(path: argument) : model.shared.refuse("place", argument, among: known)
    default: return nil
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    switch self {
    case .screen(let number): ["tui", Place.tabs[number].title.lowercased()]
    case .go: argument.isEmpty ? nil : ["tui", argument]
    default: nil
    }
  }
}

/// The choice of a theme, which is shown while it is selected.
struct ThemeChoice: ChoicePurpose {
  func run(_ chosen: String, on model: inout AppModel) -> [Command] {
    model.shared.theme = Theme(rawValue: chosen)
    model.shared.say("Theme: \(chosen).")
    return []
  }
}

extension AppModel {
  /// The theme to draw with, or `nil` for the initial theme of the program.
  ///
  /// A theme that is selected, in its list or in the palette, is shown before it is chosen.
  var shownTheme: Theme? {
    if let choice = topDialog(Choice.self), choice.purpose is ThemeChoice {
      return choice.selected.flatMap { Theme(rawValue: $0.value) } ?? shared.theme
    }
    return topDialog(Palette.self)?.selectedTheme(in: behind) ?? shared.theme
  }
}

extension Theme {
  fileprivate var remark: String {
    switch self {
    case .auto: "follows the terminal's background"
    case .dark: "for a dark background"
    case .light: "for a light background"
    case .terminal: "the terminal's own 16 colours"
    case .highContrast: "contrast of at least 7:1"
    case .blueOrange: "for people who cannot tell red from green"
    }
  }
}

/// The actions for the lab's clock, and for undoing changes.
enum ClockAction: FeatureAction {
  var keyGroup: KeyGroup { .everywhere }
  case undo, redo, forward, real
  /// Only in the palette: moves the clock by any duration.
  case move

  static let keys: [KeyCommand] = [
    KeyCommand(undo, [.character("z")], "z", "undo", name: "undo", "Undoes your last change."),
    KeyCommand(
      redo, [.character("Z")], "Z", "redo", name: "redo", "Redoes the last change that you undid."),
    .repeatFlow,
    KeyCommand(
      forward, [.character("t")], "t", "+1h", name: "clock +1h", "Moves the lab's clock forward by one hour."),
    KeyCommand(
      real, [.character("T")], "T", "reset clock", name: "clock reset",
      "Resets the lab's clock."),
  ]

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    switch self {
    case .undo: model.lab.status?.canUndo == nil ? nothingToUndo(model) : nil
    case .redo: model.lab.status?.canRedo == nil ? "nothing to redo" : nil
    case .real: model.lab.status?.clockOffset == nil ? "the clock is not moved" : nil
    case .forward, .move:
      model.place.screen == .doctor
        ? "the clock does not change files" : model.lab.logFacts == nil ? nil : "a log has no clock"
    }
  }

  /// Returns the reason that there is nothing to undo.
  ///
  /// Another user's change stays, and is mentioned.
  private func nothingToUndo(_ model: AppModel) -> String {
    model.lab.status?.othersChange.map { "nothing of yours; the last is \($0)" } ?? "nothing to undo"
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .undo: return model.shared.begin("Undoing", .undo)
    case .redo: return model.shared.begin("Redoing", .redo)
    case .forward: return model.shared.begin("Moving the clock", .perform(MoveClock(bySeconds: 3600)))
    case .real: return model.shared.begin("Setting the clock", .perform(MoveClock(bySeconds: nil)))
    case .move:
      model.shared.sayArgumentIsMissing()
      return []
    }
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    guard self == .move else { return nil }
    if argument == "reset" { return Self.real.run(on: &model) }
    guard let seconds = parseDuration(argument) else {
      return model.shared.refuse("step", argument, among: ["+1h"])
    }
    return model.shared.begin("Moving the clock", .perform(MoveClock(bySeconds: seconds)))
  }

  func object(in model: AppModel) -> String {
    switch self {
    case .undo: model.lab.status?.canUndo ?? ""
    case .redo: model.lab.status?.canRedo ?? ""
    case .forward, .real, .move: ""
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    switch self {
    case .undo: Advice.Action(.undo).commandWords
    case .redo: Advice.Action(.redo).commandWords
    case .forward: ["clock", "+1h"]
    case .real: Advice.Action(.resetClock).commandWords
    case .move: argument.isEmpty ? nil : ["clock", argument]
    }
  }
}
