import SSOReference
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTerm

struct PromptAnswererTests {
  static let picker = AccountPicker(
    appName: "Mail", bundleID: "com.contoso.mail", clientID: "4b0d",
    redirectURI: "msauth.com.contoso.mail://auth",
    sdk: "MSAL", scopes: ["User.Read", "Mail.Read"], prompt: nil, loginHint: nil,
    callerCheck: Check("caller", expected: "a", found: "a", true, source: "B2"),
    candidates: [
      PickerCandidate(
        homeAccountID: "u1.t1", displayName: "Ada Lovelace", username: "ada@contoso.com",
        tenantName: "Contoso",
        state: .ready, remark: "last used", isHinted: false),
      PickerCandidate(
        homeAccountID: "u2.t1", displayName: "Taro", username: "taro@contoso.com", tenantName: "Contoso",
        state: .blocked, remark: "by policy", isHinted: false),
    ], presentation: .overlay, reason: "two accounts")

  static func page(_ ask: SignInPage.Ask, failure: String? = nil) -> Prompt {
    .signIn(
      SignInPage(
        tenantName: "Contoso", appName: "Mail", clientID: "4b0d", redirectURI: "r", username: "", asks: ask,
        failure: failure, accountsInSession: [], flowID: "f"))
  }

  static let consent = Prompt.consent(
    ConsentPage(
      appName: "Mail", clientID: "4b0d", publisher: "Contoso", username: "ada@contoso.com",
      scopes: [ConsentScope(scope: "User.Read", meaning: "Read your profile", alreadyGranted: false)],
      flowID: "f"))

  @Test("--choose takes a UPN in any case, a home account ID, or other")
  func choose() throws {
    for word in ["ADA@contoso.com", "u1.t1"] {
      var answerer = PromptAnswerer(choose: word)
      #expect(try answerer.answer(.chooseAccount(Self.picker)) == .account(homeAccountID: "u1.t1"))
    }
    var other = PromptAnswerer(choose: "other")
    #expect(try other.answer(.chooseAccount(Self.picker)) == .useAnotherAccount)
  }

  @Test("An unknown choice names the nearest account and ends with 3")
  func unknownChoice() {
    var answerer = PromptAnswerer(choose: "ada@contoso.co")
    #expect { try answerer.answer(.chooseAccount(Self.picker)) } throws: { error in
      let failure = error as? CommandFailure
      return failure?.status == .nothingMatched && failure?.next == "Did you mean ada@contoso.com?"
    }
  }

  @Test("A blocked account is refused with the reason")
  func blocked() {
    var answerer = PromptAnswerer(choose: "taro@contoso.com")
    #expect { try answerer.answer(.chooseAccount(Self.picker)) } throws: {
      ($0 as? CommandFailure)?.why.contains("by policy") == true
    }
  }

  @Test(
    "Without an answer and without a terminal it ends with 4 and names the option",
    arguments: [
      (Prompt.chooseAccount(picker), "--choose"), (page(.username), "--choose"),
      (page(.password), "--password-stdin"), (page(.verification("42")), "--approve"),
      (consent, "--accept-consent"),
    ])
  func unanswered(prompt: Prompt, option: String) {
    var answerer = PromptAnswerer()
    #expect { try answerer.answer(prompt) } throws: { error in
      let failure = error as? CommandFailure
      return failure?.status == .signInNeeded && failure?.next.contains(option) == true
    }
  }

  @Test("Options answer a whole sign-in")
  func wholeSignIn() throws {
    var answerer = PromptAnswerer(
      account: "ada@contoso.com", password: { "pw" }, acceptsConsent: true, approves: true)
    #expect(try answerer.answer(Self.page(.username)) == .username("ada@contoso.com"))
    #expect(try answerer.answer(Self.page(.password)) == .password("pw"))
    #expect(try answerer.answer(Self.page(.verification("42"))) == .verification("42"))
    #expect(try answerer.answer(Self.consent) == .accept)
  }

  @Test("A password that was refused is not sent again for ever")
  func refusedPassword() throws {
    var answerer = PromptAnswerer(account: "ada@contoso.com", password: { "wrong" })
    _ = try answerer.answer(Self.page(.password))
    #expect { try answerer.answer(Self.page(.password, failure: "AADSTS50126")) } throws: {
      ($0 as? CommandFailure)?.why == "AADSTS50126"
    }
  }

  @Test("An error page can only be closed")
  func errorPage() throws {
    var answerer = PromptAnswerer()
    let page = ErrorPage(
      OAuthError(.invalidRequest, "m", aadsts: .redirectURINotRegistered), correlationID: "c")
    #expect(try answerer.answer(.errorPage(page)) == .cancel)
  }
}
