import Testing

@testable import SSODevice
@testable import SSOReference

/// The errors that reach the app, and why so many of them are -50000 (docs/behaviour/errors.md §1, §2).
struct ErrorClassificationTests {
  struct Row: CustomTestStringConvertible, Sendable {
    /// MSAL's code before it is classified.
    var mapped: MSALCode
    var delivered: Int
    var internalCode: Int?
    var testDescription: String {
      "\(mapped.text) → \(delivered)\(internalCode.map { ", internal \($0)" } ?? "")"
    }
  }

  private static func asItIs(_ code: MSALCode) -> Row { Row(mapped: code, delivered: code.number) }
  private static func hidden(_ code: MSALCode, as internalCode: Int? = nil) -> Row {
    Row(mapped: code, delivered: -50000, internalCode: internalCode ?? code.number)
  }

  static let delivered: Set<Int> = [-50001, -50002, -50003, -50004, -50005, -50142]
  static let rows = MSALCode.allCases.map { code in
    delivered.contains(code.number) ? asItIs(code) : hidden(code, as: code == .internalError ? -42008 : nil)
  }

  @Test(arguments: rows)
  func aCodeOfMSAL(_ row: Row) {
    let error = MSALError.make(code: row.mapped, "Something.")
    #expect(error.domain == "MSALErrorDomain")
    #expect(error.code == row.delivered)
    #expect(error.internalCode == row.internalCode)
    let internalPart = row.internalCode.map { ", MSALInternalErrorCodeKey=\($0)" } ?? ""
    #expect(
      error.printed
        == "Error Domain=MSALErrorDomain Code=\(row.delivered) \"(null)\" "
        + "UserInfo={MSALErrorDescriptionKey=Something.\(internalPart)}")
  }

  /// IdentityCore's code, MSAL's public code, and MSAL's internal code.
  @Test(
    arguments: [
      (.invalidDeveloperParameter, -50000, -42000),
      (.interactionRequired, -50002, nil),
      (.mismatchedAccount, -50000, -42101),
      (.redirectSchemeNotRegistered, -50000, -42001),
      (.invalidRedirectURI, -50000, -42011),
      (.cacheMultipleUsers, -50000, -42102),
      (.serverInvalidGrant, -50000, -42004),
      (.serverDeclinedScopes, -50003, nil),
      (.serverAccessDenied, -50005, nil),
      (.serverError, -50000, -50006),
      (.serverProtectionPoliciesRequired, -50004, nil),
      (.serverUnhandledResponse, -50000, -42007),
      (.authorityValidation, -50000, -42010),
      (.userCancel, -50005, nil),
      (.sessionCanceledProgrammatically, -50005, nil),
      (.insufficientDeviceStrength, -50000, -50007),
      (.mdmEnrollmentNeedsRetry, -50000, -50008),
      (.brokerResponseNotReceived, -50000, -42700),
      (.brokerKeyNotFound, -50000, -42709),
      (.workplaceJoinRequired, -50001, nil),
      (.brokerNotAvailable, -50000, -42714),
      (.internalError, -50000, -42008),
      (.serverRefreshTokenRejected, -50000, -42008),
    ] as [(IdentityCoreCode, Int, Int?)])
  func aCodeOfIdentityCore(_ code: IdentityCoreCode, _ delivered: Int, _ internalCode: Int?) {
    let error = MSALError.make(code: code.msal, "")
    #expect(error.code == delivered)
    #expect(error.internalCode == internalCode)
  }

  /// `ssoterm explain` says, for many of IdentityCore's codes, what MSAL converts them to.
  ///
  /// It must match what happens.
  @Test func theExplanationsSayWhatMSALGives() throws {
    var count = 0
    for explanation in Explanation.all(of: .identityCore) {
      let text = explanation.meaning + " " + explanation.cause
      guard let said = text.firstMatch(of: /MSAL gives (-[0-9]+)(?: with (-[0-9]+))?/),
        let code = Int(explanation.code).flatMap(IdentityCoreCode.init(number:))
      else { continue }
      count += 1
      #expect(code.msal.text == String(said.2 ?? said.1), "\(code)")
    }
    #expect(count > 25)
  }

  @Test func aKeychainStatusKeepsItsDomainAndCode() {
    let error = MSALError.make(keychain: .missingEntitlement, "Failed to get items from keychain.")
    #expect(
      error.printed
        == "Error Domain=NSOSStatusErrorDomain Code=-34018 \"(null)\" "
        + "UserInfo={MSALErrorDescriptionKey=Failed to get items from keychain.}")
  }
}
