/// Many texts in one run of bytes, each followed by a zero byte so that no match spans two.
struct TextRun: Equatable, Sendable {
  private var bytes: [UInt8] = []
  /// Where the zero byte of each text is.
  private var ends: [UInt32] = []

  /// A longer text is cut: what people search for is at its beginning, and a store may hold anything.
  static let limit = 1024

  var count: Int { ends.count }

  /// Makes room for `total` texts like those that are here, so that growing does not copy them all again and again.
  mutating func reserve(_ total: Int) {
    guard total > count else { return }
    ends.reserveCapacity(total)
    guard count > 0 else { return }
    bytes.reserveCapacity((bytes.count / count + 1) * total)
  }

  mutating func append(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text.prefix(Self.limit))
    ends.append(UInt32(bytes.count))
    bytes.append(0)
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]) + 1)..<Int(ends[index])
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

  func string(_ index: Int) -> String { String(decoding: self[index], as: UTF8.self) }

  func withBytes<T>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> T) -> T {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range(index)])) }
  }

  /// Hands over the number of each text that `term` accepts as it is, in order; `!` is the caller's.
  func forEachMatch(_ term: SearchTerm, _ body: (Int) -> Void) {
    guard !term.needle.contains(0), count > 0 else { return }
    bytes.withUnsafeBytes { hay in
      term.needle.withUnsafeBytes { needle in
        if term.isFuzzy {
          for index in 0..<count
          where term.accepts(UnsafeRawBufferPointer(rebasing: hay[range(index)]), needle) { body(index) }
        } else {
          search(needle, in: hay, body)
        }
      }
    }
  }

  /// Searches the whole run at once and leaves a text at its first match.
  private func search(
    _ needle: UnsafeRawBufferPointer, in hay: UnsafeRawBufferPointer, _ body: (Int) -> Void
  ) {
    var index = 0
    var position = 0
    while let offset = ByteSearch.offset(of: needle, in: hay, from: position) {
      index = first(endingAfter: offset, from: index)
      body(index)
      position = Int(ends[index]) + 1
      index += 1
    }
  }

  /// Steps that double, since the next match is mostly near.
  private func first(endingAfter offset: Int, from start: Int) -> Int {
    var low = start
    var step = 1
    while low + step < ends.count, Int(ends[low + step]) <= offset {
      low += step
      step *= 2
    }
    var high = min(low + step, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if Int(ends[middle]) <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
