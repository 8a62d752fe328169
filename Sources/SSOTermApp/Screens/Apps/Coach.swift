import SSOCore
import SSOLab
import TerminalUI

/// The guide through the first minute: one line below the tabs that follows what the user does, and ends after the last
/// step.
enum Coach: Int, Equatable, Sendable {
  case signIn, silent, why, expire, silentAgain, undo

  /// The events that the guide waits for.
  enum Event: Equatable {
    case performed(AnyIntent, Outcome)
    case explained, undone
  }

  /// Returns the step after an event, which is this one if it waits for another event, or `nil` at the end.
  ///
  /// A user who goes on without the explanation is not sent back for it.
  func after(_ event: Event) -> Coach? {
    if isDone(by: event) { return Coach(rawValue: rawValue + 1) }
    return self == .why && Coach.expire.isDone(by: event) ? .silentAgain : self
  }

  private func isDone(by event: Event) -> Bool {
    switch (self, event) {
    case (.signIn, .performed(let intent, let outcome)):
      intent.value is SignIn && outcome.verdict == .succeeded
    case (.silent, .performed(let intent, let outcome)),
      (.silentAgain, .performed(let intent, let outcome)):
      intent.value is AcquireSilently && outcome.verdict == .succeeded
    case (.expire, .performed(let intent, _)): intent.value is ChangeCredentials
    case (.why, .explained), (.undo, .undone): true
    default: false
    }
  }

  /// Returns the line, with the names of key commands in braces; at 80 columns, the key that ends the guide fits beside
  /// it.
  ///
  /// The explanation of step 3 may still cover the app that step 4 acts on.
  private func text(isCovered: Bool) -> String {
    switch self {
    case .signIn: "Press {signin} to sign in; C-t fills in a test user."
    case .silent: "Now j, then {silent}: the next app gets a token without a prompt."
    case .why: "That is single sign-on. Press {why} for each condition."
    case .expire where isCovered: "Press Esc, then {expire}: the access token expires."
    case .expire: "Press {expire}: the access token expires. Watch NEXT."
    case .silentAgain: "Press {silent} again: the refresh token gets a new one."
    case .undo: "{undo} undoes a change, {help} lists keys, {palette} finds everything."
    }
  }

  /// Returns the line with its number, and with the screen on which its keys work while another one is shown.
  func line(_ keys: KeyTable, isCovered: Bool, isElsewhere: Bool) -> String {
    let place = isElsewhere && self != .undo ? "On {apps} Apps: " : ""
    return "▸ \(rawValue + 1)/6  \(keys.fill(place + text(isCovered: isCovered)))"
  }
}

/// Draws the line of the guide and, where there is room, the key that ends it.
func drawCoach(_ model: AppModel, into grid: inout Grid, _ row: Rect) {
  guard let coach = model.shared.coach, !row.isEmpty else { return }
  let line = coach.line(
    model.shared.keys, isCovered: !model.dialogs.isEmpty,
    isElsewhere: model.dialogs.isEmpty && model.place.tab != Place.apps.tab)
  grid.fill(row)
  grid.put(line, at: row.x + 1, row.y, width: row.width - 2, style: .title)
  let end = model.shared.keys.fill("{no guide} no guide")
  guard model.dialogs.isEmpty, model.place == .apps, columnWidth(line) + columnWidth(end) + 4 <= row.width
  else {
    return
  }
  let place = Rect(x: row.maxX - columnWidth(end) - 1, y: row.y, width: columnWidth(end), height: 1)
  grid.put(end, at: place.x, place.y, style: .dim)
  grid.noteKey(of: "no guide", place, model)
}

extension SharedState {
  /// Lets the guide follow an event.
  mutating func coach(_ event: Coach.Event) { coach = coach?.after(event) }
}

/// The action that ends the guide.
enum CoachAction: FeatureAction {
  var keyGroup: KeyGroup { .everywhere }
  case end

  static let key = KeyCommand(
    end, [.character("x")], "x", "no guide", name: "no guide", "Ends the guide below the tabs.")

  func obstacle(in model: AppModel) -> String? {
    model.shared.coach == nil ? "there is no guide; on 4 Trace it exports the trace" : nil
  }

  func run(on model: inout AppModel) -> [Command] {
    model.shared.coach = nil
    return []
  }
}
