/// One word of a query; see ``Haystack``.
struct SearchTerm: Equatable, Sendable {
  enum Kind: Sendable { case plain, negated, fuzzy }

  var kind: Kind
  /// Smart case: only a word with a capital letter minds it.
  var mindsCase: Bool
  var needle: [UInt8]

  /// The words of a query, the plain ones first because they are the quickest to rule rows out.
  static func parse(_ query: String) -> [SearchTerm] {
    let terms = query.split(separator: " ").compactMap(SearchTerm.init)
    return terms.filter { $0.kind == .plain } + terms.filter { $0.kind != .plain }
  }

  /// - Returns: `nil` for a sign with nothing behind it, which the person is about to finish.
  private init?(_ word: Substring) {
    let kind: Kind =
      switch word.first {
      case "!": .negated
      case "~": .fuzzy
      default: .plain
      }
    let body = kind == .plain ? word : word.dropFirst()
    guard !body.isEmpty else { return nil }
    self.kind = kind
    mindsCase = body.contains { $0.isUppercase }
    needle = Array(mindsCase ? body.utf8 : body.lowercased()[...].utf8)
  }

  func accepts(_ row: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .plain: ByteSearch.offset(of: needle, in: row) != nil
    case .negated: ByteSearch.offset(of: needle, in: row) == nil
    case .fuzzy: Self.isSubsequence(needle, of: row)
    }
  }

  private static func isSubsequence(
    _ needle: UnsafeRawBufferPointer, of row: UnsafeRawBufferPointer
  ) -> Bool {
    var wanted = needle.startIndex
    for byte in row where byte == needle[wanted] {
      wanted += 1
      if wanted == needle.endIndex { return true }
    }
    return false
  }
}
