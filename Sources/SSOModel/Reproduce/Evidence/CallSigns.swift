import SSOCore
import SSODevice
import SSOLab

/// The signs by which the lines of a text show a call that the lab may not make: its protocol, its SDK, and the proof of
/// the program.
struct CallSigns: Sendable {
  /// Whether the request is one of SAML 2.0, whose issuer stands in for the client ID in Entra's sentences.
  private(set) var isOfSAML = false
  private var isOfADAL = false
  private var hasCertificate = false
  private var hasForeignToken = false
  /// Whether the authority is a user flow of Azure AD B2C.
  private var hasUserFlow = false

  private static let samlWords = [
    "samlrequest", "samlresponse", "/saml2", "samlp:", "names:tc:saml:2.0:protocol",
    "assertion consumer service", "entity id", "saml-based", "saml sso", "saml app", "with saml", "via saml",
    "using saml", "through saml", "saml sign",
    "passport-saml", "pysaml2", "python3-saml",
  ]
  /// The domains and codes of ADAL's errors (azure-activedirectory-library-for-objc, `ADErrorCodes.h`).
  private static let adalWords = ["adauthenticationerrordomain", "adbrokerresponseerrordomain", "ad_error_"]
  private static let certificateWords = [
    "certificatecredential", "certificate_path", "client_certificate", "withcertificate", "x5t", "thumbprint",
    ".pfx", ".pem", "with a certificate", "client certificate",
  ]
  private static let foreignTokenWords = [
    "federated", "workload identity", "workloadidentity", "oidc token", "id-token: write",
    "clientassertioncredential", "azurepipelines", "managed identity", "withclientassertion",
  ]

  mutating func take(_ line: Substring) {
    let text = line.lowercased()
    func says(_ words: [String]) -> Bool { words.contains(where: text.contains) }
    isOfSAML = isOfSAML || says(Self.samlWords)
    isOfADAL = isOfADAL || says(Self.adalWords)
    hasCertificate = hasCertificate || says(Self.certificateWords)
    hasForeignToken = hasForeignToken || says(Self.foreignTokenWords)
    hasUserFlow = hasUserFlow || says(Self.userFlowWords)
  }

  /// The hosts of user flows, and the beginning of their names (Microsoft: Azure AD B2C user flows and custom policies).
  private static let userFlowWords = [".b2clogin.com", "/tfp/", "/b2c_1"]

  /// Returns the difference of the lab's failing call, or `nil` if the lines show none.
  func difference(
    from step: Attempt.Step, in world: LabWorld, at place: Failure.Place?
  ) -> String? {
    if isOfSAML { return "the source's request is one of SAML, and the lab's is one of OpenID Connect" }
    if isOfADAL, !world.programs.isEmpty || world.apps.allSatisfy({ $0.sdk == .msal }) {
      return "the source's SDK is ADAL, and the lab's call is one of another"
    }
    let authority = world.programs.first?.authority ?? world.apps.first?.authority ?? ""
    // The configuration of a user flow's host is asked of Entra.
    if hasUserFlow, place != .discovery, !LabSetting.isUserFlow(authority) {
      return "the source's authority is a user flow, and the lab's is a tenant's"
    }
    let call = step.action[CallProgram.verb] ?? step.action["signIn"]
    if hasCertificate, !hasForeignToken, call?["federated"] != nil {
      return
        "the source's program proves itself with a certificate, and the lab's with a token of another issuer"
    }
    return nil
  }
}
