import Testing

@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOReference

/// What reaches the app, and why so much of it as -50000 (fact sheet §6.1, §6.2).
struct ErrorClassificationTests {
  struct Row: CustomTestStringConvertible, Sendable {
    /// MSAL's own code, before it is classified.
    var mapped: Int
    var delivered: Int
    var internalCode: Int?
    var testDescription: String { "\(mapped) → \(delivered)\(internalCode.map { ", internal \($0)" } ?? "")" }
  }

  private static func asItIs(_ code: Int) -> Row { Row(mapped: code, delivered: code) }
  private static func hidden(_ code: Int, as internalCode: Int? = nil) -> Row {
    Row(mapped: code, delivered: -50000, internalCode: internalCode ?? code)
  }

  static let rows =
    [-50001, -50002, -50003, -50004, -50005, -50142].map(asItIs)
    + [-50006, -50007, -50008].map { hidden($0) } + [hidden(-50000, as: -42008)]
    + Explanation.all.filter { $0.family == .msalInternal }.compactMap { Int($0.code) }.filter { $0 > -50000 }
    .map { hidden($0) }

  @Test(arguments: rows)
  func aCodeOfMSAL(_ row: Row) {
    let error = MSALError(code: row.mapped, "Something.")
    #expect(error.domain == "MSALErrorDomain")
    #expect(error.code == row.delivered)
    #expect(error.internalCode == row.internalCode)
    let internalPart = row.internalCode.map { ", MSALInternalErrorCodeKey=\($0)" } ?? ""
    #expect(
      error.printed
        == "Error Domain=MSALErrorDomain Code=\(row.delivered) \"(null)\" "
        + "UserInfo={MSALErrorDescriptionKey=Something.\(internalPart)}")
  }

  /// IdentityCore's code, MSAL's public one, its internal one.
  @Test(arguments: [
    (-51112, -50000, -42000), (-51115, -50002, nil), (-51117, -50000, -42101), (-51118, -50000, -42001),
    (-51119, -50000, -42011), (-51200, -50000, -42102), (-51412, -50000, -42004), (-51415, -50003, nil),
    (-51416, -50005, nil), (-51417, -50000, -50006), (-51430, -50004, nil), (-51500, -50000, -42007),
    (-51600, -50000, -42010), (-51700, -50005, nil), (-51701, -50005, nil), (-51732, -50000, -50007),
    (-51733, -50000, -50008), (-51800, -50000, -42700), (-51809, -50000, -42709), (-51810, -50001, nil),
    (-51814, -50000, -42714),
    // Known, but without a code of MSAL's; and unknown.
    (-51100, -50000, -42008), (-514102, -50000, -42008), (-51120, -50000, -42008), (-59999, -50000, -42008),
  ])
  func aCodeOfIdentityCore(_ code: Int, _ delivered: Int, _ internalCode: Int?) {
    let error = MSALError(code: IdentityCore.msalCode(code), "")
    #expect(error.code == delivered)
    #expect(error.internalCode == internalCode)
  }

  /// `ssoterm explain` says of many of IdentityCore's codes what MSAL makes of them: it must be what happens.
  @Test func theExplanationsSayWhatMSALGives() throws {
    var count = 0
    for one in Explanation.all where one.family == .identityCore {
      guard
        let said = (one.meaning + " " + one.cause).firstMatch(of: /MSAL gives (-[0-9]+)(?: with (-[0-9]+))?/),
        let code = Int(one.code)
      else { continue }
      count += 1
      #expect(String(IdentityCore.msalCode(code)) == String(said.2 ?? said.1), "\(one.code)")
    }
    #expect(count > 25)
  }

  @Test func aKeychainStatusKeepsItsDomainAndCode() {
    let error = MSALError(keychain: .missingEntitlement, "Failed to get items from keychain.")
    #expect(
      error.printed
        == "Error Domain=NSOSStatusErrorDomain Code=-34018 \"(null)\" "
        + "UserInfo={MSALErrorDescriptionKey=Failed to get items from keychain.}")
  }
}
