extension KeychainScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    let (upper, selected) = layout.body.splitBottom(layout.isRegular ? 5 : 0)
    var panels = layout.pair(left: layout.size.width * 9 / 20, top: layout.body.height / 2, in: upper)
    panels.third = selected
    return panels
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let inner = grid.panel(
      panels.first, "Access groups \(groups.countText)", focused: shared.panel == 0)
    if groups.count > 0 {
      drawGroups(shared, into: &grid, inner)
    } else {
      grid.emptyState(
        of: groups, "group",
        ["The keychain is empty.", shared.keys.fill("Press {apps}, then {signin} on an app, to sign in.")],
        in: inner)
    }
    drawItems(shared, into: &grid, panels.second)
    drawSelectedItem(shared, into: &grid, panels.third)
  }

  private func drawGroups(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let rows = min(groups.count + 1, max(3, rect.height / 2))
    let (table, below) = rect.splitTop(rows)
    drawTable(
      into: &grid, rect: table,
      columns: [
        TableColumn("GROUP", width: .flexible(min: 12, weight: 1), cut: .middle),
        TableColumn("ITEMS", width: .fixed(5), align: .right),
      ], rowCount: groups.count,
      row: { index in
        let group = groupRows[groups.matches[index]]
        return [TableCell(group.shortName), TableCell("\(group.itemCount)", .dim)]
      }, state: groups.state, focused: shared.panel == 0, list: 0)
    guard let group = selectedGroup else { return }
    let width = below.width - 2
    var lines = [PanelLine(""), PanelLine("Who can read it", .dim)]
    lines += group.readers.map {
      PanelLine("✓ \($0.displayName)\($0.isConfigured ? ", uses it" : "")", .good)
    }
    if group.readers.isEmpty { lines.append(PanelLine("no app", .dim)) }
    if !group.outsiders.isEmpty { lines.append(PanelLine("Who cannot", .dim)) }
    lines += group.outsiders.flatMap { wrapped("✗ " + $0, width, indent: "  ") }.map { PanelLine($0, .bad) }
    grid.lines(lines, in: below)
  }

  private func drawItems(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let inner = grid.panel(
      rect, "Items \(items.markedCountText)",
      trailing: sorting?.text ?? "", focused: shared.panel == 1)
    guard items.count > 0 else {
      return grid.emptyState(
        of: items, "item",
        [selectedGroup == nil ? "No group is selected." : "No items in this group."],
        in: inner)
    }
    let columns = items.shown(ItemColumn.self)
    drawTable(
      into: &grid, rect: inner, columns: columns.map(\.layout), rowCount: items.count,
      row: { index in
        let number = items.matches[index]
        guard let item = itemRows[items.ids[number]] else {
          return columns.map { TableCell($0 == .account ? items.index.texts.text(number) : "") }
        }
        return columns.map { $0.cell(of: item, in: shared) }
      }, state: items.state, focused: shared.panel == 1,
      isMarked: { shared.panel == 1 && items.isMarked(items.matches[$0]) }, list: 1)
  }

  private func drawSelectedItem(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard !rect.isEmpty else { return }
    let inner = grid.panel(rect, "Selected item", focused: false)
    guard let item = selectedItem else {
      let words =
        items.count == 0
        ? "No item is selected." : "Tab goes to the items: their services, accounts and times of writing."
      return grid.lines([PanelLine(words, .dim)], in: inner)
    }
    let width = inner.width - 2
    grid.lines(
      [
        field("Service", item.key.service, width: width),
        field("Account", item.key.account, width: width),
        field(
          "Written",
          shared.momentText(item.modifiedAt) + "  \(item.size) bytes"
            + (item.type.map { "  type \($0)" } ?? ""), width: width),
      ], in: inner)
  }
}

extension KeychainGroupRow {
  /// The name of the group.
  ///
  /// An imported cache's group is named after the file's path, and the end of the path distinguishes it.
  fileprivate var shortName: String {
    guard accessGroup.hasPrefix("imported."), let slash = accessGroup.lastIndex(of: "/") else {
      return accessGroup
    }
    return "imported " + accessGroup[accessGroup.index(after: slash)...]
  }
}
