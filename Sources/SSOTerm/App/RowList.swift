import TerminalUI

/// The text of all rows of a list, ready to search. Two are equal when they were made from the same rows.
struct SearchIndex: Equatable, Sendable {
  let texts: Haystack
  private let fingerprint: Int

  /// - Parameter columns: what `client:4b0` in a filter may name, if the rows come from ``Haystack/row(_:)``.
  init(_ rows: [String] = [], columns: [String] = []) {
    texts = Haystack(rows, columns: columns)
    fingerprint = rows.hashValue
  }

  static func == (a: Self, b: Self) -> Bool { a.fingerprint == b.fingerprint }
}

/// A list under a filter. It knows rows by their IDs only, so that the selection stays on the same row
/// when another process adds or removes others.
struct RowList: Equatable, Sendable {
  private(set) var ids: [String] = []
  /// The rows that pass the filter, as indices into the loaded rows.
  private(set) var matches: [Int] = []
  private(set) var query = TextField()
  /// Whether typing goes to the filter.
  var isFiltering = false
  var state = ListState()
  private var index = SearchIndex()
  private var wantedID: String?

  var count: Int { matches.count }
  var isFiltered: Bool { !query.text.isEmpty }
  /// `4 of 61` under a filter, otherwise `61`.
  var countText: String { isFiltered ? "\(matches.count) of \(ids.count)" : "\(ids.count)" }
  /// The selected row, as an index into the loaded rows.
  var selectedRow: Int? { matches.indices.contains(state.selection) ? matches[state.selection] : nil }
  var selectedID: String? { selectedRow.map { ids[$0] } }

  mutating func replace(ids newIDs: [String], index newIndex: SearchIndex) {
    let kept = wantedID ?? selectedID
    ids = newIDs
    index = newIndex
    search(keeping: kept)
  }

  mutating func replace(ids newIDs: [String], texts: [String]) {
    replace(ids: newIDs, index: SearchIndex(texts))
  }

  mutating func replace<Row: Searchable>(ids newIDs: [String], rows: [Row]) {
    replace(ids: newIDs, index: SearchIndex(rows))
  }

  /// Selects a row now, or as soon as it is loaded.
  mutating func select(id: String) {
    guard let place = matches.firstIndex(where: { ids[$0] == id }) else {
      wantedID = id
      return
    }
    state.selection = place
    wantedID = nil
  }

  /// Goes to the next row shown that a query finds; after the last comes the first.
  mutating func selectMatch(of text: String, forward: Bool) -> Bool {
    let found = Set(index.texts.matches(text))
    let places = matches.indices.filter { found.contains(matches[$0]) }
    let here = state.selection
    let next =
      forward
      ? places.first { $0 > here } ?? places.first : places.last { $0 < here } ?? places.last
    guard let next else { return false }
    state.selection = next
    wantedID = nil
    return true
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

  mutating func paste(_ text: String) {
    query.insert(text)
    search(keeping: selectedID)
  }

  mutating func move(_ key: KeyPress, height: Int) -> Bool {
    wantedID = nil
    return state.handle(key, count: count, height: height)
  }

  private mutating func search(narrowing before: String? = nil, keeping id: String?) {
    if let before, !before.isEmpty, Haystack.narrows(before, to: query.text) {
      matches = index.texts.matches(query.text, within: matches)
    } else {
      matches = isFiltered ? index.texts.matches(query.text) : Array(ids.indices)
    }
    if let id, let place = matches.firstIndex(where: { ids[$0] == id }) {
      state.selection = place
      if wantedID == id { wantedID = nil }
    } else {
      state.selection = min(state.selection, max(0, matches.count - 1))
    }
  }
}
