import SSOCore
import SSODevice
import SSOProvider
import SSOReference

/// A fault as text for `ssoterm serve --fault SPEC`: `ENDPOINT=KIND[,client=CLIENT_ID][,times=N]`.
///
///     token=429:5,times=3                three times "too many requests", Retry-After 5
///     token=invalid_grant:bad_token,client=04b07795-8ddb-461a-bbee-02f9e1bf7b46
///     any=slow:2                         until it is cleared
extension Fault {
  /// Parses a fault.
  ///
  /// - Throws: `LabError` with the invalid part and the most similar word.
  package init(spec: String) throws(LabError) {
    let parts = spec.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let (endpoint, kind) = try Self.halves(of: parts[0], in: spec)
    self.init(try Endpoint(named: endpoint), try Kind(named: kind))
    for part in parts.dropFirst() {
      let (name, value) = try Self.halves(of: part, in: spec)
      switch name {
      case "client":
        guard !value.isEmpty else {
          throw LabError(
            .badInput, "'\(spec.prefix(120))' names no client.", why: "Expected a client ID after 'client='.",
            next: "\(.serve, with: [.fault: "token=503,client=CLIENT_ID"])")
        }
        clientID = value
      case "times": remaining = try Self.times(value)
      default: throw LabError.unknownWord("option of a fault", name, among: ["client", "times"])
      }
    }
  }

  /// Parses the number of occurrences.
  ///
  /// - Throws: `LabError` unless it is a number from 1 to a million.
  package static func times(_ text: String) throws(LabError) -> Int {
    guard let number = Int(text), (1...1_000_000).contains(number) else {
      throw LabError(
        .badInput, "A fault cannot happen '\(text.prefix(32))' times.",
        why: "Expected a number from 1 to 1000000.",
        next: "\(.addFault, "token", "503", with: [.times: "1"])")
    }
    return number
  }

  private static func halves(of part: String, in spec: String) throws(LabError) -> (String, String) {
    let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard halves.count == 2 else {
      throw LabError(
        .badInput, "'\(spec.prefix(120))' is not a fault.",
        why: "Expected ENDPOINT=KIND[,client=CLIENT_ID][,times=N], found '\(part.prefix(64))' without '='.",
        next: "\(.serve, with: [.fault: "token=503,times=1"])")
    }
    return (halves[0], halves[1])
  }
}

extension Fault.Endpoint {
  /// Creates an endpoint from `token`, or from `/token` as in a URL.
  package init(named text: String) throws(LabError) {
    let name = text.hasPrefix("/") ? String(text.dropFirst()) : text
    guard let endpoint = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
      throw LabError.unknownWord("endpoint", name, among: Self.allCases.map(\.rawValue))
    }
    self = endpoint
  }
}

extension Fault.Kind {
  package init(named text: String) throws(LabError) {
    guard let kind = Self(text) else {
      let words =
        ["unreachable", "hang"]
        + [("slow", 5), ("429", 30), ("503", 30), ("truncated", 20), ("clock", 600)].map { "\($0):\($1)" }
        + TokenFlaw.allCases.map { "token:\($0.rawValue)" } + KeyChange.allCases.map { "keys:\($0.rawValue)" }
        + Requirement.allCases.map { "require:\($0.rawValue)" } + OAuthErrorCode.allCases.map(\.text)
      throw LabError(
        .badInput, "There is no fault '\(text.prefix(64))'.",
        why: "Expected \(Self.allowed.joined(separator: ", ")).",
        next: words.closestSpelling(to: text).map { "Did you mean \($0)?" } ?? "\(.addFault, "token", "503")")
    }
    self = kind
  }
}

extension LabError {
  fileprivate static func unknownWord(_ noun: String, _ word: String, among words: [String]) -> LabError {
    LabError(
      .badInput, "There is no \(noun) '\(word.prefix(64))'.",
      why: "Expected \(words.joined(separator: ", ")).",
      next: words.closestSpelling(to: word).map { "Did you mean \($0)?" } ?? "\(.addFault, "token", "503")")
  }
}

/// A fault between an app and the broker, which a user injects into the app's next brokered call.
///
/// Each leads to the error code of docs/behaviour/errors.md §2 that its description contains.
package enum InjectedFault: String, Codable, CaseIterable, Hashable, Sendable {
  case personReturns, appKilled, secondCall, lateURL
  case defaultsCleared, resumeStateDamaged, otherRedirectURI
  case keyLost, keyReplaced
  case hashMissing, hashChanged, notBase64, truncated, tampered, wrongNonce

  /// The description in one sentence: the fault, and the error in MSAL and in ADAL.
  package var displayText: String {
    switch self {
    case .personReturns:
      "The person switches back to the app without answering the broker: \(codes(.brokerResponseNotReceived))."
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
