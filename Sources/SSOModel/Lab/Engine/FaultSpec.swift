import SSOCore
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
    let place = try Endpoint(named: endpoint)
    self.init(place, try Kind(named: kind, at: place))
    for part in parts.dropFirst() {
      let (name, value) = try Self.halves(of: part, in: spec)
      switch name {
      case "client":
        guard !value.isEmpty else {
          throw LabError(
            .badInput, "'\(spec.prefix(120))' does not name a client.",
            why: "Expected a client ID after 'client='.",
            next: "\(.serve, with: [.fault: "token=503,client=CLIENT_ID"])")
        }
        clientID = value
      case "times": remaining = try Self.times(value)
      default:
        throw LabError.unknownWord("option of a fault", name, among: ["client", "times"], usual: "times")
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
      throw LabError.unknownWord("endpoint", name, among: Self.allCases.map(\.rawValue), usual: "token")
    }
    self = endpoint
  }
}

extension Fault.Kind {
  /// Creates a kind of failure from its text; `endpoint` decides what an error proposes.
  package init(named text: String, at endpoint: Fault.Endpoint) throws(LabError) {
    guard let kind = Self(text) else {
      let words =
        ["unreachable", "hang"]
        + [("slow", 5), ("429", 30), ("503", 30), ("truncated", 20), ("clock", 600)].map { "\($0):\($1)" }
        + TokenFlaw.allCases.map { "token:\($0.rawValue)" } + KeyChange.allCases.map { "keys:\($0.rawValue)" }
        + Requirement.allCases.map { "require:\($0.rawValue)" } + OAuthErrorCode.allCases.map(\.text)
      throw LabError(
        .badInput, "There is no fault “\(text.prefix(64))”.",
        why: "Expected one of \(Self.allowed.listed(near: text, as: "kinds")).",
        next: "Did you mean \(words.closestSpelling(to: text) ?? (endpoint.isOfBroker ? "2" : "503"))?")
    }
    self = kind
  }
}

extension LabError {
  /// Returns the error for an unknown word; it proposes the nearest of the known words, or else the usual one.
  fileprivate static func unknownWord(
    _ noun: String, _ word: String, among words: [String], usual: String
  ) -> LabError {
    LabError(
      .badInput, "There is no \(noun) “\(word.prefix(64))”.",
      why: "Expected one of \(words.listed(near: word, as: noun + "s")).",
      next: "Did you mean \(words.closestSpelling(to: word) ?? usual)?")
  }
}
