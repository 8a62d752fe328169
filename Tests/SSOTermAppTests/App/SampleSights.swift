@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

extension Sample {
  /// The matrix of three apps of the suite, each with its own library.
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
    let apps = installed.map { SharingApp($0, registeredFamilyID: nil, triedFamilyID: "1") }
    return apps.flatMap { writer in
      apps.filter { $0.app.bundleID != writer.app.bundleID }.map {
        Visibility(SharedSignIn(with: writer, for: $0))
      }
    }
  }()
}
