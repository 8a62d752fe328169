/// Commands without an option, as if ArgumentParser had read them.
///
/// It inspects its types by reflection first, which takes two of the fifteen milliseconds to the first picture.
extension SSOTermCommand {
  /// `ssoterm`.
  static var withoutOptions: SSOTermCommand {
    var command = SSOTermCommand()
    (command.options, command.screen, command.exitCodes) = (.none, .none, false)
    return command
  }
}

extension DemoCommand {
  /// `ssoterm demo` and `ssoterm demo SCENARIO`; nil for any other form.
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
