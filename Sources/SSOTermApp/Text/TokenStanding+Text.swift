/// The text of each state, which is the same everywhere: a glyph and a word or a time, never colour alone.
extension TokenStanding {
  var text: String {
    switch state {
    case .valid: "● " + (secondsLeft.map(shortDuration) ?? "ok")
    case .expiring: "◔ " + (secondsLeft.map(shortDuration) ?? "soon")
    case .expired: "○ " + (secondsLeft.map { $0 < 0 ? shortDuration($0) : "now" } ?? "ended")
    case .invalid: "✗ bad"
    case .revoked: "✗ revoked"
    case .none: "· none"
    case .unknown: "· unknown"
    }
  }

  var style: Style { state.style }
}

extension TokenState {
  var style: Style {
    switch self {
    case .valid: .good
    case .expiring: .warning
    case .expired: .warning
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
    case .unknown: "not issued here: only its provider knows whether it is valid"
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

  /// The style, which is plain for a passed check so that failed checks stand out.
  var style: Style {
    switch verdict {
    case .passed: .plain
    case .failed: .bad
    case .skipped: .dim
    }
  }
}
