import Essentials
import SSOCore

/// A reader that finds the web apps below a folder.
///
/// An app is a `package.json` that depends on MSAL.js, a page that loads it with a script tag, or, if there is neither,
/// a folder of scripts that import it.
struct WebReader {
  private static let fileLimit = 20_000
  static let sizeLimit = 512 << 10
  private static let pageLimit = 500
  private static let buildLimit = 8

  private let files: ProjectFiles
  private let scripts = ReadScripts()
  /// The place where a package or a page names MSAL.js 1, which has other settings.
  private var firstVersion: FilePlace?
  /// Whether scripts are read to which packages and pages do not lead; those beside MSAL.js 1 belong to it.
  private var readsScripts = true

  private init(files: ProjectFiles) { self.files = files }

  /// The pages that load the library and are too large to be read.
  private var unread: [UnreadFile] = []
  private static let unreadLimit = 8

  static func read(_ files: ProjectFiles) -> (apps: [WebFacts], unread: [UnreadFile]) {
    var reader = WebReader(files: files)
    var apps = reader.packages()
    let bases = apps.map { folder(of: $0.origin.path) + "/" }
    apps += reader.pages().filter { page in !bases.contains { page.origin.path.hasPrefix($0) } }
    if apps.isEmpty {
      let old = reader.firstVersion.flatMap { reader.secrets(ofFirstVersion: $0) }
      let app = reader.readsScripts ? reader.read(files.root, name: fileName(files.root), others: []) : nil
      apps = [old ?? app].compactMap(\.self)
    }
    // A page beside an app may be a copy or a report.
    return (apps, apps.isEmpty ? reader.unread : [])
  }

  /// Returns a page that may load MSAL.js, or `nil` for any other; a page that is too large is recorded.
  private mutating func page(_ path: String) -> Data? {
    do throws(ReadingError) {
      let data = try ProjectFiles.data(path, limit: Self.sizeLimit)
      return data.hasBytes("msal") ? data : nil
    } catch {
      if unread.count < Self.unreadLimit, let whole = try? ProjectFiles.data(path),
        whole.hasBytes("msal-browser")
      {
        unread.append(UnreadFile(path: path, error: error))
      }
      return nil
    }
  }

  /// Returns a page with MSAL.js 1 that has a client secret; no other rule applies to it.
  private func secrets(ofFirstVersion place: FilePlace) -> WebFacts? {
    let base = folder(of: place.path)
    guard var facts = read(base, name: fileName(base), origin: place, others: []) else { return nil }
    facts.publishedSecrets += facts.configurations.compactMap { $0.secret.map { Found("clientSecret", $0) } }
    facts.configurations = []
    facts.scopes = []
    facts.isFirstVersion = true
    return facts.publishedSecrets.isEmpty ? nil : facts
  }

  /// Returns the configuration that the scripts of a project pass to a wrapper, or `nil` unless there is exactly one.
  ///
  /// Source: react-native-msal, `ios/RNMSAL.m`, which passes the members of `auth` on to MSAL.
  static func configuration(ofWrapper note: ProjectNote) -> WebFacts.Configuration? {
    guard note.library?.value == "react-native-msal",
      // The page of the same project has its own configuration.
      (try? ProjectFiles.text(note.place.path, limit: 1 << 20))?.contains("@azure/msal-") == false
    else { return nil }
    let facts = WebReader(files: ProjectFiles(note.base))
      .read(note.base, name: "", origin: note.place, others: [])
    return facts?.configurations.count == 1 ? facts?.configurations[0] : nil
  }

  // MARK: Apps

  private mutating func packages() -> [WebFacts] {
    var found: [(path: String, name: String?, line: Int?, major: Int?, hasShell: Bool)] = []
    for path in files.find({ $0 == "package.json" }) {
      guard let data = try? ProjectFiles.data(path, limit: 1 << 20),
        let package = try? JSONParser.parse(data)
      else { continue }
      let used = ScriptModule.libraries.first { Self.depends(package, on: $0) }
      let angular = "@azure/msal-angular"
      let isOld = Self.version(package, of: angular).flatMap(Self.major).map { $0 < 2 } ?? false
      if Self.depends(package, on: "msal") || isOld, !Self.depends(package, on: "@azure/msal-browser") {
        let name = Self.depends(package, on: "msal") ? "msal" : angular
        firstVersion = firstVersion ?? FilePlace(path, line: TextLines(data).line(of: name))
        if used != nil { readsScripts = false }
      } else if let used {
        let major = Self.version(package, of: "@azure/msal-browser").flatMap(Self.major)
        let hasShell = Self.shells.contains { Self.depends(package, on: $0) }
        found.append((path, package["name"]?.string, TextLines(data).line(of: used), major, hasShell))
      }
    }
    let bases = found.map { folder(of: $0.path) }
    return zip(found, bases).compactMap { package, base in
      let inner = bases.filter { $0 != base && $0.hasPrefix(base + "/") }
      let origin = FilePlace(package.path, line: package.line)
      var facts = read(base, name: package.name ?? fileName(base), origin: origin, others: inner)
      facts?.libraryMajor = package.major
      facts?.hasShell = package.hasShell
      return facts
    }
  }

  /// The packages of apps that show a page in their own window.
  private static let shells = [
    "electron", "@capacitor/core", "cordova", "@tauri-apps/api", "react-native", "expo", "nw",
  ]

  private static func depends(_ package: JSONValue, on library: String) -> Bool {
    version(package, of: library) != nil
  }

  private static func version(_ package: JSONValue, of library: String) -> JSONValue? {
    ["dependencies", "devDependencies"].lazy.compactMap { package[$0]?[library] }.first
  }

  /// Returns the first part of the version with which a range begins: `^3.6.0`, `~2.1`, `4.x`.
  private static func major(_ range: JSONValue) -> Int? {
    range.string.flatMap { Int($0.drop { !$0.isNumber }.prefix { $0.isNumber }) }
  }

  /// Returns the first part of the version in the address of a script: `…/browser/2.38.1/js/msal-browser.min.js`,
  /// `@azure/msal-browser@3`.
  private static func major(ofScript line: Substring) -> Int? {
    ["msal-browser@", "browser/"].lazy.compactMap { start in
      line.firstRange(of: start).flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }.first
  }

  /// Returns the pages that load MSAL.js themselves, one app for each folder that is not below another one's.
  private mutating func pages() -> [WebFacts] {
    var found: [(base: String, place: FilePlace, major: Int?)] = []
    for path in files.find({ $0.hasSuffix(".html") || $0.hasSuffix(".htm") }).prefix(Self.pageLimit) {
      guard let data = page(path) else { continue }
      let text = String(decoding: data, as: UTF8.self)
      let lines = text.lines
      guard let line = lines.firstIndex(where: Self.loadsMSAL) else {
        let old = lines.firstIndex {
          $0.contains("src=") && ["/msal.js", "/msal.min.js"].contains(where: $0.contains)
        }
        firstVersion = firstVersion ?? old.map { FilePlace(path, line: $0 + 1) }
        continue
      }
      found.append((folder(of: path), FilePlace(path, line: line + 1), Self.major(ofScript: lines[line])))
    }
    let outer = found.filter { page in
      !found.contains { page.base.hasPrefix($0.base + "/") }
    }
    var seen: Set<String> = []
    return outer.filter { seen.insert($0.base).inserted }.compactMap {
      var facts = read($0.base, name: fileName($0.base), origin: $0.place, others: [])
      facts?.libraryMajor = $0.major
      return facts
    }
  }

  /// Returns whether a line of a page loads the library: a script tag, an import, or an entry of an import map.
  private static func loadsMSAL(_ line: Substring) -> Bool {
    guard let range = line.firstRange(of: "msal-browser") else { return false }
    let isLoaded = ["src=", "import", "\":", " from "].contains { line[..<range.lowerBound].contains($0) }
    return isLoaded && !line.contains("<!--")
  }

  /// Reads an app, or returns `nil` if it is a bare folder without MSAL.js.
  ///
  /// `others` are the folders of other apps below it.
  private func read(_ base: String, name: String, origin: FilePlace? = nil, others: [String]) -> WebFacts? {
    let folder = ProjectFiles(base)
    let paths = folder.find { Self.isScript($0) || $0.hasPrefix(".env") || $0.hasSuffix(".json") }.filter {
      path in
      !others.contains { path.hasPrefix($0 + "/") } && !Self.isTest(String(path.dropFirst(base.count)))
    }
    let scripts = paths.filter { !fileName($0).hasPrefix(".env") }
    let searched = scripts.prefix(Self.fileLimit)
    if origin == nil, !searched.contains(where: Self.imports) { return nil }
    let all = ScriptModules(scripts, read: self.scripts.module)
    // Read the others if a name leads to them.
    let modules = searched.filter(Self.mayConfigure).compactMap { all[simplified($0)] }
    var variables = PageVariables(base)
    let environment = EnvironmentFiles.read(
      variables.takeMisplaced(paths.filter { fileName($0).hasPrefix(".env") }))
    let used = modules.first(where: \.importsMSAL).map { FilePlace($0.path) }
    guard let place = origin ?? used else { return nil }
    var facts = WebFacts(name: name, origin: place)
    facts.nestedApp = modules.lazy.compactMap(\.nestedApp).first
    let ofServers = Self.imports(of: modules.filter(\.isServer))
      .subtracting(Self.imports(of: modules.filter { !$0.isServer }))
    let pages = modules.filter {
      !$0.isServer && !ofServers.contains(simplified($0.path)) && ($0.importsMSAL || !$0.importsFirstVersion)
    }
    let members = pages.flatMap { module in
      module.configurations.map {
        ScriptResolver.Resolved(value: $0.value, module: module, line: $0.line)
      }
    }
    let aliases = PathAliases(base)
    let callers = searched.filter(self.scripts.mayCall).compactMap { all[simplified($0)] }.filter {
      !$0.isServer
    }
    facts.scopes = Self.scopes(
      modules + callers.filter { caller in caller.callsMSAL && !modules.contains { $0.path == caller.path } },
      ScriptResolver(all, environment: environment.values, variables: variables, aliases: aliases)
    ) { name, path in
      !ScriptImports.hasEntry(paths) || searched.contains { $0 != path && Self.names(name, in: $0) }
    }
    facts.otherAuthorities = Self.authorities(
      pages, ScriptResolver(all, environment: environment.values, variables: variables, aliases: aliases))
    /// The modules that configure MSAL.js, by the places of the objects that they take.
    var users: [FilePlace: String] = [:]
    for replacements in [[:]] + Self.replacements(all) {
      let resolver = ScriptResolver(
        all, environment: environment.values, variables: variables, aliases: aliases,
        replacements: replacements)
      for start in members {
        guard let object = resolver.container(start),
          let configuration = WebFacts.Configuration(object, resolver),
          replacements.isEmpty
            ? !facts.configurations.contains(where: { $0.place == configuration.place })
            : configuration.isFilled(from: Set(replacements.values))
        else { continue }
        if users[configuration.place] == nil { users[configuration.place] = start.module.path }
        facts.configurations.append(configuration)
      }
    }
    let own = facts.configurations.compactMap { $0.authority.place ?? $0.authorityPattern?.place }
    facts.otherAuthorities.removeAll { own.contains($0.place) }
    facts.removeLeftOver(users, paths)
    facts.removeSources()
    facts.publishedSecrets += environment.secrets.map { secret in
      var secret = secret
      secret.isFallback =
        !searched.contains { Self.names(secret.value, in: $0) } || FilePlace.isExample(secret.place.path)
      return secret
    }
    if modules.contains(where: \.setsKnownAuthorities) {
      for index in facts.configurations.indices { facts.configurations[index].knownAuthorities = nil }
    }
    let overwritten: Set<String> = pages.reduce(into: []) { $0.formUnion($1.overwritten) }
    facts.takeOverwritten(overwritten)
    let resolver = ScriptResolver(
      all, environment: environment.values, variables: variables, aliases: aliases)
    facts.takeRequests(pages, resolver)
    facts.takeElements(callers, resolver)
    if !overwritten.contains("clientId") { facts.takeApplications(pages, resolver) }
    takeStart(&facts, Array(searched), all, ofServers, resolver)
    return facts
  }

  /// Records the mistakes in how the scripts of an app start MSAL.js.
  private func takeStart(
    _ facts: inout WebFacts, _ scripts: [String], _ all: ScriptModules, _ ofServers: Set<String>,
    _ resolver: ScriptResolver
  ) {
    var start = PageStart()
    let own = Set(scripts.map(simplified))
    // Another package of the project may start MSAL.js for this one.
    let others = files.find(Self.isScript).prefix(Self.fileLimit).filter {
      !own.contains(simplified($0)) && !Self.isTest(String($0.dropFirst(files.root.count)))
    }
    let names = Set(scripts.map { fileStem($0) })
    func isForeign(_ path: String) -> Bool {
      !path.hasPrefix(".") && !path.hasPrefix("@/") && !path.hasPrefix("~")
        && (ScriptModule.libraries.contains(path) || !names.contains(fileStem(path)))
    }
    for path in scripts where self.scripts.mayCall(path) {
      guard let module = all[simplified(path)], !module.isServer, !ofServers.contains(simplified(path)) else {
        continue
      }
      start.take(module, isOwn: true, isForeign: isForeign)
    }
    for path in others where self.scripts.mayCall(path) {
      guard let module = self.scripts.module(path), !module.isServer else { continue }
      start.take(module, isOwn: false, isForeign: isForeign)
    }
    start.takeGiven(resolver)
    facts.redirects = start.redirects
    facts.startFaults = start.faults().map { StartFault(fault: $0.fault, place: $0.place) }
  }

  /// Returns the paths of all files that modules may import by a relative path.
  private static func imports(of modules: [ScriptModule]) -> Set<String> {
    modules.reduce(into: []) { paths, module in
      for used in module.imports.values where used.path.hasPrefix(".") {
        let base = simplified(folder(of: module.path) + "/" + used.path)
        paths.formUnion(ScriptResolver.extensions.map { base + $0 })
      }
    }
  }

  /// Returns the lists of scopes in modules of MSAL.js of which every scope is known.
  ///
  /// `isNamed` says whether a file other than the one with a path names a constant.
  private static func scopes(
    _ modules: [ScriptModule], _ resolver: ScriptResolver, isNamed: (_ name: String, _ path: String) -> Bool
  ) -> [FoundList] {
    modules.filter {
      !$0.isServer && ($0.importsMSAL || !$0.configurations.isEmpty || $0.callsMSAL)
    }.flatMap { module in
      module.scopes.compactMap { member -> FoundList? in
        guard let list = resolver.texts(member, in: module) else { return nil }
        // What nothing uses is not a request.
        if let name = module.unusedRequests[member.line],
          RequestScopesMistake(list.values) != nil
            || RequestScopesMistake.graphPermission(in: list.items) != nil,
          !isNamed(name, module.path)
        {
          return nil
        }
        return list
      }
    }.reduce(into: []) { lists, list in
      // Several requests may name one list.
      lists.appendOnce(list)
    }
  }

  /// Returns the authorities in modules of MSAL.js that are known, each once.
  private static func authorities(_ modules: [ScriptModule], _ resolver: ScriptResolver) -> [Found<String>] {
    let all = modules.flatMap { module in
      module.authorities.compactMap { member -> Found<String>? in
        guard var found = resolver.setting(member, in: module).found, !found.isFallback,
          !FilePlace.isExample(found.place.path)
        else { return nil }
        // A literal of an object that nothing names is not a request's.
        found.isFallback = found.place == FilePlace(module.path, line: member.line)
        return found
      }
    }
    let used = Set(all.filter { !$0.isFallback }.map(\.place))
    return all.reduce(into: []) { list, one in
      let isRepeated = one.isFallback && used.contains(one.place) || list.contains { $0.place == one.place }
      if !isRepeated { list.append(one) }
    }
  }

  /// Returns the modules with which other Angular builds replace `environment.ts`, one for each build.
  private static func replacements(_ modules: ScriptModules) -> [[String: String]] {
    modules.keys.filter { $0.hasSuffix("/environment.ts") }.sorted().prefix(buildLimit).flatMap { path in
      modules.keys.filter {
        $0.hasPrefix(folder(of: path) + "/environment.") && $0.hasSuffix(".ts") && $0 != path
          && !FilePlace.isExample($0)
      }.sorted().prefix(buildLimit).map { [path: $0] }
    }
  }

  // MARK: Files

  static func module(_ path: String) -> ScriptModule? {
    guard let data = try? ProjectFiles.data(path, limit: sizeLimit) else { return nil }
    guard path.hasSuffix(".json") else {
      return ScriptModule(script(String(decoding: data, as: UTF8.self), path), path: path)
    }
    return JSONValue(bounded: data, maximumBytes: 64 << 10).map {
      ScriptModule(json: $0, lines: TextLines(data), path: path)
    }
  }

  /// Returns whether a script may configure MSAL.js or create an object of it, before it is read as a module.
  private static func mayConfigure(_ path: String) -> Bool {
    guard !path.hasSuffix(".json"), let data = try? ProjectFiles.data(path, limit: sizeLimit) else {
      return false
    }
    return data.hasBytes("auth", isKey: true)
      || data.hasBytes(".knownAuthorities")
      || data.hasBytes("createNestablePublicClientApplication") || data.hasBytes("@azure/msal-")
  }

  /// Returns whether a file contains a name.
  private static func names(_ name: String, in path: String) -> Bool {
    guard let data = try? ProjectFiles.data(path, limit: sizeLimit), data.hasBytes(name) else { return false }
    return String(decoding: data, as: UTF8.self).hasWord(name)
  }

  /// Returns whether a script names a package of MSAL.js, before it is read as a module.
  private static func imports(_ path: String) -> Bool {
    guard !path.hasSuffix(".json"), let data = try? ProjectFiles.data(path, limit: sizeLimit) else {
      return false
    }
    return data.hasBytes("@azure/msal-")
  }

  private static func isScript(_ name: String) -> Bool {
    guard !name.hasSuffix(".min.js"), !name.hasSuffix(".d.ts"), !name.contains(".bundle.") else {
      return false
    }
    return SourceLanguage(name) == .script || [".html", ".htm", ".svelte"].contains(where: name.hasSuffix)
  }

  /// Returns whether a path belongs to a test or to a build's output.
  private static func isTest(_ path: String) -> Bool {
    let parts = path.lowercased().split(separator: "/")
    let folders: Set<Substring> = [
      "test", "tests", "__tests__", "__mocks__", "mocks", "test-utils", "testing", "cypress", "e2e",
      "stories", "dist", "out", ".next", ".nuxt", ".angular", "vendor", "coverage",
    ]
    guard let name = parts.last else { return false }
    return parts.dropLast().contains { folders.contains($0) }
      || [".test.", ".spec.", ".e2e.", ".stories.", ".mock."].contains { name.contains($0) }
  }

  /// Returns a script, or the scripts in a page, each at its own line.
  private static func script(_ text: String, _ path: String) -> String {
    guard ![".js", ".jsx", ".ts", ".tsx", ".mjs"].contains(where: path.hasSuffix) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "<script"), let open = rest[start.upperBound...].firstIndex(of: ">")
    {
      let body = rest.index(after: open)
      let end = rest[body...].firstRange(of: "</script") ?? rest.endIndex..<rest.endIndex
      result += rest[..<body].filter { $0.isNewline } + rest[body..<end.lowerBound]
      rest = rest[end.upperBound...]
    }
    return result
  }
}

extension WebFacts {
  /// Makes the members that code sets at run time unknown.
  fileprivate mutating func takeOverwritten(_ members: Set<String>) {
    for index in configurations.indices {
      let place = configurations[index].place
      if members.contains("clientId") { configurations[index].clientID = .unknown(place) }
      if members.contains("redirectUri") { configurations[index].redirectURI = .unknown(place) }
      if members.contains("authority") {
        configurations[index].authority = .unknown(place)
        configurations[index].authorityPattern = nil
      }
      configurations[index].unseen = configurations[index].unseen.filter { !members.contains($0.key) }
    }
  }

  /// Removes the configurations in modules that a build cannot reach, if another one is in a module that a build can
  /// reach.
  ///
  /// Dead code beside the code that runs is common after a change of structure, such as from Angular's modules to
  /// standalone components.
  fileprivate mutating func removeLeftOver(_ users: [FilePlace: String], _ paths: [String]) {
    guard !users.isEmpty else { return }
    let imports = ScriptImports(paths)
    let dead = Set(Set(users.values).filter { !imports.reaches($0) })
    guard dead.count < Set(users.values).count else {
      isLeftOver = ScriptImports.hasEntry(paths)
      return
    }
    leftOver = configurations.map(\.place).filter { users[$0].map(dead.contains) ?? false }
    configurations.removeAll { leftOver.contains($0.place) }
    scopes.removeAll { dead.contains($0.place.path) }
  }

  /// Removes the objects with literals from which another configuration takes its values.
  ///
  /// A secret in one of them is in the page.
  fileprivate mutating func removeSources() {
    let users = configurations.filter { !$0.isLiteral }.compactMap(\.clientID.found)
    func isSource(_ configuration: Configuration) -> Bool {
      configuration.isLiteral && configuration.clientID.found.map(users.contains) ?? false
    }
    publishedSecrets += configurations.filter(isSource).compactMap { source in
      source.secret.map { Found("clientSecret", $0) }
    }
    configurations.removeAll(where: isSource)
  }
}

extension WebFacts.Configuration {
  /// Creates a configuration from the object `auth`, or returns `nil` if it is not one of MSAL.js.
  fileprivate init?(_ object: ScriptResolver.Resolved, _ resolver: ScriptResolver) {
    guard case .object(let members, let isComplete) = object.value else { return nil }
    let misspelt = isComplete ? Self.misspelt(members, in: object.module.path) : []
    guard
      members["clientId"] != nil || members["knownAuthorities"] != nil && members["authority"] != nil
        || misspelt["clientId"] != nil
    else { return nil }
    func setting(_ name: String) -> SourceFacts.Setting {
      members[name].map { resolver.setting($0, in: object.module) }
        ?? (isComplete ? .absent : .unknown(object.place))
    }
    self.init(place: object.place)
    self.misspelt = misspelt
    misspeltAuthority = misspelt["authority"].flatMap { key in
      members[key.written.value].flatMap { resolver.setting($0, in: object.module).found?.value }
    }
    if case .text? = members["clientId"]?.value { isLiteral = true }
    clientID = setting("clientId")
    authority = setting("authority")
    if case .unknown = authority {
      authorityPattern = members["authority"].flatMap { resolver.pattern($0, in: object.module) }
    }
    redirectURI = setting("redirectUri")
    for name in ["clientId", "authority", "redirectUri"] {
      missing[name] = members[name].flatMap { resolver.misspelt($0, in: object.module) }
    }
    mayHaveRedirect = !isComplete && members["redirectUri"] == nil
    for name in ["clientId", "authority", "redirectUri"] {
      unseen[name] = members[name].flatMap { resolver.unseenVariable($0, in: object.module) }
    }
    if let known = members["knownAuthorities"] {
      let start = ScriptResolver.Resolved(value: known.value, module: object.module, line: known.line)
      if let list = resolver.container(start), case .list(let values) = list.value {
        let found = values.map {
          resolver.setting(ScriptModule.Member(value: $0, line: list.line), in: list.module).found?.value
        }
        knownAuthorities = found.contains(nil) ? nil : found.compactMap(\.self)
      } else {
        knownAuthorities = nil
        if let found = resolver.setting(known, in: object.module).found, !found.isFallback {
          textOfKnownAuthorities = found.place
        }
      }
    } else if !isComplete {
      knownAuthorities = nil
    }
    hasOwnHosts = ["cloudDiscoveryMetadata", "azureCloudOptions"].contains { members[$0] != nil }
    hasOwnEndpoints = members["authorityMetadata"] != nil
    isOpenID = members["OIDCOptions"] != nil || members["protocolMode"]?.value.isOfEntra == false
    if let secret = members["clientSecret"], case .known(let found) = setting("clientSecret"),
      !found.value.isEmpty, !Placeholders.contain(found.value)
    {
      self.secret = FilePlace(object.module.path, line: secret.line)
    }
  }
}

extension WebFacts.Configuration {
  /// Returns whether it has a client ID, and a value from one of the modules; others may be filled in for each build.
  fileprivate func isFilled(from paths: Set<String>) -> Bool {
    clientID.found?.value.isEmpty == false
      && [clientID, authority, redirectURI].contains {
        $0.place.map { paths.contains(simplified($0.path)) } ?? false
      }
  }

  /// The members of `auth` that the doctor checks.
  private static let checkedKeys = [
    "clientId", "authority", "redirectUri", "knownAuthorities", "postLogoutRedirectUri",
  ]
  /// The other members of `auth` (msal-browser `config/Configuration.ts`, `BrowserAuthOptions`).
  private static let others = [
    "cloudDiscoveryMetadata", "authorityMetadata", "navigateToLoginRequestUrl", "clientCapabilities",
    "protocolMode", "OIDCOptions", "azureCloudOptions", "skipAuthorityMetadataCache", "supportsNestedAppAuth",
    "onRedirectNavigate", "instanceAware", "encodeExtraQueryParams", "validateAuthority",
  ]

  /// Returns the members that resemble missing ones.
  ///
  /// Libraries that are not MSAL.js have `client_id` and `redirect_uri`, so a key with an underscore is theirs.
  fileprivate static func misspelt(_ members: [String: ScriptModule.Member], in path: String) -> [MisspeltKey]
  {
    let written = members.filter { !$0.key.contains("_") && !others.contains($0.key) }
      .sorted { ($0.value.line, $0.key) < ($1.value.line, $1.key) }
    // An object of another kind has at most one of the members.
    guard checkedKeys.contains(where: { members[$0] != nil }) else { return [] }
    return MisspeltKey.find(among: written.map { ($0.key, $0.value.line) }, of: checkedKeys, in: path)
  }
}

/// The scripts that one reader has read, each once for all apps of a project, because each app looks at those of the others.
private final class ReadScripts {
  private var modules: [String: ScriptModule?] = [:]
  private var callers: [String: Bool] = [:]

  func module(_ path: String) -> ScriptModule? {
    if let known = modules[path] { return known }
    let module = WebReader.module(path)
    modules[path] = .some(module)
    return module
  }

  /// Returns whether a script may call MSAL.js.
  func mayCall(_ path: String) -> Bool {
    if let known = callers[path] { return known }
    let mayCall = PageStart.mayCall(path)
    callers[path] = mayCall
    return mayCall
  }
}
