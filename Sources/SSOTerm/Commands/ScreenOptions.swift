import ArgumentParser

/// The appearance of the screens, for the commands that open them.
struct ScreenOptions: ParsableArguments {
  @Option(
    help: """
      The colours. auto follows the terminal's background; terminal takes the terminal's own 16 colours.
      """)
  var theme: Theme?

  @Flag(
    name: .customLong("no-motion"),
    help: "No animation. There is none over SSH (SSH_CONNECTION) or without colour either.")
  var noMotion = false
}

extension Theme: ExpressibleByArgument {}

extension Console {
  /// Returns the appearance that the user requested.
  ///
  /// The driver reads `NO_COLOR` itself.
  func look(_ options: ScreenOptions, _ settings: Settings) -> ScreenLook {
    let isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { StandardStreams.variable($0) != nil }
    return ScreenLook(
      glyphs: wantsASCII ? .ascii : nil, theme: options.theme ?? settings.theme ?? .auto,
      monochrome: refusesColour ? true : nil,
      moves: !options.noMotion && !isRemote && !refusesColour)
  }
}
