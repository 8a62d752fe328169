extension KeyContext { static let keychain = KeyContext("keychain") }

extension Place { static let keychain = Place(.keychain) }

/// The access groups with the apps that can read them, and the items of the selected group.
struct KeychainScreen: LongListScreen {
  static let context = KeyContext.keychain
  static let title = "Keychain"
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
      shared.waits.note(rows.lazy.map(\.standing))
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
      shared.waits.note(itemRows.all.lazy.map(\.standing))
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
    selectedGroup == nil ? "no group" : shared.panel == 1 ? "already open" : nil
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
      selection.explained = item?.standing.state.rawValue ?? ""
    }
    selection.copies[.username] = item?.username
    selection.copies[.cell] = shared.panel == 0 ? selectedGroup?.accessGroup : selectedItem?.key.service
    selection.sentence =
      selectedGroup.map { "\($0.accessGroup): read by \(counted($0.readers.count, "app"))" } ?? "empty"
    return selection
  }
}
