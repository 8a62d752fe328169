import Essentials
import SSOCore

/// A reader of the asset from which Flutter's msal_mobile takes the client ID and the redirect URI for iOS (gbwisx/msal_mobile,
/// `ios/Classes/Authenticator.swift`).
enum FlutterAsset {
  /// Returns the values of the project's only asset of the form, or `nil` if there is another number of them, or if the
  /// redirect URI is not filled in.
  static func configuration(of project: ProjectNote) -> WebFacts.Configuration? {
    guard project.library?.value == "msal_mobile" else { return nil }
    let found = ProjectFiles(project.base + "/assets").find { $0.hasSuffix(".json") }.compactMap {
      configuration($0)
    }
    return found.count == 1 ? found[0] : nil
  }

  private static func configuration(_ path: String) -> WebFacts.Configuration? {
    guard let data = try? ProjectFiles.data(path, limit: 1 << 20),
      let document = JSONValue(bounded: data, maximumBytes: 1 << 20),
      let client = document["client_id"]?.string
    else { return nil }
    let lines = TextLines(data)
    func found(_ key: String, _ value: String) -> SourceFacts.Setting {
      .known(Found(value, FilePlace(path, line: lines.line(of: key))))
    }
    var configuration = WebFacts.Configuration(place: FilePlace(path))
    configuration.clientID = found("client_id", client)
    // Dart passes the authority to the call.
    configuration.authority = .unknown(FilePlace(path))
    if let uri = document["ios_redirect_uri"]?.string {
      guard !Placeholders.contain(uri) else { return nil }
      configuration.redirectURI = found("ios_redirect_uri", uri)
    }
    return configuration
  }
}
