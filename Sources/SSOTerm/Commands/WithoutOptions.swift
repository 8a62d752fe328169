/// Commands without options, created without ArgumentParser.
///
/// ArgumentParser first inspects its types by reflection, which takes two of the fifteen milliseconds until the first
/// screen.
extension SSOTermCommand {
  /// The command `ssoterm`.
  static var withoutOptions: SSOTermCommand {
    var command = SSOTermCommand()
    (command.options, command.screen, command.exitCodes) = (.none, .none, false)
    return command
  }
}

extension DemoCommand {
  /// Creates the command from `ssoterm demo` or `ssoterm demo SCENARIO`, or returns `nil` for any other form.
  init?(plain words: [String]) {
    guard words.count < 2, words.allSatisfy({ !$0.hasPrefix("-") }) else { return nil }
    self.init()
    (options, screen, scenario) = (.none, .none, words.first ?? ScenarioLibrary.usual)
    (record, pace, size) = (nil, nil, nil)
  }
}

extension GlobalOptions {
  static var none: GlobalOptions {
    var options = GlobalOptions()
    options.store = nil
    (options.json, options.unmask, options.plain, options.ascii) = (false, false, false, false)
    (options.quiet, options.noColor, options.readonly, options.create) = (false, false, false, false)
    return options
  }
}

extension ScreenOptions {
  static var none: ScreenOptions {
    var options = ScreenOptions()
    (options.theme, options.noMotion) = (nil, false)
    return options
  }
}
