import TerminalUI

/// A list with its filter, marks, order, and columns.
///
/// It identifies rows only by ID, so that the selection stays on the same row when another process adds or removes
/// rows.
struct RowList: Equatable, Sendable {
  private(set) var index = RowIndex()
  /// The rows that match the filter, as indices into the loaded rows.
  private(set) var matches = RowOrder()
  private(set) var query = TextField()
  /// Whether typed characters go to the filter.
  var isFiltering = false
  var state = ListState()
  var marks = Marks()
  var sorting: Sorting?
  var hiddenColumns: Set<String> = []
  private var wantedID: RowID?

  var ids: [RowID] { index.ids }
  var count: Int { matches.count }
  var isFiltered: Bool { !query.text.isEmpty }
  /// The words of the filter that the matching rows contain as they were typed.
  var filterWords: [String] {
    query.text.split(separator: " ").filter { !$0.hasPrefix("!") && !$0.hasPrefix("~") && !$0.contains(":") }
      .map(String.init)
  }
  /// The number of rows: `4 of 61` with a filter, otherwise `61`.
  var countText: String {
    let total = index.total ?? index.count
    return isFiltered ? "\(matches.count) of \(total)" : "\(total)"
  }
  /// The number of rows and marks: `5`, `4 of 61`, or `12, 3 marked`.
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

  /// Sorts a long list by a column, or restores the order in which it was loaded if `column` is `nil`.
  mutating func sort(by column: Int?, isDescending: Bool) {
    let kept = selectedID
    if let column { index.sort(by: column, isDescending: isDescending) } else { index.unsort() }
    search(keeping: kept)
  }

  /// Returns the IDs of the rows that are displayed at the given positions.
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

  /// Selects the next or previous displayed row that matches a query, wrapping around at the ends, and returns whether
  /// there is one.
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
    selectMatchOfTree(among: search(keeping: selectedID))
  }

  mutating func clearFilter() {
    isFiltering = false
    filter(by: "")
  }

  /// Handles a key while the user types a filter, and returns whether the key was used.
  mutating func type(_ key: KeyPress) -> Bool {
    let before = query.text
    // Where names are ranked, the best match is selected as it changes.
    let kept = index.ranksNames ? nil : selectedID
    guard query.handle(key) else { return false }
    if query.text != before { selectMatchOfTree(among: search(narrowing: before, keeping: kept)) }
    return true
  }

  /// Handles a key in a dialog whose list is narrowed by typing.
  ///
  /// Keys that move to an end of the list or by half a page do not edit the filter.
  mutating func typeFilter(_ key: KeyPress) -> Bool {
    switch key {
    case .home, .end, .control("d"): false
    case .control("u") where query.text.isEmpty: false
    default: type(key)
    }
  }

  /// The maximum length of a query.
  ///
  /// A longer query would match nothing, and each of its words is searched for in every row.
  private static let longestQuery = 200

  mutating func paste(_ text: String) {
    query.insert(String(text.prefix(max(0, Self.longestQuery - query.text.count))))
    selectMatchOfTree(among: search(keeping: selectedID))
  }

  /// Selects the first row of a tree that the filter means, if the selected one is only a heading of such rows.
  private mutating func selectMatchOfTree(among found: RowOrder) {
    guard index.depths != nil, isFiltered, let row = selectedRow, !found.contains(row),
      let first = found.min()
    else { return }
    state.selection = matches.firstIndex(of: first) ?? state.selection
  }

  mutating func move(_ key: KeyPress, height: Int) -> Bool {
    wantedID = nil
    return state.handle(key, count: count, height: height)
  }

  /// Shows the rows of the filter, and returns the matching rows without the headings of a tree.
  @discardableResult
  private mutating func search(narrowing before: String? = nil, keeping id: RowID?) -> RowOrder {
    let found: RowOrder
    // Check a few rows one by one; for many rows, a search of the entire index is faster.
    if let before, !before.isEmpty, SearchIndex.narrows(before, to: query.text),
      matches.count < index.count / 8
    {
      found = index.texts.matches(query.text, within: matches)
    } else {
      found = index.texts.matches(query.text, order: index.order)
    }
    matches = index.ranked(index.withHeadings(found), by: filterWords)
    if let id, let place = place(of: id) {
      state.selection = place
      if wantedID == id { wantedID = nil }
    } else {
      // The best match comes first.
      state.selection = index.ranksNames ? 0 : min(state.selection, max(0, matches.count - 1))
    }
    return found
  }

  /// Returns the position of a row, which usually has not changed.
  private func place(of id: RowID) -> Int? {
    if matches.indices.contains(state.selection), selectedID == id { return state.selection }
    return matches.firstIndex { index.ids[$0] == id }
  }
}

/// The marked rows of a list, and the range that is being marked.
struct Marks: Equatable, Sendable {
  private(set) var ids: Set<RowID> = []
  /// The row where the range begins, or `nil` while no range is being marked.
  private(set) var rangeStart: RowID?
  private var beforeRange: Set<RowID> = []

  /// Marks the given rows, or removes their marks if all of them are marked.
  mutating func toggle(_ these: [RowID]) {
    rangeStart = nil
    if ids.isSuperset(of: these) { ids.subtract(these) } else { ids.formUnion(these) }
  }

  /// Begins a range, or ends the current range and keeps its marks.
  mutating func toggleRange(at id: RowID, _ these: [RowID]) {
    guard rangeStart == nil else {
      rangeStart = nil
      return
    }
    rangeStart = id
    beforeRange = ids
    ids.formUnion(these)
  }

  /// Replaces the range with the given rows after the selection has moved.
  mutating func extend(to these: [RowID]) { ids = beforeRange.union(these) }

  /// Removes the marks of rows that no longer exist.
  mutating func keep(_ known: Set<RowID>) {
    ids.formIntersection(known)
    beforeRange.formIntersection(known)
  }
}

/// The identity of a row in its list, in eight bytes because a list may have half a million rows.
struct RowID: Hashable, Sendable {
  let value: Int64

  /// Creates the ID of a row of the store.
  init(_ row: Int64) { value = row }

  /// Creates the ID of a row that is identified by a text.
  ///
  /// The ID is valid only while the program runs, because Swift seeds its hashes anew in each process. It is negative,
  /// so it never equals a row of the store.
  init(_ text: String) { value = Int64(text.hashValue) | .min }

  /// Creates the ID of a credential, whose own ID is `t` followed by its row in the store.
  init(credential id: String) {
    self = Int64(id.dropFirst()).map { RowID($0) } ?? RowID(id)
  }
}
