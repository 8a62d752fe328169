/// One word of a query; see ``SearchIndex``.
struct SearchTerm: Equatable, Sendable {
  /// Rows without the word are wanted.
  var isNegated: Bool
  /// The letters in this order, with anything between.
  var isFuzzy: Bool
  /// The column it is for, by its place; nil for any.
  var column: Int?
  /// Smart case: only a word with a capital letter minds it.
  var mindsCase: Bool
  var needle: [UInt8]

  /// The words of a query.
  ///
  /// `columns` are names that may be put before a word, with a colon. A word with a colon that begins with no column's name
  /// is a word like any other: redirect URIs have colons too.
  static func parse(_ query: String, columns: [String] = []) -> [SearchTerm] {
    query.split(separator: " ").compactMap { SearchTerm($0, columns) }
  }

  /// - Returns: `nil` for a sign or a name with nothing behind it, which the person is about to finish.
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

  /// Whether the word is in the text; what `!` makes of that is the caller's.
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
