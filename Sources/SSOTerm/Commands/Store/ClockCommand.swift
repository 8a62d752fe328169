import ArgumentParser
import SSOCore
import SSOLab
import SSOTermApp

/// `ssoterm clock show|+1h|-30m|reset`: the lab's clock.
struct ClockCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "clock", "Show the lab's time, move its clock, or reset it.",
    examples: ["ssoterm clock", "ssoterm clock +1h", "ssoterm clock reset"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(
    parsing: .allUnrecognized, help: "show, reset, or a step such as +1h, -30m, +2d, or +90s.",
    completion: .list(["show", "reset", "+1h"]))
  var words: [String] = []

  func perform(on console: Console) throws -> ExitStatus {
    let step = try ClockStep(words: words)
    let lab = try step == .show ? console.openLabToRead(options) : console.openLab(options)
    switch step {
    case .show:
      let status = try lab.status()
      return try console.show(["now": .moment(status.now), "clockOffset": .optional(status.clockOffset)]) {
        let offset = status.clockOffset.map { ", moved by \(offsetText($0))" } ?? ""
        return console.ink.draw("\(status.now.iso8601)  lab time\(offset)")
      }
    case .reset: return try console.show(try runUnattended(MoveClock(bySeconds: nil), on: lab))
    case .move(let seconds):
      return try console.show(try runUnattended(MoveClock(bySeconds: seconds), on: lab))
    }
  }
}

enum ClockStep: Equatable {
  case show, reset
  case move(Int)

  init(words: [String]) throws(CommandFailure) {
    let word = words.first ?? "show"
    switch word {
    case _ where words.count > 1:
      throw CommandFailure(
        usage: "The clock takes one word.", why: "found \(words.joined(separator: " "))",
        next: "ssoterm clock +1h")
    case "show": self = .show
    case "reset": self = .reset
    default:
      guard word.hasPrefix("+") || word.hasPrefix("-"), let seconds = parseDuration(word) else {
        throw CommandFailure(
          usage: "“\(word)” is not a valid step of the clock.",
          why: "expected show, reset, or a signed duration such as +90s, -30m, +1h, +2d, or +1w",
          next: "ssoterm clock +1h")
      }
      self = .move(seconds)
    }
  }
}
