import Foundation
import Testing

@testable import SSOReference

@Suite struct ExplanationTests {
  @Test func aNameIsThatOfItsRow() {
    let names = CodeName.all
    #expect(names.map(\.displayText) == Explanation.all.map(\.displayText))
    #expect(names.map(\.name) == Explanation.all.map(\.name))
    #expect(names.first?.explanation == Explanation.all.first)
    #expect(names.last?.explanation == Explanation.all.last)
  }

  /// Regression: the words in the column NEXT CALL could not be looked up, only the code that no list prints.
  @Test func aStateIsFoundByTheWordsThatTheListsPrint() {
    #expect(Explanation.state(named: "needs sign-in")?.code == "prompt")
    #expect(Explanation.state(named: "Needs sign-in")?.code == "prompt")
    #expect(Explanation.state(named: "the app needs sign-in") == nil && Explanation.state(named: "") == nil)
    #expect(Explanation.find(in: "needs sign-in").isEmpty)
  }

  @Test func everyEntryIsComplete() {
    let all = Explanation.all
    #expect(all.count > 270)
    #expect(
      all.allSatisfy { !$0.code.isEmpty && !$0.meaning.isEmpty && !$0.cause.isEmpty && !$0.remedy.isEmpty })
    #expect(Set(all.map { $0.family.rawValue + $0.code }).count == all.count)
  }

  /// Each row has five fields, or more: the domain, and who uses the code.
  @Test(arguments: Explanation.Family.allCases)
  func aTableHasFiveToSevenColumns(_ family: Explanation.Family) {
    let table = family.table
    #expect(!table.rows.isEmpty)
    for row in table.rows {
      let fields = table.fields(row)
      #expect(
        (5...7).contains(fields.count) && fields.allSatisfy { $0 == $0.trimmingPrefix(" ") }, "\(fields)")
      #expect(fields.count < 7 || ["any", "servers"].contains(fields[6]), "\(fields)")
    }
  }

  /// A word that is not an error is explained if it stands alone, and never found in a log.
  @Test(arguments: ["429", "retry-after", "Platform SSO", "mobileconfig", ".mobileconfig", "SSO extension"])
  func aTermIsExplainedAndNotSearchedFor(_ text: String) {
    #expect(Explanation.term(text) != nil && Explanation.term("the \(text)") == nil)
    #expect(!Explanation.find(in: text).contains { $0.family == .term })
  }

  /// The key store, the packages of SSPI, and certificates share the facility 9, and each has a range of its own.
  @Test(arguments: [
    ("0x8009030C", "SEC_E_LOGON_DENIED", "denied"), ("-2146893044", "SEC_E_LOGON_DENIED", "denied"),
    ("0x80090016", "NTE_BAD_KEYSET", "Key is gone"), ("0x80090077", "", "key store"),
    ("0x80090399", "", "SSPI"), ("0x80092099", "", "certificates"), ("0x800B0199", "", "not trusted"),
    ("0x80131777", "", ".NET"),
  ])
  func aResultOfWindowsSecurityIsExplainedByItsRange(_ code: String, _ name: String, _ meaning: String) {
    let found = Explanation.find(in: code)
    #expect(found.map(\.name) == [name] && found.first?.meaning.contains(meaning) == true)
  }

  /// The spellings in which people paste a code.
  @Test(arguments: [
    ("kLAErrorDomain -2", "com.apple.LocalAuthentication error -2"),
    ("LAError.biometryLockout", "com.apple.LocalAuthentication error -8"),
    ("LAErrorDomain Code=-6", "com.apple.LocalAuthentication error -6"),
    ("ASWebAuthenticationSessionError 1", "1"), ("SFAuthenticationError 1", "1"),
    ("UnknownAction", "UnknownAction"), ("FBSDKLoginKit error 308", "com.facebook.sdk.login error 308"),
    ("com.facebook.sdk.login Code=304", "com.facebook.sdk.login error 304"),
    ("samlp:Responder", "urn:oasis:names:tc:SAML:2.0:status:Responder"),
    ("samlp:NoPassive", "urn:oasis:names:tc:SAML:2.0:status:NoPassive"),
    ("Error 403: org_internal", "org_internal"), ("Error 401: deleted_client", "deleted_client"),
    ("AADSTS54008", "AADSTS54008"), ("0x8004882c", "0x8004882C"),
    ("com.facebook.sdk.login 308", "com.facebook.sdk.login error 308"),
    ("LAError error -1", "com.apple.LocalAuthentication error -1"),
    ("GIDSignIn -5", "com.google.GIDSignIn error -5"),
    ("FIRAuthErrorDomain 17015", "auth/provider-already-linked"),
    ("Error Domain=FIRAuthErrorDomain Code=17995", "FIRAuthErrorDomain error 17995"),
    ("ERROR_KEYCHAIN_ERROR", "FIRAuthErrorDomain error 17995"), ("CancelledByUser", "CancelledByUser"),
    ("ERROR_SERVER_PROTECTION_POLICY_REQUIRED", "213"), ("MAMEnrollmentStatusAuthRequired", "203"),
    ("IntuneMAM 225", "225"), ("KeyBasedAuthenticationNotPermitted", "KeyBasedAuthenticationNotPermitted"),
    ("ActivityNotFoundException", "No Activity found to handle Intent"),
  ])
  func aPastedSpellingIsFound(_ text: String, _ code: String) {
    #expect(Explanation.find(in: text).map(\.code) == [code])
  }

  @Test(arguments: [
    ("SQL error 40615", "SQL Server error 40615"), ("40615", "SQL Server error 40615"),
    ("Error: 18456, Severity: 14, State: 73", "SQL Server error 18456"),
    ("ClientAuthenticationException", "ClientAuthenticationError"), ("1097", "Event ID 1097"),
    ("HTTP 407", "407"), ("status code: 429", "429"), ("403 Forbidden", "403"), ("[Errno 111]", "errno 111"),
    ("NSPOSIXErrorDomain Code=54", "errno 104"), ("ORA-01017: invalid lamp/wick", "ORA-01017"),
    ("curl: (60) SSL lamp problem", "curl 60"), ("EventID: 1201", "Event ID 1201"),
    ("event 1098", "Event ID 1098"), ("33155", "SQL Server error 33155"),
    ("org.lamp.security.BadCredentialsException", "BadCredentialsException"), ("4625", "Event ID 4625"),
    ("OmniAuth::Strategies::Lamp::CallbackError", "CallbackError"),
    ("TooManyRequestsException cognito", "TooManyRequestsException"),
    ("WebKitErrorDomain Code=102", "WebKitErrorDomain 102"),
  ])
  func aTermIsExplainedByItsOtherForms(_ text: String, _ code: String) {
    #expect(Explanation.term(text)?.code == code)
  }

  /// A number that stands alone has all of its meanings, HTTP's first, and never a minus sign that was not written.
  @Test(arguments: [
    ("403", ["403 HTTP status", "403 ADAuthenticationErrorDomain"], 0),
    ("200", ["200 HTTP status", "200 ADAuthenticationErrorDomain"], 0),
    ("302", ["302 HTTP status", "302 ADAuthenticationErrorDomain"], 0),
    ("503", ["503 HTTP status", "503 ADAuthenticationErrorDomain"], 0),
    ("1001", ["1001 ASAuthorizationErrorDomain", "-1001 NSURLErrorDomain"], 1),
    ("12501", ["ApiException: 12501 Google Play services"], 0),
    ("50000", ["AADSTS50000 error_description of the provider", "-50000 MSALErrorDomain"], 1),
    ("34018", ["-34018 NSOSStatusErrorDomain"], 1),
    ("1", [], 0), ("42", [], 0), ("100", [], 0), ("-1001", [], 0), ("ten", [], 0),
  ])
  func aNumberAloneHasAllItsMeanings(_ text: String, _ meanings: [String], _ unsigned: Int) {
    let found = Explanation.meanings(ofNumber: text)
    #expect(found.map { $0.explanation.code + " " + $0.explanation.domain } == meanings)
    #expect(found.count(where: \.lacksMinus) == unsigned)
  }

  /// HTTP's reason phrases are everyday words.
  @Test(arguments: ["forbidden", "Not Found", "unauthorized", "bad request", "Too Many Requests"])
  func aPhraseOfHTTPIsNoTerm(_ text: String) {
    #expect(Explanation.term(text) == nil && Explanation.find(in: text).isEmpty)
  }

  /// A class and a constant are terms as they are written, and everyday words are not.
  @Test func anEverydayWordIsNoTerm() {
    #expect(Explanation.term("UNAUTHENTICATED") != nil && Explanation.term("unauthenticated") == nil)
    #expect(Explanation.term("error code") == nil && Explanation.term("status") == nil)
  }

  /// The names that libraries give to the codes that they print as numbers.
  @Test(arguments: [
    ("OIDErrorCodeUserCanceledAuthorizationFlow", "org.openid.appauth.general error -3"),
    ("OIDErrorCodeOAuthTokenInvalidGrant", "invalid_grant"),
    ("kGIDSignInErrorCodeHasNoAuthInKeychain", "com.google.GIDSignIn error -4"),
    ("kCFErrorDomainCFNetwork 310", "kCFErrorDomainCFNetwork 310"),
    ("kCFErrorDomainCFNetwork Code=310", "kCFErrorDomainCFNetwork 310"),
    ("kCFErrorHTTPSProxyConnectionFailure", "kCFErrorDomainCFNetwork 310"),
    ("ENOTFOUND", "getaddrinfo ENOTFOUND"), ("ECONNREFUSED", "connect ECONNREFUSED"),
    ("EAI_AGAIN", "getaddrinfo EAI_AGAIN"), ("ETIMEDOUT", "ETIMEDOUT"), ("ECONNRESET", "ECONNRESET"),
    ("SSLHandshakeException", "SSLHandshakeException"),
    ("AuthenticationRequiredError", "AuthenticationRequiredError"),
    ("kGIDSignInErrorCodeAmbiguousClaims", "com.google.GIDSignIn error -7"),
    ("Domain=com.google.GIDSignIn Code=-11", "com.google.GIDSignIn error -11"),
    ("E0000068", "E0000068"), ("\"errorCode\":\"E0000241\"", "E0000241"),
    ("a0.response.invalid", "a0.response.invalid"),
    ("ON_ACTIVITY_RESULT_INTENT_NULL", "ON_ACTIVITY_RESULT_INTENT_NULL"),
    ("error_description=AADB2C%3a+An+exception+has+occurred", "AADB2C: An exception has occurred"),
  ])
  func aNameStandsForItsNumber(_ text: String, _ code: String) {
    #expect(Explanation.find(in: text).first?.code == code)
  }

  private func expectRows<Code: ExplainedCode>(_ type: Code.Type) {
    #expect(type.allCases.filter { $0.explanation == nil } == [])
  }

  @Test func eachCaseHasItsRow() {
    expectRows(AADSTSCode.self)
    expectRows(B2CCode.self)
    expectRows(FederationCode.self)
    expectRows(MSALCode.self)
    expectRows(ADALCode.self)
    expectRows(IdentityCoreCode.self)
    expectRows(KeychainError.self)
    expectRows(OAuthErrorCode.self)
    expectRows(OAuthSuberror.self)
    expectRows(LinuxBrokerStatus.self)
    #expect(LinuxBrokerStatus.allCases.map(\.text) == Explanation.all(of: .linuxBroker).map(\.code))
  }

  @Test func aCodeIsItsNumberAndItsText() {
    #expect((AADSTSCode.accountDisabled.number, AADSTSCode.accountDisabled.text) == (50057, "AADSTS50057"))
    #expect((MSALCode.internalError.number, MSALCode.internalError.name) == (-50000, "MSALErrorInternal"))
    #expect(ADALCode(number: 200) == .serverUserInputNeeded && ADALCode(number: 999) == nil)
    #expect(OAuthErrorCode(text: "invalid_grant") == .invalidGrant && OAuthErrorCode(text: "") == nil)
    #expect(MSALCode.allCases.allSatisfy { MSALCode(number: $0.number) == $0 })
    #expect(AADSTSCode.allCases.allSatisfy { $0.text == "AADSTS\($0.number)" && $0.number > 0 })
  }

  @Test(arguments: [
    ("-50000", ["-50000"]), ("50000", ["AADSTS50000"]),
    ("https://aka.ms/msal.js.errors#popup_window_error", ["popup_window_error"]),
    ("0xCAA82EE8", ["0xCAA82EE8"]), ("0xCAA82EFF0", []), ("0xCAA32222", ["0xCAA32222"]),
    ("MSALErrorInternal", ["-50000"]), ("50011", ["AADSTS50011"]),
    ("aadsts50011", ["AADSTS50011"]), ("200", []), ("state expiring", ["expiring"]), ("expiring", []),
    ("expires in 200 s", []),
    ("IDX10214", ["IDX10214"]), ("IDX10266", ["IDX10266"]), ("IDX40005", ["IDX40005"]),
    ("0x8018002b", ["0x8018002B"]), ("0x80280803", ["0x80280803"]),
    (#"{"errorCode":"E0000004"}"#, ["E0000004"]), ("IDX10218", ["IDX10218"]), ("IDX99999", []),
    ("msis9999", ["MSIS9999"]),
    ("IDW19999", ["IDW19999"]), ("AKV1", []), ("the callback got NSDomainError 50000", ["-50000"]),
    ("_invalid_grant_", ["invalid_grant"]), ("10", []), ("12500", []), ("error 10", []),
    ("ApiException: 10", ["ApiException: 10"]),
    ("com.google.android.gms.common.api.ApiException: 12501:", ["ApiException: 12501"]),
    ("AADSTS-50011", ["AADSTS50011"]), ("AADSTS_50011", ["AADSTS50011"]), ("AADB2C-90091", ["AADB2C90091"]),
    ("Fehlercode 50126", ["AADSTS50126"]), ("Código de error: 50011", ["AADSTS50011"]),
    ("Kod błędu: 700016", ["AADSTS700016"]), ("错误代码：50011", ["AADSTS50011"]), ("Zahl 50011", []),
    ("Google 12500", ["ApiException: 12500"]),
    ("[firebase_auth/invalid-credential]", ["auth/invalid-credential"]), ("0x4AA50081", ["0x4AA50081"]),
    ("DEVELOPER_ERROR", ["ApiException: 10"]), ("it does not throw a MsalUiRequiredException", []),
    ("AD_ERROR_UI_USER_CANCEL", ["403"]), ("client_mismatch", ["client_mismatch"]),
    ("Error Domain=ADAuthenticationErrorDomain Code=200", ["200"]),
    (
      "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALInternalErrorCodeKey=-42700}",
      ["-50000", "-42700"]
    ), ("\u{1B}[31m", []),
    ("OIDGeneralErrorDomain Code=-4", ["org.openid.appauth.general error -4"]),
    ("LampErrorDomain Code=-4", []),
    ("kGIDSignInErrorDomain -4", ["com.google.GIDSignIn error -4"]),
    ("kGIDSignInErrorDomain error -5", ["com.google.GIDSignIn error -5"]),
    ("NT_STATUS_LOGON_FAILURE", ["0xC000006D"]),
    ("com.firebase.FIRAuthErrorDomain 17011", ["auth/user-not-found"]),
    ("sign_in_failed, q7.b: 12501: ", ["ApiException: 12501"]),
  ])
  func findsWhatIsMeant(_ text: String, _ codes: [String]) {
    #expect(Explanation.find(in: text).map(\.code) == codes)
  }

  /// Three digits are an event's only beside its word.
  @Test func anEventOfThreeDigitsIsNamed() {
    #expect(Explanation.term("Event ID 304")?.code == "Event ID 304")
    #expect(Explanation.term("304")?.isHTTPStatus == true)
  }

  /// The class of an exception says less than the code beside it.
  @Test func theClassOfAnExceptionIsTold() {
    let found = Explanation.find(in: "BrowserAuthError: user_cancelled: ExpiredJwtException")
    #expect(found.filter(\.isClass).map(\.code) == ["BrowserAuthError", "ExpiredJwtException"])
  }

  /// Entra's sentences are known without their numbers, and beside a number say nothing more.
  @Test func aSentenceOfEntraHasItsNumber() {
    func codes(_ text: String) -> [String] { Explanation.find(in: text).map(\.code) }
    #expect(codes("Invalid client secret provided. Ensure that it is the lamp's.") == ["AADSTS7000215"])
    #expect(
      codes("AADSTS70002: Lamp. AADSTS50012: Invalid client secret is provided.") == [
        "AADSTS70002", "AADSTS50012",
      ])
  }

  /// The name of a product alone says whose number stands behind it, and a family whose number several have.
  @Test(arguments: [
    ("Office.js 13001", ["13001"]), ("office 13012", ["13012"]), ("msal 50058", ["AADSTS50058"]),
    ("Azure AD 50011", ["AADSTS50011"]), ("sold 50058 in Azure", []), ("azure 50000 users", []),
    ("ASWebAuthenticationSessionError.canceledLogin", ["1"]), ("ASAuthorizationError.canceled", ["1001"]),
    ("GIDSignInError code -5", ["com.google.GIDSignIn error -5"]),
    ("Something went wrong, code: 10", ["ApiException: 10"]),
    ("JWEDecryptionFailed", ["ERR_JWE_DECRYPTION_FAILED"]),
    (
      "FirebaseError: Firebase: Error (auth/api-key-not-valid.-please-pass-a-valid-api-key.)",
      ["auth/api-key-not-valid"]
    ),
  ])
  func aProductOrAFamilySaysWhoseNumberItIs(text: String, codes: [String]) {
    #expect(Explanation.find(in: text).map(\.code) == codes)
  }

  /// Texts that people pasted into public threads, unchanged.
  ///
  /// Each row contains the thread.
  @Test func whatPeoplePasteIsExplained() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../TestSamples/Samples/codes/pasted.tsv").standardizedFileURL
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
      .map { $0.split(separator: "\t").map(String.init) }
    #expect(rows.count > 80 && rows.allSatisfy { $0.count == 3 && $0[2].contains("#") })
    for row in rows {
      #expect(Explanation.find(in: row[0]).map(\.code).joined(separator: " ") == row[1], "\(row[2])")
    }
  }

  /// The numbers of Microsoft's page of error codes (MicrosoftDocs/entra-docs@3164b3b5,
  /// docs/identity-platform/reference-error-codes.md).
  @Test func everyNumberOfMicrosoftsPageIsExplained() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../TestSamples/Samples/codes/entra-page.txt").standardizedFileURL
    let numbers = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(numbers.count == 345)
    for number in numbers {
      let code = "AADSTS\(number)"
      #expect(Explanation.find(in: code).map(\.code) == [code])
    }
  }

  /// The filter for lines rejects no line in which something would be found.
  @Test func aLineWithACodePassesTheFilter() throws {
    func passes(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { Explanation.mayOccur(in: $0) }
    }
    for one in Explanation.all where ![.state, .term].contains(one.family) {
      for text in ["12:00:00 E/App(7): \(one.code), 5", "[\(one.name)] code=\(one.code)", "\(one.code) x"] {
        #expect(Explanation.find(in: text).isEmpty || passes(text), "\(text)")
      }
    }
    for text in [
      "−50000 of MSALErrorDomain", "%22AADSTS50011", "\\nAADB2C90091", "WAM_provider_error_3399614473",
      "_invalid_grant_",
      "code 18446744072814198787", "IDX21345: x", "error 80070520",
      "Error Domain=NSURLErrorDomain Code=-1009",
      "'com.apple.AuthenticationServices.WebAuthenticationSession error 2'", "AADSTS 50011",
    ] {
      #expect(!Explanation.find(in: text).isEmpty && passes(text), "\(text)")
    }
    for text in [
      "2026-11-24 12:00:00.000 INFO [main] lamp.Lamp - lit 42 lamps in 17 ms", "", "a", "GET /lamps/7 200 0",
      "50011", "80070520",
    ] {
      #expect(!passes(text), "\(text)")
    }
  }

  @Test(arguments: [
    "invalid", "expired", "broker", "cache", "none", "valid", "prompt", "failure", "revoked", "internal",
    "unexpected", "unknown", "disabled", "network", "token", "code", "error", "account", "login", "sign in",
    "timeout",
    "The token has expired, and the broker found none in the cache", "took 53000 ms", "16000 rows",
    "port 50001",
    "iPhone 200", "version 1.2.3", "an unexpected internal error", "unauthorized", "denied",
    "2026-11-24 12:00:00",
  ])
  func everydayWordsAreNoCodes(_ text: String) {
    #expect(Explanation.find(in: text).map(\.code) == [])
  }

  @Test(arguments: [
    "0xCAA20003", "0xcaa20003", "CAA20003", "3399614467", "-895352829", "0xffffffffcaa20003",
    "18446744072814198787",
    "ERROR_ADAL_SERVER_ERROR_INVALID_GRANT",
  ])
  func aResultCodeIsFoundInEveryForm(_ text: String) {
    #expect(Explanation.find(in: text).map(\.code) == ["0xCAA20003"])
  }

  @Test func aNameThatIsDeniedIsNotTheCode() {
    let text = "we get MSALErrorInternal, -50000, and **not** MSALErrorInteractionRequired"
    #expect(Explanation.find(in: text).map(\.code) == ["-50000"])
  }

  @Test func aResultCodeOfDigitsAloneIsFoundIfNothingElseIsThere() {
    #expect(Explanation.find(in: "80070520").map(\.code) == ["0x80070520"])
    #expect(Explanation.find(in: "error 80070520").map(\.code) == ["0x80070520"])
    #expect(Explanation.find(in: "order 80070520 shipped").isEmpty)
  }

  /// A sentence is found wherever lines break, and whatever quotation marks it has.
  @Test func eachSentenceStandsForItsCode() {
    let table = ReferenceTable("sentences.tsv")
    #expect(table.rows.count > 80)
    for row in table.rows {
      let fields = table.fields(row)
      let text = "E/App: " + fields[0].replacing(" ", with: "\n  ").replacing("'", with: "’") + ", and more"
      // A family before the code is that of a code which other families have too.
      let parts = fields[1].split(separator: " ", maxSplits: 1).map(String.init)
      let code = Explanation.Family(rawValue: parts[0]) == nil ? fields[1] : parts[1]
      #expect(Explanation.find(in: text).map(\.code).contains(code), "\(fields)")
    }
    for message in Explanation.all(of: .message) {
      #expect(Explanation.find(in: "error: \(message.code)!").first?.code == message.code)
    }
  }

  /// The advice to a user with a real app contains no command that works only on the lab.
  @Test func outsideOfTheLabNoLabCommandIsNamed() {
    let real = Explanation.all.filter { $0.family != .state }
    for explanation in real {
      let advice = explanation.remedyOutside
      let words = advice.description
      #expect(advice.actions.allSatisfy { [.explain, .doctor].contains($0.verb) }, "\(explanation.code)")
      #expect(!words.contains("the lab") && words.hasSuffix("."), "\(explanation.code): \(words)")
    }
  }

  /// docs/behaviour/provider.md §22 says for each number whether Entra documents it.
  @Test func theDocumentSaysOfEachNumberWhereItIsFrom() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/behaviour/provider.md").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "## 22. Numbers").last?.components(separatedBy: "\n## ").first)
    let numbers = Set(section.split { !$0.isNumber }.compactMap { Int($0) })
    #expect(AADSTSCode.allCases.map(\.number).filter { !numbers.contains($0) } == [])
  }
}
