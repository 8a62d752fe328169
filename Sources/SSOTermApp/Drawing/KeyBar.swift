/// The last line: only keys that would do something now, `? help` always among them.
///
/// Which of them fit is decided in the order of the key table; then those of a kind stand together.
func drawKeys(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  var bar = KeyBar(model, width: row.width - 2)
  let commands = bar.keys.commands.indices
  // The way out of zoom has its place in every window, as help has.
  let always = commands.filter { alwaysNamed.contains(bar.keys.commands[$0].action) }
  if model.layout.isNarrow, model.dialogs.isEmpty {
    bar.add(always.filter { bar.keys.commands[$0].action == KeyCommand.help.action })
  } else {
    bar.add(always)
    bar.add(commands.filter { !always.contains($0) })
  }
  var x = 1
  for (number, group) in bar.groups.enumerated() {
    if number > 0 {
      grid.put("│", at: x + 1, row.y, width: 1, style: .dim)
      x += KeyBar.divider
    }
    for (place, command) in group.enumerated() {
      if place > 0 { x += KeyBar.gap }
      let key = columnWidth(command.keyText)
      grid.put(command.keyText, at: x, row.y, width: key, style: .title)
      grid.put(command.label, at: x + key + 1, row.y, style: .dim)
      if let key = command.keys.first {
        grid.note(Touch(.key(key), Rect(x: x, y: row.y, width: barWidth(command), height: 1)))
      }
      x += barWidth(command)
    }
  }
}

private let alwaysNamed = [KeyCommand.unzoom, .help].map(\.action)

/// The commands that the key bar has room for.
private struct KeyBar {
  static let gap = 2
  static let divider = 3

  let keys: LiveKeys
  let width: Int
  private var used = 0
  private var chosen: [KeyGroup: [Int]] = [:]

  init(_ model: AppModel, width: Int) {
    keys = LiveKeys(model)
    self.width = width
  }

  var groups: [[KeyCommand]] {
    KeyGroup.allCases.compactMap { chosen[$0]?.sorted().map { keys.commands[$0] } }
  }

  /// Adds those of the commands that fit and are live; what has no room is not asked whether it is live.
  mutating func add(_ indices: [Int]) {
    for index in indices {
      let command = keys.commands[index]
      let group = command.action.value.keyGroup
      let space = chosen[group] != nil ? Self.gap : chosen.isEmpty ? 0 : Self.divider
      let needed = space + barWidth(command)
      guard used + needed <= width, keys.isLive(index) else { continue }
      used += needed
      chosen[group, default: []].append(index)
    }
  }
}

/// The columns that a command takes in the bar.
private func barWidth(_ command: KeyCommand) -> Int {
  columnWidth(command.keyText) + 1 + columnWidth(command.label)
}

/// The commands that the key bar may name; of those with the same key the one that it runs.
struct LiveKeys {
  let model: AppModel
  let commands: [KeyCommand]

  init(_ model: AppModel) {
    self.model = model
    commands = model.shared.keys.commands(in: model.context)
  }

  func isLive(_ index: Int) -> Bool {
    let command = commands[index]
    return !command.label.isEmpty && model.obstacle(to: command.action.value) == nil
      && command.keys.contains { key in
        model.takesCommand(key)
          && !commands[..<index].contains {
            $0.keys.contains(key) && model.obstacle(to: $0.action.value) == nil
          }
      }
  }
}
