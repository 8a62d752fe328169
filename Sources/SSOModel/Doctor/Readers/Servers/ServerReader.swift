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
      for (name, section) in sections.sorted(by: { $0.key < $1.key }) {
        guard let object = section.object, let facts = Self.settings(object, name, file) else { continue }
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
    _ object: [String: JSONValue], _ section: String, _ file: AppSettings
  ) -> VendorFacts.Server? {
    let names = Dictionary(object.keys.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    func found(_ key: String) -> Found<String>? {
      guard let name = names[key.lowercased()], let text = object[name]?.string else { return nil }
      return Found(text, FilePlace(file.path, line: file.document.line(of: name, in: section)))
    }
    // Other sections have a client ID too.
    guard names["instance"] != nil || names["authority"] != nil && names["clientid"] != nil else {
      return nil
    }
    var facts = VendorFacts.Server(
      origin: FilePlace(
        file.path,
        line: file.document.line(of: names["instance"] ?? names["authority"] ?? "", in: section)))
    facts.clientIDs = [found("ClientId")].compactMap(\.self)
    facts.authorities = [found("Authority")].compactMap(\.self)
    facts.instance = found("Instance")
    facts.tenant = found("TenantId")
    facts.callback = found("CallbackPath")
    let written = object.keys.sorted().filter { name in
      !(keys + otherKeys).contains { $0.lowercased() == name.lowercased() }
    }.map { (key: $0, line: file.document.line(of: $0, in: section)) }
    let missing = keys.filter { names[$0.lowercased()] == nil }
    facts.misspelt = MisspeltKey.find(among: written, of: missing, in: file.path)
    let isOfB2C = facts.instance.map { $0.value.lowercased().contains(".b2clogin.com") } ?? false
    if isOfB2C, names["authority"] == nil, names["signupsigninpolicyid"] == nil {
      facts.lackingPolicy = facts.instance?.place
    }
    return facts
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
      let isOnlyOfNode =
        isOfNode && !["\"@azure/msal-browser\"", "\"@azure/msal-react\""].contains { data.hasBytes($0) }
      let modules = ScriptModules(scripts) { path in
        (try? ProjectFiles.text(path, limit: Self.sizeLimit)).map { ScriptModule($0, path: path) }
      }
      let resolver =
        isOfNode
        ? ScriptResolver(
          modules, environment: [:], variables: PageVariables(base), aliases: PathAliases(base)) : nil
      for path in scripts.prefix(Self.codeLimit) {
        guard let script = try? ProjectFiles.data(path, limit: Self.sizeLimit) else { continue }
        let namesNode = script.hasBytes("@azure/msal-node")
        // A module of its own has the configuration.
        if let resolver, namesNode || isOnlyOfNode && script.hasBytes("auth", isKey: true),
          let module = modules[simplified(path)]
        {
          addServer(base, .msalNode, Self.node(module, resolver))
        }
        if script.hasBytes("next-auth/providers/"), let module = modules[simplified(path)] {
          addServer(base, .nextAuth, Self.provider(module))
        }
      }
    }
  }

  private static func node(_ module: ScriptModule, _ resolver: ScriptResolver) -> VendorFacts.Server {
    var facts = VendorFacts.Server()
    for configuration in module.configurations {
      guard case .object(let members, let isComplete) = configuration.value else { continue }
      guard module.importsNode else {
        // Other libraries have an object `auth` too.
        if members["clientId"] != nil, members["authority"] != nil {
          facts.take(values: ["clientId", "authority"], of: members, module, resolver)
        }
        continue
      }
      facts.take(misspelt: ["clientId", "authority"], in: members, module)
      facts.take(values: ["clientId", "authority"], of: members, module, resolver)
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
      facts.take(misspelt: ["clientId"], in: members, module)
      facts.take(values: ["clientId"], of: members, module)
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
  /// Adds the values of an object.
  fileprivate mutating func take(
    values keys: [String], of members: [String: ScriptModule.Member], _ module: ScriptModule,
    _ resolver: ScriptResolver? = nil
  ) {
    origin = origin ?? FilePlace(module.path, line: members.values.map(\.line).min())
    for key in keys {
      guard let member = members[key] else { continue }
      var found = resolver?.pattern(member, in: module)
      // The environment has another value than the fallback: `${tenant}` of `process.env.TENANT || "common"`.
      if found?.isFallback ?? true {
        guard case .text(let text) = member.value else { continue }
        found = Found(text, FilePlace(module.path, line: member.line))
      }
      guard let found, !FilePlace.isExample(found.place.path) else { continue }
      // `$(code)` is an interpolation.
      let written = found.value.replacing("$(", with: "{")
      if key == "clientId", !found.value.contains("$") { clientIDs.append(found) }
      if key == "authority" { authorities.append(Found(written, found.place)) }
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
