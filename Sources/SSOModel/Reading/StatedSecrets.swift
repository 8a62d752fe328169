import SSOCore

/// A finder of the secrets that people state in the sentences around an error, in the languages in which they write them:
/// `the password is …`, `I typed … as password`, `entered the code 123456`.
///
/// Fields with a value, such as `password=…`, are found by ``TextScanner``. A word behind `password` is a secret if it has
/// the form of one, or if a verb or quotation marks say that it is; ordinary words are not: `the password is required`.
struct StatedSecrets {
  /// The range of a secret, in bytes.
  typealias Found = (range: Range<Int>, kind: Redaction.Kind)

  let bytes: [UInt8]
  let prose: Prose
  private var found: [Found] = []

  private init(_ bytes: [UInt8]) { (self.bytes, prose) = (bytes, Prose(bytes)) }

  /// Returns the secrets in a text, in order.
  static func find(in bytes: [UInt8]) -> [Found] {
    var finder = StatedSecrets(bytes)
    finder.search()
    return finder.found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private mutating func search() {
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x40, let value = besideAddress(index) { found.append(value) }
      if let value = besideCall(index) { found.append(value) }
      guard let (label, end) = label(at: index) else {
        index += 1
        continue
      }
      if prose.at(end) == 0x28, label.form == .call || label.form == .password || label.form == .opaque {
        found += arguments(from: end, of: index..<end, label)
      } else {
        let changed = change(behind: end, label)
        found += changed.isEmpty ? value(of: label, index..<end).map(withFurther) ?? [] : changed
      }
      index = end
    }
  }

  /// Returns the name of a secret that begins at an index, with the end of its word, or `nil` if none begins there.
  private func label(at index: Int) -> (SecretLabel, end: Int)? {
    let (first, before) = (bytes[index], prose.at(index - 1))
    // `clientSecret`, but not the end of another word.
    let isStart =
      !before.isLetter && !before.isDigit || (0x41...0x5A).contains(first) && before >= 0x61
    guard first >= 0x80 || first.isLetter && isStart else { return nil }
    for label in SecretLabel.beginning(with: first) {
      guard let end = prose.end(of: label.text, at: index) else { continue }
      if label.isASCII {
        guard !prose.at(end).isLetter, !prose.at(end).isDigit, prose.at(end) < 0x80 || !label.isLatin,
          label.form != .call || prose.at(end) == 0x28, label.form != .user || prose.at(end) != 0x28,
          label.text.count != 4 || label.text != SecretWords.pass || prose.at(end) == 0x3A
            || [" is ", " for "].contains(where: { prose.end(of: Array($0.utf8), at: end) != nil })
        else { continue }
        return (label, end)
      }
      // Latin letters behind it are its ending: `hasłem`.
      guard label.isLatin else { return (label, end) }
      let stop = prose.end(from: end) { $0.isLetter || $0 >= 0x80 }
      if stop - end <= 6 { return (label, stop) }
    }
    return nil
  }

  /// Returns the secret that belongs to a name, or `nil` if the text does not state one.
  private func value(of label: SecretLabel, _ place: Range<Int>) -> Found? {
    if label.form == .user { return besideUser(place) }
    if let phrase = phrase(behind: label, place) { return (phrase, .password) }
    // The values of fields are not sentences.
    let mark = prose.end(from: place.upperBound) { $0 == 0x20 || $0 == 0x22 || $0 == 0x27 || $0 == 0x5C }
    if prose.at(mark) == 0x3D || prose.at(mark) == 0x3A, prose.at(mark + 1) != 0x3A,
      let kind = Redaction.kind(ofField: prose.text(place))
    {
      // `OTP: 123456`
      let isSentence =
        kind == .code && prose.at(mark) == 0x3A && bytes[place.upperBound..<mark].allSatisfy { $0 == 0x20 }
      guard isSentence else { return nil }
    }
    switch label.form {
    case .password, .opaque, .key:
      let kind: Redaction.Kind = label.form == .password ? .password : .token
      let value =
        after(label, place) ?? before(label, place) ?? aside(label, place) ?? answer(to: label, place)
        ?? grouped(label, place) ?? nearby(label, place)
      return value.map { (range: $0, kind: kind) }
    case .typed:
      return (codeAfter(label, place) ?? codeBefore(place)).map { (range: $0, kind: .code) }
        ?? typedPassword(place).map { (range: $0, kind: .password) }
    case .message: return codeOfMessage(place).map { (range: $0, kind: .code) }
    case .oneOfTwo: return oneOfTwo(place).map { (range: $0, kind: .password) }
    case .oneTimeCode, .code:
      return
        (codeAfter(label, place) ?? codeBefore(place) ?? codeStatedBefore(label, place)
        ?? answer(to: label, place))
        .map { (range: $0, kind: .code) }
    case .recoveryCode: return recoveryCode(place).map { (range: $0, kind: .code) }
    case .call, .user: return nil
    }
  }

  // MARK: - Passwords and other secrets

  /// Returns the value behind a name: `password lamp5lamp`, `the password for lee is lamp5lamp`.
  private func after(_ label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    guard var first = gap(place.upperBound, label) else { return nil }
    var isProvided = false
    while let word = prose.word(at: first), SecretWords.fillers.contains(prose.lower(word)),
      prose.at(word.upperBound) == 0x20
    {
      isProvided = true
      first = prose.blank(word.upperBound)
    }
    if let stated = copula(at: first, label) {
      return accepted(
        label, stated, isStated: true, verb: prose.lower(first..<min(stated, first + 8)).trimmed)
    }
    let particle = particles(at: first)
    if particle > first { return accepted(label, particle, isStated: true, verb: "") }
    // `setx CLIENT_SECRET lamp5lamp`
    let isVariable =
      prose.at(place.lowerBound - 1) == 0x5F && (0x41...0x5A).contains(prose.at(place.lowerBound))
    if let value = accepted(
      label, first, isStated: isVariable || isBehindUser(place),
      verb: isVariable || isBehindUser(place) ? "is" : verbBefore(place),
      isProvided: isProvided)
    {
      return value
    }
    // The verb may come later: `the password that I sent for lee was lamp5lamp`.
    var (hasVerb, hasOwner) = (false, false)
    for _ in 0..<6 {
      guard let word = prose.word(at: first) else { return nil }
      let text = prose.lower(word)
      guard !SecretWords.ofFailures.contains(where: text.contains),
        !".,;!?)".utf8.contains(prose.at(word.upperBound - 1))
      else { return nil }
      hasVerb = hasVerb || SecretWords.verbs.contains(text.trimming { $0 == ":" })
      hasOwner = hasOwner || SecretWords.prepositions.contains(text)
      if text.hasSuffix(":") {
        let isStated = hasVerb || hasOwner || SecretWords.copulas.contains(String(text.dropLast()))
        let value = accepted(
          label, prose.blank(word.upperBound), isStated: true, verb: hasVerb || hasOwner ? "is" : "")
        // `contraseña temporal: lampwick5`
        return isStated || value.map { isStrong($0, least: 6) } ?? false ? value : nil
      }
      first = prose.blank(word.upperBound)
      if label.isEnglish, SecretWords.notInEnglish.contains(text),
        let value = accepted(label, first, isStated: false, verb: "")
      {
        return value
      }
      if let stated = copula(at: first, label) {
        let verb = prose.lower(first..<min(stated, first + 8)).trimmed
        return accepted(label, stated, isStated: true, verb: verb) ?? qualified(label, stated)
      }
    }
    return nil
  }

  /// Returns the word behind an adjective and a verb in another language than English, if it is the last of its sentence and
  /// does not say how the secret is: `le mot de passe actuel est lampe`.
  private func qualified(_ label: SecretLabel, _ first: Int) -> Range<Int>? {
    let value = prose.run(at: first, isLatin: true)
    let word = prose.lower(value)
    let isWord =
      value.count > 4 && bytes[value].allSatisfy(\.isLetter) && prose.endsSentence(value.upperBound)
    return label.form == .password && !label.isEnglish && isWord && !isSaid(word) ? value : nil
  }

  /// Returns whether a word in lowercase says how a secret is.
  private func isSaid(_ word: String) -> Bool {
    SecretWords.ordinary.contains(word) || SecretWords.ordinaryEndings.contains(where: word.hasSuffix)
      || SecretWords.foreignEndings.contains(where: word.hasSuffix)
  }

  private func isMark(_ verb: String) -> Bool { verb.hasPrefix(":") || verb.hasPrefix("：") }

  /// Returns the value before a name: `typed lamp5lamp as the password`, `lamp5lamp 作为密码`.
  private func before(_ label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    guard label.form == .password else { return nil }
    var end = place.lowerBound
    if !label.isLatin {
      // Particles of other scripts, at most four characters.
      let limit = max(0, end - 14)
      while end > limit, prose.at(end - 1) >= 0x80 || prose.at(end - 1) == 0x20 { end -= 1 }
      guard end > 0 else { return nil }
      let value = prose.run(before: end)
      return isStrong(value, least: 8) ? value : nil
    }
    var connector: Range<Int>?
    for _ in 0..<2 {
      let stop = prose.blankBefore(end)
      guard stop < end || end == place.lowerBound else { return nil }
      let word = prose.run(before: stop)
      let text = prose.lower(word)
      if SecretWords.connectors.contains(text) {
        connector = word
        break
      }
      guard SecretWords.determiners.contains(text) else { break }
      end = word.lowerBound
    }
    let isTurkish =
      prose.lower(prose.blank(place.upperBound)..<min(bytes.count, prose.blank(place.upperBound) + 6))
      == "olarak"
    guard let limit = connector?.lowerBound ?? (isTurkish ? place.lowerBound : nil) else { return nil }
    let stop = prose.blankBefore(limit)
    guard stop < limit, stop > 0 else { return nil }
    if let quoted = prose.quoted(endingAt: stop) { return isHarmless(quoted) ? nil : quoted }
    let value = prose.run(before: stop)
    guard !isHarmless(value) else { return nil }
    if isStrong(value, least: 4) { return value }
    let word = prose.lower(value)
    let isTyped = SecretWords.verbs.contains(
      prose.lower(prose.run(before: prose.blankBefore(value.lowerBound))))
    return isTyped && value.count > 3 && !SecretWords.pronouns.contains(word) ? value : nil
  }

  /// Returns the value at an index if it is a secret, or `nil` if it is the next word of a sentence.
  private func accepted(
    _ label: SecretLabel, _ first: Int, isStated: Bool, verb: String, isProvided: Bool = false
  ) -> Range<Int>? {
    if let value = prose.quoted(at: first) {
      guard !value.isEmpty, !isHarmless(value) else { return nil }
      if label.form == .password { return value }
      return isStated && label.form == .opaque || Self.looksRandom(bytes[value])
        || isProvided && value.count >= 8 && bytes[value].contains(where: \.isDigit) ? value : nil
    }
    var value = prose.run(at: first, isLatin: label.isLatin)
    if value.isEmpty, isMark(verb), let word = prose.word(at: first), bytes[word].contains(where: \.isDigit) {
      // A password in another script: `пароль: лампа5`.
      value = prose.run(at: first, isLatin: true)
    }
    guard value.count >= 4, !isHarmless(value) else { return nil }
    if label.form == .password, !label.isEnglish, isMark(verb), value.count > 4 || !label.isLatin,
      bytes[value].allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 >= 0x80 }),
      !isSaid(prose.lower(value))
    {
      return value
    }
    if label.form == .key { return Self.looksRandom(bytes[value]) || isBase32(value) ? value : nil }
    if label.form == .opaque {
      return Self.looksRandom(bytes[value]) || isStated && mixes(value, least: 6) ? value : nil
    }
    // `app password abcdefghijklmnop`
    if value.count == 16, bytes[value].allSatisfy({ $0 >= 0x61 }), verb == "app" { return value }
    if isStrong(value, least: isStated ? 4 : 6) {
      return isStated || !bytes[value].contains(0x3D) ? value : nil
    }
    if isStated, bytes[value].allSatisfy(\.isDigit) { return value }
    guard bytes[value].allSatisfy({ $0.isLetter || $0 == 0x2D || $0 >= 0x80 }),
      prose.endsSentence(value.upperBound)
    else { return nil }
    let last = prose.lower(value)
    // `with password lampwick, as lee`, `the password is lampwick.`
    let isOrdinary =
      SecretWords.ordinary.contains(last) || SecretWords.ordinaryEndings.contains(where: last.hasSuffix)
    if verb == "using" || verb == "with" { return isOrdinary ? nil : value }
    guard isStated else { return nil }
    if verb == "is" || verb == "was" { return isOrdinary ? nil : value }
    // In another language, a word that begins with a capital.
    return !label.isEnglish && (0x41...0x5A).contains(bytes[value.lowerBound]) && !verb.isEmpty ? value : nil
  }

  /// Returns whether a name follows a user's, as in a file of credentials: `login lee password lampwick`.
  private func isBehindUser(_ place: Range<Int>) -> Bool {
    func spaceBefore(_ end: Int) -> Int {
      var end = end
      while end > 0, bytes[end - 1].isSpace { end -= 1 }
      return end
    }
    let user = prose.run(before: spaceBefore(place.lowerBound))
    return !user.isEmpty
      && ["login", "username"].contains(prose.lower(prose.run(before: spaceBefore(user.lowerBound))))
  }

  /// Returns whether a word is the seed of a one-time code (RFC 4648 §6).
  private func isBase32(_ value: Range<Int>) -> Bool {
    value.count >= 16 && bytes[value].contains(where: \.isDigit)
      && bytes[value].allSatisfy { (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) }
  }

  private func verbBefore(_ place: Range<Int>) -> String {
    prose.lower(prose.run(before: prose.blankBefore(place.lowerBound)))
  }

  /// Returns the index behind a verb or a mark that says that the value follows, or `nil` if neither is at an index.
  func copula(at index: Int, _ label: SecretLabel) -> Int? {
    for mark in SecretWords.marks {
      if let end = prose.end(of: mark, at: index) { return prose.blank(end) }
    }
    guard let word = prose.word(at: index), prose.at(word.upperBound) == 0x20,
      SecretWords.copulas.contains(prose.lower(word)),
      !(label.isEnglish && SecretWords.notInEnglish.contains(prose.lower(word)))
    else { return nil }
    let first = prose.blank(word.upperBound)
    guard let next = prose.word(at: first), prose.at(next.upperBound) == 0x20,
      SecretWords.adverbs.contains(prose.lower(next))
    else {
      return first
    }
    return prose.blank(next.upperBound)
  }

  /// Returns the index behind the particles of Chinese, Japanese, and Korean at an index, or the index itself.
  private func particles(at index: Int) -> Int {
    var index = index
    for _ in 0..<4 {
      for particle in SecretWords.particles {
        guard let end = prose.end(of: particle, at: index) else { continue }
        index = prose.blank(end)
        break
      }
    }
    return index
  }

  /// Returns where the words behind a name begin, or `nil` if its sentence ends with it.
  private func gap(_ end: Int, _ label: SecretLabel) -> Int? {
    // `the password, which is lampwick5, …`
    if prose.at(end) == 0x2C, let word = prose.word(at: prose.blank(end + 1)), prose.lower(word) == "which" {
      return prose.blank(end + 1)
    }
    let first = prose.blank(end)
    // Chinese, Japanese, and Korean are written without blanks between words.
    return first > end || !label.isLatin || copula(at: end, label) != nil ? first : nil
  }

  /// Returns whether a word has the form of a password: letters and digits, or symbols within.
  func isStrong(_ value: Range<Int>, least: Int) -> Bool {
    guard value.count >= least, !isHarmless(value) else { return false }
    let text = bytes[value]
    let symbols = text.dropFirst().dropLast().contains { "@#$%!^*&?~".utf8.contains($0) }
    return symbols && text.contains(where: \.isLetter) || mixes(value, least: least)
      || text.allSatisfy(\.isDigit) && (6...12).contains(text.count)
  }

  /// Returns whether a word has letters and digits as a secret does, and is not the name of an algorithm.
  func mixes(_ value: Range<Int>, least: Int) -> Bool {
    let text = bytes[value]
    return text.count >= least && text.contains(where: \.isDigit) && text.contains(where: \.isLetter)
      && !SecretWords.algorithms.contains { name in text.starts(with: name.utf8) { $0 | 0x20 == $1 } }
  }

  /// Returns whether a word cannot be a secret: a code, an address, a path, a time, an ID, or the place of a value.
  func isHarmless(_ value: Range<Int>) -> Bool {
    let text = bytes[value]
    guard let first = text.first else { return true }
    if "/<{$%(*[".utf8.contains(first) { return true }
    let word = String(decoding: text, as: UTF8.self)
    if ["0x", "http", "AADSTS", "AADB2C", "RFC", "Masked", "[masked"].contains(where: word.hasPrefix) {
      return true
    }
    if word.contains("://") || word.contains("::") || word.contains("()") { return true }
    // An e-mail address.
    if let sign = text.firstIndex(of: 0x40), text[sign...].contains(0x2E), sign > text.startIndex {
      return true
    }
    // A time, a version, or a GUID.
    if text.allSatisfy({ $0.isDigit || "-:.TZ+/".utf8.contains($0) }), text.contains(where: { !$0.isDigit }) {
      return true
    }
    return text.count == 36 && text.allSatisfy { $0.isHexDigit || $0 == 0x2D }
  }

  /// Returns whether a word of 12 characters or more has digits, and letters of both cases or a `~`.
  static func looksRandom(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.count { $0.isDigit }
    let capitals = word.count { (0x41...0x5A).contains($0) }
    let letters = word.count { $0.isLetter }
    return word.count >= 12 && digits > 1 && (capitals > 0 && letters > capitals || word.contains(0x7E))
      && word.allSatisfy { TextScanner.isWord($0) || $0 == 0x3D } && !Redaction.isReadable(word)
  }

  // MARK: - Codes that the user reads and types

  /// Returns the code behind a name: `OTP 068349`, `entered the code 068349`, `enter the code LAMP8338 to authenticate`.
  private func codeAfter(_ label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    var first = prose.blank(place.upperBound)
    guard first > place.upperBound || !label.isLatin || copula(at: first, label) != nil else { return nil }
    for _ in 0..<5 {
      let end = copula(at: first, label) ?? particles(at: first)
      if end > first {
        first = end
      } else if let word = prose.word(at: first), SecretWords.codeFillers.contains(prose.lower(word)) {
        first = prose.blank(word.upperBound)
      } else {
        break
      }
    }
    // `the code that came by SMS was 068349`
    var next = first
    for _ in 0..<6 where label.form != .typed && !prose.at(first).isDigit {
      guard let word = prose.word(at: next), !".,;:!?".utf8.contains(prose.at(word.upperBound - 1)) else {
        break
      }
      next = prose.blank(word.upperBound)
      guard let stated = copula(at: next, label) else { continue }
      let words = prose.lower(place.upperBound..<next)
      guard let code = digits(of: prose.run(at: stated, isLatin: false)), code.count >= 6,
        label.form == .oneTimeCode && !SecretWords.ofFailures.contains(where: words.contains)
          || SecretWords.ofTyping.contains(where: words.contains)
      else { break }
      return code
    }
    let value = prose.quoted(at: first) ?? prose.run(at: first, isLatin: false)
    guard let code = digits(of: value) else { return isDeviceCode(value) ? value : nil }
    // `entered 068349`
    if label.form == .typed { return first == prose.blank(place.upperBound) && code.count == 6 ? code : nil }
    return label.form == .oneTimeCode || isTyped(place, code) ? code : nil
  }

  /// Returns whether a word is the code that a user types at another device, and not an error's.
  private func isDeviceCode(_ value: Range<Int>) -> Bool {
    let text = bytes[value]
    guard (6...12).contains(value.count),
      text.allSatisfy({ $0.isDigit || (0x41...0x5A).contains($0) || $0 == 0x2D })
    else { return false }
    if prose.end(of: Array(" to authenticate".utf8), at: value.upperBound) != nil { return true }
    // Entra's has nine characters.
    return (8...9).contains(value.count) && text.contains(where: \.isDigit) && text.count { $0.isLetter } > 2
      && !["CAA", "AADSTS", "IDX", "IDW", "MSIS", "AKV"].contains { text.starts(with: $0.utf8) }
  }

  /// Returns the code before a name: `typed 068349 as the code`.
  private func codeBefore(_ place: Range<Int>) -> Range<Int>? {
    var end = place.lowerBound
    for _ in 0..<3 {
      let word = prose.run(before: prose.blankBefore(end))
      let text = prose.lower(word)
      if SecretWords.connectors.contains(text) {
        return digits(of: prose.run(before: prose.blankBefore(word.lowerBound)))
      }
      guard SecretWords.determiners.contains(text) else { return nil }
      end = word.lowerBound
    }
    return nil
  }

  /// Returns the code of a message that begins with it: `068349 is your verification code`, `Use 068349 as security code`.
  private func codeStatedBefore(_ label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    guard label.form != .typed, label.isLatin else { return nil }
    var end = place.lowerBound
    for _ in 0..<5 {
      let word = prose.run(before: prose.blankBefore(end))
      let text = prose.lower(word)
      guard !word.isEmpty, !SecretWords.ofOtherCodes.contains(text),
        !".;!?".utf8.contains(prose.at(word.upperBound - 1))
      else {
        return nil
      }
      if SecretWords.copulas.contains(text) || SecretWords.connectors.contains(text) {
        return digits(of: prose.run(before: prose.blankBefore(word.lowerBound))).flatMap {
          $0.count >= 6 ? $0 : nil
        }
      }
      end = word.lowerBound
    }
    return nil
  }

  /// Returns the digits of a code, of which there are 4 to 10 in one or two groups, or `nil` for any other word.
  func digits(of value: Range<Int>) -> Range<Int>? {
    // `G-068349`
    let start = value.lowerBound + (bytes[value].starts(with: "G-".utf8) ? 2 : 0)
    var end = prose.end(from: start, where: \.isDigit)
    if end - start == 3, prose.at(end) == 0x20 || prose.at(end) == 0x2D,
      prose.end(from: end + 1, where: \.isDigit) == end + 4
    {
      end += 4
    }
    guard (4...10).contains(end - start), !prose.at(end).isLetter, !prose.at(end).isDigit,
      !((prose.at(end) == 0x2E || prose.at(end) == 0x3A || prose.at(end) == 0x2D)
        && prose.at(end + 1).isDigit)
    else { return nil }
    return value.lowerBound..<end
  }

  /// Returns whether the words around a code say that a user typed or received it, and not that it is an error's.
  private func isTyped(_ place: Range<Int>, _ code: Range<Int>) -> Bool {
    let between = prose.lower(place.upperBound..<max(place.upperBound, code.lowerBound))
    let before = prose.lower(max(0, place.lowerBound - 48)..<place.lowerBound)
    let sentence = before.split { ".;!?".contains($0) }.last.map(String.init) ?? ""
    let last = sentence.split { " _-".contains($0) }.last.map(String.init) ?? ""
    guard !SecretWords.ofOtherCodes.contains(last), !SecretWords.ofFailures.contains(where: sentence.contains)
    else {
      return false
    }
    let after = prose.lower(code.upperBound..<min(bytes.count, code.upperBound + 32))
    return SecretWords.ofTyping.contains { sentence.contains($0) || between.contains($0) }
      || SecretWords.typedBehind.contains(where: after.contains)
  }
}
