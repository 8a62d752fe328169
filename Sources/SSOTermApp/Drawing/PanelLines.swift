import SSOCore
import TerminalUI

extension Grid {
  /// Draws the text for a list that shows no rows.
  ///
  /// `noun` describes a row, and `nothing` is the text for a list that is empty even without a filter.
  mutating func emptyState(of list: RowList, _ noun: String, _ nothing: [String], in rect: Rect) {
    let isFilter = list.isFiltered && list.index.count > 0
    emptyState(isFilter ? ["No \(noun) matches the filter. Esc shows all."] : nothing, in: rect)
  }
}

/// Returns lines with the values that the checks found, and for checks that did not pass also the expected values.
func checkLines(_ checks: [Check], width: Int) -> [PanelLine] {
  checks.flatMap { check in
    wrapped("\(check.glyph) \(check.displayText)", width, indent: "  ").map { PanelLine($0, check.style) }
  }
}
