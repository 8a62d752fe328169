import SSOCore

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
  private let aliases: PathAliases
  /// The modules with which a build replaces others, as Angular's `fileReplacements` do.
  private let replacements: [String: String]

  private static let depthLimit = 12
  static let extensions = [
    "", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".json", "/index.ts", "/index.js",
  ]

  init(
    _ modules: ScriptModules, environment: [String: Found<String>], variables: PageVariables,
    aliases: PathAliases, replacements: [String: String] = [:]
  ) {
    self.modules = modules
    self.aliases = aliases
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
    case .text(let text):
      let value = filled(text, resolved, depth)
      guard Self.isOfNuxt(resolved.module.path), case .known(var found) = value else { return value }
      // The server's environment may have another value.
      found.isFallback = true
      return found.value.isEmpty ? .unknown(resolved.place) : .known(found)
    case .joined(let first, let second):
      let parts = [first, second].map { setting(resolved.with($0), depth + 1).found }
      guard let start = parts[0], let end = parts[1] else { return .unknown(resolved.place) }
      var both = Found(start.value + end.value, Self.place(of: [start, end], in: resolved))
      both.isFallback = start.isFallback || end.isFallback
      return .known(both)
    case .either(let first, let second):
      let value = setting(resolved.with(first), depth + 1)
      let found = value.found.flatMap { $0.value.isEmpty ? nil : $0 }
      // A build does not have the variables of an example.
      guard found.map({ FilePlace.isExample($0.place.path) }) ?? true,
        case .known(var fallback) = setting(resolved.with(second), depth + 1)
      else { return value }
      // The build's variable, which the files do not show, has another value, or the app is not meant to be built
      // unchanged.
      guard !fallback.value.isEmpty else { return found == nil ? .unknown(resolved.place) : value }
      fallback.isFallback = true
      return .known(fallback)
    case .name(let names):
      if let variable = Self.variable(names) {
        guard unseen(names, resolved) == nil, variables.misplaced(variable, in: environment) == nil else {
          return .unknown(resolved.place)
        }
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

  /// Returns the first variable of a value or of a list that the page does not have, or `nil` if the page has all of them.
  func unseenVariable(_ member: ScriptModule.Member, in module: ScriptModule) -> PageVariables.Unseen? {
    unseen(Resolved(value: member.value, module: module, line: member.line), 0)
  }

  private func unseen(_ names: [String], _ resolved: Resolved) -> PageVariables.Unseen? {
    variables.unseen(names, at: resolved.place, isOfPage: resolved.module.importsMSAL)
  }

  private func unseen(_ resolved: Resolved, _ depth: Int) -> PageVariables.Unseen? {
    guard depth < Self.depthLimit else { return nil }
    switch resolved.value {
    case .name(let names):
      if let variable = Self.variable(names) {
        return unseen(names, resolved) ?? variables.misplaced(variable, in: environment)
          ?? PageVariables.misnamed(variable, in: environment)
      }
      return follow(names, in: resolved.module, depth).flatMap { unseen($0, depth + 1) }
    case .joined(let first, let second):
      return unseen(resolved.with(first), depth + 1) ?? unseen(resolved.with(second), depth + 1)
    case .either(let first, let second):
      // With a fallback, the page has a value.
      let isFilled = setting(resolved.with(second), depth + 1).found.map { !$0.value.isEmpty } ?? false
      return isFilled ? nil : unseen(resolved.with(first), depth + 1)
    case .list(let values):
      return values.lazy.compactMap { unseen(resolved.with($0), depth + 1) }.first
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

  /// Returns the member of an object that resembles the one from which a value is taken and which the object lacks, or `nil`.
  func misspelt(_ member: ScriptModule.Member, in module: ScriptModule) -> MisspeltKey? {
    guard case .name(let names) = member.value, names.count > 1, let key = names.last,
      Self.variable(names) == nil,
      let owner = container(Resolved(value: .name(names.dropLast()), module: module, line: member.line)),
      case .object(let members, true) = owner.value, members[key] == nil
    else { return nil }
    let written = members.map { ($0.key, Optional($0.value.line)) }.sorted { $0.0 < $1.0 }
    return MisspeltKey.find(among: written, of: [key], in: owner.module.path).first
  }

  /// Replaces the interpolations of a template.
  private func filled(_ text: String, _ resolved: Resolved, _ depth: Int) -> SourceFacts.Setting {
    var result = ""
    var parts: [Found<String>] = []
    var rest = text[...]
    while let range = rest.firstRange(of: "$("), let end = rest[range.upperBound...].firstIndex(of: ")") {
      let code = ScriptModule.value(of: String(rest[range.upperBound..<end]))
      guard let value = setting(resolved.with(code), depth + 1).found else { return .unknown(resolved.place) }
      result += rest[..<range.lowerBound] + value.value
      parts.append(value)
      rest = rest[rest.index(after: end)...]
    }
    var found = Found(result + rest, Self.place(of: parts, in: resolved))
    found.isFallback = parts.contains(where: \.isFallback)
    return .known(found)
  }

  /// Returns the place of a text with parts: that of a part in an example, whose value no build has, or else its own.
  private static func place(of parts: [Found<String>], in resolved: Resolved) -> FilePlace {
    parts.map(\.place).first { FilePlace.isExample($0.path) } ?? resolved.place
  }

  /// Returns a list of texts that are all known, and not an example's or a fallback, or `nil`.
  func texts(_ member: ScriptModule.Member?, in module: ScriptModule) -> FoundList? {
    guard let member,
      let list = container(Resolved(value: member.value, module: module, line: member.line)),
      case .list(let values) = list.value
    else { return nil }
    let found = values.compactMap { value in
      setting(ScriptModule.Member(value: value, line: list.line), in: list.module).found
    }.filter { !$0.isFallback && !FilePlace.isExample($0.place.path) }
    return found.count == values.count ? FoundList(found, list.place) : nil
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
    if first == "useRuntimeConfig()" {
      return runtimeConfig.flatMap { member(names.dropFirst(), of: $0, depth) }
    }
    // A field of the class, whose names are the module's.
    if first == "this", names.count > 1 { return follow(Array(names.dropFirst()), in: module, depth + 1) }
    if let constant = module.constants[first] {
      // `name = name` and `{ name }` would lead back to themselves.
      if case .name(let own) = constant.value, own == names { return nil }
      return member(
        names.dropFirst(), of: Resolved(value: constant.value, module: module, line: constant.line), depth)
    }
    // A function's value has its name with parentheses.
    let call = first.hasSuffix("()") ? "()" : ""
    guard let used = module.imports[String(first.dropLast(call.count))] else { return nil }
    return find(used.path, from: module).flatMap { other in
      if let name = used.name { return exported([name + call] + names.dropFirst(), of: other, depth + 1) }
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

  private static func isOfNuxt(_ path: String) -> Bool { fileName(path).hasPrefix("nuxt.config.") }

  /// The object `runtimeConfig` of the only configuration of Nuxt, whose values code reads with `useRuntimeConfig()`.
  ///
  /// Source: nuxt.com/docs/guide/going-further/runtime-config.
  private var runtimeConfig: Resolved? {
    let paths = modules.keys.filter(Self.isOfNuxt)
    guard paths.count == 1, let module = modules[paths[0]], let own = module.constants["default"] else {
      return nil
    }
    return member(["runtimeConfig"], of: Resolved(value: own.value, module: module, line: own.line), 0)
  }

  private func member(_ names: ArraySlice<String>, of start: Resolved, _ depth: Int) -> Resolved? {
    guard let name = names.first else { return start }
    // `const env = import.meta.env;`
    if names.count == 1, case .name(let owner) = start.value, Self.variable(owner + [name]) != nil {
      var variable = start
      variable.value = .name(owner + [name])
      return variable
    }
    guard let owner = container(start, depth + 1), case .object(let members, _) = owner.value,
      let member = members[name]
    else { return nil }
    return self.member(
      names.dropFirst(), of: Resolved(value: member.value, module: owner.module, line: member.line), depth + 1
    )
  }

  /// Returns the module of an import path: relative to the module, or with an alias for a folder of the project.
  private func find(_ path: String, from module: ScriptModule) -> ScriptModule? {
    let target =
      path.hasPrefix(".") ? simplified(folder(of: module.path) + "/" + path) : aliases.target(of: path)
    if let target { return Self.extensions.lazy.compactMap { self.module(target + $0) }.first }
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

/// The names of folders and files in import paths, as a project's `tsconfig.json` declares them.
///
/// Source: typescriptlang.org/tsconfig, `paths` and `baseUrl`.
struct PathAliases {
  private var targets: [(name: String, path: String)] = []
  private static let limit = 1200

  /// Reads the configurations of a folder, which may have comments.
  init(_ base: String) {
    for name in ["tsconfig.json", "tsconfig.base.json", "tsconfig.app.json", "jsconfig.json"] {
      guard let source = try? ProjectFiles.text("\(base)/\(name)", limit: 256 << 10) else { continue }
      let tokens = SourceTokens.read(source, of: name)
      let mark = tokens.firstIndex { $0.text == "baseUrl" }
      let own = mark.flatMap { $0 + 2 < tokens.count ? tokens[$0 + 2].text : nil }
      guard let paths = tokens.firstIndex(where: { $0.text == "paths" }) else { continue }
      let body = tokens[paths...].prefix(Self.limit).prefix { !$0.isSymbol("}") }
      for index in body.indices.dropLast(3)
      where tokens[index + 1].isSymbol(":") && tokens[index + 2].isSymbol("[") {
        guard let alias = tokens[index].text, let path = tokens[index + 3].text else { continue }
        targets.append((alias, simplified("\(base)/\(own ?? ".")/\(path)")))
      }
    }
    // The longest name decides.
    targets.sort { $0.name.count > $1.name.count }
  }

  /// Returns the path without its ending that an import path represents, or `nil` if it is not an alias.
  func target(of path: String) -> String? {
    for (name, target) in targets {
      let (start, folder) = (name.dropLast(), target.dropLast())
      if name.hasSuffix("*"), target.hasSuffix("*"), !start.isEmpty, path.hasPrefix(start) {
        return String(folder) + path.dropFirst(start.count)
      }
      if name == path { return target }
    }
    return nil
  }
}
