import Essentials
import SafeText

extension Collection where Element == String {
  /// Returns the element with the smallest edit distance to `word`, or `nil` if even that element differs too much.
  ///
  /// A third of the word's length may be wrong: 'clentID' is corrected to 'clientID', and 'colour' to nothing. `most` is a
  /// lower limit.
  package func closestSpelling(to word: String, most: Int = .max) -> String? {
    let limit = Swift.min(most, Swift.max(1, word.count / 3))
    let ranked = map { (name: $0, edits: word.lowercased().edits(to: $0.lowercased())) }
    return ranked.filter { $0.edits <= limit }.min { $0.edits < $1.edits }?.name
  }
}

extension [String] {
  /// Returns the elements that resemble a word, the most similar first: half of the letters are the same, or the word is
  /// part of the element.
  private func similar(to word: String) -> [String] {
    let word = word.lowercased()
    let ranked = map { name in
      let name = name.lowercased()
      return name.contains(word) || word.contains(name) ? 1 : word.edits(to: name)
    }
    let near = indices.filter { ranked[$0] <= Swift.max(1, word.count / 2) }
    return near.sorted { ranked[$0] < ranked[$1] }.map { self[$0] }
  }

  /// Whether there are too many names to list in an error.
  package var isTooLongToList: Bool { count > 12 }

  /// Returns the known names as an error lists them: all of them, or, if they are too many, the three nearest to a word
  /// and the total number.
  package func listed(near word: String, as noun: String) -> String {
    guard isTooLongToList else { return joined(separator: ", ") }
    let near = word.count > 2 ? similar(to: word).prefix(3) : []
    return near.isEmpty ? "\(count) \(noun)" : "\(near.joined(separator: ", ")), … (\(count) in all)"
  }
}

extension String {
  /// Returns the number of letters to add, remove, change, or swap with the next one to turn this word into `other`.
  fileprivate func edits(to other: String) -> Int {
    let from = Array(self.unicodeScalars.prefix(64))
    let to = Array(other.unicodeScalars.prefix(64))
    var rowBefore: [Int] = []
    var row = Array(0...to.count)
    for (i, letter) in from.enumerated() {
      var next = [i + 1]
      for (j, wanted) in to.enumerated() {
        var best = Swift.min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == wanted ? 0 : 1))
        if i > 0, j > 0, letter == to[j - 1], from[i - 1] == wanted {
          best = Swift.min(best, rowBefore[j - 1] + 1)
        }
        next.append(best)
      }
      rowBefore = row
      row = next
    }
    return row[to.count]
  }
}

extension String {
  /// Whether the string has the form of a GUID, as client IDs and tenant IDs do.
  package var isGUID: Bool { UUID(uuidString: self) != nil }
}

extension StringProtocol {
  /// The string with an uppercase first letter, as at the start of a sentence.
  package var sentenceCased: String { prefix(1).uppercased() + dropFirst() }

  /// The string without leading and trailing white space and line breaks.
  package var trimmed: String { trimming(\.properties.isWhitespace) }

  /// Returns the string without the leading and trailing scalars for which `isDropped` returns true.
  package func trimming(_ isDropped: (Unicode.Scalar) -> Bool) -> String {
    let scalars = unicodeScalars
    var (start, end) = (scalars.startIndex, scalars.endIndex)
    while start < end, isDropped(scalars[start]) { scalars.formIndex(after: &start) }
    while start < end {
      let last = scalars.index(before: end)
      guard isDropped(scalars[last]) else { break }
      end = last
    }
    return String(self[start..<end])
  }
}

/// Returns a count with its noun, such as `1 app` or `2 apps`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

/// Searches that compare bytes. They replace the standard library's in each file that imports this module.
///
/// The standard library's compare characters, and take a hundred times as long (9 µs for a word in a line of 145 characters,
/// release). The results differ where a character has several forms, or where a combining mark follows.
extension StringProtocol {
  /// Returns whether another text occurs.
  package func contains(_ text: String) -> Bool {
    offset(of: text, from: 0) != nil || text.isEmpty
  }

  /// Returns the first range of another text, or `nil` if it does not occur or is empty.
  package func firstRange(of text: String) -> Range<Index>? {
    offset(of: text, from: 0).map { range($0, text.utf8.count) }
  }

  /// Returns the ranges of another text, which do not overlap.
  package func ranges(of text: String) -> [Range<Index>] {
    var found: [Range<Index>] = []
    var start = 0
    while let offset = offset(of: text, from: start) {
      found.append(range(offset, text.utf8.count))
      start = offset + text.utf8.count
    }
    return found
  }

  /// Returns the text with each occurrence of another text replaced by `new`.
  package func replacing(_ text: String, with new: String) -> String {
    var (result, rest) = ("", startIndex)
    for range in ranges(of: text) {
      result += self[rest..<range.lowerBound]
      result += new
      rest = range.upperBound
    }
    return result + self[rest...]
  }

  private func range(_ offset: Int, _ count: Int) -> Range<Index> {
    let start = utf8.index(startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: count)
  }

  /// Returns the offset in bytes of another text, or `nil` if it does not occur at or after `start`, or is empty.
  private func offset(of text: String, from start: Int) -> Int? {
    func search(_ bytes: UnsafeBufferPointer<UInt8>, _ wanted: UnsafeBufferPointer<UInt8>) -> Int? {
      ByteSearch.offset(of: UnsafeRawBufferPointer(wanted), in: UnsafeRawBufferPointer(bytes), from: start)
    }
    let found = utf8.withContiguousStorageIfAvailable { bytes in
      text.utf8.withContiguousStorageIfAvailable { search(bytes, $0) }
    }
    if let found, let found { return found }
    // One of the two strings is not a native string.
    return Array(utf8).withUnsafeBufferPointer { bytes in
      Array(text.utf8).withUnsafeBufferPointer { search(bytes, $0) }
    }
  }
}

/// Returns the masked form of a secret: `eyJ0…[masked 1412 chars]`, or `[masked 12 chars]` for a short one.
package func masked(_ secret: String) -> String {
  let count = secret.unicodeScalars.count
  guard count > 24 else { return "[masked \(count) chars]" }
  var head = ""
  for scalar in secret.unicodeScalars.prefix(4) where scalar.value > 0x20 && scalar.value < 0x7F {
    head.unicodeScalars.append(scalar)
  }
  return head + "…[masked \(count) chars]"
}

/// Returns whether ``masked(_:)`` produced this string.
package func isMasked(_ text: some StringProtocol) -> Bool {
  text.utf8.count < 48 && text.hasSuffix(" chars]") && text.contains("[masked ")
}
