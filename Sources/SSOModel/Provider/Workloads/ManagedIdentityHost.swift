/// The part of an Azure machine or service that gives its programs managed identity tokens
/// (docs/behaviour/workloads.md §1).
package struct ManagedIdentityHost: Codable, Hashable, Sendable {
  /// The environment that a program detects.
  ///
  /// Each one has its own variables, headers, and responses.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// A virtual machine with the instance metadata service.
    case imds
    /// App Service, Functions, or Container Apps.
    case appService = "app-service"
    case machineLearning = "machine-learning"
    /// A machine outside Azure that Azure Arc manages.
    case arc
  }

  package var kind: Kind
  /// The secret that proves that the caller runs here.
  ///
  /// The instance metadata service has none.
  package var secret: String
  /// The file that contains the secret, for Azure Arc.
  package var file: String?
  /// The origin of the provider that issues the tokens, such as `https://localhost:8443`.
  package var issuerOrigin: String

  package init(_ kind: Kind, secret: String, file: String? = nil, issuerOrigin: String) {
    self.kind = kind
    self.secret = secret
    self.file = file
    self.issuerOrigin = issuerOrigin
  }

  /// The only folder from which clients accept Azure Arc's file.
  package static let arcFolder = "/var/opt/azcmagent/tokens"

  /// The path of the token endpoint.
  package var path: String {
    switch kind {
    case .imds, .arc: "/metadata/identity/oauth2/token"
    case .appService: "/msi/token"
    case .machineLearning: "/MSI/auth"
    }
  }

  /// Returns the environment variables that Azure's SDKs use to find the endpoint.
  package func variables(port: Int) -> [NameValue] {
    let origin = "http://localhost:\(port)"
    switch kind {
    case .imds: return [NameValue("AZURE_POD_IDENTITY_AUTHORITY_HOST", origin)]
    case .appService:
      return [NameValue("IDENTITY_ENDPOINT", origin + path), NameValue("IDENTITY_HEADER", secret)]
    case .machineLearning:
      return [NameValue("MSI_ENDPOINT", origin + path), NameValue("MSI_SECRET", secret)]
    case .arc: return [NameValue("IDENTITY_ENDPOINT", origin + path), NameValue("IMDS_ENDPOINT", origin)]
    }
  }

  /// The supported API versions, the most common one first.
  var versions: [String] {
    switch kind {
    case .imds: ["2018-02-01", "2019-08-01", "2021-02-01"]
    case .appService: ["2019-08-01"]
    case .machineLearning: ["2017-09-01"]
    case .arc: ["2020-06-01", "2019-11-01", "2021-02-01"]
    }
  }
}
