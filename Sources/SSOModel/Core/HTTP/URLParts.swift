/// A URL taken apart at its delimiters, nothing decoded and nothing repaired:
/// `scheme://authority/path?query#fragment` (RFC 3986 §3).
///
/// Foundation's `URL` percent-encodes what it dislikes; a redirect URI is compared character by character
/// (RFC 6749 §3.1.2.3), so it has to stay as it was sent.
package struct URLParts: Hashable, Sendable {
  package var scheme: String
  /// Host and port as they were written: `localhost:8400`.
  ///
  /// Empty for `scheme:path`.
  package var authority: String
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
      authority = String(rest[..<slash])
      rest = rest[slash...]
    } else {
      authority = ""
    }
    path = String(rest)
  }

  /// The authority without its port; an IPv6 address keeps its brackets (RFC 3986 §3.2.2).
  ///
  /// User information is not taken off: `localhost:80@evil.example` is no name of this machine.
  package var host: String {
    let end = authority.lastIndex(of: "]") ?? authority.startIndex
    guard let colon = authority[end...].lastIndex(of: ":"),
      authority[colon...].dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return authority }
    return String(authority[..<colon])
  }

  /// `https://host:port`, without path.
  package var origin: String { scheme + "://" + authority }

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

/// The names of this machine as they stand in a URL.
package let loopbackHosts = ["localhost", "127.0.0.1", "[::1]"]

/// Whether a host, as it stands in a URL, is a name of this machine, in small letters.
package func isLoopback(_ host: some StringProtocol) -> Bool { loopbackHosts.contains { $0 == host } }
