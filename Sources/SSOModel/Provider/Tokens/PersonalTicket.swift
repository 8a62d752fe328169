import Essentials
import SSOCore

/// The form of a personal account's access token for Microsoft's own APIs, which no client can read: `EwB…`, without periods
/// (MicrosoftDocs/azure-docs#58286, microsoftgraph/microsoft-graph-explorer-v4#887).
///
/// The lab's has a signed token inside, which its own APIs verify like any other. It is not encrypted, because a lab has no
/// secret from its user: a program that takes it for a JWT has to fail, and nothing more.
package enum PersonalTicket {
  private static let start: [UInt8] = [0x13, 0x00, 0x78]
  private static let mask = sha256("ticket of a personal account".utf8)

  static func sealed(_ compact: String) -> String {
    Data(start + masked(Array(compact.utf8))).base64EncodedString()
  }

  /// Returns the signed token in a ticket, or any other token as it is.
  package static func compact(in token: String) -> String {
    guard token.hasPrefix("EwB"), let bytes = Data(base64Encoded: token), bytes.starts(with: start),
      let text = String(validating: masked(Array(bytes.dropFirst(start.count))), as: UTF8.self)
    else { return token }
    return text
  }

  /// Returns the claims of a token of the lab, which a ticket has too, or `nil` for other opaque tokens.
  package static func claims(in token: String) -> [String: JSONValue]? {
    try? JSONWebToken(unverified: compact(in: token)).claims
  }

  private static func masked(_ bytes: [UInt8]) -> [UInt8] {
    bytes.enumerated().map { $1 ^ mask[$0 % mask.count] }
  }
}
