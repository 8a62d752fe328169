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
  private var unread: [UnreadFile] = []

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
    reader.readLists()
    reader.readClients()
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

  // MARK: Property lists

  private mutating func readLists() {
    for (name, vendor) in [("Auth0.plist", Vendor.auth0), ("Okta.plist", .okta)] {
      for path in named(name) {
        guard let list = propertyList(path), let entries = list.dictionary else { continue }
        var values: [String: Found<String>] = [:]
        for entry in entries.prefix(Self.fileLimit) {
          values[entry.key] = entry.value.string.map {
            Found($0.trimmed, FilePlace(path, line: entry.value.line))
          }
        }
        var facts = VendorFacts.List(values: values, keys: Set(entries.map(\.key)))
        if vendor.rule == .auth0Callback, named(name).count == 1 {
          facts.secureCallback = secureCallback
          if facts.secureCallback != nil { facts.domains = associatedDomains }
        }
        add(fileName(folder(of: path)), vendor, FilePlace(path, line: list.line), .list(facts))
      }
    }
  }

  /// Returns a property list, or `nil` if it cannot be read, which is then a finding.
  private mutating func propertyList(_ path: String) -> PropertyListNode? {
    do throws(ReadingError) {
      return try PropertyListReader.read(try ProjectFiles.data(path, limit: Self.sizeLimit))
    } catch {
      unread.append(UnreadFile(path: path, error: error))
      return nil
    }
  }

  /// The place where code that signs in with the values of Auth0.plist asks for an https callback.
  ///
  /// Source: Auth0.swift, `WebAuth.swift` (`useHTTPS`, for iOS 17.4 and later).
  private var secureCallback: FilePlace? {
    let code = ProjectFiles(root).find { $0.hasSuffix(".swift") }
    return code.prefix(Self.codeLimit).lazy.compactMap { path -> FilePlace? in
      guard let source = text(path), source.contains("useHTTPS") else { return nil }
      let tokens = SourceTokens.read(source, of: path)
      for index in tokens.indices.dropLast(2)
      where tokens[index].word == "webAuth" && tokens[index + 2].isSymbol(")") {
        let chain = tokens[(index + 1)...].prefix(80)
          .prefix { !["start", "clearSession", "webAuth", "func"].contains($0.word) }
        guard chain.endIndex < tokens.count, tokens[chain.endIndex].word == "start",
          let call = chain.first(where: { $0.word == "useHTTPS" })
        else { continue }
        return FilePlace(path, line: call.line)
      }
      return nil
    }.first
  }

  private var associatedDomains: FoundList? {
    let lists = ProjectFiles(root).find { $0.hasSuffix(".entitlements") }.prefix(Self.fileLimit)
    var place: FilePlace?
    var items: [Found<String>] = []
    for path in lists {
      guard let list = (try? ProjectFiles.data(path)).flatMap({ try? PropertyListReader.read($0) }) else {
        continue
      }
      let domains = list["com.apple.developer.associated-domains"]
      place = place ?? FilePlace(path, line: domains?.line ?? list.line)
      items += (domains?.strings ?? []).map { Found($0.text, FilePlace(path, line: $0.line)) }
    }
    return place.map { FoundList(items, $0) }
  }

  // MARK: Google Sign-In on Apple's platforms

  private mutating func readClients() {
    for path in paths where path.hasSuffix("Info.plist") && !path.hasSuffix("GoogleService-Info.plist") {
      let isOfGoogle = text(path)?.contains("GIDClientID") == true
      let list =
        isOfGoogle
        ? propertyList(path) : (try? ProjectFiles.data(path)).flatMap { try? PropertyListReader.read($0) }
      guard let info = list,
        ["CFBundleIdentifier", "GIDClientID", "CFBundleURLTypes"].contains(where: { info[$0] != nil }),
        // Tests and frameworks do not receive a response.
        !["BNDL", "FMWK"].contains(info["CFBundlePackageType"]?.string)
      else { continue }
      let types = info["CFBundleURLTypes"]
      let lists = (types?.array ?? []).compactMap { $0["CFBundleURLSchemes"] }
      let schemes = FoundList(
        lists.flatMap(\.strings).prefix(Self.fileLimit).map {
          Found($0.text, FilePlace(path, line: $0.line))
        },
        FilePlace(path, line: lists.first?.line ?? types?.line ?? info.line))
      func add(_ node: PropertyListNode, _ file: String, isConfigured: Bool) {
        guard let id = node.string?.trimmed, !id.isEmpty else { return }
        let client = VendorFacts.Client(
          clientID: Found(id, FilePlace(file, line: node.line)), isConfigured: isConfigured, schemes: schemes)
        self.add(fileName(folder(of: path)), .google, FilePlace(path, line: node.line), .client(client))
      }
      if let id = info["GIDClientID"] {
        add(id, path, isConfigured: true)
      } else if let id = clientInCode(near: path) {
        let client = VendorFacts.Client(clientID: id, isConfigured: true, schemes: schemes)
        self.add(fileName(folder(of: path)), .google, id.place, .client(client))
      } else if let file = servicesList(near: path),
        let list = (try? ProjectFiles.data(file)).flatMap({ try? PropertyListReader.read($0) }),
        let id = list["CLIENT_ID"], usesGoogle(near: path)
      {
        add(id, file, isConfigured: false)
      }
    }
  }

  /// Returns the client ID that code gives to Google's library as text, `GIDConfiguration(clientID: "…")`, or `nil` if
  /// no code beside an Info.plist does so.
  private func clientInCode(near path: String) -> Found<String>? {
    for file in ProjectFiles(sourceFolder(near: path)).find(SourceLanguage.isSource).prefix(Self.codeLimit) {
      guard let source = text(file), source.contains("GIDConfiguration") else { continue }
      let tokens = SourceTokens.read(source, of: file)
      for (index, token) in tokens.enumerated() where token.word == "GIDConfiguration" {
        let next = tokens[(index + 1)...].prefix(8)
        if next.contains(where: { ["clientID", "initWithClientID"].contains($0.word) }),
          let literal = next.first(where: { $0.text != nil }), let id = literal.text,
          id.hasSuffix(".apps.googleusercontent.com")
        {
          return Found(id, FilePlace(file, line: literal.line))
        }
      }
    }
    return nil
  }

  /// Returns the GoogleService-Info.plist beside an Info.plist, or the only one below its folder.
  private func servicesList(near path: String) -> String? {
    let own = sourceFolder(near: path)
    let all = named("GoogleService-Info.plist")
    let below = all.filter { $0.hasPrefix(own + "/") }
    return all.first { folder(of: $0) == folder(of: path) } ?? (below.count == 1 ? below[0] : nil)
  }

  /// Returns the folder of an Info.plist, or the next one above it that has sources: property lists may have their own
  /// folder.
  private func sourceFolder(near path: String) -> String {
    var base = folder(of: path)
    while ProjectFiles(base).find(SourceLanguage.isSource).isEmpty, base.count > root.count {
      base = folder(of: base)
    }
    return base
  }

  /// Returns whether the app of an Info.plist uses Google Sign-In: its sources, or the wrapper's project file.
  private func usesGoogle(near path: String) -> Bool {
    let own = folder(of: path)
    let project = folder(of: folder(of: own))
    for (file, sign) in [
      (project + "/pubspec.yaml", "google_sign_in:"),
      (project + "/package.json", "\"@react-native-google-signin/google-signin\""),
    ] where paths.contains(file) && text(file)?.contains(sign) == true {
      return true
    }
    return ProjectFiles(sourceFolder(near: path)).find(SourceLanguage.isSource).prefix(Self.codeLimit)
      .contains { file in
        let source = text(file) ?? ""
        return ["import GoogleSignIn", "<GoogleSignIn/", "import FirebaseGoogleAuthUI"].contains(
          where: source.contains)
      }
  }
}
