extension Redaction {
  /// A text of unknown form, with hashes in place of secrets: values of fields by name, and whatever
  /// looks like a token.
  ///
  /// `name=value`, `"name": "value"`, `Bearer …`, `eyJ….….…`, and any run of 60 or more characters of base64.
  package static func text(_ text: String, taken: (Kind) -> Void = { _ in }) -> String {
    var scanner = TextScanner(bytes: Array(text.utf8))
    scanner.scan(taken)
    return String(decoding: scanner.output, as: UTF8.self)
  }
}

/// Goes through a text once.
private struct TextScanner {
  let bytes: [UInt8]
  var output: [UInt8] = []
  private var index = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    output.reserveCapacity(bytes.count)
  }

  mutating func scan(_ taken: (Redaction.Kind) -> Void) {
    while index < bytes.count {
      guard Self.isWord(bytes[index]) else {
        output.append(bytes[index])
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
      let word = start..<index
      if word.count >= Self.shortestSecret {
        let text = String(decoding: bytes[word], as: UTF8.self)
        if Self.looksSecret(text) {
          taken(.token)
          output += Array(Redaction.hash(text).utf8)
          continue
        }
      }
      output += bytes[word]
      guard let (kind, value) = value(after: word) else { continue }
      output += bytes[index..<value.lowerBound]
      index = value.upperBound
      let text = String(decoding: bytes[value], as: UTF8.self)
      // `Code=-50002` of an NSError: an authorization code is never a number.
      if Self.isHarmless(text) || names(word, "code") && Int(text) != nil {
        output += bytes[value]
      } else {
        taken(kind)
        output += Array(Redaction.hash(text).utf8)
      }
    }
  }

  /// What a word before it says to take out.
  ///
  /// Most words of a log have no value: only one that has is looked up.
  private func value(after word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    if at(index) == 0x20, names(word, "bearer") { return (.token, plainValue(index + 1)) }
    let isQuoted = isQuote(at(index)) && word.lowerBound > 0 && isQuote(bytes[word.lowerBound - 1])
    // A quotation inside a string has a backslash before each mark.
    var sign = isQuoted ? index + 1 : index
    if at(index) == 0x5C, isQuote(at(index + 1)) { sign = index + 2 }
    let isName = isQuoted || sign == index + 2
    while at(sign) == 0x20 { sign += 1 }
    guard at(sign) == 0x3D || at(sign) == 0x3A,
      let kind = Redaction.kind(ofField: String(decoding: bytes[word], as: UTF8.self))
    else { return nil }
    // In running text these words are no names: "error code: 500", "state: 1".
    if at(sign) == 0x3A, !isName, kind == .person || kind == .other || kind == .code { return nil }
    var first = sign + 1
    while at(first) == 0x20 { first += 1 }
    // An object or a list is looked into, not taken out.
    guard at(first) != 0x7B, at(first) != 0x5B else { return nil }
    switch kind {
    case .cookie: return (kind, first..<(bytes[first...].firstIndex(of: 0x0A) ?? bytes.count))
    case .header: return (kind, headerValue(first))
    default: break
    }
    let escape = at(first) == 0x5C && isQuote(at(first + 1)) ? 1 : 0
    guard isQuote(at(first + escape)) else { return (kind, plainValue(first)) }
    let open = first + escape + 1
    return (kind, open..<closingQuote(bytes[first + escape], from: open, isEscaped: escape == 1))
  }

  /// Up to white space or a sign that ends a value in a form, JSON or a sentence.
  private func plainValue(_ first: Int) -> Range<Int> {
    let end = bytes[min(first, bytes.count)...].firstIndex {
      $0.isSpace || $0 == 0x26 || $0 == 0x22 || $0 == 0x27 || $0 == 0x7D || $0 == 0x5D || $0 == 0x3C
        || $0 == 0x3B
        || $0 == 0x2C
    }
    return min(first, bytes.count)..<(end ?? bytes.count)
  }

  /// `Bearer …`: the scheme stays.
  private func headerValue(_ first: Int) -> Range<Int> {
    let start = isQuote(at(first)) ? first + 1 : first
    let word = plainValue(start)
    return at(word.upperBound) == 0x20 && word.count < 10 ? plainValue(word.upperBound + 1) : word
  }

  private func closingQuote(_ quote: UInt8, from start: Int, isEscaped: Bool) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != 0x0A {
      if bytes[index] == quote { return index }
      if bytes[index] == 0x5C {
        if isEscaped, at(index + 1) == quote { return index }
        index += 1
      }
      index += 1
    }
    return min(index, bytes.count)
  }

  /// Whether a word is this name, in letters of either case.
  private func names(_ word: Range<Int>, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(bytes[word]) { $0 == $1 | 0x20 } }
  }

  private func at(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x0A }
  private func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }

  /// Characters of tokens, codes, names and percent-encoded values.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == 0x5F || byte == 0x2D || byte == 0x2E || byte == 0x7E
      || byte == 0x25
      || byte == 0x2B || byte == 0x2F || byte == 0x40 || byte == 0x21 || byte == 0x2A
  }

  /// Words in the place of a value that are not one.
  private static func isHarmless(_ value: String) -> Bool {
    value.isEmpty || Redaction.isHash(value) || value.hasPrefix("Masked")
      || value.hasPrefix("auth.placeholder")
      || value.allSatisfy { $0 == "*" }
      || ["null", "(null)", "nil", "none", "None", "true", "false", "not-null"].contains(value)
  }

  /// Fewer characters are no token, whatever they look like.
  private static let shortestSecret = 20

  /// A token by its looks: `eyJ…`, Entra's refresh tokens and codes (`0.A…`, `1.A…`, `M.C…`), or too long for a word.
  private static func looksSecret(_ word: String) -> Bool {
    let count = word.utf8.count
    if word.hasPrefix("eyJ") { return count >= shortestSecret }
    if word.hasPrefix("0.A") || word.hasPrefix("1.A") || word.hasPrefix("M.C") { return count >= 24 }
    guard count >= 60 else { return false }
    // A path or a URL has slashes and dots between its words; a token has long runs.
    return (word.utf8.split { $0 == 0x2F || $0 == 0x2E }.map(\.count).max() ?? 0) >= 60
  }
}
