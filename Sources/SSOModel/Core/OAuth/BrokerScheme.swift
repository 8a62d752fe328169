/// A URL scheme that the broker app registers (docs/behaviour/broker.md §1, §7).
package enum BrokerScheme: String, CaseIterable, Sendable {
  case v1 = "msauth"
  case v2 = "msauthv2"
  /// Asked about, never opened: a broker that registers it returns the nonce of a request.
  case v3 = "msauthv3"

  package static let names = allCases.map(\.rawValue)
}
