import Essentials
import SSOCore

/// The values in a module of a web app, before names are replaced with the values that they represent.
struct ScriptModule {
  /// A value as written in a script.
  indirect enum Value {
    /// A string, in which `$(code)` is an interpolation.
    case text(String)
    /// A name with its members: `environment.azure.clientId`.
    case name([String])
    case object([String: Member], isComplete: Bool)
    case list([Value])
    case joined(Value, Value)
    /// A value, and its fallback: `first || second`, `first ?? second`.
    case either(Value, Value)
    case absent
    case other

    /// Whether a protocol mode is that of Entra: `ProtocolMode.AAD`.
    var isOfEntra: Bool {
      switch self {
      case .text(let text): text == "AAD"
      case .name(let names): names.last == "AAD"
      default: false
      }
    }
  }

  /// A value and the line where its key or its name is.
  struct Member {
    var value: Value
    var line: Int
    /// Whether code assigns the value to a member of an object that exists.
    var isAssigned = false

    /// Whether the value is an object with an empty client ID.
    var hasEmptyClientID: Bool {
      guard case .object(let members, _) = value, case .text(let text)? = members["clientId"]?.value else {
        return false
      }
      return text.isEmpty
    }
  }

  /// A name that another module exports.
  struct Import {
    var path: String
    /// The exported name, `default`, or `nil` for all exports as one object.
    var name: String?
  }

  let path: String
  private(set) var constants: [String: Member] = [:]
  private(set) var imports: [String: Import] = [:]
  /// The paths of modules whose exports this one exports too.
  private(set) var reexports: [String] = []
  /// The values of the members `auth`, with which an MSAL application is configured.
  private(set) var configurations: [Member] = []
  /// The values of the members `scopes`, which may be lists, or their names.
  private(set) var scopes: [Member] = []
  /// The lines of these lists in the argument of a call of MSAL.js, or in a constant with the name of a request.
  private(set) var requests: Set<Int> = []
  /// The values of the members `authority`, of a configuration, a request, or a list of policies.
  private(set) var authorities: [Member] = []
  /// The constants that only have such a list and that the module itself does not use, by its line.
  private(set) var unusedRequests: [Int: String] = [:]
  /// The redirect URIs of requests.
  private(set) var requestRedirects: [Member] = []
  /// The place where the module creates a nested app.
  private(set) var nestedApp: FilePlace?
  /// Whether the module runs on a server, where a client may have a secret.
  private(set) var isServer = false
  /// Whether the module imports MSAL.js for the browser.
  private(set) var importsMSAL = false
  /// Whether the module imports the first version of MSAL.js, whose settings mean something else.
  private(set) var importsFirstVersion = false
  /// Whether the module sets the authorities of an object that exists: `msalConfig.auth.knownAuthorities = …`.
  private(set) var setsKnownAuthorities = false

  /// The members of an object `auth` that the module sets after the object was made: `msalConfig.auth.redirectUri = …`.
  private(set) var overwritten: Set<String> = []

  /// The arguments with which the module creates applications of MSAL.js.
  private(set) var applications: [Member] = []

  let tokens: [SourceToken]

  static let libraries = ["@azure/msal-browser", "@azure/msal-react", "@azure/msal-angular"]
  static let depthLimit = 12
  static let memberLimit = 2000
  private static let tokenLimit = 100_000
  /// The maximum number of tokens to skip for the end of a member.
  private static let skipLimit = 4000

  init(_ source: String, path: String) {
    self.path = path
    let read = SourceTokens.read(source, of: path)
    // A longer file was not written by hand.
    tokens = read.count > Self.tokenLimit ? [] : read
    for index in tokens.indices { take(index) }
  }

  /// Creates a module from a JSON document, whose members are its exports.
  init(json document: JSONValue, lines: TextLines, path: String) {
    self.path = path
    tokens = []
    guard case .object(let members, _) = Self.value(document, lines, 0) else { return }
    constants = members
    constants["default"] = Member(value: .object(members, isComplete: true), line: 1)
  }

  private func isSymbol(_ symbol: Unicode.Scalar, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSymbol(symbol)
  }

  private func text(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].text : nil }

  private mutating func take(_ index: Int) {
    if let text = tokens[index].text {
      if text.hasPrefix("@azure/msal-node") { isServer = true }
      if Self.libraries.contains(text) { importsMSAL = true }
      let isRequired = isSymbol("(", at: index - 1) && word(index - 2) == "require"
      if text == "msal", word(index - 1) == "from" || isRequired { importsFirstVersion = true }
      return
    }
    guard let word = tokens[index].word else { return }
    switch word {
    case "ConfidentialClientApplication": isServer = true
    case "knownAuthorities" where isSymbol(".", at: index - 1):
      if isSymbol("=", at: index + 1) || self.word(index + 2) == "push" { setsKnownAuthorities = true }
    case "clientId", "authority", "redirectUri":
      let isAssigned = isSymbol("=", at: index + 1) && !isSymbol("=", at: index + 2)
      let owner = (self.word(index - 2) ?? "").lowercased()
      if isSymbol(".", at: index - 1), isAssigned, ["auth", "config"].contains(where: owner.contains) {
        overwritten.insert(word)
      }
      if word == "authority" { takeAuthority(index) }
      if word == "redirectUri", isSymbol(":", at: index + 1), isOfRequest(index) {
        requestRedirects.append(member(at: index + 2, line: tokens[index].line))
      }
    case "class": takeClass(index)
    case "enum": takeEnumeration(index)
    case "function": takeFunction(index)
    case "PublicClientApplication" where isSymbol("(", at: index + 1),
      "createStandardPublicClientApplication" where isSymbol("(", at: index + 1):
      if word.hasPrefix("create") || self.word(index - 1) == "new" || self.word(index - 3) == "new" {
        applications.append(member(at: index + 2, line: tokens[index].line))
      }
    case "createNestablePublicClientApplication":
      if isSymbol("(", at: index + 1) {
        nestedApp = nestedApp ?? FilePlace(path, line: tokens[index].line)
      }
    case "import" where !isSymbol("(", at: index + 1) && !isSymbol(".", at: index + 1): takeImport(index)
    case "export" where self.word(index + 1) == "default":
      let isOfNuxt = self.word(index + 2) == "defineNuxtConfig" && isSymbol("(", at: index + 3)
      let start = isOfNuxt ? index + 4 : index + 2
      constants["default"] = constants["default"] ?? member(at: start, line: tokens[index].line)
    case "export" where isSymbol("*", at: index + 1) && self.word(index + 2) == "from":
      if let path = text(index + 3) { reexports.append(path) }
    case "auth" where isSymbol(":", at: index + 1) && !isSymbol(".", at: index - 1):
      let own = member(at: index + 2, line: tokens[index].line)
      if !(own.hasEmptyClientID && isDefault(index)) { configurations.append(own) }
    case "auth" where isSymbol(".", at: index - 1) && isSymbol("=", at: index + 1):
      if isSymbol("{", at: index + 2) {
        var own = member(at: index + 2, line: tokens[index].line)
        own.isAssigned = true
        configurations.append(own)
      }
    case "scopes" where isSymbol(":", at: index + 1) && !isSymbol(".", at: index - 1):
      scopes.append(member(at: index + 2, line: tokens[index].line))
      takeRequest(index)
      if isOfRequest(index) { requests.insert(tokens[index].line) }
    case "scopes"
    where (isSymbol("{", at: index - 1) || isSymbol(",", at: index - 1))
      && (isSymbol("}", at: index + 1) || isSymbol(",", at: index + 1)):
      scopes.append(Member(value: .name([word]), line: tokens[index].line))
    // The interceptor of msal-angular makes one request of the scopes of an address.
    case "set" where self.word(index - 2) == "protectedResourceMap" && isSymbol(".", at: index - 1):
      scopes += arguments(of: index).dropFirst()
    case "const" where isSymbol("{", at: index + 1), "let" where isSymbol("{", at: index + 1):
      takeMembers(index)
    default: break
    }
    if word == "exports", isSymbol("=", at: index + 1) {
      constants["default"] = member(at: index + 2, line: tokens[index].line)
    } else if let value = assigned(index), constants[word] == nil, !isSymbol(".", at: index - 1) {
      takeConstant(word, value, at: index)
    }
  }

  private mutating func takeAuthority(_ index: Int) {
    guard isSymbol(":", at: index + 1), !isSymbol(".", at: index - 1) else { return }
    authorities.append(member(at: index + 2, line: tokens[index].line))
  }

  /// Records the constant of `export const loginRequest = { scopes: … }` if the module does not name it again.
  private mutating func takeRequest(_ index: Int) {
    guard let open = opening(before: index, from: "{"), let name = constant(of: open),
      tokens.count(where: { $0.word == name }) == 1
    else { return }
    unusedRequests[tokens[index].line] = name
  }

  /// Returns whether a member is in `loginPopup({ … })`, or in `loginRequest = { … }`.
  private func isOfRequest(_ index: Int) -> Bool {
    guard let open = opening(before: index, from: "{") else { return false }
    if isSymbol("(", at: open - 1) { return word(open - 2).map(PageStart.api.contains) ?? false }
    if isSymbol(":", at: open - 1), word(open - 2) == "authRequest" { return true }
    return constant(of: open)?.lowercased().hasSuffix("request") ?? false
  }

  /// Returns the name that is set to an object: `NAME = {`, `NAME: Type = {`, `NAME: module.Type = {`.
  private func constant(of open: Int) -> String? {
    guard isSymbol("=", at: open - 1) else { return nil }
    var type = open - 2
    while isSymbol(".", at: type - 1) { type -= 2 }
    return word(isSymbol(":", at: type - 1) ? type - 2 : open - 2)
  }

  /// Reads the static members of a class: `class Values { public static readonly ID = "…"; }`.
  private mutating func takeClass(_ index: Int) {
    guard let name = word(index + 1), constants[name] == nil,
      let open = (index + 2..<min(index + 40, tokens.count)).first(where: { isSymbol("{", at: $0) })
    else { return }
    var members: [String: Member] = [:]
    var depth = 0
    for place in open..<min(open + Self.skipLimit, tokens.count) {
      if isSymbol("{", at: place) { depth += 1 } else if isSymbol("}", at: place) { depth -= 1 }
      if depth == 0 { break }
      guard depth == 1, word(place) == "static" else { continue }
      let own = word(place + 1) == "readonly" ? place + 2 : place + 1
      if let key = word(own), let value = assigned(own) {
        members[key] = member(at: value, line: tokens[own].line)
      }
    }
    if !members.isEmpty {
      constants[name] = Member(value: .object(members, isComplete: false), line: tokens[index].line)
    }
  }

  /// Reads the members of an enumeration: `enum Values { ID = "…" }`.
  private mutating func takeEnumeration(_ index: Int) {
    guard let name = word(index + 1), constants[name] == nil, isSymbol("{", at: index + 2) else { return }
    var members: [String: Member] = [:]
    var place = index + 3
    while place < min(index + Self.skipLimit, tokens.count), !isSymbol("}", at: place) {
      if let key = word(place) ?? text(place), isSymbol("=", at: place + 1) {
        members[key] = member(at: place + 2, line: tokens[place].line)
      }
      place = skip(from: place)
      if isSymbol(",", at: place) { place += 1 } else { break }
    }
    constants[name] = Member(value: .object(members, isComplete: true), line: tokens[index].line)
  }

  /// Reads a function without parameters that only returns a value: `function name() { return … }`.
  private mutating func takeFunction(_ index: Int) {
    guard let name = word(index + 1), isSymbol("(", at: index + 2), isSymbol(")", at: index + 3) else {
      return
    }
    takeReturn(of: name, from: index + 4)
  }

  /// Records the value that a function without parameters returns, under its name with parentheses.
  ///
  /// A return type may stand before the body: `(): Type => …`.
  private mutating func takeReturn(of name: String, from start: Int) {
    let rest = start..<min(start + Self.typeLimit, tokens.count)
    let body = rest.first { isSymbol("{", at: $0) || isSymbol("=", at: $0) && isSymbol(">", at: $0 + 1) }
    guard var place = body, constants[name + "()"] == nil else { return }
    if isSymbol("=", at: place) { place += 2 }
    if isSymbol("{", at: place) {
      guard word(place + 1) == "return" else { return }
      place += 2
    }
    constants[name + "()"] = member(at: place, line: tokens[place - 1].line)
  }

  /// Returns whether a member is in an object `defaults`, in which a library keeps the values that an app replaces.
  private func isDefault(_ index: Int) -> Bool {
    var depth = 0
    for place in stride(from: index - 1, to: max(1, index - Self.skipLimit), by: -1) {
      if isSymbol("}", at: place) { depth += 1 }
      guard isSymbol("{", at: place) else { continue }
      if depth == 0 { return isSymbol(":", at: place - 1) && word(place - 2) == "defaults" }
      depth -= 1
    }
    return false
  }

  /// Returns the index of the value of `name = …` and `name: Type = …`, or `nil` for any other use of the name.
  private func assigned(_ index: Int) -> Int? {
    var next = index + 1
    if isSymbol("!", at: next) || isSymbol("?", at: next), isSymbol(":", at: next + 1) { next += 1 }
    if isSymbol(":", at: next), word(next + 1) != nil || isSymbol("{", at: next + 1) {
      guard let end = typeEnd(next + 1) else { return nil }
      next = end
    }
    guard isSymbol("=", at: next), !isSymbol("=", at: next + 1), !isSymbol(">", at: next + 1) else {
      return nil
    }
    return next + 1
  }

  private static let typeLimit = 60

  /// Returns the index of the equals sign after a type such as `Configuration["auth"]` or `Record<string, string>`, or
  /// `nil` if none follows it.
  private func typeEnd(_ start: Int) -> Int? {
    var depth = 0
    for index in start..<min(start + Self.typeLimit, tokens.count) {
      if ["<", "[", "{", "("].contains(where: { isSymbol($0, at: index) }) { depth += 1 }
      let isArrow = isSymbol(">", at: index) && isSymbol("=", at: index - 1)
      if isArrow && depth == 0 { return nil }
      if [">", "]", "}", ")"].contains(where: { isSymbol($0, at: index) }), !isArrow { depth -= 1 }
      guard depth >= 0 else { return nil }
      guard depth == 0 else { continue }
      if isSymbol("=", at: index) { return index }
      if isSymbol(",", at: index) || isSymbol(";", at: index) { return nil }
      // A type goes on in the next line only after an operator.
      if index > start, tokens[index].line > tokens[index - 1].line, !isSymbol("|", at: index),
        !isSymbol("|", at: index - 1), !isSymbol("}", at: index)
      {
        return nil
      }
    }
    return nil
  }

  /// Reads `const { a, b: c } = value`, whose value is a name: each is a member of it.
  private mutating func takeMembers(_ index: Int) {
    var names: [(member: String, local: String)] = []
    var place = index + 2
    while place < min(index + 2 + Self.typeLimit, tokens.count), !isSymbol("}", at: place) {
      guard let member = word(place) else { return }
      let isRenamed = isSymbol(":", at: place + 1)
      let local = isRenamed ? word(place + 2) : member
      guard let local else { return }
      names.append((member, local))
      place += isRenamed ? 3 : 1
      if isSymbol(",", at: place) { place += 1 }
    }
    guard isSymbol("=", at: place + 1), !isSymbol("=", at: place + 2) else { return }
    if word(place + 2) == "require", isSymbol("(", at: place + 3), let path = text(place + 4) {
      for (member, local) in names { imports[local] = imports[local] ?? Import(path: path, name: member) }
      return
    }
    let line = tokens[index].line
    guard case .name(let owner) = value(at: place + 2, 0).value else { return }
    for (member, local) in names where constants[local] == nil {
      constants[local] = Member(value: .name(owner + [member]), line: line)
    }
  }

  private mutating func takeConstant(_ name: String, _ value: Int, at index: Int) {
    if word(value) == "require", isSymbol("(", at: value + 1), let path = text(value + 2) {
      imports[name] = Import(path: path, name: nil)
    } else {
      constants[name] = member(at: value, line: tokens[index].line)
      if isSymbol("(", at: value), isSymbol(")", at: value + 1) { takeReturn(of: name, from: value + 2) }
      // `auth = { … }`
      if name == "auth", let own = constants[name] { configurations.append(own) }
    }
  }

  /// Reads `import D, { a, b as c } from "path"` and `import * as n from "path"`.
  private mutating func takeImport(_ index: Int) {
    guard let from = (index + 1..<min(index + 80, tokens.count)).first(where: { word($0) == "from" }),
      let path = text(from + 1)
    else { return }
    var current = index + 1
    var isNamed = false
    while current < from {
      if isSymbol("{", at: current) { isNamed = true }
      if isSymbol("*", at: current), let name = word(current + 2) {
        imports[name] = Import(path: path, name: nil)
        return
      }
      if let name = word(current), name != "type" {
        if word(current + 1) == "as", let local = word(current + 2) {
          imports[local] = Import(path: path, name: name)
          current += 2
        } else {
          imports[name] = Import(path: path, name: isNamed ? name : "default")
        }
      }
      current += 1
    }
  }

  // MARK: Values

  /// Returns the value of an expression in a template.
  static func value(of code: String) -> Value {
    ScriptModule(code, path: "").value(at: 0, 0).value
  }

  private func member(at index: Int, line: Int) -> Member {
    Member(value: value(at: index, 0).value, line: line)
  }

  /// Returns the value that begins at a token, and the index after it.
  func value(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
    guard depth < Self.depthLimit, tokens.indices.contains(start) else { return (.other, start + 1) }
    var (first, end) = primary(at: isSymbol("!", at: start) ? start + 1 : start, depth)
    while isSymbol("+", at: end) {
      let (next, after) = primary(at: end + 1, depth)
      (first, end) = (.joined(first, next), after)
    }
    let isNegated = isSymbol("!", at: start)
    if let branch = production(first, end, isNegated: isNegated, depth) { return branch }
    if isNegated { return (.other, end) }
    // A cast may stand before the operator: `value as string ?? other`.
    let other = word(end) == "as" && word(end + 1) != nil ? end + 2 : end
    for symbol: Unicode.Scalar in ["|", "?"]
    where isSymbol(symbol, at: other) && isSymbol(symbol, at: other + 1) {
      let (next, after) = value(at: other + 2, depth + 1)
      return (.either(first, next), after)
    }
    return (isEnd(end) ? first : .other, end)
  }

  /// The last parts of the names of conditions that hold in a build for production, and in one for development.
  ///
  /// Sources: vite.dev/guide/env-and-mode, "Built-in Constants"; angular.dev, "Configuring application environments".
  private static let productionNames: Set = ["PROD", "production", "isProduction", "isProd", "IS_PROD"]
  private static let developmentNames: Set = ["DEV", "isDevelopment", "isDev", "IS_DEV", "__DEV__"]

  /// Returns the value of a conditional in a build for production, and the index after it, or `nil` for any other value:
  /// `import.meta.env.DEV ? a : b`, `process.env.NODE_ENV === "production" ? a : b`.
  private func production(
    _ condition: Value, _ end: Int, isNegated: Bool, _ depth: Int
  ) -> (value: Value, end: Int)? {
    guard case .name(let names) = condition, let last = names.last else { return nil }
    var mark = end
    var holds: Bool
    if Self.productionNames.contains(last) {
      holds = true
    } else if Self.developmentNames.contains(last) {
      holds = false
    } else if ["NODE_ENV", "MODE"].contains(last), names.contains("env") {
      let isEqual = isSymbol("=", at: end) && isSymbol("=", at: end + 1)
      guard isEqual || isSymbol("!", at: end) && isSymbol("=", at: end + 1) else { return nil }
      mark = isSymbol("=", at: end + 2) ? end + 3 : end + 2
      guard let mode = text(mark), ["production", "development"].contains(mode) else { return nil }
      holds = (mode == "production") == isEqual
      mark += 1
    } else {
      return nil
    }
    if isNegated { holds.toggle() }
    guard isSymbol("?", at: mark), !isSymbol("?", at: mark + 1), !isSymbol(".", at: mark + 1) else {
      return nil
    }
    let (first, colon) = value(at: mark + 1, depth + 1)
    guard isSymbol(":", at: colon) else { return nil }
    let (second, after) = value(at: colon + 1, depth + 1)
    return (holds ? first : second, after)
  }

  /// Returns whether a value ends before a token: an operator would change it.
  private func isEnd(_ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return true }
    if [",", "}", ";", ")", "]", ":"].contains(where: { isSymbol($0, at: index) }) { return true }
    if ["as", "satisfies"].contains(word(index)) { return true }
    let isOperator = ["?", "|", "&", "(", "[", "=", "-", "*"].contains { isSymbol($0, at: index) }
    return !isOperator && tokens[index].line > tokens[index - 1].line
  }

  func primary(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
    guard tokens.indices.contains(start) else { return (.other, start) }
    if let text = tokens[start].text { return (.text(text), start + 1) }
    if isSymbol("{", at: start) { return object(at: start, depth) }
    if isSymbol("[", at: start) { return list(at: start, depth) }
    if isSymbol("(", at: start) {
      let (inner, end) = value(at: start + 1, depth + 1)
      // A cast may follow the value: `(value as string)`.
      let close = skip(from: end)
      guard isSymbol(")", at: close) else { return (.other, close + 1) }
      if case .name(let names) = inner, isSymbol(".", at: close + 1) {
        return members(of: names, from: close + 1)
      }
      return (inner, close + 1)
    }
    guard let first = word(start), !(first.first?.isNumber ?? true) else { return (.other, start + 1) }
    if ["null", "undefined"].contains(first) { return (.absent, start + 1) }
    let found = members(of: [first], from: start + 1)
    if case .name(["Object", "freeze"]) = found.value { return primary(at: found.end, depth + 1) }
    return found
  }

  /// Returns a name with the members that follow it, and the index after them.
  private func members(of first: [String], from start: Int) -> (value: Value, end: Int) {
    var names = first
    var end = start
    while true {
      if isSymbol("!", at: end), isSymbol(".", at: end + 1) || isEnd(end + 1) {
        end += 1
      } else if isSymbol("?", at: end), isSymbol(".", at: end + 1) {
        end += 1
      } else if isSymbol(".", at: end), let name = word(end + 1) {
        names.append(name)
        end += 2
      } else if isSymbol("[", at: end), let name = text(end + 1), isSymbol("]", at: end + 2) {
        names.append(name)
        end += 3
      } else if isSymbol("(", at: end), isSymbol(")", at: end + 1), let name = names.popLast() {
        names.append(name + "()")
        end += 2
      } else {
        return (.name(names), end)
      }
    }
  }

  func list(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
    if let copied = copiedList(at: start, depth) { return copied }
    var values: [Value] = []
    var index = start + 1
    while index < tokens.count, values.count < Self.memberLimit, !isSymbol("]", at: index),
      !isSymbol(")", at: index)
    {
      let (next, end) = value(at: index, depth + 1)
      values.append(next)
      index = skip(from: max(end, index + 1))
      if isSymbol(",", at: index) { index += 1 } else { break }
    }
    return (.list(values), index + 1)
  }

  func object(at start: Int, _ depth: Int = 0) -> (value: Value, end: Int) {
    var members: [String: Member] = [:]
    var isComplete = true
    var index = start + 1
    while index < tokens.count, members.count < Self.memberLimit, !isSymbol("}", at: index) {
      let key = word(index) ?? text(index)
      let line = tokens[index].line
      if let key, isSymbol(":", at: index + 1) {
        let (next, end) = value(at: index + 2, depth + 1)
        members[key] = Member(value: next, line: line)
        index = skip(from: max(end, index + 2))
      } else if let key, isSymbol(",", at: index + 1) || isSymbol("}", at: index + 1) {
        members[key] = Member(value: .name([key]), line: line)
        index += 1
      } else {
        // A method, a computed key, or a spread: `...other`.
        if isSymbol(".", at: index) {
          let spread = ownObject(primary(at: index + 3, depth + 1).value)
          members.merge(spread?.members ?? [:]) { $1 }
          isComplete = isComplete && spread?.isComplete == true
        }
        index = skip(from: index)
      }
      if isSymbol(",", at: index) || isSymbol(";", at: index) { index += 1 } else { break }
    }
    return (.object(members, isComplete: isComplete), index + 1)
  }

  /// Returns an object of this module, itself or by its name, or `nil` for any other value.
  private func ownObject(_ value: Value) -> (members: [String: Member], isComplete: Bool)? {
    switch value {
    case .object(let members, let isComplete): return (members, isComplete)
    case .name(let names):
      let start = names.first.flatMap { constants[$0]?.value }
      let end = names.dropFirst().reduce(start) { value, name in
        if case .object(let members, _)? = value { members[name]?.value } else { nil }
      }
      if case .object(let members, let isComplete)? = end { return (members, isComplete) }
      return nil
    default: return nil
    }
  }

  /// Returns the index of the next comma, or of the bracket that ends the list or object.
  private func skip(from start: Int) -> Int {
    var depth = 0
    for index in start..<max(start, min(start + Self.skipLimit, tokens.count)) {
      if ["{", "[", "("].contains(where: { isSymbol($0, at: index) }) { depth += 1 }
      if ["}", "]", ")"].contains(where: { isSymbol($0, at: index) }) {
        if depth == 0 { return index }
        depth -= 1
      }
      if depth == 0, isSymbol(",", at: index) { return index }
    }
    return tokens.count
  }
}
