import ArgumentParser
import Assets
import SSOTermApp
import TerminalUI

/// A topic of the manual.
struct ManualTopic {
  /// The word after `ssoterm help`.
  var name: String
  /// The summary for the first screen of the help, or `nil` if another topic names this one.
  var summary: String?

  static let all = [
    ManualTopic(name: "options", summary: "Options that every command takes, such as --json."),
    ManualTopic(name: "scenarios", summary: "What a demo shows, and your own scenarios."),
    ManualTopic(name: "scenario-format"),
    ManualTopic(name: "store", summary: "Where the lab is stored, and who may use it."),
    ManualTopic(name: "settings", summary: "The settings file: colours, keys, your own commands."),
    ManualTopic(name: "environment", summary: "The variables that ssoterm reads."),
    ManualTopic(name: "exit-codes", summary: "The exit codes, for scripts."),
    ManualTopic(name: "manual", summary: "The entire manual."),
    ManualTopic(name: "licences", summary: "The licences of the program and of what it contains."),
  ]

  static var names: [String] { all.map(\.name) }
}

/// The manual, assembled from the files in `assets/manual` and completed with the program's own descriptions of its
/// commands.
enum Manual {
  /// Returns the text of a topic, or `nil` if there is no such topic.
  static func text(_ topic: String, ink: TextInk, width: Int) throws -> String? {
    switch topic {
    case "licences": licences
    case "scenario-format": asset("manual/scenario-format.md")
    case "manual": ManualText.text(try manual(), ink: ink, width: width)
    case _ where ManualTopic.names.contains(topic):
      ManualText.text(try section(topic), ink: ink, width: width)
    default: nil
    }
  }

  /// Returns a topic as a manual page in roff, or `nil` if it does not have its own page.
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

/// A part of the manual, independent of whether it is printed as text or as a manual page.
///
/// Text between backticks in its strings is what the user types or reads literally.
enum ManualBlock: Equatable {
  case heading(String)
  case paragraph(String)
  /// Lines that are not filled.
  case literal([String])
  case list([ManualItem])
}

/// A term with its explanation.
struct ManualItem: Equatable {
  var term: String
  var blocks: [ManualBlock]

  init(_ term: String, _ blocks: [ManualBlock]) { (self.term, self.blocks) = (term, blocks) }

  init(_ term: String, _ text: String) { self.init(term, [.paragraph(text)]) }
}

extension [ManualBlock] {
  /// Creates the blocks of a file of `assets/manual`.
  ///
  /// The file is Markdown with headings, paragraphs, indented literal lines, and the definition lists of Pandoc's
  /// Markdown (https://pandoc.org/MANUAL.html#definition-lists).
  ///
  /// A paragraph `@NAME@` is replaced by the blocks that `insertion` returns for the name.
  init(markdown text: String, insertion: (String) -> [ManualBlock] = { _ in [] }) {
    self = []
    for part in text.split(separator: "\n\n") {
      let lines = part.split(separator: "\n").map(String.init)
      guard let first = lines.first else { continue }
      if first.hasPrefix("# ") {
        append(.heading(String(first.dropFirst(2))))
      } else if first.hasPrefix("    ") {
        append(.literal(lines.map { String($0.dropFirst(4)) }))
      } else if first.hasPrefix("@"), first.hasSuffix("@") {
        append(contentsOf: insertion(String(first.dropFirst().dropLast())))
      } else if lines.count == 2, lines[1].hasPrefix(":   ") {
        add(ManualItem(first, String(lines[1].dropFirst(4))))
      } else {
        append(.paragraph(lines.joined(separator: " ")))
      }
    }
  }

  /// Reads the discussion of a command's help: paragraphs, and lines indented by two spaces, which are literal.
  init(discussion text: String) {
    self = []
    for part in text.split(separator: "\n\n") {
      for line in part.split(separator: "\n").map(String.init) {
        if line.hasPrefix("  ") {
          add(literal: String(line.dropFirst(2)))
        } else {
          append(.paragraph(line))
        }
      }
    }
  }

  private mutating func add(_ item: ManualItem) {
    if case .list(let items) = last {
      self[count - 1] = .list(items + [item])
    } else {
      append(.list([item]))
    }
  }

  private mutating func add(literal line: String) {
    if case .literal(let lines) = last {
      self[count - 1] = .literal(lines + [line])
    } else {
      append(.literal([line]))
    }
  }
}

/// The manual as text for a terminal.
struct ManualText {
  var ink: TextInk
  /// The width of filled text in columns.
  var width: Int
  /// The column in which the explanations of short lists start, which is the same in the entire text.
  private let column: Int

  /// The widest term, in columns, that leaves room for an explanation beside it.
  private static let widestTerm = 24

  init(_ blocks: [ManualBlock], ink: TextInk, width: Int) {
    (self.ink, self.width) = (ink, width)
    column = 2 + (Self.items(in: blocks).map { columnWidth(Self.plain($0.term)) }.max() ?? 0)
  }

  /// Returns the lines of the blocks, joined.
  static func text(_ blocks: [ManualBlock], ink: TextInk, width: Int) -> String {
    ManualText(blocks, ink: ink, width: width).lines(blocks, indent: 0).joined(separator: "\n")
  }

  private func lines(_ blocks: [ManualBlock], indent: Int) -> [String] {
    var lines: [String] = []
    for block in blocks {
      if !lines.isEmpty { lines.append("") }
      switch block {
      case .heading(let title): lines.append(ink.draw(title.uppercased(), .strong))
      case .paragraph(let text): lines += filled(Self.quoted(text), indent: indent)
      case .literal(let text): lines += text.map { Self.spaces(indent + 2) + $0 }
      case .list(let items): lines += list(items, indent: indent)
      }
    }
    return lines
  }

  private func list(_ items: [ManualItem], indent: Int) -> [String] {
    guard Self.isShort(items) else {
      let entries = items.map { item in
        filled(Self.plain(item.term), indent: indent + 2, .strong)
          + self.lines(item.blocks, indent: indent + 6)
      }
      return Array(entries.joined(separator: [""]))
    }
    return items.flatMap { item in
      let text = self.lines(item.blocks, indent: indent + 2 + column)
      let term = Self.plain(item.term)
      let start = Self.spaces(indent + 2) + ink.draw(term, .strong) + Self.spaces(column - columnWidth(term))
      return [start + (text.first ?? "").dropFirst(indent + 2 + column)] + text.dropFirst()
    }
  }

  private func filled(_ text: String, indent: Int, _ tone: Tone = .plain) -> [String] {
    wrapped(text, max(width - indent, 20)).map { Self.spaces(indent) + ink.draw($0, tone) }
  }

  /// Returns the items of short lists, including nested ones.
  private static func items(in blocks: [ManualBlock]) -> [ManualItem] {
    blocks.flatMap { block -> [ManualItem] in
      guard case .list(let items) = block else { return [] }
      return isShort(items) ? items : items.flatMap { Self.items(in: $0.blocks) }
    }
  }

  private static func isShort(_ items: [ManualItem]) -> Bool {
    items.allSatisfy { $0.blocks.count < 2 && columnWidth(plain($0.term)) <= widestTerm }
  }

  /// Returns the text with quotation marks around backticked parts that contain spaces.
  private static func quoted(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    return parts.enumerated().map { !$0.isMultiple(of: 2) && $1.contains(" ") ? "“\($1)”" : $1 }.joined()
  }

  private static func plain(_ text: String) -> String { text.filter { $0 != "`" } }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

/// The manual as a manual page in the macros of man(7).
enum ManualRoff {
  /// Returns a page with its heading.
  ///
  /// The page has no date, so that the same version always has the same bytes.
  static func page(_ name: String, section: Int, _ blocks: [ManualBlock]) -> String {
    let heading = ".TH \(name.uppercased()) \(section) \"\" \"ssoterm \(programVersion)\""
    return ([heading] + lines(blocks)).joined(separator: "\n")
  }

  private static func lines(_ blocks: [ManualBlock]) -> [String] {
    blocks.flatMap { block -> [String] in
      switch block {
      case .heading(let title): [".SH " + escaped(title.uppercased())]
      case .paragraph(let text): [".PP", marked(text)]
      case .literal(let text): [".PP", ".RS 4", ".nf"] + text.map(escaped) + [".fi", ".RE"]
      case .list(let items): items.flatMap(lines)
      }
    }
  }

  private static func lines(_ item: ManualItem) -> [String] {
    let term = [".TP", "\\fB" + escaped(item.term.filter { $0 != "`" }) + "\\fR"]
    guard case .paragraph(let text)? = item.blocks.first else { return term + lines(item.blocks) }
    let rest = item.blocks.dropFirst()
    return term + [marked(text)] + (rest.isEmpty ? [] : [".RS"] + lines(Array(rest)) + [".RE"])
  }

  /// Returns the text with the parts between backticks in bold.
  private static func marked(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    let line = parts.enumerated().map { $0.isMultiple(of: 2) ? inLine($1) : "\\fB" + inLine($1) + "\\fR" }
    return protected(line.joined())
  }

  private static func escaped(_ text: String) -> String { protected(inLine(text)) }

  /// Replaces the characters that have a meaning in roff anywhere in a line.
  private static func inLine(_ text: String) -> String {
    [
      ("\\", "\\e"), ("-", "\\-"), ("~", "\\(ti"), ("“", "\\(lq"), ("”", "\\(rq"), ("…", "..."),
      ("→", "\\(->"),
    ]
    .reduce(text) { text, pair in text.replacing(pair.0, with: pair.1) }
  }

  /// Protects a line that starts with a full stop or an apostrophe, which would otherwise be a request.
  private static func protected(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}
