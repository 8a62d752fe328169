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
        grid.note(Touch(.key(first), Rect(x: x, y: row.y, width: key.width, height: 1)))
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
  private var chosen: [KeyGroup: [BarKey]] = [:]

  init(width: Int) { self.width = width }

  var groups: [[BarKey]] {
    KeyGroup.allCases.compactMap { chosen[$0]?.sorted { $0.place < $1.place } }
  }

  func hasRoom(for key: BarKey) -> Bool { used + needed(by: key) <= width }

  mutating func add(_ key: BarKey) {
    used += needed(by: key)
    chosen[key.group, default: []].append(key)
  }

  private func needed(by key: BarKey) -> Int {
    (chosen[key.group] != nil ? Self.gap : chosen.isEmpty ? 0 : Self.divider) + key.width
  }
}

extension ContextKeys {
  /// Returns whether one of its keys runs a command now.
  ///
  /// If several commands have the same key, this is true for only one of them.
  func isLive(_ place: Int, in model: AppModel) -> Bool {
    let command = commands[place]
    return model.obstacle(to: command.action.value) == nil
      && command.keys.contains { model.commandPlace(of: $0, in: self) == place }
  }
}
