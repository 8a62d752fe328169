/// An organisation's directory, or the one of all personal accounts.
public struct Tenant: Codable, Hashable, Sendable {
  /// GUID in lower case.
  public var id: String
  public var displayName: String
  /// Verified domains in lower case: `contoso.com`. Each names the tenant in an authority URL.
  public var domains: [String]

  public init(id: String, displayName: String, domains: [String]) {
    self.id = id.lowercased()
    self.displayName = displayName
    self.domains = domains.map { $0.lowercased() }
  }

  /// Where every personal Microsoft account is at home (fact sheet §3.1).
  public static let personalID = "9188040d-6c67-4c5b-b112-36a304b66dad"
}
