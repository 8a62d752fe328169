import SSOScenarios

/// The lines whose start is measured, read without ArgumentParser.
///
/// ArgumentParser inspects its types by reflection, and Swift's runtime searches all ten thousand conformances of the
/// program for each of them: 2 ms, a quarter of a silent call (`make bench`). Here, every option is named once and has its
/// value in a separate word. Any other form, each mistake, and `--help` are left to ArgumentParser.
struct PlainLine {
  private var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Reads words, or returns `nil` if they have another form.
  ///
  /// `options` has the most values of each option, which are 0 for a flag.
  private init?(_ words: ArraySlice<String>, options: [String: Int]) {
    var rest = words
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        operands.append(word)
        continue
      }
      guard let most = options[word], values[word] == nil else { return nil }
      let found = rest.prefix(most).prefix { !$0.hasPrefix("-") }
      guard most == 0 || !found.isEmpty else { return nil }
      values[word] = Array(found)
      rest = rest.dropFirst(found.count)
    }
    guard !operands.contains(""), !values.values.joined().contains("") else { return nil }
  }

  /// Creates the command of a line, or returns `nil` if the line is left to ArgumentParser.
  static func command(_ words: [String]) -> (any LabCommand)? {
    let rest = words.dropFirst()
    return switch words.first {
    case nil: StartCommand.plain
    case "demo": PlainLine(rest, options: [:]).flatMap(DemoCommand.init(plain:))
    case "silent":
      PlainLine(
        rest, options: ["--account": 1, "--scope": .max, "--store": 1, "--force-refresh": 0, "--json": 0]
      ).flatMap(SilentCommand.init(plain:))
    default: nil
    }
  }

  fileprivate var operand: String? { operands.count == 1 ? operands[0] : nil }
  fileprivate var isEmpty: Bool { operands.isEmpty }
  fileprivate func value(_ option: String) -> String? { values[option]?.first }
  fileprivate func values(_ option: String) -> [String] { values[option] ?? [] }
  fileprivate func has(_ flag: String) -> Bool { values[flag] != nil }
}

extension StartCommand {
  fileprivate static var plain: StartCommand {
    var command = StartCommand()
    (command.options, command.screen) = (.omitted, .omitted)
    return command
  }
}

extension DemoCommand {
  fileprivate init?(plain line: PlainLine) {
    guard line.isEmpty || line.operand != nil else { return nil }
    self.init()
    (options, screen, scenario) = (.omitted, .omitted, line.operand ?? ScenarioLibrary.usual)
    (record, pace, size, auto) = (nil, nil, nil, nil)
  }
}

extension SilentCommand {
  fileprivate init?(plain line: PlainLine) {
    guard let operand = line.operand else { return nil }
    self.init()
    options = .omitted
    (options.store, options.json) = (line.value("--store"), line.has("--json"))
    (app, account, username, scopes) = (operand, line.value("--account"), nil, line.values("--scope"))
    (form, forceRefresh, call) = (nil, line.has("--force-refresh"), .omitted)
  }
}

/// The options of a line that does not specify any of them.
extension GlobalOptions {
  fileprivate static var omitted: GlobalOptions {
    var options = GlobalOptions()
    options.store = nil
    (options.json, options.unmask, options.plain, options.ascii) = (false, false, false, false)
    (options.quiet, options.noColor, options.readonly, options.create) = (false, false, false, false)
    return options
  }
}

extension ScreenOptions {
  fileprivate static var omitted: ScreenOptions {
    var options = ScreenOptions()
    (options.theme, options.noMotion) = (nil, false)
    return options
  }
}

extension CallSettings {
  fileprivate static var omitted: CallSettings {
    var settings = CallSettings()
    (settings.authority, settings.claims) = (nil, nil)
    return settings
  }
}
