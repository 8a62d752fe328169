import SSOLab
import TerminalUI

/// Marks and notes on the steps of a trace.
extension AppModel {
  mutating func changeHop(_ action: Action) {
    guard case .trace(let id) = place, let step = hops.selectedRow else { return }
    switch action {
    case .markHop: hopMarks[id, default: []].formSymmetricDifference([step])
    case .jumpToMark: jumpToMark(of: id, after: step)
    case .note:
      let field = TextField(trace?.notes[step] ?? "")
      dialogs.append(.note(NoteField(trace: id, step: step, field: field)))
    default: break
    }
  }

  /// The next marked step that is shown; after the last comes the first.
  private mutating func jumpToMark(of id: Int64, after step: Int) {
    let marked = (hopMarks[id] ?? []).filter(hops.matches.contains).sorted()
    guard let next = marked.first(where: { $0 > step }) ?? marked.first else { return }
    hops.select(id: "\(next)")
  }

  mutating func keepNote() -> [Command] {
    guard case .note(let note) = dialogs.last else { return [] }
    dialogs.removeLast()
    return [.note(trace: note.trace, step: note.step, text: note.field.text)]
  }
}
