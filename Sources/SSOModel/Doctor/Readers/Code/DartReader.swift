import Essentials
import SSOCore
import SSODevice

/// A reader of what Dart passes to MSAL through a package of Flutter: the named arguments of its calls.
///
/// Sources: msal_auth, `lib/src/public_client_application/single_account_pca.dart` and `lib/src/models/config`, whose
/// code for Apple's platforms does not give the SDK a redirect URI; azure_ad_authentication,
/// `lib/azure_ad_authentication.dart`; moodio/msal-flutter, `lib/src/public_client_application.dart`, whose client ID
/// has no label.
struct DartReader {
  /// The packages whose calls have these arguments; others have only arguments whose names say everything.
  private static let packages: Set<String> = ["msal_auth", "azure_ad_authentication", "msal_flutter"]

  private static let fileLimit = 1000
  private static let depthLimit = 8
  private static let labels: Set<String> = [
    "clientId", "authority", "redirectUri", "iosRedirectUri", "configFilePath", "keychain", maker,
  ]
  /// The method whose first argument is the client ID.
  private static let maker = "createPublicClientApplication"

  /// A declaration of a name.
  private struct Constant {
    var value: DartValue
    var place: FilePlace
    /// The types that contain it.
    var owners: Set<String>
  }

  /// The values of each argument, in the order of the files.
  private var values: [String: [SourceFacts.Setting]] = [:]
  private var constants: [String: [Constant]] = [:]
  /// The types of authorities that Dart names.
  private var authorityTypes: Set<String> = []
  /// Whether Dart says that the authority is one of B2C, and has no choice.
  var isOfUserFlow: Bool { authorityTypes == ["b2c"] }
  /// The ways to sign in that Dart chooses for msal_auth.
  private var brokers: Set<String> = []
  private let package: String
  /// Whether the code of msal_auth lets the SDK call the broker, as it does unless Dart chooses a browser, or `nil` for
  /// another package, and if Dart has a choice (its `ios/Classes/MsalAuthPlugin.swift` and `apple_config.dart`).
  var brokerUse: BrokerUse? {
    guard package == "msal_auth" else { return nil }
    if brokers.isSubset(of: ["msAuthenticator"]) { return .auto }
    return brokers.contains("msAuthenticator") ? nil : BrokerUse.none
  }
  /// Whether msal_auth gets an authority of Azure AD, or the SDK's default, which its code does not declare as known.
  private var isOfAzureAD: Bool {
    guard package == "msal_auth", authorityTypes.isSubset(of: ["aad"]) else { return false }
    let authority = value("authority")
    return authority == .absent
      || authority.found.flatMap { URLParts($0.value) }.map {
        PublicCloud.aliases.contains($0.host.lowercased())
      }
        == true
  }
  private(set) var place: FilePlace?

  /// The platform whose branch of `Platform.isIOS ? … : …` applies.
  private let platform: Platform

  /// Returns the Dart of a project as it is on a platform, or `nil` if the files do not import the package; each platform's
  /// reader asks for it, and it is read once.
  static func read(_ project: String, package: String, on platform: Platform) -> DartReader? {
    func read() -> DartReader? { DartReader(project, package: package, on: platform) }
    guard let listing = ProjectFiles.listing else { return read() }
    return listing.dart("\(platform.rawValue) \(package) \(project)", read: read)
  }

  private init?(_ project: String, package: String, on platform: Platform) {
    self.platform = platform
    self.package = package
    var others: [String] = []
    var users: [(path: String, tokens: [SourceToken])] = []
    for path in ProjectFiles(project + "/lib").find({ $0.hasSuffix(".dart") }).prefix(Self.fileLimit) {
      guard let data = try? ProjectFiles.data(path, limit: 1 << 20) else { continue }
      if data.hasBytes("package:\(package)/") {
        users.append((path, DartTokens.read(data, on: platform)))
      } else {
        others.append(path)
      }
    }
    guard let first = users.first else { return nil }
    place = FilePlace(first.path)
    for (path, tokens) in users { takeConstants(tokens, path) }
    takeOthers(others, for: users.map(\.tokens))
    for (path, tokens) in users { takeArguments(tokens, path) }
  }

  /// Reads the constants of the files that contain a name to which an argument leads.
  private mutating func takeOthers(_ paths: [String], for users: [[SourceToken]]) {
    var rest = paths
    var read: Set<String> = []
    var names = Set(
      users.flatMap { tokens in
        tokens.indices.filter { Self.labels.contains(tokens[$0].word ?? "") }
          .flatMap { DartParser(tokens: tokens).value(at: $0 + 2).value.names }
      })
    for _ in 0..<Self.depthLimit {
      names.formUnion(names.flatMap { constants[$0] ?? [] }.flatMap(\.value.names))
      let new = names.subtracting(read)
      guard !new.isEmpty, !rest.isEmpty else { return }
      read.formUnion(new)
      rest.removeAll { path in
        guard let data = try? ProjectFiles.data(path, limit: 1 << 20),
          new.contains(where: { data.hasBytes($0) })
        else { return false }
        takeConstants(DartTokens.read(data, on: platform), path)
        return true
      }
    }
  }

  /// Reads the declarations and assignments of a file: `const name = '…'`, `static String get name => "…"`.
  private mutating func takeConstants(_ tokens: [SourceToken], _ path: String) {
    let parser = DartParser(tokens: tokens)
    var blocks = SourceBlocks()
    for index in tokens.indices {
      if tokens[index].isSymbol("{") { blocks.open() }
      if tokens[index].isSymbol("}") { blocks.close() }
      guard let name = tokens[index].word else { continue }
      blocks.take(name, before: index + 1 < tokens.count ? tokens[index + 1].word : nil)
      guard let value = parser.declared(at: index) else { continue }
      constants[name, default: []].append(
        Constant(
          value: value, place: FilePlace(path, line: tokens[index].line),
          owners: blocks.owners(of: blocks.current)))
    }
  }

  private mutating func takeArguments(_ tokens: [SourceToken], _ path: String) {
    let parser = DartParser(tokens: tokens)
    var blocks = SourceBlocks()
    for (index, token) in tokens.enumerated() {
      if token.isSymbol("{") { blocks.open() }
      if token.isSymbol("}") { blocks.close() }
      guard let label = token.word else { continue }
      blocks.take(label, before: index + 1 < tokens.count ? tokens[index + 1].word : nil)
      if label == "AuthorityType", let type = tokens[(index + 1)...].prefix(2).last?.word {
        authorityTypes.insert(type)
      }
      if ["Broker", "AuthMiddleware"].contains(token.word),
        let use = tokens[(index + 1)...].prefix(2).last?.word
      {
        brokers.insert(use)
      }
      guard Self.labels.contains(label), index + 3 < tokens.count,
        tokens[index + 1].isSymbol(label == Self.maker ? "(" : ":"),
        // Another package's method of this name has labels.
        label != Self.maker || !tokens[index + 3].isSymbol(":")
      else { continue }
      let place = FilePlace(path, line: tokens[index + 2].line)
      let (read, end) = parser.value(at: index + 2)
      let own = Constant(value: read, place: place, owners: blocks.owners(of: blocks.current))
      let value = parser.isEnd(end) ? setting(own, 0) : .unknown(place)
      // Its argument may be an object, whose own labels say which values it has.
      values[label == Self.maker && value.found != nil ? "clientId" : label, default: []].append(value)
    }
  }

  /// Returns the value of a declaration or an argument, which is at the literal that its name stands for.
  private func setting(_ constant: Constant, _ depth: Int) -> SourceFacts.Setting {
    guard depth < Self.depthLimit else { return .unknown(constant.place) }
    switch constant.value {
    case .absent: return .absent
    case .other: return .unknown(constant.place)
    case .name(let names):
      let settings = declarations(of: names, from: constant).map { setting($0, depth + 1) }
      guard let first = settings.first, settings.allSatisfy({ $0.found?.value == first.found?.value }) else {
        return .unknown(constant.place)
      }
      return first
    case .text, .joined, .encoded:
      let text = text(constant.value, from: constant, depth)
      return text.map { .known(Found($0, constant.place)) } ?? .unknown(constant.place)
    }
  }

  /// Returns the string that a value represents, or `nil` if a part of it is not known.
  private func text(_ value: DartValue, from constant: Constant, _ depth: Int) -> String? {
    func all(_ parts: [DartValue]) -> String? {
      let texts = parts.map { text($0, from: constant, depth + 1) }
      return texts.contains(nil) ? nil : texts.compactMap(\.self).joined()
    }
    guard depth < Self.depthLimit else { return nil }
    switch value {
    case .absent, .other: return nil
    case .name:
      var other = constant
      other.value = value
      return setting(other, depth + 1).found?.value
    case .joined(let parts): return all(parts)
    case .encoded(let inner):
      return text(inner, from: constant, depth + 1).map { FormEncoding.percentEncode($0) }
    case .text(let text):
      guard text.contains("$") else { return text }
      var filled = ""
      for part in DartValue.parts(of: text) {
        guard let value = part.value else {
          filled += part.text
          continue
        }
        guard let own = self.text(value, from: constant, depth + 1) else { return nil }
        filled += own
      }
      return filled
    }
  }

  /// Returns the declarations that a name may refer to: those of the type that it names, or else of the type or the file
  /// that contains it, or else all.
  private func declarations(of names: [String], from user: Constant) -> [Constant] {
    let all = constants[names.last ?? ""] ?? []
    let owner = names.dropLast().last { $0.first?.isUppercase == true }
    let groups =
      owner.map { owner in [all.filter { $0.owners.contains(owner) }] }
      ?? [
        all.filter { !$0.owners.isDisjoint(with: user.owners) },
        all.filter { $0.place.path == user.place.path },
      ]
    return groups.first { !$0.isEmpty } ?? all
  }

  /// Returns the value of an argument, if there is one and code does not choose among several.
  private func value(_ label: String, where holds: (String) -> Bool = { _ in true }) -> SourceFacts.Setting {
    let all = (values[label] ?? []).filter { $0.found.map { holds($0.value) } ?? true }
    guard let first = all.first else { return .absent }
    return all.allSatisfy { $0.found?.value == first.found?.value }
      ? first : .unknown(first.place ?? FilePlace(""))
  }

  private static func isOfAndroid(_ uri: String) -> Bool { uri.hasPrefix("msauth://") }

  var clientID: SourceFacts.Setting {
    let own = value("clientId")
    return own == .absent ? value(Self.maker) : own
  }
  /// The redirect URI for Android.
  var androidRedirectURI: SourceFacts.Setting { value("redirectUri", where: Self.isOfAndroid) }
  /// The asset with the configuration for Android.
  var asset: Found<String>? { value("configFilePath").found }

  /// Returns the values that the package gives to the SDK on Apple's platforms, or `nil` without a call that can be read.
  func configuration(of package: String) -> WebFacts.Configuration? {
    guard clientID != .absent, let place else { return nil }
    // Its keychain group decides whether the app's entitlements are right.
    guard package != "msal_flutter" || value("keychain") == .absent else { return nil }
    var configuration = WebFacts.Configuration(place: place)
    configuration.clientID = clientID
    configuration.authority = value("authority")
    // The package's own code sets them, as that of msal_auth does for B2C (`ios/Classes/MsalAuthPlugin.swift`), or
    // switches the validation off (moodio/msal-flutter, `ios/Classes/SwiftMsalFlutterPlugin.swift`).
    // azure_ad_authentication does neither.
    if package != "azure_ad_authentication", !isOfAzureAD { configuration.knownAuthorities = nil }
    if !Self.packages.contains(package) {
      // Only an app for Apple's systems has the form.
      let own = value("iosRedirectUri")
      configuration.redirectURI = own == .absent ? value("redirectUri") { $0.hasPrefix("msauth.") } : own
      guard configuration.redirectURI.found != nil else { return nil }
    } else if package != "msal_auth" {
      let own = value("iosRedirectUri")
      configuration.redirectURI =
        own == .absent ? value("redirectUri") { !Self.isOfAndroid($0) } : own
    }
    return configuration
  }
}
