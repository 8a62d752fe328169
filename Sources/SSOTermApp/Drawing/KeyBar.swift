import SSOScenarios
import TerminalUI

/// Draws the last line, which contains only keys that are available now, and always `? help`.
///
/// The order of the key table decides which keys fit. Keys of the same group are then drawn together.
func drawKeys(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  let keys = model.shared.keys[model.context]
  let isNarrow = model.layout.isNarrow && model.dialogs.isEmpty
  var bar = KeyBar(width: row.width - 2)
  for key in keys.bar where !isNarrow || key.isHelp {
    // Check only commands that fit for whether they are available.
    if bar.hasRoom(for: key), keys.isLive(key.place, in: model) { bar.add(key) }
  }
  var x = 1
  for (number, group) in bar.groups.enumerated() {
    if number > 0 {
      grid.put("│", at: x + 1, row.y, width: 1, style: .dim)
      x += KeyBar.divider
    }
    for (place, key) in group.enumerated() {
      if place > 0 { x += KeyBar.gap }
      let command = keys.commands[key.place]
      grid.put(command.keyText, at: x, row.y, width: key.keyWidth, style: .title)
      grid.put(command.label, at: x + key.keyWidth + 1, row.y, style: .dim)
      if let first = command.keys.first {
        grid.add(Touch(.key(first), Rect(x: x, y: row.y, width: key.width, height: 1)))
      }
      x += key.width
    }
  }
}

/// The commands that the key bar has room for.
private struct KeyBar {
  static let gap = 2
  static let divider = 3

  let width: Int
  private var used = 0
  private var chosen: [BarKey] = []

  init(width: Int) { self.width = width }

  var groups: [[BarKey]] {
    let sorted = chosen.sorted { $0.place < $1.place }
    return KeyGroup.allCases.map { group in sorted.filter { $0.group == group } }.filter { !$0.isEmpty }
  }

  func hasRoom(for key: BarKey) -> Bool { used + needed(by: key) <= width }

  mutating func add(_ key: BarKey) {
    used += needed(by: key)
    chosen.append(key)
  }

  private func needed(by key: BarKey) -> Int {
    let hasGroup = chosen.contains { $0.group == key.group }
    return (hasGroup ? Self.gap : chosen.isEmpty ? 0 : Self.divider) + key.width
  }
}

extension ContextKeys {
  /// Returns whether one of its keys runs a command now.
  ///
  /// If several commands have the same key, this is true for only one of them.
  func isLive(_ place: Int, in model: AppModel) -> Bool {
    let command = commands[place]
    guard model.obstacle(to: command.action.value) == nil else { return false }
    if hasOwnKeys(place), model.dialogs.isEmpty { return !command.keys.isEmpty }
    return command.keys.contains { model.commandPlace(of: $0, in: self) == place }
  }
}

/// Draws the bar for an audience: the note of a demo's step and the next step, or the state in one line.
///
/// At the right is the next key, and small above it the last one. Text that was typed into a field is never shown.
func drawPresenterBar(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let style = Style(.accent, bold: true, reverse: true)
  let quiet = Style(.accent, reverse: true)
  grid.fill(rect, style: style)
  var echo = model.keyEcho.isEmpty ? "" : "pressed \(model.keyEcho)"
  if let heading = model.screens.demo.running?.progressHeading,
    columnWidth(heading) + columnWidth(echo) + 6 > rect.width
  {
    // The heading of the step is worth more than what the key is called.
    echo = echo.split(separator: " ").prefix(2).joined(separator: " ")
  }
  let echoWidth = min(columnWidth(echo), rect.width / 3)
  grid.put(echo, at: rect.maxX - echoWidth - 2, rect.y, width: echoWidth, style: quiet)
  let width = rect.width - 4
  guard let demo = model.screens.demo.running else {
    let text = truncated(model.working ?? sentence(model), width)
    return grid.put(text, at: rect.x + 2, rect.y + 1, width: width, style: style)
  }
  grid.put(demo.progressHeading, at: rect.x + 2, rect.y, width: width - echoWidth - 2, style: style)
  let (notes, foot) = Rect(x: rect.x, y: rect.y + 1, width: rect.width, height: rect.height - 1).splitBottom(
    1)
  var lines = wrapped(demo.presentNote, width)
  if lines.count > notes.height {
    let rest = lines.dropFirst(max(0, notes.height - 1)).joined(separator: " ")
    lines = lines.prefix(max(0, notes.height - 1)) + [truncated(rest, width)]
  }
  for (row, line) in lines.prefix(notes.height).enumerated() {
    grid.put(line, at: notes.x + 2, notes.y + row, width: width, style: demo.asks ? style : quiet)
  }
  let (comes, key) = nextStep(model, demo)
  grid.put(comes, at: foot.x + 2, foot.y, width: width - columnWidth(key) - 2, style: style)
  guard !key.isEmpty else { return }
  grid.put(key, at: foot.maxX - columnWidth(key) - 1, foot.y, style: Style(.normal, bold: true))
}

/// Returns what the demo's next key does, and the key: `next ▸ Grace signs in`, ` press > `.
///
/// A question to the audience comes in place of the next step, which answers it.
private func nextStep(_ model: AppModel, _ demo: Demo) -> (words: String, key: String) {
  // A dialog whose keys do not lead on, such as one in which they type a filter, has to be closed first.
  let isReady = model.shared.keys.commands(in: model.context).contains { $0.name == "demo next" }
  let forward =
    model.shared.autoPace != nil
    ? " automatic " : model.shared.keys.fill(isReady ? " press {demo next} " : " Esc, then {demo next} ")
  // Its step is under way below other dialogs too, such as the help.
  let prompt = model.dialogs.lazy.compactMap { $0.component as? PromptDialog }.last
  if let prompt, let scripted = prompt.scripted {
    return scripted.answer == nil
      ? ("your answer: the scenario has no answer", "")
      : (
        "▸ " + (prompt.isAsScripted ? "send the answer that is filled in" : "send the scripted answer"),
        forward
      )
  }
  guard model.working == nil else { return (model.working ?? "", "") }
  guard let next = demo.next else {
    return ("end of the demo", model.shared.keys.fill(" {demo back} goes back "))
  }
  // The title would give the answer away.
  let ahead = demo.looksAhead ? "next ▸ the step that answers it" : "? \(next.question)"
  return (next.question.isEmpty ? "next ▸ \(next.title)" : ahead, forward)
}

/// Returns the sentence that sums up a screen for an audience outside a demo.
private func sentence(_ model: AppModel) -> String {
  if let prompt = model.dialogs.first?.component as? PromptDialog { return prompt.sentence }
  return model.selection.sentence
}

extension Demo {
  /// Whether the bar is about the next step, because the last one has ended.
  fileprivate var looksAhead: Bool { present > 0 && execution == nil && next != nil }

  /// Whether the bar asks the audience what the next step will show.
  fileprivate var asks: Bool { looksAhead && next?.question.isEmpty == false }

  /// A dot for each step, and the running or next step: `●●○○ Step 3 of 4 is next`.
  fileprivate var progressHeading: String {
    let dots = steps.indices.map { $0 < reports.count ? "●" : $0 < present ? "◔" : "○" }.joined()
    let shown = steps.count > 12 ? "" : dots + "  "
    if present == 0 { return shown + title }
    if looksAhead { return shown + "Step \(present + 1) of \(steps.count) is next" }
    return shown + "Step \(present) of \(steps.count): \(steps[present - 1].title)"
  }

  /// The note in the bar: that of the running step, or the question or the note of the next step.
  ///
  /// Before the first step it is the scenario's own note, and at the end the note of the last step.
  fileprivate var presentNote: String {
    if present == 0 { return note }
    guard looksAhead, let next else { return steps[present - 1].note }
    return asks ? "? " + next.question : next.note
  }
}
