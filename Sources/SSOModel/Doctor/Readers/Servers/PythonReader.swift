import SSOCore

/// A reader of the programs in Python that use MSAL.
///
/// It reads the constants of the modules that use MSAL, and the arguments with which they call it.
extension VendorReader {
  /// The names of constants whose values code gives to MSAL.
  private static let names = ["AUTHORITY", "authority", "CLIENT_ID", "client_id", "SCOPE", "SCOPES"]

  mutating func readPython(_ files: ProjectFiles) {
    let all = files.find { $0.hasSuffix(".py") }.filter { !Self.isOfOthers(String($0.dropFirst(root.count))) }
    let sources = all.prefix(Self.codeLimit).compactMap { path -> (path: String, text: String)? in
      guard let data = try? ProjectFiles.data(path, limit: Self.sizeLimit),
        ["msal", "identity", "AUTHORITY", "SCOPE"].contains(where: { data.hasBytes($0) })
      else { return nil }
      return (path, String(decoding: data, as: UTF8.self))
    }
    let users = sources.filter { source in
      source.text.lines.contains { PythonCalls.imports($0.trimmed) }
    }
    guard let first = users.first else { return }
    let modules = sources.map { PythonSource($0.text, path: $0.path) }
    var facts = VendorFacts.Server(origin: FilePlace(first.path))
    func uses(_ name: String) -> Bool { users.contains { $0.text.contains(name) } }
    for module in modules {
      let isUser = users.contains { $0.path == module.path }
      for name in Self.names where uses(name) && (isUser || name.allSatisfy { $0.isUppercase || $0 == "_" }) {
        guard let item = module.constants[name] else { continue }
        let place = FilePlace(module.path, line: item.line)
        switch (name, item.value) {
        case ("AUTHORITY", .text(let text)), ("authority", .text(let text)):
          facts.authorities.append(Found(text, place))
        case ("CLIENT_ID", .text(let text)), ("client_id", .text(let text)):
          if !text.contains("{") { facts.clientIDs.append(Found(text, place)) }
        case (_, .text(let text)) where name.hasPrefix("SCOPE"):
          let isWrapped = sources.contains { source in
            ["[\(name)", ".\(name)]", "\(name).split", "\(name))]"].contains(where: source.text.contains)
          }
          let isNamed = modules.reduce(0) { $0 + $1.tokens.count { $0.word == name } } > 1
          if !text.contains("{"), !isWrapped, isNamed { facts.textsOfScopes.append(Found(text, place)) }
        case (_, .list(let items)) where name.hasPrefix("SCOPE"):
          let texts = items.compactMap { if case .text(let text) = $0.value { text } else { nil } }
          guard !texts.isEmpty, texts.count == items.count, !texts.contains(where: { $0.contains("{") })
          else {
            continue
          }
          facts.scopes.append(FoundList(texts.map { Found($0, place) }, place))
        default: continue
        }
      }
    }
    PythonCalls(modules: modules).read(users.map(\.path), into: &facts)
    if sources.contains(where: { $0.text.contains("json.load") }) { readParameters(files, into: &facts) }
    addServer(root, .msalPython, facts)
  }

  /// Reads the JSON documents with the keys that MSAL Python's samples load: `parameters.json`.
  ///
  /// Source: microsoft-authentication-library-for-python, `sample/confidential_client_secret_sample.py`.
  private func readParameters(_ files: ProjectFiles, into facts: inout VendorFacts.Server) {
    let paths = files.find { $0.hasSuffix(".json") }.prefix(Self.serverFileLimit)
    for path in paths where !Self.isOfOthers(String(path.dropFirst(root.count))) {
      guard let data = try? ProjectFiles.data(path, limit: Self.sizeLimit), data.hasBytes("\"client_id\""),
        data.hasBytes("\"authority\""), let document = try? JSONParser.parse(data),
        let client = document["client_id"]?.string, let authority = document["authority"]?.string,
        case let host = authority.withoutScheme.prefix(while: { $0 != "/" }).lowercased(),
        // Libraries for other providers have the two keys too.
        PublicCloud.aliases.contains(host) || EntraHost.meant(by: host) != nil
          || [".b2clogin.com", ".ciamlogin.com"].contains(where: host.hasSuffix)
      else { continue }
      let lines = TextLines(data)
      func place(_ key: String) -> FilePlace { FilePlace(path, line: lines.line(of: key)) }
      facts.clientIDs.append(Found(client, place("client_id")))
      facts.authorities.append(Found(authority, place("authority")))
      // With requests of both kinds, only the code says whose scopes they are.
      guard let key = ["scope", "scopes"].first(where: { document[$0]?.array != nil }),
        facts.hasUsers != (facts.requestWithoutUser != nil)
      else { continue }
      let items = (document[key]?.array ?? []).compactMap(\.string).map { Found($0, place(key)) }
      guard !items.isEmpty else { continue }
      let list = FoundList(items, place(key))
      if facts.hasUsers { facts.scopes.append(list) } else { facts.clientScopes.append(list) }
    }
  }
}

/// The calls of MSAL Python, and of the library `identity` above it, with the values of their arguments.
///
/// Sources: microsoft-authentication-library-for-python, `application.py`; rayluo/identity, `identity/web.py`.
struct PythonCalls {
  let modules: [PythonSource]

  /// Returns whether a line imports one of the two libraries.
  static func imports(_ line: some StringProtocol) -> Bool {
    let modules = line.hasPrefix("import ") ? line.dropFirst("import ".count).split(separator: ",") : []
    return ["from msal", "from identity.", "from identity import"].contains(where: line.hasPrefix)
      || modules.contains { module in ["msal", "identity"].contains(where: module.trimmed.hasPrefix) }
  }

  private static let applications: Set = [
    "PublicClientApplication", "ConfidentialClientApplication", "ClientApplication", "Auth",
  ]
  /// The calls that sign a user in, each with the position of its scopes.
  private static let requests = [
    "acquire_token_interactive": 0, "acquire_token_by_authorization_code": 1, "initiate_device_flow": 0,
    "initiate_auth_code_flow": 0, "get_authorization_request_url": 0,
    "acquire_token_by_username_password": 2, "acquire_token_on_behalf_of": 1,
  ]
  private static let depthLimit = 6

  /// Adds the values of the calls in some modules.
  func read(_ users: [String], into facts: inout VendorFacts.Server) {
    for module in modules where users.contains(module.path) {
      for call in module.calls(of: Self.applications) {
        // `identity.web.Auth(…)`, and not a class of the program.
        let isOfIdentity = call.names.last == "Auth"
        guard !isOfIdentity || call.named["client_id"] != nil else { continue }
        if let authority = text(call.argument("authority", at: isOfIdentity ? nil : 2), module) {
          facts.authorities.appendOnce(authority)
        }
        if let client = text(call.argument("client_id", at: isOfIdentity ? nil : 0), module),
          !client.value.contains("{")
        {
          facts.clientIDs.appendOnce(client)
        }
      }
      for call in module.calls(of: Set(Self.requests.keys)) {
        facts.hasUsers = true
        if let redirect = text(call.named["redirect_uri"], module) { facts.redirects.appendOnce(redirect) }
        guard let argument = call.argument("scopes", at: call.names.last.flatMap { Self.requests[$0] }) else {
          continue
        }
        if let list = list(argument, module) {
          facts.scopes.appendOnce(list)
        } else if let text = text(argument, module), !text.value.contains("{") {
          facts.textsOfScopes.appendOnce(text)
        }
      }
      // `log_in` of identity passes its scopes on to MSAL.
      for call in module.calls(of: ["log_in"]) {
        if let list = call.named["scopes"].flatMap({ list($0, module) }) { facts.scopes.appendOnce(list) }
      }
      for call in module.calls(of: ["acquire_token_for_client"]) {
        facts.requestWithoutUser = facts.requestWithoutUser ?? FilePlace(module.path, line: call.line)
        if let list = call.argument("scopes", at: 0).flatMap({ list($0, module) }) {
          facts.clientScopes.appendOnce(list)
        }
      }
    }
    // The constants with the scopes of a program without a user are not those of a sign-in.
    let places = Set(facts.clientScopes.map(\.place))
    facts.scopes.removeAll { places.contains($0.place) }
  }

  private func text(_ item: PythonSource.Item?, _ module: PythonSource) -> Found<String>? {
    guard let item, let (found, owner) = resolved(item, module), case .text(let text) = found.value else {
      return nil
    }
    return Found(text, FilePlace(owner.path, line: found.line))
  }

  /// Returns a list of which every text is known.
  private func list(_ item: PythonSource.Item, _ module: PythonSource) -> FoundList? {
    guard let (found, owner) = resolved(item, module), case .list(let items) = found.value, !items.isEmpty
    else { return nil }
    let texts = items.compactMap { text($0, owner) }
    guard texts.count == items.count, !texts.contains(where: { $0.value.contains("{") }) else { return nil }
    return FoundList(texts, FilePlace(owner.path, line: found.line))
  }

  /// Follows names to the literal that they represent, and its module.
  private func resolved(
    _ item: PythonSource.Item, _ module: PythonSource, _ depth: Int = 0
  ) -> (PythonSource.Item, PythonSource)? {
    guard depth < Self.depthLimit else { return nil }
    switch item.value {
    case .text, .list: return (item, module)
    case .name(let names):
      guard let name = names.last else { return nil }
      let isOwn = names.count == 1 || names.count == 2 && names[0] == "self"
      if isOwn, let own = module.constants[name] { return resolved(own, module, depth + 1) }
      return constant(name, depth)
    case .item(let names, let key):
      guard let name = names.last else { return nil }
      if let own = module.dictionaries[name]?[key] { return resolved(own, module, depth + 1) }
      // Flask takes its settings from a module: `app.config["AUTHORITY"]`.
      return name == "config" ? constant(key, depth) : nil
    case .other: return nil
    }
  }

  /// Returns the constant of another module, if exactly one has it.
  private func constant(_ name: String, _ depth: Int) -> (PythonSource.Item, PythonSource)? {
    guard name.allSatisfy({ $0.isUppercase || $0 == "_" || $0.isNumber }) else { return nil }
    let all = modules.compactMap { module in module.constants[name].map { ($0, module) } }
    return all.count == 1 ? resolved(all[0].0, all[0].1, depth + 1) : nil
  }
}
