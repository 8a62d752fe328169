import SSOCore
import SSOReference

/// The response with which an OAuth endpoint refuses a request: the error, and the description in which the provider
/// says why (RFC 6749 §4.1.2.1 and §5.2).
///
/// The word stands for many causes: with `unauthorized_client` one provider refuses a redirect URI, and another a grant.
struct OAuthRefusal: Hashable, Sendable {
  var word: String
  var description: String

  /// The word and the description, as in `unauthorized_client: The lamp is not allowed`.
  var displayText: String { "\(word): \(description)" }

  /// Finds the response in the text of an error, or returns `nil` if the text does not contain one, or if its
  /// description has an Entra number, which says more.
  init?(_ text: String) {
    guard let word = Self.word(in: text),
      let described = Self.field(in: text) ?? Self.message(in: text, of: word)
        ?? Self.sentence(in: text, after: word)
    else { return nil }
    let description = Self.shortened(described)
    guard description.contains(where: \.isLetter),
      !["AADSTS", "AADB2C", "<", "http"].contains(where: description.hasPrefix),
      description != word, description.lowercased() != "null", description.lowercased() != "none"
    else { return nil }
    (self.word, self.description) = (word, description)
  }

  /// Returns whether a text has the description of an OAuth error.
  static func isDescribed(_ text: String) -> Bool { keys.contains(where: text.contains) }

  /// Returns whether a text, in lowercase, has the description of an OAuth error.
  ///
  /// The address of any shop may have a parameter of this name, so there something else must show that it is about a
  /// sign-in.
  static func isAnswered(in text: String) -> Bool {
    guard let mark = text.firstRange(of: "error_description") else { return false }
    guard text[mark.upperBound...].first == "=" else { return true }
    return word(in: text) != nil || signs.contains(where: text.contains)
  }

  /// Returns the first word of a text that OAuth or one of its extensions defines as an error, or `nil` if it does not
  /// contain one.
  static func word(in text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "_")) else { return nil }
    return text.split { !($0.isLetter || $0 == "_") }.lazy.map(String.init).first { word in
      word.contains("_") && words.contains(word)
    }
  }

  private static let keys = ["error_description", "errorDescription"]
  private static let words = Set(Explanation.all(of: .oauth).map(\.code))
  private static let signs = WordList.named("OAuthRefusal.signs")

  /// Returns the value of the field with the description, in JSON, a dictionary, an address, or a list of fields, or
  /// `nil` if the text does not contain it.
  private static func field(in text: String) -> Substring? {
    // Keycloak writes `error="invalid_token", reason="The lamp is out"`.
    for key in keys + ["reason=\""] {
      guard let mark = text.firstRange(of: key) else { continue }
      if key.hasSuffix("\"") { return text[mark.upperBound...].prefix { $0 != "\"" } }
      let rest = text[mark.upperBound...]
      var value = rest.drop { "\"'\\: =".contains($0) }
      let between = rest[..<value.startIndex]
      guard between.contains(where: { ":=".contains($0) }) else { continue }
      var quote = between.last(where: { "\"'".contains($0) })
      // Python 2 prints `u'error_description': u'The lamp is out'`.
      if value.hasPrefix("u'") { (quote, value) = ("'", value.dropFirst(2)) }
      guard let quote else {
        return value.prefix { !"&\"'}\n".contains($0) }
      }
      return value.prefix { $0 != quote }
    }
    return nil
  }

  /// Returns the message beside a code, as the endpoints of machines answer: `{"code":"bad_lamp","message":"The lamp is
  /// out"}`, or `nil` if the text does not contain one.
  private static func message(in text: String, of word: String) -> Substring? {
    guard let code = text.firstRange(of: "\"code\":\"\(word)\""),
      let mark = text[code.upperBound...].firstRange(of: "\"message\":\"")
    else { return nil }
    let message = text[mark.upperBound...].prefix { $0 != "\"" }
    return message.contains(" ") ? message : nil
  }

  /// Returns the sentence after the word, in the forms that libraries use: `word: Sentence`, `"word" "Sentence"`, `word
  /// (Sentence)`, `[word] Sentence`, or `nil` if something else follows.
  private static func sentence(in text: String, after word: String) -> Substring? {
    guard let mark = text.firstRange(of: word) else { return nil }
    let rest = text[mark.upperBound...]
    let start = rest.drop { "*:\"'`()[]|, ".contains($0) }
    let between = rest[..<start.startIndex]
    // Django names the field: `word: lamp_id: This field is required.`
    let field = start.prefix { $0.isLetter || $0 == "_" }
    let isOfField = field.contains("_") && start[field.endIndex...].hasPrefix(": ")
    guard between.contains(where: { ":(]\"".contains($0) }), !between.contains(","),
      start.first?.isUppercase == true
        || isOfField && start[field.endIndex...].dropFirst(2).first?.isUppercase == true
    else { return nil }
    let sentence = start.prefix { !"\"\n".contains($0) }
    return sentence.contains(" ") ? sentence : nil
  }

  /// Returns the beginning of a description, before the IDs, the stack, or the next field that follows it.
  private static func shortened(_ text: Substring) -> String {
    var text = text
    for end in [
      " Trace ID", " Correlation ID", " Timestamp", "\\n", "\\r", " at ", ", error_uri", "; nested",
    ] {
      guard let found = text.firstRange(of: end) else { continue }
      if end == " at ", !text[found.upperBound...].contains("(") { continue }
      text = text[..<found.lowerBound]
    }
    let whole = String(text).trimming { " \t.*`\\,}]".unicodeScalars.contains($0) }
    guard whole.count > 160 else { return whole }
    return whole.prefix(160).split(separator: " ").dropLast().joined(separator: " ") + "…"
  }
}
