import ArgumentParser
import Essentials
import SSOCore
import SSOTermApp

/// The help of a command without the options that every command takes.
///
/// ArgumentParser places a titled group of options before the command's own options, and all of them in the usage.
enum HelpText {
  private static let title = GlobalOptions.title.uppercased() + ":"
  /// The note at the end of the help, in place of the explanations of the options that every command takes.
  static let note = "Every command also takes the options that “ssoterm help options” explains."

  /// Returns the output of `--help`.
  static func message(for error: any Error) -> String {
    let text = SSOTermCommand.fullMessage(for: error)
    return text == SSOTermCommand.helpMessage() ? HelpScreen.first : complete(text)
  }

  /// Returns the help of a command, based on the help of ArgumentParser.
  static func complete(_ text: String) -> String {
    let text = arranged(text)
    let group = SSOTermCommand.configuration.subcommands.first {
      text.contains("USAGE: ssoterm \($0._commandName) <subcommand>\n")
    }
    guard let group, let usual = group.configuration.defaultSubcommand else { return text }
    return joined(text, group, arranged(SSOTermCommand.helpMessage(for: usual)), usual)
  }

  /// Returns the help of a group of commands, including the arguments, options, and examples of its default command.
  private static func joined(
    _ text: String, _ group: any ParsableCommand.Type, _ usualText: String, _ usual: any ParsableCommand.Type
  ) -> String {
    func parts(_ text: String) -> (overview: [String], usage: String, rest: [String]) {
      let parts = Self.parts(text)
      guard let place = parts.firstIndex(where: { $0.hasPrefix("USAGE:") }) else { return (parts, "", []) }
      return (Array(parts[..<place]), parts[place], Array(parts[(place + 1)...]))
    }
    let (own, usualParts) = (parts(text), parts(usualText))
    let isExamples: (String) -> Bool = { $0.hasPrefix("Examples:") }
    let examples = own.overview.contains(where: isExamples) ? [] : usualParts.overview.filter(isExamples)
    let (name, usualName) = (group._commandName, "\(group._commandName) \(usual._commandName)")
    let usage =
      usualParts.usage.replacing("ssoterm \(usualName)", with: "ssoterm \(name)")
      + "\n       ssoterm \(name) <subcommand>"
    let details = usualParts.rest.filter { $0 != note }
    return (own.overview + examples + [usage] + details + own.rest).joined(separator: "\n\n")
  }

  static func arranged(_ text: String) -> String {
    var parts = parts(text)
    let explainsAll = parts.contains { $0.hasPrefix(title) }
    guard explainsAll || parts.contains(where: { $0.hasPrefix("SUBCOMMANDS:") }) else { return text }
    parts.removeAll { $0.hasPrefix(title) }
    parts = parts.compactMap { part in
      if part.hasPrefix("USAGE:") { return shortened(part) }
      return part.hasPrefix("OPTIONS:") ? withoutSharedFlags(part) : part
    }
    // Keep the list of subcommands last.
    parts.insert(note, at: parts.firstIndex { $0.hasPrefix("SUBCOMMANDS:") } ?? parts.count)
    return parts.joined(separator: "\n\n")
  }

  private static func parts(_ text: String) -> [String] {
    text.split(separator: "\n\n").map { $0.trimming { $0 == "\n" } }
  }

  /// Returns the options of a command without `--version` and `--help`, or `nil` if there are no others.
  private static func withoutSharedFlags(_ options: String) -> String? {
    let lines = options.split(separator: "\n").filter {
      !$0.hasPrefix("  --version ") && !$0.hasPrefix("  -h, --help ")
    }
    return lines.count > 1 ? lines.joined(separator: "\n") : nil
  }

  /// Returns the usage without the options that every command takes.
  private static func shortened(_ usage: String) -> String {
    guard let start = usage.firstRange(of: "[--store"), let end = usage.firstRange(of: "[--create]"),
      start.lowerBound < end.lowerBound
    else { return usage }
    let rest = usage[end.upperBound...].drop { $0 == " " || $0 == "\n" }
    return usage[..<start.lowerBound] + (rest.isEmpty ? "[options]" : "[options] \(rest)")
  }
}
