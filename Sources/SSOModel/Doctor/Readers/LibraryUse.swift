import Essentials
import SSOCore

/// A library for signing in that a project uses and that the doctor does not judge.
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
    Sign(files: [".csproj", ".props"], text: "\"Microsoft.Identity.Client\"", library: "MSAL.NET"),
    Sign(files: [".csproj", ".props"], text: "\"Microsoft.Identity.Web", library: "Microsoft.Identity.Web"),
    Sign(
      files: [".csproj"], text: "\"Microsoft.Authentication.WebAssembly.Msal\"",
      library: "MSAL for Blazor WebAssembly"),
    Sign(files: [".cs"], text: "using Microsoft.Identity.Client", library: "MSAL.NET"),
    Sign(files: ["requirements.txt", "pyproject.toml", "Pipfile"], text: "msal", library: "MSAL Python"),
    Sign(files: [".py"], text: "import msal", library: "MSAL Python"),
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
    Sign(files: ["pubspec.yaml"], text: "msal", library: "MSAL"),
    Sign(files: [".kt", ".java"], text: "import com.microsoft.identity.client", library: "MSAL for Android"),
    Sign(
      files: ["build.gradle", "build.gradle.kts"], text: "com.microsoft.identity.client:msal",
      library: "MSAL for Android"),
    Sign(files: [".swift"], text: "import MSAL", library: "MSAL for iOS and macOS"),
    Sign(files: [".m", ".mm", ".h"], text: "import <MSAL/", library: "MSAL for iOS and macOS"),
    Sign(files: ["Podfile"], text: "pod 'MSAL'", library: "MSAL for iOS and macOS"),
    Sign(files: [".js", ".ts", ".tsx", ".jsx", ".html"], text: "msal-browser", library: "MSAL.js"),
    Sign(files: [".js", ".ts"], text: "@azure/msal-node", library: "MSAL Node"),
  ]
  private static let fileLimit = 4000
  private static let sizeLimit = 256 << 10

  /// Returns the libraries that a project without apps to judge uses, each with the first place that names it.
  static func find(_ files: ProjectFiles) -> [LibraryUse] {
    var found: [LibraryUse] = []
    for path in files.find({ name in signs.contains { $0.files.contains(where: name.hasSuffix) } }).prefix(
      fileLimit)
    {
      guard let text = try? ProjectFiles.text(path, limit: sizeLimit) else { continue }
      let name = fileName(path)
      for sign in signs where sign.files.contains(where: name.hasSuffix) && text.contains(sign.text) {
        guard !found.contains(where: { $0.library == sign.library || $0.place.path == path }) else {
          continue
        }
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
          $0.contains(sign.text)
        }
        found.append(LibraryUse(library: sign.library, place: FilePlace(path, line: line.map { $0 + 1 })))
      }
    }
    return found
  }
}
