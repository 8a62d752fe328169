import Essentials
import SSOCore

/// A change of a file that carries out the suggestion of a finding: in a property list, an entitlements file, an
/// AndroidManifest.xml, a configuration of MSAL for Android, or a document that a domain publishes.
///
/// It never changes project files or registrations, and in source code only the bundle ID in a redirect URI.
package struct Repair: Hashable, Sendable {
  package let finding: DoctorCheck
  package let path: String
  package let before: String
  package let after: String

  /// Creates the change, or returns `nil` if the file cannot be changed automatically.
  package init?(_ finding: DoctorCheck) {
    guard finding.hasFailed, finding.severity != .notFilledIn, let fix = finding.fix,
      SampleProject(finding.place.path) == nil, !Self.hasPlaceholder(fix),
      let before = try? ProjectFiles.text(finding.place.path, limit: 1 << 20), !before.contains("\u{FFFD}")
    else { return nil }
    let text = before.lines.joined(separator: "\n")
    let renamed = Self.renaming(text, finding) ?? Self.owning(text, finding)
    guard
      let mended = renamed ?? Self.defaulting(text, finding) ?? Self.exchanging(text, with: fix, finding)
        ?? Self.literal(text, with: fix, finding) ?? Self.text(text, with: fix, finding.place)
        ?? Self.element(text, with: fix, finding),
      mended != text,
      // A fix may have a placeholder for a value that only the developer knows.
      Self.isReadable(mended, finding.place.path)
    else { return nil }
    // The app may work with the developer's value, so a question does not replace it.
    guard
      !finding.isQuestion || renamed != nil || Self.isAdded(to: text, in: mended)
        || Self.isDecoded(mended, from: text) || Self.isTrimmed(mended, from: text)
    else { return nil }
    self.finding = finding
    path = finding.place.path
    self.before = before
    after = Self.restoringLineEnds(of: before, in: mended)
  }

  /// Returns whether a property list, a manifest, or a configuration can be read.
  private static func isReadable(_ text: String, _ path: String) -> Bool {
    let data = Data(text.utf8)
    return switch path.split(separator: ".").last {
    case "plist", "entitlements": (try? PropertyListReader.read(data)) != nil
    case "xml": (try? XMLReader.read(data)) != nil
    case "json": isReadableJSON(text, path)
    default: true
    }
  }

  /// Returns whether a configuration can be read as MSAL does, with comments, or another document as JSON.
  private static func isReadableJSON(_ text: String, _ path: String) -> Bool {
    do {
      _ = try AndroidFacts.Configuration.read(text, path: path)
      return true
    } catch {
      return (try? JSONParser.parse(Data(text.utf8))) != nil
    }
  }

  /// The elements of property lists and manifests that a fix may have.
  private static let elements: Set<String> = [
    "key", "string", "array", "dict", "true", "false", "activity", "intent-filter", "action", "category",
    "data",
  ]

  /// Returns whether a fix has words in angle brackets for a value that only the developer knows: `<your domain>`.
  private static func hasPlaceholder(_ fix: String) -> Bool {
    fix.ranges(of: "<").contains { open in
      let name = fix[open.upperBound...].drop { $0 == "/" }.prefix { $0.isLetter || $0 == "-" }
      let next = fix[name.endIndex...].first
      return !elements.contains(String(name)) || next == " " && !fix[name.endIndex...].hasPrefix(" android:")
    }
  }

  /// Returns whether a finding of a later diagnosis is the same mistake in another app or build, which did not have it before
  /// the change.
  package func isCause(of finding: DoctorCheck, after earlier: Diagnosis) -> Bool {
    finding.rule == self.finding.rule && finding.place == self.finding.place && finding.severity == .fails
      && !earlier.findings.contains { $0.subject == finding.subject && $0.check.name == finding.check.name }
  }

  /// Returns whether a finding of a later diagnosis is still the finding of the change.
  package func isLeft(in finding: DoctorCheck) -> Bool {
    finding.hasFailed && finding.rule == self.finding.rule && finding.subject == self.finding.subject
      && finding.place == self.finding.place && finding.check.name == self.finding.check.name
      && finding.check.expected == self.finding.check.expected
  }

  /// Returns whether a text is another one with something added in one place.
  private static func isAdded(to text: String, in longer: String) -> Bool {
    let head = zip(text.utf8, longer.utf8).prefix { $0 == $1 }.count
    return text.utf8.dropFirst(head).elementsEqual(longer.utf8.suffix(text.utf8.count - head))
  }

  /// Returns whether a text is another one with a value in it decoded, which means the same.
  private static func isDecoded(_ text: String, from encoded: String) -> Bool {
    let (old, new) = (encoded.lines, text.lines)
    return old.count == new.count
      && zip(old, new).allSatisfy {
        $0 == $1 || FormEncoding.decodeText($0, plusIsSpace: false) == String($1)
      }
  }

  /// Returns whether a text is another one without some of its white space.
  private static func isTrimmed(_ text: String, from other: String) -> Bool {
    text.filter { !$0.isWhitespace } == other.filter { !$0.isWhitespace }
  }

  /// The lines that the change removes and adds, with `-` and `+`, and one line around them.
  package var difference: [String] {
    let (old, new) = (before.lines, after.lines)
    let (head, tail) = Self.common(old, new)
    var lines: [String] = []
    for line in old.prefix(head).suffix(1) { lines.append("  \(line)") }
    for line in old[head..<(old.count - tail)] { lines.append("- \(line)") }
    for line in new[head..<(new.count - tail)] { lines.append("+ \(line)") }
    for line in old.suffix(tail).prefix(1) { lines.append("  \(line)") }
    return lines
  }

  /// Returns the number of lines that two texts share at the beginning and, among the others, at the end.
  private static func common(_ old: [Substring], _ new: [Substring]) -> (head: Int, tail: Int) {
    var head = 0
    while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    return (head, tail)
  }

  /// Returns a text with the line ends of the old one; new lines get the most frequent line end.
  private static func restoringLineEnds(of before: String, in text: String) -> String {
    let ends = before.filter { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    let wide = ends.count { $0 == "\r\n" }
    guard wide > 0 else { return text }
    let (old, new) = (before.lines, text.lines)
    let (head, tail) = common(old, new)
    return new.indices.reduce(into: "") { result, index in
      result += new[index]
      guard index < new.count - 1 else { return }
      let kept = index < head ? index : index >= new.count - tail ? index - new.count + old.count : ends.count
      result += kept < ends.count ? ends[kept] : wide * 2 > ends.count ? "\r\n" : "\n"
    }
  }

  private static func text(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    switch place.path.split(separator: ".").last {
    case "plist", "entitlements": propertyList(text, with: fix, place)
    case "xml": manifest(text, with: fix, place)
    case "json": configuration(text, with: fix)
    default: nil
    }
  }

  /// Replaces a misspelt key, or returns `nil` if the finding is about something else.
  private static func renaming(_ text: String, _ finding: DoctorCheck) -> String? {
    guard let misspelt = finding.misspelt, let index = misspelt.written.place.line.map({ $0 - 1 }) else {
      return nil
    }
    let isJSON = misspelt.written.place.path.hasSuffix(".json")
    func spelt(_ key: String) -> String { isJSON ? "\"\(key)\"" : "<key>\(key)</key>" }
    var lines = text.lines.map(String.init)
    guard lines.indices.contains(index),
      let range = lines[index].firstRange(of: spelt(misspelt.written.value))
    else { return nil }
    lines[index].replaceSubrange(range, with: spelt(misspelt.key))
    return lines.joined(separator: "\n")
  }

  /// Returns whether values of a file are replaced: of property lists, and of documents that a domain publishes.
  private static func isData(_ path: String) -> Bool {
    [".plist", ".json"].contains(where: path.hasSuffix) || DomainAssociationFacts.isName(fileName(path))
      || path.contains("/oauth-protected-resource")
  }

  /// Replaces the value that was found if its line has it once, or returns `nil` unless the fix is one literal: `"value"`,
  /// `"key": "value"`, or `"key": ["value"]`.
  private static func literal(_ text: String, with fix: String, _ finding: DoctorCheck) -> String? {
    let parts = fix.split(separator: "\"", omittingEmptySubsequences: false)
    let isListed = parts.count == 5 && parts[2] == ": [" && parts[4] == "]"
    guard parts[0].isEmpty, isListed || parts[parts.count - 1].isEmpty,
      parts.count == 3 || isListed || parts.count == 5 && parts[2] == ": ",
      case let value = parts[parts.count - 2], !value.contains(where: "<>&\\".contains),
      isData(finding.place.path), let line = text.range(ofLine: finding.place.line)
    else { return nil }
    let found = finding.check.found.trimming { $0 == "\"" }
    let places = text[line].ranges(of: found).filter { place in
      place.lowerBound > line.lowerBound && place.upperBound < line.upperBound
        && ["\"\"", "><"].contains("\(text[text.index(before: place.lowerBound)])\(text[place.upperBound])")
    }
    guard places.count == 1 else { return nil }
    let quoted = text.index(before: places[0].lowerBound)..<text.index(after: places[0].upperBound)
    return isListed
      ? text.replacing(quoted, with: "[\"\(value)\"]") : text.replacing(places[0], with: String(value))
  }

  /// Replaces the scheme of another bundle ID if its line has it once, or returns `nil`.
  private static func owning(_ text: String, _ finding: DoctorCheck) -> String? {
    guard let foreign = finding.foreignScheme, let line = text.range(ofLine: finding.place.line) else {
      return nil
    }
    let places = text[line].ranges(of: foreign.written).filter { place in
      let before = text[line.lowerBound..<place.lowerBound].last { !$0.isWhitespace }
      let after = text[place.upperBound..<line.upperBound].first
      return ["\"", "'", ">"].contains(before) && [":", "\"", "'", "<"].contains(after)
    }
    return places.count == 1 ? text.replacing(places[0], with: foreign.own) : nil
  }

  /// Replaces a type that MSAL for Android does not know, or an address, if the file has it once, or returns `nil`.
  private static func exchanging(_ text: String, with fix: String, _ finding: DoctorCheck) -> String? {
    let name = ["\"type\"", "\"authority_url\""].first { fix.hasPrefix($0 + ": ") }
    guard let name, finding.place.path.hasSuffix(".json") else { return nil }
    let values = text.ranges(of: "\"\(finding.check.found)\"")
    guard values.count == 1, let key = text[..<values[0].lowerBound].ranges(of: name).last,
      text[key.upperBound..<values[0].lowerBound].allSatisfy({ " :\t".contains($0) })
    else { return nil }
    return text.replacing(key.lowerBound..<values[0].upperBound, with: fix)
  }

  /// Makes the first authority the only default if none or several are, or returns `nil` for other findings.
  private static func defaulting(_ text: String, _ finding: DoctorCheck) -> String? {
    guard finding.rule == .defaultAuthority else { return nil }
    var entries = entries(of: text)
    func value(_ entry: Range<String.Index>) -> Range<String.Index>? {
      text[entry].firstRange(of: "\"default\"").flatMap { key in
        let word = text[key.upperBound..<entry.upperBound].drop { " :\t".contains($0) }.prefix(
          while: \.isLetter)
        return word.isEmpty ? nil : word.startIndex..<word.endIndex
      }
    }
    guard let chosen = entries.first(where: { value($0).map { text[$0] == "true" } ?? false }) else {
      guard let first = entries.first else { return nil }
      if let own = value(first) { return text.replacing(own, with: "true") }
      let next = text.index(after: first.lowerBound)
      return text.inserting("\"default\": true,", afterArray: next)
    }
    entries.removeAll { $0.lowerBound <= chosen.lowerBound }
    return entries.reversed().reduce(text) { text, entry in
      value(entry).map { text.replacing($0, with: "false") } ?? text
    }
  }

  /// Returns the ranges of the objects in the list of authorities.
  private static func entries(of text: String) -> [Range<String.Index>] {
    guard let key = text.firstRange(of: "\"authorities\""),
      let open = text[key.upperBound...].firstIndex(of: "[")
    else { return [] }
    var found: [Range<String.Index>] = []
    var (depth, start, isQuoted) = (0, open, false)
    for index in text[open...].indices.dropFirst() {
      let character = text[index]
      if character == "\"" { isQuoted.toggle() }
      guard !isQuoted else { continue }
      if character == "{" {
        if depth == 0 { start = index }
        depth += 1
      } else if character == "}" {
        depth -= 1
        if depth == 0 { found.append(start..<text.index(after: index)) }
      } else if character == "]", depth == 0 {
        break
      }
    }
    return found
  }

  // MARK: Property lists

  private static func propertyList(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    guard text.contains("<plist") else { return nil }
    if fix.hasPrefix("<string>") { return list(text, with: fix, place) }
    guard fix.hasPrefix("<key>"), let key = fix.lines.first.map(String.init) else { return nil }
    // After the key comes the value itself, or the elements to add to the existing array.
    let value = String(fix.dropFirst(key.count + 1))
    if let empty = text.rangesInMarkup(of: "<dict/>").first, text.rangesInMarkup(of: "</dict>").isEmpty {
      let inner = fix.lines.map { "  " + $0 }.joined(separator: "\n")
      return text.replacing(
        empty, with: text.indented("<dict>\n\(inner)\n</dict>", as: empty.lowerBound).trimmed)
    }
    guard let present = text.rangesInMarkup(of: key).first else {
      return text.rangesInMarkup(of: "</dict>").last.map { text.inserting(fix, before: $0.lowerBound) }
    }
    let rest = text[present.upperBound...]
    guard let next = rest.firstIndex(of: "<"), let end = text[next...].firstIndex(of: ">") else { return nil }
    guard value.hasPrefix("<array>") else {
      // `<false/>`, or another text.
      guard let close = value == "<true/>" ? end : text.end(of: "</string>", from: next) else { return nil }
      return text.replacing(next..<text.index(after: close), with: value.trimmed)
    }
    let element = next..<text.index(after: end)
    switch text[element] {
    case "<array/>":
      return text.replacing(element, with: text.indented(value, as: present.lowerBound).trimmed)
    case "<array>":
      let elements = value.lines.dropFirst().dropLast().joined(separator: "\n")
      return text.appending(elements, toArray: element.upperBound)
    default: return nil
    }
  }

  /// Adds strings to the array that begins at a line, or replaces the string of that line.
  private static func list(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    guard let range = text.range(ofLine: place.line) else { return nil }
    func first(_ part: String) -> Range<String.Index>? { text[range].firstRange(of: part) }
    if let array = first("<array>") {
      return first("<string>") == nil ? text.appending(fix, toArray: array.upperBound) : nil
    }
    if let array = first("<array/>") {
      let value = "<array>\n\(fix.lines.map { "  " + $0 }.joined(separator: "\n"))\n</array>"
      return text.replacing(array, with: text.indented(value, as: array.lowerBound).trimmed)
    }
    guard let start = first("<string>"), text[range].ranges(of: "<string>").count == 1,
      let end = text[start.upperBound..<range.upperBound].firstRange(of: "</string>")
    else { return nil }
    return text.replacing(start.lowerBound..<end.upperBound, with: fix)
  }

  /// The keys of the lists of strings that rules are about.
  private static let listKeys: [DoctorRule: String] = [
    .urlScheme: "CFBundleURLSchemes", .querySchemes: "LSApplicationQueriesSchemes",
    .keychainGroup: "keychain-access-groups", .googleSignIn: "CFBundleURLSchemes",
  ]

  /// Changes a list whose strings do not each have a line: replaces the string that resembles the new one, or adds the
  /// new ones.
  private static func element(_ text: String, with fix: String, _ finding: DoctorCheck) -> String? {
    guard fix.hasPrefix("<string>"), let name = listKeys[finding.rule],
      let line = text.range(ofLine: finding.place.line)
    else { return nil }
    let keys = text.rangesInMarkup(of: "<key>\(name)</key>").filter { $0.lowerBound <= line.upperBound }
    let arrays = keys.compactMap { key -> Range<String.Index>? in
      let rest = text[key.upperBound...]
      guard let start = rest.firstIndex(of: "<"), rest[start...].hasPrefix("<array>"),
        let end = rest[start...].firstRange(of: "</array>")
      else { return nil }
      return text.index(start, offsetBy: "<array>".count)..<end.lowerBound
    }
    let wanted = fix.dropFirst("<string>".count).dropLast("</string>".count).lowercased()
    for array in arrays {
      for start in text[array].ranges(of: "<string>") {
        guard let end = text[start.upperBound..<array.upperBound].firstRange(of: "</string>") else {
          continue
        }
        if text[start.upperBound..<end.lowerBound].trimmed.lowercased() == wanted {
          return text.replacing(start.lowerBound..<end.upperBound, with: fix)
        }
      }
    }
    return arrays.last.map { text.appending(fix, toArray: $0.lowerBound) }
  }

  // MARK: AndroidManifest.xml

  private static func manifest(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    let named = text.rangesInMarkup(of: "BrowserTabActivity\"").first
    if fix.hasPrefix("<activity") {
      guard named == nil, let end = text.rangesInMarkup(of: "</application>").last else { return nil }
      return text.inserting(fix, before: end.lowerBound)
    }
    if fix.hasPrefix("android:name=") { return name(text, with: fix, place) }
    if !fix.hasPrefix("android:exported"), fix.hasPrefix("android:") {
      return fix.lines.reduce(Optional(text)) { text, line in
        text.flatMap { attribute($0, with: String(line), place) }
      }
    }
    if fix.hasPrefix("<action ") || fix.hasPrefix("<category ") {
      guard let filter = filter(at: place, in: text), let open = text[filter].firstIndex(of: ">") else {
        return nil
      }
      return text.inserting(fix, afterArray: text.index(after: open))
    }
    if fix.hasPrefix("<data ") {
      // Android combines the parts of several elements.
      guard let filter = filter(at: place, in: text), case let all = text[filter].ranges(of: "<data"),
        all.count == 1, let end = text[all[0].upperBound..<filter.upperBound].firstRange(of: "/>")
      else { return nil }
      return text.replacing(all[0].lowerBound..<end.upperBound, with: fix)
    }
    if fix.hasPrefix("android:exported") {
      guard let line = text.range(ofLine: place.line),
        let tag = ["<activity-alias", "<activity", "<service", "<receiver"].lazy
          .compactMap({ text[line].firstRange(of: $0) }).first,
        let open = text[tag.upperBound...].firstIndex(of: ">")
      else { return nil }
      let old = text[tag.lowerBound...open].firstRange(of: "android:exported=\"false\"")
      return text.replacing(old ?? tag, with: old == nil ? "\(text[tag]) \(fix)" : fix)
    }
    guard fix.hasPrefix("<intent-filter"), let named,
      let start = text[..<named.lowerBound].ranges(of: "<activity").last,
      let open = text[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    guard text[..<open].hasSuffix("/") else {
      return text[open...].firstRange(of: "</activity>").map { text.inserting(fix, before: $0.lowerBound) }
    }
    let inner = fix.lines.map { "  " + $0 }.joined(separator: "\n")
    let filter = text.indented("\n\(inner)\n</activity>", as: start.lowerBound)
    return text.replacing(text.index(before: open)..<text.index(after: open), with: ">" + filter)
  }

  /// Replaces the name of the activity at a line.
  private static func name(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    guard let line = text.range(ofLine: place.line), let start = text[line].firstRange(of: "android:name=\""),
      let end = text[start.upperBound..<line.upperBound].firstIndex(of: "\"")
    else { return nil }
    return text.replacing(start.lowerBound..<text.index(after: end), with: fix)
  }

  /// Returns the intent filter that has an element beginning at a line.
  private static func filter(at place: FilePlace, in text: String) -> Range<String.Index>? {
    guard let line = text.range(ofLine: place.line),
      let start = text[..<line.upperBound].ranges(of: "<intent-filter").last,
      let end = text[start.upperBound...].firstRange(of: "</intent-filter>"),
      end.upperBound > line.lowerBound
    else { return nil }
    return start.lowerBound..<end.upperBound
  }

  /// Replaces an attribute in the intent filter that has an element beginning at a line: `android:path="/…"`.
  private static func attribute(_ text: String, with fix: String, _ place: FilePlace) -> String? {
    guard let equals = fix.firstRange(of: "=\""), let filter = filter(at: place, in: text),
      let line = text.range(ofLine: place.line)
    else { return nil }
    let all = text.rangesInMarkup(of: String(fix[..<equals.upperBound])).filter {
      filter.contains($0.lowerBound)
    }
    // Several elements may have the attribute; the finding is at the wrong one.
    guard let start = all.count == 1 ? all[0] : all.first(where: { $0.lowerBound >= line.lowerBound }),
      let quote = text[start.upperBound..<filter.upperBound].firstIndex(of: "\"")
    else { return nil }
    return text.replacing(start.lowerBound..<text.index(after: quote), with: fix)
  }

  // MARK: msal_config.json

  /// Applies a fix, which has a key with its value on each line.
  private static func configuration(_ text: String, with fix: String) -> String? {
    fix.lines.reduce(Optional(text)) { text, line in
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
      // Gson takes the last of two members, and takes a key without these quotes too.
      guard let open = text.firstIndex(of: "{"),
        (try? LenientJSON(text))?.value[String(key.dropFirst().dropLast())] == nil
      else { return nil }
      let next = text.index(after: open)
      return text.replacing(next..<next, with: "\n" + text.indentationUnit + fix + ",")
    }
    let rest = text[present.upperBound...]
    let value = rest.drop { $0 == " " || $0 == ":" || $0 == "\t" }
    var end = value.firstIndex { $0 == "," || $0 == "\n" || $0 == "}" }
    if value.first == "[" { end = value.firstIndex(of: "]").map { text.index(after: $0) } }
    if value.first == "\"" { end = value.dropFirst().firstIndex(of: "\"").map { text.index(after: $0) } }
    return end.map { text.replacing(present.lowerBound..<$0, with: fix) }
  }
}

// The lines of a fix are indented with two spaces for each level, and a file in its own way.
extension String {
  fileprivate func replacing(_ range: Range<Index>, with new: String) -> String {
    var changed = self
    changed.replaceSubrange(range, with: new)
    return changed
  }

  /// Returns the ranges of a text outside XML comments.
  fileprivate func rangesInMarkup(of part: String) -> [Range<Index>] {
    var comments: [Range<Index>] = []
    var rest = self[...]
    while let start = rest.firstRange(of: "<!--") {
      let end = rest[start.upperBound...].firstRange(of: "-->")?.upperBound ?? endIndex
      comments.append(start.lowerBound..<end)
      rest = rest[end...]
    }
    return ranges(of: part).filter { range in !comments.contains { $0.overlaps(range) } }
  }

  /// Returns the last character of the first occurrence of a text at or after an index.
  fileprivate func end(of part: String, from start: Index) -> Index? {
    self[start...].firstRange(of: part).map { index(before: $0.upperBound) }
  }

  /// Returns the range of a line, counted from 1, or `nil` if it does not exist.
  fileprivate func range(ofLine number: Int?) -> Range<Index>? {
    let all = lines
    guard let number, all.indices.contains(number - 1) else { return nil }
    return all[number - 1].startIndex..<all[number - 1].endIndex
  }

  /// The white space of one level: that of the first line that has any before an element or a key.
  fileprivate var indentationUnit: String {
    for line in lines {
      let white = line.prefix { $0 == " " || $0 == "\t" }
      guard !white.isEmpty, ["<", "\""].contains(line.dropFirst(white.count).first) else { continue }
      return white.first == "\t" ? "\t" : String(white)
    }
    return "  "
  }

  private func lineStart(at index: Index) -> Index {
    self[..<index].lastIndex(of: "\n").map { self.index(after: $0) } ?? startIndex
  }

  private func indentation(at index: Index) -> String {
    String(self[lineStart(at: index)...].prefix { $0 == " " || $0 == "\t" })
  }

  /// Returns the lines of a fix, indented like the line at an index.
  fileprivate func indented(_ fix: String, as index: Index) -> String {
    indented(fix, indentation(at: index))
  }

  private func indented(_ fix: String, _ base: String) -> String {
    let level = indentationUnit
    let common = fix.lines.first?.prefix { $0 == " " }.count ?? 0
    return fix.lines.map { line in
      let white = line.prefix { $0 == " " }.count
      guard white < line.count else { return "" }
      return base + String(repeating: level, count: max(white - common, 0) / 2) + line.dropFirst(white)
    }.joined(separator: "\n")
  }

  /// Inserts the lines of a fix as the last content of an element, before its closing tag.
  fileprivate func inserting(_ fix: String, before index: Index) -> String {
    let start = lineStart(at: index)
    let own = indentation(at: index)
    guard self[start..<index].allSatisfy({ $0 == " " || $0 == "\t" }) else {
      return replacing(
        index..<index, with: "\n" + indented(fix, own + indentationUnit) + "\n" + own)
    }
    let before = self[..<start].lines.last { !$0.trimmed.isEmpty } ?? ""
    let white = before.prefix { $0 == " " || $0 == "\t" }
    let isSibling = before.trimmed.hasPrefix("<") && white.count > own.count
    return replacing(
      start..<start, with: indented(fix, isSibling ? String(white) : own + indentationUnit) + "\n")
  }

  /// Inserts the lines of a fix as the last content of an array whose content begins at an index.
  ///
  /// The first group of `keychain-access-groups` is the app's default group (Apple: Sharing access to keychain items
  /// among a collection of apps), so it stays the first. An array of other lists gets its new element first.
  fileprivate func appending(_ fix: String, toArray index: Index) -> String {
    guard let end = rangesInMarkup(of: "</array>").first(where: { $0.lowerBound >= index }),
      rangesInMarkup(of: "<array").allSatisfy({ $0.lowerBound < index || $0.lowerBound > end.lowerBound })
    else { return inserting(fix, afterArray: index) }
    return inserting(fix, before: end.lowerBound)
  }

  /// Inserts the lines of a fix as the first content of an array or a filter, after its opening tag.
  fileprivate func inserting(_ fix: String, afterArray index: Index) -> String {
    let rest = self[index...]
    let line = rest.prefix { $0 != "\n" }
    guard line.trimmed.isEmpty else {
      return replacing(index..<index, with: fix.lines.map(\.trimmed).joined())
    }
    let next = rest.dropFirst(line.count + 1).prefix { $0 != "\n" }
    let white = String(next.prefix { $0 == " " || $0 == "\t" })
    let base =
      next.trimmed.isEmpty || next.trimmed.hasPrefix("</") ? indentation(at: index) + indentationUnit : white
    return replacing(index..<index, with: "\n" + indented(fix, base))
  }
}
