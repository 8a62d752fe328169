/// Draws the bar for an audience: the note of a demo's step or the state in one line, and the last key with its effect.
///
/// Text that was typed into a field is never shown.
func drawPresenterBar(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let style = Style(.accent, bold: true, reverse: true)
  grid.fill(rect, style: style)
  let echo = model.keyEcho.isEmpty ? "" : " \(model.keyEcho) "
  let echoWidth = min(columnWidth(echo), rect.width / 2)
  grid.put(echo, at: rect.maxX - echoWidth - 1, rect.y, width: echoWidth, style: Style(.normal, bold: true))
  let width = rect.width - 4
  guard let story = model.screens.story.story else {
    let text = truncated(model.working ?? sentence(model), width)
    return grid.put(text, at: rect.x + 2, rect.y + 1, width: width, style: style)
  }
  grid.put(story.heading, at: rect.x + 2, rect.y, width: width - echoWidth, style: style)
  var lines = wrapped(story.presentNote, width)
  let rows = rect.height - 1
  if lines.count > rows {
    lines = lines.prefix(rows - 1) + [truncated(lines[(rows - 1)...].joined(separator: " "), width)]
  }
  for (row, line) in lines.enumerated() {
    grid.put(line, at: rect.x + 2, rect.y + 1 + row, width: width, style: Style(.accent, reverse: true))
  }
}

/// Returns the sentence that sums up a screen for an audience outside a demo.
private func sentence(_ model: AppModel) -> String {
  if let prompt = model.dialogs.first?.component as? PromptDialog { return prompt.sentence }
  return model.selection.sentence
}

extension Story {
  fileprivate var heading: String {
    present == 0 ? title : "Step \(present) of \(steps.count): \(steps[present - 1].title)"
  }

  /// The speaker's note for the current step, or the scenario's own note before the first step.
  fileprivate var presentNote: String { present == 0 ? note : steps[present - 1].note }
}
