import Essentials

/// A terminal recording in version 2 of asciinema's format: a line of JSON with the size, followed by a line for each
/// output.
///
/// Source: https://docs.asciinema.org/manual/asciicast/v2/
struct Asciicast {
  private let output = TerminalOutput()
  private var shown: Grid?
  /// The playing time so far.
  private(set) var milliseconds = 0
  private(set) var text: String

  init(size: Size, title: String) {
    let head: JSONValue = [
      "version": .integer(2), "width": .count(size.width), "height": .count(size.height),
      "title": .string(title),
      "env": ["TERM": .string("xterm-256color")],
    ]
    text = head.text(.wire) + "\n"
  }

  /// Adds a screen, and the time for which it is shown.
  mutating func show(_ grid: Grid, forMilliseconds duration: Int) {
    let change = output.text(of: grid, over: shown)
    if !change.isEmpty { write(change) }
    shown = grid
    milliseconds += duration
  }

  /// Ends the recording with an empty event.
  ///
  /// If there were none, players would stop at once and not show the last screen for its time.
  mutating func end() { write("") }

  private mutating func write(_ output: String) {
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    text += "[\(milliseconds / 1000).\(fraction), \"o\", \(JSONValue.string(output).text(.wire))]\n"
  }
}
