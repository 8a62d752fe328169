import ArgumentParser
import Foundation

/// The end of a command's help: command lines that can be typed as they are.
///
/// `text` is put before the examples.
func examples(_ lines: [String], after text: String = "") -> String {
  let block = (["Examples:"] + lines.map { "  " + $0 }).joined(separator: "\n")
  return text.isEmpty ? block : text + "\n\n" + block
}

extension CommandConfiguration {
  /// A command whose help ends with examples; `text` is put before them.
  init(
    _ name: String, _ abstract: String, examples lines: [String], after text: String = "",
    subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, abstract: abstract, discussion: examples(lines, after: text),
      subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }
}

/// The help of a command with what is its own first.
///
/// ArgumentParser puts a titled group of options before the command's own ones, and all of them into the usage.
enum HelpText {
  private static let title = GlobalOptions.title.uppercased() + ":"

  /// What `--help` and `help` print.
  static func message(for error: any Error) -> String {
    let text = arranged(SSOTermCommand.fullMessage(for: error))
    let groups = SSOTermCommand.configuration.groupedSubcommands.flatMap(\.subcommands)
    let group = groups.first { text.contains("USAGE: ssoterm \($0._commandName) <subcommand>\n") }
    guard let group, let usual = group.configuration.defaultSubcommand else { return text }
    return joined(text, group, arranged(SSOTermCommand.helpMessage(for: usual)), usual)
  }

  /// The help of a group of commands, with arguments, options and examples of the one that runs if none is named.
  private static func joined(
    _ text: String, _ group: any ParsableCommand.Type, _ usualText: String, _ usual: any ParsableCommand.Type
  ) -> String {
    func parts(_ text: String) -> (overview: [String], usage: String, rest: [String]) {
      let parts = text.components(separatedBy: "\n\n")
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
    let options = own.rest.firstIndex { $0.hasPrefix("OPTIONS:") }.map { Array(own.rest[($0 + 1)...]) }
    return (own.overview + examples + [usage] + usualParts.rest + (options ?? own.rest))
      .joined(separator: "\n\n")
  }

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
