import SSOReference

/// The codes that no world of the lab can show, because the lab lacks what causes them.
enum OutsideLab {
  private static let reasons = ReferenceTable("outside.tsv").records.map { row in
    (codes: ReferenceTable.words(row[0]), reason: row[1])
  }

  /// Returns the reason that the lab cannot show one of the codes, as a clause, or `nil` if it may.
  static func reason(for codes: [String]) -> String? {
    codes.lazy.compactMap { code in reasons.first { $0.codes.contains(code) }?.reason }.first
  }
}
