/// One column of a ``SearchIndex``.
///
/// It stores each distinct text once, and the number of the text that each row has.
struct SearchColumn: Equatable, Sendable {
  let name: String
  /// The distinct texts in lowercase.
  private var lowered = TextRun()
  /// The texts that are not entirely lowercase ASCII, as written; `writtenNumbers` has their numbers among all texts.
  private var written = TextRun()
  private var writtenNumbers: [UInt32] = []
  /// The number of each row's text.
  private var numbers: [UInt32] = []
  /// The numbers of the texts so far, or `nil` once the texts turn out to differ from row to row.
  private var known: [String: UInt32]? = [:]
  private var last: String?

  /// The number of texts to examine before a column may be treated as one whose rows all differ.
  private static let trial = 1000

  init(name: String) { self.name = name }

  mutating func reserve(_ total: Int) {
    numbers.reserveCapacity(total)
    guard known == nil else { return }
    lowered.reserve(total)
    if writtenNumbers.count * 2 > lowered.count {
      written.reserve(total)
      writtenNumbers.reserveCapacity(total)
    }
  }

  mutating func append(_ text: String) {
    if text == last, let number = numbers.last {
      numbers.append(number)
      return
    }
    last = text
    if let number = known?[text] {
      numbers.append(number)
      return
    }
    let number = UInt32(lowered.count)
    numbers.append(number)
    known?[text] = number
    if lowered.count > Self.trial, lowered.count * 2 > numbers.count { known = nil }
    var text = text
    let isLower = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      lowered.append(bytes.lazy.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 })
      return !bytes.contains { $0 >= 0x41 && $0 <= 0x5A }
    }
    if isLower { return }
    if lowered.count == Int(number) { lowered.append(text.lowercased().utf8) }
    written.append(text.utf8)
    writtenNumbers.append(number)
  }

  /// Returns the text of a row as written.
  func text(_ row: Int) -> String {
    let number = numbers[row]
    return writtenPlace(number).map(written.string) ?? lowered.string(Int(number))
  }

  private func writtenPlace(_ number: UInt32) -> Int? {
    var low = 0
    var high = writtenNumbers.count
    while low < high {
      let middle = (low + high) / 2
      if writtenNumbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < writtenNumbers.count && writtenNumbers[low] == number ? low : nil
  }

  /// Marks the rows whose text contains the term.
  func mark(_ term: SearchTerm, _ rows: inout [Bool]) {
    var found = [Bool](repeating: false, count: lowered.count)
    var any = false
    // A text without capitals cannot contain a word with capitals.
    (term.mindsCase ? written : lowered).forEachMatch(term) { place in
      found[term.mindsCase ? Int(writtenNumbers[place]) : place] = true
      any = true
    }
    guard any else { return }
    for row in numbers.indices where found[Int(numbers[row])] { rows[row] = true }
  }

  /// Returns whether a row contains the term.
  func has(_ term: SearchTerm, _ row: Int) -> Bool {
    let number = numbers[row]
    let accepts = { (bytes: UnsafeRawBufferPointer) in term.needle.withUnsafeBytes { term.accepts(bytes, $0) }
    }
    guard term.mindsCase else { return lowered.withBytes(Int(number), accepts) }
    return writtenPlace(number).map { written.withBytes($0, accepts) } ?? false
  }

  /// Returns the rows sorted by their lowercase texts.
  ///
  /// Rows with equal texts keep their order.
  func sorted() -> [UInt32] {
    let texts = (0..<UInt32(lowered.count)).sorted { a, b in
      lowered.withBytes(Int(a)) { a in lowered.withBytes(Int(b)) { a.lexicographicallyPrecedes($0) } }
    }
    // This is a counting sort: compute where the rows of each text start, then move each row to its text's next
    // position.
    var starts = [UInt32](repeating: 0, count: lowered.count)
    for number in numbers { starts[Int(number)] += 1 }
    var next: UInt32 = 0
    for number in texts {
      let size = starts[Int(number)]
      starts[Int(number)] = next
      next += size
    }
    var order = [UInt32](repeating: 0, count: numbers.count)
    for (row, number) in numbers.enumerated() {
      order[Int(starts[Int(number)])] = UInt32(row)
      starts[Int(number)] += 1
    }
    return order
  }
}

/// The row numbers in display order: all rows in their original order, or a list of rows.
package struct RowOrder: RandomAccessCollection, Equatable, Sendable {
  private enum Rows: Equatable, Sendable {
    case all(Int)
    case some([UInt32])
  }

  private let rows: Rows

  package init(all count: Int = 0) { rows = .all(count) }
  package init(_ numbers: some Sequence<UInt32>) { rows = .some(Array(numbers)) }

  package var startIndex: Int { 0 }
  package var endIndex: Int {
    switch rows {
    case .all(let count): count
    case .some(let numbers): numbers.count
    }
  }

  package subscript(position: Int) -> Int {
    switch rows {
    case .all: position
    case .some(let numbers): Int(numbers[position])
    }
  }
}
