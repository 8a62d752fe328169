/// How pieces of a log's text are shown: without secrets, in one line, cut.
enum LogText {
  static let longest = 400
  /// Bytes of a text that may be kept as it is until it is shown; of a longer one only what is shown is kept.
  static let longestKept = 1024

  /// White space becomes one space; secrets become their hashes (``Redaction/text(_:taken:)``).
  static func shown(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let clean = Redaction.text(line)
    return clean.count > longest ? clean.prefix(longest) + "…" : clean
  }

  /// What stands between two marks; up to the end if the second is not there.
  static func part(of text: String, after start: String, upTo end: String) -> String? {
    guard let found = text.firstRange(of: start) else { return nil }
    let rest = text[found.upperBound...]
    return String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
  }
}

/// What an SDK or the provider says went wrong, taken from the text of a record.
struct LoggedError: Hashable, Sendable {
  var domain: String?
  var code: Int?
  /// `AADSTS50011`.
  var entra: String?
  /// An exception or an OAuth error, by its name.
  var name: String?
  /// The sentence, as it stands in the log if it is short.
  private var source = ""

  /// Nil if there is no error in the text: `error: 0`, `(null)`.
  init?(_ text: String) {
    guard Self.mayBe(in: text) else { return nil }
    entra = Self.entraCode(in: text)
    (domain, code) = Self.domainAndCode(in: text)
    name = Self.exception(in: text)
    guard entra != nil || code != nil || name != nil else { return nil }
    let sentence = entra.flatMap { Self.sentence(of: $0, in: text) } ?? text
    source = sentence.utf8.count > LogText.longestKept ? LogText.shown(sentence) : sentence
  }

  /// The sentence that a person may read; made of each that is shown, of which there are few.
  var text: String { LogText.shown(source) }

  /// Whether any of the marks is there that the parts are found by: most lines of a log have none.
  private static func mayBe(in text: String) -> Bool {
    let marks: [StaticString] = [
      "AADSTS", "Domain=", "MaskedError(", "error: (", "rror domain", "ErrorCode: ", "Exception", "_",
    ]
    return marks.contains { has($0, text) }
  }

  private static func has(_ mark: StaticString, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { LineBytes($0).index(of: mark) != nil }
  }

  /// Domain and code, an exception's or OAuth's name, Entra's number: as many as are known.
  var words: String {
    let own = code.map { "\(domain.map { $0 + " " } ?? "")\($0)" }
    return [own, name, entra].compactMap(\.self).joined(separator: ", ")
  }

  /// The person closed the window, or the app ended the session.
  var isCancellation: Bool {
    [MSALCode.userCanceled.number, IdentityCoreCode.userCancel.number].contains(code)
      || name == "authentication_canceled" || name == "user_cancelled"
  }

  private static func entraCode(in text: String) -> String? {
    guard has("AADSTS", text) else { return nil }
    var rest = text[...]
    while let found = rest.firstRange(of: "AADSTS") {
      let digits = rest[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
      if (4...8).contains(digits.count) { return "AADSTS" + digits }
      rest = rest[found.upperBound...]
    }
    return nil
  }

  /// From the number to the IDs behind the sentence.
  private static func sentence(of code: String, in text: String) -> String? {
    guard let found = LogText.part(of: text, after: code, upTo: "Trace ID:") else { return nil }
    // What closed the text in which it was printed.
    let end = found.lastIndex { !"'\"}])\\ \n\r\t".contains($0) }
    return code + (end.map { String(found[...$0]) } ?? "")
  }

  /// The six ways in which the SDKs print an `NSError`.
  private static func domainAndCode(in text: String) -> (String?, Int?) {
    let forms: [(domain: (StaticString, String), code: (String, String))] = [
      (("Error Domain=", " "), ("Code=", " ")),
      (("MaskedError(", ","), (", ", ")")),
      (("returning with error: (", ","), (", ", ")")),
      ((" error domain: ", ","), (" error: ", " ")),
      (("error domain ", ","), ("error code ", ",")),
    ]
    for form in forms where has(form.domain.0, text) {
      let mark = form.domain.0.description
      guard let found = text.firstRange(of: mark) else { continue }
      let domain = LogText.part(of: String(text[found.lowerBound...]), after: mark, upTo: form.domain.1)
      // In all but one the code stands behind the domain.
      let isBefore = form.code.0 == " error: "
      let place = isBefore ? text : String(text[found.upperBound...])
      let digits = LogText.part(of: place, after: form.code.0, upTo: form.code.1)
      guard let domain, let code = digits.flatMap({ Int($0.filter { $0 != "," && $0 != "." }) }), code != 0
      else {
        continue
      }
      let name = domain.prefix { !$0.isWhitespace }
      return (name.hasPrefix("(null)") ? nil : String(name), code)
    }
    return (nil, nil)
  }

  /// .NET's and Java's exceptions, OAuth's error words.
  private static func exception(in text: String) -> String? {
    if has("ErrorCode: ", text), let code = LogText.part(of: text, after: "ErrorCode: ", upTo: "\n") {
      return String(code.prefix(60)).trimmed
    }
    if has("Exception type: ", text),
      let type = LogText.part(of: text, after: "Exception type: ", upTo: "\n")
    {
      return String(type.split(separator: ".").last?.prefix(60) ?? "").trimmed
    }
    guard has("_", text) || has("Msal", text) else { return nil }
    let words = text.split { !($0.isASCII && ($0.isLetter || $0 == "_")) }
    return words.first { $0.utf8.contains(UInt8(ascii: "_")) && OAuthErrorCode(text: String($0)) != nil }
      .map(String.init)
      ?? words.first { $0.hasPrefix("Msal") && $0.hasSuffix("Exception") }.map(String.init)
  }
}
