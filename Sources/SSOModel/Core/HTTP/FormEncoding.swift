/// `application/x-www-form-urlencoded`: `grant_type=refresh_token&scope=openid+User.Read`.
///
/// Letters, digits and `-._~` stay, a space becomes `+`, everything else `%XX` of its UTF-8 bytes.
/// The decoder takes raw spaces, `:`, `/` and `@` too: oidc-agent sends them (docs/behaviour/external-clients.md §5). It
/// repairs
/// nothing: a lone `%` or bytes that are no UTF-8 give nil.
package enum FormEncoding {
  /// `name=value&…`, each encoded, in the order given.
  package static func encode(_ fields: [NameValue]) -> String {
    fields.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
  }

  /// Percent-encodes all but letters, digits and `-._~`; a space becomes `+`.
  package static func encode(_ text: String) -> String {
    percentEncode(text, spaceAsPlus: true)
  }

  /// The same for a path segment: a space becomes `%20`.
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

  /// The fields in their order, at most `maximumFields`; nil if any of it cannot be decoded.
  package static func decode(_ body: String, maximumFields: Int = 200) -> [NameValue]? {
    guard !body.isEmpty else { return [] }
    let pairs = body.split(separator: "&", maxSplits: maximumFields, omittingEmptySubsequences: true)
    guard pairs.count <= maximumFields else { return nil }
    var fields: [NameValue] = []
    for pair in pairs {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decodeText(halves[0]) else { return nil }
      guard let value = decodeText(halves.count > 1 ? halves[1] : "") else { return nil }
      fields.append(NameValue(name, value))
    }
    return fields
  }

  /// One name or value; nil for a broken `%XX` or bytes that are no UTF-8.
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
