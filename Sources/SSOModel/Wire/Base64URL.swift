internal import Foundation

/// Base64 with `-` and `_` and without padding (RFC 4648 §5, RFC 7515 §2).
public enum Base64URL {
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The bytes, or nil if any other character occurs, padding included.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.allSatisfy(isDigit) else { return nil }
    let standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }
}
