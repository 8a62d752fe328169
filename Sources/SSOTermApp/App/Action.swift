import SSOLab

/// What a key can do.
enum Action: Hashable, Sendable {
  case open, back, quit, leave
  case screen(Int)
  case previousScreen, nextPanel, previousPanel
  case silent, interactive, chooseAccount, addAccount, signOut, forget, repeatFlow
  /// As `MSALSignoutParameters` say, and the question of an app for one account.
  case signOutOfBrowser, wipeAccount, wipeCache, currentAccount
  case expire, invalidate, delete, expireAll
  case undo, redo, clockForward, clockReal
  case filter, nextMatch, previousMatch, help, palette, redraw, reload, suspend
  case mark, range
  case nextHop, previousHop, follow, markHop, jumpToMark, note
  case reveal, copyMenu, exportMenu, sortMenu, columnMenu
  case copy(CopyItem)
  case export(ExportForm)
  case column(Int)
  case timeStyle, zoom, unzoom, presenter, mouse
  /// Commands of the palette, which need an argument.
  case moveClock, go
  case setRecord(RecordKind)
  case sights, why, explain
  case tellNext, tellBack
  case acceptFilter
  case pick(Int)
  case otherAccount, forgetCandidate, details
  case submit, cancel, otherButton, testPerson, revealPassword, closeDialog, runSelected
  case complete, copyCommand
  /// In "why?": the rule behind a condition, and a second app.
  case explainCheck, secondApp
  case choose
  /// The record of what is selected; a field of it; what the change did, taken back.
  case change, undoEffects
  /// The Provider screen.
  case faults, server, approval, port, addFault, clearFault, clearFaults, setFault

  /// Whether it writes to the store, which `--readonly` refuses.
  var changesLab: Bool {
    switch self {
    case .silent, .interactive, .chooseAccount, .addAccount, .signOut, .signOutOfBrowser, .wipeAccount,
      .wipeCache, .currentAccount, .forget, .repeatFlow, .expire, .invalidate, .delete, .expireAll, .undo,
      .redo, .clockForward, .clockReal, .moveClock, .note,
      .forgetCandidate, .tellNext, .tellBack, .undoEffects, .setRecord, .server, .addFault, .clearFault,
      .clearFaults:
      true
    default: false
    }
  }
}
