import Essentials
import SSOCore

/// A sign-in library that a project uses and that the doctor does not check.
package struct LibraryUse: Hashable, Sendable {
  /// The name of the library, such as `MSAL Node`.
  package var library: String
  /// The place where the project's file or a source names it.
  package var place: FilePlace

  package var displayText: String { "\(library) is used here, and is not judged." }
}

extension LibraryUse {
  /// A file that names a library: the ends of the file's name, the text that names the library, and the library.
  private struct Sign {
    var files: [String]
    var text: String
    var library: String
  }

  private static let signs = [
    Sign(files: ["package.json"], text: "\"@azure/msal-node\"", library: "MSAL Node"),
    Sign(files: ["package.json"], text: "\"@azure/identity\"", library: "Azure Identity for JavaScript"),
    Sign(files: ["package.json"], text: "\"msal\"", library: "MSAL.js 1"),
    Sign(files: ["package.json"], text: "\"adal-", library: "ADAL.js"),
    Sign(files: ["package.json"], text: "msal", library: "MSAL"),
    Sign(
      files: [".csproj", ".props", "packages.config"], text: "\"Microsoft.Identity.Client\"",
      library: "MSAL.NET"),
    Sign(
      files: [".csproj", ".props", "packages.config"],
      text: "Microsoft.IdentityModel.Clients.ActiveDirectory", library: "ADAL.NET"),
    Sign(files: [".csproj", ".props"], text: "\"Azure.Identity\"", library: "Azure Identity for .NET"),
    Sign(files: [".csproj", ".props"], text: "\"Microsoft.Identity.Web", library: "Microsoft.Identity.Web"),
    Sign(
      files: [".csproj"], text: "\"Microsoft.Authentication.WebAssembly.Msal\"",
      library: "MSAL for Blazor WebAssembly"),
    Sign(files: [".cs"], text: "using Microsoft.Identity.Client", library: "MSAL.NET"),
    Sign(files: ["requirements.txt", "pyproject.toml", "Pipfile"], text: "msal", library: "MSAL Python"),
    Sign(files: [".py"], text: "import msal", library: "MSAL Python"),
    Sign(
      files: ["requirements.txt", "pyproject.toml", "Pipfile"], text: "azure-identity",
      library: "Azure Identity for Python"),
    Sign(files: [".py"], text: "from azure.identity", library: "Azure Identity for Python"),
    Sign(files: [".py"], text: "import adal", library: "ADAL Python"),
    // The package identity, also by its later name, wraps it for web frameworks.
    Sign(
      files: ["requirements.txt", "pyproject.toml", "Pipfile"], text: "ms_identity_python",
      library: "MSAL Python"),
    Sign(files: [".py"], text: "from identity.flask import", library: "MSAL Python"),
    Sign(files: [".py"], text: "from identity.django import", library: "MSAL Python"),
    Sign(files: [".py"], text: "import identity.web", library: "MSAL Python"),
    Sign(files: ["pom.xml", "build.gradle", "build.gradle.kts"], text: "msal4j", library: "MSAL Java"),
    Sign(files: [".java"], text: "import com.microsoft.aad.msal4j", library: "MSAL Java"),
    Sign(files: ["go.mod"], text: "microsoft-authentication-library-for-go", library: "MSAL Go"),
    Sign(files: ["pom.xml", "build.gradle"], text: "adal4j", library: "ADAL Java"),
    Sign(files: ["pom.xml", "build.gradle"], text: "azure-identity", library: "Azure Identity for Java"),
    Sign(files: ["go.mod"], text: "sdk/azidentity", library: "Azure Identity for Go"),
    Sign(files: [".ps1", ".psm1"], text: "MSAL.PS", library: "MSAL.PS"),
    Sign(files: ["pubspec.yaml"], text: "msal", library: "MSAL"),
    Sign(files: [".kt", ".java"], text: "import com.microsoft.identity.client", library: "MSAL for Android"),
    Sign(
      files: ["build.gradle", "build.gradle.kts"], text: "com.microsoft.identity.client:msal",
      library: "MSAL for Android"),
    Sign(
      files: ["build.gradle", "build.gradle.kts"], text: "com.microsoft.aad:adal",
      library: "ADAL for Android"),
    Sign(files: [".swift"], text: "import MSAL", library: "MSAL for iOS and macOS"),
    Sign(files: [".m", ".mm", ".h"], text: "import <MSAL/", library: "MSAL for iOS and macOS"),
    Sign(files: [".m", ".mm", ".h"], text: "import <ADAL/", library: "ADAL for iOS and macOS"),
    Sign(files: [".m", ".mm", ".h"], text: "import <ADALiOS/", library: "ADAL for iOS and macOS"),
    Sign(files: [".swift"], text: "import ADAL", library: "ADAL for iOS and macOS"),
    Sign(files: ["Podfile"], text: "pod 'ADAL", library: "ADAL for iOS and macOS"),
    Sign(files: ["Podfile"], text: "pod \"ADAL", library: "ADAL for iOS and macOS"),
    // Intune's SDK calls MSAL itself.
    Sign(files: [".swift"], text: "import IntuneMAMSwift", library: "MSAL through the Intune SDK"),
    Sign(files: [".m", ".mm", ".h"], text: "import <IntuneMAM", library: "MSAL through the Intune SDK"),
    Sign(files: ["Podfile"], text: "pod 'MSAL'", library: "MSAL for iOS and macOS"),
    Sign(files: [".js", ".ts", ".tsx", ".jsx", ".html"], text: "msal-browser", library: "MSAL.js"),
    Sign(files: [".js", ".ts"], text: "@azure/msal-node", library: "MSAL Node"),
    // A copy of the library is beside the page.
    Sign(files: [".js", ".html"], text: "new msal.PublicClientApplication", library: "MSAL.js"),
    Sign(files: [".js", ".html"], text: "new Msal.UserAgentApplication", library: "MSAL.js 1"),
    Sign(files: [".ts"], text: "class UserAgentApplication", library: "MSAL.js 1"),
    Sign(files: ["package.json"], text: "\"ionic-appauth\"", library: "AppAuth for Ionic"),
    Sign(files: ["package.json"], text: "\"@openid/appauth\"", library: "AppAuth for JavaScript"),
    Sign(files: ["package.json"], text: "\"@auth0/auth0-", library: "Auth0 for JavaScript"),
    Sign(files: ["package.json"], text: "\"@okta/okta-", library: "Okta for JavaScript"),
    Sign(files: ["package.json"], text: "\"expo-auth-session\"", library: "Expo AuthSession"),
    Sign(files: ["package.json"], text: "\"oidc-client-ts\"", library: "oidc-client-ts"),
    Sign(files: ["package.json"], text: "\"next-auth\"", library: "Auth.js"),
    Sign(files: ["package.json"], text: "\"react-native-auth0\"", library: "Auth0 for React Native"),
    Sign(files: ["package.json"], text: "\"react-native-app-auth\"", library: "AppAuth for React Native"),
    Sign(
      files: ["package.json"], text: "\"@react-native-google-signin/google-signin\"",
      library: "Google Sign-In for React Native"),
    Sign(files: ["pubspec.yaml"], text: "auth0_flutter:", library: "Auth0 for Flutter"),
    Sign(files: ["pubspec.yaml"], text: "flutter_appauth:", library: "AppAuth for Flutter"),
    Sign(files: ["pubspec.yaml"], text: "google_sign_in:", library: "Google Sign-In for Flutter"),
    Sign(files: [".csproj"], text: "\"Auth0.OidcClient", library: "Auth0 for .NET"),
    Sign(files: [".csproj"], text: "IdentityModel.OidcClient\"", library: "OidcClient for .NET"),
    Sign(files: [".swift"], text: "import Auth0", library: "Auth0 for iOS and macOS"),
    Sign(files: ["Podfile"], text: "pod 'Auth0'", library: "Auth0 for iOS and macOS"),
    Sign(files: ["Cartfile"], text: "auth0/Auth0.swift", library: "Auth0 for iOS and macOS"),
    Sign(files: [".swift"], text: "import AppAuth", library: "AppAuth for iOS and macOS"),
    Sign(files: ["Podfile"], text: "pod 'AppAuth'", library: "AppAuth for iOS and macOS"),
    Sign(files: [".m", ".mm", ".h"], text: "AppAuth.h", library: "AppAuth for iOS and macOS"),
    Sign(files: [".swift"], text: "import OktaOidc", library: "Okta for iOS and macOS"),
    Sign(files: [".swift"], text: "import GoogleSignIn", library: "Google Sign-In for iOS and macOS"),
    Sign(files: [".m", ".mm", ".h"], text: "<GoogleSignIn/", library: "Google Sign-In for iOS and macOS"),
    Sign(files: ["Podfile"], text: "pod 'GoogleSignIn'", library: "Google Sign-In for iOS and macOS"),
    Sign(files: ["pubspec.yaml"], text: "aad_oauth:", library: "aad_oauth"),
    Sign(files: [".swift"], text: "import OAuthSwift", library: "OAuthSwift"),
  ]
  private static let fileLimit = 4000
  private static let sizeLimit = 256 << 10

  /// Returns the libraries used by a project that has no app to check, each with the first place that names it.
  static func find(_ files: ProjectFiles) -> [LibraryUse] { find(files, signs) }

  /// Returns the libraries, as listed in their packages, that the programs beside checked apps use.
  static func findBesideApps(_ files: ProjectFiles) -> [LibraryUse] {
    find(
      files,
      signs.filter {
        beside.contains($0.library) && !$0.files.contains { $0.hasPrefix(".") && $0 != ".csproj" }
      })
  }

  /// The libraries that no reader reads, so that their use never belongs to a checked app.
  private static let beside: Set = [
    "MSAL Node", "MSAL.NET", "MSAL Python", "MSAL Java", "MSAL Go", "Microsoft.Identity.Web",
    "MSAL for Blazor WebAssembly", "Azure Identity for .NET", "Azure Identity for Python",
    "Azure Identity for Java",
    "Azure Identity for Go", "Azure Identity for JavaScript",
  ]

  private static func find(_ files: ProjectFiles, _ signs: [Sign]) -> [LibraryUse] {
    var found: [LibraryUse] = []
    let ends = Set(signs.flatMap(\.files))
    let types = ends.filter { $0.hasPrefix(".") }
    let names = ends.subtracting(types)
    let paths = files.find { name in
      name.lastIndex(of: ".").map { types.contains(String(name[$0...])) } ?? false
        || names.contains(where: name.hasSuffix)
    }
    for path in paths.prefix(fileLimit) {
      let name = fileName(path)
      let own = signs.filter { $0.files.contains(where: name.hasSuffix) }
      // Few of the files name a library, and searching bytes is fast.
      guard let data = try? ProjectFiles.data(path, limit: sizeLimit),
        own.contains(where: { data.hasBytes($0.text) })
      else { continue }
      let text = String(decoding: data, as: UTF8.self)
      let searched = name == "package.json" ? dependencies(of: text) : text
      for sign in own where searched.contains(sign.text) {
        guard !found.contains(where: { $0.library == sign.library || $0.place.path == path }) else {
          continue
        }
        let lines = text.lines
        // The project itself may be named after the library.
        let line = lines.firstIndex {
          $0.contains(sign.text) && !$0.trimmed.hasPrefix("\"name\"") && !isComment($0.trimmed)
        }
        guard let line else { continue }
        found.append(LibraryUse(library: sign.library, place: FilePlace(path, line: line + 1)))
      }
    }
    return found
  }

  private static func isComment(_ line: String) -> Bool {
    ["//", "/*", "*", "<!--"].contains(where: line.hasPrefix)
      || line.hasPrefix("#") && !line.hasPrefix("#import") && !line.hasPrefix("#include")
  }

  /// Returns the names of the packages on which a package depends, in quotation marks, or the entire text if it is not
  /// a JSON document.
  private static func dependencies(of text: String) -> String {
    guard let package = JSONValue(bounded: Data(text.utf8), maximumBytes: sizeLimit) else { return text }
    return ["dependencies", "devDependencies", "peerDependencies"].flatMap { key in
      package[key]?.object.map { object in object.keys.map { "\"\($0)\"" } } ?? []
    }.sorted().joined(separator: "\n")
  }
}
