/// A reader that builds the facts of an app from its Info.plist and entitlements, with or without an Xcode target.
struct AppleReader {
  /// The build settings for expanding variables, or `nil` without an Xcode project, as in a built app.
  var settings: BuildSettings?
  var facts: AppleFacts
  /// The files that are referred to but cannot be read.
  var unread: [UnreadFile] = []

  /// Returns a string with its variables expanded.
  ///
  /// Without build settings, the variable of the bundle ID is replaced if the ID is known. Otherwise, the variable
  /// represents the ID on both sides of each comparison.
  private func expanded(_ text: String) -> String {
    if let settings { return settings.expanding(text) }
    let variable = AppleFacts.bundleIDVariable
    return text.replacing("${PRODUCT_BUNDLE_IDENTIFIER}", with: variable)
      .replacing(variable, with: facts.bundleID?.value ?? variable)
  }

  private func found(_ node: PropertyListNode?, in path: String) -> Found<String>? {
    guard let text = node?.string, !text.isEmpty else { return nil }
    return Found(expanded(text), FilePlace(path, line: node?.line))
  }

  private func list(_ nodes: [(text: String, line: Int?)], in path: String, _ line: Int?) -> FoundList {
    FoundList(
      nodes.map { Found(expanded($0.text), FilePlace(path, line: $0.line)) }, FilePlace(path, line: line))
  }

  /// Reads a file as a property list, or records it as unread and returns `nil`.
  mutating func propertyList(_ path: String) -> PropertyListNode? {
    do throws(ReadingError) {
      return try PropertyListReader.read(try ProjectFiles.data(path))
    } catch {
      unread.append(UnreadFile(path: path, error: error))
      return nil
    }
  }

  // MARK: Info.plist

  mutating func takeInfo(_ info: PropertyListNode, path: String) {
    if let bundleID = found(info["CFBundleIdentifier"], in: path),
      !bundleID.value.contains("$(") || settings == nil && bundleID.value == AppleFacts.bundleIDVariable
    {
      facts.bundleID = facts.bundleID ?? bundleID
    }
    facts.displayName =
      facts.displayName ?? found(info["CFBundleDisplayName"], in: path)?.value
      ?? found(info["CFBundleName"], in: path)?.value
    let types = info["CFBundleURLTypes"]
    let schemes = (types?.array ?? []).flatMap { $0["CFBundleURLSchemes"]?.strings ?? [] }
    let lists = (types?.array ?? []).compactMap { $0["CFBundleURLSchemes"]?.line }
    facts.urlSchemes = list(schemes, in: path, lists.first ?? types?.line ?? info.line)
    // A literal scheme reveals the bundle ID that the variable represents.
    if facts.bundleID?.value == AppleFacts.bundleIDVariable,
      let scheme = facts.urlSchemes?.items.first(where: {
        $0.value.hasPrefix("msauth.") && !$0.value.contains("$(")
      })
    {
      facts.bundleID = Found(String(scheme.value.dropFirst("msauth.".count)), scheme.place)
    }
    let queries = info["LSApplicationQueriesSchemes"]
    facts.querySchemes = list(queries?.strings ?? [], in: path, queries?.line ?? info.line)
    if let scenes = info["UIApplicationSceneManifest"] {
      facts.usesScenes = FilePlace(path, line: scenes.line)
    }
    if let intune = info["IntuneMAMSettings"] {
      facts.intune = AppleFacts.Intune(
        clientID: found(intune["ADALClientId"], in: path),
        redirectURI: found(intune["ADALRedirectUri"], in: path),
        redirectScheme: found(intune["ADALRedirectScheme"], in: path))
    }
    if info["NSExtension"] != nil || info["EXAppExtensionAttributes"] != nil { facts.isExtension = true }
    if info["LSMinimumSystemVersion"] != nil { facts.platform = .macOS }
  }

  // MARK: Entitlements

  mutating func takeEntitlements(_ entitlements: PropertyListNode, path: String) {
    let groups = entitlements["keychain-access-groups"]
    facts.entitlements = .groups(
      groups.map { list($0.strings, in: path, $0.line) }, FilePlace(path, line: entitlements.line))
    // A signed app has `<team>.<bundle ID>`; a profile for several apps may have `<team>.*`.
    if facts.bundleID == nil, let whole = found(entitlements["application-identifier"], in: path),
      let dot = whole.value.firstIndex(of: "."), !whole.value.contains("$("), !whole.value.hasSuffix("*")
    {
      facts.bundleID = Found(String(whole.value[whole.value.index(after: dot)...]), whole.place)
    }
    if let team = found(entitlements["com.apple.developer.team-identifier"], in: path) {
      facts.teamID = facts.teamID ?? team
    }
  }
}

/// A file that cannot be read, and the error.
package struct UnreadFile: Hashable, Sendable {
  package var path: String
  package var error: ReadingError
}
