/// Rows to search as the person types: all of them in one run of UTF-8 bytes.
///
/// The words of a query must all occur, in any order. A word with a capital letter minds case, `!x`
/// wants rows without `x`, `~x` wants the letters of `x` in this order with anything between, and `client:x`
/// wants `x` in that column.
/// A list of 100 000 accounts is searched in a few milliseconds, thirty times faster than by
/// `String`.
package struct Haystack: Sendable {
  private var original: Bytes
  private var lowered: Bytes
  /// The names of the columns, if rows have any.
  private let columns: [String]

  /// - Parameters:
  ///   - capacity: how many rows to expect.
  ///   - columns: what the parts of a row are called; see ``row(_:)``.
  package init(capacity: Int = 0, columns: [String] = []) {
    self.columns = columns
    original = Bytes(capacity: capacity)
    lowered = Bytes(capacity: capacity)
  }

  package init(_ rows: some Collection<String>, columns: [String] = []) {
    self.init(capacity: rows.count, columns: columns)
    for row in rows { append(row) }
  }

  /// The columns of a row as the text to append.
  package static func row(_ columns: [String]) -> String {
    let separator = String(Unicode.Scalar(SearchTerm.separator))
    return columns.map { $0.split(separator: separator).joined(separator: " ") }.joined(separator: separator)
  }

  package var count: Int { original.ends.count }

  package mutating func append(_ row: String) {
    original.append(row.utf8)
    if row.utf8.allSatisfy({ $0 < 0x80 }) {
      lowered.append(row.utf8.lazy.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 })
    } else {
      lowered.append(row.lowercased().utf8)
    }
  }

  /// The rows that match, in order.
  package func matches(_ query: String) -> [Int] {
    let terms = SearchTerm.parse(query, columns: columns)
    guard let first = terms.first else { return Array(0..<count) }
    let found =
      first.isQuick
      ? bytes(for: first).rows(containing: first.needle) : filter(0..<count, by: first)
    return narrow(found, by: terms.dropFirst())
  }

  /// The rows of an earlier answer that match too: what a further letter leaves.
  ///
  /// Only right if every match of `query` is in `rows`, that is, if the old query was a beginning of
  /// the new one and neither has a `!`; see ``narrows(_:to:)``.
  package func matches(_ query: String, within rows: [Int]) -> [Int] {
    narrow(rows, by: SearchTerm.parse(query, columns: columns)[...])
  }

  /// Whether the matches of `longer` are sure to be among those of `shorter`.
  package static func narrows(_ shorter: String, to longer: String) -> Bool {
    // A word that becomes `client:` looks elsewhere from then on.
    longer.hasPrefix(shorter) && !longer.contains("!")
      && longer.filter { $0 == ":" } == shorter.filter { $0 == ":" }
      && !SearchTerm.parse(shorter).contains { term in
        term.kind == .plain && !term.mindsCase && term.needle == [UInt8(ascii: "~")]
      }
  }

  private func narrow(_ rows: [Int], by terms: ArraySlice<SearchTerm>) -> [Int] {
    terms.reduce(rows) { left, term in filter(left, by: term) }
  }

  private func filter(_ rows: some Collection<Int>, by term: SearchTerm) -> [Int] {
    bytes(for: term).filter(rows, by: term)
  }

  private func bytes(for term: SearchTerm) -> Bytes { term.mindsCase ? original : lowered }
}

extension Haystack {
  /// All rows one after the other, each followed by a zero byte so that no match spans two.
  private struct Bytes: Sendable {
    var storage: [UInt8] = []
    /// Where the zero byte of each row is.
    var ends: [Int] = []

    init(capacity: Int) {
      ends.reserveCapacity(capacity)
      storage.reserveCapacity(capacity * 48)
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
      storage.append(contentsOf: bytes)
      ends.append(storage.count)
      storage.append(0)
    }

    /// Searches the whole run at once and leaves a row at its first match.
    func rows(containing needle: [UInt8]) -> [Int] {
      guard !needle.contains(0) else { return [] }
      var found: [Int] = []
      storage.withUnsafeBytes { hay in
        needle.withUnsafeBytes { pin in
          var row = 0
          var position = 0
          while let offset = ByteSearch.offset(of: pin, in: hay, from: position) {
            row = firstRow(endingAfter: offset, from: row)
            found.append(row)
            position = ends[row] + 1
            row += 1
          }
        }
      }
      return found
    }

    /// Steps that double, since the next match is mostly near.
    private func firstRow(endingAfter offset: Int, from start: Int) -> Int {
      var low = start
      var step = 1
      while low + step < ends.count, ends[low + step] <= offset {
        low += step
        step *= 2
      }
      var high = min(low + step, ends.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] <= offset { low = middle + 1 } else { high = middle }
      }
      return low
    }

    func filter(_ rows: some Collection<Int>, by term: SearchTerm) -> [Int] {
      var left: [Int] = []
      storage.withUnsafeBytes { hay in
        term.needle.withUnsafeBytes { needle in
          for row in rows where ends.indices.contains(row) {
            let start = row == 0 ? 0 : ends[row - 1] + 1
            if term.accepts(UnsafeRawBufferPointer(rebasing: hay[start..<ends[row]]), needle) {
              left.append(row)
            }
          }
        }
      }
      return left
    }
  }
}
