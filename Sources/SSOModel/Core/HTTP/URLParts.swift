/// A URL split at its delimiters, without decoding or repair: `scheme://authority/path?query#fragment` (RFC 3986 §3).
///
/// Foundation's `URL` percent-encodes characters that it does not accept. A redirect URI is compared character by
/// character (RFC 6749 §3.1.2.3), so it must stay exactly as it was sent.
package struct URLParts: Hashable, Sendable {
  package var scheme: String
  /// The host and port as written, such as `localhost:8400`, or an empty string for `scheme:path`.
  package var authority: String
  package var path: String
  package var query: String?
  package var fragment: String?

  /// Creates the parts of a URL, or returns `nil` if it has no valid scheme or contains a space or a control character.
  package init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex
    else { return nil }
    scheme = String(text[..<colon])
    guard scheme.utf8.allSatisfy(Self.isSchemeByte) else { return nil }
    var rest = bytes[bytes.index(after: colon)...]
    if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(text[rest.index(after: mark)..<rest.endIndex])
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = String(text[rest.index(after: mark)..<rest.endIndex])
      rest = rest[..<mark]
    }
    authority = ""
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(text[rest.startIndex..<slash])
      rest = rest[slash...]
    }
    path = String(text[rest.startIndex..<rest.endIndex])
  }

  /// The authority without its port; an IPv6 address keeps its brackets (RFC 3986 §3.2.2).
  ///
  /// User information is not removed, so `localhost:80@evil.example` is not taken for this machine.
  package var host: String {
    let bytes = authority.utf8
    let end = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
    guard let colon = bytes[end...].lastIndex(of: UInt8(ascii: ":")),
      bytes[colon...].dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return authority }
    return String(authority[..<colon])
  }

  /// The scheme and authority without the path, such as `https://host:port`.
  package var origin: String { scheme + "://" + authority }

  /// The decoded fields of the query or, if there is none, of the fragment; `nil` if they cannot be decoded.
  package var fields: [NameValue]? { FormEncoding.decode(query ?? fragment ?? "") }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
    default: false
    }
  }
}
