import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab

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

  @Test func theNamesAreTheHeadersAndTheNumbersAreUnique() {
    let codes = ADALCode.allCases
    #expect(codes.count == 39)
    #expect(Set(codes.map(\.name)).count == codes.count)
    #expect(codes.allSatisfy { $0.name.hasPrefix("AD_ERROR_") })
    #expect(ADALCode(number: 400)?.name == "AD_ERROR_UI_MULTLIPLE_INTERACTIVE_REQUESTS")
  }
}

struct ADALVersionTests {
  /// families, aliases, unified, nonce
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
