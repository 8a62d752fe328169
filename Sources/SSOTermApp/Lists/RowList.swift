/// A list under a filter, with its marks, its order and its columns.
///
/// It knows rows by their IDs only, so that the selection stays on the same row when another process adds or removes others.
struct RowList: Equatable, Sendable {
  private(set) var index = RowIndex()
  /// The rows that pass the filter, as numbers of the loaded rows.
  private(set) var matches = RowOrder()
  private(set) var query = TextField()
  /// Whether typing goes to the filter.
  var isFiltering = false
  var state = ListState()
  var marks = Marks()
  var sorting: Sorting?
  var hiddenColumns: Set<String> = []
  private var wantedID: RowID?

  var ids: [RowID] { index.ids }
  var count: Int { matches.count }
  var isFiltered: Bool { !query.text.isEmpty }
  /// `4 of 61` under a filter, otherwise `61`.
  var countText: String {
    let total = index.total ?? index.count
    return isFiltered ? "\(matches.count) of \(total)" : "\(total)"
  }
  /// `5`, `4 of 61`, `12, 3 marked`.
  var markedCountText: String { countText + (marks.ids.isEmpty ? "" : ", \(marks.ids.count) marked") }
  /// The selected row, as an index into the loaded rows.
  var selectedRow: Int? { matches.indices.contains(state.selection) ? matches[state.selection] : nil }
  var selectedID: RowID? { selectedRow.map { index.ids[$0] } }

  mutating func replace(_ newIndex: RowIndex) {
    let kept = wantedID ?? selectedID
    index = newIndex
    search(keeping: kept)
  }

  mutating func replace(ids: [String], texts: [String]) {
    replace(RowIndex(ids: ids.map { RowID($0) }, texts: texts.map { [$0] }))
  }

  /// Shows a long list in the order of a column, or as it came.
  mutating func sort(by column: Int?, isDescending: Bool) {
    let kept = selectedID
    if let column { index.sort(by: column, isDescending: isDescending) } else { index.unsort() }
    search(keeping: kept)
  }

  /// The IDs of the rows that are shown at these places.
  func ids(at places: Range<Int>) -> [RowID] {
    places.clamped(to: 0..<count).map { index.ids[matches[$0]] }
  }

  /// Selects a row now, or as soon as it is loaded.
  mutating func select(_ id: RowID) {
    guard let place = place(of: id) else {
      wantedID = id
      return
    }
    state.selection = place
    wantedID = nil
  }

  func isMarked(_ row: Int) -> Bool { !marks.ids.isEmpty && marks.ids.contains(ids[row]) }

  mutating func select(id: String) { select(RowID(id)) }

  /// Goes to the next row shown that a query finds; after the last comes the first.
  mutating func selectMatch(of text: String, forward: Bool) -> Bool {
    let isMatch = index.texts.matcher(text)
    let step = forward ? 1 : count - 1
    var next = state.selection
    for _ in 0..<count {
      next = (next + step) % count
      guard isMatch(matches[next]) else { continue }
      state.selection = next
      wantedID = nil
      return true
    }
    return false
  }

  mutating func filter(by text: String) {
    query = TextField(text)
    search(keeping: selectedID)
  }

  mutating func clearFilter() {
    isFiltering = false
    filter(by: "")
  }

  /// A key while the person types a filter.
  mutating func type(_ key: KeyPress) -> Bool {
    let before = query.text
    let kept = selectedID
    guard query.handle(key) else { return false }
    if query.text != before { search(narrowing: before, keeping: kept) }
    return true
  }

  /// A key in a dialog whose list is narrowed by typing: what ends and half pages of the list are is no editing.
  mutating func typeFilter(_ key: KeyPress) -> Bool {
    switch key {
    case .home, .end, .control("d"): false
    case .control("u") where query.text.isEmpty: false
    default: type(key)
    }
  }

  /// What is longer finds nothing, and each of its words is looked for in every row.
  private static let longestQuery = 200

  mutating func paste(_ text: String) {
    query.insert(String(text.prefix(max(0, Self.longestQuery - query.text.count))))
    search(keeping: selectedID)
  }

  mutating func move(_ key: KeyPress, height: Int) -> Bool {
    wantedID = nil
    return state.handle(key, count: count, height: height)
  }

  private mutating func search(narrowing before: String? = nil, keeping id: RowID?) {
    // Few rows are looked at one by one; many are found sooner by a search of all.
    if let before, !before.isEmpty, SearchIndex.narrows(before, to: query.text),
      matches.count < index.count / 8
    {
      matches = index.texts.matches(query.text, within: matches)
    } else {
      matches = index.texts.matches(query.text, order: index.order)
    }
    matches = index.withHeadings(matches)
    if let id, let place = place(of: id) {
      state.selection = place
      if wantedID == id { wantedID = nil }
    } else {
      state.selection = min(state.selection, max(0, matches.count - 1))
    }
  }

  /// Where a row is shown now; mostly it is where it was.
  private func place(of id: RowID) -> Int? {
    if matches.indices.contains(state.selection), selectedID == id { return state.selection }
    return matches.firstIndex { index.ids[$0] == id }
  }
}
