import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// Facts from the SDKs' own tests about responses of the server and the broker.
struct ServerFactTests {
  /// `error` counts whatever the status, and a 200 without either token is rejected.
  ///
  /// See `CCT/integration/ios/MSIDDefaultSilentTokenRequestTests.m` and `CC/oauth2/MSIDOauth2Factory.m`.
  @Test(
    arguments: [
      (200, #"{"error":"invalid_grant","suberror":"bad_token"}"#, -42004, "bad_token"),
      (200, #"{"error":"invalid_grant","access_token":"at","id_token":"it"}"#, -42004, nil),
      (
        200, #"{"error":"unauthorized_client","suberror":"protection_policy_required"}"#, -50004,
        "protection_policy_required"
      ),
      (200, #"{"error":"invalid_scope"}"#, -42005, nil), (200, #"{"error":"server_error"}"#, -50006, nil),
      (400, #"{"error":"invalid_client"}"#, -42003, nil), (401, #"{"error":"access_denied"}"#, -50005, nil),
      (401, #"{"error":"interaction_required","suberror":"basic_action"}"#, -50002, "basic_action"),
      (200, "{}", -42008, nil), (400, "{}", -42008, nil),
    ] as [(Int, String, Int, String?)])
  func anAnswer(_ status: Int, _ body: String, _ code: Int, _ suberror: String?) {
    let answer = ServerAnswer(HTTPResponse(status, body: Data(body.utf8)))
    let error = MSALError.make(answer, correlationID: "id")
    #expect(error.preciseCode == code)
    #expect(error.suberror == suberror)
    let isUnusable = code == -42008
    #expect(
      (error.description
        == "Authentication response received without expected accessToken and idToken") == isUnusable)
    #expect(answer.refusal == nil ? isUnusable : !isUnusable)
  }

  /// `CCT/MSIDAADRequestErrorHandlerTests.m`: the status and all headers, and an underlying error for 403 and 404.
  @Test(arguments: [
    (403, "forbidden", true), (404, "not found", true), (429, "too many requests", false),
    (500, "internal server error", false), (503, "service unavailable", false), (555, "server error", false),
  ])
  func aStatus(_ status: Int, _ text: String, _ hasErrorBeneath: Bool) throws {
    let headers = [NameValue("Retry-After", "10"), NameValue("x-ms-request-id", "abc")]
    let error = MSALError.make(ServerAnswer(HTTPResponse(status, headers: headers)), correlationID: "id")
    #expect(error.code == -50000 && error.internalCode == -42007)
    #expect(error.description == text)
    #expect(error.userInfo["MSALHTTPHeadersKey"] == #"{"Retry-After" = 10; "x-ms-request-id" = abc;}"#)
    #expect(error.userInfo["MSALHTTPResponseCodeKey"] == String(status))
    let beneath = error.userInfo["NSUnderlyingError"]
    #expect((beneath != nil) == hasErrorBeneath)
    if hasErrorBeneath {
      #expect(
        beneath
          == "{Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALErrorDescriptionKey=\(text), "
          + "MSALInternalErrorCodeKey=-42009, MSALCorrelationIDKey=id}}")
    }
  }

  struct BrokerError: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var fields: [NameValue]
    var domain = "MSALErrorDomain"
    var code = -50000
    var internalCode: Int?
    var text = "Something."
    var userInfo: [NameValue] = []
  }

  private static func fields(_ domain: String, _ code: String?, _ more: [NameValue] = []) -> [NameValue] {
    [
      NameValue("success", "0"), NameValue("broker_error_domain", domain),
      NameValue("error_description", "Something."),
    ] + (code.map { [NameValue("broker_error_code", $0)] } ?? []) + more
  }

  private static func metadata(_ json: String) -> [NameValue] { [NameValue("error_metadata", json)] }

  /// `CCT/integration/ios/MSIDDefaultBrokerResponseHandlerTests.m`, `MSALErrorConverterTests.m`.
  @Test(arguments: [
    BrokerError(
      testDescription: "MSAL's own, recoverable", fields: fields("MSALErrorDomain", "-50004"), code: -50004),
    BrokerError(
      testDescription: "MSAL's own, internal", fields: fields("MSALErrorDomain", "-42004"),
      internalCode: -42004),
    BrokerError(
      testDescription: "a number of MSAL's domain that nobody knows",
      fields: fields("MSALErrorDomain", "-12345"), internalCode: -12345),
    BrokerError(
      testDescription: "MSALErrorInternal itself", fields: fields("MSALErrorDomain", "-50000"),
      internalCode: -42008),
    BrokerError(
      testDescription: "IdentityCore's", fields: fields("MSIDErrorDomain", "-51115"), code: -50002),
    BrokerError(
      testDescription: "IdentityCore's OAuth", fields: fields("MSIDOAuthErrorDomain", "-51412"),
      internalCode: -42004),
    BrokerError(
      testDescription: "IdentityCore's, unknown to MSAL", fields: fields("MSIDErrorDomain", "-51902"),
      internalCode: -42008),
    BrokerError(
      testDescription: "the keychain's", fields: fields("MSIDKeychainErrorDomain", "-34018"),
      domain: "NSOSStatusErrorDomain", code: -34018),
    BrokerError(
      testDescription: "the network's", fields: fields("NSURLErrorDomain", "-1009"),
      domain: "NSURLErrorDomain", code: -1009),
    BrokerError(
      testDescription: "any other domain", fields: fields("NSCocoaErrorDomain", "3840"),
      domain: "NSCocoaErrorDomain", code: 3840),
    BrokerError(
      testDescription: "code 0", fields: fields("MSIDErrorDomain", "0"), internalCode: -42711),
    BrokerError(testDescription: "no code", fields: fields("MSIDErrorDomain", nil), internalCode: -42711),
    BrokerError(
      testDescription: "no description",
      fields: fields("MSALErrorDomain", "-50005").filter { $0.name != "error_description" }, code: -50005,
      text: "Broker did not provide any details"),
    BrokerError(
      testDescription: "who is meant",
      fields: fields(
        "MSIDOAuthErrorDomain", "-51430",
        metadata(#"{"home_account_id":"1.1234","username":"user@contoso.com"}"#)),
      code: -50004,
      userInfo: [
        NameValue("MSALDisplayableUserIdKey", "user@contoso.com"),
        NameValue("MSALHomeAccountIdKey", "1.1234"),
      ]),
    BrokerError(
      testDescription: "headers as a form",
      fields: fields(
        "MSIDHttpErrorCodeDomain", "-51500",
        metadata(#"{"http_response_code":"429","http_response_headers":"Retry-After=10&k=v"}"#)),
      internalCode: -42007,
      userInfo: [
        NameValue("MSALHTTPHeadersKey", #"{"Retry-After" = 10; k = v;}"#),
        NameValue("MSALHTTPResponseCodeKey", "429"),
      ]),
    BrokerError(
      testDescription: "headers as a dictionary",
      fields: fields(
        "MSIDHttpErrorCodeDomain", "-51500",
        metadata(#"{"http_response_code":429,"http_response_headers":{"k":"v","j":"w"}}"#)),
      internalCode: -42007,
      userInfo: [
        NameValue("MSALHTTPHeadersKey", "{j = w; k = v;}"), NameValue("MSALHTTPResponseCodeKey", "429"),
      ]),
    BrokerError(
      testDescription: "scopes",
      fields: fields(
        "MSALErrorDomain", "-50003",
        metadata(#"{"declined_scopes":["Mail.Read"],"granted_scopes":["User.Read","email"]}"#)
          + [NameValue("x-broker-app-ver", "6.8.30")]),
      code: -50003,
      userInfo: [
        NameValue("MSALDeclinedScopesKey", #"("Mail.Read")"#),
        NameValue("MSALGrantedScopesKey", #"("User.Read", email)"#),
        NameValue("MSALBrokerVersionKey", "6.8.30"),
      ]),
  ])
  func theBrokersError(_ row: BrokerError) {
    let error = MSALError.make(
      broker: row.fields + [NameValue("correlation_id", "of the broker")], correlationID: "of the call")
    #expect(error.domain == row.domain)
    #expect(error.code == row.code)
    #expect(error.internalCode == row.internalCode)
    #expect(error.description == row.text)
    #expect(error.userInfo == row.userInfo)
    #expect(error.correlationID == "of the broker")
  }

  /// `CCT/MSIDDefaultTokenResponseValidatorTests.m`: only `email` may be missing.
  @Test(
    arguments: [
      (["User.Read", "email"], ["email"], nil),
      (["User.Read", "Mail.Read"], ["Mail.Read"], #"("Mail.Read")"#),
      (["User.Read", "email", "Mail.Read"], ["Mail.Read", "email"], #"(email, "Mail.Read")"#),
      (["user.READ", "EMAIL"], [], nil),
    ] as [([String], [String], String?)])
  func missingScopes(_ asked: [String], _ declined: [String], _ named: String?) throws {
    let lab = try SilentLab(signIn: false) { world in
      world.registrations[0].declinedScopes = declined
      world.registrations[0].allowedScopes.append("email")
    }
    let outcome = try lab.perform(
      SignIn(app: SilentLab.app, account: nil, scopes: asked, prompt: .whenRequired),
      answers: SilentLab.answers
    ).outcome
    #expect(outcome.errorCode == named.map { _ in -50003 })
    if let named {
      #expect(outcome.errorText?.contains("MSALDeclinedScopesKey=\(named),") == true)
    }
  }
}
