import ArgumentParser
import Essentials

/// A command as ArgumentParser describes it for tools.
struct DescribedCommand: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var shouldDisplay: Bool
  var defaultSubcommand: String?
  var subcommands: [DescribedCommand]?
  var arguments: [DescribedArgument]?

  /// Reads the description of a command and of everything below it.
  init(_ command: any ParsableCommand.Type) throws {
    struct Tool: Decodable { var command: DescribedCommand }
    self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
  }

  /// The subcommands of the project; ArgumentParser adds its own `help`.
  var commands: [DescribedCommand] {
    (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }

  var shownArguments: [DescribedArgument] { (arguments ?? []).filter(\.shouldDisplay) }

  /// The arguments of this command that each command below it takes as well.
  var sharedArguments: [DescribedArgument] {
    let names = commands.flatMap(\.leaves).map { Set($0.shownArguments.map(\.term)) }
    return shownArguments.filter { argument in names.allSatisfy { $0.contains(argument.term) } }
  }

  private var leaves: [DescribedCommand] { commands.isEmpty ? [self] : commands.flatMap(\.leaves) }

  /// Returns the entries of the manual for this command and the commands below it.
  ///
  /// `shared` contains the terms of the arguments that are explained elsewhere, and `path` the words before the name.
  func items(without shared: Set<String>, path: [String] = [], isDefault: Bool = false) -> [ManualItem] {
    let words = path + [isDefault ? "[\(commandName)]" : commandName]
    let below = commands.flatMap {
      $0.items(without: shared, path: words, isDefault: $0.commandName == defaultSubcommand)
    }
    guard commands.isEmpty || discussion != nil else { return below }
    let own = commands.isEmpty ? shownArguments.filter { !shared.contains($0.term) } : []
    let arguments = own.filter(\.isPositional) + own.filter { !$0.isPositional }
    let term = (words + arguments.map(\.usage)).joined(separator: " ")
    let list = arguments.isEmpty ? [] : [ManualBlock.list(arguments.map(\.item))]
    return [
      ManualItem(term, [.paragraph(abstract ?? "")] + [ManualBlock](discussion: discussion ?? "") + list)
    ]
      + below
  }
}

/// An argument, option or flag.
struct DescribedArgument: Decodable {
  private struct Name: Decodable { var kind, name: String }

  private var kind: String
  private var preferredName: Name?
  private var valueName: String?
  private var isOptional, isRepeating: Bool
  private var abstract, defaultValue: String?
  private var allValueStrings: [String]?
  fileprivate var shouldDisplay: Bool

  fileprivate var isPositional: Bool { kind == "positional" }

  /// The argument without the brackets that mark it as optional.
  var term: String {
    let value = "<\(valueName ?? "")>"
    guard let preferredName else { return value }
    let name = (preferredName.kind == "short" ? "-" : "--") + preferredName.name
    return kind == "flag" ? name : name + " " + value
  }

  fileprivate var usage: String {
    let words = term + (isRepeating ? " ..." : "")
    return isOptional ? "[\(words)]" : words
  }

  var item: ManualItem {
    var text = abstract ?? ""
    if let values = allValueStrings, !values.isEmpty {
      text += " (values: \(values.joined(separator: ", ")))"
    }
    if let defaultValue, kind == "option" { text += " (default: \(defaultValue))" }
    return ManualItem(term, text)
  }
}
