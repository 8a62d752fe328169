/// The part of an Azure machine or service that gives its programs tokens of managed identities (docs/behaviour/workloads.md §1).
package struct ManagedIdentityHost: Codable, Hashable, Sendable {
  /// Where a program believes to run: each has other variables, headers and answers.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// A virtual machine: the instance metadata service.
    case imds
    /// App Service, Functions, Container Apps.
    case appService = "app-service"
    case machineLearning = "machine-learning"
    /// A machine outside of Azure that Azure Arc manages.
    case arc
  }

  package var kind: Kind
  /// What shows that the caller runs here; the instance metadata service has none.
  package var secret: String
  /// The file that holds the secret, for Azure Arc.
  package var file: String?
  /// Of the provider that issues the tokens: `https://localhost:8443`.
  package var issuerOrigin: String

  package init(_ kind: Kind, secret: String, file: String? = nil, issuerOrigin: String) {
    self.kind = kind
    self.secret = secret
    self.file = file
    self.issuerOrigin = issuerOrigin
  }

  /// The only folder from which clients take the file of Azure Arc.
  package static let arcFolder = "/var/opt/azcmagent/tokens"

  /// Path of the token endpoint.
  package var path: String {
    switch kind {
    case .imds, .arc: "/metadata/identity/oauth2/token"
    case .appService: "/msi/token"
    case .machineLearning: "/MSI/auth"
    }
  }

  /// The variables by which Azure's SDKs find it.
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

  /// Versions of the API that it takes, the one that is asked first.
  var versions: [String] {
    switch kind {
    case .imds: ["2018-02-01", "2019-08-01", "2021-02-01"]
    case .appService: ["2019-08-01"]
    case .machineLearning: ["2017-09-01"]
    case .arc: ["2020-06-01", "2019-11-01", "2021-02-01"]
    }
  }
}
