import YAMLText

/// A reader of YAML as the values of a property list, with their lines.
enum YAMLDocument {
  private static let mostNodes = 50_000

  /// - Throws: `ReadingError` with the line at which the text is not valid YAML.
  static func read(_ text: String) throws(ReadingError) -> PropertyListNode {
    do throws(YAMLError) {
      let events = try YAMLEvents(text)
      _ = try events.next()  // the start of the stream
      guard case .documentStart = try events.next().kind else { return PropertyListNode(.dictionary([])) }
      var reading = Reading(events: events)
      return try reading.value(try events.next(), depth: 0)
    } catch {
      throw ReadingError(line: error.line, error.text)
    }
  }

  private struct Reading {
    let events: YAMLEvents
    private var anchored: [String: PropertyListNode] = [:]
    private var count = 0

    init(events: YAMLEvents) { self.events = events }

    mutating func value(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> PropertyListNode {
      count += 1
      guard count < YAMLDocument.mostNodes, depth < PropertyListNode.depthLimit else {
        throw YAMLError(line: event.line, text: "too many values, or nested too deeply")
      }
      var node = PropertyListNode(.string(""), line: event.line)
      switch event.kind {
      case .alias(let name):
        guard let known = anchored[name] else {
          throw YAMLError(line: event.line, text: "an alias without its anchor")
        }
        count += known.count
        return known
      case .listStart:
        var elements: [PropertyListNode] = []
        while let next = try nextInside() { elements.append(try value(next, depth: depth + 1)) }
        node.value = .array(elements)
      case .mapStart:
        var entries: [PropertyListNode.Entry] = []
        while let next = try nextInside() {
          let key = try value(next, depth: depth + 1)
          let value = try value(try events.next(), depth: depth + 1)
          entries.append(.init(key: key.text ?? "", line: key.line, value: value))
        }
        node.value = .dictionary(entries.withMergedMaps)
      case .scalar(let text, let isQuoted):
        let isFlag = !isQuoted && ["true", "false", "yes", "no"].contains(text.lowercased())
        node.value = isFlag ? .bool(["true", "yes"].contains(text.lowercased())) : .string(text)
      case .end, .documentStart, .documentEnd, .streamStart, .streamEnd:
        throw YAMLError(line: event.line, text: "this is not YAML")
      }
      if let anchor = event.anchor { anchored[anchor] = node }
      return node
    }

    private func nextInside() throws(YAMLError) -> YAMLEvent? {
      let event = try events.next()
      if case .end = event.kind { return nil }
      return event
    }
  }
}

extension PropertyListNode {
  /// A scalar of YAML as text, as a build setting has it.
  var text: String? { string ?? bool.map { $0 ? "YES" : "NO" } }

  /// The number of values in it.
  fileprivate var count: Int {
    (array ?? []).reduce(1) { $0 + $1.count } + (dictionary ?? []).reduce(0) { $0 + $1.value.count }
  }
}

extension [PropertyListNode.Entry] {
  /// The entries with those of `<<` that the map does not have itself (yaml.org, “Merge Key Language-Independent Type”).
  fileprivate var withMergedMaps: Self {
    let merged = filter { $0.key == "<<" }.flatMap { entry in
      (entry.value.array ?? [entry.value]).flatMap { $0.dictionary ?? [] }
    }
    return filter { $0.key != "<<" }
      + merged.filter { other in !contains { $0.key == other.key } }
  }
}
