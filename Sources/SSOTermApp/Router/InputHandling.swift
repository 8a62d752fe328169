import TerminalUI

/// The handling of keys, pasted text, and the mouse.
///
/// The drawn screen itself determines what was clicked, so no second layout can disagree with it.
enum InputHandling {
  static func handle(_ event: InputEvent, _ model: inout AppModel) -> [Command] {
    let fits = model.shared.layout.fits
    switch event {
    case .key(let key):
      return clearingNotice(of: &model) { fits ? press(key, &$0) : pressInTooSmallWindow(key, &$0) }
    case .paste(let text):
      if fits { clearingNotice(of: &model) { paste(text, &$0) } }
    case .resize(let width, let height):
      model.size = Size(width: width, height: height)
      return model.withScreen { $0.resized(&$1) }
    case .storeChanged: return model.reload()
    case .mouse(let x, let y, .press):
      return clearingNotice(of: &model) { mouse(.press, x, y, &$0) }
    case .mouse(let x, let y, let kind): return mouse(kind, x, y, &model)
    case .focus, .background, .woken, .deadline: break
    }
    return []
  }

  /// Clears the previous notice, unless `body` posts a new one.
  private static func clearingNotice<Result>(
    of model: inout AppModel, _ body: (inout AppModel) -> Result
  ) -> Result {
    let said = model.shared.noticeNumber
    let wasExplained = model.topDialog(Explained.self) != nil
    let result = body(&model)
    guard model.shared.noticeNumber == said, model.shared.notice != nil else { return result }
    // A notice stays while it is being explained, and afterwards.
    if !wasExplained, model.topDialog(Explained.self) == nil { model.shared.notice = nil }
    return result
  }

  private static func press(_ key: KeyPress, _ model: inout AppModel) -> [Command] {
    let here = model.context
    model.shared.motion = nil
    model.screens.apps.endPicture()
    if model.shared.autoPace != nil {
      model.shared.waits.countAutoBeat(isKey: true)
      // Without a presenter, the prompt or the question that quitting would wait for is never answered.
      if key == .character("q") { return type(key, &model) ? [] : NavigationAction.leave.run(on: &model) }
    }
    if let command = PresenterRemote.command(of: key, in: model) ?? model.command(of: key) {
      // The audience sees the name of a command, but never text that is typed into a field.
      if model.isPresenting {
        // A remote's button stands for the key of the command.
        let isOther = command.keys.dropFirst().contains(key)
        let pressed = isOther ? key.displayText : command.keyText
        model.keyEcho = "\(pressed)  \(command.label.isEmpty ? command.name : command.label)"
      }
      return here == .filter ? command.action.value.run(on: &model) : model.attempt(command, by: key)
    }
    if type(key, &model) { return [] }
    if let commands = move(key, &model) { return commands }
    model.shared.say(refusal(of: key, in: model))
    return []
  }

  /// Returns the text for a key that has no effect here, which names its effect on other screens.
  private static func refusal(of key: KeyPress, in model: AppModel) -> String {
    let context = model.context
    let silence = "\(key.displayText) does nothing here"
    if model.topDialog(PromptDialog.self) != nil, case .character(let digit) = key,
      let number = digit.wholeNumberValue, Place.tabs.indices.contains(number - 1)
    {
      return "\(number) \(Place.tabs[number - 1].title): answer or close the sign-in first."
    }
    guard Place.tabs.contains(where: { $0.screen == context }) || context == .trace else {
      return silence + "."
    }
    var meanings: [(name: String, places: [String])] = []
    for place in Place.tabs {
      guard let command = model.shared.keys.find(key, in: place.screen) else { continue }
      let isAbove = context == .trace && place.screen == .traces
      let name = isAbove ? "the list of traces" : "\(place.tab + 1) \(place.title)"
      if let same = meanings.firstIndex(where: { $0.name == command.name }) {
        meanings[same].places.append(name)
      } else {
        meanings.append((command.name, [name]))
      }
    }
    let words = meanings.map { "“\($0.name)” on \(listed($0.places))" }
    return silence + (words.isEmpty ? "." : ": it is \(words.joined(separator: ", ")).")
  }

  /// Joins names, as in `1 Apps, 3 Tokens and 5 Keychain`.
  private static func listed(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Handles a key in a window that is too small to show what the key would act on: it can only quit, suspend, or
  /// redraw.
  private static func pressInTooSmallWindow(_ key: KeyPress, _ model: inout AppModel) -> [Command] {
    let safe: [KeyCommand] = [.leave, .suspend, .redraw]
    guard let command = model.shared.keys.find(key, in: model.context),
      safe.contains(where: { $0.action == command.action })
    else { return [] }
    return command.action.value.run(on: &model)
  }

  /// Passes a key to the text that is being edited.
  private static func type(_ key: KeyPress, _ model: inout AppModel) -> Bool {
    if let isTaken = model.shared.changeDialog({ $0.type(key) }) { return isTaken }
    guard model.activeList.isFiltering else { return false }
    let before = model.activeList.selectedID
    let isTaken = model.activeList.type(key)
    if before != model.activeList.selectedID { model.withScreen { $0.filterMoved($1) } }
    return isTaken
  }

  private static func paste(_ text: String, _ model: inout AppModel) {
    if model.shared.changeDialog({ $0.paste(text) }) != nil { return }
    if model.activeList.isFiltering { model.activeList.paste(text) }
  }

  /// Moves in the focused dialog, or on the screen if there is no dialog.
  /// - Returns: `nil` if the key does not move there.
  private static func move(_ key: KeyPress, _ model: inout AppModel) -> [Command]? {
    guard !model.shared.dialogs.isEmpty else { return model.move(key) }
    let seen = model
    guard let isTaken = model.shared.changeDialog({ $0.move(key, in: seen) }) else { return model.move(key) }
    return isTaken ? [] : nil
  }

  /// The number of rows to move for each turn of the wheel.
  private static let wheelRows = 3

  /// Handles the mouse.
  ///
  /// A click selects a row or opens the selected row, and the wheel moves the selection.
  private static func mouse(
    _ kind: MouseAction, _ x: Int, _ y: Int, _ model: inout AppModel
  ) -> [Command] {
    switch kind {
    case .wheelUp: return (0..<wheelRows).flatMap { _ in move(.up, &model) ?? [] }
    case .wheelDown: return (0..<wheelRows).flatMap { _ in move(.down, &model) ?? [] }
    case .press: return click(x, y, &model)
    case .release, .drag: return []
    }
  }

  private static func click(_ x: Int, _ y: Int, _ model: inout AppModel) -> [Command] {
    let target = touchableGrid(of: model).touch(at: x, y)
    if case .key(let key)? = target { return press(key, &model) }
    guard model.dialogs.isEmpty else { return target.map { clickDialog($0, &model) } ?? [] }
    return target.map { activate($0, &model) } ?? []
  }

  /// Does what a click on a target of the screen does.
  static func activate(_ target: Touch.Target, _ model: inout AppModel) -> [Command] {
    switch target {
    case .row(let panel, let row):
      let before = (model.panel, model.activeList.state.selection)
      model.panel = panel
      model.activeList.state.selection = row
      guard before == (panel, row) else { return model.selectionMoved() }
      return model.obstacle(to: NavigationAction.open) == nil ? model.open() : []
    case .tab(let number): return model.show(Place.tabs[number])
    case .place(let path): return model.follow(path: path)
    case .button, .text, .key: return []
    }
  }

  /// Handles a click in a dialog, which selects a row, acts as Enter on the selected row, or presses a button.
  private static func clickDialog(_ target: Touch.Target, _ model: inout AppModel) -> [Command] {
    let before = model.dialogs.last
    model.shared.changeDialog { dialog in
      switch target {
      case .row(_, let number): dialog.click(row: number)
      case .button(let number): dialog.click(button: number)
      case .tab(let number): dialog.click(tab: number)
      case .text, .key, .place: break
      }
    }
    switch target {
    case .button: return press(.enter, &model)
    // On the consent page, Enter accepts, whichever row is selected.
    case .row where model.dialogs.last == before && model.context != .consent: return press(.enter, &model)
    default: return []
    }
  }

  /// Returns the drawn screen with the targets of clicks.
  static func touchableGrid(of model: AppModel) -> Grid {
    var grid = Grid(width: model.size.width, height: model.size.height)
    grid.noticesTouches = true
    view(model, into: &grid)
    return grid
  }

  /// Scrolls a focused text panel, but not past its end.
  ///
  /// The drawn screen provides the length of the text.
  /// - Returns: Whether the key scrolls.
  static func scrollText(_ key: KeyPress, _ model: inout AppModel) -> Bool {
    let area = model.shared.layout.panels(of: model).second.belowHeading
    let target = touchableGrid(of: model).touch(at: area.x, area.y)
    let lines = if case .text(let lines) = target { lines } else { 0 }
    var state = ListState(selection: model.scroll)
    guard state.handle(key, count: max(1, lines - area.height + 1), height: area.height) else { return false }
    model.scroll = state.selection
    return true
  }
}
