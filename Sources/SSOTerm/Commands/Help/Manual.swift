import ArgumentParser
import Assets

/// A topic of the manual.
struct ManualTopic {
  /// The word after `ssoterm help`.
  var name: String
  var summary: String

  static let all = [
    ManualTopic(name: "options", summary: "Options that every command takes, such as --json."),
    ManualTopic(name: "scenarios", summary: "What a demo shows, and scenarios of your own."),
    ManualTopic(name: "store", summary: "Where the lab is kept, and who may use it."),
    ManualTopic(name: "settings", summary: "The settings file: colours, keys, your own commands."),
    ManualTopic(name: "environment", summary: "The variables that ssoterm reads."),
    ManualTopic(name: "exit-codes", summary: "The exit codes, for scripts."),
    ManualTopic(name: "manual", summary: "The entire manual."),
    ManualTopic(name: "licences", summary: "The licences of the program and of what it contains."),
  ]

  static var names: [String] { all.map(\.name) }
}

/// The manual, made of the files in `assets/manual` and completed with the program's own descriptions of its commands.
enum Manual {
  /// Returns the text of a topic, or `nil` if there is no such topic.
  static func text(_ topic: String, ink: Ink, width: Int) throws -> String? {
    switch topic {
    case "licences": licences
    case "manual": ManualText.text(try manual(), ink: ink, width: width)
    case _ where ManualTopic.names.contains(topic):
      ManualText.text(try section(topic), ink: ink, width: width)
    default: nil
    }
  }

  /// Returns a topic as a manual page in roff, or `nil` if it has no page of its own.
  static func page(_ topic: String) throws -> String? {
    switch topic {
    case "manual": ManualRoff.page("ssoterm", section: 1, try manual())
    case "settings": ManualRoff.page("ssoterm-config", section: 5, try settings())
    default: nil
    }
  }

  private static func manual() throws -> [ManualBlock] {
    let root = try DescribedCommand(SSOTermCommand.self)
    let (shared, help) = (Set(root.sharedArguments.map(\.term)), try DescribedCommand(HelpCommand.self))
    let commands = (root.commands + [help]).flatMap { $0.items(without: shared) }
    let abstract = SSOTermCommand.configuration.abstract
    return [
      .heading("Name"),
      .paragraph("ssoterm - \(abstract.prefix(1).lowercased())\(abstract.dropFirst().dropLast())"),
      .heading("Synopsis"), .paragraph("`ssoterm` [command] [options]"),
      .heading("Description"),
    ]
      + file("description") + [.heading("Commands"), .list(commands)]
      + (try ["options", "scenarios", "store", "environment", "exit-codes"].flatMap(section))
      + [.heading("Examples")] + file("examples")
      + [.heading("See also"), .paragraph("ssoterm-config(5), which `ssoterm help settings` prints too")]
  }

  private static func settings() throws -> [ManualBlock] {
    let synopsis = [ManualBlock.heading("Synopsis"), .paragraph("`$XDG_CONFIG_HOME/ssoterm/config.yaml`")]
    return [.heading("Name"), .paragraph("ssoterm-config - settings of ssoterm")] + synopsis
      + [.heading("Description")] + (try section("settings")).dropFirst()
      + [.heading("See also"), .paragraph("ssoterm(1), which `ssoterm help manual` prints too")]
  }

  /// Returns a topic with its heading.
  private static func section(_ topic: String) throws -> [ManualBlock] {
    let heading = ManualBlock.heading(topic.replacing("-", with: " "))
    guard topic == "options" else { return [heading] + (topic == "exit-codes" ? exitCodes : file(topic)) }
    let root = try DescribedCommand(SSOTermCommand.self)
    let shared = root.sharedArguments
    return [heading]
      + [ManualBlock](markdown: asset("manual/options.md")) { name in
        let isShared = name == "OPTIONS"
        let arguments = root.shownArguments.filter { argument in
          shared.contains { $0.term == argument.term } == isShared
        }
        return [.list(arguments.map(\.item))]
      }
  }

  private static func file(_ name: String) -> [ManualBlock] {
    [ManualBlock](markdown: asset("manual/\(name).md")) { $0 == "KEYS" ? [keys] : [] }
  }

  private static var exitCodes: [ManualBlock] {
    [.list(ExitStatus.allCases.map { ManualItem(String($0.rawValue), $0.meaning) })]
  }

  /// The commands of the screens, each name once, without the user's settings.
  private static var keys: ManualBlock {
    var names: Set<String> = []
    let rows = KeyListing.rows(Settings()).filter { names.insert($0.name).inserted }
    return .list(
      rows.map { ManualItem("\($0.name): \(dashed($0.keys.joined(separator: " ")))", $0.sentence) })
  }

  private static var licences: String { asset("LICENSE") + "\n" + asset("THIRD-PARTY-NOTICES.txt") }

  private static func asset(_ path: String) -> String { Asset(path)?.text ?? "" }
}
