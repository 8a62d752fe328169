extension TraceScreen {
  /// The sequence drawing: a column for each party that takes part, an arrow for each step.
  func drawLifelines(_ trace: Trace, into grid: inout Grid, _ rect: Rect) {
    let hops = trace.hops
    let parties = Party.allCases.filter { party in hops.contains { $0.from == party || $0.to == party } }
    let words = max(30, rect.width * 2 / 5)
    let left = 8
    let spacing = max(5, (rect.width - left - words) / max(1, parties.count))
    func column(_ party: Party) -> Int {
      rect.x + left + (parties.firstIndex(of: party) ?? 0) * spacing
    }
    let (header, body) = rect.splitTop(1)
    grid.put("    #", at: rect.x, header.y, width: 6, style: .dim)
    for party in parties {
      let name = columnWidth(party.label) < spacing ? party.label : party.shortLabel
      grid.put(name, at: column(party) - 1, header.y, width: spacing - 1, style: .dim)
    }
    let textX = rect.x + left + parties.count * spacing - spacing + 3
    let visible = list.state.visible(height: body.height, count: list.count)
    for index in visible {
      let number = list.matches[index]
      let hop = hops[number]
      let row = body.rows(index - visible.lowerBound, 1)
      let isSelected = index == list.state.selection
      grid.put(isSelected ? ">" : " ", at: row.x, row.y)
      if isMarked(step: number) { grid.put("*", at: row.x + 1, row.y, width: 1, style: .accent) }
      grid.put("\(number + 1)", at: row.x + 2, row.y, width: 3, style: .dim, align: .right)
      if trace.notes[number] != nil { grid.put(";", at: row.x + 5, row.y, width: 1, style: .accent) }
      grid.note(Touch(.row(list: 0, number: index), row))
      for party in parties { grid.put("│", at: column(party), row.y, style: .dim) }
      drawArrow(hop, from: column(hop.from), to: column(hop.to), into: &grid, y: row.y)
      let result = hop.result.isEmpty ? "" : " = \(hop.result)"
      grid.put(hop.mark + hop.action + result, at: textX, row.y, width: rect.maxX - textX, style: hop.style)
      if isSelected { grid.restyle(row) { $0 = .selected } }
    }
  }

  private func drawArrow(_ hop: Hop, from: Int, to: Int, into grid: inout Grid, y: Int) {
    guard from != to else { return grid.put("●", at: from, y, style: hop.style) }
    let low = min(from, to)
    let length = abs(to - from) - 1
    grid.put(String(repeating: "─", count: length), at: low + 1, y, style: hop.style)
    grid.put(from < to ? "├" : "┤", at: from, y, style: hop.style)
    grid.put(from < to ? ">" : "<", at: from < to ? to - 1 : to + 1, y, style: hop.style)
  }
}

extension Party {
  /// For lifelines that stand close together.
  fileprivate var shortLabel: String {
    switch self {
    case .person: "User"
    case .system: "Sys"
    case .broker: "Brok"
    case .keychain: "Keys"
    case .app, .sdk, .provider: label
    }
  }
}
