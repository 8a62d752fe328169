/// One word of a query; see ``SearchIndex``.
struct SearchTerm: Equatable, Sendable {
  /// Whether the term matches rows that do not contain the word.
  var isNegated: Bool
  /// Whether the letters may have anything between them, as long as they are in order.
  var isFuzzy: Bool
  /// The position of the column to search, or `nil` for any column.
  var column: Int?
  /// Whether the word is case-sensitive, which it is only if it contains a capital letter.
  var mindsCase: Bool
  var needle: [UInt8]

  /// Parses the words of a query.
  ///
  /// `columns` are the names that may precede a word, followed by a colon. A word with a colon that does not start with
  /// a column name is an ordinary word, because redirect URIs contain colons too.
  static func parse(_ query: String, columns: [String] = []) -> [SearchTerm] {
    query.split(separator: " ").compactMap { SearchTerm($0, columns) }
  }

  /// - Returns: `nil` for an operator or a column name with nothing after it, which the user has not finished typing.
  private init?(_ word: Substring, _ columns: [String]) {
    var body = word
    func take(_ sign: Character) -> Bool {
      guard body.first == sign else { return false }
      body = body.dropFirst()
      return true
    }
    isNegated = take("!")
    isFuzzy = take("~")
    if let colon = body.firstIndex(of: ":"),
      let named = columns.firstIndex(where: { !$0.isEmpty && $0 == body[..<colon].lowercased() })
    {
      column = named
      body = body[colon...].dropFirst()
      isFuzzy = isFuzzy || take("~")
    }
    guard !body.isEmpty else { return nil }
    mindsCase = body.contains { $0.isUppercase }
    needle = Array(mindsCase ? body.utf8 : body.lowercased()[...].utf8)
  }

  /// Returns whether the text contains the word.
  ///
  /// The caller applies `!`.
  func accepts(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    isFuzzy ? Self.isSubsequence(needle, of: text) : ByteSearch.offset(of: needle, in: text) != nil
  }

  private static func isSubsequence(
    _ needle: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer
  ) -> Bool {
    var wanted = needle.startIndex
    for byte in text where byte == needle[wanted] {
      wanted += 1
      if wanted == needle.endIndex { return true }
    }
    return false
  }
}
