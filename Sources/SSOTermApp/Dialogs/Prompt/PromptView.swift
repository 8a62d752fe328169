extension PromptDialog {
  /// Whether the prompt is for an external client and not for an app of the lab.
  var isForRealProgram: Bool { waitingSignIn != nil }
  /// The external client's sign-in that the prompt belongs to.
  var waitingSignIn: AnswerSignIn? { intent?.value as? AnswerSignIn }

  /// Whether the prompt appears over the app (Android, Windows) and not in its place (iOS).
  var isOverlay: Bool {
    switch prompt {
    case .chooseAccount(let picker): picker.presentation == .overlay
    case .systemAlert: true
    case .signIn, .consent, .errorPage: false
    }
  }
}

extension Layout {
  /// Returns the areas of the page and of the steps so far, which are beside or below it.
  func promptPanels() -> (page: Rect, happening: Rect) {
    if let promptFrame { return (promptFrame, Rect(x: 0, y: 0, width: 0, height: 0)) }
    if isRegular { return body.splitLeft(size.width * 11 / 20) }
    // In a low window, the page has all rows, because it contains what the user consents to.
    return isStacked && size.height >= 24 ? body.splitBottom(6) : body.splitTop(body.height)
  }
}

/// Draws the steps of the flow so far, with the newest step last and visible.
///
/// `working` describes the work in progress while no answer is awaited.
func drawHappening(_ dialog: PromptDialog, working: String?, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let inner = grid.panel(rect, "Steps so far", focused: false)
  var lines = dialog.hops.flatMap { hop -> [PanelLine] in
    let result = hop.result.isEmpty ? "" : " = \(hop.result)"
    let text = "\(hop.mark)\(hop.from.label) -> \(hop.to.label): \(hop.action)\(result)"
    return wrapped(text, inner.width - 2, indent: "  ").map { PanelLine($0, hop.style) }
  }
  lines.append(PanelLine("> " + (working ?? "waiting for \(dialog.awaited)"), .accent))
  grid.lines(lines, in: inner, scroll: max(0, lines.count - inner.height))
}
