import SSODevice

/// A resolver that replaces names with the strings that they represent.
struct NameResolver {
  private let constants: [String: Found<SourceScan.Expression>]
  private let rawValues: [String: [Found<String>]]
  private let parameters: [String: Set<String>]
  private let arguments: [String: [Found<SourceScan.Expression>]]
  private let bundleID: String?
  private let info: [String: Found<String>]
  private let lists: [String: [Found<String>]]

  private static let depthLimit = 8
  private static let lengthLimit = 2000

  init(
    _ scans: [SourceScan], bundleID: String?, info: [String: Found<String>],
    lists: [String: [Found<String>]]
  ) {
    (self.bundleID, self.info, self.lists) = (bundleID, info, lists)
    let variables = scans.reduce(into: Set<String>()) { $0.formUnion($1.variables) }
    constants = scans.reduce(into: [:]) { all, scan in all.merge(scan.constants) { first, _ in first } }
      .filter { !variables.contains($0.key) }
    rawValues = scans.reduce(into: [:]) { all, scan in all.merge(scan.rawValues, uniquingKeysWith: +) }
    parameters = scans.reduce(into: [:]) { all, scan in
      all.merge(scan.parameters) { first, second in first.union(second) }
    }
    arguments = scans.reduce(into: [:]) { all, scan in all.merge(scan.arguments, uniquingKeysWith: +) }
  }

  /// The number of expressions that one value may lead to, because texts may interpolate each other many times.
  private static let budget = 5_000

  func setting(_ use: SourceScan.Use) -> SourceFacts.Setting {
    var left = Self.budget
    return resolve(use.expression, at: use.place, depth: 0, &left)
  }

  private func resolve(
    _ expression: SourceScan.Expression, at place: FilePlace, depth: Int, _ left: inout Int,
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
    case .listKey(let key): return listed(key).map(SourceFacts.Setting.known) ?? .unknown(place)
    case .rawValue(let name):
      guard let all = rawValues[name], all.count == 1 else { return .unknown(place) }
      return .known(all[0])
    case .text(let text):
      let filled = fill(text, at: place, depth, &left)
      return filled.contains("$(") ? .unknown(place) : .known(Found(filled, place))
    case .joined(let parts):
      var texts: [String?] = []
      for part in parts { texts.append(text(of: part, at: place, depth, &left)) }
      return texts.contains(nil) ? .unknown(place) : .known(Found(texts.compactMap(\.self).joined(), place))
    case .format(let format, let arguments):
      var texts: [String?] = []
      for part in [format] + arguments { texts.append(text(of: part, at: place, depth, &left)) }
      let filled = texts[0].flatMap { Self.fill(format: $0, with: texts.dropFirst()) }
      return filled.map { .known(Found($0, place)) } ?? .unknown(place)
    case .name(let name), .member(let name):
      if name == "bundleIdentifier", let bundleID { return .known(Found(bundleID, place)) }
      guard let constant = constants[name] else {
        let found = decoded(name) ?? argument(of: name, isPart: isPart, depth, &left)
        return found.map(SourceFacts.Setting.known) ?? .unknown(place)
      }
      return resolve(constant.value, at: constant.place, depth: depth + 1, &left)
    }
  }

  private func text(
    of expression: SourceScan.Expression, at place: FilePlace, _ depth: Int, _ left: inout Int
  ) -> String? {
    resolve(expression, at: place, depth: depth + 1, &left, isPart: true).found?.value
  }

  /// Returns the value that calls pass for a parameter of a function, or `nil` if they pass several.
  ///
  /// A part of a text, such as the policy in an address, may have several: then it is that of the first call.
  private func argument(
    of name: String, isPart: Bool, _ depth: Int, _ left: inout Int
  ) -> Found<String>? {
    var values: [Found<String>] = []
    for passed in (parameters[name] ?? []).sorted().flatMap({ arguments[$0] ?? [] }) {
      if let found = resolve(passed.value, at: passed.place, depth: depth + 1, &left).found {
        values.append(found)
      }
    }
    return isPart || Set(values.map(\.value)).count == 1 ? values.first : nil
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

  /// Returns the value of a key of the app's property lists, or `nil` unless there is exactly one.
  private func listed(_ key: String) -> Found<String>? {
    lists[key].flatMap { $0.count == 1 && !$0[0].value.contains("$(") ? $0[0] : nil }
  }

  /// Replaces each `%@` of a format, or returns `nil` if it has other specifiers or another number of them.
  private static func fill(format: String, with arguments: ArraySlice<String?>) -> String? {
    let parts = format.replacing("%s", with: "%@").split(separator: "%@", omittingEmptySubsequences: false)
    guard parts.count == arguments.count + 1, !parts.contains(where: { $0.contains("%") }) else { return nil }
    var result = String(parts[0])
    for (argument, part) in zip(arguments, parts.dropFirst()) {
      guard let argument else { return nil }
      result += argument + part
    }
    return result
  }

  /// Replaces the bundle ID and the names in a text such as `msauth.$(Bundle.main.bundleIdentifier!)://auth`.
  private func fill(_ text: String, at place: FilePlace, _ depth: Int, _ left: inout Int) -> String {
    guard text.contains("$(") else { return text }
    var result = ""
    var start = text.startIndex
    for part in SourceScan.interpolations(in: text) where result.utf8.count < Self.lengthLimit {
      result += text[start..<part.range.lowerBound]
      start = part.range.upperBound
      if part.code.contains("bundleIdentifier"), let bundleID {
        result += bundleID
      } else {
        let value = part.name.map { self.text(of: .member($0), at: place, depth, &left) } ?? nil
        result += value ?? String(text[part.range])
      }
    }
    return result + text[start...]
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
