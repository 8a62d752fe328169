import SSOKeychain
import SSOLab
import TerminalUI

/// Access groups with who can read them, and the items of the selected one.
func drawKeychain(_ model: AppModel, into grid: inout Grid, _ panels: Layout.Panels) {
  let inner = grid.panel(
    panels.first, "Access groups \(model.groups.countText)", focused: model.panel == 0)
  if model.groups.count > 0 {
    drawGroups(model, into: &grid, inner)
  } else {
    grid.emptyState(
      of: model.groups, "group", ["The keychain is empty.", "Press 1, then i on an app, to sign in."],
      in: inner)
  }
  drawItems(model, into: &grid, panels.second)
  drawSelectedItem(model, into: &grid, panels.third)
}

private func drawGroups(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  let rows = min(model.groups.count + 1, max(3, rect.height / 2))
  let (table, below) = rect.splitTop(rows)
  drawTable(
    into: &grid, rect: table,
    columns: [
      TableColumn("GROUP", width: .flexible(min: 12, weight: 1), cut: .middle),
      TableColumn("ITEMS", width: .fixed(5), align: .right),
    ], rowCount: model.groups.count,
    row: { index in
      let group = model.groupRows[model.groups.matches[index]]
      return [TableCell(group.shortName), TableCell("\(group.itemCount)", .dim)]
    }, state: model.groups.state, focused: model.panel == 0, list: 0)
  guard let group = model.selectedGroup else { return }
  let width = below.width - 2
  var lines = [PanelLine(""), PanelLine("Who can read it", .dim)]
  lines += group.readers.map { PanelLine("✓ \($0.displayName)\($0.isConfigured ? ", uses it" : "")", .good) }
  if group.readers.isEmpty { lines.append(PanelLine("nobody", .dim)) }
  if !group.outsiders.isEmpty { lines.append(PanelLine("Who cannot", .dim)) }
  lines += group.outsiders.flatMap { wrapped("✗ " + $0, width, indent: "  ") }.map { PanelLine($0, .bad) }
  grid.lines(lines, in: below)
}

extension KeychainGroupRow {
  /// The group of an imported cache is named by the file's path, of which the end tells it from others.
  fileprivate var shortName: String {
    guard accessGroup.hasPrefix("imported."), let slash = accessGroup.lastIndex(of: "/") else {
      return accessGroup
    }
    return "imported " + accessGroup[accessGroup.index(after: slash)...]
  }
}

private func drawItems(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  let inner = grid.panel(
    rect, "Items \(model.countText(of: model.items, in: .keychain))",
    trailing: model.sortingOfItems?.text ?? "", focused: model.panel == 1)
  guard model.items.count > 0 else {
    return grid.emptyState(
      of: model.items, "item",
      [model.selectedGroup == nil ? "No group is selected." : "No items in this group."],
      in: inner)
  }
  let columns = model.shown(ItemColumn.self)
  drawTable(
    into: &grid, rect: inner, columns: columns.map(\.layout), rowCount: model.items.count,
    row: { index in
      let number = model.items.matches[index]
      guard let item = model.itemRows[model.items.ids[number]] else {
        return columns.map { TableCell($0 == .account ? model.items.index.texts.text(number) : "") }
      }
      return columns.map { $0.cell(of: item, in: model) }
    }, state: model.items.state, focused: model.panel == 1,
    isMarked: { model.isMarked(row: model.items.matches[$0]) }, list: 1)
}

private func drawSelectedItem(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let inner = grid.panel(rect, "Selected item", focused: false)
  guard let item = model.selectedItem else {
    return grid.lines(
      [PanelLine("Tab goes to the items: each says where it lies and since when.", .dim)], in: inner)
  }
  let width = inner.width - 2
  grid.lines(
    [
      field("Service", item.key.service, width: width),
      field("Account", item.key.account, width: width),
      field(
        "Written",
        model.momentText(item.modifiedAt) + "  \(item.size) bytes"
          + (item.type.map { "  type \($0)" } ?? ""), width: width),
    ], in: inner)
}
