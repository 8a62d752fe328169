/// A filter for lines that may have a code or a sentence of the tables, which reads each byte once.
///
/// Most lines of a log are about something else, and a search of the tables is slow. The filter is made of the tables' own
/// words, so ``Explanation/matches(in:)`` finds nothing in a line that it rejects, except states.
struct CodeFilter: Sendable {
  /// A bit for each word and each pair of words, so that the set is searched for few of a line's words.
  private var bits = [UInt64](repeating: 0, count: 1 << 11)
  private var hashes: Set<UInt64> = []
  /// The upper halves of the results of Windows in the tables, as in `0x8007xxxx`.
  private var facilities: Set<UInt64> = []

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - words: The words that are codes, or names of codes.
  ///   - beginnings: The first two words of each sentence.
  init(words: some Sequence<String>, beginnings: some Sequence<(String, String)>) {
    for word in words {
      if word.hasPrefix("0x"), let facility = UInt64(word.dropFirst(2).prefix(4), radix: 16) {
        facilities.insert(facility)
      }
      // A small number counts only beside its domain.
      if word.utf8.count > 4 || !word.utf8.allSatisfy(Self.isDigit) { insert(Self.hash(word)) }
    }
    for (first, second) in beginnings { insert(Self.pair(Self.hash(first), Self.hash(second))) }
  }

  private mutating func insert(_ hash: UInt64) {
    hashes.insert(hash)
    bits[Self.place(hash)] |= 1 << (hash >> 58)
  }

  private func contains(_ hash: UInt64) -> Bool {
    bits[Self.place(hash)] & 1 << (hash >> 58) != 0 && hashes.contains(hash)
  }

  private static func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 40 & 0x7FF) }

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func adding(_ byte: UInt8, to hash: UInt64) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
  }

  private static func hash(_ word: String) -> UInt64 { word.utf8.reduce(seed) { adding($1, to: $0) } }

  private static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
    (first ^ second &>> 7) &* 0xD6E8_FEB8_6659_FD93 &+ second
  }

  /// Returns whether a line may have a code or a sentence of the tables.
  func accepts(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var (index, previous) = (0, UInt64(0))
    var (hasSmallNumber, hasDomain) = (false, false)
    // A number alone in its line is not a code.
    var (hasNumber, hasWord) = (false, false)
    while index < line.count {
      guard let first = Self.part(line, &index) else {
        // `%3A` in an address, and `\n` in a text that was printed with its escapes.
        if line[index] == 0x25, index + 2 < line.count, Self.isHexDigit(line[index + 1]),
          Self.isHexDigit(line[index + 2])
        {
          index += 2
        } else if line[index] == 0x5C, index + 1 < line.count, "nrt".utf8.contains(line[index + 1]) {
          index += 1
        }
        // A word in another script.
        hasWord = hasWord || line[index] >= 0x80
        index += 1
        continue
      }
      // What is before a word: `_lamp`, `--lamp`.
      if first == 0x5F || first == 0x2D && !(index < line.count && Self.isDigit(line[index])) { continue }
      let start = index - 1
      // A number behind the minus sign U+2212.
      if first == 0x2D, line[start] != first { return true }
      var hash = Self.adding(first, to: Self.seed)
      // Of the word without what is after it: `lamp_`.
      var (whole, length) = (hash, 1)
      var (count, beginning) = (1, UInt64(0))
      while index < line.count, let byte = Self.part(line, &index) {
        hash = Self.adding(byte, to: hash)
        count += 1
        if count == 5 { beginning = hash }
        if byte != 0x5F, byte != 0x2D { (whole, length) = (hash, count) }
        // `code-AADSTS50011`
        if byte == 0x61, Self.isNumberOfEntra(line, index) { return true }
      }
      if first == 0x61, Self.isNumberOfEntra(line, start + 1) { return true }
      let word = UnsafeBufferPointer(rebasing: line[start..<min(start + length, line.count)])
      if Self.isDigit(first), length < 9, word.allSatisfy(Self.isDigit) {
        hasSmallNumber = hasSmallNumber || length < 5
        hasNumber = hasNumber || contains(whole) || isNumber(word)
      } else {
        hasWord = true
        if contains(whole) || isNumber(word) { return true }
      }
      hasDomain = hasDomain || domains.contains(beginning)
      if hasSmallNumber && hasDomain || hasNumber && hasWord || contains(Self.pair(previous, whole)) {
        return true
      }
      previous = whole
    }
    return false
  }

  /// Returns the byte at an index as part of a word, in lowercase, and advances the index, or returns `nil` if the word
  /// does not go on there.
  private static func part(_ line: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt8? {
    let byte = line[index]
    switch byte {
    case 0x61...0x7A, 0x30...0x39, 0x5F, 0x2D:
      index += 1
      return byte
    case 0x41...0x5A:
      index += 1
      return byte | 0x20
    // The minus sign U+2212.
    case 0xE2 where index + 2 < line.count && line[index + 1] == 0x88 && line[index + 2] == 0x92:
      index += 3
      return 0x2D
    default: return nil
    }
  }

  /// Returns whether `aads` or `aadb` is at the index before this one.
  private static func isNumberOfEntra(_ line: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    index + 2 < line.count && line[index] | 0x20 == 0x61 && line[index + 1] | 0x20 == 0x64
      && [0x73, 0x62].contains(line[index + 2] | 0x20)
  }

  /// Returns whether a word may be a result of Windows in any form, or a number of which the tables have only the family.
  private func isNumber(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    // `wam_lamp_3399614473`
    if word.count > 4, word[3] == 0x5F, word.starts(with: "wam_".utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
      return true
    }
    // `CA20003`, of which a letter was lost.
    let isCut = word.count == 7 && word[0] | 0x20 == 0x63 && word[1] | 0x20 == 0x61
    guard word.count >= 8 || isCut else { return false }
    let isResult = word.dropFirst().allSatisfy { Self.isHexDigit($0) || $0 | 0x20 == 0x78 }
    let isOfFamily = word.count == 8 && Self.isDigit(word[7])
    guard isResult || isOfFamily else { return false }
    let code = CodeWord(String(decoding: word, as: UTF8.self))
    return isOfFamily && !code.families.isEmpty
      || code.resultCode.flatMap { UInt64($0.dropFirst(2).prefix(4), radix: 16) }.map(facilities.contains)
        ?? false
  }

  /// The beginnings of words beside which a small number is a code.
  private let domains =
    (CodeWord.appleDomains + CodeWord.webSessions + CodeWord.ofIntune + [
      "adauthenticationerrordomain"
    ]).map { hash(String($0.prefix(5))) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}
