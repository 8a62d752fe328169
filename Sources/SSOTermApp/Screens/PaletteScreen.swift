import TerminalUI

/// The command line: what may be meant, what that does, and what was run before.
func drawPalette(_ palette: Palette, _ model: AppModel, into grid: inout Grid, _ layout: Layout) {
  let behind = model.behind
  let suggestions = behind.suggestions(for: palette)
  let all = palette.commands.count
  let inner = grid.panel(
    layout.paletteArea, "Command", trailing: "\(suggestions.count) of \(all)", focused: true)
  let (line, rest) = inner.splitTop(1)
  drawSearch(palette.field, prompt: ":", into: &grid, line)
  let (list, foot) = rest.splitBottom(layout.paletteFoot)
  drawTable(
    into: &grid, rect: list,
    columns: [
      TableColumn("", width: .flexible(min: 16, weight: 1)),
      TableColumn("", width: .flexible(min: 12, weight: 1), priority: 1),
      TableColumn("", width: .fixed(5), align: .right),
    ], rowCount: suggestions.count,
    row: { index in
      let suggestion = suggestions[index]
      let isLive = !suggestion.argument.isEmpty || behind.obstacle(to: suggestion.command.action) == nil
      return [
        TableCell(
          suggestion.argument.isEmpty ? suggestion.command.name : suggestion.argument, isLive ? .plain : .dim),
        TableCell(suggestion.detail, .dim),
        TableCell(suggestion.argument.isEmpty ? suggestion.command.keyText : "", .accent),
      ]
    }, state: palette.state, list: 0)
  let chosen =
    suggestions.indices.contains(palette.state.selection) ? suggestions[palette.state.selection] : nil
  grid.lines(behind.explanation(chosen, palette, width: foot.width - 2), in: foot)
}

extension AppModel {
  /// How the chosen command is written, what it does, and what stands against it.
  fileprivate func explanation(_ chosen: Suggestion?, _ palette: Palette, width: Int) -> [PanelLine] {
    guard let chosen else { return [PanelLine(""), PanelLine("No command matches.", .dim)] }
    let command = chosen.command
    var lines = [PanelLine("")]
    if let argument = command.argument {
      lines.append(PanelLine("\(command.name) \(argument.usage)", .bold))
    }
    lines += wrapped(command.sentence, width).map { PanelLine($0) }
    if chosen.argument.isEmpty, palette.needsArgument(command) {
      lines.append(PanelLine("Tab, and then what: it is not of this screen's selection.", .dim))
    } else if chosen.argument.isEmpty, let obstacle = obstacle(to: command.action) {
      lines.append(PanelLine("Not available now: \(obstacle).", .warning))
    }
    if palette.field.text.isEmpty, !history.isEmpty {
      lines.append(PanelLine("Up: " + history.suffix(4).reversed().joined(separator: "   "), .dim))
    }
    return lines
  }
}

extension Layout {
  var paletteArea: Rect { body.centred(width: min(68, size.width), height: min(19, body.height)) }
  var paletteFoot: Int { isSingle ? 2 : 6 }
  /// The rows of the palette's list.
  var paletteRows: Int { max(1, paletteArea.height - 3 - paletteFoot) }
}
