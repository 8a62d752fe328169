import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

@Suite struct SignInTests {
  private func page(_ answer: ProviderResponse) throws -> SignInPage {
    guard case .signIn(let page) = answer.page else { throw OAuthError(.serverError, "no sign-in page") }
    return page
  }

  @Test(arguments: [
    ("zoe@contoso.com", "right", 50034, "user exists"), ("alice@contoso.com", "wrong", 50126, "password"),
    ("dora@contoso.com", "right", 50057, "account enabled"),
    ("bob@contoso.com", "right", 50020, "person belongs to tenant"),
  ])
  func refusesOnThePage(_ username: String, _ password: String, _ number: Int, _ check: String) throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.word, tenant: "fabrikam.com"))
    let answer = try lab.post(
      "/common/login", ["flow": first.flowID, "username": username, "password": password])
    #expect(try page(answer).failure?.hasPrefix("AADSTS\(number):") == true)
    #expect(lab.failedCheck == check)
    #expect(lab.cookies[SSOSession.cookieName] == nil)
  }

  @Test func loginHintIsFilledInAndOnlyThePasswordAsked() throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.word, ["login_hint": "alice@contoso.com"]))
    #expect(first.username == "alice@contoso.com")
    #expect(first.asks == .password)
    #expect(try lab.post("/common/login", ["flow": first.flowID, "password": "right"]).http.status == 302)
  }

  @Test func secondFactorIsTheNumberShown() throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.word))
    let second = try page(
      lab.post("/common/login", ["flow": first.flowID, "username": "mia@contoso.com", "password": "right"]))
    guard case .verification(let number) = second.asks else {
      Issue.record("no number")
      return
    }
    let wrong = try page(lab.post("/common/login", ["flow": first.flowID, "code": "1"]))
    #expect(wrong.failure?.hasPrefix("AADSTS500121:") == true)
    #expect(wrong.asks == .verification(number))
    #expect(try lab.post("/common/login", ["flow": first.flowID, "code": number]).http.status == 302)
  }

  /// Regression: the page asked for the second factor, with the error below it.
  @Test func aDisabledAccountIsRefusedAfterThePasswordAndNotAskedForANumber() throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.word))
    let refused = try page(
      lab.post("/common/login", ["flow": first.flowID, "username": "dora@contoso.com", "password": "right"]))
    #expect(refused.failure?.hasPrefix("AADSTS50057:") == true && refused.asks == .password)
    let again = try page(lab.post("/common/login", ["flow": first.flowID, "username": "dora@contoso.com"]))
    #expect(again.asks == .password)
  }

  @Test func numberAloneDoesNotSignIn() throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.word))
    let flow = first.flowID
    _ = try lab.post("/common/login", ["flow": flow, "username": "mia@contoso.com", "password": "right"])
    let other = try page(lab.post("/common/login", ["flow": flow, "username": "alice@contoso.com"]))
    #expect(other.asks == .password)
  }

  @Test func cancelGoesBackToTheApp() throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.word))
    let answer = try lab.post("/common/login", ["flow": first.flowID, "cancel": "1"])
    #expect(URLParts(answer.http.location ?? "")?.fields?["error"] == "access_denied")
    let late = try lab.post("/common/login", ["flow": first.flowID, "password": "right"])
    guard case .error(let page) = late.page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS50089")
  }

  @Test func consentIsAllOrNothingAndRemembered() throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.notes))
    let form: KeyValuePairs = ["flow": first.flowID, "username": "alice@contoso.com", "password": "right"]
    guard case .consent(let asked) = try lab.post("/common/login", form).page else {
      Issue.record("no consent page")
      return
    }
    #expect(asked.scopes.map(\.scope) == ["User.Read", "openid", "profile", "offline_access"])
    #expect(asked.scopes.allSatisfy { !$0.alreadyGranted })
    #expect(asked.redirectURI == ProviderLab.notes.redirectURIs[0])
    let declined = try lab.post("/common/consent", ["flow": asked.flowID, "cancel": "1"])
    let fields = URLParts(declined.http.location ?? "")?.fields
    #expect(fields?["error"] == "access_denied")
    #expect(lab.documents.bodies[.consentGrant] == nil)
    _ = try lab.code(ProviderLab.notes)
    #expect(try lab.authorize(ProviderLab.notes).http.status == 302)
  }

  @Test func consentCannotBeGivenBeforeSigningIn() throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.notes, ["login_hint": "alice@contoso.com"]))
    let answer = try lab.post("/common/consent", ["flow": first.flowID, "accept": "1"])
    #expect(answer.http.location == nil)
    #expect(lab.documents.bodies[.consentGrant] == nil)
  }

  @Test func scopeForAdministratorsNeedsOne() throws {
    let lab = try ProviderLab()
    let first = try page(lab.authorize(ProviderLab.notes, scope: "Mail.Read"))
    let form: KeyValuePairs = ["flow": first.flowID, "username": "alice@contoso.com", "password": "right"]
    guard case .error(let page) = try lab.post("/common/login", form).page else {
      Issue.record("no error page")
      return
    }
    #expect(page.number == "AADSTS90094")
  }
}
