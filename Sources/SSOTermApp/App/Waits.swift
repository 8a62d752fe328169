import SSOCore
import SSOLab

/// Why the program may wake by itself; see ``Alarm``.
struct Waits: Equatable, Sendable {
  /// Secrets shown so far; each is shown for ten seconds.
  var reveals = 0
  /// Secrets copied so far, and whether the last one may still lie on the clipboard.
  var secretCopies = 0
  var hasSecretOnClipboard = false
  /// Times that rows were read, and the seconds from the last one to the first change of a token's word.
  var reads = 0
  var nextState: Int?
  /// Whether rows are being read because those shown are of a minute that is over.
  var isRefreshing = false

  /// Rows have come in.
  mutating func note(_ standings: some Sequence<TokenStanding>) {
    reads += 1
    nextState = standings.compactMap(\.changesIn).min()
  }
}

extension AppModel {
  /// What to wait for. An idle program with no token that lives makes no wake-ups at all.
  var alarms: [Alarm: Alarm.Wait] {
    var alarms: [Alarm: Alarm.Wait] = [:]
    if revealedToken != nil || passwordIsShown {
      alarms[.conceal] = Alarm.Wait(occasion: waits.reveals, seconds: 10)
    }
    if waits.hasSecretOnClipboard {
      alarms[.clearClipboard] = Alarm.Wait(occasion: waits.secretCopies, seconds: 45)
    }
    if let seconds = waits.nextState {
      alarms[.nextState] = Alarm.Wait(occasion: waits.reads, seconds: max(1, seconds))
    }
    return alarms
  }

  private var passwordIsShown: Bool {
    if case .prompt(let dialog) = dialogs.last { dialog.isRevealed } else { false }
  }

  mutating func ring(_ alarm: Alarm) -> [Command] {
    switch alarm {
    case .conceal: return conceal()
    case .clearClipboard:
      waits.hasSecretOnClipboard = false
      return [.clearClipboard]
    case .nextState:
      waits.nextState = nil
      return reload()
    }
  }

  /// Masks again what was revealed.
  private mutating func conceal() -> [Command] {
    if case .prompt(var dialog) = dialogs.last {
      dialog.isRevealed = false
      dialogs[dialogs.count - 1] = .prompt(dialog)
    }
    guard let token = revealedToken else { return [] }
    revealedToken = nil
    detail = nil
    return [.load(.detail(token, revealed: false))]
  }

  /// Every "59m" is as of the minute in the header: when that is over, the next sign of life reads the rows again.
  mutating func refresh(at realTime: Instant) -> [Command] {
    guard let status, !waits.isRefreshing, !isPickerOnly else { return [] }
    let now = realTime.adding(seconds: status.clockOffset ?? 0)
    guard now.seconds / 60 != status.now.seconds / 60 else { return [] }
    waits.isRefreshing = true
    return reload()
  }
}
