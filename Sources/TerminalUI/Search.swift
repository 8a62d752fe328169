import SafeText

/// An index of rows for incremental search, with the texts of each column stored as bytes.
///
/// All words of a query must occur in a row, in any order and column. A word with a capital letter is case-sensitive,
/// `!x` matches rows without `x`, `~x` matches the letters of `x` in this order with anything between them, and
/// `client:x` searches only the column with that name.
///
/// A text that many rows share is stored and searched once. A list of 100,000 accounts is searched in a few
/// milliseconds, thirty times as fast as with `String`.
package struct SearchIndex: Equatable, Sendable {
  private var columns: [SearchColumn]
  package private(set) var count = 0

  /// - Parameter columns: the columns' names; a column whose name is empty is searched only by words without a column
  ///   name.
  package init(columns: [String] = [""]) {
    self.columns = columns.map(SearchColumn.init)
  }

  package init(_ rows: some Collection<String>) {
    self.init()
    for row in rows { append([row]) }
  }

  /// Reserves capacity for this number of rows.
  ///
  /// Call this when some rows have been appended, because their length is used as the estimate.
  package mutating func reserve(_ rows: Int) {
    for column in columns.indices { columns[column].reserve(rows) }
  }

  /// Appends a row.
  ///
  /// Missing texts are treated as empty.
  package mutating func append(_ texts: [String]) {
    for column in columns.indices { columns[column].append(column < texts.count ? texts[column] : "") }
    count += 1
  }

  /// Replaces the columns that have the same names as those of another index with the same rows.
  package mutating func take(columnsOf other: SearchIndex) {
    for column in other.columns {
      if let place = self.column(named: column.name) { columns[place] = column }
    }
  }

  /// The column names that a query may use, in column order.
  package var columnNames: [String] { columns.map(\.name).filter { !$0.isEmpty } }

  package func column(named name: String) -> Int? { columns.firstIndex { $0.name == name } }

  /// Returns the text of a row in a column, given by the column's position.
  package func text(_ row: Int, column: Int = 0) -> String { columns[column].text(row) }

  /// Returns the rows sorted by a column.
  package func order(by column: Int) -> [UInt32] { columns[column].sorted() }

  /// Returns the rows that match, in order.
  ///
  /// `order` contains all rows in the desired order, from ``order(by:)``. If it is `nil`, the rows are in the order in
  /// which they were appended.
  package func matches(_ query: String, order: [UInt32]? = nil) -> RowOrder {
    let terms = parse(query)
    guard !terms.isEmpty else { return order.map(RowOrder.init) ?? RowOrder(all: count) }
    var passed = [Bool](repeating: true, count: count)
    for term in terms {
      var found = [Bool](repeating: false, count: count)
      for column in columns(for: term) { column.mark(term, &found) }
      for row in 0..<count where found[row] == term.isNegated { passed[row] = false }
    }
    guard let order else { return RowOrder((0..<UInt32(count)).filter { passed[Int($0)] }) }
    return RowOrder(order.filter { passed[Int($0)] })
  }

  /// Returns the rows of an earlier result that also match, after another letter was typed.
  ///
  /// This is correct only if every match of `query` is in `rows`; that is, if the old query was a prefix of the new one
  /// and neither contains `!`. See ``narrows(_:to:)``.
  package func matches(_ query: String, within rows: RowOrder) -> RowOrder {
    let isMatch = matcher(query)
    return RowOrder(rows.lazy.filter(isMatch).map { UInt32($0) })
  }

  /// Returns a function that determines whether a row matches.
  package func matcher(_ query: String) -> (Int) -> Bool {
    let terms = parse(query).map { (term: $0, columns: columns(for: $0)) }
    return { row in
      terms.allSatisfy { term, columns in columns.contains { $0.has(term, row) } != term.isNegated }
    }
  }

  /// Returns whether the matches of `longer` are certain to be among the matches of `shorter`.
  ///
  /// A `!` reverses this. An operator that still lacks its word, or a word that becomes a column name, means something
  /// else with the next letter.
  package static func narrows(_ shorter: String, to longer: String) -> Bool {
    longer.hasPrefix(shorter) && !longer.contains("!") && !shorter.hasSuffix("~")
      && longer.count { $0 == ":" } == shorter.count { $0 == ":" }
  }

  private func parse(_ query: String) -> [SearchTerm] {
    SearchTerm.parse(query, columns: columns.map(\.name))
  }

  private func columns(for term: SearchTerm) -> [SearchColumn] {
    term.column.map { [columns[$0]] } ?? columns
  }
}

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
