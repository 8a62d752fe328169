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
  /// The values of the members `scopes` that are lists.
  private(set) var scopes: [Member] = []
  /// The place where the module creates a nested app.
  private(set) var nestedApp: FilePlace?
  /// Whether the module runs on a server, where a client may have a secret.
  private(set) var isServer = false
  /// Whether the module imports MSAL.js for the browser.
  private(set) var importsMSAL = false
  /// Whether the module sets a client ID of an object that exists: `msalConfig.auth.clientId = …`.
  private(set) var setsClientID = false

  private let tokens: [SourceToken]

  static let libraries = ["@azure/msal-browser", "@azure/msal-react", "@azure/msal-angular"]
  private static let depthLimit = 12
  private static let memberLimit = 2000
  private static let tokenLimit = 100_000
  /// The maximum number of tokens to skip for the end of a member.
  private static let skipLimit = 4000

  init(_ source: String, path: String) {
    self.path = path
    let read = SourceTokens.read(source)
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

  private static func value(_ document: JSONValue, _ lines: TextLines, _ depth: Int) -> Value {
    if let text = document.string { return .text(text) }
    guard depth < depthLimit, let object = document.object else { return .other }
    var members: [String: Member] = [:]
    for (key, value) in object.prefix(memberLimit) {
      members[key] = Member(value: Self.value(value, lines, depth + 1), line: lines.line(of: key) ?? 1)
    }
    return .object(members, isComplete: true)
  }

  private func isSymbol(_ symbol: Unicode.Scalar, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSymbol(symbol)
  }

  private func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }
  private func text(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].text : nil }

  private mutating func take(_ index: Int) {
    if let text = tokens[index].text {
      if text.hasPrefix("@azure/msal-node") { isServer = true }
      if Self.libraries.contains(text) { importsMSAL = true }
      return
    }
    guard let word = tokens[index].word else { return }
    switch word {
    case "ConfidentialClientApplication": isServer = true
    case "clientId" where isSymbol(".", at: index - 1) && isSymbol("=", at: index + 1):
      if !isSymbol("=", at: index + 2) { setsClientID = true }
    case "class": takeClass(index)
    case "createNestablePublicClientApplication":
      if isSymbol("(", at: index + 1) {
        nestedApp = nestedApp ?? FilePlace(path, line: tokens[index].line)
      }
    case "import" where !isSymbol("(", at: index + 1) && !isSymbol(".", at: index + 1): takeImport(index)
    case "export" where self.word(index + 1) == "default":
      constants["default"] = constants["default"] ?? member(at: index + 2, line: tokens[index].line)
    case "export" where isSymbol("*", at: index + 1) && self.word(index + 2) == "from":
      if let path = text(index + 3) { reexports.append(path) }
    case "auth" where isSymbol(":", at: index + 1) && !isSymbol(".", at: index - 1):
      let own = member(at: index + 2, line: tokens[index].line)
      if !(own.hasEmptyClientID && isDefault(index)) { configurations.append(own) }
    case "scopes" where isSymbol(":", at: index + 1) && isSymbol("[", at: index + 2):
      scopes.append(member(at: index + 2, line: tokens[index].line))
    default: break
    }
    if word == "exports", isSymbol("=", at: index + 1) {
      constants["default"] = member(at: index + 2, line: tokens[index].line)
    } else if let value = assigned(index), constants[word] == nil, !isSymbol(".", at: index - 1) {
      takeConstant(word, value, at: index)
    }
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
    if isSymbol(":", at: next), word(next + 1) != nil {
      next += 2
      while isSymbol(".", at: next), word(next + 1) != nil { next += 2 }
      while isSymbol("[", at: next), isSymbol("]", at: next + 1) { next += 2 }
    }
    guard isSymbol("=", at: next), !isSymbol("=", at: next + 1), !isSymbol(">", at: next + 1) else {
      return nil
    }
    return next + 1
  }

  private mutating func takeConstant(_ name: String, _ value: Int, at index: Int) {
    if word(value) == "require", isSymbol("(", at: value + 1), let path = text(value + 2) {
      imports[name] = Import(path: path, name: nil)
    } else {
      constants[name] = member(at: value, line: tokens[index].line)
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
  fileprivate static func value(of code: String) -> Value {
    ScriptModule(code, path: "").value(at: 0, 0).value
  }

  private func member(at index: Int, line: Int) -> Member {
    Member(value: value(at: index, 0).value, line: line)
  }

  /// Returns the value that begins at a token, and the index after it.
  private func value(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
    guard depth < Self.depthLimit, tokens.indices.contains(start) else { return (.other, start + 1) }
    var (first, end) = primary(at: start, depth)
    while isSymbol("+", at: end) {
      let (next, after) = primary(at: end + 1, depth)
      (first, end) = (.joined(first, next), after)
    }
    // A cast may stand before the operator: `value as string ?? other`.
    let other = word(end) == "as" && word(end + 1) != nil ? end + 2 : end
    for symbol: Unicode.Scalar in ["|", "?"]
    where isSymbol(symbol, at: other) && isSymbol(symbol, at: other + 1) {
      let (next, after) = value(at: other + 2, depth + 1)
      return (.either(first, next), after)
    }
    return (isEnd(end) ? first : .other, end)
  }

  /// Returns whether a value ends before a token: an operator would change it.
  private func isEnd(_ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return true }
    if [",", "}", ";", ")", "]"].contains(where: { isSymbol($0, at: index) }) { return true }
    if ["as", "satisfies"].contains(word(index)) { return true }
    let isOperator = ["?", "|", "&", "(", "[", "=", "-", "*"].contains { isSymbol($0, at: index) }
    return !isOperator && tokens[index].line > tokens[index - 1].line
  }

  private func primary(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
    guard tokens.indices.contains(start) else { return (.other, start) }
    if let text = tokens[start].text { return (.text(text), start + 1) }
    if isSymbol("{", at: start) { return object(at: start, depth) }
    if isSymbol("[", at: start) { return list(at: start, depth) }
    if isSymbol("(", at: start) {
      let (inner, end) = value(at: start + 1, depth + 1)
      // A cast may follow the value: `(value as string)`.
      let close = skip(from: end)
      return (isSymbol(")", at: close) ? inner : .other, close + 1)
    }
    guard let first = word(start), !(first.first?.isNumber ?? true) else { return (.other, start + 1) }
    if ["null", "undefined"].contains(first) { return (.absent, start + 1) }
    var names = [first]
    var end = start + 1
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
      } else {
        return (.name(names), end)
      }
    }
  }

  private func list(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
    var values: [Value] = []
    var index = start + 1
    while index < tokens.count, values.count < Self.memberLimit, !isSymbol("]", at: index) {
      let (next, end) = value(at: index, depth + 1)
      values.append(next)
      index = skip(from: max(end, index + 1))
      if isSymbol(",", at: index) { index += 1 } else { break }
    }
    return (.list(values), index + 1)
  }

  private func object(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
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
        if isSymbol(".", at: index) { isComplete = false }
        index = skip(from: index)
      }
      if isSymbol(",", at: index) || isSymbol(";", at: index) { index += 1 } else { break }
    }
    return (.object(members, isComplete: isComplete), index + 1)
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

/// The modules of a web app, each of which is read when a name first leads to it.
///
/// A large app has thousands of scripts, of which a few configure MSAL.js or have its values.
final class ScriptModules {
  private var known: [String: ScriptModule] = [:]
  private let paths: [String: String]
  private let read: (String) -> ScriptModule?

  /// - Parameters:
  ///   - paths: The paths of all scripts and JSON documents.
  ///   - read: Reads a module, or returns `nil` if the file cannot be read.
  init(_ paths: [String], read: @escaping (String) -> ScriptModule?) {
    self.paths = Dictionary(paths.map { (simplified($0), $0) }, uniquingKeysWith: { first, _ in first })
    self.read = read
  }

  /// The simplified paths of all modules.
  var keys: Dictionary<String, String>.Keys { paths.keys }

  subscript(_ key: String) -> ScriptModule? {
    if let module = known[key] { return module }
    guard let path = paths[key], let module = read(path) else { return nil }
    known[key] = module
    return module
  }
}

/// A resolver that finds the values of names in the modules of a web app and in its environment files.
struct ScriptResolver {
  private let modules: ScriptModules
  private let environment: [String: Found<String>]
  private let variables: PageVariables
  /// The modules with which a build replaces others, as Angular's `fileReplacements` do.
  private let replacements: [String: String]

  private static let depthLimit = 12
  private static let extensions = [
    "", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".json", "/index.ts", "/index.js",
  ]

  init(
    _ modules: ScriptModules, environment: [String: Found<String>], variables: PageVariables,
    replacements: [String: String] = [:]
  ) {
    self.modules = modules
    self.variables = variables
    self.environment = environment
    self.replacements = replacements
  }

  /// A value, the module where it is, and its line.
  struct Resolved {
    var value: ScriptModule.Value
    var module: ScriptModule
    var line: Int
    var place: FilePlace { FilePlace(module.path, line: line) }
  }

  func setting(_ member: ScriptModule.Member, in module: ScriptModule) -> SourceFacts.Setting {
    setting(Resolved(value: member.value, module: module, line: member.line), 0)
  }

  /// Returns the text of a value with `$(code)` for each part that cannot be determined, or `nil` if that is the entire
  /// text.
  func pattern(_ member: ScriptModule.Member, in module: ScriptModule) -> Found<String>? {
    pattern(Resolved(value: member.value, module: module, line: member.line), 0)
  }

  private func pattern(_ resolved: Resolved, _ depth: Int) -> Found<String>? {
    guard depth < Self.depthLimit else { return nil }
    if let found = setting(resolved, depth).found { return found }
    switch resolved.value {
    case .text(let text): return Found(text, resolved.place)
    case .joined(let first, let second):
      let parts = [first, second].map { pattern(resolved.with($0), depth + 1)?.value ?? "$()" }
      return Found(parts.joined(), resolved.place)
    case .name(let names):
      guard Self.variable(names) == nil else { return nil }
      return follow(names, in: resolved.module, depth).flatMap { pattern($0, depth + 1) }
    default: return nil
    }
  }

  private func setting(_ resolved: Resolved, _ depth: Int) -> SourceFacts.Setting {
    guard depth < Self.depthLimit else { return .unknown(resolved.place) }
    switch resolved.value {
    case .absent: return .absent
    case .text(let text): return filled(text, resolved, depth)
    case .joined(let first, let second):
      let parts = [first, second].map { setting(resolved.with($0), depth + 1).found }
      guard let start = parts[0], let end = parts[1] else { return .unknown(resolved.place) }
      var both = Found(start.value + end.value, resolved.place)
      both.isFallback = start.isFallback || end.isFallback
      return .known(both)
    case .either(let first, let second):
      let value = setting(resolved.with(first), depth + 1)
      let found = value.found.flatMap { $0.value.isEmpty ? nil : $0 }
      // A build does not have the variables of an example.
      guard found.map({ FilePlace.isExample($0.place.path) }) ?? true,
        case .known(var fallback) = setting(resolved.with(second), depth + 1)
      else { return value }
      // The build's variable, which no file shows, has another value, or the app is not meant to be built unchanged.
      guard !fallback.value.isEmpty else { return found == nil ? .unknown(resolved.place) : value }
      fallback.isFallback = true
      return .known(fallback)
    case .name(let names):
      if let variable = Self.variable(names) {
        guard variables.unseen(names, at: resolved.place) == nil else { return .unknown(resolved.place) }
        return environment[variable].map(SourceFacts.Setting.known) ?? .unknown(resolved.place)
      }
      guard let next = follow(names, in: resolved.module, depth) else { return .unknown(resolved.place) }
      return setting(next, depth + 1)
    case .object, .list, .other: return .unknown(resolved.place)
    }
  }

  /// Returns the name of an environment variable: `process.env.NAME`, `import.meta.env.NAME`.
  private static func variable(_ names: [String]) -> String? {
    if names.count == 3, names[0] == "process", names[1] == "env" { return names[2] }
    if names.count == 4, names[0] == "import", names[1] == "meta", names[2] == "env" { return names[3] }
    return nil
  }

  /// Returns the first variable of a value that the page does not have, or `nil` if the page has all of them.
  func unseenVariable(_ member: ScriptModule.Member, in module: ScriptModule) -> PageVariables.Unseen? {
    unseen(Resolved(value: member.value, module: module, line: member.line), 0)
  }

  private func unseen(_ resolved: Resolved, _ depth: Int) -> PageVariables.Unseen? {
    guard depth < Self.depthLimit else { return nil }
    switch resolved.value {
    case .name(let names):
      if Self.variable(names) != nil { return variables.unseen(names, at: resolved.place) }
      return follow(names, in: resolved.module, depth).flatMap { unseen($0, depth + 1) }
    case .joined(let first, let second):
      return unseen(resolved.with(first), depth + 1) ?? unseen(resolved.with(second), depth + 1)
    case .either(let first, let second):
      // With a fallback, the page has a value.
      let isFilled = setting(resolved.with(second), depth + 1).found.map { !$0.value.isEmpty } ?? false
      return isFilled ? nil : unseen(resolved.with(first), depth + 1)
    case .text(let text):
      var rest = text[...]
      while let range = rest.firstRange(of: "$("), let end = rest[range.upperBound...].firstIndex(of: ")") {
        let code = ScriptModule.value(of: String(rest[range.upperBound..<end]))
        if let found = unseen(resolved.with(code), depth + 1) { return found }
        rest = rest[rest.index(after: end)...]
      }
      return nil
    default: return nil
    }
  }

  /// Replaces the interpolations of a template.
  private func filled(_ text: String, _ resolved: Resolved, _ depth: Int) -> SourceFacts.Setting {
    var result = ""
    var isFallback = false
    var rest = text[...]
    while let range = rest.firstRange(of: "$("), let end = rest[range.upperBound...].firstIndex(of: ")") {
      let code = ScriptModule.value(of: String(rest[range.upperBound..<end]))
      guard let value = setting(resolved.with(code), depth + 1).found else { return .unknown(resolved.place) }
      result += rest[..<range.lowerBound] + value.value
      isFallback = isFallback || value.isFallback
      rest = rest[rest.index(after: end)...]
    }
    var found = Found(result + rest, resolved.place)
    found.isFallback = isFallback
    return .known(found)
  }

  /// Follows a value to the object or list that it represents, or returns `nil` if it cannot be determined.
  func container(_ resolved: Resolved, _ depth: Int = 0) -> Resolved? {
    guard depth < Self.depthLimit else { return nil }
    switch resolved.value {
    case .object, .list: return resolved
    case .name(let names):
      return follow(names, in: resolved.module, depth).flatMap { container($0, depth + 1) }
    default: return nil
    }
  }

  /// Returns what a name with members represents.
  private func follow(_ names: [String], in module: ScriptModule, _ depth: Int) -> Resolved? {
    guard depth < Self.depthLimit, let first = names.first else { return nil }
    if let constant = module.constants[first] {
      // `name = name` and `{ name }` would lead back to themselves.
      if case .name(let own) = constant.value, own == names { return nil }
      return member(
        names.dropFirst(), of: Resolved(value: constant.value, module: module, line: constant.line), depth)
    }
    guard let used = module.imports[first] else { return nil }
    return find(used.path, from: module).flatMap { other in
      if let name = used.name { return exported([name] + names.dropFirst(), of: other, depth + 1) }
      return exported(Array(names.dropFirst()), of: other, depth + 1)
    }
  }

  /// Returns what a module exports under a name, itself or from another module.
  private func exported(_ names: [String], of module: ScriptModule, _ depth: Int) -> Resolved? {
    guard depth < Self.depthLimit, let first = names.first else { return nil }
    if module.constants[first] != nil || module.imports[first] != nil {
      return follow(names, in: module, depth)
    }
    // `module.exports = { name }`, or a JSON document's own members.
    if first != "default", module.constants["default"] != nil,
      let found = follow(["default"] + names, in: module, depth)
    {
      return found
    }
    for path in module.reexports {
      if let other = find(path, from: module), let found = exported(names, of: other, depth + 1) {
        return found
      }
    }
    return nil
  }

  private func member(_ names: ArraySlice<String>, of start: Resolved, _ depth: Int) -> Resolved? {
    guard let name = names.first else { return start }
    guard let owner = container(start, depth + 1), case .object(let members, _) = owner.value,
      let member = members[name]
    else { return nil }
    return self.member(
      names.dropFirst(), of: Resolved(value: member.value, module: owner.module, line: member.line), depth + 1
    )
  }

  /// Returns the module of an import path: relative to the module, or with an alias for a folder of the project.
  private func find(_ path: String, from module: ScriptModule) -> ScriptModule? {
    if path.hasPrefix(".") {
      let base = simplified(folder(of: module.path) + "/" + path)
      return Self.extensions.lazy.compactMap { self.module(base + $0) }.first
    }
    let end = path.hasPrefix("@/") || path.hasPrefix("~/") ? String(path.dropFirst(2)) : path
    let ends = Self.extensions.map { "/" + end + $0 }
    let found = modules.keys.filter { key in ends.contains { key.hasSuffix($0) } }
    return found.count == 1 ? found.first.flatMap { self.module($0) } : nil
  }

  private func module(_ path: String) -> ScriptModule? { modules[replacements[path] ?? path] }
}

extension ScriptResolver.Resolved {
  fileprivate func with(_ value: ScriptModule.Value) -> Self {
    var copy = self
    copy.value = value
    return copy
  }
}
