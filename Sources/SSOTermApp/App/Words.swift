import SSOCore
import SSOLab
import SSOServer
import TerminalUI

/// The one form of each state: a glyph and a word or a time, never colour alone.
extension TokenStanding {
  var text: String {
    switch state {
    case .valid: "● " + (secondsLeft.map(shortDuration) ?? "ok")
    case .expiring: "◔ " + (secondsLeft.map(shortDuration) ?? "soon")
    case .expired: "○ " + (secondsLeft.map { $0 < 0 ? shortDuration($0) : "now" } ?? "ended")
    case .invalid: "✗ bad"
    case .none: "· none"
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
    case .invalid: .bad
    case .none: .dim
    }
  }

  /// The state in a sentence.
  var sentence: String {
    switch self {
    case .valid: "usable"
    case .expiring: "usable, about to expire"
    case .expired: "expired: a refresh token must renew it"
    case .invalid: "bad: the server or the store refuses it"
    case .none: "nothing stored"
    }
  }
}

extension TokenRow {
  var standing: TokenStanding { TokenStanding(state, secondsLeft: secondsLeft, changesIn: changesIn) }

  var shortType: String { SSOTermApp.shortType(of: type) }

  /// Lies in ADAL's format.
  var isLegacy: Bool { type.hasPrefix("Legacy") }

  var longType: String {
    if isLegacy {
      return "Legacy " + (shortType == "AT" ? "access" : shortType == "FRT" ? "family refresh" : "refresh")
        + " token"
    }
    return switch shortType {
    case "AT": "Access token"
    case "RT": "Refresh token"
    case "FRT": "Family refresh token"
    case "ID": "ID token"
    default: type
    }
  }
}

/// `AT`, `RT`, `FRT`, `ID`: what fits in a column.
func shortType(of type: String) -> String {
  switch type {
  case "AccessToken", "AccessToken_With_AuthScheme", "LegacyAccessToken", "LegacySingleResourceToken": "AT"
  case "RefreshToken", "LegacyRefreshToken": "RT"
  case "FamilyRefreshToken", "LegacyFamilyRefreshToken": "FRT"
  case "IdToken", "V1IdToken": "ID"
  case "PrimaryRefreshToken": "PRT"
  default: type
  }
}

/// `59m`, `<1m`, `-12m`, `13d`: the largest whole unit, but no seconds: the screens do not tick. What is over is
/// rounded up.
func shortDuration(_ seconds: Int) -> String {
  let size = seconds < 0 ? seconds.magnitude + 59 : seconds.magnitude
  let sign = seconds < 0 ? "-" : ""
  return switch size {
  case ..<60: "<1m"
  case ..<3600: "\(sign)\(size / 60)m"
  case ..<172_800: "\(sign)\(size / 3600)h"
  default: "\(sign)\(size / 86_400)d"
  }
}

/// How moments are shown: the time left, or the clock here or in Greenwich.
enum TimeStyle: String, CaseIterable, Sendable {
  case left, local, utc

  var next: TimeStyle {
    switch self {
    case .left: .local
    case .local: .utc
    case .utc: .left
    }
  }
}

/// `09:41:07`, in the zone that lies so many seconds east.
func clockText(_ moment: Instant, east: Int = 0) -> String {
  let day = ((moment.seconds + east) % 86_400 + 86_400) % 86_400
  return [day / 3600, day / 60 % 60, day % 60].map(twoDigits).joined(separator: ":")
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

extension Check {
  var glyph: String {
    switch verdict {
    case .passed: "✓"
    case .failed: "✗"
    case .skipped: "·"
    }
  }

  var style: Style {
    switch verdict {
    case .passed: .good
    case .failed: .bad
    case .skipped: .dim
    }
  }
}
