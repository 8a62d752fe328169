import SSOLab
import TerminalUI

/// Marked rows of a list, and the range that is being marked.
struct Marks: Equatable, Sendable {
  private(set) var ids: Set<RowID> = []
  /// The row where the range begins; nil while none is being marked.
  private(set) var rangeStart: RowID?
  private var beforeRange: Set<RowID> = []

  /// Marks these, or takes the marks away if all have them.
  mutating func toggle(_ these: [RowID]) {
    rangeStart = nil
    if ids.isSuperset(of: these) { ids.subtract(these) } else { ids.formUnion(these) }
  }

  /// Begins a range, or keeps the one that was being marked.
  mutating func toggleRange(at id: RowID, _ these: [RowID]) {
    guard rangeStart == nil else {
      rangeStart = nil
      return
    }
    rangeStart = id
    beforeRange = ids
    ids.formUnion(these)
  }

  /// The selection has moved: the range is now these rows.
  mutating func extend(to these: [RowID]) { ids = beforeRange.union(these) }

  /// Forgets rows that are no longer there.
  mutating func keep(_ known: Set<RowID>) {
    ids.formIntersection(known)
    beforeRange.formIntersection(known)
  }
}

extension AppModel {
  /// The IDs under marks on the present screen.
  var marked: Set<RowID> { marks[screenContext]?.ids ?? [] }

  /// Whether rows can be marked here: the lists whose commands act on many.
  var canMark: Bool {
    switch place {
    case .apps, .accounts, .tokens: panel == 0
    case .keychain: panel == 1
    case .traces, .trace, .records, .provider, .story: false
    }
  }

  /// A row as marks know it. Credentials go by their own IDs, since one may stand under several redirect URIs; a
  /// heading stands for all credentials below it.
  func markIDs(ofRow row: Int) -> [RowID] {
    guard place == .tokens else { return [self[keyPath: activeList].ids[row]] }
    guard tokenLines.indices.contains(row) else { return [tokens.ids[row]] }
    let line = tokenLines[row]
    if let token = line.token { return [RowID(credential: token.id)] }
    if tokens.index.isLong { return Array(tokens.ids[tokenLines.count...]) }
    return tokenLines[(row + 1)...].prefix { $0.depth > line.depth }
      .compactMap { $0.token.map { RowID(credential: $0.id) } }
  }

  func isMarked(row: Int) -> Bool {
    let marked = marked
    guard !marked.isEmpty, canMark || place != .keychain else { return false }
    if place == .tokens, tokenLines.indices.contains(row) {
      return tokenLines[row].token.map { marked.contains(RowID(credential: $0.id)) } ?? false
    }
    return marked.contains(self[keyPath: markedList].ids[row])
  }

  private var markedList: WritableKeyPath<AppModel, RowList> { place == .keychain ? \.items : activeList }

  mutating func toggleMark() -> [Command] {
    let list = activeList
    guard let row = self[keyPath: list].selectedRow else { return [] }
    let ids = markIDs(ofRow: row)
    marks[screenContext, default: Marks()].toggle(ids)
    let isHeading = place == .tokens && tokenLines.indices.contains(row) && tokenLines[row].token == nil
    return isHeading ? [] : move(.down)
  }

  mutating func toggleRange() {
    let list = self[keyPath: activeList]
    guard let row = list.selectedRow, let id = list.selectedID else { return }
    marks[screenContext, default: Marks()].toggleRange(at: id, markIDs(ofRow: row))
    let isOn = marks[screenContext]?.rangeStart != nil
    notice = Notice(text: isOn ? "Range: move to mark, v ends it." : "Range marked.", kind: .plain)
  }

  /// The selection has moved while a range is being marked.
  mutating func extendRange() {
    guard canMark, let start = marks[screenContext]?.rangeStart else { return }
    let list = self[keyPath: activeList]
    guard let first = list.matches.firstIndex(where: { list.ids[$0] == start }) else { return }
    let rows = list.matches[min(first, list.state.selection)...max(first, list.state.selection)]
    let ids = rows.flatMap { markIDs(ofRow: $0) }
    marks[screenContext]?.extend(to: ids)
  }

  /// `5`, `4 of 61`, `12, 3 marked`.
  func countText(of list: RowList, in context: Context) -> String {
    let count = marks[context]?.ids.count ?? 0
    return list.countText + (count == 0 ? "" : ", \(count) marked")
  }
}
