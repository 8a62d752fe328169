import Essentials
import SSODevice
import SafeText

/// The lines that repair an iOS or macOS app.
extension AppleRules {
  static func stringLine(_ text: String) -> String { "<string>\(Escaping.xml.signs(in: text))</string>" }

  static func schemeLines(_ scheme: String, isListed: Bool) -> String {
    isListed
      ? stringLine(scheme)
      : "<key>CFBundleURLTypes</key>\n<array>\n  <dict>\n    <key>CFBundleURLSchemes</key>\n    <array>\n"
        + "      \(stringLine(scheme))\n    </array>\n  </dict>\n</array>"
  }

  static func arrayLines(_ key: String, _ values: [String], isThere: Bool) -> String {
    let lines = values.map(stringLine)
    return isThere
      ? lines.joined(separator: "\n")
      : (["<key>\(key)</key>", "<array>"] + lines.map { "  " + $0 } + ["</array>"]).joined(separator: "\n")
  }

  /// Returns lines of a property list as the file that makes the list has them.
  static func lines(_ fix: String, for place: FilePlace?) -> String {
    guard let path = place?.path, path.hasSuffix(".yml") || path.hasSuffix(".yaml") else { return fix }
    let isList = fix.hasPrefix("<string>")
    let outer = isList ? "array" : "dict"
    let whole = "<plist><\(outer)>\(fix)</\(outer)></plist>"
    guard let list = try? PropertyListReader.read(Data(whole.utf8)) else { return fix }
    return list.linesOfYAML.joined(separator: "\n")
  }

  /// Returns the lines of a delegate, in the language of the file to which they belong.
  func callbackLines(_ app: InstalledApp, at place: FilePlace?) -> String {
    guard app.sdk == .msal else { return "ADAuthenticationContext.handleADALResponse(url)" }
    if place.flatMap({ SourceLanguage($0.path) }) == .objectiveC { return objectiveCLines(app) }
    if facts.source?.swiftUIApp != nil {
      return
        ".onOpenURL { url in\n  _ = MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)\n}"
    }
    return app.usesScenes
      ? "func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {\n"
        + "  guard let context = contexts.first else { return }\n"
        + "  MSALPublicClientApplication.handleMSALResponse(\n"
        + "    context.url, sourceApplication: context.options.sourceApplication)\n}"
      : "func application(\n  _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]\n"
        + ") -> Bool {\n  MSALPublicClientApplication.handleMSALResponse(\n"
        + "    url, sourceApplication: options[.sourceApplication] as? String)\n}"
  }

  private func objectiveCLines(_ app: InstalledApp) -> String {
    let head =
      app.usesScenes
      ? "- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts {\n"
        + "  UIOpenURLContext *context = contexts.anyObject;\n"
      : "- (BOOL)application:(UIApplication *)app openURL:(NSURL *)url options:(NSDictionary *)options {\n"
    let call =
      app.usesScenes
      ? "  [MSALPublicClientApplication handleMSALResponse:context.URL\n"
        + "                                sourceApplication:context.options.sourceApplication];\n}"
      : "  return [MSALPublicClientApplication handleMSALResponse:url\n"
        + "             sourceApplication:options[UIApplicationOpenURLOptionsSourceApplicationKey]];\n}"
    return head + call
  }
}

extension PropertyListNode {
  fileprivate var linesOfYAML: [String] {
    if let array {
      return array.flatMap { element in
        let lines = element.linesOfYAML
        return lines.prefix(1).map { "- " + $0 } + lines.dropFirst().map { "  " + $0 }
      }
    }
    if let dictionary {
      return dictionary.flatMap { entry in
        [entry.key + ":"] + entry.value.linesOfYAML.map { "  " + $0 }
      }
    }
    return [string ?? bool.map { $0 ? "true" : "false" } ?? ""]
  }
}
