/// A code as a list shows it, without the rest of its row.
package struct CodeName: Sendable {
  /// The words with which `find` finds exactly this code, such as `AADSTS50011` or `state expired`.
  package let displayText: String
  /// The name in the SDK's or Apple's headers, or an empty string.
  package let name: String

  private let family: Explanation.Family
  private let row: ReferenceTable.Row

  /// The codes of all tables, in the order of ``Explanation/all``.
  package static let all: [CodeName] = Explanation.Family.allCases.flatMap { family in
    let table = family.table
    return table.rows.map { CodeName(family, $0, of: table) }
  }

  private init(_ family: Explanation.Family, _ row: ReferenceTable.Row, of table: ReferenceTable) {
    let fields = table.fields(row, first: 2)
    let code = fields.first ?? ""
    displayText = family == .state ? "state \(code)" : code
    name = fields.count > 1 ? fields[1] : ""
    self.family = family
    self.row = row
  }

  /// The whole row, which is read now.
  package var explanation: Explanation { Explanation(family, family.table.fields(row)) }
}
