import SSOCore

/// The preprocessor that Xcode runs on an Info.plist with the build setting `INFOPLIST_PREPROCESS`.
///
/// Source: Apple, Build settings reference (`INFOPLIST_PREPROCESS`, `INFOPLIST_PREPROCESSOR_DEFINITIONS`,
/// `INFOPLIST_PREFIX_HEADER`).
struct PropertyListMacros {
  private var values: [String: String] = [:]
  /// Whether the files show all macros of a build.
  private var isKnown = true

  private static let lineLimit = 50_000
  private static let depthLimit = 64
  private static let macroLimit = 1000
  /// The maximum size, in bytes, of the text of a build: a short text may name a long value often.
  private static let sizeLimit = 1_048_576

  /// - Parameters:
  ///   - definitions: The value of the build setting: `DEBUG=1 SCHEME=msauth.com.example.app`.
  ///   - header: The text of the prefix header, or `nil` if it cannot be read.
  init(definitions: String, header: String? = "") {
    for word in definitions.split(whereSeparator: \.isWhitespace) {
      let parts = word.filter { !["\"", "'", "\\"].contains($0) }.split(separator: "=", maxSplits: 1)
      if let name = parts.first { set(name, parts.count == 2 ? String(parts[1]) : "1") }
    }
    isKnown = header.flatMap { apply($0) } != nil
  }

  private static func directive(_ line: Substring) -> (name: Substring, rest: Substring)? {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard text.first == "#" else { return nil }
    let words = text.dropFirst().drop { $0 == " " || $0 == "\t" }
    let name = words.prefix(while: \.isLetter)
    return name.isEmpty ? nil : (name, words[name.endIndex...])
  }

  private mutating func define(_ text: Substring) {
    let parts = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = parts.first, !name.contains("(") else { return }
    set(name, parts.count == 2 ? parts[1].trimmed : "")
  }

  private mutating func set(_ name: Substring, _ value: String) {
    if values.count < Self.macroLimit { values[String(name)] = value }
  }

  /// Returns the text of a build, with an empty line for each line that the build leaves out, or `nil` if a condition that
  /// cannot be evaluated or another file decides what is in it, or if the text is too long.
  func applied(to text: String) -> String? {
    var macros = self
    return isKnown ? macros.apply(text) : nil
  }

  /// Returns the text of a build like ``applied(to:)``, and keeps the macros that the text defines.
  private mutating func apply(_ text: String) -> String? {
    guard text.lines.count <= Self.lineLimit else { return nil }
    var lines: [String] = []
    var size = 0
    /// The open conditions: whether the lines are in the build, whether an earlier branch was, and whether the
    /// lines around the condition are.
    var open: [(isIn: Bool, wasIn: Bool, isAround: Bool)] = []
    for line in text.lines {
      let isIn = open.last?.isIn ?? true
      guard let (name, rest) = Self.directive(line) else {
        guard let line = isIn ? replaced(line, atMost: Self.sizeLimit - size) : "" else { return nil }
        size += line.utf8.count
        lines.append(line)
        continue
      }
      lines.append("")
      switch name {
      case "if", "ifdef", "ifndef":
        guard open.count < Self.depthLimit, let holds = holds(name, rest) else { return nil }
        open.append((isIn && holds, holds, isIn))
      case "elif", "else":
        guard let last = open.popLast(), let holds = name == "else" ? true : holds("if", rest) else {
          return nil
        }
        open.append((last.isAround && !last.wasIn && holds, last.wasIn || holds, last.isAround))
      case "endif": if open.popLast() == nil { return nil }
      case "include", "import": return nil
      case "undef": if isIn { values[rest.trimmed] = nil }
      case "define": if isIn { define(rest) }
      default: break
      }
    }
    return open.isEmpty ? lines.joined(separator: "\n") : nil
  }

  private func holds(_ name: Substring, _ rest: Substring) -> Bool? {
    guard name == "if" else { return (values[rest.trimmed] != nil) == (name == "ifdef") }
    var tokens = SourceTokens.read(String(rest))[...]
    let value = either(&tokens, 0)
    return tokens.isEmpty ? value.map { $0 != 0 } : nil
  }

  private func either(_ tokens: inout ArraySlice<SourceToken>, _ depth: Int) -> Int? {
    guard depth < Self.depthLimit, var value = both(&tokens, depth) else { return nil }
    while Self.take("|", "|", &tokens) {
      guard let next = both(&tokens, depth) else { return nil }
      value = value != 0 || next != 0 ? 1 : 0
    }
    return value
  }

  private func both(_ tokens: inout ArraySlice<SourceToken>, _ depth: Int) -> Int? {
    guard var value = equal(&tokens, depth) else { return nil }
    while Self.take("&", "&", &tokens) {
      guard let next = equal(&tokens, depth) else { return nil }
      value = value != 0 && next != 0 ? 1 : 0
    }
    return value
  }

  private func equal(_ tokens: inout ArraySlice<SourceToken>, _ depth: Int) -> Int? {
    guard let value = single(&tokens, depth) else { return nil }
    let isEqual = Self.take("=", "=", &tokens)
    guard isEqual || Self.take("!", "=", &tokens) else { return value }
    return single(&tokens, depth).map { ($0 == value) == isEqual ? 1 : 0 }
  }

  private func single(_ tokens: inout ArraySlice<SourceToken>, _ depth: Int) -> Int? {
    guard let first = tokens.popFirst() else { return nil }
    if first.isSymbol("!") { return single(&tokens, depth + 1).map { $0 == 0 ? 1 : 0 } }
    if first.isSymbol("(") {
      let value = either(&tokens, depth + 1)
      return tokens.popFirst()?.isSymbol(")") == true ? value : nil
    }
    guard let word = first.word else { return nil }
    guard word == "defined" else { return Int(values[word] ?? word) ?? (values[word] == nil ? 0 : nil) }
    let isInBrackets = tokens.first?.isSymbol("(") == true
    if isInBrackets { tokens.removeFirst() }
    guard let name = tokens.popFirst()?.word else { return nil }
    if isInBrackets, tokens.popFirst()?.isSymbol(")") != true { return nil }
    return values[name] == nil ? 0 : 1
  }

  /// Takes an operator of two symbols, and returns whether the tokens begin with it.
  private static func take(
    _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ tokens: inout ArraySlice<SourceToken>
  ) -> Bool {
    guard tokens.count > 1, tokens[tokens.startIndex].isSymbol(first),
      tokens[tokens.startIndex + 1].isSymbol(second)
    else { return false }
    tokens.removeFirst(2)
    return true
  }

  /// Returns a line with the values of the macros in it, or `nil` if it then has more than `limit` bytes.
  private func replaced(_ line: Substring, atMost limit: Int) -> String? {
    var result = ""
    var rest = line
    while let first = rest.first, result.utf8.count <= limit {
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      result += word.isEmpty ? String(first) : values[String(word)] ?? String(word)
      rest = rest.dropFirst(max(word.count, 1))
    }
    return result.utf8.count <= limit ? result : nil
  }
}
