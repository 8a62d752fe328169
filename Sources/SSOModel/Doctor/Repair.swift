import Essentials
import SSOCore

/// A change of a file that carries out the suggestion of a finding: in a property list, an entitlements file, an
/// AndroidManifest.xml, or a configuration of MSAL for Android.
///
/// Source code, project files, and registrations are changed by people.
package struct Repair: Hashable, Sendable {
  package let finding: DoctorCheck
  package let path: String
  package let before: String
  package let after: String

  /// Creates the change, or returns `nil` if the file cannot be changed without a person.
  package init?(_ finding: DoctorCheck) {
    guard finding.hasFailed, finding.severity != .notFilledIn, let fix = finding.fix,
      SampleProject(finding.place.path) == nil, !fix.contains("<signature hash>"), !fix.contains("<tenant"),
      let before = try? ProjectFiles.text(finding.place.path, limit: 1 << 20), !before.contains("\u{FFFD}"),
      let after = Self.renaming(before, finding) ?? Self.text(before, with: fix, finding.place),
      after != before
    else { return nil }
    (self.finding, path, self.before, self.after) = (finding, finding.place.path, before, after)
  }

  /// The lines that the change removes and adds, with `-` and `+`, and one line around them.
  package var difference: [String] {
    let old = before.split(separator: "\n", omittingEmptySubsequences: false)
    let new = after.split(separator: "\n", omittingEmptySubsequences: false)
    var head = 0
    while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    var lines: [String] = []
    for line in old.prefix(head).suffix(1) { lines.append("  \(line)") }
    for line in old[head..<(old.count - tail)] { lines.append("- \(line)") }
    for line in new[head..<(new.count - tail)] { lines.append("+ \(line)") }
    for line in old.suffix(tail).prefix(1) { lines.append("  \(line)") }
    return lines
  }

  private static func text(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    switch place.path.split(separator: ".").last {
    case "plist", "entitlements": propertyList(text, with: fix, place)
    case "xml": manifest(text, with: fix, place)
    case "json": configuration(text, with: fix, place)
    default: nil
    }
  }

  /// Replaces a misspelt key, or returns `nil` if the finding is of something else.
  private static func renaming(_ text: String, _ finding: DoctorCheck) -> String? {
    guard let misspelt = finding.misspelt, let index = misspelt.written.place.line.map({ $0 - 1 }) else {
      return nil
    }
    let isJSON = misspelt.written.place.path.hasSuffix(".json")
    func spelt(_ key: String) -> String { isJSON ? "\"\(key)\"" : "<key>\(key)</key>" }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.indices.contains(index),
      let range = lines[index].firstRange(of: spelt(misspelt.written.value))
    else { return nil }
    lines[index].replaceSubrange(range, with: spelt(misspelt.key))
    return lines.joined(separator: "\n")
  }

  // MARK: Property lists

  private static func propertyList(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    guard text.contains("<plist") else { return nil }
    if fix.hasPrefix("<string>") { return list(text, with: fix, place) }
    guard fix.hasPrefix("<key>"), let key = fix.split(separator: "\n").first.map(String.init) else {
      return nil
    }
    // What follows the key: the value itself, or the elements to add to the array that is there.
    let value = String(fix.dropFirst(key.count + 1))
    guard let present = text.firstRange(of: key) else {
      guard let end = text.lastRange(of: "</dict>") else { return nil }
      return inserting(fix, before: end.lowerBound, in: text)
    }
    let rest = text[present.upperBound...]
    guard value.hasPrefix("<array>") else {
      // `<false/>`, or another text.
      guard let next = rest.firstIndex(of: "<"), let end = text[next...].firstIndex(of: ">") else {
        return nil
      }
      guard let close = value == "<true/>" ? end : text.range(of: "</string>", from: next) else { return nil }
      return replacing(next..<text.index(after: close), of: text, with: value.trimmed)
    }
    let elements = value.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
    guard let array = rest.firstRange(of: "<array>") else { return nil }
    return inserting(elements, after: array.upperBound, in: text)
  }

  /// Adds strings to the array that begins at a line, or replaces the string of that line.
  private static func list(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let index = place.line.map({ $0 - 1 }), lines.indices.contains(index) else { return nil }
    let indent = String(lines[index].prefix { $0 == " " || $0 == "\t" })
    if lines[index].contains("<string>") {
      lines[index] = indent + fix
    } else if lines[index].contains("<array>") {
      lines.insert(contentsOf: fix.split(separator: "\n").map { "\(indent)  \($0)" }, at: index + 1)
    } else {
      return nil
    }
    return lines.joined(separator: "\n")
  }

  private static func inserting(_ fix: String, before index: String.Index, in text: String) -> String {
    replacing(index..<index, of: text, with: indented(fix, "  ") + "\n")
  }

  private static func inserting(_ fix: String, after index: String.Index, in text: String) -> String {
    replacing(index..<index, of: text, with: "\n" + indented(fix, "    "))
  }

  private static func replacing(_ range: Range<String.Index>, of text: String, with new: String) -> String {
    var changed = text
    changed.replaceSubrange(range, with: new)
    return changed
  }

  private static func indented(_ text: String, _ indent: String) -> String {
    text.split(separator: "\n").map { "\(indent)\($0)" }.joined(separator: "\n")
  }

  // MARK: AndroidManifest.xml

  private static func manifest(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    let name = "BrowserTabActivity\""
    guard let named = text.firstRange(of: name) else {
      guard fix.hasPrefix("<activity"), let end = text.lastRange(of: "</application>") else { return nil }
      return inserting(fix, before: end.lowerBound, in: text)
    }
    guard let start = text[..<named.lowerBound].lastRange(of: "<activity"),
      let open = text[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    if fix.hasPrefix("android:exported") {
      if let old = text[start.lowerBound...open].firstRange(of: "android:exported=\"false\"") {
        return replacing(old, of: text, with: fix)
      }
      return replacing(start, of: text, with: "<activity " + fix)
    }
    guard fix.hasPrefix("<activity") else { return attribute(text, with: fix, place) }
    // The activity with its filters is written anew.
    let isClosed = text[..<open].hasSuffix("/")
    guard
      let end = isClosed ? text.index(after: open) : text[open...].firstRange(of: "</activity>")?.upperBound
    else { return nil }
    return replacing(start.lowerBound..<end, of: text, with: indented(fix, "  ").trimmed)
  }

  /// Replaces an attribute of the element that begins at a line: `android:path="/…"`.
  private static func attribute(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let line = place.line, lines.indices.contains(line - 1), let equals = fix.firstRange(of: "=\""),
      let end = text[lines[line - 1].startIndex...].firstIndex(of: ">"),
      let start = text[lines[line - 1].startIndex..<end].firstRange(of: fix[..<equals.upperBound]),
      let quote = text[start.upperBound..<end].firstIndex(of: "\"")
    else { return nil }
    return replacing(start.lowerBound..<text.index(after: quote), of: text, with: fix)
  }

  // MARK: msal_config.json

  /// Carries out a fix, which has a key with its value on each line.
  private static func configuration(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    fix.split(separator: "\n").reduce(Optional(text)) { text, line in
      text.flatMap { member($0, with: String(line)) }
    }
  }

  /// Replaces the value of a key, or adds the key at the beginning of the document.
  private static func member(_ text: String, with fix: String) -> String? {
    guard fix.hasPrefix("\""), !fix.contains("redirectUris"),
      let colon = fix.firstIndex(of: ":"), case let key = String(fix[..<colon]), key != "\"default\"",
      key != "\"type\""
    else { return nil }
    guard let present = text.firstRange(of: key) else {
      guard let open = text.firstIndex(of: "{") else { return nil }
      let next = text.index(after: open)
      return replacing(next..<next, of: text, with: "\n  " + fix + ",")
    }
    let rest = text[present.upperBound...]
    let value = rest.drop { $0 == " " || $0 == ":" || $0 == "\t" }
    var end = value.firstIndex { $0 == "," || $0 == "\n" || $0 == "}" }
    if value.first == "\"" { end = value.dropFirst().firstIndex(of: "\"").map { text.index(after: $0) } }
    return end.map { replacing(present.lowerBound..<$0, of: text, with: fix) }
  }
}

extension StringProtocol {
  fileprivate func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }
}

extension String {
  /// Returns the last character of the first occurrence of a text at or after an index.
  fileprivate func range(of part: String, from start: Index) -> Index? {
    self[start...].firstRange(of: part).map { index(before: $0.upperBound) }
  }
}
