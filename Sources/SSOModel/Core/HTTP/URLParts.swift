/// A URL taken apart at its delimiters, nothing decoded and nothing repaired:
/// `scheme://host/path?query#fragment`.
///
/// Foundation's `URL` percent-encodes what it dislikes; a redirect URI is compared character by character
/// (RFC 6749 §3.1.2.3), so it has to stay as it was sent.
package struct URLParts: Hashable, Sendable {
  package var scheme: String
  /// With port, if there is one: `localhost:8400`. Empty for `scheme:path`.
  package var host: String
  package var path: String
  package var query: String?
  package var fragment: String?

  /// Nil if there is no scheme, or a space or a control character occurs.
  package init?(_ text: String) {
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else { return nil }
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    scheme = String(text[..<colon])
    guard scheme.utf8.allSatisfy(Self.isSchemeByte) else { return nil }
    var rest = text[text.index(after: colon)...]
    if let mark = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      host = String(rest[..<slash])
      rest = rest[slash...]
    } else {
      host = ""
    }
    path = String(rest)
  }

  /// `https://host`, without path.
  package var origin: String { scheme + "://" + host }

  /// The query's fields decoded, or those of the fragment if there is no query; nil if they cannot be
  /// decoded.
  package var fields: [NameValue]? { FormEncoding.decode(query ?? fragment ?? "") }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
    default: false
    }
  }
}
