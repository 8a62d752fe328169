import SSOCore
import SSOLab
import TerminalUI

/// The guide through the first minute: one line that follows what the user does, and ends after the last step.
enum Coach: Int, Equatable, Sendable {
  case signIn, silent, why, expire, silentAgain, undo

  /// The events that the guide waits for.
  enum Event: Equatable {
    case performed(AnyIntent, Outcome)
    case explained, undone
  }

  /// Returns the step after an event, which is this one if it waits for another event, or `nil` at the end.
  func after(_ event: Event) -> Coach? {
    let isDone =
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
    return isDone ? Coach(rawValue: rawValue + 1) : self
  }

  /// The line, with the names of key commands in braces.
  private var text: String {
    switch self {
    case .signIn: "Press {signin} to sign in to an app; C-t fills in a test user and the password."
    case .silent: "Now j, then {silent}: the next app gets a token, and nobody is asked."
    case .why: "That is single sign-on. {why} shows why, condition by condition."
    case .expire: "{expire} expires the access token. Watch what the next call would do."
    case .silentAgain: "Press {silent}: the refresh token gets a new access token, without a prompt."
    case .undo: "{undo} undoes any change, {help} lists the keys, {palette} finds everything."
    }
  }

  func line(_ keys: KeyTable) -> String { "▸ \(rawValue + 1)/6  \(keys.fill(text))" }
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
    end, [.character("x")], "x", "no guide", name: "no guide", "Ends the guide in the last line but one.")

  func obstacle(in model: AppModel) -> String? {
    model.shared.coach == nil ? "there is no guide; on 4 Trace it exports the trace" : nil
  }

  func run(on model: inout AppModel) -> [Command] {
    model.shared.coach = nil
    return []
  }
}
