import Foundation

/// The end of a command's help: command lines that can be typed as they are.
///
/// `text` is put before the examples.
func examples(_ lines: String..., after text: String = "") -> String {
  let block = (["Examples:"] + lines.map { "  " + $0 }).joined(separator: "\n")
  return text.isEmpty ? block : text + "\n\n" + block
}

/// The help of a command with what is its own first.
///
/// ArgumentParser puts a titled group of options before the command's own ones, and all of them into the usage.
enum HelpText {
  private static let title = GlobalOptions.title.uppercased() + ":"

  static func arranged(_ text: String) -> String {
    var parts = text.components(separatedBy: "\n\n")
    guard let place = parts.firstIndex(where: { $0.hasPrefix(title) }) else { return text }
    let everywhere = parts.remove(at: place)
    // What is below the options lists other commands, and stays last.
    let end = parts.lastIndex { $0.hasPrefix("OPTIONS:") }.map { $0 + 1 } ?? parts.count
    parts.insert(everywhere, at: end)
    return parts.map { $0.hasPrefix("USAGE:") ? shortened($0) : $0 }
      .map { $0.trimmingCharacters(in: .newlines) }.joined(separator: "\n\n")
  }

  /// The usage without the options that are explained below.
  private static func shortened(_ usage: String) -> String {
    guard let start = usage.firstRange(of: "[--store"), let end = usage.firstRange(of: "[--create]"),
      start.lowerBound < end.lowerBound
    else { return usage }
    let rest = usage[end.upperBound...].drop { $0 == " " || $0 == "\n" }
    return usage[..<start.lowerBound] + (rest.isEmpty ? "[options]" : "[options] \(rest)")
  }
}
