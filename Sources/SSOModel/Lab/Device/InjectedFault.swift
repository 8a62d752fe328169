import SSOCore
import SSODevice
import SSOReference

/// A fault between an app and the broker, which a user injects into the app's next brokered call.
///
/// Each leads to the error code of docs/behaviour/errors.md §2 that its description contains.
package enum InjectedFault: String, Codable, CaseIterable, Hashable, Sendable {
  case personReturns, appKilled, secondCall, lateURL
  case defaultsCleared, resumeStateDamaged, otherRedirectURI
  case keyLost, keyReplaced
  case hashMissing, hashChanged, notBase64, truncated, tampered, wrongNonce
  case extensionNotHandled

  /// The mechanism of the calls that the fault can be injected into.
  package var call: BrokerCall { self == .extensionNotHandled ? .ssoExtension : .url }

  /// The description in one sentence: the fault, and the error in MSAL and in ADAL.
  package var displayText: String {
    switch self {
    case .personReturns:
      "The user switches back to the app without answering the broker: \(codes(.brokerResponseNotReceived))."
    case .appKilled:
      "The app is ended while the broker is in front: the answer starts it again, and the tokens are cached."
    case .secondCall:
      "The app calls acquireToken a second time meanwhile: that call gets \(codes(.interactiveSessionAlreadyRunning))."
    case .lateURL:
      "The app forwards the answer to the SDK only when it is active again: \(codes(.brokerResponseNotReceived)), which then caches the tokens."
    case .defaultsCleared:
      "The app clears its defaults, including the resume dictionary: \(codes(.brokerNoResumeStateFound))."
    case .resumeStateDamaged:
      "The resume dictionary loses its redirect URI: \(codes(.brokerBadResumeStateFound))."
    case .otherRedirectURI:
      "The answer arrives at another URL of the same scheme: \(codes(.brokerMismatchedResumeState))."
    case .keyLost:
      "The broker key is deleted, and the SDK makes another for the answer: \(codes(.brokerResponseDecryptionFailed))."
    case .keyReplaced:
      "Another app of the group replaces the broker key: \(codes(.brokerResponseDecryptionFailed))."
    case .hashMissing: "The answer loses its hash: \(codes(.brokerResponseHashMissing))."
    case .hashChanged: "The answer's hash is that of another answer: \(codes(.brokerResponseHashMismatch))."
    case .notBase64: "The answer's ciphertext is not base64: \(codes(.brokerCorruptedResponse))."
    case .truncated: "The answer is cut short: \(codes(.brokerResponseDecryptionFailed))."
    case .tampered:
      "One bit of the ciphertext is changed on the way, so that a block of the plaintext is not UTF-8: \(codes(.brokerResponseDecryptionFailed))."
    case .wrongNonce:
      "The broker answers an earlier request's nonce: \(codes(.brokerMismatchedResumeState)); unnoticed where iOS names the source application."
    case .extensionNotHandled:
      "The SSO extension does not handle the request: \(ExtensionNotHandled.code), and MSAL goes on as without the extension, if it can."
    }
  }

  private func codes(_ code: IdentityCoreCode) -> String { "\(code.msal.number), ADAL \(code.adal.number)" }
}

extension InjectedFault {
  /// Returns the request as the broker receives it.
  func change(request url: String) -> String {
    guard self == .wrongNonce, let range = url.firstRange(of: "broker_nonce=") else { return url }
    let rest = url[range.upperBound...].drop { $0 != "&" }
    return url[..<range.upperBound] + "00000000-0000-4000-8000-000000000000" + rest
  }

  /// Returns the response as the app receives it.
  func change(answer url: String) -> String {
    let (address, query) = url.split(at: "?")
    guard let query, var fields = FormEncoding.decode(query) else { return url }
    func change(_ name: String, _ change: (String) -> String) {
      for index in fields.indices where fields[index].name == name {
        fields[index].value = change(fields[index].value)
      }
    }
    switch self {
    case .otherRedirectURI:
      return (address.split(at: ":").head) + "://elsewhere?" + query
    case .hashMissing: fields.removeAll { $0.name == "hash" }
    case .hashChanged: change("hash") { String($0.reversed()) }
    case .notBase64: change("response") { "%" + $0.dropFirst() }
    case .truncated: change("response") { String($0.dropLast(8)) }
    case .tampered: change("response", Self.flippingABit)
    default: return url
    }
    return address + "?" + FormEncoding.encode(fields)
  }

  /// Flips a bit in the first block.
  ///
  /// CBC garbles this block and flips one bit of the next.
  ///
  /// The padding stays intact, so decryption succeeds, but the garbled block is not valid UTF-8.
  private static func flippingABit(_ response: String) -> String {
    guard var bytes = Base64URL.decode(response), !bytes.isEmpty else { return response }
    bytes[0] ^= 1
    return Base64URL.encode(bytes)
  }
}

extension String {
  /// Returns the parts before and after the first `mark`.
  fileprivate func split(at mark: Character) -> (head: String, tail: String?) {
    guard let index = firstIndex(of: mark) else { return (self, nil) }
    return (String(self[..<index]), String(self[self.index(after: index)...]))
  }
}
