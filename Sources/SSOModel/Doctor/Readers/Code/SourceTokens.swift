import SSOCore

/// The languages whose sources are scanned.
enum SourceLanguage {
  case swift, objectiveC, script

  init?(_ path: String) {
    // Most files of a large project have other endings, so check before splitting or changing anything.
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")),
      path.utf8.distance(from: dot, to: path.endIndex) <= 6
    else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "swift": self = .swift
    case "m", "mm", "h", "pch": self = .objectiveC
    case "js", "jsx", "ts", "tsx", "mjs", "vue": self = .script
    default: return nil
    }
  }

  /// The endings of scripts of React's apps.
  static let scriptEndings = [".js", ".jsx", ".ts", ".tsx"]

  /// Returns whether a file is a source of an app for Apple's platforms.
  static func isSource(_ name: String) -> Bool {
    SourceLanguage(name).map { $0 != .script } ?? false
  }
}

/// A token of source code; comments do not produce tokens.
struct SourceToken: Hashable {
  enum Kind: Hashable {
    case word(String)
    /// A string literal, in which an interpolation of Swift or of a script is written as `$(code)`.
    case text(String)
    case symbol(UInt8)
  }

  var kind: Kind
  var line: Int

  var word: String? { if case .word(let word) = kind { word } else { nil } }
  var text: String? { if case .text(let text) = kind { text } else { nil } }

  func isSymbol(_ symbol: Unicode.Scalar) -> Bool { kind == .symbol(UInt8(ascii: symbol)) }
}

/// A lexer that splits source code into words, strings, and symbols, without comments.
///
/// It knows only as much of Swift, Objective-C, and scripts as a search for names and literals needs. A string that is
/// neither in triple quotes nor in backticks ends no later than its line, so that a mistake in the lexer costs one
/// line.
struct SourceTokens {
  private static let tokenLimit = 500_000

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// Whether comments nest, until one does not end that way: `/**` in a comment may be a path pattern.
  private var nestsComments: Bool
  private var tokens: [SourceToken] = []

  /// Returns the tokens of a source, whose path tells its language.
  static func read(_ source: String, of path: String = "") -> [SourceToken] {
    var reader = SourceTokens(bytes: Array(source.utf8), nestsComments: nestsComments(path))
    reader.readAll()
    return reader.tokens
  }

  private init(bytes: [UInt8], nestsComments: Bool) {
    (self.bytes, self.nestsComments) = (bytes, nestsComments)
  }

  /// Returns whether comments nest in the language of a file, as in Swift, Kotlin, and Dart; `true` if it is not known.
  private static func nestsComments(_ path: String) -> Bool {
    let ending = fileName(path).split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    return ending.map { ["swift", "kt", "kts", "dart"].contains($0) } ?? true
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < bytes.count {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  private mutating func readAll() {
    while let byte = byte(), tokens.count < Self.tokenLimit {
      if Self.isWord(byte) {
        readWord()
      } else if byte == UInt8(ascii: "/"), self.byte(1) == byte {
        while let byte = self.byte(), byte != UInt8(ascii: "\n") { position += 1 }
      } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*") {
        skipComment()
      } else if byte == UInt8(ascii: "\""), starts(with: "\"\"\"") {
        readText(quote: UInt8(ascii: "\""), count: 3, hashes: 0)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        readText(quote: byte, count: 1, hashes: 0)
      } else if byte == UInt8(ascii: "`") {
        readText(quote: byte, count: 1, hashes: 0)
      } else if byte == UInt8(ascii: "#"), let hashes = rawQuote() {
        position += hashes
        let isLong = starts(with: "\"\"\"")
        readText(quote: UInt8(ascii: "\""), count: isLong ? 3 : 1, hashes: hashes)
      } else {
        if byte > 0x20 { tokens.append(SourceToken(kind: .symbol(byte), line: line)) }
        advance()
      }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
    default: false
    }
  }

  private mutating func readWord() {
    let start = position
    while let byte = byte(), Self.isWord(byte) { position += 1 }
    tokens.append(
      SourceToken(kind: .word(String(decoding: bytes[start..<position], as: UTF8.self)), line: line))
  }

  /// Skips a block comment.
  private mutating func skipComment() {
    let start = (position: position, line: line)
    var depth = 0
    repeat {
      if starts(with: "/*"), depth == 0 || nestsComments {
        depth += 1
        advance(2)
      } else if starts(with: "*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && position < bytes.count
    guard depth > 0, nestsComments else { return }
    nestsComments = false
    (position, line) = start
    skipComment()
  }

  /// Returns the number of `#` before a quotation mark here, or `nil` if this is not a raw Swift string.
  private func rawQuote() -> Int? {
    var count = 0
    while byte(count) == UInt8(ascii: "#"), count < 8 { count += 1 }
    return byte(count) == UInt8(ascii: "\"") ? count : nil
  }

  private mutating func readText(quote: UInt8, count: Int, hashes: Int) {
    let start = line
    advance(count)
    let closer =
      [UInt8](repeating: quote, count: count) + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let spansLines = count == 3 || quote == UInt8(ascii: "`")
    var text: [UInt8] = []
    while let byte = byte() {
      if byte == quote, count + hashes == 1 || bytes[position...].starts(with: closer) {
        advance(closer.count)
        break
      }
      if byte == UInt8(ascii: "\n"), !spansLines { break }
      if byte == UInt8(ascii: "\\"), hashes == 0 {
        readEscape(into: &text)
      } else if byte == UInt8(ascii: "$"), quote == UInt8(ascii: "`"), self.byte(1) == UInt8(ascii: "{") {
        advance(2)
        readInterpolation(into: &text, closing: UInt8(ascii: "}"), opening: UInt8(ascii: "{"))
      } else {
        text.append(byte)
        advance()
      }
    }
    tokens.append(SourceToken(kind: .text(String(decoding: text, as: UTF8.self)), line: start))
  }

  private mutating func readEscape(into text: inout [UInt8]) {
    guard let escaped = byte(1) else { return advance() }
    if escaped == UInt8(ascii: "(") {
      advance(2)
      return readInterpolation(into: &text, closing: UInt8(ascii: ")"), opening: UInt8(ascii: "("))
    }
    if escaped != UInt8(ascii: "\n") { text.append(escaped == UInt8(ascii: "n") ? 0x0A : escaped) }
    advance(2)
  }

  private mutating func readInterpolation(into text: inout [UInt8], closing: UInt8, opening: UInt8) {
    text += "$(".utf8
    var depth = 1
    // A formatter breaks a long template in `${`, and nowhere else.
    let spansLines = opening == UInt8(ascii: "{")
    while let byte = byte(), spansLines || byte != UInt8(ascii: "\n") {
      if byte == opening { depth += 1 }
      if byte == closing { depth -= 1 }
      advance()
      if depth == 0 { break }
      if byte != UInt8(ascii: "\n") { text.append(byte) }
    }
    text.append(UInt8(ascii: ")"))
  }
}

/// The nested blocks in braces of a source file, which decide what a name represents.
struct SourceBlocks {
  private struct Block {
    var parent: Int?
    /// The type that the block declares or extends.
    var owner: String?
    var isProtocol = false
  }

  /// The block of the whole file.
  static let file = 0

  private var all = [Block()]
  private(set) var current = SourceBlocks.file
  /// The type that the next block declares.
  private var next: (owner: String, isProtocol: Bool)?

  private static let keywords: Set = ["class", "struct", "enum", "extension", "actor", "protocol"]
  private static let members: Set = ["func", "var", "let", "init", "subscript"]

  /// Takes a word that may begin the declaration of a type, and the word that follows it.
  mutating func take(_ word: String, before name: String?) {
    guard Self.keywords.contains(word), let name, !Self.members.contains(name) else { return }
    next = (name, word == "protocol")
  }

  mutating func open() {
    all.append(Block(parent: current, owner: next?.owner, isProtocol: next?.isProtocol ?? false))
    current = all.count - 1
    next = nil
  }

  mutating func close() { current = all[current].parent ?? SourceBlocks.file }

  /// Returns a block and the blocks that contain it, from the inside to the outside.
  func chain(of block: Int) -> [Int] {
    var chain = [block]
    while let parent = all[chain[chain.count - 1]].parent { chain.append(parent) }
    return chain
  }

  /// Returns the types that contain a block.
  func owners(of block: Int) -> Set<String> { Set(chain(of: block).compactMap { all[$0].owner }) }

  /// Returns the innermost type that contains a block.
  func owner(of block: Int) -> String? { chain(of: block).lazy.compactMap { self.all[$0].owner }.first }

  /// Returns the innermost block of a type that contains a block, or the file.
  func type(around block: Int) -> Int {
    chain(of: block).first { all[$0].owner != nil } ?? SourceBlocks.file
  }

  /// Returns whether a declaration in a block is one of a type or of the file, so that others can see it.
  func isVisible(_ block: Int) -> Bool {
    chain(of: block).allSatisfy { $0 == SourceBlocks.file || all[$0].owner != nil && !all[$0].isProtocol }
  }
}
