/// For an audience: the state in one line, and the last key with what it did.
///
/// Nothing that was typed into a field.
func drawPresenterBar(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let style = Style(.accent, bold: true, reverse: true)
  grid.fill(rect, style: style)
  let state = truncated(sentence(model), rect.width - 4)
  grid.put(state, at: rect.x + 2, rect.y + 1, width: rect.width - 4, style: style)
  guard !model.keyEcho.isEmpty else { return }
  let echo = " \(model.keyEcho) "
  let width = min(columnWidth(echo), rect.width)
  grid.put(echo, at: rect.maxX - width - 1, rect.y, width: width, style: Style(.normal, bold: true))
}

/// What an audience should take from the screen.
private func sentence(_ model: AppModel) -> String {
  if let working = model.working { return working }
  if let prompt = model.dialogs.first?.component as? PromptDialog { return prompt.sentence }
  return model.notice?.text ?? model.selection.sentence
}
