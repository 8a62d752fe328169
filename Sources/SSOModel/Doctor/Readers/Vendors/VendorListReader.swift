import SSOCore

/// The property lists of other vendors' libraries for Apple's platforms, and the code that reads them.
extension VendorReader {
  // MARK: Property lists

  mutating func readLists() {
    for (name, vendor) in [("Auth0.plist", Vendor.auth0), ("Okta.plist", .okta)] {
      for path in named(name) + (vendor == .auth0 ? misnamedLists(insteadOf: name) : []) where mayUse(vendor)
      {
        guard let list = propertyList(path), let entries = list.dictionary else { continue }
        var values: [String: Found<String>] = [:]
        for entry in entries.prefix(Self.fileLimit) {
          values[entry.key] = entry.value.string.map { text in
            Found(text.trimmed.isEmpty ? "" : text, FilePlace(path, line: entry.value.line))
          }
        }
        var facts = VendorFacts.List(values: values)
        facts.usesBrowser =
          vendor == .okta && imports(["OktaOidc", "WebAuthenticationUI", "BrowserSignin"]) != nil
        if vendor == .auth0 {
          if isLeftOut(path) || fileName(path) != name { facts.unbundledUse = listUse(folder(of: path)) }
          facts.isUncalled = !calls(vendor)
        }
        if vendor.rule == .auth0Callback, named(name).count == 1 {
          facts.secureCallback = secureCallback
          if facts.secureCallback != nil { facts.domains = associatedDomains }
        }
        add(fileName(folder(of: path)), vendor, FilePlace(path, line: list.line), .list(facts))
      }
    }
    readAccounts()
  }

  /// All code for Apple's platforms below a folder.
  private func code(below base: String? = nil) -> ArraySlice<String> {
    ProjectFiles(base ?? root).find(SourceLanguage.isSource).prefix(Self.codeLimit)
  }

  /// Returns the first file of code that imports one of some modules.
  private func imports(_ modules: [String]) -> String? {
    code().first { path in imports(modules, in: path) }
  }

  private func imports(_ modules: [String], in path: String) -> Bool {
    guard let source = text(path), modules.contains(where: source.contains) else { return false }
    return source.lines.map(\.trimmed).contains { line in
      if line.hasPrefix("#import") { return modules.contains { line.contains("<\($0)/") } }
      guard line.hasPrefix("import ") || line.hasPrefix("@") else { return false }
      // `@testable import Auth0`, `import struct Auth0.Credentials`
      let words = line.split { " .;\t".contains($0) }.drop { !$0.hasSuffix("import") }
      return words.dropFirst().prefix(2).contains { modules.contains(String($0)) }
    }
  }

  /// Returns whether a project may use a vendor's library: its code imports it, another file names it, or there is no
  /// code.
  private func mayUse(_ vendor: Vendor) -> Bool {
    guard !code().isEmpty, imports(vendor.modules + vendor.otherModules) == nil else { return true }
    let name = vendor.name.lowercased()
    let packages = ["Podfile", "Cartfile", "Package.swift", "project.yml", "package.json", "pubspec.yaml"]
    return ProjectFiles(root).find { packages.contains($0) || $0 == "project.pbxproj" }.contains { path in
      guard let source = text(path)?.lowercased() else { return true }
      return path.hasSuffix(".pbxproj")
        ? source.contains("productname = \(name)") || source.contains("\(name).framework")
        : source.contains(name)
    }
  }

  /// Returns whether code that imports Auth0's library names something of it; without such code, it may be called
  /// elsewhere.
  private func calls(_ vendor: Vendor) -> Bool {
    let users = code().filter { imports(vendor.modules, in: $0) }
    let names: Set = [
      "Auth0", "webAuth", "authentication", "users", "WebAuth", "Authentication", "Credentials",
      "CredentialsManager",
    ]
    return users.isEmpty
      || users.contains { path in
        let tokens = text(path).map { SourceTokens.read($0, of: path) } ?? []
        return tokens.indices.contains { index in
          tokens[index].word.map(names.contains) ?? false
            && (index == 0 || tokens[index - 1].word != "import")
        }
      }
  }

  /// Returns the property lists with the values of Auth0's list under another name, if there is no file with its own.
  private func misnamedLists(insteadOf name: String) -> [String] {
    guard named(name).isEmpty, let use = listUse(root) else { return [] }
    let lists = ProjectFiles(root).find { $0.hasSuffix(".plist") }.filter { path in
      let source = text(path) ?? ""
      return source.contains("<key>ClientId</key>") && source.contains("<key>Domain</key>")
    }
    let ignored = text(root + "/.gitignore") ?? ""
    // Code may read the list itself.
    guard lists.count == 1, !ignored.contains(name),
      text(use.path)?.contains("\"\(fileStem(lists[0]))\"") == false
    else { return [] }
    return lists
  }

  /// Returns whether the next Xcode project above a file shows that no app has the file.
  private func isLeftOut(_ path: String) -> Bool {
    var base = folder(of: path)
    while true {
      let projects = ProjectFiles(base).folders(depth: 1).filter { $0.hasSuffix(".xcodeproj") }
      if let project = projects.first {
        let file = try? ProjectFiles.text(project + "/project.pbxproj", limit: 32 << 20)
        return projects.count == 1 && file.map { XcodeProject.leavesOut(fileName(path), $0) } ?? false
      }
      guard base.count > root.count else { return false }
      base = folder(of: base)
    }
  }

  /// Returns the place where code asks Auth0's library for the values of its list: `Auth0.webAuth()`.
  private func listUse(_ base: String) -> FilePlace? {
    code(below: base).lazy.compactMap { path -> FilePlace? in
      guard let source = text(path), source.contains("import Auth0") else { return nil }
      let tokens = SourceTokens.read(source, of: path)
      let index = tokens.indices.dropLast(2).first {
        ["webAuth", "authentication"].contains(tokens[$0].word) && tokens[$0 + 1].isSymbol("(")
          && tokens[$0 + 2].isSymbol(")")
      }
      return index.map { FilePlace(path, line: tokens[$0].line) }
    }.first
  }

  /// Reads the values that code gives to Auth0's library as text: `Auth0.webAuth(clientId: "…", domain: "…")`.
  private mutating func readAccounts() {
    for path in code() {
      guard let source = text(path), source.contains("import Auth0") else { continue }
      let tokens = SourceTokens.read(source, of: path)
      for index in tokens.indices where ["webAuth", "authentication"].contains(tokens[index].word) {
        let call = tokens[(index + 1)...].prefix(16).prefix { !$0.isSymbol(")") && !$0.isSymbol("{") }
        func value(_ label: String) -> Found<String>? {
          guard let place = call.firstIndex(where: { $0.word == label }), place + 2 < tokens.count,
            tokens[place + 1].isSymbol(":")
          else { return nil }
          return literal(tokens[place + 2], in: tokens).flatMap { token in
            token.text.map { Found($0, FilePlace(path, line: token.line)) }
          }
        }
        guard let client = value("clientId"), let domain = value("domain"), !client.value.contains("$("),
          !domain.value.contains("$(")
        else { continue }
        add(
          fileName(folder(of: path)), .auth0, FilePlace(path, line: tokens[index].line),
          .list(VendorFacts.List(values: ["ClientId": client, "Domain": domain])))
        break
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

  mutating func readClients() {
    for path in paths where path.hasSuffix("Info.plist") && !path.hasSuffix("GoogleService-Info.plist") {
      let isOfGoogle = text(path)?.contains("GIDClientID") == true
      let list =
        isOfGoogle
        ? propertyList(path) : (try? ProjectFiles.data(path)).flatMap { try? PropertyListReader.read($0) }
      guard let info = list,
        ["CFBundleIdentifier", "GIDClientID", "CFBundleURLTypes"].contains(where: { info[$0] != nil }),
        // Tests, frameworks, extensions, and apps for watches do not receive a response.
        !["NSExtension", "WKWatchKitApp", "WKApplication", "WKCompanionAppBundleIdentifier"].contains(where: {
          info[$0] != nil
        }),
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
        guard let id = node.string, !id.trimmed.isEmpty else { return }
        let client = VendorFacts.Client(
          clientID: Found(id, FilePlace(file, line: node.line)), isConfigured: isConfigured, schemes: schemes)
        self.add(fileName(folder(of: path)), .google, FilePlace(path, line: node.line), .client(client))
      }
      if let id = info["GIDClientID"] {
        add(id, path, isConfigured: true)
      } else if let id = clientInCode(near: path) ?? clientOfWrapper(near: path) {
        // Dart may give the client of a page on every platform.
        let isForIOS =
          !id.place.path.hasSuffix(".dart") || schemes.values.contains { $0.contains("googleusercontent") }
        let client = VendorFacts.Client(clientID: id, isConfigured: isForIOS, schemes: schemes)
        self.add(fileName(folder(of: path)), .google, id.place, .client(client))
      } else if let file = servicesList(near: path),
        let list = (try? ProjectFiles.data(file)).flatMap({ try? PropertyListReader.read($0) }),
        usesGoogle(near: path)
      {
        let use = clientOfFirebase(near: path)
        if let id = list["CLIENT_ID"] {
          add(id, file, isConfigured: use != nil)
        } else if let use, list["GOOGLE_APP_ID"]?.string.map(Placeholders.contain) == false {
          let near = (list.dictionary ?? []).first { $0.key.lowercased().trimmed == "client_id" }
          self.add(
            fileName(folder(of: path)), .google, use,
            .noClient(
              use: use, lacking: "CLIENT_ID",
              near: near.map { Found($0.key, FilePlace(file, line: $0.line)) }))
        }
      } else if let use = lackingConfiguration(near: path) {
        let near = MisspeltKey.find(
          among: (info.dictionary ?? []).map { ($0.key, $0.line) }, of: ["GIDClientID"],
          others: ["GIDServerClientID"], in: path
        ).first?.written
        self.add(
          fileName(folder(of: path)), .google, use, .noClient(use: use, lacking: "GIDClientID", near: near))
      }
    }
  }

  /// Returns the place where code takes Google's client ID from GoogleService-Info.plist: `options.clientID`.
  ///
  /// Source: FirebaseCore, `FIROptions.clientID`.
  private func clientOfFirebase(near path: String) -> FilePlace? {
    let base = sourceFolder(near: path)
    return (Array(code(below: base)) + ProjectFiles(root).find { $0.hasSuffix(".kt") }.prefix(Self.codeLimit))
      .lazy
      .compactMap { path -> FilePlace? in
        guard let source = text(path), source.contains("GIDConfiguration") || source.contains("GIDSignIn")
        else {
          return nil
        }
        let tokens = SourceTokens.read(source, of: path)
        let readsList = source.contains("GoogleService-Info")
        let index = tokens.indices.first { index in
          tokens[index].word == "clientID"
            && tokens[..<index].suffix(4).contains { ["options", "defaultOptions"].contains($0.word) }
            || readsList && tokens[index].text == "CLIENT_ID"
        }
        return index.map { FilePlace(path, line: tokens[$0].line) }
      }.first
  }

  /// Returns the place where code signs in with version 7 of Google's library, which takes its client ID from Info.plist,
  /// if no file of the project configures it.
  private func lackingConfiguration(near path: String) -> FilePlace? {
    let words = ["GIDConfiguration", "GIDClientID", ".configuration", "clientID"]
    guard
      !paths.contains(where: {
        $0.hasSuffix("Info.plist") && text($0)?.contains("<key>GIDClientID</key>") == true
      }),
      !ProjectFiles(root).find({
        [".kt", ".xcconfig", ".pbxproj", ".yml", ".yaml"].contains(where: $0.hasSuffix)
      })
      .contains(where: { text($0)?.contains("GIDC") == true }),
      !code().contains(where: { path in
        words.contains { text(path)?.contains($0) == true } && text(path)?.contains("GID") == true
      })
    else { return nil }
    return code(below: sourceFolder(near: path)).lazy.compactMap { path -> FilePlace? in
      guard let source = text(path), source.contains("GIDSignIn") else { return nil }
      let tokens = SourceTokens.read(source, of: path)
      let index = tokens.indices.dropLast(2).first {
        tokens[$0].word == "signIn" && tokens[$0 + 1].isSymbol("(") && tokens[$0 + 2].word == "withPresenting"
          || tokens[$0].word == "signInWithPresentingViewController"
      }
      return index.map { FilePlace(path, line: tokens[$0].line) }
    }.first
  }

  /// Returns the client ID that code gives to Google's library as text, `GIDConfiguration(clientID: "…")` or, before
  /// version 6, `GIDSignIn.sharedInstance().clientID = "…"`, or `nil` if no code beside an Info.plist does so.
  private func clientInCode(near path: String) -> Found<String>? {
    for file in ProjectFiles(sourceFolder(near: path)).find(SourceLanguage.isSource).prefix(Self.codeLimit) {
      guard let source = text(file), source.contains("GID") else { continue }
      let tokens = SourceTokens.read(source, of: file)
      for (index, token) in tokens.enumerated()
      where token.word == "GIDConfiguration" || token.word == "GIDSignIn" {
        let next = tokens[(index + 1)...].prefix(8)
        guard let label = next.firstIndex(where: { ["clientID", "initWithClientID"].contains($0.word) }),
          label + 2 < tokens.count, tokens[label + 1].isSymbol(token.word == "GIDSignIn" ? "=" : ":")
        else { continue }
        let value =
          tokens[label + 2].isSymbol("@") && label + 3 < tokens.count ? tokens[label + 3] : tokens[label + 2]
        let own = literal(value, in: tokens)
        let other = own == nil ? value.word.flatMap { definition(of: $0, near: path) } : nil
        if let other, other.value.contains("googleusercontent") { return other }
        // `<number>-<32 letters>`
        if let literal = own, let id = literal.text, let number = id.trimmed.split(separator: "-").first,
          number.count > 5, number.allSatisfy(\.isNumber) || id.contains("googleusercontent")
        {
          return Found(id, FilePlace(file, line: literal.line))
        }
      }
    }
    return nil
  }

  /// Returns the text of a macro: `# define NAME @"…"`.
  private func definition(of name: String, near path: String) -> Found<String>? {
    let headers = ProjectFiles(sourceFolder(near: path)).find { $0.hasSuffix(".h") || $0.hasSuffix(".pch") }
    return headers.prefix(Self.codeLimit).lazy.compactMap { header -> Found<String>? in
      guard let source = text(header), source.contains(name) else { return nil }
      let lines = source.lines
      return lines.indices.lazy.compactMap { index -> Found<String>? in
        let words = lines[index].split { " \t#".contains($0) }
        guard lines[index].trimmed.hasPrefix("#"), words.count == 3, words[0] == "define", words[1] == name,
          words[2].hasPrefix("@\""), words[2].hasSuffix("\"")
        else { return nil }
        return Found(String(words[2].dropFirst(2).dropLast()), FilePlace(header, line: index + 1))
      }.first
    }.first
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
    if googleWrapper(above: path) != nil { return true }
    return ProjectFiles(sourceFolder(near: path)).find(SourceLanguage.isSource).prefix(Self.codeLimit)
      .contains { file in
        let source = text(file) ?? ""
        return ["import GoogleSignIn", "<GoogleSignIn/", "import FirebaseGoogleAuthUI"].contains(
          where: source.contains)
      }
  }
}
