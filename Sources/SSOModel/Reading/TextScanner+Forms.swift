import Essentials
import SSOCore

/// The forms of values that only some languages, files, or protocols have.
extension TextScanner {
  /// Returns the hash of a password as `crypt` writes it, `$6$salt$hash`, whose dollar sign is at an index, or `nil` if none
  /// is there.
  func cryptedPassword(at index: Int) -> Range<Int>? {
    guard at(index) == 0x24, let end = bytes[(index + 1)...].prefix(12).firstIndex(of: 0x24) else {
      return nil
    }
    let scheme = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
    guard ["1", "2a", "2b", "2y", "5", "6", "y", "apr1", "argon2id", "argon2i"].contains(scheme) else {
      return nil
    }
    let stop = bytes[end...].firstIndex {
      $0.isSpace || $0 == 0x3A || isQuote($0) || $0 == 0x2C && scheme.count < 6
    }
    let hash = end..<(stop ?? bytes.count)
    return hash.count >= 16 ? index..<hash.upperBound : nil
  }

  /// Returns the new value behind an old one: `"lampwick1" -> "lampwick2"`, or `nil` if an arrow does not follow.
  func changedValue(at index: Int) -> Range<Int>? {
    let arrow = "\" -> \"".utf8
    guard index < bytes.count, bytes[index...].starts(with: arrow) else { return nil }
    let start = index + arrow.count
    return start..<closingQuote(0x22, from: start, isEscaped: false)
  }

  /// Returns the password in an option of MySQL's programs, which is not separated from it: `mysql -u lee -plampwick`.
  func attachedPassword(_ word: Range<Int>) -> Range<Int>? {
    guard word.count > 5, at(word.lowerBound) == 0x2D, at(word.lowerBound + 1) == 0x70,
      at(word.lowerBound - 1) == 0x20
    else { return nil }
    let line = bytes[..<word.lowerBound].suffix(200)
    return line.firstRange(of: "mysql".utf8) != nil || line.firstRange(of: "mariadb".utf8) != nil
      ? word.lowerBound + 2..<word.upperBound : nil
  }

  /// Returns the range of Windows' two hashes of a password, which begins with a word, or `nil` if the word is not the first
  /// of them: 32 digits each, with a colon between them.
  func passwordHashes(from word: Range<Int>) -> Range<Int>? {
    let end = word.upperBound + 33
    guard word.count == 32, at(word.upperBound) == 0x3A, end <= bytes.count, !at(end).isHexDigit,
      bytes[word].allSatisfy(\.isHexDigit), bytes[(word.upperBound + 1)..<end].allSatisfy(\.isHexDigit)
    else { return nil }
    return word.lowerBound..<end
  }

  /// Returns the value of a variable whose name is a word, with its own name between them: `"name":"lamp_secret","value":"…"`,
  /// `<key>lamp_secret</key><string>…`, `<setting name="LampSecret"><value>…`, or `nil` for any other word.
  func valueOfNamed(_ word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    let rest = bytes[word.upperBound...].prefix(120)
    let mark: Int?
    if rest.starts(with: "</key>".utf8) {
      mark = rest.firstRange(of: "<string>".utf8)?.upperBound
    } else if rest.starts(with: "&gt;".utf8) {
      // `&lt;password&gt;lampwick&lt;/password&gt;`
      let end = bytes[word.upperBound...].dropFirst(4).firstIndex { $0 == 0x26 || $0 == 0x0A } ?? bytes.count
      let kind = Redaction.kind(ofField: String(decoding: bytes[word], as: UTF8.self))
      guard let kind, kind == .password || kind == .token, end > word.upperBound + 4 else { return nil }
      return (kind, word.upperBound + 4..<end)
    } else if isQuote(at(word.upperBound)) {
      mark =
        rest.firstRange(of: "><value>".utf8)?.upperBound ?? quotedValueOfPair(behind: word.upperBound + 1)
    } else {
      mark = nil
    }
    guard let mark, let kind = Redaction.kind(ofField: String(decoding: bytes[word], as: UTF8.self)),
      kind == .password || kind == .token || kind == .cookie,
      mark < bytes.count,
      let end = bytes[(mark + markLength(at: mark))...].firstIndex(where: {
        $0 == 0x3C || isQuote($0) || $0 == 0x0A
      }
      )
    else { return nil }
    return mark < end ? (kind, mark..<end) : nil
  }

  /// Returns the length of a mark that an earlier redaction left at an index, or 0.
  private func markLength(at index: Int) -> Int {
    let end = min(bytes.count, index + 15)
    return index < end && Redaction.isHash(String(decoding: bytes[index..<end], as: UTF8.self)) ? 15 : 0
  }

  /// Returns where the value begins in `, "value": "lamp"`, or `nil` if something else is at an index.
  private func quotedValueOfPair(behind index: Int) -> Int? {
    var index = index
    for part in [",", "value", ":"] {
      while at(index) == 0x20 || isQuote(at(index)) { index += 1 }
      guard
        bytes[min(index, bytes.count)...].prefix(part.utf8.count).elementsEqual(
          part.utf8, by: { $0 | 0x20 == $1 | 0x20 })
      else { return nil }
      index += part.utf8.count
    }
    while at(index) == 0x20 { index += 1 }
    return isQuote(at(index)) ? index + 1 : nil
  }

  /// Returns the value of `pw` or `pass`, which also name what is not secret: a value in quotation marks, or with the form of
  /// a password.
  func shortName(_ word: Range<Int>, _ first: Int) -> (Redaction.Kind, Range<Int>)? {
    if names(word, "-p") || names(word, "-w") {
      let value = quotedValue(first) ?? plainValue(first)
      return isOfLogin && value.count > 3 ? (.password, value) : nil
    }
    if names(word, "auth"), let value = quotedValue(first), isPairInBase64(value) {
      return (.password, value)
    }
    // `$sec = 'lamp5wick'` of PowerShell.
    let isVariable = names(word, "sec") && at(word.lowerBound - 1) == 0x24
    guard names(word, "pw") || names(word, "pass") || names(word, "/pass") || isVariable else { return nil }
    if let value = quotedValue(first) { return value.count > 3 ? (.password, value) : nil }
    let value = plainValue(first)
    if at(word.lowerBound) == 0x2F { return value.isEmpty ? nil : (.password, value) }
    // `Pass: lampwick`, alone in its line.
    let isAlone = (word.lowerBound == 0 || at(word.lowerBound - 1) == 0x0A) && at(value.upperBound) == 0x0A
    if isAlone, value.count > 5, bytes[value].allSatisfy(\.isLetter),
      !SecretWords.isOrdinary(String(decoding: bytes[value], as: UTF8.self).lowercased())
    {
      return (.password, value)
    }
    let hasForm =
      value.count >= 6 && bytes[value].contains(where: \.isLetter)
      && bytes[value].contains { $0.isDigit || "!#$%&?@~".utf8.contains($0) }
    return hasForm ? (.password, value) : nil
  }

  /// Returns the random value behind a word for a secret and a slash: `secret/lampN5wickQ7`.
  func valueBehindSlash(_ word: Range<Int>) -> Range<Int>? {
    guard let slash = bytes[word].firstIndex(of: 0x2F),
      ["secret", "password", "token", "credential", "key"].contains(where: {
        bytes[word.lowerBound..<slash].elementsEqual($0.utf8, by: { $0 | 0x20 == $1 })
      })
    else { return nil }
    let value = slash + 1..<word.upperBound
    return StatedSecrets.looksRandom(bytes[value]) ? value : nil
  }

  /// Returns what a script of expect types, if it has the form of a password: `send "lamp5wick\r"`.
  func sentValue(_ word: Range<Int>) -> Range<Int>? {
    guard names(word, "send"), let value = quotedValue(word.upperBound + 1), value.count > 7,
      bytes[value].suffix(2).elementsEqual("\\r".utf8)
    else { return nil }
    let text = bytes[value].dropLast(2)
    return !text.contains(0x20) && text.contains(where: \.isLetter)
      && text.contains { $0.isDigit || "!#$%&?@~".utf8.contains($0) }
      ? value.lowerBound..<value.upperBound - 2 : nil
  }

  /// Returns the password behind a user in brackets: `(user lee, pw lampwick)`.
  func valueBesideUser(_ word: Range<Int>) -> Range<Int>? {
    guard (["pw", "pwd", "pass", "password"] as [StaticString]).contains(where: { names(word, $0) }) else {
      return nil
    }
    let before = bytes[max(0, word.lowerBound - 80)..<word.lowerBound]
    guard let open = before.lastIndex(of: 0x28),
      bytes[(open + 1)...].prefix(4).elementsEqual("user".utf8, by: { $0 | 0x20 == $1 }),
      let last = before.last(where: { $0 != 0x20 }), ",;/".utf8.contains(last)
    else { return nil }
    let end =
      bytes[(word.upperBound + 1)...].prefix(130).firstIndex { $0.isSpace || $0 == 0x29 } ?? word.upperBound
      + 1
    return at(end) == 0x29 && end > word.upperBound + 4 ? word.upperBound + 1..<end : nil
  }

  /// Returns whether a value is a user's name and a password with a colon between them, in base64 (RFC 7617 §2).
  private func isPairInBase64(_ value: Range<Int>) -> Bool {
    guard value.count >= 8, let pair = Data(base64Encoded: Data(bytes[value])) else { return false }
    return pair.contains(0x3A) && pair.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Returns the value of a private member of a JSON Web Key (RFC 7518 §6), or `nil` if the text is not one.
  func memberOfKey(_ word: Range<Int>, _ first: Int) -> (Redaction.Kind, Range<Int>)? {
    guard word.count <= 2,
      ["d", "p", "q", "dp", "dq", "qi", "k"].contains(where: { bytes[word].elementsEqual($0.utf8) }),
      let value = quotedValue(first), value.count >= 16,
      has("\"kty\"", in: max(0, word.lowerBound - 2000)..<min(bytes.count, word.upperBound + 2000))
    else { return nil }
    return (.token, value)
  }

  /// Returns the value of a member of an `NSError`'s user info, `UserInfo={LampKey=…, Wick=…}`, if it is one random word of
  /// 12 characters or more, or `nil` for any other value.
  ///
  /// An app may put anything there, even a token under the key of a sentence.
  func memberOfError(_ word: Range<Int>, _ first: Int) -> Range<Int>? {
    let value = quotedValue(first) ?? plainValue(first)
    let text = bytes[value]
    guard value.count >= 12, text.allSatisfy({ Self.isWord($0) || $0 == 0x3D }),
      text.contains(where: \.isLetter), !isAddress(text), !isOrdinaryWord(text)
    else { return nil }
    // The Apple SDKs' own keys end so; a key of an app is known by the text around it, which may begin with Entra's number.
    if bytes[word].suffix(3).elementsEqual("Key".utf8) { return value }
    let before = max(0, word.lowerBound - 4000)..<word.lowerBound
    let isFurther = bytes[before].suffix(2).elementsEqual(", ".utf8)
    return has("serInfo", in: before) || has("Key=", in: before) || isFurther && has("AADSTS", in: before)
      ? value : nil
  }

  /// Returns whether a word is the address of an object: `0x600000c5d2f0`.
  private func isAddress(_ word: ArraySlice<UInt8>) -> Bool {
    word.starts(with: "0x".utf8) && word.dropFirst(2).allSatisfy(\.isHexDigit)
  }

  /// Returns whether a word may be one of a language or of several joined ones; of random letters in one case, few are
  /// vowels.
  private func isOrdinaryWord(_ word: ArraySlice<UInt8>) -> Bool {
    guard Redaction.isReadable(word) else { return false }
    guard word.count >= 16, word.allSatisfy(\.isLetter) else { return true }
    return word.count { "aeiouyAEIOUY".utf8.contains($0) } * 5 >= word.count
  }

  /// Returns whether a text occurs in a range.
  ///
  /// A record may have thousands of members, for each of which `firstRange(of:)` would be slow.
  private func has(_ text: StaticString, in range: Range<Int>) -> Bool {
    bytes.withUnsafeBufferPointer { LineBytes($0)[range].index(of: text) != nil }
  }

  /// Returns the only word of a list in brackets, as Java and Go print the values of a form: `password=[lamp]`.
  func listed(_ first: Int) -> Range<Int>? {
    guard at(first) == 0x5B, let end = bytes[min(first + 1, bytes.count)...].prefix(200).firstIndex(of: 0x5D),
      end > first + 1,
      bytes[(first + 1)..<end].allSatisfy({ !isQuote($0) && !"[{(, ".utf8.contains($0) })
    else { return nil }
    return first + 1..<end
  }

  /// Returns whether a colon at an index stands between a name and its value; `before` is the byte before the name.
  func isColonOfField(_ index: Int, behind before: UInt8) -> Bool {
    at(index) == 0x3A && at(index + 1) != 0x3A && !(before == 0x3A && isOfSelector(index))
  }

  /// Returns whether the colon at an index is one of the name of a method in Objective-C, whose further parts follow it:
  /// `initWithClientID:clientSecret:wick:]`.
  private func isOfSelector(_ colon: Int) -> Bool {
    var end = colon
    while at(end) == 0x3A || at(end).isLetter { end += 1 }
    guard at(end - 1) == 0x3A, at(end) == 0x5D || bytes[colon..<end].count(where: { $0 == 0x3A }) > 2 else {
      return false
    }
    // A lowercase letter begins each part.
    return (colon + 1..<end).allSatisfy { index in
      at(index - 1) != 0x3A || at(index) >= 0x61 && at(index) <= 0x7A
    }
  }

  /// Returns the value of a field that is all of a string: `--data-urlencode "client_secret=lamp wick"`.
  func wholeString(_ word: Range<Int>, _ first: Int) -> Range<Int>? {
    let quote = at(word.lowerBound - 1)
    guard isQuote(quote), first == word.upperBound + 1, at(word.upperBound) == 0x3D, !isQuote(at(first))
    else { return nil }
    let value = first..<closingQuote(quote, from: first, isEscaped: at(word.lowerBound - 2) == 0x5C)
    guard at(value.upperBound) == quote || at(value.upperBound) == 0x5C else { return nil }
    // `password=lamp&scope=user.read`
    let next = bytes[value].firstIndex(of: 0x26)
    return next.map { bytes[$0..<value.upperBound].contains(0x3D) } ?? false ? nil : value
  }

  /// Returns the value of a line that has nothing but a name and a value of several words: `password = lamp wick`.
  func wholeLine(_ word: Range<Int>, _ first: Int) -> Range<Int>? {
    var start = word.lowerBound
    while at(start - 1) == 0x20 || at(start - 1) == 0x09 || at(start - 1) == 0x24 { start -= 1 }
    guard start == 0 || at(start - 1) == 0x0A else { return nil }
    let end = bytes[min(first, bytes.count)...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    guard first < end, bytes[first..<end].contains(0x20),
      bytes[first..<end].allSatisfy({ !"\"'=:,;&<>()[]{}|/`".utf8.contains($0) })
    else { return nil }
    let words = String(decoding: bytes[first..<end], as: UTF8.self).split(separator: " ")
    let isSaid = words.contains { word in
      let lower = word.lowercased()
      return Self.firstWords.contains(lower) || SecretWords.isOrdinary(lower)
        || ["aadsts", "0x"].contains(where: lower.hasPrefix)
        || ["is", "was", "for", "and", "or", "of", "to"].contains(lower)
    }
    return words.count <= 4 && !isSaid ? first..<end : nil
  }

  /// Returns whether a value is the second and last argument of a call whose first is its name: `setenv("SECRET", "lamp")`.
  func isOfCall(_ word: Range<Int>, _ value: Range<Int>) -> Bool {
    at(word.lowerBound - 2) == 0x28 && at(value.upperBound + 1) == 0x29
      && Redaction.kind(ofField: String(decoding: bytes[value], as: UTF8.self)) == nil
  }

  /// Returns whether a word is the mechanism of a mail program's sign-in (RFC 4954, RFC 9051 §6.2.2): `AUTH PLAIN …`.
  func isMechanism(_ word: Range<Int>) -> Bool {
    guard names(word, "plain") || names(word, "login") || names(word, "xoauth2") || names(word, "oauthbearer")
    else {
      return false
    }
    let before = bytes[..<max(0, word.lowerBound - 1)]
    return ["AUTH", "AUTHENTICATE"].contains { before.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// Returns whether a word has the form of a code that a user types at another device: eight capitals and digits or more.
  func isUserCode(_ text: ArraySlice<UInt8>) -> Bool {
    text.count >= 8 && text.allSatisfy { (0x41...0x5A).contains($0) || $0.isDigit || $0 == 0x2D }
  }

  /// Returns whether a byte occurs in tokens, codes, names, and percent-encoded values.
  static func isWord(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == 0x5F || byte == 0x2D || byte == 0x2E || byte == 0x7E
      || byte == 0x25
      || byte == 0x2B || byte == 0x2F || byte == 0x40 || byte == 0x21 || byte == 0x2A
  }
}
