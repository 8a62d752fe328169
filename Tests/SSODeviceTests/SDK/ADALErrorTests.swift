import SSOReference
import Testing

@testable import SSOCore
@testable import SSODevice

struct ADALErrorTests {
  @Test func aRefusedSilentCallPrintsAsTheSDKPrintsIt() {
    #expect(
      ADALError.credentialsNeeded.printed
        == "Error with code: AD_ERROR_SERVER_USER_INPUT_NEEDED Domain: ADAuthenticationErrorDomain "
        + "ProtocolCode:(null) Details:The user credentials are needed to obtain access token. Please call the "
        + "non-silent acquireTokenWithResource methods.. Inner error details: "
        + "Error Domain=ADAuthenticationErrorDomain Code=200 \"(null)\"")
  }

  @Test func aProvidersRefusalKeepsItsOAuthErrorAndSuberror() {
    let error = ADALError.make(
      OAuthError(.invalidGrant, "Expired.", aadsts: .refreshTokenInactive, suberror: .badToken))
    #expect(
      error.printed
        == "Error with code: AD_ERROR_SERVER_OAUTH Domain: ADOAuthServerErrorDomain "
        + "ProtocolCode:invalid_grant Details:AADSTS700082: Expired.. Inner error details: "
        + "Error Domain=ADOAuthServerErrorDomain Code=202 \"(null)\" UserInfo={ADSuberrorKey=bad_token}")
  }

  @Test(arguments: [
    ("2.6.6", "Keychain failed during \"retrieve items\" operation"),
    ("2.7.0", "Failed to get items from keychain."),
  ])
  func aKeychainStatusIsPrintedAsANumber(_ version: String, _ details: String) {
    let error = ADALError.keychain(.missingEntitlement, reading: true, ADALVersion(version))
    #expect(error.printed.hasPrefix("Error with code: -34018 Domain: ADKeychainErrorDomain "))
    #expect(error.description == details)
    #expect(error.domain == ADALError.Domain.keychain.rawValue)
  }

  /// The OAuth error of the authorization endpoint, and its code up to 2.6.6 and from 2.7 on.
  ///
  /// See `CC@6.0.5/MSIDError.m` and `ADAL/ADALAuthenticationErrorConverter.m`.
  @Test(arguments: [
    ("invalid_request", 202), ("invalid_client", 202), ("INVALID_SCOPE", 202), ("invalid_grant", 202),
    ("unauthorized_client", -51414), ("access_denied", 211), ("server_error", 211),
    ("interaction_required", 211),
  ])
  func aRefusalOfThePageHasACodeOfItsGeneration(_ error: String, _ code: Int) {
    let errors = ["2.6.6", "2.7.0"].map {
      ADALError.make(authorization: error, "d", suberror: "s", ADALVersion($0))
    }
    #expect(errors.map(\.code) == [211, code])
    #expect(errors.allSatisfy { $0.domain == "ADOAuthServerErrorDomain" && $0.oauthError == error })
  }

  /// The suberror, whether a refresh token was sent, and the code.
  @Test(arguments: [
    (nil, false, 202), (nil, true, 203), ("bad_token", true, 203),
    (OAuthSuberror.protectionPolicyRequired.text, true, 213),
    (OAuthSuberror.protectionPolicyRequired.text, false, 213),
  ])
  func aRefusalOfTheTokenEndpointDependsOnWhatWasSent(_ suberror: String?, _ isRefresh: Bool, _ code: Int) {
    let refusal = OAuthError(.unauthorizedClient, "d", number: nil, suberror: suberror)
    #expect(ADALError.make(refusal, ofRefreshToken: isRefresh).code == code)
  }

  @Test(arguments: [
    ("2.6.6", "ADUserIdentifier"), ("4.0.5", "ADUserIdentifier"), ("5.0.0", "ADUserIdentifier"),
    ("6.0.0", "ADALUserIdentifier"), ("6.0.5", "ADALUserIdentifier"),
  ])
  func theWrongUserIsWordedByTheVersion(_ version: String, _ name: String) {
    let error = ADALError.wrongUser(ADALVersion(version))
    #expect(
      error.code == 204 && error.description.contains(" use and \(name) is of OptionalDisplayableId type"))
  }

  @Test func theNamesAreTheHeadersAndTheNumbersAreUnique() {
    let codes = Explanation.all(of: .adal)
    #expect(codes.count == 39)
    #expect(Set(codes.map(\.name)).count == codes.count)
    #expect(codes.allSatisfy { $0.name.hasPrefix("AD_ERROR_") })
    #expect(ADALCode.uiMultipleInteractiveRequests.name == "AD_ERROR_UI_MULTLIPLE_INTERACTIVE_REQUESTS")
  }
}

struct ADALVersionTests {
  /// Support for families, aliases, the unified cache, and the nonce.
  @Test(arguments: [
    ("2.0.0", [false, false, false, false]), ("2.1.9", [false, false, false, false]),
    ("2.2.0", [true, false, false, false]), ("2.5.1", [true, false, false, false]),
    ("2.5.2", [true, true, false, false]), ("2.6.6", [true, true, false, false]),
    ("2.7.0", [true, true, true, false]), ("2.7.13", [true, true, true, false]),
    ("2.7.14", [true, true, true, true]), ("4.0.1", [true, true, true, false]),
    ("4.0.2", [true, true, true, true]), ("6.0.5", [true, true, true, true]),
  ])
  func eachGenerationCanWhatItsReleaseBrought(_ text: String, _ features: [Bool]) {
    let version = ADALVersion(text)
    #expect(
      [version.knowsFamilies, version.knowsAliases, version.isUnified, version.asksForNonceCapableBroker]
        == features)
  }

  @Test func versionsAreComparedAsNumbers() {
    #expect(ADALVersion("2.7.2") < ADALVersion("2.7.14"))
    #expect(!(ADALVersion("2.7") < ADALVersion("2.7.0")) && !(ADALVersion("2.7.0") < ADALVersion("2.7")))
  }
}
