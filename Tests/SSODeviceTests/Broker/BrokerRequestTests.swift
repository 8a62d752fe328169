import Testing

@testable import SSOCore
@testable import SSODevice

/// Requests of both languages, parameter by parameter (docs/behaviour/broker.md §2–§4).
@Suite struct BrokerRequestTests {
  static let key = "BU-bLN3zTfHmyhJ325A8dJJ1tzrnKMHEfsTlStdMo0U"
  static let msal: [BrokerParameter: String] = [
    .authority: "https://login.microsoftonline.com/common", .clientID: "b6c6",
    .redirectURI: "msauth.com.contoso.app://auth", .correlationID: "0F", .brokerKey: key,
    .brokerNonce: "3C", .clientVersion: "2.13.0", .clientAppName: "Contoso", .clientAppVersion: "1.0",
    .clientSKU: "MSAL.iOS", .skipValidateResultAccount: "NO", .scope: "User.Read",
    .extraOIDCScopes: "openid profile offline_access", .prompt: "select_account",
    .messageProtocolVersion: "3",
  ]
  static let adal: [BrokerParameter: String] = [
    .authority: "https://login.microsoftonline.com/common", .resource: "https://graph.microsoft.com",
    .clientID: "b6c6", .redirectURI: "x-msauth-mytestiosapp://com.myapp.mytestapp", .correlationID: "0F",
    .brokerKey: key, .brokerNonce: "3C", .force: "NO", .skipCache: "NO", .maximumProtocolVersion: "2",
  ]

  @Test func msalSendsTheFieldsOfProtocol3AndLeavesEmptyValuesOut() throws {
    let request = try BrokerRequest(Protocol3(), Self.msal)
    #expect(
      request.url
        == "msauthv2://broker?authority=https%3A%2F%2Flogin.microsoftonline.com%2Fcommon&client_id=b6c6"
        + "&redirect_uri=msauth.com.contoso.app%3A%2F%2Fauth&correlation_id=0F&broker_key=\(Self.key)"
        + "&broker_nonce=3C&client_version=2.13.0&client_app_name=Contoso&client_app_version=1.0"
        + "&client_sku=MSAL.iOS&msg_protocol_ver=3&scope=User.Read"
        + "&extra_oidc_scopes=openid+profile+offline_access&prompt=select_account"
        + "&skip_validate_result_account=NO")
  }

  @Test func adalSendsEmptyValuesAsEmpty() throws {
    let request = try BrokerRequest(Protocol2(), Self.adal)
    #expect(request.url.hasPrefix("msauth://broker?authority="))
    #expect(request.url.contains("&username=&username_type=&force=NO&skip_cache=NO&"))
    #expect(request.url.hasSuffix("&broker_nonce=3C&application_token="))
    #expect(request.parameters.count == 21)
  }

  @Test(arguments: [Protocol2(), Protocol3()] as [any BrokerDialect])
  func everyParameterComesBackAsItWasSent(_ dialect: any BrokerDialect) throws {
    var values: [BrokerParameter: String] = [:]
    for parameter in dialect.parameters { values[parameter] = "a +&=%/é \(parameter.rawValue)" }
    values[.brokerKey] = Self.key
    values[dialect.versionParameter] = dialect.version
    let request = try BrokerRequest(dialect, values)
    #expect(try BrokerRequest(url: request.url) == request)
  }

  @Test func claimsAreEncodedTwice() throws {
    var values = Self.msal
    values[.claims] = #"{"access_token":{}}"#
    let url = try BrokerRequest(Protocol3(), values).url
    #expect(url.contains("&claims=%257B%2522access_token%2522%253A%257B%257D%257D&"))
  }

  @Test(arguments: [
    (BrokerParameter.authority, "authority"), (.scope, "target"), (.clientID, "clientId"),
    (.redirectURI, "redirectUri"), (.correlationID, "correlationId"), (.brokerKey, "brokerKey"),
  ])
  func aMissingMandatoryParameterIsNamed(_ parameter: BrokerParameter, _ name: String) {
    var values = Self.msal
    values[parameter] = nil
    #expect(throws: BrokerError(reason: "\(name) is nil, but is a required parameter")) {
      try BrokerRequest(Protocol3(), values)
    }
  }

  @Test func keyAndApplicationTokenAreMaskedInATrace() throws {
    var values = Self.msal
    values[.applicationToken] = "SECRET-SECRET-SECRET-SECRET"
    let shown = try BrokerRequest(Protocol3(), values).shown
    #expect(shown["broker_key"] == masked(Self.key))
    #expect(!shown.contains { $0.value.contains("SECRET-SECRET") })
  }

  @Test func forceIsAnAdalRequestsLogin() throws {
    var request = try BrokerRequest(Protocol2(), Self.adal)
    #expect(request.prompt == nil)
    request.values[.force] = "YES"
    #expect(request.prompt == "login")
    #expect(request.scopes == ["https://graph.microsoft.com/.default"])
  }

  @Test(arguments: [
    "", "msauthv2", "msauthv2://broker", "msauthv2://other?x=1", "msauthv3://broker?authority=x",
    "msauthv2://broker?%", "msauthv2://broker?" + String(repeating: "a=1&", count: 5000),
    "msauth://code/x?a=1", "https://login.microsoftonline.com/?broker",
  ])
  func whatIsNoRequestIsRefused(_ url: String) {
    #expect(throws: BrokerError.self) { try BrokerRequest(url: url) }
  }

  @Test func anotherProtocolVersionIsRefused() throws {
    var values = Self.msal
    values[.messageProtocolVersion] = "2"
    let url = try BrokerRequest(Protocol3(), values).url
    #expect(throws: BrokerError(reason: "msg_protocol_ver is 2, expected 3")) {
      try BrokerRequest(url: url)
    }
  }
}
