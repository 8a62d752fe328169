import Essentials
import SSOCore

/// A reader of the objects with which scripts configure and call MSAL Node, NextAuth, or Azure Identity.
extension VendorReader {
  private static let nodePackage = "@azure/msal-node"

  mutating func readNode(_ files: ProjectFiles) {
    let packages = files.find { $0 == "package.json" }.prefix(Self.serverFileLimit)
    var isUsed = false
    for package in packages where !Self.isOfOthers(String(package.dropFirst(root.count))) {
      guard let data = try? ProjectFiles.data(package, limit: Self.sizeLimit) else { continue }
      func names(_ library: String) -> Bool { data.hasBytes("\"\(library)\"") }
      guard [Self.nodePackage, "next-auth", "@azure/identity"].contains(where: names) else { continue }
      let isOfNode = names(Self.nodePackage)
      isUsed = isUsed || isOfNode
      readNode(
        in: folder(of: package), isOfNode: isOfNode,
        isOnlyOfNode: isOfNode && !["@azure/msal-browser", "@azure/msal-react"].contains(where: names))
    }
    guard isUsed || packages.isEmpty else { return }
    for base in foldersOfNode(files, besides: packages.map { folder(of: $0) + "/" }) {
      readNode(in: base, isOfNode: true, isOnlyOfNode: true)
    }
  }

  /// Returns the folders of the project with scripts that use MSAL Node and that no package contains.
  private func foldersOfNode(_ files: ProjectFiles, besides packages: [String]) -> [String] {
    let scripts = files.find { SourceLanguage.scriptEndings.contains(where: $0.hasSuffix) }
    let own = scripts.prefix(Self.codeLimit).filter { path in
      !Self.isOfOthers(String(path.dropFirst(root.count))) && !packages.contains(where: path.hasPrefix)
        && (try? ProjectFiles.data(path, limit: Self.sizeLimit))?.hasBytes(Self.nodePackage) == true
    }
    let folders = own.map { path in
      let parts = path.dropFirst(root.count).split(separator: "/")
      return parts.count > 1 ? "\(root)/\(parts[0])" : root
    }
    return Set(folders).filter { folder in !packages.contains { $0.hasPrefix(folder + "/") } }.sorted()
  }

  /// Reads the scripts of a folder.
  private mutating func readNode(in base: String, isOfNode: Bool, isOnlyOfNode: Bool) {
    func own(_ isRight: (String) -> Bool) -> [String] {
      ProjectFiles(base).find(isRight).filter { !Self.isOfOthers(String($0.dropFirst(base.count))) }
    }
    let scripts = own { SourceLanguage.scriptEndings.contains(where: $0.hasSuffix) }
    let modules = ScriptModules(scripts + own { $0.hasSuffix(".json") }, read: WebReader.module)
    let resolver = ScriptResolver(
      modules, environment: EnvironmentFiles.read(own { $0.hasPrefix(".env") }).values,
      variables: PageVariables(base), aliases: PathAliases(base))
    var node = VendorFacts.Server()
    var identity = VendorFacts.Server()
    for path in scripts.prefix(Self.codeLimit) {
      guard let script = try? ProjectFiles.data(path, limit: Self.sizeLimit) else { continue }
      // A module of its own has the configuration, or calls an application of another module.
      let isCaller =
        isOnlyOfNode && (script.hasBytes("auth", isKey: true) || script.hasBytes("cquireToken"))
      if isOfNode, isCaller || script.hasBytes(Self.nodePackage), let module = modules[simplified(path)] {
        node.take(module, resolver)
      }
      if script.hasBytes("next-auth/providers/"), let module = modules[simplified(path)] {
        addServer(base, .nextAuth, Self.provider(module))
      }
      if script.hasBytes("@azure/identity"), let module = modules[simplified(path)] {
        identity.takeIdentity(module, resolver)
      }
    }
    node.takeOtherLists()
    addServer(base, .msalNode, node)
    addServer(base, .azureIdentity, identity)
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
    tokens.indices.contains { index in
      word(index) == "ConfidentialClientApplication"
        && (word(index - 1) == "new" || isSymbol(".", index - 1) && word(index - 3) == "new")
    }
  }

  /// Returns the objects with which the module calls functions of MSAL Node.
  fileprivate func requests(of names: Set<String>) -> [Member] {
    tokens.indices.filter { index in
      isSymbol(".", index - 1) && isSymbol("(", index + 1) && (word(index).map(names.contains) ?? false)
    }.map { Member(value: value(at: $0 + 2, 0).value, line: tokens[$0].line) }
  }
}

extension VendorFacts.Server {
  /// The calls of MSAL Node for a user.
  ///
  /// Source: microsoft-authentication-library-for-js, `lib/msal-node/src/client`.
  private static let requestsOfUsers: Set = [
    "getAuthCodeUrl", "acquireTokenByCode", "acquireTokenInteractive", "acquireTokenByDeviceCode",
    "acquireTokenSilent", "acquireTokenOnBehalfOf", "acquireTokenByUsernamePassword",
    "acquireTokenByRefreshToken",
  ]

  /// Adds the configurations and the requests of a module with MSAL Node.
  fileprivate mutating func take(_ module: ScriptModule, _ resolver: ScriptResolver) {
    takeConfigurations(module, resolver)
    for request in module.requests(of: Self.requestsOfUsers) {
      hasUsers = true
      let start = ScriptResolver.Resolved(value: request.value, module: module, line: request.line)
      guard let object = resolver.container(start), case .object(let members, _) = object.value else {
        continue
      }
      if let list = resolver.texts(members["scopes"], in: object.module) { scopes.appendOnce(list) }
      for redirect in [members["redirectUri"]].compactMap(\.self) {
        guard let found = resolver.pattern(redirect, in: object.module), !found.isFallback,
          !FilePlace.isExample(found.place.path)
        else { continue }
        redirects.appendOnce(found)
      }
    }
    for request in module.requests(of: ["acquireTokenByClientCredential"]) {
      requestWithoutUser = requestWithoutUser ?? FilePlace(module.path, line: request.line)
      let start = ScriptResolver.Resolved(value: request.value, module: module, line: request.line)
      if let object = resolver.container(start), case .object(let members, _) = object.value,
        let list = resolver.texts(members["scopes"], in: object.module)
      {
        clientScopes.appendOnce(list)
      }
    }
    let constants = module.scopes.filter { module.requests.contains($0.line) }
    listsOfRequests += constants.compactMap { resolver.texts($0, in: module) }
    // A server may ask for both kinds of token with one list.
    scopes.removeAll { list in clientScopes.contains { $0.place == list.place } }
    if requestWithoutUser != nil || !redirects.isEmpty || !scopes.isEmpty {
      origin = origin ?? FilePlace(module.path, line: 1)
    }
  }

  /// The credentials of Azure Identity with which no user signs in.
  private static let credentials: Set = [
    "ClientSecretCredential", "ClientCertificateCredential", "ClientAssertionCredential",
  ]

  /// Adds the scopes that a module asks for with a credential of a program.
  ///
  /// Sources: @azure/identity, `ClientSecretCredential`; microsoft-graph-client, `TokenCredentialAuthenticationProvider`.
  fileprivate mutating func takeIdentity(_ module: ScriptModule, _ resolver: ScriptResolver) {
    let tokens = module.tokens
    let isOfProgram = tokens.indices.contains { index in
      module.word(index - 1) == "new" && module.word(index).map(Self.credentials.contains) == true
    }
    let others = Set(tokens.compactMap(\.word).filter { $0.hasSuffix("Credential") })
      .subtracting(Self.credentials).subtracting(["TokenCredential"])
    guard isOfProgram, others.isEmpty else { return }
    origin = origin ?? FilePlace(module.path, line: 1)
    for index in tokens.indices where module.isSymbol("(", index + 1) {
      switch module.word(index) {
      case "TokenCredentialAuthenticationProvider":
        guard let options = module.arguments(of: index).last, case .object(let members, _) = options.value
        else { continue }
        if let list = resolver.texts(members["scopes"], in: module) { clientScopes.appendOnce(list) }
      case "getToken" where module.isSymbol(".", index - 1):
        guard let scopes = module.arguments(of: index).first else { continue }
        if let list = resolver.texts(scopes, in: module) {
          clientScopes.appendOnce(list)
        } else if let text = resolver.setting(scopes, in: module).found, !text.isFallback {
          clientScopes.appendOnce(FoundList([text], text.place))
        }
      default: continue
      }
    }
  }

  /// Adds the lists of constants such as `tokenRequest` to the requests without a user, if there are no other requests.
  fileprivate mutating func takeOtherLists() {
    guard requestWithoutUser != nil, !hasUsers else { return }
    for list in listsOfRequests { clientScopes.appendOnce(list) }
  }

  private mutating func takeConfigurations(_ module: ScriptModule, _ resolver: ScriptResolver) {
    for configuration in module.configurations {
      guard case .object(let members, let isComplete) = configuration.value else { continue }
      guard module.importsNode else {
        // Other libraries have an object `auth` too.
        if members["clientId"] != nil, members["authority"] != nil {
          take(values: ["clientId", "authority"], of: members, module, resolver)
        }
        continue
      }
      take(misspelt: ["clientId", "authority"], in: members, module)
      take(values: ["clientId", "authority"], of: members, module, resolver)
      // Source: msal-node, `client/ConfidentialClientApplication.ts`, which throws `invalid_client_credential`.
      if isComplete, module.createsConfidential {
        take(misspelt: ["clientSecret"], in: members, module)
      }
    }
    isConfidential = isConfidential || module.createsConfidential
  }

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
