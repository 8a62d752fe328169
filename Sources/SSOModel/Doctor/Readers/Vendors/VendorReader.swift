import SSOCore

/// A reader of what other vendors' sign-in libraries need: build files, manifests, and property lists.
struct VendorReader {
  static let fileLimit = 600
  static let codeLimit = 1000
  static let sizeLimit = 1 << 20

  /// The paths of all files that may matter, in order.
  let paths: [String]
  let root: String
  private let texts = SourceTexts(sizeLimit: sizeLimit)
  var found: [VendorFacts] = []
  var unread: [UnreadFile] = []

  static func read(_ files: ProjectFiles) -> (facts: [VendorFacts], unread: [UnreadFile]) {
    let names: Set<String> = [
      "pubspec.yaml", "package.json", "google-services.json", "Okta.plist", "Auth0.plist",
      "libs.versions.toml",
    ]
    let paths = files.find { name in
      names.contains(name) || name.hasSuffix(".gradle") || name.hasSuffix(".gradle.kts")
        || name.hasSuffix("Info.plist")
    }
    var reader = VendorReader(paths: Array(paths.prefix(fileLimit)), root: files.root)
    reader.readModules()
    reader.readPlugins()
    reader.readLists()
    reader.readClients()
    reader.readWebAuthenticators(files)
    reader.readServers(files)
    return (reader.found, reader.unread)
  }

  private init(paths: [String], root: String) { (self.paths, self.root) = (paths, root) }

  func named(_ name: String) -> [String] { paths.filter { fileName($0) == name } }
  func text(_ path: String) -> String? { texts.text(path) }

  /// Adds a use of a library, under a unique name.
  mutating func add(_ app: String, _ vendor: Vendor, _ origin: FilePlace, _ kind: VendorFacts.Kind) {
    let name = "\(app): \(vendor.name)"
    let count = found.count { $0.name == name || $0.name.hasPrefix(name + " (") }
    found.append(
      VendorFacts(
        name: count == 0 ? name : "\(name) (\(count + 1))", vendor: vendor, origin: origin, kind: kind))
  }
}
