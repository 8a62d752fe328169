import SSOCore

/// A reader of the programs in Python that use MSAL.
///
/// It reads the constants of the modules that use MSAL, and the arguments with which they call it.
extension VendorReader {
  mutating func readPython(_ files: ProjectFiles) {
    let all = files.find { $0.hasSuffix(".py") }.filter { !Self.isOfOthers(String($0.dropFirst(root.count))) }
    let sources = all.prefix(Self.codeLimit).compactMap { path -> (path: String, text: String)? in
      guard let data = try? ProjectFiles.data(path, limit: Self.sizeLimit),
        ["msal", "identity", "AUTHORITY", "SCOPE"].contains(where: { data.hasBytes($0) })
      else { return nil }
      return (path, String(decoding: data, as: UTF8.self))
    }
    let users = sources.filter { source in
      source.text.lines.contains { line in PythonCalls.imports.contains(where: line.trimmed.hasPrefix) }
    }
    guard let first = users.first else { return }
    let modules = sources.map { PythonSource($0.text, path: $0.path) }
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
          let isNamed = modules.reduce(0) { $0 + $1.tokens.count { $0.word == name } } > 1
          if let text = Self.literal(value), !text.contains("{"), !isWrapped {
            if !isNamed { continue }
            facts.textsOfScopes.append(Found(text, place))
          } else if let list = Self.list(value) {
            facts.scopes.append(FoundList(list.map { Found($0, place) }, place))
          }
        default: continue
        }
      }
    }
    PythonCalls(modules: modules).read(users.map(\.path), into: &facts)
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
}

/// The calls of MSAL Python, and of the library `identity` above it, with the values of their arguments.
///
/// Sources: microsoft-authentication-library-for-python, `application.py`; rayluo/identity, `identity/web.py`.
struct PythonCalls {
  let modules: [PythonSource]

  /// The beginnings of the lines that import one of the two libraries.
  static let imports = [
    "import msal", "from msal", "import identity", "from identity.", "from identity import",
  ]
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
