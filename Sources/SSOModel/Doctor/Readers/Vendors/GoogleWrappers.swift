import SSOCore

/// Google Sign-In in apps of React Native, Expo, Capacitor, and Flutter, whose scripts or Dart name the clients.
///
/// Sources: react-native-google-signin, README and `RNGoogleSignin.m`; google_sign_in_ios, README; capacitor-google-auth, README;
/// Google, “Start integrating Google Sign-In into your Android app”: the server's client is of the type Web.
extension VendorReader {
  private static let packages = [
    "google_sign_in:", "\"@react-native-google-signin/google-signin\"",
    "\"@react-native-community/google-signin\"",
    "\"react-native-google-signin\"", "\"@codetrix-studio/capacitor-google-auth\"",
  ]
  /// The names under which code gives a library the client of the type Web.
  private static let webNames: Set = [
    "webClientId", "serverClientId", "requestIdToken", "requestServerAuthCode", "setServerClientId",
  ]
  private static let end = ".apps.googleusercontent.com"

  /// Returns the folder of the wrapper's project with Google's package to which a file belongs, or `nil` for a native app.
  func googleWrapper(above path: String) -> String? {
    var base = folder(of: path)
    guard !base.hasSuffix("-tvOS") else { return nil }
    for _ in 0..<4 {
      for name in ["pubspec.yaml", "package.json"] where paths.contains(base + "/" + name) {
        let source = text(base + "/" + name) ?? ""
        return Self.packages.contains(where: source.contains) ? base : nil
      }
      guard base.count > root.count else { return nil }
      base = folder(of: base)
    }
    return nil
  }

  /// All files below a folder in which a wrapper's app names its clients.
  private func wrapperCode(below base: String) -> [String] {
    let isOfDart = ProjectFiles.exists(base + "/pubspec.yaml")
    return ProjectFiles(isOfDart ? base + "/lib" : base).find { name in
      isOfDart
        ? name.hasSuffix(".dart")
        : name.hasPrefix("capacitor.config.")
          || SourceLanguage.scriptEndings.contains(where: name.hasSuffix)
            && ![".test.", ".spec.", ".d."].contains(where: name.contains)
    }.prefix(Self.codeLimit).filter { !$0.contains("/assets/") && !$0.contains("/android/") }
  }

  /// Returns the client ID for iOS that a wrapper's code gives to the library as text, or `nil` if it gives none or several.
  func clientOfWrapper(near path: String) -> Found<String>? {
    guard let base = googleWrapper(above: path) else { return nil }
    var found: [Found<String>] = []
    for file in wrapperCode(below: base) {
      guard let source = text(file), source.contains("GoogleSign") || source.contains("iosClientId") else {
        continue
      }
      let isOfDart = file.hasSuffix(".dart")
      // Code may choose a client by platform.
      if isOfDart,
        ["kIsWeb", "Platform.", "defaultTargetPlatform", "dart:html"].contains(where: source.contains)
      {
        return nil
      }
      let tokens = SourceTokens.read(source, of: file)
      for index in tokens.indices.dropLast(2)
      where (tokens[index].word ?? tokens[index].text) == (isOfDart ? "clientId" : "iosClientId")
        && tokens[index + 1].isSymbol(":")
      {
        if isOfDart, !tokens[..<index].suffix(40).contains(where: { $0.word == "GoogleSignIn" }) { continue }
        guard let literal = literal(tokens[index + 2], in: tokens), let id = literal.text, !id.contains("$")
        else { return nil }
        found.append(Found(id, FilePlace(file, line: literal.line)))
      }
    }
    return Set(found.map(\.value)).count == 1 ? found.first : nil
  }

  /// Returns the client IDs that code gives to the library as those of the type Web.
  func webClients(in code: some Sequence<String>) -> [Found<String>] {
    code.flatMap { file -> [Found<String>] in
      guard let source = text(file), Self.webNames.contains(where: source.contains) else { return [] }
      let tokens = SourceTokens.read(source, of: file)
      return tokens.indices.dropLast(2).compactMap { index in
        guard let name = tokens[index].word ?? tokens[index].text, Self.webNames.contains(name),
          tokens[index + 1].isSymbol(":") || tokens[index + 1].isSymbol("("),
          let literal = literal(tokens[index + 2], in: tokens), let id = literal.text, !id.contains("$"),
          !Placeholders.contain(id)
        else { return nil }
        return Found(id, FilePlace(file, line: literal.line))
      }
    }
  }

  /// Returns the client IDs for a server that no client of the type Web has: those of apps in google-services.json, and those
  /// that are cut off.
  func wrongWebClients(_ module: String, _ clients: [JSONValue]) -> [Found<String>] {
    let all = clients.flatMap { client in
      (client["oauth_client"]?.array ?? [])
        + (client["services"]?["appinvite_service"]?["other_platform_oauth_client"]?.array ?? [])
    }
    func ids(_ types: Set<Int64>) -> Set<String> {
      Set(
        all.filter { $0["client_type"]?.integer.map(types.contains) ?? false }.compactMap {
          $0["client_id"]?.string
        })
    }
    let ofApps = ids([1, 2]).subtracting(ids([3]))
    let code =
      googleWrapper(above: module).map(wrapperCode)
      ?? ProjectFiles(Self.contents(of: module)).find { $0.hasSuffix(".kt") || $0.hasSuffix(".java") }
    return webClients(in: code).filter { client in
      let number = client.value.prefix { $0.isNumber }
      return ofApps.contains(client.value)
        || number.count > 5 && client.value.dropFirst(number.count).hasPrefix("-")
          && !client.value.hasSuffix(Self.end)
    }
  }
}
