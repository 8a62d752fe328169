import SSOCore
import SSOReference
import TerminalUI

/// What a code or a condition means, over whatever it was asked from.
func drawExplained(_ explained: Explained, into grid: inout Grid, _ layout: Layout) {
  let most = layout.explainedArea
  let lines = explained.lines(width: most.width - 4)
  let area = layout.body.centred(width: most.width, height: min(most.height, lines.count + 2))
  let inner = grid.panel(area, explained.title, focused: true)
  grid.lines(lines, in: inner, scroll: explained.scroll)
}

extension Layout {
  /// The most that an explanation takes.
  var explainedArea: Rect { body.centred(width: min(84, size.width), height: body.height) }
}

extension Explained {
  func lines(width: Int) -> [PanelLine] {
    var lines: [PanelLine] = []
    if let check {
      lines += wrapped("\(check.glyph) \(check.name)", width, indent: "  ").map { PanelLine($0, check.style) }
      lines += fieldLines("Expected", check.expected, width: width)
      lines += fieldLines("Found", check.found, width: width)
      lines += fieldLines("Source", check.source, width: width)
      lines += RuleSource(check.source).sentences.flatMap { fieldLines("", $0, width: width, style: .dim) }
    }
    for code in codes {
      if !lines.isEmpty { lines.append(PanelLine("")) }
      lines += code.lines(width: width)
    }
    if codes.isEmpty { lines += [PanelLine(""), PanelLine("No error code occurs in it.", .dim)] }
    return lines
  }
}

extension Explanation {
  /// The words of `ssoterm explain`.
  fileprivate func lines(width: Int) -> [PanelLine] {
    let title = [code, name].filter { !$0.isEmpty }.joined(separator: "  ")
    return wrapped(title, width).map { PanelLine($0, .bold) } + [PanelLine(family.domain, .dim)]
      + fieldLines("Meaning", meaning, width: width) + fieldLines("Cause", cause, width: width)
      + fieldLines("To do", remedy, width: width)
  }
}
