@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

extension Sample {
  /// The matrix of three apps of the suite, one library each.
  static let sights: [Visibility] = {
    let installed = [
      ("mail", SDKKind.adal, "2.6.6"), ("files", .adal, "2.7.18"), ("chat", .msal, "2.13.0"),
    ].map { name, sdk, version in
      InstalledApp(
        bundleID: "com.contoso.\(name)", teamID: "TEAM1", displayName: name, vendor: "Contoso", sdk: sdk,
        sdkVersion: version, clientID: client, redirectURI: "msauth.com.contoso.\(name)://auth",
        keychainAccessGroups: [group], keychainSharingGroup: "com.microsoft.adalcache", urlSchemes: [],
        queriesSchemes: [])
    }
    return installed.flatMap { writer in
      installed.filter { $0.bundleID != writer.bundleID }.map {
        Visibility(of: writer, from: $0, family: nil)
      }
    }
  }()
}
