import SSOCore
import SSOReference

/// A scanner that reads a text once, and writes it with marks in place of secrets.
struct TextScanner {
  let bytes: [UInt8]
  let isSentence: Bool
  /// The kinds of values that are replaced.
  let kinds: Set<Redaction.Kind>
  var output: [UInt8] = []
  private var index = 0
  private let stated: [StatedSecrets.Found]
  private var nextStated = 0

  init(bytes: [UInt8], _ kinds: Set<Redaction.Kind>, isSentence: Bool) {
    (self.bytes, self.kinds, self.isSentence) = (bytes, kinds, isSentence)
    stated = StatedSecrets.find(in: bytes)
    output.reserveCapacity(bytes.count)
  }

  mutating func scan(_ taken: (Redaction.Kind) -> Void) {
    while index < bytes.count {
      while nextStated < stated.count, stated[nextStated].range.upperBound <= index { nextStated += 1 }
      if nextStated < stated.count, stated[nextStated].range.lowerBound <= index {
        replace(index..<stated[nextStated].range.upperBound, stated[nextStated].kind, taken)
        continue
      }
      guard Self.isWord(bytes[index]) else {
        if let password = passwordOfURL(index) ?? cryptedPassword(at: index) {
          replace(password, .password, taken)
          continue
        }
        let length = escape(at: index)
        output += bytes[index..<index + length]
        index += length
        continue
      }
      let word = word(at: index)
      if let password = attachedPassword(word) ?? valueBehindSlash(word) {
        replace(password, .password, taken)
        continue
      }
      if let key = privateKey(after: word) {
        replace(key, .token, taken)
        continue
      }
      if let hashes = passwordHashes(from: word) {
        replace(hashes, .password, taken)
        continue
      }
      let secrets = SecretForms.find(in: bytes, word)
      if !secrets.isEmpty {
        for (secret, kind) in secrets { replace(secret, kind, taken) }
        output += bytes[index..<max(index, word.upperBound)]
        index = max(index, word.upperBound)
        replaceRest(taken)
        continue
      }
      output += bytes[word]
      index = word.upperBound
      guard let (kind, value) = value(after: word), value.upperBound > index else { continue }
      output += bytes[index..<max(index, value.lowerBound)]
      index = max(index, value.lowerBound)
      if stays(value, after: word, kind) {
        // The value of `name` may be the name of a secret.
        if !names(word, "name") {
          output += bytes[index..<value.upperBound]
          index = value.upperBound
        }
      } else {
        let isToken = bytes[value].starts(with: "eyJ".utf8)
        replace(index..<value.upperBound, kind, taken)
        if isToken { replaceRest(taken) }
        if let value = changedValue(at: index) { replace(value, kind, taken) }
      }
    }
  }

  private mutating func replace(
    _ range: Range<Int>, _ kind: Redaction.Kind, _ taken: (Redaction.Kind) -> Void
  ) {
    if range.lowerBound > index { output += bytes[index..<range.lowerBound] }
    defer { index = range.upperBound }
    guard kinds.contains(kind) else {
      output += bytes[range]
      return
    }
    taken(kind)
    output += Array(Redaction.hash(String(decoding: bytes[range], as: UTF8.self)).utf8)
  }

  /// Returns the word at an index, which ends where a secret begins that a sentence states.
  private func word(at start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
    guard nextStated < stated.count, stated[nextStated].range.lowerBound < end else { return start..<end }
    return start..<max(start + 1, stated[nextStated].range.lowerBound)
  }

  /// Returns the length of an escape of JSON such as `\n` or `\u0022`, which is not a part of the word behind it, or 1.
  private func escape(at index: Int) -> Int {
    guard bytes[index] == 0x5C else { return 1 }
    if at(index + 1) == 0x75, (2...5).allSatisfy({ at(index + $0).isHexDigit }) { return 6 }
    return at(index + 1) == 0x6E || at(index + 1) == 0x72 || at(index + 1) == 0x74 ? 2 : 1
  }

  /// Returns the content of a private key in PEM (RFC 7468 §10) whose header begins with a word, or `nil` if the text
  /// does not contain one.
  private func privateKey(after word: Range<Int>) -> Range<Int>? {
    guard bytes[word].starts(with: "-----BEGIN".utf8) else { return nil }
    let head = bytes[word.upperBound...].prefix(60)
    guard let name = head.firstRange(of: "PRIVATE KEY".utf8) else { return nil }
    var start = name.upperBound
    while start < bytes.count,
      bytes[start] == 0x2D || !Self.isWord(bytes[start]) && bytes[start] != 0x5C && bytes[start] != 0x3C
    {
      start += 1
    }
    var end = start
    while end < bytes.count, !bytes[end...].starts(with: "-----END".utf8) { end += 1 }
    return start < end && !bytes[start...].starts(with: "<hash:".utf8) ? start..<end : nil
  }

  /// Replaces the rest of a token that is broken over several lines, or by blanks.
  private mutating func replaceRest(_ taken: (Redaction.Kind) -> Void) {
    var hasRest = false
    while true {
      var start = index
      var hasFeed = false
      while start < bytes.count, start < index + 12 {
        if bytes[start] == 0x5C, at(start + 1) == 0x6E || at(start + 1) == 0x72 {
          (start, hasFeed) = (start + 2, true)
        } else if bytes[start].isSpace || bytes[start] == 0x3E || bytes[start] == 0x5C {
          hasFeed = hasFeed || bytes[start] == 0x0A
          start += 1
        } else {
          break
        }
      }
      guard start > index, start < bytes.count, Self.isWord(bytes[start]) else { return }
      let word = word(at: start)
      let next = at(word.upperBound)
      let isAlone = next == 0x0A || next == 0x0D || next == 0x22 || next == 0x27 || next == 0x5C
      let isEnd = isAlone && (hasFeed || hasRest)
      let least = isEnd ? 4 : 24
      // A short end may look like a word; capitals behind lowercase letters do not.
      let isMixed = isEnd && zip(bytes[word], bytes[word].dropFirst()).contains { $0 >= 0x61 && $1 < 0x5B }
      guard word.count >= least, isMixed || !Redaction.isReadable(bytes[word]),
        hasFeed || isEnd
          || word.contains(where: { (0x41...0x5A).contains(bytes[$0]) })
            && word.contains(where: { bytes[$0].isDigit })
      else { return }
      replace(word, .token, taken)
      hasRest = true
    }
  }

  /// Returns the range of the password in `://user:password@host`, whose colon is at `colon`, or of a user name of 16
  /// characters or more in `https://user@host`, which may be a token, or `nil` if there is neither.
  private func passwordOfURL(_ colon: Int) -> Range<Int>? {
    guard bytes[colon] == 0x3A, at(colon + 1) == 0x2F, at(colon + 2) == 0x2F else { return nil }
    let authority = bytes[min(colon + 3, bytes.count)...].prefix(1000).prefix {
      !$0.isSpace && $0 != 0x2F && $0 != 0x3F && $0 != 0x23 && !isQuote($0) && $0 != 0x3C && $0 != 0x5C
    }
    guard let end = authority.lastIndex(of: 0x40) else { return nil }
    guard let start = authority[..<end].firstIndex(of: 0x3A) else {
      let scheme = bytes[..<colon].suffix(5)
      let isWeb = scheme.suffix(4).elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
      return isWeb && end - authority.startIndex >= 16 ? authority.startIndex..<end : nil
    }
    return start + 1 < end ? start + 1..<end : nil
  }

  // MARK: - Values behind a name

  /// Returns the kind and the range of a secret value after a word, or `nil` if one does not follow.
  ///
  /// Most words of a log do not have a value, so only a word that has one is looked up.
  private func value(after word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    let before = at(word.lowerBound - 1)
    if at(index) == 0x5C, let value = escapedValue(after: word) { return value }
    if before == 0x3C || before == 0x3A, at(index) == 0x20 || at(index) == 0x3E, let value = content(of: word)
    {
      return value
    }
    if before == 0x3E || before == 0x3B || isQuote(before), let value = valueOfNamed(word) { return value }
    if at(index) == 0x20 {
      if let token = tokenOfScheme(word) { return (.token, token) }
      if let value = spacedValue(after: word) { return value }
    }
    // `ida:ClientSecret` is a key of ASP.NET's settings.
    let isQuoted =
      isQuote(at(index)) && (isQuote(before) || before == 0x3A) || at(index) == 0x5D && before == 0x5B
    // In a quotation inside a string, a backslash precedes each quotation mark.
    var sign = isQuoted ? index + 1 : index
    let slashes = at(index) == 0x5C ? bytes[index...].prefix { $0 == 0x5C }.count : 0
    if slashes > 0, isQuote(at(index + slashes)) { sign = index + slashes + 1 }
    let isName = isQuoted || sign > index + 1
    // `[AnyHashable("LampWick"): lamp]`
    if isQuoted, at(sign) == 0x5D || at(sign) == 0x29 && at(sign + 1) == 0x3A { sign += 1 }
    if isQuoted, let value = attribute(behind: sign) { sign = value }
    while at(sign) == 0x20 { sign += 1 }
    // `["client_secret", "lamp"]`
    let isPair = at(sign) == 0x2C && (isName || before == 0x5B)
    // `JWT::LampError` names a class.
    guard at(sign) == 0x3D || isPair || isColonOfField(sign, behind: before) else { return nil }
    let name = String(decoding: bytes[word], as: UTF8.self)
    // `=>` of PHP and Ruby.
    var first = at(sign) == 0x3D && at(sign + 1) == 0x3E ? sign + 2 : sign + 1
    while at(first) == 0x20 { first += 1 }
    // Python's `u'lamp'`, `b'lamp'`, and `r'lamp'`, C#'s `@"lamp"`.
    if "ubr@".utf8.contains(at(first)), isQuote(at(first + 1)) { first += 1 }
    // OpenSSL's `pass:lampwick`.
    if names(word, "pass"), first == word.upperBound + 1, at(first).isLetter {
      return (.password, plainValue(first))
    }
    guard let kind = Redaction.kind(ofField: name) else {
      return shortName(word, first) ?? (isQuoted ? memberOfKey(word, first) : nil)
        ?? (key(name, first) ?? memberOfError(word, first)).map { (.token, $0) }
    }
    // `android:name` is an attribute of a manifest.
    if names(word, "name"), before == 0x3A { return nil }
    // In running text, the values after these words are not secrets: "error code: 500", "state: 1", "responding to
    // request: StatusCode=403".
    if at(sign) == 0x3A, !isName,
      kind == .person || kind == .other || kind == .code || names(word, "request") || names(word, "response")
    {
      return nil
    }
    if kind == .cookie { return cookies(first, word).map { (kind, $0) } }
    if kind == .header, at(first) != 0x7B, at(first) != 0x5B {
      return isPair ? nil : (kind, headerValue(first))
    }
    // `Pwd={lamp;wick}` of ODBC.
    if kind == .password, at(sign) == 0x3D, at(first) == 0x7B, let end = end(of: 0x7D, from: first + 1),
      !bytes[first..<end].contains(0x3A)
    {
      return (kind, first + 1..<end)
    }
    if kind == .password || kind == .token,
      let value = listed(first) ?? wholeString(word, first) ?? wholeLine(word, first)
    {
      return (kind, value)
    }
    // Values inside an object or a list are removed, but not the object or list itself.
    guard at(first) != 0x7B, at(first) != 0x5B else { return nil }
    if let value = quotedValue(first) {
      return isPair && !isOfPair(value) && !isOfCall(word, value) ? nil : (kind, value)
    }
    if isPair {
      let value = plainValue(first)
      return before == 0x5B && at(value.upperBound) == 0x5D && isOfPair(value) ? (kind, value) : nil
    }
    if kind == .password, at(sign) == 0x3D, isAfterSemicolon(word) {
      // In a connection string, only a semicolon ends a value.
      let end = bytes[min(first, bytes.count)...].firstIndex { $0 == 0x3B || $0 == 0x0A || isQuote($0) }
      return (kind, min(first, bytes.count)..<(end ?? bytes.count))
    }
    let isSentence = kind == .password && at(sign) == 0x3A && at(first - 1) == 0x20
    return (kind, isSentence ? wordOfSentence(first) : plainValue(first))
  }

  /// Returns the value behind an equals sign that JSON escapes, `session\u003dlamp\u0026…`, or `nil` if one does not
  /// follow.
  private func escapedValue(after word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    let sign = bytes[index...].prefix(6)
    guard sign.elementsEqual("\\u003d".utf8, by: { $0 | 0x20 == $1 | 0x20 }),
      let kind = Redaction.kind(ofField: String(decoding: bytes[word], as: UTF8.self))
    else { return nil }
    let value = plainValue(index + 6)
    return (kind, value.lowerBound..<(bytes[value].firstIndex(of: 0x5C) ?? value.upperBound))
  }

  /// Returns the value of a name that ends with `key`, if it looks random, or `nil` for any other value.
  private func key(_ name: String, _ first: Int) -> Range<Int>? {
    let name = name.lowercased()
    guard name.hasSuffix("key") || name.hasSuffix("pass") || name.hasSuffix("pat") || name.hasSuffix("auth"),
      !name.contains("public")
    else { return nil }
    let value = quotedValue(first) ?? plainValue(first)
    let isHex = value.count >= 32 && bytes[value].allSatisfy(\.isHexDigit)
    return isHex || value.count >= 16 && StatedSecrets.looksRandom(bytes[value]) ? value : nil
  }

  /// Returns the index of the equals sign of the attribute `value` in the element whose other attribute ends before an
  /// index, or `nil` if it does not have one: `<input name="passwd" value="lamp">`.
  private func attribute(behind index: Int) -> Int? {
    let element = bytes[min(index, bytes.count)...].prefix(200).prefix {
      $0 != 0x3E && $0 != 0x3C && $0 != 0x0A
    }
    guard element.first == 0x20, !element.contains(0x3A) || element.starts(with: " value=".utf8) else {
      return nil
    }
    return element.firstRange(of: " value=".utf8).map { $0.upperBound - 1 }
  }

  /// Returns whether the second of two quoted words may be the value of the first, and is not another name.
  private func isOfPair(_ value: Range<Int>) -> Bool {
    !bytes[value].allSatisfy { $0.isLetter || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E || $0 == 0x3A }
  }

  private func isAfterSemicolon(_ word: Range<Int>) -> Bool {
    var start = word.lowerBound
    while start > 0, bytes[start - 1] == 0x20 { start -= 1 }
    return at(start - 1) == 0x3B
  }

  /// Returns the content of an element of XML that has a secret: `<o:Password Type="lamp">…</o:Password>`, or `nil` for any
  /// other element.
  private func content(of word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    let name = String(decoding: bytes[word], as: UTF8.self)
    guard let kind = Redaction.kind(ofField: name), kind == .password || kind == .token,
      let open = bytes[index...].prefix(300).firstIndex(of: 0x3E),
      !bytes[index..<open].contains(0x3C),
      let end = bytes[(open + 1)...].firstIndex(where: { $0 == 0x3C || $0 == 0x0A }), end > open + 1
    else { return nil }
    return (kind, open + 1..<end)
  }

  /// Returns the cookies behind a name, or `nil` if no cookie follows.
  ///
  /// They are those of a header, of a list, or of an object, or the value of the cookie that has the name.
  private func cookies(_ first: Int, _ word: Range<Int>) -> Range<Int>? {
    for (open, close) in [(UInt8(0x5B), UInt8(0x5D)), (0x7B, 0x7D)] where at(first) == open {
      return end(of: close, from: first + 1).map { first + 1..<$0 }
    }
    let start = quotedValue(first)?.lowerBound ?? first
    let stop = quotedValue(first)?.upperBound
    if Redaction.isCookie(String(decoding: bytes[word], as: UTF8.self)) {
      return stop.map { start..<$0 } ?? plainValue(first)
    }
    if let stop { return start..<stop }
    let end = Cookies.end(in: bytes, from: first)
    return end > first ? first..<end : nil
  }

  /// Returns the token after a scheme of authentication, such as `Bearer`, or `nil` for any other word.
  ///
  /// The words of a sentence are not tokens: `Bearer was not authenticated`, `the bearer token.`
  private func tokenOfScheme(_ word: Range<Int>) -> Range<Int>? {
    let isBearer = names(word, "bearer") || names(word, "dpop")
    guard
      isBearer || names(word, "basic") || names(word, "negotiate") || names(word, "ntlm") || isMechanism(word)
    else { return nil }
    let value = wordOfSentence(index + 1)
    let text = bytes[value]
    guard !text.isEmpty, !text.contains(0x3D) || text.last == 0x3D && text.count >= 8 else { return nil }
    guard isBearer else {
      let isBase64 = text.count >= 8 && text.count.isMultiple(of: 4) && !text.contains(0x2D)
      return isBase64 && (text.last == 0x3D || !Redaction.isReadable(text)) && text.allSatisfy(Self.isBase64)
        ? value : nil
    }
    let isToken =
      text.count >= 20 || text.contains(0x2E) || text.count >= 8 && text.contains(where: \.isDigit)
    return isToken && text.allSatisfy { Self.isWord($0) || $0 == 0x3D } ? value : nil
  }

  /// Returns the value that a space separates from its name: that of an option on a command line, such as
  /// `--client-secret …`.
  private func spacedValue(after word: Range<Int>) -> (Redaction.Kind, Range<Int>)? {
    if let value = sentValue(word) ?? valueBesideUser(word) { return (.password, value) }
    guard bytes[word.lowerBound] == 0x2D || names(word, "convertto-securestring") || names(word, "/p") else {
      return nil
    }
    let name = String(decoding: bytes[word], as: UTF8.self).lowercased()
    if name == "convertto-securestring" {
      let value = quotedValue(index + 1) ?? plainValue(index + 1)
      return at(value.lowerBound) == 0x2D ? nil : (.password, value)
    }
    return optionValue(name)
  }

  /// Returns the value of an option that is a secret, or `nil` for another option.
  private func optionValue(_ name: String) -> (Redaction.Kind, Range<Int>)? {
    let value = quotedValue(index + 1) ?? wordOfSentence(index + 1)
    guard let first = bytes[value].first, first != 0x2D, first != 0x28, first != 0x24 else { return nil }
    switch name {
    case "-p", "-w", "/p": return isOfLogin ? (.password, value) : nil
    case "-b", "--cookie": return bytes[value].contains(0x3D) ? (.cookie, value) : nil
    case "-u", "--user", "-a", "--auth":
      // `curl -u PERSON:PASSWORD`
      guard let colon = bytes[value].firstIndex(of: 0x3A), at(colon + 1) != 0x2F else { return nil }
      return (.password, colon + 1..<value.upperBound)
    default:
      let field = name.drop { $0 == "-" }.replacing("-", with: "_")
      if field.hasSuffix("pass") || field == "pat" { return value.count > 3 ? (.password, value) : nil }
      if field == "key" { return StatedSecrets.looksRandom(bytes[value]) ? (.password, value) : nil }
      let kind = Redaction.kind(ofField: field)
      return kind == .password || kind == .token ? (.password, value) : nil
    }
  }

  /// Whether the line so far is a command line with a user, whose `-p` is the password.
  var isOfLogin: Bool {
    let start = bytes[..<index].suffix(400)
    let line = String(
      decoding: start.suffix(from: start.lastIndex(of: 0x0A) ?? start.startIndex), as: UTF8.self)
    return [
      " -u ", " -U ", " --username ", " login ", " --user ", "sshpass ", "sqlcmd ", "bcp ", "ldapsearch ",
      "ldapmodify ", "certutil ", "signtool ", " dev-certs ",
    ].contains {
      line.contains($0)
    }
  }

  // MARK: - Values that stay

  /// Returns whether what stands in the place of a value is not a secret.
  private func stays(_ value: Range<Int>, after word: Range<Int>, _ kind: Redaction.Kind) -> Bool {
    let text = String(decoding: bytes[value], as: UTF8.self)
    if Self.isHarmless(text) { return true }
    switch kind {
    // `Code=-50002` of an NSError, also “…”: an authorization code is never a number. `Code="NoSuchLamp"` and
    // `"code":"ERR_LAMP"` are errors; an authorization code has digits.
    case .code where names(word, "code"):
      // The code of an activation in an address has more digits than an error.
      let isOfAddress = at(word.lowerBound - 1) == 0x3F || at(word.lowerBound - 1) == 0x26
      var number = text[...]
      while let end = number.last, "”.,;)".contains(end) { number.removeLast() }
      if Int(number) != nil && !(isOfAddress && number.utf8.count > 7) || isNameOfError(value) { return true }
    case .code where names(word, "pin") || names(word, "otp") || names(word, "totp"):
      if value.count < 4 || !bytes[value].allSatisfy(\.isDigit) { return true }
    // The choices of a usage text: `token:issuer|expired`.
    case .token where text.contains("|") && text.allSatisfy({ $0.isLetter || $0 == "|" }): return true
    // `token = AppLampToken{9f4ef63`, `token: 132`
    case .token where text.contains("{") || value.count <= 4 && Int(text) != nil: return true
    case .token where names(word, "response"):
      if value.count < 20 || Redaction.isReadable(bytes[value]) { return true }
    // The name of anything but a user is one word: `"name": "LampError"`.
    case .person where names(word, "name"):
      if !text.contains("@"), !text.contains(" ") { return true }
    // `state = Enabled`
    case .person, .other:
      if at(word.upperBound) == 0x20, Redaction.isReadable(bytes[value]) { return true }
    case .cookie, .header: return false
    default: break
    }
    return goesOn(value, after: word, kind)
  }

  /// Returns whether what stands in the place of a value is the next word of a text, and no value.
  ///
  /// After the name of a token and a colon, that is a short word with another one behind it, a word that begins a reason,
  /// the status of a response, or a known code: `Invalid Jwt: The ID Token …`, `cannot get a token: 401 Unauthorized`,
  /// `get-token: invalid_grant: expired`. Any other word may be a token. In a sentence, no token is a short word of letters,
  /// and no authorization code is a short number or without digits.
  private func goesOn(_ value: Range<Int>, after word: Range<Int>, _ kind: Redaction.Kind) -> Bool {
    let hasColon = !value.isEmpty && at(value.upperBound - 1) == 0x3A
    let text = bytes[value.lowerBound..<value.upperBound - (hasColon ? 1 : 0)]
    let isWord = text.count <= 12 && text.allSatisfy { $0.isLetter || isSentence && $0 == 0x5F }
    let name = String(decoding: bytes[word], as: UTF8.self)
    if isSentence, name.hasSuffix("code"), !isUserCode(text) || names(word, "code") {
      let isNumber = text.contains { !$0.isLetter && $0 != 0x5F }
      return text.count <= (isNumber ? 6 : 40)
    }
    if isSentence, name.hasSuffix("token"), isWord { return true }
    if kind == .password, at(value.lowerBound - 1) == 0x20, at(value.lowerBound - 2) == 0x3A,
      at(value.upperBound) == 0x20, Self.firstWords.contains(String(decoding: text, as: UTF8.self))
    {
      return true
    }
    guard kind == .token, !names(word, "secret"), at(value.lowerBound - 1) == 0x20,
      at(value.lowerBound - 2) == 0x3A
    else { return false }
    let isFollowed = at(value.upperBound) == 0x20
    if isFollowed, isWord || text.count == 3 && text.allSatisfy(\.isDigit) { return true }
    // `cannot get a token: lampToken: received nothing`
    if isFollowed, hasColon, text.allSatisfy(\.isLetter) { return true }
    let known = String(decoding: text, as: UTF8.self).trimming { $0 == "." }
    return Self.firstWords.contains(known) || Explanation.isStringCode(known)
  }

  static let firstWords = Set(WordList.named("TextScanner.firstWords"))

  /// Returns whether a value is a name of an error, as a few words, each with a capital first, or as letters of one case:
  /// `NoSuchLamp`, `ERR_NO_LAMP`, `auth/no-lamp`.
  private func isNameOfError(_ value: Range<Int>) -> Bool {
    let text = bytes[value]
    guard text.count <= 60, text.allSatisfy({ $0.isLetter || "_-/.".utf8.contains($0) }) else { return false }
    let capitals = text.indices.filter { (0x41...0x5A).contains(bytes[$0]) }
    let letters = text.count { $0.isLetter }
    if capitals.isEmpty || capitals.count == letters {
      return letters > 2 && (capitals.isEmpty || text.contains(0x5F))
    }
    // `rpc error: code = Unauthenticated desc = …`
    let isMarked =
      isQuote(at(value.lowerBound - 1))
      || at(value.lowerBound - 1) == 0x20 && at(value.lowerBound - 2) == 0x3D
    // In random letters, every second one is a capital.
    let isJoined = text.contains(0x5F)
    return isMarked && text.allSatisfy { $0.isLetter || $0 == 0x5F } && value.count <= (isJoined ? 60 : 40)
      && capitals.first == value.lowerBound && capitals.count * 3 <= value.count
  }

  /// Returns whether a word in the place of a value is not a secret, such as the number in `bad_token: AADSTS50173`.
  private static func isHarmless(_ value: String) -> Bool {
    value.isEmpty || Redaction.isHash(value) || value.hasPrefix("Masked") || isNumberOfEntra(value)
      || value.hasPrefix("auth.placeholder")
      // A class of Ruby or C++: `InvalidAuthenticityToken: ActionController::InvalidAuthenticityToken`.
      || value.contains("::")
      || value.allSatisfy { "*-.…•".contains($0) }
      // `(using password: YES)` is MySQL's.
      || ["null", "(null)", "nil", "none", "None", "true", "false", "not-null", "YES", "YES)", "NO", "NO)"]
        .contains(value)
  }

  private static func isNumberOfEntra(_ value: String) -> Bool {
    value.hasPrefix("AADSTS") && value.utf8.dropFirst(6).allSatisfy { $0.isDigit || $0 == 0x3A }
  }

  // MARK: - Parts of a text

  /// Returns the range up to white space or a character that ends a value in a form, JSON, or a sentence.
  func plainValue(_ first: Int) -> Range<Int> {
    let end = bytes[min(first, bytes.count)...].firstIndex {
      $0.isSpace || $0 == 0x26 || $0 == 0x22 || $0 == 0x27 || $0 == 0x7D || $0 == 0x5D || $0 == 0x3C
        || $0 == 0x3B
        || $0 == 0x2C
    }
    return min(first, bytes.count)..<(end ?? bytes.count)
  }

  /// Returns the range up to white space, without the punctuation of the sentence.
  private func wordOfSentence(_ first: Int) -> Range<Int> {
    let start = min(first, bytes.count)
    var end = bytes[start...].firstIndex { $0.isSpace || isQuote($0) || $0 == 0x3C } ?? bytes.count
    if at(start) == 0x3C, let hash = bytes[start...].prefix(15).firstIndex(of: 0x3E) { end = hash + 1 }
    while end > start, ".,;:]}\\".utf8.contains(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// Returns the range between quotation marks at an index, which may have backslashes, or `nil` if the text there is
  /// not quoted.
  func quotedValue(_ first: Int) -> Range<Int>? {
    let slashes = at(first) == 0x5C ? bytes[first...].prefix { $0 == 0x5C }.count : 0
    let escape = isQuote(at(first + slashes)) ? slashes : 0
    let quote = at(first + escape)
    if escape > 1 {
      // A string within strings: `\\\"lamp\\\"`.
      let open = first + escape + 1
      let end = bytes[min(open, bytes.count)...].firstIndex { $0 == 0x5C || $0 == 0x0A } ?? bytes.count
      return open..<max(open, end)
    }
    if isQuote(quote) || quote == 0x60 {
      let open = first + escape + 1
      return open..<closingQuote(quote, from: open, isEscaped: escape == 1)
    }
    // “…”
    guard at(first) == 0xE2, at(first + 1) == 0x80, at(first + 2) == 0x9C else { return nil }
    for index in first + 3..<max(first + 3, min(bytes.count - 2, first + 203))
    where bytes[index] == 0xE2 && bytes[index + 1] == 0x80 && bytes[index + 2] == 0x9D {
      return first + 3..<index
    }
    return nil
  }

  /// Returns the range of a header's value, without a scheme such as `Bearer`, which stays.
  private func headerValue(_ first: Int) -> Range<Int> {
    let start = isQuote(at(first)) ? first + 1 : first
    let word = plainValue(start)
    return at(word.upperBound) == 0x20 && word.count < 10 ? plainValue(word.upperBound + 1) : word
  }

  func closingQuote(_ quote: UInt8, from start: Int, isEscaped: Bool) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != 0x0A {
      if bytes[index] == quote { return index }
      if bytes[index] == 0x5C {
        if isEscaped, at(index + 1) == quote { return index }
        index += 1
      }
      index += 1
    }
    return min(index, bytes.count)
  }

  /// Returns the index of the bracket that ends a list in the same line, or `nil` if none does.
  func end(of close: UInt8, from start: Int) -> Int? {
    bytes[min(start, bytes.count)...].prefix(16_384).prefix { $0 != 0x0A }.firstIndex(of: close)
  }

  /// Returns whether a word is this name, ignoring case.
  func names(_ word: Range<Int>, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(bytes[word]) { $0 == $1 | 0x20 } }
  }

  func at(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x0A }
  func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }

  /// Returns whether a byte occurs in Base64.
  static func isBase64(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == 0x2B || byte == 0x2F || byte == 0x3D
  }
}
