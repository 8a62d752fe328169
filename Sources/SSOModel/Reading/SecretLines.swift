import SSOCore

/// A mask for the secrets that another line names: the next line of a list of variables, a column of a table, a block of
/// YAML, the body of a private key, and the answer to a server's question for a password.
///
/// A line is read alone, so its bytes are masked in place, before anything else is read from them.
struct SecretLines {
  private enum Expected {
    case nothing
    /// The value of the name above it: `value: lamp`, `<string>lamp</string>`.
    case value
    /// The arguments of a call that takes a name and a password, of which this many have ended.
    case arguments(Int)
    /// Lines with a larger indent than this.
    case block(indent: Int)
    /// A word without a name, perhaps below blank lines.
    case word
    /// Codes, alone in their lines; `isFirst` if none was there yet, and the first may be any word.
    case codes(isFirst: Bool)
    /// An answer in base64 to a server that asks for a username or a password (RFC 4954 §4).
    case answer
    /// The lines before `-----END` (RFC 7468 §2).
    case key
    /// The rest of a token whose line a terminal, an editor, or a logger broke, behind as much of `head` as the logger repeats;
    /// `isQuoted` if its quotation mark has not ended.
    case rest(head: [UInt8], isQuoted: Bool)
    /// Rows with as many cells as the header, with secrets in some of the cells.
    case table(separator: UInt8, count: Int, secrets: [Int])
  }

  private var expected = Expected.nothing
  /// The longest line that may name a secret of the next line, or be a row of a table.
  private static let longest = 600

  /// Forgets the lines above, because a line of an SDK's log follows.
  mutating func reset() {
    if case .nothing = expected { return }
    expected = .nothing
  }

  /// Masks the secrets in the next line that lines above it name, and the secrets in its own cells.
  mutating func mask(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>) {
    let whole = LineBytes(UnsafeBufferPointer(bytes))
    let line = whole[range]
    let isOver = maskExpected(bytes, range, line)
    guard isOver, line.count >= 4 else { return }
    defer {
      if case .nothing = expected, let rest = Self.rest(of: line) { expected = rest }
    }
    guard line.count <= Self.longest, Self.mayNameSecret(line) else { return }
    if let next = Self.expectation(of: line) {
      expected = next
      return
    }
    if maskCells(bytes, range, line) { return }
    if Self.announcesCodes(line) {
      expected = .codes(isFirst: line.text(0..<line.count).trimmed.hasSuffix(":"))
    }
  }

  /// Masks the secrets in the cells of a row, and returns whether the row has any or is a header that names them.
  private mutating func maskCells(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>, _ line: LineBytes
  ) -> Bool {
    guard let separator = Self.separator(of: line) else { return false }
    let cells = Self.cells(of: line, separator)
    let values = Self.secretCells(line, cells)
    for index in values { Self.fill(bytes, cells[index], from: range.lowerBound) }
    guard values.isEmpty else { return true }
    let secrets = Self.isHeader(line, cells, separator) ? Self.named(line, cells) : []
    guard !secrets.isEmpty else { return false }
    expected = .table(separator: separator, count: cells.count, secrets: secrets)
    return true
  }

  /// Masks what the lines above say is a secret, and returns whether the line may itself say something of the next one.
  private mutating func maskExpected(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>, _ line: LineBytes
  ) -> Bool {
    let text = line.trimmed(0..<line.count)
    switch expected {
    case .nothing: return true
    case .value:
      expected = .nothing
      if let value = Self.value(in: line) { Self.fill(bytes, value, from: range.lowerBound) }
    case .arguments(let count):
      expected = .nothing
      let (place, passed) = Self.password(among: line, text, after: count)
      if let place {
        Self.fill(bytes, place, from: range.lowerBound)
      } else if let passed {
        expected = .arguments(passed)
      }
    case .block(let indent):
      guard text.isEmpty || text.lowerBound > indent else {
        expected = .nothing
        return true
      }
      Self.fill(bytes, text, from: range.lowerBound)
      return false
    case .word:
      guard !text.isEmpty else { return false }
      expected = .nothing
      if let word = Self.word(in: line, text) { Self.fill(bytes, word, from: range.lowerBound) }
    case .codes(let isFirst):
      guard !text.isEmpty else { return false }
      guard let codes = Self.codes(in: line, text) ?? (isFirst ? Self.word(in: line, text) : nil) else {
        expected = .nothing
        return true
      }
      expected = .codes(isFirst: false)
      Self.fill(bytes, codes, from: range.lowerBound)
      return false
    case .answer:
      expected = .nothing
      let start = line.index(of: 0x20, from: text.lowerBound).map { $0 < text.lowerBound + 4 ? $0 + 1 : 0 }
      let answer = max(start ?? 0, text.lowerBound)..<text.upperBound
      if answer.count >= 4, answer.count.isMultiple(of: 4),
        line[answer].bytes.allSatisfy(TextScanner.isBase64)
      {
        Self.fill(bytes, answer, from: range.lowerBound)
      }
    case .key:
      guard line.index(of: "-----END") == nil else {
        expected = .nothing
        return false
      }
      // The headers of an encrypted key (RFC 1421 §4.4) are not secret.
      if line.index(of: ": ") == nil { Self.fill(bytes, text, from: range.lowerBound) }
      return false
    case .rest(let head, let isQuoted):
      let start = Self.start(ofRestIn: line, text, behind: head)
      let end = line[0..<text.upperBound].index(from: start, skipping: Self.isPartOfToken)
      let isWhole = end == text.upperBound
      if !isWhole || text.isEmpty { expected = .nothing }
      guard end > start, isWhole || "\"'".utf8.contains(line[end]),
        isQuoted || Self.isOpaque(line[start..<end])
      else {
        expected = .nothing
        return true
      }
      Self.fill(bytes, start..<end, from: range.lowerBound)
      return false
    case .table(let separator, let count, let secrets):
      let cells = Self.cells(of: line, separator)
      guard cells.count == count else {
        expected = .nothing
        return true
      }
      for index in secrets where line[cells[index]].bytes.contains(where: { !"-: ".utf8.contains($0) }) {
        Self.fill(bytes, cells[index], from: range.lowerBound)
      }
      return false
    }
    return true
  }

  /// Returns the only word of a line, without quotation marks, or `nil` if there are more, or if it is an error.
  private static func word(in line: LineBytes, _ text: Range<Int>) -> Range<Int>? {
    let bare = unquoted(line, text)
    let isWord =
      line[bare].index(of: 0x20) == nil && line[bare].index(of: 0x3A) == nil && bare.count <= 128
      && !line.hasText("AADSTS", at: bare.lowerBound)
    return isWord ? bare : nil
  }

  /// Returns the codes of a line that has nothing else, perhaps behind the mark of a list: `84712963`, `- k3j9-x8q2`,
  /// `2. 8471 2963`; or `nil` if there is anything else.
  private static func codes(in line: LineBytes, _ text: Range<Int>) -> Range<Int>? {
    var start = line[0..<text.upperBound].index(from: text.lowerBound) { "-*+ ".utf8.contains($0) }
    if line.hasText("•", at: start) { start += 3 }
    let number = line[0..<text.upperBound].index(from: start, skipping: \.isDigit)
    if number > start, number - start < 3, number < text.upperBound, ".)".utf8.contains(line[number]) {
      start = number + 1
    }
    let codes = line.trimmed(start..<text.upperBound)
    let words = line[codes].bytes.split { " ,\t".utf8.contains($0) }
    guard (1...8).contains(words.count), codes.count <= 128 else { return nil }
    let areCodes = words.allSatisfy { word in
      let bare = word.drop { "\"'`".utf8.contains($0) }.prefix { !"\"'`".utf8.contains($0) }
      return bare.count >= 4 && bare.contains(where: \.isDigit)
        && bare.allSatisfy { $0.isDigit || $0.isLetter || $0 == 0x2D }
        && ![Array("0x".utf8), Array("AADSTS".utf8), Array("CAA".utf8)].contains(where: bare.starts)
    }
    return areCodes ? codes : nil
  }

  /// Writes stars over a secret, at most eight, so that they do not tell its length.
  private static func fill(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ place: Range<Int>, from start: Int) {
    let line = LineBytes(UnsafeBufferPointer(rebasing: bytes[start..<start + place.upperBound]))
    let place = unquoted(line, line.trimmed(place))
    for (offset, index) in place.enumerated() {
      bytes[start + index] = offset < 8 ? UInt8(ascii: "*") : 0x20
    }
  }

  private static func unquoted(_ line: LineBytes, _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, "\"'`*".utf8.contains(line[start]) { start += 1 }
    while end > start, "\"'`*,".utf8.contains(line[end - 1]) { end -= 1 }
    return start..<end
  }

  /// Returns whether a line may name a secret, which is faster to say than where.
  private static func mayNameSecret(_ line: LineBytes) -> Bool {
    let last = line[line.count - 1]
    return last == 0x3A && line.count <= 48 || line[0] == 0x2D || line.hasText("334", at: 0)
      || line.hasText("334", at: 3)
      || marks.occur(in: line) || marksOfCodes.occur(in: line)
      || line.index(of: tab) != nil && line.index(of: "\tTRUE\t") != nil
  }

  /// Parts of the names of secrets, and of what announces them.
  private static let marks = LetterMarks(
    "assw pass pwd: pwd= secr toke _key -key cook sess ests otp, otp; totp wort wach ntra senh hasl user -beg .sid"
  )

  /// Parts of the names of codes that stand in for a lost device, or of several that are used once.
  private static let marksOfCodes = LetterMarks("ecov ckup odes scod lcod cupe cupé")

  // MARK: - Names of secrets

  /// Returns whether a sentence names codes that may be in the lines below it: `I still have my recovery codes`.
  private static func announcesCodes(_ line: LineBytes) -> Bool {
    marksOfCodes.occur(in: line) && SecretLabel.namesCodes(line.text(0..<line.count))
  }

  /// Returns what a line says of the next one, or `nil` if it says nothing.
  private static func expectation(of line: LineBytes) -> Expected? {
    let text = line.trimmed(0..<line.count)
    if line.index(of: "-----BEGIN") != nil {
      return line.index(of: "PRIVATE KEY-----") != nil && line.index(of: "-----END") == nil ? .key : nil
    }
    if asksForAnswer(line, text) { return .answer }
    if let head = endsInToken(line, text) { return .rest(head: head, isQuoted: true) }
    // FTP and POP3 (RFC 959 §4.1.1, RFC 1939 §7).
    if line.hasText("USER ", at: text.lowerBound) || line.hasText(": USER ", at: text.lowerBound + 1) {
      return .value
    }
    switch line[text.upperBound - 1] {
    // `clientSecret: |`
    case UInt8(ascii: "|"), UInt8(ascii: "-"), UInt8(ascii: ">"):
      if line.hasText("=>", at: text.upperBound - 2) {
        return isName(onlyWord(in: line, text)) ? .value : nil
      }
      guard let colon = line.index(of: 0x3A, from: text.lowerBound),
        line[colon + 1..<text.upperBound].bytes.allSatisfy({ " |>-+".utf8.contains($0) }),
        isName(onlyWord(in: line, text.lowerBound..<colon))
      else { return followsName(line, text) ? .value : nil }
      return .block(indent: text.lowerBound)
    // `Password:`
    case UInt8(ascii: ":"):
      let words = line.text(text.lowerBound..<text.upperBound - 1)
      guard words.utf8.count <= 40, SecretLabel.ends(words) else { return nil }
      return SecretLabel.namesCodes(words) ? .codes(isFirst: true) : .word
    // `acquire_token_by_username_password(`
    case UInt8(ascii: "("):
      let name = line.text(text).lowercased()
      return name.hasSuffix("username_password(") || name.hasSuffix("usernamepassword(") ? .arguments(0) : nil
    default: return followsName(line, text) ? .value : nil
    }
  }

  /// Returns the place of the first literal that is not the first argument of a call, nor a list or an address; and, if
  /// there is none and the call goes on, how many arguments have ended.
  private static func password(
    among line: LineBytes, _ text: Range<Int>, after count: Int
  ) -> (place: Range<Int>?, passed: Int?) {
    var (count, index, depth) = (count, text.lowerBound, 0)
    while index < text.upperBound {
      switch line[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 { return (nil, nil) }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { count += 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let end = line[0..<text.upperBound].index(of: line[index], from: index + 1) ?? text.upperBound
        let literal = index + 1..<end
        if depth == 0, count > 0, !literal.isEmpty, !line[literal].bytes.contains(0x40) {
          return (literal, nil)
        }
        index = end
      default: break
      }
      index += 1
    }
    return (nil, count < 4 ? count : nil)
  }

  /// Returns whether a mail server asks for the next part of a sign-in: `334 VXNlcm5hbWU6`.
  private static func asksForAnswer(_ line: LineBytes, _ text: Range<Int>) -> Bool {
    var start = text.lowerBound
    for mark: StaticString in ["S: ", "< ", "<- ", "<<< "] where line.hasText(mark, at: start) {
      start += mark.utf8CodeUnitCount
    }
    return line.hasText("334", at: start) && (line[start + 3] == 0x20 || start + 3 == text.upperBound)
  }

  /// Returns whether a line is the name of a variable whose value is in the next line: `- name: CLIENT_SECRET`,
  /// `<key>client_secret</key>`, `<setting name="Password" serializeAs="String">`.
  private static func followsName(_ line: LineBytes, _ text: Range<Int>) -> Bool {
    guard text.count <= 160, line.index(of: "ame") ?? line.index(of: "AME") ?? line.index(of: "ey") != nil
    else {
      return false
    }
    var words: [Range<Int>] = []
    var index = text.lowerBound
    while index < text.upperBound, words.count < 8 {
      let end = line.index(from: index, skipping: isPartOfName)
      if end > index { words.append(index..<end) }
      index = max(end, index) + (end > index ? 0 : 1)
    }
    guard words.count <= 6 else { return false }
    return zip(words, words.dropFirst()).contains { key, name in
      ["name", "key", "header", "variable"].contains(line.text(key).lowercased()) && isName(line.text(name))
    }
  }

  /// Returns what is before the token within whose quotation marks a line ends, or `nil` if it does not:
  /// `"id_token":"eyJ0eXAiOiJKV1QiLCJhbGciOiJS`.
  private static func endsInToken(_ line: LineBytes, _ text: Range<Int>) -> [UInt8]? {
    let bytes = line[text].bytes
    guard let last = bytes.lastIndex(where: { !isPartOfToken($0) }), "\"'".utf8.contains(bytes[last]),
      bytes.endIndex - last > shortestPart, isNamed(bytes[..<last])
    else { return nil }
    return Array(line[0..<text.lowerBound].bytes) + Array(bytes[...last])
  }

  /// Returns whether the name of a secret is before its value.
  private static func isNamed(_ before: some Sequence<UInt8>) -> Bool {
    let name = before.reversed().drop { "\"': =".utf8.contains($0) }.prefix(while: isPartOfName)
    return name.count <= 40 && isName(String(decoding: name.reversed(), as: UTF8.self))
  }

  /// The number of bytes of a part of a token from which it is taken for one.
  private static let shortestPart = 24

  /// Returns the expectation that the next line continues the token with which a line ends, or `nil` if it does not end with
  /// one: `I/lamp: id_token=eyJ0eXAiOiJKV1QiLCJhbGciOiJS`.
  private static func rest(of line: LineBytes) -> Expected? {
    let text = line.trimmed(0..<line.count)
    guard text.count > shortestPart,
      line[text.upperBound - shortestPart..<text.upperBound].bytes.allSatisfy(isPartOfToken)
    else { return nil }
    var start = text.upperBound
    while start > text.lowerBound, isPartOfToken(line[start - 1]) { start -= 1 }
    // The sign behind a name may be one of base64, too.
    if let sign = line[0..<text.upperBound - 2].index(of: UInt8(ascii: "="), from: start) { start = sign + 1 }
    guard text.upperBound - start > shortestPart,
      line.hasText("eyJ", at: start) || isNamed(line[text.lowerBound..<start].bytes)
        || line.hasText("Bearer ", at: start - 7)
    else { return nil }
    return .rest(head: Array(line[0..<start].bytes), isQuoted: false)
  }

  /// Returns where the rest of a token begins in a line: behind what a logger puts before each line, whose digits may be those
  /// of the time.
  private static func start(ofRestIn line: LineBytes, _ text: Range<Int>, behind head: [UInt8]) -> Int {
    var start = text.lowerBound
    for (index, byte) in head.enumerated() {
      guard index < text.upperBound, line[index] == byte || line[index].isDigit && byte.isDigit else { break }
      if !isPartOfToken(byte) { start = max(start, index + 1) }
    }
    return start
  }

  /// Returns whether the bytes are a part of a token and not a word.
  private static func isOpaque(_ line: LineBytes) -> Bool {
    line.count > 5 && line.bytes.contains(where: \.isDigit)
      && line.bytes.contains { (0x61...0x7A).contains($0) }
      && line.bytes.contains { (0x41...0x5A).contains($0) }
  }

  private static func isPartOfToken(_ byte: UInt8) -> Bool {
    TextScanner.isBase64(byte) || "-_.~".utf8.contains(byte)
  }

  private static func onlyWord(in line: LineBytes, _ range: Range<Int>) -> String {
    let start = line[0..<range.upperBound].index(from: range.lowerBound) { !isPartOfName($0) }
    let end = line[0..<range.upperBound].index(from: start, skipping: isPartOfName)
    return line.text(start..<end)
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "_-.".utf8.contains(byte)
  }

  /// Returns whether a word is the name of a variable or a field with a secret.
  private static func isName(_ word: String) -> Bool {
    switch Redaction.kind(ofField: word) {
    case .token, .password: true
    case .cookie: Redaction.isCookie(word)
    case .code, .header, .person, .other, nil: false
    }
  }

  /// Returns the value of a variable whose name is in the line above: that of `value` or of an element, or the only word
  /// in quotation marks.
  private static func value(in line: LineBytes) -> Range<Int>? {
    let text = line.trimmed(0..<line.count)
    for mark: StaticString in ["value", "Value", "VALUE", "<string", "<data", "PASS "] {
      guard let found = line.index(of: mark) else { continue }
      var start = found + mark.utf8CodeUnitCount
      start = line.index(from: start) { "\"'>:= ".utf8.contains($0) }
      let end = line.index(of: UInt8(ascii: "<"), from: start) ?? text.upperBound
      return start < end ? trimmedValue(line, start..<end) : nil
    }
    guard let open = line.index(of: UInt8(ascii: "\"")),
      let end = line.index(of: UInt8(ascii: "\""), from: open + 1)
    else { return nil }
    return open + 1..<end
  }

  private static func trimmedValue(_ line: LineBytes, _ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, "\"', }>/".utf8.contains(line[end - 1]) { end -= 1 }
    return range.lowerBound..<end
  }

  // MARK: - Tables

  private static let bar = UInt8(ascii: "|")
  private static let tab = UInt8(ascii: "\t")

  /// Returns the byte between the cells of a line that may be a row of a table, or `nil` if it is not one; a blank stands
  /// for two or more, and `0xE2` for the line of a box.
  private static func separator(of line: LineBytes) -> UInt8? {
    if line.index(of: bar) != nil { return bar }
    if line.index(of: "│") != nil { return 0xE2 }
    if line.index(of: tab) != nil { return tab }
    if line.index(of: "  ", from: line.index(from: 0, skipping: \.isSpace)) != nil { return 0x20 }
    if line.index(of: ",") != nil, line.index(of: ", ") == nil { return 0x2C }
    return line.index(of: ";") != nil && line.index(of: "; ") == nil ? 0x3B : nil
  }

  /// Returns the cells of a row, without the empty ones at the ends that a frame makes.
  private static func cells(of line: LineBytes, _ separator: UInt8) -> [Range<Int>] {
    let text = line.trimmed(0..<line.count)
    var cells: [Range<Int>] = []
    var (start, index) = (text.lowerBound, text.lowerBound)
    func length(at index: Int) -> Int {
      switch separator {
      case 0x20: line.hasText("  ", at: index) ? line.index(from: index) { $0 == 0x20 } - index : 0
      case 0xE2: line.hasText("│", at: index) ? 3 : 0
      default: line[index] == separator ? 1 : 0
      }
    }
    while index < text.upperBound, cells.count < 40 {
      let count = length(at: index)
      if count > 0 {
        cells.append(line.trimmed(start..<index))
        start = index + count
      }
      index += max(1, count)
    }
    cells.append(line.trimmed(min(start, text.upperBound)..<text.upperBound))
    if separator == bar || separator == 0xE2 {
      if cells.first?.isEmpty == true { cells.removeFirst() }
      if cells.last?.isEmpty == true { cells.removeLast() }
    }
    return cells
  }

  /// Returns the indices of the cells that name a secret.
  private static func named(_ line: LineBytes, _ cells: [Range<Int>]) -> [Int] {
    cells.indices.filter { index in
      let cell = unquoted(line, cells[index])
      guard (2...40).contains(cell.count) else { return false }
      let name = line.text(cell)
      return isName(name.replacing(" ", with: "_")) || SecretLabel.isWhole(name)
    }
  }

  /// Returns the indices of the cells with the value of a name in the cell before them, and of the last cell of a browser's
  /// file of cookies: `| password | lamp |`, `CLIENT_SECRET   lamp`.
  private static func secretCells(_ line: LineBytes, _ cells: [Range<Int>]) -> [Int] {
    if cells.count == 7, [1, 3].allSatisfy({ ["TRUE", "FALSE"].contains(line.text(cells[$0])) }) {
      return [6]
    }
    guard cells.count > 1, named(line, Array(cells.prefix(1))) == [0] else { return [] }
    let value = unquoted(line, cells[1])
    let word = line.text(value)
    let isPair = cells.count == 2 || Redaction.kind(ofField: line.text(cells[0])) == .cookie
    let isSecret = value.count > 3 && !word.contains(" ") && !SecretWords.isOrdinary(word.lowercased())
    return isPair && isSecret ? [1] : []
  }

  /// Returns whether all cells may be the names of columns.
  private static func isHeader(_ line: LineBytes, _ cells: [Range<Int>], _ separator: UInt8) -> Bool {
    cells.count > (separator == 0x2C || separator == 0x3B ? 2 : 1)
      && (separator != 0x20 || cells.allSatisfy { line[$0].bytes.allSatisfy { !(0x61...0x7A).contains($0) } })
      && cells.allSatisfy { cell in
        cell.count <= 40 && line[cell].bytes.allSatisfy { !"=:@/<>(){}".utf8.contains($0) }
          && line[cell].bytes.count { $0 == 0x20 } < 3
      }
  }
}
