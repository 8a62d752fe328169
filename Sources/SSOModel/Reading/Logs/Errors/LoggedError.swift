import Essentials
import SSOCore
import SSOReference

/// An error that an SDK or the provider reports, as read from the text of a record.
struct LoggedError: Hashable, Sendable {
  var domain: String?
  var code: Int?
  /// The code of Entra, such as `AADSTS50011`.
  var entra: String?
  /// The name of an exception or of an OAuth error.
  var name: String?
  /// The sentence, as written in the log if it is short.
  private var source = ""

  /// Creates an error from a text, or returns `nil` if the text does not contain one: `error: 0`, `(null)`.
  init?(_ text: String) {
    var text = text
    // A part of a user info does not show that its other parts are members of one.
    if text.withUTF8({ LineBytes($0).index(of: "UserInfo=") != nil }) { text = Redaction.text(text) }
    guard text.withUTF8({ take(LineBytes($0)) }) else { return nil }
    if source.isEmpty { source = text }
    if source.utf8.count > LogText.longestKept { source = LogText.shown(source) }
  }

  /// Creates an error without a known code.
  init(sentence: String, name: String? = nil) {
    self.name = name
    source = sentence.utf8.count > LogText.longestKept ? LogText.shown(sentence) : sentence
  }

  /// The beginning of the sentence.
  var shortText: String {
    let text = text
    return text.count > 160 ? text.prefix(160) + "…" : text
  }

  /// The sentence for display, which is formatted only for errors that are shown, of which there are few.
  var text: String { LogText.shown(source) }

  /// The domain and code, the name of the exception or OAuth error, and Entra's code, to the extent that they are
  /// known.
  var displayText: String {
    let own = code.map { "\(domain.map { $0 + " " } ?? "")\($0)" }
    return [own, name, entra].compactMap(\.self).joined(separator: ", ")
  }

  /// Whether the user closed the window, or the app ended the session.
  var isCancellation: Bool {
    [MSALCode.userCanceled.number, IdentityCoreCode.userCancel.number].contains(code)
      || name == "authentication_canceled" || name == "user_cancelled"
  }

  // MARK: - Reading bytes: most lines of a log get no further than this

  /// Reads the error in a line, and returns whether there is one.
  private mutating func take(_ line: LineBytes) -> Bool {
    if let range = Self.entraCode(in: line) {
      entra = line.text(range)
      source = line.text(range.lowerBound..<Self.endOfSentence(in: line, from: range.upperBound))
    }
    (domain, code) = Self.domainAndCode(in: line)
    name = Self.exception(in: line)
    return entra != nil || code != nil || name != nil
  }

  /// Returns the first code of the provider that names a cause, or else the first code, or `nil` if the line does not
  /// contain a code.
  private static func entraCode(in line: LineBytes) -> Range<Int>? {
    var from = 0
    var wrapper: Range<Int>?
    while let found = line.index(of: "AADSTS", from: from) {
      let end = line.index(from: found + 6, skipping: \.isDigit)
      if (4...8).contains(end - found - 6) {
        // The older endpoint puts a sentence that fits many causes before the cause.
        guard Explanation.isWrapper(line.text(found..<end)) else { return found..<end }
        wrapper = wrapper ?? found..<end
      }
      from = found + 6
    }
    return wrapper
  }

  /// Returns the end of a sentence, before the IDs that follow it and the marks that close the text in which it was
  /// printed.
  private static func endOfSentence(in line: LineBytes, from start: Int) -> Int {
    let closing: Set<UInt8> = Set("'\"}])\\ \n\r\t".utf8)
    var end = line.index(of: "Trace ID:", from: start) ?? line.count
    for mark in followers { end = line.index(of: mark, from: start, before: end) ?? end }
    // `error_description=…&state=…`
    var from = start
    while let mark = line.index(of: UInt8(ascii: "&"), from: from), mark < end {
      from = line.index(from: mark + 1) { $0.isLetter || $0 == 0x5F }
      if from > mark + 1, line[from] == UInt8(ascii: "=") { end = mark }
    }
    while end > start, closing.contains(line[end - 1]) { end -= 1 }
    return end
  }

  /// The marks after a sentence in the JSON, the dictionary, or the stack in which it was printed.
  private static let followers: [StaticString] = [
    "\",", "\"}", "\\\",", "\\\"}", "\"\n", "\";", "\\n\"", "\n\tat ", "\n   at ", "\n    at ",
    "\nCaused by: ",
    "\n ---> ", "%26",
  ]

  /// A format in which the SDKs print an `NSError`: the marks before the domain and the code, and the character after
  /// each.
  private struct Form {
    let domain: StaticString
    let domainEnd: Unicode.Scalar
    let code: StaticString
    let codeEnd: Unicode.Scalar
    /// Whether the code precedes the domain; it follows the domain in all formats but one.
    var isCodeFirst = false
  }

  private static let forms = [
    Form(domain: "Error Domain=", domainEnd: " ", code: "Code=", codeEnd: " "),
    Form(domain: "MaskedError(", domainEnd: ",", code: ", ", codeEnd: ")"),
    Form(domain: "returning with error: (", domainEnd: ",", code: ", ", codeEnd: ")"),
    Form(domain: " error domain: ", domainEnd: ",", code: " error: ", codeEnd: " ", isCodeFirst: true),
    Form(domain: "error domain ", domainEnd: ",", code: "error code ", codeEnd: ","),
    Form(domain: " Domain: ", domainEnd: " ", code: "Domain error ", codeEnd: "."),
  ]

  private static func domainAndCode(in line: LineBytes) -> (String?, Int?) {
    for form in forms {
      guard let mark = line.index(of: form.domain) else { continue }
      let start = mark + form.domain.utf8CodeUnitCount
      guard let codeMark = line.index(of: form.code, from: form.isCodeFirst ? 0 : start) else { continue }
      let digits = codeMark + form.code.utf8CodeUnitCount
      let end = line.index(of: UInt8(ascii: form.codeEnd), from: digits) ?? line.count
      // No code is longer, even with thousands separators.
      guard end - digits <= 24, let code = Int(line.text(digits..<end).filter { $0 != "," && $0 != "." }),
        code != 0
      else { continue }
      let last = line.index(of: UInt8(ascii: form.domainEnd), from: start) ?? line.count
      let name = line.text(start..<min(last, line.index(from: start) { !$0.isSpace }))
      return (name.hasPrefix("(null)") ? nil : name, code)
    }
    // IdentityCore: `failed with error code -51808, MSIDErrorDomain`.
    if let mark = line.index(of: "error code -") {
      let end = line.index(from: mark + 12, skipping: \.isDigit)
      let last = line.index(from: end + 2) { $0.isLetter }
      if line.hasText(", ", at: end), line.hasText("Domain", at: last - 6),
        let code = Int(line.text(mark + 11..<end))
      {
        return (line.text(end + 2..<last), code)
      }
    }
    // Keychain calls log only the number: `(status: -34018)`.
    if let mark = line.index(of: "status: -") ?? line.index(of: "status -") {
      let digits = line.index(of: 0x2D, from: mark) ?? mark
      let end = line.index(from: digits + 1, skipping: \.isDigit)
      if (3...7).contains(end - digits), let code = Int(line.text(digits..<end)) {
        return ("NSOSStatusErrorDomain", code)
      }
    }
    return (nil, nil)
  }

  /// Returns the name of a .NET or Java exception, or an error code of OAuth.
  private static func exception(in line: LineBytes) -> String? {
    if let code = rest(of: line, behind: "ErrorCode: ")?.prefix(60).split(whereSeparator: {
      // In a string of JSON, a line feed is written as an escape.
      " ,;\\".contains($0)
    }).first, code.contains(where: \.isLetter) {
      return String(code)
    }
    if let type = rest(of: line, behind: "Exception type: ")?.split(separator: ".").last?.prefix(60),
      // The line may have been cut within the name.
      type.contains("Exception") || type.contains("Error")
    {
      return String(type).trimmed
    }
    let isKnown = Explanation.mayOccur(in: line.bytes)
    return (isKnown ? word(in: line, around: "_", Explanation.isStringCode) : nil)
      ?? codeOfConsoleError(in: line)
      ?? codeOfResponse(in: line)
      ?? word(in: line, around: "Msal") { $0.hasPrefix("Msal") && $0.hasSuffix("Exception") }
  }

  /// Returns the word between the class and the sentence of an error of MSAL.js, known or not: `ClientAuthError: word:
  /// sentence`.
  private static func codeOfConsoleError(in line: LineBytes) -> String? {
    guard let mark = line.index(of: "Error: ") else { return nil }
    let start = mark + 7
    let end = line.index(from: start) { $0.isLetter || $0.isDigit || $0 == 0x5F }
    let word = line.text(start..<end)
    return line.hasText(": ", at: end) && word.contains("_") ? word : nil
  }

  /// Returns the value of `"error"` in a response or a result in JSON, if it is a word such as
  /// `missing_environment_variables`, known or not.
  private static func codeOfResponse(in line: LineBytes) -> String? {
    guard let mark = line.index(of: "\"error\"") else { return nil }
    let start = line.index(from: mark + 7) { $0.isSpace || $0 == 0x3A }
    guard line[start] == 0x22 else { return nil }
    let end = line.index(from: start + 1) { $0.isLetter || $0.isDigit || $0 == 0x5F }
    let word = line.text(start + 1..<end)
    return line[end] == 0x22 && word.contains("_") && word.utf8.count <= 60 ? word : nil
  }

  /// Returns the text after a mark, up to the end of its line, or `nil` if the mark does not occur.
  private static func rest(of line: LineBytes, behind mark: StaticString) -> String? {
    guard let found = line.index(of: mark) else { return nil }
    let start = found + mark.utf8CodeUnitCount
    return line.text(start..<(line.index(of: 0x0A, from: start) ?? line.count))
  }

  /// Returns the first word of letters and underscores that contains the mark and satisfies `isOne`.
  private static func word(
    in line: LineBytes, around mark: StaticString, _ isOne: (String) -> Bool
  ) -> String? {
    func isPart(_ byte: UInt8) -> Bool { byte.isLetter || byte == 0x5F }
    var from = 0
    while let found = line.index(of: mark, from: from) {
      var start = found
      while start > from, isPart(line[start - 1]) { start -= 1 }
      let end = line.index(from: found, skipping: isPart)
      // The longest name of an error or an exception has fewer characters.
      if end - start <= 100 {
        let word = line.text(start..<end)
        if isOne(word) { return word }
      }
      from = end
    }
    return nil
  }
}

/// A reader of lines that are not sentences of MSAL Python: HTTP requests, and the event that is logged when tokens are
/// saved.
enum PythonLine {
  /// Returns the hop that the line describes, or `nil` if the line is neither.
  static func hop(_ record: LogRecord, _ bytes: LineBytes) -> (hop: Hop, ends: Outcome.Verdict?)? {
    let message = record.parts.message
    if bytes.hasText("http", at: message.lowerBound) { return request(record, bytes) }
    if bytes.hasText("event={", at: message.lowerBound) { return savedTokens(record, bytes) }
    return nil
  }

  /// Reads a line of urllib3: `https://host:443 "POST /tenant/oauth2/v2.0/token HTTP/1.1" 200 None`.
  private static func request(_ record: LogRecord, _ bytes: LineBytes) -> (hop: Hop, ends: Outcome.Verdict?)?
  {
    let line = bytes[record.parts.message]
    let (quote, space) = (UInt8(ascii: "\""), UInt8(ascii: " "))
    guard let open = line.index(of: quote), let close = line.index(of: quote, from: open + 1),
      let method = line.index(of: space, from: open), let target = line.index(of: space, from: method + 1),
      target < close, let status = line.number(at: close + 2, digits: 3)
    else { return nil }
    let path = line.index(of: UInt8(ascii: "?"), from: method).map { min($0, target) } ?? target
    let words = line.text(open + 1..<method) + " " + LogText.shown(line.text(method + 1..<path))
    let host = LogText.shown(line.text(line.trimmed(0..<open)))
    return (
      Hop(
        from: .sdk, to: .provider, action: words, result: "\(status)",
        sent: [NameValue("line \(record.number)", host)]), nil
    )
  }

  /// Reads `event={"client_id": …, "response": {…}}`, which spans several lines and in which MSAL itself masked the
  /// secrets.
  private static func savedTokens(_ record: LogRecord, _ bytes: LineBytes) -> (
    hop: Hop, ends: Outcome.Verdict?
  )? {
    let start = record.parts.message.lowerBound + 6
    guard let event = JSONValue(bounded: bytes[start..<bytes.count].bytes.asArray, maximumBytes: 262_144)
    else {
      return nil
    }
    let names = ["client_id", "grant_type", "scope", "token_endpoint", "environment"]
    var sent = names.compactMap { name in
      event[name].map { NameValue(name, LogText.shown(displayText($0))) }
    }
    sent.append(NameValue("line \(record.number)", "event="))
    let hasTokens = event["response"]?["access_token"] != nil
    return (
      Hop(
        from: .sdk, to: .keychain, action: "save the tokens",
        result: hasTokens ? "access token" : "", sent: sent),
      hasTokens ? .succeeded : nil
    )
  }

  private static func displayText(_ value: JSONValue) -> String {
    value.string ?? value.array?.compactMap(\.string).joined(separator: " ") ?? ""
  }
}

extension UnsafeBufferPointer<UInt8> {
  var asArray: [UInt8] { Array(self) }
}
