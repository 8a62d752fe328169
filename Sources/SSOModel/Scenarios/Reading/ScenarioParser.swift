import YAMLText

/// A parser that turns YAML text into a `ScenarioTree`.
///
/// A scenario may come from anywhere, so everything is limited while it is built: the size of the text, the depth, the
/// number of aliases, and the number of values with every alias expanded (otherwise, a few lines of nested aliases
/// would fill the memory).
package struct ScenarioParser {
  package static let largestFile = 4 << 20
  static let deepest = 64
  static let mostNodes = 100_000
  static let mostAliases = 16

  /// A value, with the size that an alias of it adds to the tree.
  private struct Built {
    var tree: ScenarioTree
    /// The text of a scalar, which is never null as a key.
    var text: String?
    /// The number of values in it.
    var count = 1
    /// The number of levels in it.
    var height = 1

    mutating func contain(_ part: Built) {
      count += part.count
      height = max(height, part.height + 1)
    }
  }

  private let file: String
  private let text: String
  private let events: YAMLEvents
  private var anchored: [String: Built] = [:]
  private var nodeCount = 0
  private var aliasCount = 0

  /// Parses YAML as a tree with lines, in which every alias is expanded.
  /// - Throws: `ScenarioError` if the text is not valid YAML, is too large, or is nested too deeply.
  package static func parse(_ text: String, file: String) throws(ScenarioError) -> ScenarioTree {
    guard text.utf8.count <= largestFile else {
      throw ScenarioError(file: file, "the file is larger than 4 MB")
    }
    var parser = try ScenarioParser(file: file, text: text)
    return try parser.document()
  }

  private init(file: String, text: String) throws(ScenarioError) {
    self.file = file
    self.text = text
    do throws(YAMLError) {
      events = try YAMLEvents(text)
    } catch {
      throw ScenarioError(file: file, line: error.line, error.text)
    }
  }

  private mutating func document() throws(ScenarioError) -> ScenarioTree {
    _ = try nextEvent()  // the start of the stream
    if case .streamEnd = try nextEvent().kind { throw ScenarioError(file: file, "the file is empty") }
    let root = try value(try nextEvent(), depth: 1)
    _ = try nextEvent()  // the end of the document
    let event = try nextEvent()
    guard case .streamEnd = event.kind else {
      throw ScenarioError(file: file, line: event.line, "this is not YAML: but found another document")
    }
    return root.tree
  }

  private mutating func value(_ event: YAMLEvent, depth: Int) throws(ScenarioError) -> Built {
    if case .alias(let name) = event.kind { return try alias(name, event, depth: depth) }
    if let limit = limit(adding: 1, height: 1, depth: depth) {
      throw ScenarioError(file: file, line: line(of: event), limit)
    }
    let built = try content(event, depth: depth)
    if let anchor = event.anchor { anchored[anchor] = built }
    return built
  }

  private mutating func content(_ event: YAMLEvent, depth: Int) throws(ScenarioError) -> Built {
    let place = ScenarioTree.Place(file: file, line: event.line)
    switch event.kind {
    case .listStart:
      var list = Built(tree: ScenarioTree(value: .null, place: place))
      var elements: [ScenarioTree] = []
      while let event = try nextInside() {
        let element = try value(event, depth: depth + 1)
        list.contain(element)
        elements.append(element.tree)
      }
      list.tree.value = .list(elements)
      return list
    case .mapStart: return try map(place, depth: depth)
    case .scalar(let text, let isQuoted):
      let isNull = !isQuoted && ["", "~", "null"].contains(text)
      return Built(
        tree: ScenarioTree(value: isNull ? .null : .scalar(text, isQuoted: isQuoted), place: place),
        text: text)
    default: throw ScenarioError(file: file, line: event.line, "this is not YAML")
    }
  }

  private mutating func map(_ place: ScenarioTree.Place, depth: Int) throws(ScenarioError) -> Built {
    var map = Built(tree: ScenarioTree(value: .null, place: place))
    var entries: [ScenarioTree.Entry] = []
    while let event = try nextInside() {
      let (key, keyPlace) = try key(event)
      let value = try value(try nextEvent(), depth: depth + 1)
      map.contain(value)
      entries.append(ScenarioTree.Entry(key: key, keyPlace: keyPlace, value: value.tree))
    }
    var first: [String: ScenarioTree.Place] = [:]
    var repeated: String?
    for entry in entries {
      if first[entry.key] == nil {
        first[entry.key] = entry.keyPlace
      } else {
        repeated = min(repeated ?? entry.key, entry.key)
      }
    }
    if let repeated { throw (first[repeated] ?? place).error(repeated, "occurs twice") }
    map.tree.value = .map(entries)
    return map
  }

  /// Reads a key, which must be a text and does not count as a value.
  private mutating func key(_ event: YAMLEvent) throws(ScenarioError) -> (String, ScenarioTree.Place) {
    let key: Built
    switch event.kind {
    case .alias(let name): key = try anchored(name, event)
    case .scalar:
      key = try content(event, depth: 1)
      if let anchor = event.anchor { anchored[anchor] = key }
    default: throw ScenarioError(file: file, line: event.line, "a key must be a text")
    }
    guard let text = key.text else {
      throw ScenarioError(file: file, line: key.tree.place.line, "a key must be a text")
    }
    return (text, key.tree.place)
  }

  private mutating func alias(_ name: String, _ event: YAMLEvent, depth: Int) throws(ScenarioError) -> Built {
    let built = try anchored(name, event)
    if let limit = limit(adding: built.count, height: built.height, depth: depth) {
      throw ScenarioError(file: file, line: built.tree.place.line, limit)
    }
    return built
  }

  /// Returns the value with an anchor.
  private mutating func anchored(_ name: String, _ event: YAMLEvent) throws(ScenarioError) -> Built {
    aliasCount += 1
    guard aliasCount <= Self.mostAliases else {
      throw ScenarioError(file: file, line: line(of: event), "more than \(Self.mostAliases) aliases")
    }
    guard let built = anchored[name] else {
      throw ScenarioError(file: file, line: event.line, "this is not YAML: found undefined alias")
    }
    return built
  }

  /// Counts values that join the tree at a depth, and returns the limit that they exceed, or `nil` if they do not
  /// exceed one.
  private mutating func limit(adding count: Int, height: Int, depth: Int) -> String? {
    nodeCount += count
    if nodeCount > Self.mostNodes { return "more than \(Self.mostNodes) values, aliases written out" }
    return depth + height - 1 > Self.deepest ? "values are nested more than \(Self.deepest) deep" : nil
  }

  private func nextEvent() throws(ScenarioError) -> YAMLEvent {
    do throws(YAMLError) {
      return try events.next()
    } catch {
      throw ScenarioError(file: file, line: error.line, error.text)
    }
  }

  /// Returns the next event of a list or a map, or `nil` at its end.
  private func nextInside() throws(ScenarioError) -> YAMLEvent? {
    let event = try nextEvent()
    if case .end = event.kind { return nil }
    return event
  }

  /// Returns the line of an event as an editor counts lines; YAML also ends a line at U+0085, U+2028, and U+2029.
  private func line(of event: YAMLEvent) -> Int {
    let before = String(String.UnicodeScalarView(text.unicodeScalars.prefix(event.offset)))
    return 1 + before.count { ["\n", "\r", "\r\n"].contains($0) }
  }
}
