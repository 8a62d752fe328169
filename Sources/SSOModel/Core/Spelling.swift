import Essentials

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
