/// The build settings of one configuration of a target, by level, with variables expanded.
package struct BuildSettings: Hashable, Sendable {
  /// The levels, from the target's own settings down to the project's xcconfig file; the first that has a key applies.
  var levels: [[String: Found<String>]]
  /// The settings that Xcode itself defines, such as `TARGET_NAME` and `SRCROOT`.
  var builtIn: [String: String]

  /// The maximum depth of nested expansions, so that the expansion of a setting that refers to itself ends.
  private static let depthLimit = 16
  private static let lengthLimit = 8192
  /// The maximum number of variables to expand in one value, because settings may refer to each other many times.
  private static let replacementLimit = 2000

  /// Returns a setting with its variables expanded, or `nil` if no level has it.
  ///
  /// If a level has no `KEY`, its first `KEY[sdk=…]` applies.
  package func value(_ key: String) -> Found<String>? {
    guard let (level, found) = raw(key, from: 0) else { return nil }
    var left = Self.replacementLimit
    return Found(expand(found.value, key: key, level: level, depth: 0, &left), found.place)
  }

  package func flag(_ key: String) -> Bool { value(key)?.value == "YES" }

  /// Returns a string from an Info.plist or an entitlements file with its variables expanded.
  ///
  /// Unknown variables are left unchanged.
  package func expanding(_ text: String) -> String {
    var left = Self.replacementLimit
    return expand(text, key: nil, level: 0, depth: 0, &left)
  }

  private func raw(_ key: String, from start: Int) -> (level: Int, found: Found<String>)? {
    for (level, settings) in levels.enumerated().dropFirst(start) {
      if let found = settings[key] { return (level, found) }
      let conditional = settings.keys.filter { $0.hasPrefix(key + "[") }.min()
      if let conditional, let found = settings[conditional] { return (level, found) }
    }
    return nil
  }

  private func expand(
    _ text: String, key: String?, level: Int, depth: Int, _ left: inout Int
  ) -> String {
    guard depth < Self.depthLimit, left > 0, text.contains("$") else { return text }
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      let open = rest.dropFirst().first
      guard open == "(" || open == "{",
        let close = rest.firstIndex(of: open == "(" ? ")" : "}")
      else {
        result += "$"
        rest = rest.dropFirst()
        continue
      }
      let variable = String(rest[rest.index(dollar, offsetBy: 2)..<close])
      result +=
        replacement(variable, key: key, level: level, depth: depth, &left) ?? String(rest[dollar...close])
      rest = rest[rest.index(after: close)...]
      guard result.utf8.count < Self.lengthLimit else { return result }
    }
    return result + rest
  }

  private func replacement(
    _ variable: String, key: String?, level: Int, depth: Int, _ left: inout Int
  ) -> String? {
    left -= 1
    let parts = variable.split(separator: ":", maxSplits: 1).map(String.init)
    guard let name = parts.first else { return nil }
    let isInherited = name == "inherited"
    let wanted = isInherited ? key : name
    let start = isInherited || name == key ? level + 1 : 0
    var value: String?
    if let wanted, let (level, found) = raw(wanted, from: start) {
      value = expand(found.value, key: wanted, level: level, depth: depth + 1, &left)
    } else {
      value = isInherited ? "" : builtIn[name]
    }
    guard let value else { return nil }
    return parts.dropFirst().first == "rfc1034identifier"
      ? String(value.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "-" })
      : value
  }
}
