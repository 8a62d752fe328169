import SSODevice

/// The settings of MSAL.NET in the C# sources of an app for several platforms.
struct DotNetSettings {
  /// The place where code begins to create a public client.
  private(set) var builder: FilePlace?
  /// `WithBroker`, without which MSAL.NET does not call the broker.
  private(set) var brokerUse = BrokerUse.none
  /// `WithIosKeychainSecurityGroup`.
  private(set) var keychainGroup = SourceFacts.Setting.absent

  private static let fileLimit = 2000

  /// Reads the sources below a folder.
  static func read(below base: String) -> DotNetSettings {
    var settings = DotNetSettings()
    for path in ProjectFiles(base).find({ $0.hasSuffix(".cs") }).prefix(fileLimit) {
      guard let text = try? ProjectFiles.text(path, limit: 1 << 20),
        text.contains("Microsoft.Identity.Client")
      else { continue }
      settings.take(SourceTokens.read(text), path)
    }
    return settings
  }

  private mutating func take(_ tokens: [SourceToken], _ path: String) {
    for (index, token) in tokens.enumerated() {
      let place = FilePlace(path, line: token.line)
      let argument = index + 2 < tokens.count && tokens[index + 1].isSymbol("(") ? tokens[index + 2] : nil
      switch token.word {
      case "PublicClientApplicationBuilder": builder = builder ?? place
      case "WithBroker":
        if let argument, argument.word != "false" { brokerUse = .auto }
      case "WithIosKeychainSecurityGroup":
        guard let argument else { continue }
        keychainGroup = argument.text.map { .known(Found($0, place)) } ?? .unknown(place)
      default: continue
      }
    }
  }
}
