import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Azure AD B2C refuses with its own numbers, in its own form: a line for each part, no trace ID, no `error_codes`.
@Suite struct B2CErrorTests {
  private static let policy = "contoso.com/B2C_1_signin"
  private let lab: ProviderLab

  init() throws { lab = try ProviderLab() }

  private func fields(_ answer: ProviderResponse) throws -> [NameValue] {
    try #require(answer.http.location.flatMap { URLParts($0)?.fields })
  }

  @Test func aCancelledSignInHasItsNumber() throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.notes, tenant: Self.policy).page else {
      Issue.record("no sign-in page")
      return
    }
    let fields = try fields(lab.post("/common/login", ["flow": page.flowID, "cancel": "1"]))
    #expect(
      fields["error"] == "access_denied" && fields["error_subcode"] == nil && fields["error_uri"] == nil)
    let lines = fields["error_description"]?.components(separatedBy: "\r\n") ?? []
    #expect(lines.first == "AADB2C90091: The user has cancelled entering self-asserted information.")
    #expect(lines.map { $0.prefix { $0 != ":" } } == ["AADB2C90091", "Correlation ID", "Timestamp", ""])
    #expect(lab.trace.hops.last?.refusal?.number == "AADB2C90091")
    #expect(lab.failedCheck == nil, "no rule refused it")
  }

  @Test func aForgottenPasswordHasItsNumber() throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.notes, tenant: Self.policy).page else {
      Issue.record("no sign-in page")
      return
    }
    #expect(page.offersPasswordReset == true)
    let fields = try fields(lab.post("/common/login", ["flow": page.flowID, "forgot": "1"]))
    #expect(fields["error"] == "access_denied" && fields["error_subcode"] == nil)
    #expect(
      fields["error_description"]?.hasPrefix(
        "AADB2C90118: The user has forgotten their password.\r\nCorrelation ID: ") == true)
    #expect(lab.failedCheck == nil, "no rule refused it")
  }

  /// Entra's own pages have no such answer.
  @Test func onlyAUserFlowTakesAForgottenPassword() throws {
    guard case .signIn(let page) = try lab.authorize(ProviderLab.notes).page else {
      Issue.record("no sign-in page")
      return
    }
    let answer = try lab.post("/common/login", ["flow": page.flowID, "forgot": "1"])
    guard case .signIn(let again) = answer.page else {
      Issue.record("the sign-in ended")
      return
    }
    #expect(page.offersPasswordReset == nil && again.asks == .username)
  }

  @Test func nobodyIsSignedIn() throws {
    let answer = try lab.authorize(ProviderLab.notes, tenant: Self.policy, ["prompt": "none"])
    #expect(try fields(answer)["error"] == "interaction_required")
    #expect(try fields(answer)["error_description"]?.hasPrefix("AADB2C90077: ") == true)
  }

  @Test func aWrongRedirectURIIsOnThePage() throws {
    let answer = try lab.authorize(
      ProviderLab.notes, tenant: Self.policy, ["redirect_uri": "https://evil.example/"])
    guard case .error(let page) = answer.page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADB2C90006" && page.message.hasPrefix("AADB2C90006: "))
  }

  @Test func aRefreshTokenExpires() throws {
    let tokens = try lab.signIn(ProviderLab.notes, tenant: Self.policy)
    lab.now = lab.now.adding(seconds: 91 * 86_400)
    let answer = try lab.refresh(tokens.refreshToken ?? "", ProviderLab.notes, tenant: Self.policy)
    #expect(answer.json?.object?.keys.sorted() == ["error", "error_description"])
    let error = OAuthError(reading: answer)
    #expect((error.code, error.b2c, error.aadsts) == (.invalidGrant, 90080, nil))
    #expect(
      error.message == "AADB2C90080: The provided grant has expired. Please re-authenticate and try again.")
    let entra = OAuthError(reading: try lab.refresh(tokens.refreshToken ?? "", ProviderLab.notes))
    #expect((entra.b2c, entra.aadsts) == (nil, 700082))
  }

  /// A number that no public source gives stays Entra's.
  @Test func otherErrorsKeepTheirNumber() throws {
    #expect(
      try lab.refresh("made-up", ProviderLab.notes, tenant: Self.policy).json?["error_codes"]
        == .array([.integer(9_002_313)]))
  }
}
