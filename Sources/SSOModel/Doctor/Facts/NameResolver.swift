import SSOCore
import SSODevice

/// A resolver that replaces names with the strings that they represent.
struct NameResolver {
  /// The place of an expression in the scans.
  private struct Scope {
    var scan: Int
    var block: Int
  }

  /// A declaration, and the scan to which it belongs.
  private struct Candidate {
    var scan: Int
    var declaration: SourceScan.Declaration
    var scope: Scope { Scope(scan: scan, block: declaration.block) }
  }

  private let scans: [SourceScan]
  private let constants: [String: [Candidate]]
  private let rawValues: [String: [Found<String>]]
  private let arguments: [String: [Candidate]]
  private let bundleID: String?
  private let info: [String: Found<String>]
  private let lists: [String: [Found<String>]]

  private static let depthLimit = 8
  private static let lengthLimit = 2000

  init(
    _ scans: [SourceScan], bundleID: String?, info: [String: Found<String>],
    lists: [String: [Found<String>]]
  ) {
    (self.scans, self.bundleID, self.info, self.lists) = (scans, bundleID, info, lists)
    rawValues = scans.reduce(into: [:]) { all, scan in all.merge(scan.rawValues, uniquingKeysWith: +) }
    constants = Self.candidates(scans, \.constants)
    arguments = Self.candidates(scans, \.arguments)
  }

  private static func candidates(
    _ scans: [SourceScan], _ declarations: (SourceScan) -> [String: [SourceScan.Declaration]]
  ) -> [String: [Candidate]] {
    scans.enumerated().reduce(into: [:]) { all, scan in
      all.merge(
        declarations(scan.element).mapValues { $0.map { Candidate(scan: scan.offset, declaration: $0) } },
        uniquingKeysWith: +)
    }
  }

  /// The number of expressions that one value may lead to, because texts may interpolate each other many times.
  private static let budget = 5_000

  /// Returns the value that a scan, specified by its index, passes to the SDK.
  func setting(_ use: SourceScan.Use, in scan: Int) -> SourceFacts.Setting {
    var left = Self.budget
    return resolve(
      use.expression, at: use.place, Scope(scan: scan, block: use.block), depth: 0, &left)
  }

  /// Returns an address of a user flow or of an external tenant with the names of the values in it that are not known, or
  /// `nil` for any other value: `https://tenantName.b2clogin.com/tfp/tenantName.onmicrosoft.com/B2C_1_in`.
  func pattern(of use: SourceScan.Use, in scan: Int) -> Found<String>? {
    var left = Self.budget
    var (text, place, scope) = (use.expression, use.place, Scope(scan: scan, block: use.block))
    if case .name = text {
      let found = declarations(of: text, scope)
      guard found.count == 1 else { return nil }
      (text, place, scope) = (found[0].declaration.value, found[0].declaration.place, found[0].scope)
    }
    guard case .text(let code) = text else { return nil }
    let filled = fill(code, at: place, scope, 1, &left)
    let names = SourceScan.interpolations(in: filled)
    guard names.allSatisfy({ $0.name != nil }) else { return nil }
    let segments = filled.split(separator: "/").dropFirst(2)
    // A name may stand for several parts of the path.
    let isWhole = segments.contains { $0.hasPrefix("$(") && $0.hasSuffix(")") && !$0.contains(".") }
    guard !isWhole || segments.count > (segments.first?.lowercased() == "tfp" ? 2 : 1) else { return nil }
    let shown = names.reduce(filled) { shown, part in
      shown.replacing(
        "$(\(part.code))", with: part.code.split { ".!".contains($0) }.last.map(String.init) ?? "")
    }
    let host = URLParts(shown)?.host.lowercased() ?? ""
    return [".b2clogin.com", ".ciamlogin.com"].contains(where: host.hasSuffix) ? Found(shown, place) : nil
  }

  /// Returns the literals and values of Info.plist that names in a value represent, each at its own place.
  func parts(of use: SourceScan.Use, in scan: Int) -> [Found<String>] {
    var left = Self.budget
    var parts: [Found<String>] = []
    collect(use.expression, Scope(scan: scan, block: use.block), depth: 0, &left, &parts)
    return parts
  }

  private func collect(
    _ expression: SourceCode.Expression, _ scope: Scope, depth: Int, _ left: inout Int,
    _ parts: inout [Found<String>]
  ) {
    left -= 1
    guard depth < Self.depthLimit, left > 0 else { return }
    switch expression {
    case .infoKey(let key): if let value = info[key] { parts.append(value) }
    case .text(let text):
      for name in SourceScan.interpolations(in: text).compactMap(\.name) {
        collect(name, scope, depth: depth + 1, &left, &parts)
      }
    case .joined(let joined): for part in joined { collect(part, scope, depth: depth + 1, &left, &parts) }
    case .format(_, let arguments):
      for part in arguments { collect(part, scope, depth: depth + 1, &left, &parts) }
    case .name, .member:
      for candidate in declarations(of: expression, scope).prefix(2) {
        if case .text(let text) = candidate.declaration.value, !text.contains("$(") {
          parts.append(Found(text, candidate.declaration.place))
        } else {
          collect(candidate.declaration.value, candidate.scope, depth: depth + 1, &left, &parts)
        }
      }
    case .listKey(let key): if let value = listed(key) { parts.append(value) }
    case .rawValue, .parameter, .infoCall, .absent, .other: break
    }
  }

  /// Returns the list of strings that a name represents in a scan, or `nil` if that is not certain.
  func list(_ name: SourceScan.Declaration, in scan: Int) -> FoundList? {
    let found = declarations(of: name.value, Scope(scan: scan, block: name.block))
    guard found.count == 1 else { return nil }
    return found[0].declaration.list.flatMap { list($0, in: found[0].scan) }
  }

  /// Returns the strings of a list in a scan, or `nil` if one of them is not certain.
  func list(_ list: SourceScan.List, in scan: Int) -> FoundList? {
    let items = list.items.compactMap { item -> Found<String>? in
      var left = Self.budget
      let scope = Scope(scan: scan, block: item.block)
      return resolve(item.value, at: item.place, scope, depth: 1, &left).found
    }
    return items.count == list.items.count ? FoundList(items, list.place) : nil
  }

  private func resolve(
    _ expression: SourceCode.Expression, at place: FilePlace, _ scope: Scope, depth: Int, _ left: inout Int,
    isPart: Bool = false
  ) -> SourceFacts.Setting {
    left -= 1
    guard depth < Self.depthLimit, left > 0 else { return .unknown(place) }
    switch expression {
    case .absent: return .absent
    case .other: return .unknown(place)
    case .infoKey(let key):
      // A variable of the build settings may be set outside the project.
      guard let value = info[key], !value.value.contains("$(") else { return .unknown(place) }
      return .known(value)
    case .listKey(let key):
      let reader = scans[scope.scan].tokens.contains { $0.word.map(InfoKey.names.contains) ?? false }
      let own = listed(key) ?? (reader ? info[key].flatMap { $0.value.contains("$(") ? nil : $0 } : nil)
      return own.map(SourceFacts.Setting.known) ?? .unknown(place)
    case .infoCall(let function, let key):
      let reads = scans.contains { $0.infoReaders.contains(function) }
      return reads
        ? resolve(.infoKey(key), at: place, scope, depth: depth + 1, &left, isPart: isPart) : .unknown(place)
    case .rawValue(let name):
      guard let all = rawValues[name], all.count == 1 else { return .unknown(place) }
      return .known(all[0])
    case .text(let text):
      let filled = fill(text, at: place, scope, depth, &left)
      return filled.contains("$(") ? .unknown(place) : .known(Found(filled, place))
    case .joined(let parts):
      var texts: [String?] = []
      for part in parts { texts.append(text(of: part, at: place, scope, depth, &left)) }
      return texts.contains(nil) ? .unknown(place) : .known(Found(texts.compactMap(\.self).joined(), place))
    case .format(let format, let arguments):
      var texts: [String?] = []
      for part in [format] + arguments { texts.append(text(of: part, at: place, scope, depth, &left)) }
      let filled = texts[0].flatMap { Self.fill(format: $0, with: texts.dropFirst()) }
      return filled.map { .known(Found($0, place)) } ?? .unknown(place)
    case .parameter(let key, let usual):
      guard arguments[key] != nil else {
        return resolve(usual, at: place, scope, depth: depth + 1, &left, isPart: isPart)
      }
      return argument(of: key, isPart: isPart, depth, &left).map(SourceFacts.Setting.known)
        ?? .unknown(place)
    case .name(let name, let owner):
      return value(of: name, owner: owner, isMember: false, at: place, scope, depth, &left, isPart)
    case .member(let name):
      return value(of: name, owner: nil, isMember: true, at: place, scope, depth, &left, isPart)
    }
  }

  private func value(
    of name: String, owner: String?, isMember: Bool, at place: FilePlace, _ scope: Scope, _ depth: Int,
    _ left: inout Int, _ isPart: Bool
  ) -> SourceFacts.Setting {
    if name == "bundleIdentifier", let bundleID { return .known(Found(bundleID, place)) }
    let found = declarations(of: name, owner: owner, isMember: isMember, scope)
    if let setting = passed(for: name, to: found, at: place, depth, &left, isPart) { return setting }
    guard found.contains(where: { !$0.declaration.isUnset }) else {
      return decoded(name).map(SourceFacts.Setting.known) ?? .unknown(place)
    }
    var settings: [SourceFacts.Setting] = []
    for candidate in found {
      let declaration = candidate.declaration
      let setting = resolve(
        declaration.value, at: declaration.place, candidate.scope, depth: depth + 1, &left, isPart: isPart)
      if !settings.contains(where: { $0.isSame(as: setting) }) { settings.append(setting) }
      // Two values are as uncertain as more.
      if settings.count > 1 { return .unknown(place) }
    }
    return settings[0]
  }

  // MARK: Declarations

  /// Returns the declarations that an expression may refer to, or an empty array if it is not a name.
  private func declarations(of expression: SourceCode.Expression, _ scope: Scope) -> [Candidate] {
    switch expression {
    case .name(let name, let owner): declarations(of: name, owner: owner, isMember: false, scope)
    case .member(let name): declarations(of: name, owner: nil, isMember: true, scope)
    default: []
    }
  }

  /// Returns the declarations that a name may refer to, except declarations without a value if others have one.
  private func declarations(
    of name: String, owner: String?, isMember: Bool, _ scope: Scope
  ) -> [Candidate] {
    let all = constants[name] ?? []
    guard !all.isEmpty else { return [] }
    let blocks = scans[scope.scan].blocks
    if owner == nil, !isMember {
      let own = all.filter { $0.scan == scope.scan && $0.declaration.reach == .block }
      for block in blocks.chain(of: scope.block) {
        let visible = own.filter { $0.declaration.block == block }
        if !visible.isEmpty { return assigned(visible) }
      }
    }
    let others = all.filter { candidate in
      scans[candidate.scan].blocks.isVisible(candidate.declaration.block)
        && (isMember || candidate.declaration.reach == .block)
    }
    let owners = owner.map { [$0] } ?? (isMember ? [] : blocks.owners(of: scope.block))
    let ofType = others.filter { candidate in
      !scans[candidate.scan].blocks.owners(of: candidate.declaration.block).isDisjoint(with: owners)
    }
    if !ofType.isEmpty { return assigned(ofType) }
    // A file of Objective-C sees the names of the files that it imports.
    let imported = others.filter { scans[scope.scan].imports.contains(fileStem(scans[$0.scan].code.path)) }
    return assigned(imported.isEmpty ? others : imported)
  }

  /// Returns the declarations with values, or all if none has a value.
  ///
  /// A statement assigns another value to a property that is `nil` at first.
  private func assigned(_ candidates: [Candidate]) -> [Candidate] {
    let set = candidates.filter { !$0.declaration.isUnset }
    let present = set.filter { $0.declaration.value != .absent }
    return !present.isEmpty ? present : !set.isEmpty ? set : candidates
  }

  private func text(
    of expression: SourceCode.Expression, at place: FilePlace, _ scope: Scope, _ depth: Int,
    _ left: inout Int
  ) -> String? {
    resolve(expression, at: place, scope, depth: depth + 1, &left, isPart: true).found?.value
  }

  /// Returns the value that calls pass for a parameter of a function, or `nil` if they pass several.
  ///
  /// A part of a text, such as the policy in an address, may have several: then it is that of the first call.
  private func argument(
    of key: String, isPart: Bool, _ depth: Int, _ left: inout Int
  ) -> Found<String>? {
    var values: [Found<String>] = []
    for passed in arguments[key] ?? [] {
      let declaration = passed.declaration
      let value = resolve(
        declaration.value, at: declaration.place, passed.scope, depth: depth + 1, &left)
      if let found = value.found { values.append(found) }
    }
    return isPart || Set(values.map(\.value)).count == 1 ? values.first : nil
  }

  /// Returns the value that calls of a type's initialiser pass for a property, which is unknown if they pass several, or
  /// `nil` if no call does: `Settings(redirectURI: "…")`.
  private func passed(
    for name: String, to properties: [Candidate], at place: FilePlace, _ depth: Int, _ left: inout Int,
    _ isPart: Bool
  ) -> SourceFacts.Setting? {
    let types = properties.reduce(into: Set<String>()) { types, property in
      let (blocks, block) = (scans[property.scan].blocks, property.declaration.block)
      if blocks.isVisible(block) { types.formUnion(blocks.owners(of: block)) }
    }
    let keys = types.map { "\($0):\(name)" }.sorted().filter { arguments[$0] != nil }
    guard let key = keys.first else { return nil }
    return argument(of: key, isPart: isPart, depth, &left).map(SourceFacts.Setting.known) ?? .unknown(place)
  }

  /// Returns the value of a property of a type that is decoded from a property list, which has a key for each property,
  /// or `nil` if the value may be another one's.
  private func decoded(_ name: String) -> Found<String>? {
    let values = Set([name] + (rawValues[name] ?? []).map(\.value)).compactMap(listed)
    guard values.count == 1, let found = values.first else { return nil }
    let isClientID = name.filter(\.isLetter).lowercased().hasSuffix("clientid")
    let hasForm = found.value.contains("://") || ClientIDForm(found.value) == .valid
    return hasForm || isClientID && !found.value.hasSuffix(".apps.googleusercontent.com") ? found : nil
  }

  /// Returns the key that code reads for a value and that the app's property lists lack, with a key of them that resembles
  /// it and that no code reads, or `nil` if there is none.
  func misspelt(_ use: SourceScan.Use, in scan: Int) -> MisspeltKey? {
    guard !lists.isEmpty else { return nil }
    var (value, scope) = (use.expression, Scope(scan: scan, block: use.block))
    for _ in 0..<Self.depthLimit {
      if case .listKey(let key) = value { return missing([key]) }
      let found = declarations(of: value, scope)
      guard let first = found.first, !first.declaration.isUnset else {
        guard case .member(let name) = value else { return nil }
        return missing([name] + (rawValues[name] ?? []).map(\.value))
      }
      guard found.count == 1 else { return nil }
      (value, scope) = (first.declaration.value, first.scope)
    }
    return nil
  }

  private func missing(_ keys: [String]) -> MisspeltKey? {
    let known = lists.keys.filter { key in
      key.count > 3 && !scans.contains { $0.tokens.contains { $0.text == key } }
    }
    guard let key = keys.first, keys.allSatisfy({ lists[$0] == nil && info[$0] == nil }),
      let near = known.sorted().closestSpelling(to: key, most: 2), let value = lists[near]?.first
    else { return nil }
    return MisspeltKey(key: key, written: Found(near, value.place))
  }

  /// Returns the value of a key of the app's property lists, or `nil` unless there is exactly one.
  private func listed(_ key: String) -> Found<String>? {
    lists[key].flatMap { $0.count == 1 && !$0[0].value.contains("$(") ? $0[0] : nil }
  }

  /// Replaces each `%@` of a format, or returns `nil` if it has other specifiers or more of them than arguments.
  private static func fill(format: String, with arguments: ArraySlice<String?>) -> String? {
    let parts = format.replacing("%s", with: "%@").split(separator: "%@", omittingEmptySubsequences: false)
    // More arguments than specifiers are ignored.
    guard parts.count <= arguments.count + 1, !parts.contains(where: { $0.contains("%") }) else { return nil }
    var result = String(parts[0])
    for (argument, part) in zip(arguments, parts.dropFirst()) {
      guard let argument else { return nil }
      result += argument + part
    }
    return result
  }

  /// Replaces the bundle ID and the names in a text such as `msauth.$(Bundle.main.bundleIdentifier!)://auth`.
  private func fill(
    _ text: String, at place: FilePlace, _ scope: Scope, _ depth: Int, _ left: inout Int
  ) -> String {
    guard text.contains("$(") else { return text }
    var result = ""
    var start = text.startIndex
    for part in SourceScan.interpolations(in: text) where result.utf8.count < Self.lengthLimit {
      result += text[start..<part.range.lowerBound]
      start = part.range.upperBound
      if part.code.contains("bundleIdentifier"), let bundleID {
        result += bundleID
      } else {
        let value = part.name.map { self.text(of: $0, at: place, scope, depth, &left) } ?? nil
        result += value ?? String(text[part.range])
      }
    }
    return result + text[start...]
  }
}

extension SourceFacts.Setting {
  /// Returns whether both are the same value, whatever their places.
  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.absent, .absent), (.unknown, .unknown): true
    case (.known(let one), .known(let other)): one.value == other.value
    default: false
    }
  }
}

/// The strings of the property lists of an app that its code reads, by key.
struct ListedValues {
  private static let fileLimit = 50
  private static let depthLimit = 8

  private var values: [String: [Found<String>]] = [:]

  /// Reads the property lists that scans name below a folder.
  ///
  /// Info.plist has other rules, Google's list has its own client IDs, and of several lists of one name only the build
  /// knows which one is in the app.
  static func read(_ scans: [SourceScan], below folder: String) -> [String: [Found<String>]] {
    let names = scans.reduce(into: Set<String>()) { $0.formUnion($1.propertyLists) }
      .filter { $0 != "Info" && !$0.hasPrefix("GoogleService") }
    guard !names.isEmpty else { return [:] }
    let all = ProjectFiles(folder).find { $0.hasSuffix(".plist") && names.contains(String($0.dropLast(6))) }
    var found = ListedValues()
    for name in names.sorted().prefix(fileLimit) {
      let paths = all.filter { fileName($0) == name + ".plist" }
      guard paths.count == 1, let data = try? ProjectFiles.data(paths[0], limit: 1 << 20),
        let list = try? PropertyListReader.read(data)
      else { continue }
      found.take(list, paths[0], 0)
    }
    return found.values
  }

  private mutating func take(_ list: PropertyListNode, _ path: String, _ depth: Int) {
    guard depth < Self.depthLimit else { return }
    for entry in list.dictionary ?? [] {
      if let text = entry.value.string {
        values[entry.key, default: []].append(Found(text, FilePlace(path, line: entry.value.line)))
      } else {
        take(entry.value, path, depth + 1)
      }
    }
  }
}
