import SSOCore
import SSOReference

/// The secrets that are stated by their place and not by a verb: an argument of a call, a word beside a user, an answer
/// to a question, the words of a phrase, and recovery codes.
extension StatedSecrets {
  // MARK: - Arguments of calls

  /// Returns the secrets among the arguments of a call whose name ends with a label, and whose bracket is at `open`:
  /// `acquire_token_by_username_password('lee', 'lampwick')`, `ClientSecretCredential("contoso", "lamp", "lampwick5")`.
  func arguments(from open: Int, of place: Range<Int>, _ label: SecretLabel) -> [Found] {
    let literals = stringLiterals(from: open + 1)
    guard let first = literals.first else { return [] }
    var start = place.lowerBound
    while start > 0, TextScanner.isWord(prose.at(start - 1)), prose.at(start - 1) != 0x2E { start -= 1 }
    let name = prose.lower(start..<place.upperBound)
    // `WithClientSecret("lampwick")`
    if label.form != .call,
      Self.setters.contains(where: name.hasPrefix) || prose.at(start - 1) == 0x2E && name.hasPrefix("client")
    {
      return literals.count == 1 && first.count >= 4 && !isHarmless(first) ? [(first, .password)] : []
    }
    guard label.form != .opaque || name.contains("password") else { return [] }
    if literals.count == 1, Self.lastTakers.contains(where: name.contains) {
      return first.count >= 4 && !isHarmless(first) && !isFileName(first) ? [(first, .password)] : []
    }
    if literals.count == 1 {
      return label.form == .password && isStrong(first, least: 6) ? [(first, .password)] : []
    }
    let address = literals.firstIndex { bytes[$0].contains(0x40) && isHarmless($0) }
    let behind = literals[((address ?? 0) + 1)...]
    let strong = behind.filter { isStrong($0, least: 6) && !isFileName($0) }
    if !strong.isEmpty { return strong.map { (range: $0, kind: .password) } }
    let takesPassword =
      label.form == .password || address != nil || Self.takers.contains(where: name.contains)
    guard takesPassword, let next = behind.first, next.count >= 4, !isHarmless(next),
      !bytes[next].contains(0x20),
      !bytes[next].contains(0x2E)
    else { return [] }
    return [(next, .password)]
  }

  /// Parts of the names of functions that take a user's name or an ID, and a secret.
  private static let takers = ["user", "networkcredential", "pscredential", "clientcredential", "auth="]
  /// Parts of the names of functions whose only literal is the secret.
  private static let lastTakers = ["usernamepassword", "clientsecret", "userpassword"]
  /// The beginnings of the names of functions that take a secret.
  private static let setters = ["with", "set", "createfrom", "from"]

  /// Returns the secret beside the name of a function that only secrets are passed to: `"lampwick".toCharArray()`,
  /// `ConvertTo-SecureString -String 'lampwick'`, `'lampwick' | ConvertTo-SecureString`, `net use … lampwick5 /user:lee`.
  func besideCall(_ index: Int) -> Found? {
    switch bytes[index] {
    case 0x2E:
      guard prose.end(of: Array(".tochararray(".utf8), at: index) != nil,
        let value = prose.quoted(endingAt: index)
      else {
        return nil
      }
      return value.isEmpty || isHarmless(value) ? nil : (value, .password)
    case 0x43, 0x63:
      guard let end = prose.end(of: Array("convertto-securestring".utf8), at: index) else { return nil }
      let before = prose.blankBefore(index)
      if prose.at(before - 1) == 0x7C, let value = prose.quoted(endingAt: prose.blankBefore(before - 1)) {
        return isHarmless(value) ? nil : (value, .password)
      }
      let rest = bytes[end...].prefix(80).prefix { $0 != 0x0A && $0 != 0x3B && $0 != 0x7C }
      return rest.firstIndex { $0 == 0x22 || $0 == 0x27 }.flatMap { prose.quoted(at: $0) }.flatMap { value in
        isHarmless(value) ? nil : (value, .password)
      }
    case 0x2F:
      guard prose.at(index - 1) == 0x20, prose.end(of: Array("/user:".utf8), at: index) != nil else {
        return nil
      }
      let value = prose.run(before: prose.blankBefore(index))
      return isSecretWord(value) ? (value, .password) : nil
    default: return nil
    }
  }

  /// Returns the string literals among the arguments that begin at an index, except those in brackets, or none if the call
  /// does not end.
  private func stringLiterals(from start: Int) -> [Range<Int>] {
    var literals: [Range<Int>] = []
    var (index, depth) = (start, 0)
    let limit = min(bytes.count, start + 600)
    while index < limit, literals.count < 12 {
      switch bytes[index] {
      case 0x28, 0x5B, 0x7B: depth += 1
      case 0x29, 0x5D, 0x7D:
        if depth == 0 { return literals }
        depth -= 1
      case 0x22, 0x27:
        let isEscaped = prose.at(index - 1) == 0x5C
        let quote = bytes[index]
        var end = index + 1
        while end < limit, bytes[end] != quote, bytes[end] != 0x0A {
          end += prose.at(end) == 0x5C && !isEscaped ? 2 : 1
        }
        guard end < limit, prose.at(end) == quote else {
          // The end of the text may have been cut off with the quotation mark.
          guard limit == bytes.count else { return [] }
          return depth == 0 ? literals + [index + 1..<limit] : literals
        }
        if depth == 0 { literals.append(index + 1..<(isEscaped ? max(index + 1, end - 1) : end)) }
        index = end
      default: break
      }
      index += 1
    }
    return limit == bytes.count ? literals : []
  }

  /// Returns whether a text is the name of a file, such as `lamp2.pem`.
  private func isFileName(_ value: Range<Int>) -> Bool {
    guard let dot = bytes[value].lastIndex(of: 0x2E) else { return false }
    let ending = bytes[(dot + 1)..<value.upperBound]
    return (2...5).contains(ending.count) && ending.allSatisfy { $0.isLetter || $0.isDigit }
      && !bytes[value].contains { "!#$%^&*?~".utf8.contains($0) }
  }

  // MARK: - Beside a user

  /// Returns the password behind a user's name: `user: lee / lampwick5`.
  func besideUser(_ place: Range<Int>) -> Found? {
    var index = prose.blank(place.upperBound)
    guard prose.at(index) == 0x3A || prose.at(index) == 0x3D || index > place.upperBound else { return nil }
    let isLabelled = prose.at(index) == 0x3A || prose.at(index) == 0x3D
    if isLabelled { index += 1 }
    while prose.at(index).isSpace, index < bytes.count { index += 1 }
    let name = prose.end(from: index) { !$0.isSpace && !"/|,;()<>\"'=".utf8.contains($0) }
    guard name > index, name - index <= 80, isLabelled || bytes[index..<name].contains(0x40) else {
      return nil
    }
    if let found = separated(from: name) { return found }
    let first = prose.blank(name)
    // `creds: lee lamp!wick5`
    let value = prose.run(at: first, isLatin: true)
    if first > name, bytes[index..<name].contains(0x40), isSecretWord(value), value.count >= 8 {
      return (value, .password)
    }
    // `user: lee / lampwick`
    guard isLabelled, prose.at(first) == 0x2F, prose.at(first + 1) == 0x20 else { return nil }
    let word = prose.run(at: prose.blank(first + 1), isLatin: true)
    let isAtEnd = prose.at(word.upperBound) == 0x0A || prose.at(word.upperBound) == 0x0D
    return isAtEnd && word.count > 5 && bytes[word].allSatisfy(\.isLetter)
      && !SecretWords.ordinary.contains(prose.lower(word)) ? (word, .password) : nil
  }

  /// Returns the password behind an e-mail address whose sign is at an index: `lee@example.com / lampwick5`.
  func besideAddress(_ sign: Int) -> Found? {
    let name = prose.run(before: sign)
    let end = prose.end(from: sign + 1) { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x2E }
    guard !name.isEmpty, bytes[sign..<end].contains(0x2E), prose.at(end - 1) != 0x2E,
      !bytes[name].contains(0x2F), !bytes[name].contains(0x3A)
    else { return nil }
    if let found = separated(from: end) { return found }
    // `lee@example.com;lampwick5;…`
    if ";,\t".utf8.contains(prose.at(end)), prose.at(end + 1) != 0x20 {
      let value = end + 1..<prose.end(from: end + 1) { !$0.isSpace && $0 != prose.at(end) }
      return isSecretWord(value) ? (value, .password) : nil
    }
    // `u: lee@example.com`, and in the next line `p: lampwick5`.
    let next = prose.end(from: end, where: \.isSpace)
    if next > end, prose.at(next) == 0x70 || prose.at(next) == 0x50, prose.at(next + 1) == 0x3A {
      let value = prose.run(at: prose.blank(next + 2), isLatin: true)
      return isSecretWord(value) ? (value, .password) : nil
    }
    // `lee@example.com and lampwick5`
    if prose.at(end) == 0x20, let word = prose.word(at: end + 1), Self.ofPairs.contains(prose.lower(word)) {
      let value = prose.run(at: prose.blank(word.upperBound), isLatin: true)
      return isSecretWord(value) && value.count >= 8 ? (value, .password) : nil
    }
    // `lee@example.com:lampwick5`, and not the path of a repository.
    if prose.at(end) == 0x3A, prose.at(end + 1) != 0x20 {
      let value = prose.run(at: end + 1, isLatin: true)
      return isSecretWord(value) ? (value, .password) : nil
    }
    // `lee@example.com (Lampwick5)`
    guard prose.at(end) == 0x20, prose.at(end + 1) == 0x28 else { return nil }
    let value = end + 2..<prose.end(from: end + 2) { !$0.isSpace && $0 != 0x29 }
    let text = bytes[value]
    let isMixed =
      text.contains { (0x41...0x5A).contains($0) } && text.contains { (0x61...0x7A).contains($0) }
    return prose.at(value.upperBound) == 0x29 && value.count >= 8 && isMixed && isSecretWord(value)
      ? (value, .password) : nil
  }

  /// The words between a user and a password.
  private static let ofPairs: Set = ["and", "with", "und", "mit", "et", "avec", "y", "con", "e", "en"]

  /// Returns the secret behind a slash, a bar, or an arrow with blanks around it, or `nil` if something else follows.
  private func separated(from end: Int) -> Found? {
    let sign = prose.blank(end)
    let isPair = "/|".utf8.contains(prose.at(sign)) && prose.at(sign + 1) == 0x20 && sign > end
    let isCompact = prose.at(end) == 0x2F
    guard isPair || isCompact else { return nil }
    let first = prose.blank(sign + 1)
    let value = prose.quoted(at: first) ?? prose.run(at: first, isLatin: true)
    return isSecretWord(value) ? (value, .password) : nil
  }

  /// Returns whether a word has the form of a password, and is not a path, a file, or a number.
  private func isSecretWord(_ value: Range<Int>) -> Bool {
    isStrong(value, least: 6) && !bytes[value].contains(0x2F) && !bytes[value].contains(0x3D)
      && !bytes[value].allSatisfy(\.isDigit) && !isFileName(value)
  }

  /// Returns the secret in brackets behind its name, or behind a verb of the user: `the password (lampwick5)`, `as password
  /// I typed lampwick`.
  func aside(_ label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    guard label.form == .password else { return nil }
    var first = prose.blank(place.upperBound)
    // `mon mot de passe provisoire (lampwick5)`
    if prose.at(first) != 0x28, let word = prose.word(at: first),
      prose.at(prose.blank(word.upperBound)) == 0x28
    {
      first = prose.blank(word.upperBound)
    }
    if prose.at(first) == 0x28 {
      first += 1
      for _ in 0..<3 {
        guard let word = prose.word(at: first), Self.ofAsides.contains(prose.lower(word)) else { break }
        first = prose.blank(word.upperBound)
      }
      let value = prose.run(at: first, isLatin: true)
      return prose.at(value.upperBound) == 0x29 && isStrong(value, least: 6) ? value : nil
    }
    guard SecretWords.connectors.contains(prose.lower(prose.run(before: prose.blankBefore(place.lowerBound))))
    else { return nil }
    var hasVerb = false
    while let word = prose.word(at: first), SecretWords.verbs.contains(prose.lower(word)) {
      hasVerb = hasVerb || word.count > 1
      first = prose.blank(word.upperBound)
    }
    let value = prose.quoted(at: first) ?? prose.run(at: first, isLatin: true)
    return hasVerb && value.count > 3 && !isHarmless(value)
      && !SecretWords.pronouns.contains(prose.lower(value))
      ? value : nil
  }

  /// The words before a secret in brackets.
  private static let ofAsides: Set = [
    "it", "was", "is", "which", "i.e.", "e.g.", "=", "that", "c'est", "also",
  ]

  // MARK: - What people typed and compared

  /// Returns the password behind a verb, or before a participle: `typed lampwick5`, `lampwick as always`, `habe lampwick5
  /// eingegeben`.
  func typedPassword(_ place: Range<Int>) -> Range<Int>? {
    let first = prose.blank(place.upperBound)
    let value = prose.quoted(at: first) ?? prose.run(at: first, isLatin: true)
    if isSecretWord(value), value.count >= 8 { return value }
    let isWord =
      value.count > 4 && bytes[value].allSatisfy(\.isLetter)
      && !SecretWords.pronouns.contains(prose.lower(value))
    let rest = prose.lower(
      prose.blank(value.upperBound)..<min(bytes.count, prose.blank(value.upperBound) + 12))
    if isWord, SecretWords.ofHabits.contains(where: rest.hasPrefix) { return value }
    let before = prose.run(before: prose.blankBefore(place.lowerBound))
    return prose.lower(place).hasSuffix("eingegeben") && isSecretWord(before) && before.count >= 8
      ? before : nil
  }

  /// Returns the code that a message brings: `the SMS said 068349`, `text message: 068349`.
  func codeOfMessage(_ place: Range<Int>) -> Range<Int>? {
    var first = prose.blank(place.upperBound)
    for mark in [UInt8(0x3A), 0x2D] where prose.at(first) == mark { first = prose.blank(first + 1) }
    if first == prose.blank(place.upperBound) {
      guard let word = prose.word(at: first), SecretWords.ofMessages.contains(prose.lower(word)) else {
        return prose.lower(place).hasSuffix("showed") || prose.lower(place).hasSuffix("shows")
          ? shownNumber(first) : nil
      }
      first = prose.blank(word.upperBound)
    }
    return digits(of: prose.quoted(at: first) ?? prose.run(at: first, isLatin: true))
  }

  /// Returns the number of two digits that an app shows to be typed elsewhere, or a code.
  private func shownNumber(_ first: Int) -> Range<Int>? {
    let value = prose.run(at: first, isLatin: true)
    return value.count == 2 && bytes[value].allSatisfy(\.isDigit) ? value : digits(of: value)
  }

  /// Returns one of two secrets that are compared: `old one: Lampwick5, new one: Lampwick6`.
  func oneOfTwo(_ place: Range<Int>) -> Range<Int>? {
    guard prose.at(place.upperBound) == 0x3A else { return nil }
    let value = prose.run(at: prose.blank(place.upperBound + 1), isLatin: true)
    return looksChosen(value) ? value : nil
  }

  /// Returns whether a word is like a password that a user chose: letters of both cases and digits, and not a product.
  private func looksChosen(_ value: Range<Int>) -> Bool {
    let text = bytes[value]
    return value.count >= 8 && text.contains(where: \.isDigit) && text.contains { (0x61...0x7A).contains($0) }
      && text.contains { (0x41...0x5A).contains($0) } && !text.contains { "-_./:=()[]{}".utf8.contains($0) }
      && isSecretWord(value) && !SecretWords.products.contains(where: prose.lower(value).hasPrefix)
  }

  /// Returns a word like a password behind its name in the same sentence: `my password still is the old lampwick5`.
  func nearby(_ label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    guard label.form == .password, label.isLatin else { return nil }
    var first = prose.blank(place.upperBound)
    for _ in 0..<8 {
      guard let word = prose.word(at: first) else { return nil }
      let value = prose.run(at: first, isLatin: true)
      if looksChosen(value) { return value }
      guard !".;!?".utf8.contains(prose.at(word.upperBound - 1)) else { return nil }
      first = prose.blank(word.upperBound)
    }
    return nil
  }

  /// Returns the seed of one-time codes that an app shows in groups of four characters: `Secret key: lamp 5wic …` (RFC 4648
  /// §6).
  func grouped(_ label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    guard label.form == .key || label.form == .opaque else { return nil }
    let first = prose.end(from: place.upperBound) { $0 == 0x20 || $0 == 0x3A }
    var (end, count, hasDigit) = (first, 0, false)
    while let word = prose.word(at: prose.blank(end)), word.count == 4,
      bytes[word].allSatisfy({ $0.isLetter || (0x32...0x37).contains($0) })
    {
      hasDigit = hasDigit || bytes[word].contains(where: \.isDigit)
      (end, count) = (word.upperBound, count + 1)
    }
    return count > 3 && hasDigit ? first..<end : nil
  }

  // MARK: - Answers

  /// Returns the answer to a question for a secret: `What is your password? A: lampwick5`, with the answer perhaps alone
  /// in the next line.
  func answer(to label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    var index = place.upperBound + (prose.at(place.upperBound) == 0x3A ? 1 : 0)
    let limit = min(bytes.count, index + 60)
    while index < limit, !"?\n".utf8.contains(bytes[index]) {
      guard !".!;:".utf8.contains(bytes[index]) else { return nil }
      index += 1
    }
    guard index < limit else { return nil }
    let isQuestion = bytes[index] == 0x3F
    let sentence = prose.lower(max(0, place.lowerBound - 40)..<place.lowerBound)
    guard isQuestion || Self.ofAsking.contains(where: sentence.contains) else { return nil }
    let start = index + 1
    var first = prose.end(from: start) { $0.isSpace || ">\"'”*-".utf8.contains($0) || $0 >= 0x80 }
    guard isQuestion || bytes[index..<first].contains(0x0A) else { return nil }
    // `[10:02] Lee:`
    if prose.at(first) == 0x5B, let close = bytes[first...].prefix(24).firstIndex(of: 0x5D) {
      first = prose.blank(close + 1)
    }
    let speaker = prose.end(from: first) { $0.isLetter || $0.isDigit || $0 == 0x2E || $0 == 0x5F }
    let hasSpeaker = prose.at(speaker) == 0x3A && prose.at(speaker + 1) == 0x20
    if hasSpeaker { first = prose.blank(speaker + 1) }
    let value = prose.quoted(at: first) ?? prose.run(at: first, isLatin: true)
    let next = prose.end(from: value.upperBound) { ".,;\"'".utf8.contains($0) }
    let isAlone = prose.at(next) == 0x0A || prose.at(next) == 0x0D || prose.at(prose.blank(next)) == 0x0A
    guard isAlone || hasSpeaker || isQuestion else { return nil }
    if label.form == .password {
      let isWord =
        isQuestion && hasSpeaker && isAlone && value.count > 4 && !isHarmless(value)
        && !SecretWords.ordinary.contains(prose.lower(value))
        && !SecretWords.pronouns.contains(prose.lower(value))
      return isWord || isStrong(value, least: 6) ? value : nil
    }
    guard label.form == .oneTimeCode || label.form == .code, isAlone || hasSpeaker else { return nil }
    return digits(of: value).flatMap { $0.count >= 5 ? $0 : nil }
  }

  /// Words of a request for a secret.
  private static let ofAsking = ["give", "send", "tell", "share", "what", "type", "enter"]

  /// Returns the old and the new secret of a sentence such as `changed the password from lampwick5 to lampwick6`.
  func change(behind end: Int, _ label: SecretLabel) -> [Found] {
    guard [.password, .opaque, .oneTimeCode].contains(label.form) else { return [] }
    var index = prose.blank(end)
    var values: [Range<Int>] = []
    for words in Self.ofChanges {
      // `Passwort geändert von … auf …`
      for _ in 0..<2 where values.isEmpty {
        guard let word = prose.word(at: index), !words.contains(prose.lower(word)),
          !".,;:!?".utf8.contains(prose.at(word.upperBound - 1))
        else { break }
        index = prose.blank(word.upperBound)
      }
      guard let word = prose.word(at: index), words.contains(prose.lower(word)) else { break }
      let first = prose.blank(word.upperBound)
      let value = prose.quoted(at: first) ?? prose.run(at: first, isLatin: true)
      let isPIN = label.form == .oneTimeCode && value.count >= 4 && bytes[value].allSatisfy(\.isDigit)
      guard isStrong(value, least: 5) || isPIN else { break }
      values.append(value)
      index = prose.end(from: value.upperBound) { "\"' \t.,".utf8.contains($0) }
    }
    return values.map { (range: $0, kind: .password) }
  }

  /// Returns a secret and the further ones of a list that it begins: `passwords tried: lampwick1, lampwick2 and lampwick3`.
  func withFurther(_ first: Found) -> [Found] {
    var found = [first]
    // `tried lampwick1 and lampwick2 as passwords`
    let sign = prose.run(before: prose.blankBefore(first.range.lowerBound))
    let earlier = prose.run(before: prose.blankBefore(sign.lowerBound))
    if first.kind == .password, Self.ofPairs.contains(prose.lower(sign)), looksChosen(earlier) {
      found.insert((earlier, first.kind), at: 0)
    }
    while first.kind == .password, found.count < 10, let last = found.last?.range.upperBound {
      var index = prose.end(from: last) { "\"', /".utf8.contains($0) }
      let hasSign = index > last && bytes[last..<index].contains { ",/".utf8.contains($0) }
      if let word = prose.word(at: index),
        Self.ofPairs.contains(prose.lower(word)) || ["or", "oder", "of"].contains(prose.lower(word))
      {
        index = prose.end(from: prose.blank(word.upperBound)) { "\"'".utf8.contains($0) }
        if let adverb = prose.word(at: index), ["now", "then"].contains(prose.lower(adverb)) {
          index = prose.blank(adverb.upperBound)
        }
      } else if !hasSign {
        break
      }
      let value = prose.run(at: index, isLatin: true)
      guard isStrong(value, least: 6), bytes[value].allSatisfy({ $0 != 0x2F && $0 != 0x3D && $0 != 0x2E })
      else { break }
      found.append((value, first.kind))
    }
    return found
  }

  /// The words before the old password, and before the new one.
  private static let ofChanges: [Set<String>] = [
    ["from", "von", "de", "da", "van"], ["to", "auf", "zu", "in", "à", "a", "para", "naar"],
  ]

  // MARK: - Phrases and recovery codes

  /// Returns the words of a phrase behind its name: `the passphrase is lamp wick glass stand`.
  func phrase(behind label: SecretLabel, _ place: Range<Int>) -> Range<Int>? {
    guard label.form == .password, prose.lower(place).hasSuffix("phrase") else { return nil }
    var index = prose.blank(place.upperBound)
    var stated = copula(at: index, label)
    for _ in 0..<6 where stated == nil {
      guard let word = prose.word(at: index), !".,;!?".utf8.contains(prose.at(word.upperBound - 1)) else {
        return nil
      }
      index = prose.blank(word.upperBound)
      stated = copula(at: index, label)
    }
    guard let first = stated, prose.quoted(at: first) == nil else { return nil }
    var (end, count, next) = (first, 0, first)
    while count < 12, let word = prose.word(at: next) {
      let text = prose.lower(word)
      let bare = text.trimming { ".,;!?)".unicodeScalars.contains($0) }
      guard !bare.isEmpty, bare.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
        !SecretWords.endsOfPhrase.contains(bare), !bare.hasPrefix("aadsts")
      else { break }
      end = word.lowerBound + bare.utf8.count
      count += 1
      next = prose.blank(word.upperBound)
      if bare != text { break }
    }
    let words = prose.lower(first..<end).split(separator: " ")
    let isSaid = words.contains { SecretWords.ofSentences.contains($0) }
    return count > 2 && !isSaid ? first..<end : nil
  }

  /// Returns the recovery code, or the first of several, behind its name.
  func recoveryCode(_ place: Range<Int>) -> Range<Int>? {
    // The codes may begin in the next line.
    var first = prose.end(from: place.upperBound, where: \.isSpace)
    for _ in 0..<6 {
      if prose.at(first) == 0x3A || prose.at(first) == 0x3D || prose.at(first) == 0x22
        || prose.at(first) == 0x28
      {
        first = prose.end(from: first + 1, where: \.isSpace)
        continue
      }
      let value = prose.run(at: first, isLatin: true)
      let text = bytes[value]
      let digits = text.count { $0.isDigit }
      if value.count >= 6, digits > 1, text.allSatisfy({ $0.isDigit || $0.isLetter || $0 == 0x2D }),
        !isHarmless(value)
          || text.allSatisfy({ $0.isDigit || $0 == 0x2D })
      {
        return first..<endOfCodes(from: value.upperBound)
      }
      guard let word = prose.word(at: first), !".;!?".utf8.contains(prose.at(word.upperBound - 1)) else {
        return nil
      }
      first = prose.blank(word.upperBound)
    }
    return nil
  }

  /// Returns the end of further codes behind a code, with commas, blanks, or line feeds between them.
  private func endOfCodes(from start: Int) -> Int {
    var end = start
    while true {
      let first = prose.end(from: end) { ", \n\r\t".utf8.contains($0) }
      let value = prose.run(at: first, isLatin: true)
      let text = bytes[value]
      guard first > end, value.count >= 6, text.contains(where: \.isDigit),
        text.contains(0x2D) || text.allSatisfy(\.isDigit),
        text.allSatisfy({ $0.isDigit || $0.isLetter || $0 == 0x2D })
      else { return end }
      end = value.upperBound
    }
  }
}
