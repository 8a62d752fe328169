import SSOCore

/// A reader of the settings with which programs on a server use Entra: ASP.NET's `appsettings.json`, constants of Python, and
/// objects of Node.
///
/// Values that come from the environment are not visible, and are not checked.
extension VendorReader {
  static let serverFileLimit = 400

  mutating func readServers(_ files: ProjectFiles) {
    readAppSettings(files)
    readPython(files)
    readNode(files)
  }

  mutating func addServer(_ folder: String, _ vendor: Vendor, _ facts: VendorFacts.Server) {
    guard let origin = facts.origin, facts.hasValues else { return }
    add(fileName(folder), vendor, origin, .server(facts))
  }

  /// Returns whether a path has a folder of tests, or of another program's packages.
  static func isOfOthers(_ path: String) -> Bool {
    path.split(separator: "/").contains { part in
      ["test", "tests", "__tests__", "venv", ".venv", "env", "site-packages", "bin", "obj", "dist"].contains(
        part)
    } || [".test.", ".spec.", "test_"].contains(where: fileName(path).contains)
  }

  // MARK: ASP.NET

  /// The libraries that read a section of the settings, by the name of their package.
  private static let libraries: [(package: String, vendor: Vendor)] = [
    ("\"Microsoft.Identity.Web", .identityWeb),
    ("\"Microsoft.Authentication.WebAssembly.Msal\"", .blazor),
  ]

  /// Reads the sections of `appsettings.json` with an authority and a client ID.
  ///
  /// Source: microsoft-identity-web, `MicrosoftIdentityOptions.cs`, whose names .NET compares without their case.
  private mutating func readAppSettings(_ files: ProjectFiles) {
    let projects = files.find { $0.hasSuffix(".csproj") }.prefix(Self.serverFileLimit).compactMap {
      path -> (folder: String, vendor: Vendor)? in
      guard let text = try? ProjectFiles.text(path, limit: Self.sizeLimit) else { return nil }
      return Self.libraries.first { text.contains($0.package) }.map { (folder(of: path), $0.vendor) }
    }
    guard !projects.isEmpty else { return }
    for path in files.find(AppSettings.isName).prefix(Self.serverFileLimit)
    where !Self.isOfOthers(String(path.dropFirst(root.count))) {
      guard let project = projects.first(where: { path.hasPrefix($0.folder + "/") }),
        let file = AppSettings(path), let sections = file.document.value.object
      else { continue }
      for (_, section) in sections.sorted(by: { $0.key < $1.key }) {
        guard let object = section.object, let facts = Self.settings(object, file) else { continue }
        addServer(project.folder, project.vendor, facts)
      }
    }
  }

  private static let keys = ["Instance", "ClientId", "TenantId"]
  private static let otherKeys = [
    "Domain", "Authority", "Audience", "Scopes", "CallbackPath", "ClientSecret", "ClientCredentials",
    "ClientCertificates",
    "SignedOutCallbackPath", "SignUpSignInPolicyId", "ResetPasswordPolicyId", "EditProfilePolicyId",
  ]

  private static func settings(
    _ object: [String: JSONValue], _ file: AppSettings
  ) -> VendorFacts.Server? {
    let names = Dictionary(object.keys.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    func found(_ key: String) -> Found<String>? {
      guard let name = names[key.lowercased()], let text = object[name]?.string else { return nil }
      return Found(text, FilePlace(file.path, line: file.document.line(of: name)))
    }
    // Other sections have a client ID too.
    guard names["instance"] != nil || names["authority"] != nil && names["clientid"] != nil else {
      return nil
    }
    var facts = VendorFacts.Server(
      origin: FilePlace(
        file.path, line: file.document.line(of: names["instance"] ?? names["authority"] ?? "")))
    facts.clientIDs = [found("ClientId")].compactMap(\.self)
    facts.authorities = [found("Authority")].compactMap(\.self)
    facts.instance = found("Instance")
    facts.tenant = found("TenantId")
    facts.callback = found("CallbackPath")
    let written = object.keys.sorted().filter { name in
      !(keys + otherKeys).contains { $0.lowercased() == name.lowercased() }
    }.map { (key: $0, line: file.document.line(of: $0)) }
    let missing = keys.filter { names[$0.lowercased()] == nil }
    facts.misspelt = MisspeltKey.find(among: written, of: missing, in: file.path)
    let isOfB2C = facts.instance.map { $0.value.lowercased().contains(".b2clogin.com") } ?? false
    if isOfB2C, names["authority"] == nil, names["signupsigninpolicyid"] == nil {
      facts.lackingPolicy = facts.instance?.place
    }
    return facts
  }

  // MARK: Python

  /// Reads the constants of Python that a module which imports MSAL uses: `AUTHORITY = "…"`.
  private mutating func readPython(_ files: ProjectFiles) {
    let all = files.find { $0.hasSuffix(".py") }.filter { !Self.isOfOthers(String($0.dropFirst(root.count))) }
    let sources = all.prefix(Self.codeLimit).compactMap { path -> (path: String, text: String)? in
      guard let data = try? ProjectFiles.data(path, limit: Self.sizeLimit),
        ["msal", "AUTHORITY", "SCOPE"].contains(where: { data.hasBytes($0) })
      else { return nil }
      return (path, String(decoding: data, as: UTF8.self))
    }
    let users = sources.filter { source in
      source.text.lines.contains { ["import msal", "from msal"].contains(where: $0.trimmed.hasPrefix) }
    }
    guard let first = users.first else { return }
    var facts = VendorFacts.Server(origin: FilePlace(first.path))
    func uses(_ name: String) -> Bool { users.contains { $0.text.contains(name) } }
    for (path, text) in sources {
      let isUser = users.contains { $0.path == path }
      for (index, line) in text.lines.enumerated() {
        guard let (name, value) = Self.assignment(line) else { continue }
        let place = FilePlace(path, line: index + 1)
        let isUsed = uses(name) && (isUser || name.allSatisfy { $0.isUppercase || $0 == "_" })
        guard isUsed else { continue }
        switch name {
        case "AUTHORITY", "authority":
          if let text = Self.literal(value) { facts.authorities.append(Found(text, place)) }
        case "CLIENT_ID", "client_id":
          if let text = Self.literal(value), !text.contains("{") {
            facts.clientIDs.append(Found(text, place))
          }
        case "SCOPE", "SCOPES":
          let isWrapped = sources.contains { source in
            ["[\(name)", ".\(name)]", "\(name).split", "\(name))]"].contains(where: source.text.contains)
          }
          if let text = Self.literal(value), !text.contains("{"), !isWrapped {
            facts.textsOfScopes.append(Found(text, place))
          } else if let list = Self.list(value) {
            facts.scopes.append(FoundList(list.map { Found($0, place) }, place))
          }
        default: continue
        }
      }
    }
    addServer(root, .msalPython, facts)
  }

  /// Returns the name and the value of an assignment, or of an argument that has its own line.
  private static func assignment(_ line: Substring) -> (name: String, value: String)? {
    guard let equals = line.firstIndex(of: "="), case let name = String(line[..<equals].trimmed),
      !name.isEmpty,
      name.allSatisfy({ $0.isLetter || $0 == "_" })
    else { return nil }
    return (name, String(String(line[line.index(after: equals)...]).trimmed))
  }

  /// Returns the text of a literal, in which `{…}` is a part that is not known, or `nil` for other code.
  private static func literal(_ value: String) -> String? {
    var rest = Substring(value)
    if rest.hasPrefix("f\"") || rest.hasPrefix("f'") { rest = rest.dropFirst() }
    guard let quote = rest.first, quote == "\"" || quote == "'", !rest.hasPrefix("\"\"\"") else { return nil }
    let text = rest.dropFirst().prefix { $0 != quote }
    let end = String(rest.dropFirst(text.count + 2)).trimmed
    return end.isEmpty || end.hasPrefix("#") || end == "," || end.hasPrefix(", #") ? String(text) : nil
  }

  /// Returns the texts of a list in one line, or `nil` for other code.
  private static func list(_ value: String) -> [String]? {
    guard value.hasPrefix("["), let end = value.firstIndex(of: "]"),
      case let rest = String(value[value.index(after: end)...]).trimmed, rest.isEmpty || rest.hasPrefix("#")
    else { return nil }
    let parts = value[value.index(after: value.startIndex)..<end].split(separator: ",").map {
      literal(String($0).trimmed)
    }
    let texts = parts.compactMap(\.self)
    return texts.count == parts.count && !texts.isEmpty && !texts.contains { $0.contains("{") } ? texts : nil
  }

  // MARK: Node

  /// Reads the objects with which scripts configure MSAL Node or NextAuth.
  private mutating func readNode(_ files: ProjectFiles) {
    let packages = files.find { $0 == "package.json" }.prefix(Self.serverFileLimit)
    for package in packages where !Self.isOfOthers(String(package.dropFirst(root.count))) {
      guard let data = try? ProjectFiles.data(package, limit: Self.sizeLimit),
        data.hasBytes("\"@azure/msal-node\"") || data.hasBytes("\"next-auth\"")
      else { continue }
      let base = folder(of: package)
      let scripts = ProjectFiles(base).find { SourceLanguage.scriptEndings.contains(where: $0.hasSuffix) }
        .filter { !Self.isOfOthers(String($0.dropFirst(base.count))) }
      let isOfNode = data.hasBytes("\"@azure/msal-node\"")
      for path in scripts.prefix(Self.codeLimit) {
        guard let script = try? ProjectFiles.data(path, limit: Self.sizeLimit) else { continue }
        if isOfNode, script.hasBytes("@azure/msal-node") {
          addServer(
            base, .msalNode, Self.node(ScriptModule(String(decoding: script, as: UTF8.self), path: path)))
        }
        if script.hasBytes("next-auth/providers/") {
          addServer(
            base, .nextAuth, Self.provider(ScriptModule(String(decoding: script, as: UTF8.self), path: path)))
        }
      }
    }
  }

  private static func node(_ module: ScriptModule) -> VendorFacts.Server {
    var facts = VendorFacts.Server()
    guard module.importsNode else { return facts }
    for configuration in module.configurations {
      guard case .object(let members, let isComplete) = configuration.value else { continue }
      facts.take(members, ["clientId", "authority"], module)
      // Source: msal-node, `client/ConfidentialClientApplication.ts`, which throws `invalid_client_credential`.
      if isComplete, module.createsConfidential {
        facts.take(misspelt: ["clientSecret"], in: members, module)
      }
    }
    return facts
  }

  /// Reads the argument of NextAuth's provider for Entra.
  ///
  /// Sources: next-auth, `providers/azure-ad.ts`; @auth/core, `providers/microsoft-entra-id.ts`.
  private static func provider(_ module: ScriptModule) -> VendorFacts.Server {
    var facts = VendorFacts.Server()
    let names = module.imports.filter {
      ["/azure-ad", "/microsoft-entra-id"].contains(where: $0.value.path.hasSuffix)
    }
    for index in module.tokens.indices {
      guard let name = module.word(index), names[name] != nil, module.isSymbol("(", index + 1),
        module.isSymbol("{", index + 2), case .object(let members, true) = module.object(at: index + 2).value
      else { continue }
      facts.take(members, ["clientId"], module)
      facts.take(misspelt: ["clientSecret"], in: members, module)
      if case .text(let issuer)? = members["issuer"]?.value {
        facts.issuers.append(Found(issuer, FilePlace(module.path, line: members["issuer"]?.line)))
      }
    }
    return facts
  }
}

extension ScriptModule {
  fileprivate var importsNode: Bool {
    tokens.contains { $0.text?.hasPrefix("@azure/msal-node") ?? false }
      && !tokens.contains { $0.text?.hasPrefix("@azure/msal-browser") ?? false }
  }

  fileprivate var createsConfidential: Bool {
    tokens.indices.contains { word($0) == "ConfidentialClientApplication" && word($0 - 1) == "new" }
  }
}

extension VendorFacts.Server {
  /// Adds the values of an object, and the keys of it that are misspelt.
  fileprivate mutating func take(
    _ members: [String: ScriptModule.Member], _ keys: [String], _ module: ScriptModule
  ) {
    origin = origin ?? FilePlace(module.path, line: members.values.map(\.line).min())
    take(misspelt: keys, in: members, module)
    for key in keys {
      guard case .text(let text)? = members[key]?.value,
        case let place = FilePlace(module.path, line: members[key]?.line)
      else { continue }
      // `$(code)` is an interpolation.
      let written = text.replacing("$(", with: "{")
      if key == "clientId", !text.contains("$") { clientIDs.append(Found(text, place)) }
      if key == "authority" { authorities.append(Found(written, place)) }
    }
  }

  fileprivate mutating func take(
    misspelt keys: [String], in members: [String: ScriptModule.Member], _ module: ScriptModule
  ) {
    let known = [
      "clientId", "authority", "clientSecret", "clientAssertion", "clientCertificate", "knownAuthorities",
      "redirectUri",
      "tenantId", "issuer", "authorization", "profile", "checks",
    ]
    // `process.env.…` and names have values too.
    let written = members.map { (key: $0.key, line: Optional($0.value.line)) }.sorted { $0.key < $1.key }
    guard
      !keys.contains("clientSecret")
        || members["clientAssertion"] == nil && members["clientCertificate"] == nil
    else { return }
    misspelt += MisspeltKey.find(
      among: written, of: keys.filter { members[$0] == nil }, others: known, in: module.path)
  }
}
