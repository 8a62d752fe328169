import SSOCore

/// The values of a module in Python, as far as literals show them.
struct PythonSource {
  /// A value, of which only literals and names are known.
  indirect enum Value: Hashable {
    /// A text, in which `{…}` is a part that is not known.
    case text(String)
    case list([Item])
    /// A name with the names before it: `config.AUTHORITY`.
    case name([String])
    /// An item of a dictionary: `config["authority"]`, `config.get("authority")`.
    case item(of: [String], key: String)
    case other
  }

  /// A value and its line.
  struct Item: Hashable {
    var value: Value
    var line: Int
  }

  /// A call with its arguments.
  struct Call {
    /// The names of the function, the last of which is its own.
    var names: [String]
    var positional: [Item] = []
    var named: [String: Item] = [:]
    var line: Int

    func argument(_ name: String, at position: Int?) -> Item? {
      named[name] ?? position.flatMap { positional.indices.contains($0) ? positional[$0] : nil }
    }
  }

  let path: String
  private(set) var tokens: [SourceToken]
  /// The values of the names to which the module assigns one value.
  private(set) var constants: [String: Item] = [:]
  /// The items of dictionaries with one name.
  private(set) var dictionaries: [String: [String: Item]] = [:]
  private var repeated: Set<String> = []

  private static let argumentLimit = 60
  private static let depthLimit = 12

  init(_ text: String, path: String) {
    self.path = path
    tokens = PythonTokens.read(text)
    var depth = 0
    for index in tokens.indices {
      if Self.isOpening(tokens[index]) { depth += 1 }
      if Self.isClosing(tokens[index]) { depth = max(0, depth - 1) }
      if depth == 0 { takeAssignment(index) }
    }
    for name in repeated { constants[name] = nil }
  }

  private static func isOpening(_ token: SourceToken) -> Bool {
    token.isSymbol("(") || token.isSymbol("[") || token.isSymbol("{")
  }

  private static func isClosing(_ token: SourceToken) -> Bool {
    token.isSymbol(")") || token.isSymbol("]") || token.isSymbol("}")
  }

  private func isSymbol(_ symbol: Unicode.Scalar, _ index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSymbol(symbol)
  }

  private func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }
  private func text(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].text : nil }

  /// Reads `NAME = value`, `NAME: type = value`, and `self.name = value`.
  private mutating func takeAssignment(_ index: Int) {
    guard let name = word(index) else { return }
    let start = word(index - 2) == "self" && isSymbol(".", index - 1) ? index - 2 : index
    guard start == 0 || tokens[start - 1].line < tokens[start].line else { return }
    let equals = isSymbol(":", index + 1) && word(index + 2) != nil ? index + 3 : index + 1
    guard isSymbol("=", equals), !isSymbol("=", equals + 1) else { return }
    if constants[name] != nil || dictionaries[name] != nil { repeated.insert(name) }
    if isSymbol("{", equals + 1) {
      dictionaries[name] = members(at: equals + 1)
    } else {
      constants[name] = Item(value: value(at: equals + 1, 0).value, line: tokens[index].line)
    }
  }

  /// Returns the members of a dictionary by its brace.
  private func members(at open: Int) -> [String: Item] {
    var members: [String: Item] = [:]
    var index = open + 1
    while tokens.indices.contains(index), !isSymbol("}", index) {
      if let key = text(index), isSymbol(":", index + 1) {
        members[key] = Item(value: value(at: index + 2, 0).value, line: tokens[index].line)
      }
      index = end(from: index)
      if isSymbol(",", index) { index += 1 } else { break }
    }
    return members
  }

  /// Returns the index of the comma or the bracket that ends an argument.
  private func end(from start: Int) -> Int {
    var depth = 0
    for index in start..<tokens.count {
      if Self.isOpening(tokens[index]) { depth += 1 }
      if Self.isClosing(tokens[index]) { depth -= 1 }
      if depth < 0 || depth == 0 && isSymbol(",", index) { return index }
    }
    return tokens.count
  }

  /// Returns the value that begins at a token, and the index after it.
  private func value(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
    guard depth < Self.depthLimit, tokens.indices.contains(start) else { return (.other, start) }
    var (first, end) = primary(at: start, depth)
    while case .text(let text) = first, isSymbol("+", end) {
      let (next, after) = primary(at: end + 1, depth)
      if case .text(let other) = next { first = .text(text + other) } else { first = .text(text + "{…}") }
      end = after
    }
    let isEnd =
      !tokens.indices.contains(end) || isSymbol(",", end) || Self.isClosing(tokens[end])
      || tokens[end].line > tokens[end - 1].line && word(end) != "or" && word(end) != "if"
    return (isEnd ? first : .other, end)
  }

  private func primary(at start: Int, _ depth: Int) -> (value: Value, end: Int) {
    if let text = text(start) {
      var whole = text
      var index = start + 1
      while let next = self.text(index) { (whole, index) = (whole + next, index + 1) }
      if isSymbol(".", index), word(index + 1) == "format", isSymbol("(", index + 2) {
        return (.text(whole), end(from: index + 3) + 1)
      }
      if isSymbol("%", index) { return (.text(whole.replacing("%s", with: "{…}")), end(from: index)) }
      return (.text(whole), index)
    }
    if isSymbol("[", start) || isSymbol("(", start) {
      var items: [Item] = []
      var index = start + 1
      while tokens.indices.contains(index), !Self.isClosing(tokens[index]) {
        items.append(Item(value: value(at: index, depth + 1).value, line: tokens[index].line))
        index = end(from: index)
        if isSymbol(",", index) { index += 1 } else { break }
      }
      // Parentheses around one value do not make a tuple.
      if isSymbol("(", start), items.count == 1, !isSymbol(",", index - 1) {
        return (items[0].value, index + 1)
      }
      return (.list(items), index + 1)
    }
    guard let first = word(start), first.first?.isNumber == false else { return (.other, start + 1) }
    var names = [first]
    var index = start + 1
    while isSymbol(".", index), let next = word(index + 1) {
      if next == "get", isSymbol("(", index + 2), let key = text(index + 3) {
        let close = end(from: index + 3)
        return (isSymbol(")", close) ? .item(of: names, key: key) : .other, close + 1)
      }
      names.append(next)
      index += 2
    }
    if isSymbol("[", index), let key = text(index + 1), isSymbol("]", index + 2) {
      return (.item(of: names, key: key), index + 3)
    }
    if isSymbol("(", index) { return (.other, end(from: index + 1) + 1) }
    return (.name(names), index)
  }

  /// Returns the calls of functions with one of some names.
  func calls(of functions: Set<String>) -> [Call] {
    tokens.indices.compactMap { index in
      guard let name = word(index), functions.contains(name), isSymbol("(", index + 1),
        word(index - 1) != "def"
      else { return nil }
      var names = [name]
      var place = index
      while isSymbol(".", place - 1), let owner = word(place - 2) {
        names.insert(owner, at: 0)
        place -= 2
      }
      var call = Call(names: names, line: tokens[index].line)
      var next = index + 2
      while tokens.indices.contains(next), !isSymbol(")", next),
        call.positional.count + call.named.count < Self.argumentLimit
      {
        if let label = word(next), isSymbol("=", next + 1), !isSymbol("=", next + 2) {
          call.named[label] = Item(value: value(at: next + 2, 0).value, line: tokens[next].line)
        } else {
          call.positional.append(Item(value: value(at: next, 0).value, line: tokens[next].line))
        }
        next = end(from: next)
        if isSymbol(",", next) { next += 1 } else { break }
      }
      return call
    }
  }
}

/// A lexer that splits Python into words, strings, and symbols, without comments.
struct PythonTokens {
  private static let tokenLimit = 200_000

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var tokens: [SourceToken] = []

  static func read(_ text: String) -> [SourceToken] {
    var reader = PythonTokens(bytes: Array(text.utf8))
    while reader.position < reader.bytes.count, reader.tokens.count < tokenLimit { reader.readToken() }
    return reader.tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func readToken() {
    guard let first = byte() else { return }
    switch first {
    case UInt8(ascii: "\n"):
      line += 1
      position += 1
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\\"): position += 1
    case UInt8(ascii: "#"):
      while let next = byte(), next != UInt8(ascii: "\n") { position += 1 }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): readText(quote: first)
    case let first where Self.isWord(first):
      let start = position
      while let next = byte(), Self.isWord(next) { position += 1 }
      // `f"…"`, `rb'…'`
      let isPrefix =
        position - start < 3 && bytes[start..<position].allSatisfy { "fFrRbBuU".utf8.contains($0) }
      if isPrefix, let quote = byte(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        return readText(quote: quote)
      }
      let word = String(decoding: bytes[start..<position], as: UTF8.self)
      tokens.append(SourceToken(kind: .word(word), line: line))
    default:
      tokens.append(SourceToken(kind: .symbol(first), line: line))
      position += 1
    }
  }

  /// Reads a string, which ends no later than its line unless it has three quotes.
  private mutating func readText(quote: UInt8) {
    let isLong = byte(1) == quote && byte(2) == quote
    let start = line
    position += isLong ? 3 : 1
    var text: [UInt8] = []
    while let next = byte() {
      if next == quote, !isLong || byte(1) == quote && byte(2) == quote { break }
      if next == UInt8(ascii: "\n") {
        guard isLong else { break }
        line += 1
      }
      if next == UInt8(ascii: "\\"), let escaped = byte(1), escaped != UInt8(ascii: "\n") {
        text.append(escaped)
        position += 2
      } else {
        text.append(next)
        position += 1
      }
    }
    if byte() == quote { position += isLong ? 3 : 1 }
    tokens.append(SourceToken(kind: .text(String(decoding: text, as: UTF8.self)), line: start))
  }
}
