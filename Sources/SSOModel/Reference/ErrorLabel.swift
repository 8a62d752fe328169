import Essentials

/// The words before Entra's number on its pages, in the language of the browser: `Fehlercode: 53003`.
///
/// Microsoft shows them below “More details” (Microsoft: Troubleshooting sign-in problems with Conditional Access).
package enum ErrorLabel {
  private static let labels = WordList.named("ErrorLabel.labels")
  private static let signs = " :=#*\t\u{A0}\u{FF1A}".unicodeScalars

  /// Returns whether a text ends with such words, and perhaps a sign behind them.
  package static func ends(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    var words = String(decoding: text.suffix(64), as: UTF8.self).lowercased()[...]
    while let last = words.unicodeScalars.last, signs.contains(last) { words.removeLast() }
    guard let label = labels.first(where: words.hasSuffix) else { return false }
    return words.dropLast(label.count).last?.isLetter != true
  }

  /// Returns Entra's number in a line that has nothing but such words and the number, or `nil` in any other line.
  package static func number(aloneIn line: Substring) -> Int? {
    let text = line.drop { $0.isWhitespace || "*>`-".contains($0) }
    let end = text.lastIndex { $0.isASCII && $0.isNumber }
    guard let end, text[end...].dropFirst().allSatisfy({ $0.isWhitespace || "*`.".contains($0) }) else {
      return nil
    }
    let number = String(String(text[...end]).reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
    let label = text[...end].dropLast(number.count)
    guard label.count <= 32, ends(Array(label.utf8)), Explanation.isEntraNumber(number) else { return nil }
    return Int(number)
  }
}
