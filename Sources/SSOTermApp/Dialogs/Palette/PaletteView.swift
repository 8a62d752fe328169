extension Palette {
  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let behind = model.behind
    let found = suggestions(in: behind)
    let all = commands.count
    let inner = grid.window(
      layout.paletteArea, "Command", trailing: "\(found.count) of \(all)")
    let (line, rest) = inner.splitTop(1)
    drawSearch(field, prompt: ":", into: &grid, line)
    let (list, foot) = rest.splitBottom(layout.paletteFoot)
    drawTable(
      into: &grid, rect: list,
      columns: [
        TableColumn("", width: .flexible(min: 16, weight: 1)),
        TableColumn("", width: .flexible(min: 12, weight: 1), priority: 1),
        TableColumn("", width: .fixed(5), align: .right),
      ], rowCount: found.count,
      row: { index in
        let suggestion = found[index]
        let isLive =
          !suggestion.argument.isEmpty || behind.obstacle(to: suggestion.command.action.value) == nil
        return [
          TableCell(
            suggestion.argument.isEmpty ? suggestion.command.name : suggestion.argument,
            isLive ? .plain : .dim),
          TableCell(suggestion.detail, .dim),
          TableCell(suggestion.argument.isEmpty ? suggestion.command.keyText : "", .accent),
        ]
      }, state: state, list: 0)
    let chosen =
      found.indices.contains(state.selection) ? found[state.selection] : nil
    grid.lines(explanation(chosen, in: behind, width: foot.width - 2), in: foot)
  }

  /// Returns the syntax of the chosen command, its effect, and what prevents it.
  private func explanation(_ chosen: Suggestion?, in model: AppModel, width: Int) -> [PanelLine] {
    guard let chosen else { return [PanelLine("")] + wrapped(noMatch, width).map { PanelLine($0, .warning) } }
    let command = chosen.command
    var lines = [PanelLine("")]
    if let argument = command.argument {
      lines.append(PanelLine("\(command.name) \(argument.usage)", .bold))
    }
    lines += wrapped(table.sentence(of: command), width).map { PanelLine($0) }
    if chosen.argument.isEmpty, needsArgument(command) {
      lines.append(PanelLine("It needs an argument; Tab goes there.", .dim))
    } else if chosen.argument.isEmpty, let obstacle = model.obstacle(to: command.action.value) {
      lines.append(PanelLine("Not available now: \(obstacle).", .warning))
    }
    if field.text.isEmpty, !model.history.isEmpty {
      lines.append(PanelLine("Up: " + model.history.suffix(4).reversed().joined(separator: "   "), .dim))
    }
    return lines
  }
}

extension Palette {
  /// The message for a line that matches no command, or whose argument is not valid.
  fileprivate var noMatch: String {
    guard let (command, argument, typed) = named else { return "No command matches." }
    return "“\(typed)” cannot stand there: \(command.name) \(argument.usage)"
  }
}

extension Layout {
  var paletteArea: Rect { body.centred(width: min(68, size.width), height: min(19, body.height)) }
  var paletteFoot: Int { isSingle ? 2 : 6 }
  /// The number of rows in the palette's list.
  var paletteRows: Int { max(1, paletteArea.height - 3 - paletteFoot) }
}
