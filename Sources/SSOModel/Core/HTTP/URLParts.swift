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

  /// Creates the parts of a URL, or returns `nil` if it does not have a valid scheme, or contains a space or a control
  /// character.
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

  /// Removes the user name and the password before the host (RFC 3986 §3.2.1), which may not be shown.
  package mutating func removeUserInfo() {
    authority =
      authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) } ?? authority
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

  /// The decoded fields of the query or, without a query, of the fragment; `nil` if they cannot be decoded.
  package var fields: [NameValue]? { FormEncoding.decode(query ?? fragment ?? "") }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
    default: false
    }
  }
}

extension String {
  /// Returns the parts of a path or a host between the separators, without empty ones.
  ///
  /// It splits by bytes, because paths and authorities are parsed several times in each call and each request.
  package func parts(between separator: Unicode.Scalar) -> [String] {
    utf8.split(separator: UInt8(ascii: separator)).map { String(Substring($0)) }
  }
}

/// `application/x-www-form-urlencoded`: `grant_type=refresh_token&scope=openid+User.Read`.
///
/// Letters, digits, and `-._~` are unchanged, a space becomes `+`, and everything else becomes the `%XX` of its UTF-8
/// bytes. The decoder also accepts unescaped spaces, `:`, `/`, and `@`, because oidc-agent sends them
/// (docs/behaviour/external-clients.md §5). It does not repair anything: it returns `nil` for a lone `%` or for bytes
/// that are not valid UTF-8.
package enum FormEncoding {
  /// Returns the encoded fields as `name=value&…`, in the given order.
  package static func encode(_ fields: [NameValue]) -> String {
    fields.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
  }

  /// Percent-encodes all characters except letters, digits, and `-._~`; a space becomes `+`.
  package static func encode(_ text: String) -> String {
    percentEncode(text, spaceAsPlus: true)
  }

  /// Percent-encodes a path segment: as in a form, except that a space becomes `%20` unless `spaceAsPlus` is true.
  package static func percentEncode(_ text: String, spaceAsPlus: Bool = false) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x20 where spaceAsPlus: encoded += "+"
      default: encoded += "%" + hexadecimal(byte).uppercased()
      }
    }
    return encoded
  }

  /// The maximum number of fields of a request.
  package static let maximumFields = 200

  /// Returns the fields in order, or `nil` if there are more than `maximumFields` or if one cannot be decoded.
  package static func decode(_ body: String, maximumFields: Int = FormEncoding.maximumFields) -> [NameValue]?
  {
    guard !body.isEmpty else { return [] }
    let pairs = body.utf8.split(separator: UInt8(ascii: "&"), maxSplits: maximumFields)
    guard pairs.count <= maximumFields else { return nil }
    var fields: [NameValue] = []
    for pair in pairs {
      let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        .map { Substring($0) }
      guard let name = decodeText(halves[0]) else { return nil }
      guard let value = decodeText(halves.count > 1 ? halves[1] : "") else { return nil }
      fields.append(NameValue(name, value))
    }
    return fields
  }

  /// Decodes one name or value, or returns `nil` for a broken `%XX` or for bytes that are not valid UTF-8.
  package static func decodeText(_ text: some StringProtocol, plusIsSpace: Bool = true) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x2B where plusIsSpace: bytes.append(0x20)
      case 0x25:
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
