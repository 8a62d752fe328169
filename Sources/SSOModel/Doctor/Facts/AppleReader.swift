/// Makes the facts of an app from its Info.plist and entitlements, of a target or alone.
struct AppleReader {
  /// Replaces the build settings' variables; nil in a built app.
  var settings: BuildSettings?
  var facts: AppleFacts
  /// Files that are named and cannot be read.
  var unread: [UnreadFile] = []

  /// Without a project's settings the bundle ID's variable is replaced where the ID is known, else it stands for it, on both
  /// sides of each comparison.
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

  /// A file that is named, as a property list.
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
    // A scheme that is written out tells the bundle ID that its variable stands for.
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
    // `<team>.<bundle ID>`, of an app that is signed; a profile may be for several: `<team>.*`.
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

/// A file that was named, or that another file names, and what is wrong with it.
package struct UnreadFile: Hashable, Sendable {
  package var path: String
  package var error: ReadingError
}
