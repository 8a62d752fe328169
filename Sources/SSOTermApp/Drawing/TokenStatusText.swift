import SSOCore
import TerminalUI

/// The text of each state, which is the same everywhere: a glyph and a word or a time, never colour alone.
extension TokenStatus {
  /// The text in a column of the screens, such as `● 59m`.
  var text: String {
    let words =
      switch state {
      case .valid, .expiring: secondsLeft.map(shortDuration) ?? state.rawValue
      case .expired: state.rawValue
      case .invalid: "bad"  // The column is narrow.
      case .revoked, .none, .unknown: state.rawValue
      }
    return "\(state.glyph) \(words)"
  }

  /// The text in a line of the command line, such as `● 59m left`.
  var lineText: String {
    let time = secondsLeft.map { durationText($0) }
    let words =
      switch state {
      case .valid, .expiring: time.map { "\($0) left" } ?? state.rawValue
      case .expired: state.rawValue + (time.map { " \($0) ago" } ?? "")
      case .invalid, .none, .unknown: state.rawValue
      case .revoked: state.sentence
      }
    return "\(state.glyph) \(words)"
  }

  /// The text where a token is shown alone, such as `● 59m, usable`.
  var sentence: String {
    switch state {
    case .valid, .expiring: "\(text), \(state.sentence)"
    case .expired, .invalid, .revoked, .none, .unknown: "\(state.glyph) \(state.sentence)"
    }
  }

  var style: Style { state.style }
}

extension TokenState {
  var glyph: Character {
    switch self {
    case .valid: "●"
    case .expiring: "◔"
    case .expired: "○"
    case .invalid, .revoked: "✗"
    case .none, .unknown: "·"
    }
  }

  /// The colour in the output of commands.
  var tone: Tone {
    switch self {
    case .valid: .good
    case .expiring, .expired: .warning
    case .invalid, .revoked: .bad
    case .none, .unknown: .faint
    }
  }

  var style: Style {
    switch self {
    case .valid: .good
    case .expiring, .expired: .warning
    case .invalid, .revoked: .bad
    case .none, .unknown: .dim
    }
  }

  /// A phrase that describes the state.
  var sentence: String {
    switch self {
    case .valid: "usable"
    case .expiring: "usable, about to expire"
    case .expired: "expired: only a refresh token can renew it"
    case .invalid: "invalid: the provider or the store refuses it"
    case .revoked: "revoked, not expired"
    case .none: "nothing stored"
    case .unknown: "unknown: issued elsewhere, only its provider knows whether it is valid"
    }
  }
}

extension Check {
  var glyph: String {
    switch verdict {
    case .passed: "✓"
    case .failed: "✗"
    case .skipped: "·"
    }
  }

  /// The check in words.
  ///
  /// A failed check states the failure, because its name alone says what should hold.
  var displayText: String {
    switch verdict {
    case .passed: "\(name): \(found)"
    case .failed where failure != nil && foundNothing: title
    case .failed where failure == nil && expected.lacking != nil:
      "\(name): \(expectation)" + (foundNothing ? "" : ", found \(found)")
    case .failed, .skipped: "\(title): expected \(expected), found \(found)"
    }
  }

  /// The expectation of a failed check that has no words for its failure: `no entitlement for the group`, or `expected
  /// status 200`.
  var expectation: String { expected.lacking ?? "expected \(expected)" }

  /// The failure of a failed check, if its rule words it, or else the name.
  var title: String { failure ?? name }

  /// The condition in a list without its values: for a failed one the failure, or what is missing, as in `find item: no
  /// item`.
  var listText: String {
    let missing = verdict == .failed ? expected.lacking.map { "\(name): \($0)" } : nil
    return failure ?? missing ?? name
  }

  /// Whether the value adds nothing to the statement that something is missing.
  private var foundNothing: Bool { ["", "none", "nothing", "no item", "absent", "missing"].contains(found) }

  /// The value that decides and the value that it should be, or `nil` if nothing was found.
  package var contrast: String? { foundNothing ? nil : "\(found)  ≠  \(expected)" }

  /// The style, which is plain for a passed check so that failed checks stand out.
  var style: Style {
    switch verdict {
    case .passed: .plain
    case .failed: .bad
    case .skipped: .dim
    }
  }
}

/// Returns the state with its glyph and the time left, as shown in lists.
package func stateText(_ status: TokenStatus) -> InkedText {
  InkedText(status.lineText, status.state.tone)
}

/// Returns the glyph of a check: `✓`, `✗`, or `·`.
func verdictText(_ check: Check) -> InkedText {
  switch check.verdict {
  case .passed: InkedText(check.glyph, .good)
  case .failed: InkedText(check.glyph, .bad)
  case .skipped: InkedText(check.glyph, .faint)
  }
}

extension String {
  /// The statement that there is no such thing, for a text with an indefinite article: `no token` for `a token`.
  fileprivate var lacking: String? {
    let article = ["a ", "an "].first(where: hasPrefix)
    return article.map { "no " + dropFirst($0.count) }
  }
}
