import Essentials

/// What the files of one Android app say: a module of a Gradle project, or a built APK.
package struct AndroidFacts: Hashable, Sendable {
  /// `msal_config.json`, under whatever name.
  package struct Configuration: Hashable, Sendable {
    /// An entry of `authorities`.
    package struct Authority: Hashable, Sendable {
      package var type: String
      package var url: String?
      package var audience: String?
      package var isDefault: Bool
    }

    package var path: String
    package var clientID: Found<String>?
    package var redirectURI: Found<String>?
    package var authorities: [Authority]
    /// From 1; nil if `authorities` is not there.
    package var authoritiesLine: Int?
    /// `broker_redirect_uri_registered`.
    package var isBrokerRegistered: Found<Bool>?
    /// `authorization_user_agent`: WEBVIEW shares no cookies with the browser.
    package var userAgent: String?
    /// `account_mode`; MULTIPLE if it is not there.
    package var accountMode: Found<String>?
  }

  /// An intent filter of the activity that takes the answer.
  package struct Filter: Hashable, Sendable {
    package var scheme: String?
    package var host: String?
    /// `${applicationId}`: it follows the package name of each build.
    package var isHostTheApplicationID = false
    package var path: String?
    /// VIEW, DEFAULT and BROWSABLE.
    package var isComplete: Bool
    package var place: FilePlace
  }

  package var name: String
  package var origin: FilePlace
  package var packageName: Found<String>?
  /// `targetSdkVersion`, an API level; nil if it is not known.
  package var targetSDK: Int?
  /// Of MSAL, as the build file asks for it: `5.1.0`, or `5.+`.
  package var sdkVersion: String?
  /// `AndroidManifest.xml` was read.
  package var manifest: FilePlace?
  /// Where BrowserTabActivity is declared; nil: nowhere.
  package var activity: FilePlace?
  /// `android:exported` of it.
  package var isExported: Bool?
  package var filters: [Filter] = []
  package var configurations: [Configuration] = []
  /// The account modes for which code makes an application object: `SINGLE`, `MULTIPLE`.
  package var madeModes: [Found<String>] = []
  /// Of the certificates that signed a built app: base64 of SHA-1.
  package var signatureHashes: [String] = []
}

extension AndroidFacts.Configuration {
  /// What is in a configuration; other JSON has one of them at most.
  private static let keys = [
    "client_id", "redirect_uri", "authorities", "account_mode", "authorization_user_agent",
    "broker_redirect_uri_registered",
  ]

  /// Whether a file may be one, before it is read as JSON.
  static func mayBe(_ text: String) -> Bool { keys.count { text.contains("\"\($0)\"") } > 1 }

  /// Nil: another library's file, or the client of another platform's sample.
  /// - Throws: if it is no JSON.
  static func read(_ text: String, path: String) throws(ReadingError) -> Self? {
    let data = Data(text.utf8)
    let document: JSONValue
    do { document = try JSONParser.parse(data) } catch { throw ReadingError(error, in: data) }
    guard document["redirect_uri"] != nil || document["authorities"] != nil,
      keys.count(where: { document[$0] != nil }) > 1
    else { return nil }
    let lines = TextLines(data)
    func found(_ key: String) -> Found<String>? {
      document[key]?.string.map { Found($0, FilePlace(path, line: lines.line(of: key))) }
    }
    let authorities = (document["authorities"]?.array ?? []).map { entry in
      Authority(
        type: entry["type"]?.string ?? "", url: (entry["authority_url"] ?? entry["url"])?.string,
        audience: entry["audience"]?["type"]?.string, isDefault: entry["default"]?.bool ?? false)
    }
    return Self(
      path: path, clientID: found("client_id"), redirectURI: found("redirect_uri"), authorities: authorities,
      authoritiesLine: lines.line(of: "authorities"),
      isBrokerRegistered: document["broker_redirect_uri_registered"]?.bool.map {
        Found($0, FilePlace(path, line: lines.line(of: "broker_redirect_uri_registered")))
      }, userAgent: document["authorization_user_agent"]?.string, accountMode: found("account_mode"))
  }
}
