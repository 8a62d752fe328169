import SSOCore
import SSOKeychain
import SSOLab
import TerminalUI

extension KeyContext { static let keychain = KeyContext("keychain") }

extension Place { static let keychain = Place(.keychain) }

/// The access groups with the apps that can read them, and the items of the selected group.
struct KeychainScreen: Screen {
  static let context = KeyContext.keychain
  static let title = "Keychain"
  static let hasLongList = true
  static let shortTitle = "Keych"
  /// The title where there is no keychain, and the screen shows the apps' caches.
  static let titleOfCaches = "Caches"
  static let hasTwoLists = true
  static let mainPanel = 1
  static let columns = ItemColumn.allCases.map(\.layout)
  static let keys: [KeyCommand] = .ofScreen(
    own: [.expire, .invalidate, .delete], marks: [.mark, .range], isTable: true)

  var groups = RowList()
  var items = RowList()
  private(set) var groupRows: [KeychainGroupRow] = []
  private(set) var itemRows = RowsRead<KeychainItemRow>()

  subscript(panel: Int) -> RowList {
    get { panel == 1 ? items : groups }
    set { if panel == 1 { items = newValue } else { groups = newValue } }
  }

  var selectedGroup: KeychainGroupRow? { groups.selectedRow.map { groupRows[$0] } }
  var selectedItem: KeychainItemRow? { itemRows[items.selectedID] }

  func loads(_ shared: SharedState) -> [Load] { [.groups] }

  mutating func selectionMoved(_ shared: inout SharedState) -> [Command] {
    guard shared.panel == 0, let group = selectedGroup?.accessGroup else { return [] }
    itemRows = RowsRead()
    items.replace(RowIndex())
    items.marks = Marks()
    return [.load(.items(group: group))]
  }

  mutating func loadVisibleRows(height: Int) -> [Command] {
    guard items.index.isLong, let wanted = itemRows.missing(in: items, height: height) else { return [] }
    return [.load(.itemRows(wanted))]
  }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    switch loaded {
    case .groups(let rows): return showGroups(rows)
    case .items(let group, let rows) where group == selectedGroup?.accessGroup:
      shared.waits.countRead(rows.lazy.map(\.status))
      showItems(rows)
      items.marks.keep(Set(items.ids))
    case .itemList(let group, let index) where group == selectedGroup?.accessGroup:
      itemRows.expire()
      items.replace(index)
      if index.total != nil { return [.load(.allItems(group: group))] }
      applySortOrder(&shared)
      items.marks.keep(Set(index.ids))
    case .itemRows(let rows):
      itemRows.take(rows)
      shared.waits.countRead(itemRows.all.lazy.map(\.status))
    default: break
    }
    return []
  }

  private mutating func showGroups(_ rows: [KeychainGroupRow]) -> [Command] {
    // Empty groups come last, and the order is otherwise unchanged.
    groupRows = rows.filter { $0.itemCount > 0 } + rows.filter { $0.itemCount == 0 }
    groups.replace(ids: groupRows.map(\.id), texts: groupRows.map { $0.accessGroup })
    // Read the entire list again if it is already there, so that it does not shrink to its first page in the meantime.
    let isWhole = items.index.isLong && items.index.total == nil
    return selectedGroup.map {
      [.load(isWhole ? .allItems(group: $0.accessGroup) : .items(group: $0.accessGroup))]
    } ?? []
  }

  private mutating func showItems(_ rows: [KeychainItemRow]) {
    let sorted = items.sorted(rows, by: ItemColumn.self)
    itemRows = RowsRead(sorted) { RowID($0.id) }
    items.replace(RowIndex(sorted.map { RowID($0.id) }, sorted))
  }

  /// The order of the items.
  ///
  /// A long list is sorted by its keys, or by the only column that is known for all its rows.
  var sorting: Sorting? {
    items.index.isLong && items.sorting?.column != ItemColumn.sortsLongLists.rawValue ? nil : items.sorting
  }

  mutating func applySortOrder(_ shared: inout SharedState) {
    guard items.index.isLong else { return showItems(items.ids.compactMap { itemRows[$0] }) }
    items.sort(by: sorting == nil ? nil : 0, isDescending: sorting?.isDescending ?? false)
  }

  func obstacleToSort(by column: String) -> String? {
    let known = ItemColumn.sortsLongLists.rawValue
    return items.index.isLong && column != known
      ? "A list of this length can be sorted by \(known) only." : nil
  }

  func canMark(inPanel panel: Int) -> Bool { panel == 1 }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    selectedGroup == nil
      ? "no \(shared.lab.storage.groupLabel)" : shared.panel == 1 ? "nothing more to open" : nil
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    (shared.panel, shared.scroll) = (1, 0)
    return []
  }

  /// Returns the credentials that a change applies to.
  ///
  /// Any token can be made to expire; no change applies to accounts or metadata.
  func target(of change: ChangeCredentials.Change?, _ shared: SharedState) throws(UnavailableReason) -> Target
  {
    let marked = items.marks.ids
    if items.index.isLong, !marked.isEmpty {
      return .rows(marked, kinds: change == .invalidate ? CredentialKind.all(for: change) : [])
    }
    let targets =
      marked.isEmpty
      ? selectedItem.map { [$0] } ?? [] : items.ids.filter(marked.contains).compactMap { itemRows[$0] }
    let ids = targets.filter { item in
      item.credential.map { change != .invalidate || CredentialKind.all(for: change).contains($0) } ?? false
    }.map(\.credentialID)
    guard ids.isEmpty else { return .credentials(ids) }
    throw UnavailableReason(text: "select \(change.map(\.object) ?? "a token") first")
  }

  func shownTarget(of change: ChangeCredentials.Change?) -> Target {
    if items.index.isLong {
      return .rows(
        Set(items.matches.map { items.ids[$0] }),
        kinds: change == .invalidate ? CredentialKind.all(for: change) : [])
    }
    return .credentials(
      items.matches.compactMap { itemRows[items.ids[$0]] }.filter { $0.credential != nil }
        .map(\.credentialID))
  }

  func selection(_ shared: SharedState) -> Selection {
    let item = shared.panel == 1 ? selectedItem : nil
    var selection = Selection()
    if shared.panel == 1, case .credentials(let ids) = try? target(of: nil, shared) {
      selection.why = ids.first.map { .token($0) }
    }
    selection.obstacleToWhy = selection.why == nil ? "Tab, then select a token" : nil
    if let item, !item.isDated {
      selection.nothingToExplain = "This item is not a token: it has no state. :explain takes a code."
    } else {
      selection.explained = item?.status.state.rawValue ?? ""
    }
    selection.copies[.username] = item?.username
    selection.copies[.cell] = shared.panel == 0 ? selectedGroup?.accessGroup : selectedItem?.key.service
    selection.sentence =
      selectedGroup.map { "\($0.accessGroup): read by \(counted($0.readers.count, "app"))" } ?? "empty"
    return selection
  }
}

extension KeychainScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    let body = layout.body
    // The items have precedence, because a group's name is also legible without its middle.
    let width = layout.size.width
    let left = min(width * 9 / 20, max(32, width - 48))
    let (upper, selected) = body.splitTop(
      layout.isRegular ? min(body.height - 5, listRows(inWidth: left - 2)) : body.height)
    var panels = layout.pair(left: left, top: layout.body.height / 2, in: upper)
    panels.third = selected
    return panels
  }

  /// Returns the rows that no group's items exceed, with the groups, the name of one of them if it is cut in a list of this
  /// width, and the apps that can read it.
  private func listRows(inWidth width: Int) -> Int {
    let items = groupRows.map(\.itemCount).max() ?? 0
    let apps = groupRows.map { $0.readers.count + $0.outsiders.count }.max() ?? 0
    let name = groupRows.contains { $0.isCut(in: width) } ? 2 : 0
    return max(items + 2, 2 * groups.count + 3, groups.count + name + apps + 6)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let inner = grid.panel(
      panels.first, "\(shared.lab.storage.listLabel) \(groups.countText)", focused: shared.panel == 0)
    if groups.count > 0 {
      drawGroups(shared, into: &grid, inner)
    } else {
      grid.emptyState(
        of: groups, shared.lab.storage.groupLabel,
        [
          "The \(shared.lab.storage.label.lowercased()) is empty.",
          shared.keys.fill("Press {apps}, then {signin} on an app, to sign in."),
        ],
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
        TableColumn(
          shared.lab.storage.groupLabel.uppercased(), width: .flexible(min: 12, weight: 1), cut: .middle),
        TableColumn("ITEMS", width: .fixed(5), align: .right),
      ], rowCount: groups.count,
      row: { index in
        let group = groupRows[groups.matches[index]]
        return [TableCell(group.shortName), TableCell("\(group.itemCount)", .dim)]
      }, state: groups.state, focused: shared.panel == 0, list: 0)
    guard let group = selectedGroup else { return }
    let width = below.width - 2
    var lines = [PanelLine("")]
    lines += group.isCut(in: rect.width) ? wrapped(group.accessGroup, width).map { PanelLine($0, .bold) } : []
    lines.append(PanelLine("Who can read it", .dim))
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
        [
          selectedGroup == nil
            ? "No \(shared.lab.storage.groupLabel) is selected."
            : "No items in this \(shared.lab.storage.groupLabel)."
        ],
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
    let inner = grid.panel(rect, "Selected item", focused: false)
    guard let item = selectedItem else {
      let words =
        items.count == 0
        ? "No item is selected." : "Press Tab for the services, accounts, and times of the items."
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

extension Party {
  /// The title of the list of groups of items in the storage: on Android, each app has a cache.
  fileprivate var listLabel: String { self == .cache ? "Caches" : "Access groups" }
  fileprivate var groupLabel: String { self == .cache ? "cache" : "group" }

  /// The name of one of its items.
  var itemLabel: String { self == .cache ? "cache item" : "keychain item" }

  /// The name of the value that identifies the developer of an app with this storage.
  var signerLabel: String { self == .cache ? "signature hash" : "team" }
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

  /// Returns whether a list of this width shows the name without its middle, or shows only the file of an imported cache.
  ///
  /// Beside the name, the list has the cursor, the number of items, and the space before it.
  fileprivate func isCut(in width: Int) -> Bool {
    shortName != accessGroup || columnWidth(accessGroup) + 9 > width
  }
}

/// The columns of the items of an access group.
enum ItemColumn: String, ListColumn {
  case kind = "KIND"
  case account = "ACCOUNT"
  case state = "STATE"
  case size = "BYTES"

  /// The only column that is known for all rows of a long list.
  static let sortsLongLists = ItemColumn.account

  var layout: TableColumn {
    switch self {
    case .kind: TableColumn(rawValue, width: .flexible(min: 13, wanted: 16, weight: 1))
    case .account: TableColumn(rawValue, width: .flexible(min: 15, weight: 2), priority: 1)
    case .state: TableColumn(rawValue, width: .fixed(9))
    case .size: TableColumn(rawValue, width: .fixed(5), align: .right, priority: 2)
    }
  }

  func cell(of item: KeychainItemRow, in shared: SharedState) -> TableCell {
    switch self {
    case .kind: TableCell(item.kind)
    case .account: TableCell(item.username ?? "-")
    case .state: item.isDated ? TableCell(item.status.text, item.status.style) : TableCell("-", .dim)
    case .size: TableCell("\(item.size)", .dim)
    }
  }

  func sortKey(of item: KeychainItemRow) -> SortKey {
    switch self {
    case .kind: .text(item.kind)
    case .account: .text(item.username ?? "")
    case .state: SortKey(item.status)
    case .size: .number(item.size)
    }
  }
}
