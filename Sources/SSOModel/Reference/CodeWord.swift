/// A word of a text, in lowercase, without the characters around codes.
struct CodeWord {
  var text: String
  /// The range of the entire word in its text, in bytes.
  let place: Range<Int>

  init(_ word: some StringProtocol, _ place: Range<Int> = 0..<0) {
    self.place = place
    var text = word.lowercased()
    // `code-50011` and `%22AADSTS50011` end with a code.
    for prefix in ["aadsts", "aadb2c"] {
      guard let start = Self.start(of: prefix, in: text) else { continue }
      text.removeSubrange(..<start)
      // `AADSTS-50011`
      let digits = text.dropFirst(6).drop { "-_".contains($0) }
      if digits.first?.isNumber == true { text = prefix + digits }
    }
    while let last = text.last, "-_".contains(last) { text.removeLast() }
    while text.first == "_" { text.removeFirst() }
    while text.first == "-", text.dropFirst().first?.isNumber != true { text.removeFirst() }
    // `MSAL-50000`
    if text.hasPrefix("msal-"), Int(text.dropFirst(5)) != nil { text.removeFirst(4) }
    // Samba puts two letters before the names of Windows: `NT_STATUS_LOGON_FAILURE`.
    if text.hasPrefix("nt_status_") { text.removeFirst(3) }
    // Flutter's plug-in names itself before a code: `firebase_auth/bad-lamp`.
    self.text = text == "firebase_auth" ? "auth" : text
  }

  /// Returns where a part that begins with `a` occurs first.
  ///
  /// It compares bytes, because each word of a log is searched; `firstRange(of:)` prepares a search for each.
  private static func start(of part: String, in text: String) -> String.Index? {
    var rest = text.utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "a")) {
      if rest[start...].starts(with: part.utf8) { return start }
      rest = rest[start...].dropFirst()
    }
    return nil
  }

  static func words(of text: String) -> [CodeWord] {
    var words: [CodeWord] = []
    var word: [UInt8] = []
    var start = 0
    func close(at end: Int) {
      guard !word.isEmpty else { return }
      // MSAL.NET appends an HRESULT to its own words: `WAM_provider_error_3399614473`.
      let text = String(decoding: word, as: UTF8.self)
      word.removeAll(keepingCapacity: true)
      if text.hasPrefix("wam_") || text.hasPrefix("WAM_"), let underscore = text.lastIndex(of: "_"),
        Int(text[underscore...].dropFirst()) != nil
      {
        let place = start..<end
        words += [CodeWord(text[..<underscore], place), CodeWord(text[underscore...].dropFirst(), place)]
      } else {
        words.append(CodeWord(text, start..<end))
      }
    }
    // The minus sign U+2212, which some pages print before a code.
    let minus: [UInt8] = [0xE2, 0x88, 0x92]
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.first {
      if word.isEmpty { start = bytes.startIndex }
      if isPart(byte) {
        word.append(byte)
      } else if bytes.starts(with: minus) {
        word.append(UInt8(ascii: "-"))
        bytes.removeFirst(2)
      } else {
        close(at: bytes.startIndex)
        // `%3A` in an address.
        if byte == UInt8(ascii: "%"), bytes.dropFirst().prefix(2).allSatisfy(isHexDigit), bytes.count > 2 {
          bytes.removeFirst(2)
        }
        // `\n` and `\t` in a text that a program printed with its escapes.
        if byte == UInt8(ascii: "\\"), let escape = bytes.dropFirst().first, "nrt".utf8.contains(escape) {
          bytes.removeFirst()
        }
      }
      bytes.removeFirst()
    }
    close(at: bytes.startIndex)
    return joined(words.filter { !$0.text.isEmpty })
  }

  /// Returns words in which `AADSTS` and its digits, which a blank or the end of a line may separate, are one.
  private static func joined(_ words: [CodeWord]) -> [CodeWord] {
    var words = words
    for index in words.indices.reversed().dropFirst() where words[index].text.hasPrefix("aadsts") {
      let digits = words[index].text.dropFirst(6) + words[index + 1].text
      guard words[index].text.utf8.count < 11, (5...8).contains(digits.utf8.count),
        digits.allSatisfy(\.isNumber)
      else {
        continue
      }
      let place = words[index].place.lowerBound..<words[index + 1].place.upperBound
      words.replaceSubrange(index...index + 1, with: [CodeWord("aadsts" + digits, place)])
    }
    return words
  }

  /// Whether a byte is a letter, a digit, an underscore, or a hyphen.
  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
    default: false
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  var isNumber: Bool { Int(text) != nil }

  /// The spelling in the tables of an HRESULT in hexadecimal or decimal: signed, unsigned, or sign-extended.
  var resultCode: String? {
    let bits: UInt64?
    if text.hasPrefix("0x") {
      bits = UInt64(text.dropFirst(2), radix: 16)
    } else if let number = Int64(text), number < -0x10_0000 {
      bits = UInt64(bitPattern: number)
    } else if let number = UInt64(text), number >= 0x1000_0000 {
      bits = number
    } else if text.count == 7, text.hasPrefix("ca"), !text.hasPrefix("caa") {
      // `CA20003`, of which the repeated letter was lost.
      bits = UInt64("ca" + text.dropFirst(1), radix: 16)
    } else if text.count == 8 || text.count == 16,
      // `80070520` does not contain a letter; an HRESULT in decimal has more than eight digits.
      text.contains(where: \.isLetter) || text.count == 8 && text.hasPrefix("80")
    {
      bits = UInt64(text, radix: 16)
    } else {
      bits = nil
    }
    guard let bits, bits <= 0xFFFF_FFFF || bits >= 0xFFFF_FFFF_8000_0000 else { return nil }
    let digits = String(bits & 0xFFFF_FFFF, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The spellings in the tables of the families that a number of Microsoft.IdentityModel, Microsoft.Identity.Web,
  /// AD FS, or Key Vault can belong to, such as `idx213xx` and `idx21xxx`, the narrowest first.
  var families: [(spelling: String, ending: Substring)] {
    guard text.utf8.count == 8, let prefix = ["idx", "idw", "akv", "msis"].first(where: text.hasPrefix),
      text.dropFirst(prefix.count).utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return [] }
    return (2...(8 - prefix.count)).map { count in
      (text.dropLast(count) + String(repeating: "x", count: count), text.suffix(count))
    }
  }

  /// The words after which a number is a code, among them those of MSAL.js (`invalid_client: 7000218 - [time]: AADSTS…`)
  /// and of the sign-in logs in Log Analytics (`resulttype`).
  static let introductions = Set(WordList.named("CodeWord.introductions"))
  /// The words of the names of products, which alone before a number say whose code it is: `Office.js 13001`, `msal 50058`.
  static let products = Set(WordList.named("CodeWord.products"))
  /// The beginnings of words beside which a number is a status of Intune's SDK.
  static let ofIntune = ["intune", "mamenroll"]
  /// The words after which a number is an amount.
  static let units = Set(WordList.named("CodeWord.units"))
  /// The words that may stand between an introduction and its number.
  static let fillers: Set<String> = ["from", "server", "the", "is", "was"]
  /// The beginnings of words that say that a number is a system's error on Apple's platforms.
  static let appleDomains = ["nsurl", "nsosstatus", "osstatus", "errsec", "keychain", "secitem", "cfnetwork"]
  /// Returns parts of the domains in which a family's numbers are printed, or `nil` if other families have
  /// them too.
  static func domains(of family: Explanation.Family) -> [String]? {
    switch family {
    case .network: ["nsurl", "kcf", "cfnetwork"]
    case .keychain: ["nsosstatus", "osstatus", "keychain"]
    case .webSession: Array(webSessions)
    case .adal: ["adauthentication"]
    default: nil
    }
  }

  /// The domains of web sessions on Apple's systems, whose codes are small numbers.
  static let webSessions = Set(WordList.named("CodeWord.webSessions"))
}

/// The places in which a word that is a code elsewhere is only a part of a name.
extension Explanation {
  /// Returns whether a part of a text is in a path: `src/auth/user-not-found.tsx` does not contain a code of Firebase.
  static func isInPath(_ text: String, _ place: Range<Int>) -> Bool {
    let after = text.utf8.dropFirst(place.upperBound).prefix(2)
    return place.lowerBound > 0 && text.utf8.dropFirst(place.lowerBound - 1).first == UInt8(ascii: "/")
      // Firebase joins a sentence to a code with a hyphen: `auth/bad-lamp.-light-it.`
      || after.first == UInt8(ascii: ".") && after.count == 2 && !" -".utf8.contains(after.last ?? 0x20)
  }

  /// Returns whether a part of a text is a lowercase word behind a dot, as in the name of a package or a host:
  /// `com.contoso.credentialssignin`.
  static func isInPackage(_ text: String, _ place: Range<Int>) -> Bool {
    let around = text.utf8.dropFirst(max(0, place.lowerBound - 2)).prefix(place.count + 2)
    guard place.lowerBound > 1, let first = around.first, isLowercase(first) else { return false }
    return around.dropFirst().first == UInt8(ascii: ".") && around.dropFirst(2).allSatisfy(isLowercase)
  }

  private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
