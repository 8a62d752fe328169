/// One word of a query; see ``Haystack``.
struct SearchTerm: Equatable, Sendable {
  enum Kind: Sendable { case plain, negated, fuzzy }

  /// Stands between the columns of a row; nobody can type it.
  static let separator: UInt8 = 0x1F

  var kind: Kind
  /// The column that it is about; nil: all of the row.
  var column: Int?
  /// Smart case: only a word with a capital letter minds it.
  var mindsCase: Bool
  var needle: [UInt8]

  /// The words of a query, the plain ones first because they are the quickest to rule rows out.
  static func parse(_ query: String, columns: [String] = []) -> [SearchTerm] {
    let terms = query.split(separator: " ").compactMap { SearchTerm($0, columns) }
    return terms.filter(\.isQuick) + terms.filter { !$0.isQuick }
  }

  /// Whether all rows can be searched for it in one run.
  var isQuick: Bool { kind == .plain && column == nil }

  /// - Returns: `nil` for a sign with nothing behind it, which the person is about to finish.
  private init?(_ word: Substring, _ columns: [String]) {
    let kind: Kind =
      switch word.first {
      case "!": .negated
      case "~": .fuzzy
      default: .plain
      }
    var body = kind == .plain ? word : word.dropFirst()
    let name = body.prefix { $0 != ":" }
    if let number = columns.firstIndex(where: { $0 == name }), name.endIndex != body.endIndex {
      column = number
      body = body[body.index(after: name.endIndex)...]
    }
    guard !body.isEmpty else { return nil }
    self.kind = kind
    mindsCase = body.contains { $0.isUppercase }
    needle = Array(mindsCase ? body.utf8 : body.lowercased()[...].utf8)
  }

  func accepts(_ row: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    let row = column.map { Self.part($0, of: row) } ?? row
    return switch kind {
    case .plain: ByteSearch.offset(of: needle, in: row) != nil
    case .negated: ByteSearch.offset(of: needle, in: row) == nil
    case .fuzzy: Self.isSubsequence(needle, of: row)
    }
  }

  /// One column of a row; empty if the row has fewer.
  private static func part(_ column: Int, of row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = row.startIndex
    for _ in 0..<column {
      guard let end = row[start...].firstIndex(of: separator) else {
        return UnsafeRawBufferPointer(rebasing: row[row.endIndex...])
      }
      start = end + 1
    }
    let end = row[start...].firstIndex(of: separator) ?? row.endIndex
    return UnsafeRawBufferPointer(rebasing: row[start..<end])
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
