import SSOCore

/// The forms of secrets that are recognised wherever they stand: tokens, client secrets, and the fields of an address that
/// is itself a parameter.
enum SecretForms {
  typealias Found = (range: Range<Int>, kind: Redaction.Kind)

  /// The minimum length of a token; shorter words are never treated as one.
  private static let shortest = 20

  /// Returns the secrets in a word of a text, in order.
  static func find(in bytes: [UInt8], _ word: Range<Int>) -> [Found] {
    guard word.count >= 8 else { return [] }
    let encoded = encodedFields(in: bytes, word)
    if !encoded.isEmpty { return encoded }
    // The last line of a token that is broken over several lines.
    if word.count == bytes.count, word.count >= 16, isMixed(bytes[word]) { return [(word, .token)] }
    guard word.count >= shortest else { return [] }
    if let path = pathOfHook(in: bytes, word) { return [(path, .token)] }
    if let secret = clientSecret(in: bytes, word) { return [(secret, .token)] }
    if let token = token(in: bytes, word) { return [(token, .token)] }
    return isLongSecret(bytes[word]) ? [(word, .token)] : []
  }

  /// Returns the values of the fields in an address that is itself a parameter, so that its signs are encoded once or
  /// twice: `redirect%3Fcode%3Dlamp%26state%3Dwick`.
  private static func encodedFields(in bytes: [UInt8], _ word: Range<Int>) -> [Found] {
    var found: [Found] = []
    var index = word.lowerBound
    while let sign = sign(in: bytes, from: index, before: word.upperBound, ["3d"]) {
      var start = sign.lowerBound
      while start > word.lowerBound, bytes[start - 1] != 0x25 { start -= 1 }
      // The digits of the sign before the name.
      if start > word.lowerBound { start += bytes[start...].starts(with: "25".utf8) ? 4 : 2 }
      let next = self.sign(in: bytes, from: sign.upperBound, before: word.upperBound, endsOfValue)
      let end = next?.lowerBound ?? word.upperBound
      index = max(end, sign.upperBound)
      guard start < sign.lowerBound, sign.upperBound < end,
        let kind = Redaction.kind(ofField: String(decoding: bytes[start..<sign.lowerBound], as: UTF8.self))
      else { continue }
      found.append((sign.upperBound..<end, kind))
    }
    return found
  }

  /// The digits of the signs that end a value: `&`, quotation marks, a blank, and `#`.
  private static let endsOfValue = ["26", "22", "27", "20", "23"]

  /// Returns the next sign with one of these digits, encoded once or twice, such as `%3D` and `%253D`, or `nil` if there is
  /// none.
  private static func sign(
    in bytes: [UInt8], from start: Int, before end: Int, _ digits: [String]
  ) -> Range<Int>? {
    var index = start
    while index + 2 < end {
      if bytes[index] == 0x25 {
        let first =
          bytes[index + 1] == 0x32 && bytes[index + 2] == 0x35 && index + 4 < end ? index + 3 : index + 1
        let found = bytes[first...first + 1]
        let isOne = digits.contains { wanted in
          found.elementsEqual(wanted.utf8) { $0 == $1 || $0.isLetter && $0 | 0x20 == $1 }
        }
        if isOne { return index..<first + 2 }
      }
      index += 1
    }
    return nil
  }

  /// Returns the path of a web hook, which is its secret, or `nil` if the word is not the address of one.
  private static func pathOfHook(in bytes: [UInt8], _ word: Range<Int>) -> Range<Int>? {
    for mark in hooks {
      if let found = bytes[word].firstRange(of: mark), found.upperBound < word.upperBound {
        return found.upperBound..<word.upperBound
      }
    }
    return nil
  }

  private static let hooks = [
    "hooks.slack.com/services/", ".webhook.office.com/webhookb2/", "discord.com/api/webhooks/",
  ].map { Array($0.utf8) }

  /// Returns the client secret of Entra in a word, or `nil` if it does not contain one.
  ///
  /// It has some 40 characters, of which the fourth to sixth are a digit and `Q~`
  /// (https://learn.microsoft.com/purview/sit-defn-azure-ad-client-secret). The rest may have been cut off.
  private static func clientSecret(in bytes: [UInt8], _ word: Range<Int>) -> Range<Int>? {
    for index in word.dropLast(5).dropFirst(4) where bytes[index] == 0x51 && bytes[index + 1] == 0x7E {
      guard bytes[index - 1].isDigit else { continue }
      var (start, end) = (index - 1, index + 2)
      while start > word.lowerBound, isOfSecret(bytes[start - 1]) { start -= 1 }
      while end < word.upperBound, isOfSecret(bytes[end]) { end += 1 }
      // The digits of an encoded quotation mark before it: `%27`.
      if start > word.lowerBound, bytes[start - 1] == 0x25 { start = min(start + 2, index - 4) }
      if index - start >= 4, end - index >= 6 { return start..<end }
    }
    return nil
  }

  private static func isOfSecret(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == 0x5F || byte == 0x2E || byte == 0x7E || byte == 0x2D
  }

  /// Returns the token in a word, or `nil` if none begins in it: a signed token (`eyJ…`), Entra's refresh tokens and codes
  /// (`0.A…`, `1.A…`), those of personal accounts (`M.C…`, `M.R…`), Kerberos (`YII…`) and NTLM tokens, and those of other
  /// services that have a prefix.
  private static func token(in bytes: [UInt8], _ word: Range<Int>) -> Range<Int>? {
    var index = word.lowerBound
    while index + shortest <= word.upperBound {
      for (prefix, least) in prefixes
      where word.upperBound - index >= least && bytes[index...].starts(with: prefix)
        && (least == 20 || index == word.lowerBound || !Redaction.isReadable(bytes[index..<word.upperBound]))
      {
        var end = word.upperBound
        while end < bytes.count, bytes[end] == 0x24 { end += 1 }
        return index..<end
      }
      // The next part of the word: behind a slash, a dot, or an encoded sign.
      index += 1
      while index < word.upperBound,
        bytes[index - 1].isLetter || bytes[index - 1].isDigit || bytes[index - 1] == 0x5F
      {
        index += 1
      }
      if index < word.upperBound, bytes[index - 1] == 0x25 { index += 2 }
    }
    return nil
  }

  private static let prefixes: [(text: [UInt8], least: Int)] = [
    ("eyJ", 20), ("0.A", 24), ("1.A", 24), ("M.C", 24), ("M.R", 24), ("YII", 40), ("TlRMTVNTUA", 20),
    ("ghp_", 30),
    ("gho_", 30), ("ghs_", 30), ("ghu_", 30), ("github_pat_", 30), ("glpat-", 24), ("xoxb-", 24),
    ("xoxp-", 24),
    ("ya29.", 24), ("AIza", 35), ("1//0", 40), ("hvs.", 24), ("npm_", 30), ("GOCSPX-", 24), ("sk_live_", 20),
    ("sk_test_", 20), ("rk_live_", 20), ("sk-proj-", 24), ("sk-ant-", 24), ("xapp-", 24), ("xoxa-", 24),
    ("xoxs-", 24),
    ("shpat_", 24), ("dckr_pat_", 24), ("pypi-", 40), ("hf_", 30), ("ATATT3x", 24), ("whsec_", 24),
  ].map { (Array($0.utf8), $1) }

  /// Returns whether a word has digits and letters of both cases in random order.
  private static func isMixed(_ word: ArraySlice<UInt8>) -> Bool {
    word.count { $0.isDigit } >= 2 && word.count { (0x41...0x5A).contains($0) } >= 2
      && word.count { (0x61...0x7A).contains($0) } >= 2 && !Redaction.isReadable(word)
  }

  /// Returns whether a word has the form of a secret access key of Amazon: 40 characters of base64 with letters in any order.
  private static func isSecretOfAmazon(_ word: ArraySlice<UInt8>) -> Bool {
    let changes = zip(word, word.dropFirst()).count { ($0 >= 0x61) != ($1 >= 0x61) }
    return word.count == 40 && changes >= 12 && word.contains(where: \.isDigit)
      && word.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2F || $0 == 0x2B }
  }

  /// Returns whether a word is a long run of random characters.
  private static func isLongSecret(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count >= 30 else { return false }
    if isSecretOfAmazon(word) { return true }
    guard !Redaction.isReadable(word) else { return false }
    let capitals = word.count { (0x41...0x5A).contains($0) }
    let small = word.count { (0x61...0x7A).contains($0) }
    let digits = word.count { $0.isDigit }
    // A personal access token of Azure DevOps.
    if word.count == 52, capitals == 0, digits >= 4, word.allSatisfy({ $0.isLetter || $0.isDigit }) {
      return true
    }
    // The older client secrets of Entra have a `~` anywhere.
    if word.count <= 60, word.contains(0x7E), word.allSatisfy(isOfSecret), capitals >= 5, small >= 5,
      digits >= 3
    {
      return true
    }
    // The words of a sentence in a form are short: `error_description=AADB2C%3a+An+exception+…`.
    if word.count < 15 * word.count(where: { $0 == 0x2B }) { return false }
    // A path or a URL has slashes and dots between its words; a token has long runs.
    let longest = word.split { $0 == 0x2F || $0 == 0x2E }.map(\.count).max() ?? 0
    return longest >= 60 || longest >= 40 && capitals >= 4 && small >= 4 && digits >= 4
  }
}

extension Redaction {
  /// Returns whether a word consists of words, numbers, and IDs with signs between them, as a path, a name, or an address
  /// does, and is not random.
  static func isReadable(_ word: ArraySlice<UInt8>) -> Bool {
    var start = word.startIndex
    var index = word.startIndex
    while index <= word.endIndex {
      let isPart = index < word.endIndex && (word[index].isLetter || word[index].isDigit)
      if isPart {
        index += 1
        continue
      }
      if start < index, !isReadablePart(word[start..<index]) { return false }
      // The digits of an encoded sign: `%3D`.
      let isEncoded =
        index + 2 < word.endIndex && word[index] == 0x25 && word[index + 1].isHexDigit
        && word[index + 2].isHexDigit
      index += isEncoded ? 3 : 1
      start = index
    }
    return true
  }

  private static func isReadablePart(_ part: ArraySlice<UInt8>) -> Bool {
    let digits = part.count { $0.isDigit }
    if digits == 0 {
      // In random letters, capitals and lowercase letters alternate.
      let changes = zip(part, part.dropFirst()).count { $0 >= 0x61 && $1 < 0x61 }
      return part.count < 12 || changes * 4 <= part.count
    }
    if digits == part.count { return part.count <= 24 }
    // A part of a GUID, or of the name of a pod.
    if part.count <= 16, part.allSatisfy(\.isHexDigit) { return true }
    if part.count <= 12, part.allSatisfy({ $0.isDigit || $0 >= 0x61 }) { return true }
    // `oauth2`, `v2`, `2fa`
    let changes = zip(part, part.dropFirst()).count { $0.isDigit != $1.isDigit }
    return changes == 1 && part.count <= 24 || changes == 2 && part.count <= 12 && digits <= 3
  }
}

/// The syntax of cookies in a header (RFC 6265 §4.1.1, §4.2.1).
enum Cookies {
  /// Returns the end of the cookies and their attributes that begin at an index, or the index itself if none begins there.
  static func end(in bytes: [UInt8], from start: Int) -> Int {
    func at(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x0A }
    func isName(_ byte: UInt8) -> Bool {
      byte.isLetter || byte.isDigit || "!#$%&*+-.^_`|~".utf8.contains(byte)
    }
    var (end, index) = (start, start)
    while index < bytes.count {
      let name = index
      while isName(at(index)) { index += 1 }
      guard index > name else { break }
      if at(index) == 0x3D {
        index += 1
        let isDate = String(decoding: bytes[name..<index - 1], as: UTF8.self).lowercased() == "expires"
        while !at(index).isSpace && !";\"'\\<>".utf8.contains(at(index)) && at(index) != 0x2C
          || isDate
            && (at(index) == 0x20 || at(index) == 0x2C || at(index) == 0x3A)
        { index += 1 }
      } else if end == start
        || !["httponly", "secure", "partitioned"].contains(
          String(decoding: bytes[name..<index], as: UTF8.self).lowercased())
      {
        break
      }
      end = index
      guard at(index) == 0x3B || at(index) == 0x2C else { break }
      index += 1
      while at(index) == 0x20 { index += 1 }
    }
    return end
  }
}
