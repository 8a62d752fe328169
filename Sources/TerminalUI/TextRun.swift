/// A sequence of texts in one buffer, each followed by a zero byte so that no match spans two texts.
struct TextRun: Equatable, Sendable {
  private var bytes: [UInt8] = []
  /// The position of the zero byte after each text.
  private var ends: [UInt32] = []

  /// The maximum length of a text, in bytes.
  ///
  /// Longer texts are truncated, because a store may contain anything and people search for what is at the beginning.
  static let limit = 1024

  var count: Int { ends.count }

  /// Reserves capacity for `total` texts similar to the existing ones, to avoid repeated copying as the buffer grows.
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

  /// Calls `body` with the number of each text that contains `term`, in order.
  ///
  /// The caller applies `!`.
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

  /// Searches the whole buffer at once and skips the rest of a text after its first match.
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

  /// Doubles the step size each time, because the next match is usually near.
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
