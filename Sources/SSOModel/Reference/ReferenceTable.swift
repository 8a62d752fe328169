import Assets

/// A file of `assets/reference`: a row on each line, with its fields separated by tabs.
///
/// The first line contains the column names.
///
/// The program raises codes without reading a table. A table is read when someone asks for an explanation.
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
