import Assets

/// A file of `assets/reference`: a row on each line, with its fields separated by tabs.
///
/// The first line contains the column names.
///
/// A table is read when something in it is first needed. The program raises codes without one.
package struct ReferenceTable: Sendable {
  /// The position of a row in the file, in bytes.
  package typealias Row = Range<Int>

  private let file: Asset?

  /// Opens a table.
  ///
  /// - Parameter name: The name of the file in `assets/reference`.
  package init(_ name: String) { file = Asset("reference/" + name) }

  /// The rows in the order of the file.
  package var rows: [Row] {
    guard let bytes = file?.bytes else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).dropFirst().map(\.indices)
  }

  /// Returns the row whose first field is this code.
  func row(of code: String) -> Row? {
    guard let bytes = file?.bytes else { return nil }
    let start = Array((code + "\t").utf8)
    return rows.first { bytes[$0].starts(with: start) }
  }

  /// Returns the first fields of a row, or all of them.
  package func fields(_ row: Row, first count: Int = .max) -> [String] {
    guard let bytes = file?.bytes else { return [] }
    return bytes[row].split(
      separator: UInt8(ascii: "\t"), maxSplits: count, omittingEmptySubsequences: false
    ).prefix(count).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ReferenceTable {
  /// The fields of each row.
  package var records: [[String]] { rows.map { fields($0) } }

  /// The first two fields of each row that has them.
  var pairs: [(String, String)] { records.filter { $0.count >= 2 }.map { ($0[0], $0[1]) } }

  /// The second fields by the first, of which each is in one row.
  package var texts: [String: String] { Dictionary(uniqueKeysWithValues: pairs) }

  /// Returns the words in a field, which are separated by bars.
  package static func words(_ field: String) -> [String] { field.split(separator: "|").map(String.init) }
}

/// The word lists of `assets/reference/words.tsv`, each named after the property that needs it.
package enum WordList {
  private static let lists = Dictionary(
    uniqueKeysWithValues: ReferenceTable("words.tsv").pairs.map { ($0, ReferenceTable.words($1)) })

  /// Returns the words of a list, in the order of the file.
  ///
  /// A test checks that the file has each list that the code names.
  package static func named(_ name: String) -> [String] { lists[name] ?? [] }
}

/// The delegated permissions of Microsoft Graph (github.com/microsoftgraph/microsoft-graph-devx-content,
/// `permissions/new/permissions.json`).
///
/// A star in the file marks those to which only an administrator can consent (`requiresAdminConsent`).
package enum GraphPermissions {
  private static let lines =
    (Asset("reference/graph-permissions.txt")?.text ?? "").split(separator: "\n").map(String.init)
  package static let names = lines.map { String($0.prefix { $0 != "*" }) }
  /// The names in lowercase of those to which only an administrator can consent.
  package static let ofAdministrators = Set(
    lines.filter { $0.hasSuffix("*") }.map { $0.dropLast().lowercased() })
  /// The names, by themselves in lowercase.
  package static let spellings = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
  /// The names in lowercase.
  package static let delegated = Set(spellings.keys)
}
