import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Clouds are separate: each has its own users and registrations (docs/behaviour/provider.md §2(7)).
struct CloudTests {
  private static let government = "login.microsoftonline.us"
  private static let customers = "contoso.ciamlogin.com"

  private func page(_ host: String, home cloud: String?, registeredAt tenant: String? = nil) throws
    -> (page: Page?, number: String?)
  {
    let lab = try ProviderLab()
    var contoso = ProviderLab.contoso
    contoso.cloudHost = cloud
    try lab.documents.save(contoso)
    var notes = ProviderLab.notes
    (notes.homeTenantID, notes.isPreauthorized) = (tenant, true)
    try lab.documents.save(notes)
    func sent(_ method: String, _ path: String, query: [NameValue] = [], form: [NameValue] = []) throws
      -> ProviderResponse
    {
      try lab.send(
        HTTPRequest(method, origin: "https://" + host, path: path, query: query, form: form))
    }
    var answer = try sent(
      "GET", "/organizations/oauth2/v2.0/authorize",
      query: [
        NameValue("client_id", "notes"), NameValue("redirect_uri", notes.redirectURIs[0]),
        NameValue("response_type", "code"), NameValue("scope", "User.Read"),
        NameValue("code_challenge", ProviderLab.challenge), NameValue("code_challenge_method", "S256"),
      ])
    if case .signIn(let page) = answer.page {
      answer = try sent(
        "POST", "/organizations/login",
        form: [
          NameValue("flow", page.flowID), NameValue("username", "alice@contoso.com"),
          NameValue("password", "right"),
        ])
    }
    return (answer.page, lab.trace.hops.last?.refusal?.number)
  }

  @Test(
    arguments: [
      ("login.microsoftonline.com", nil, nil), ("login.microsoftonline.com", government, "AADSTS50034"),
      ("localhost:8443", government, nil), ("localhost:8443", nil, nil),
      ("login.microsoftonline.com", customers, "AADSTS500208"), (customers, customers, nil),
      ("localhost:8443", customers, "AADSTS500208"),
    ] as [(String, String?, String?)])
  func aPersonSignsInAtTheHostsOfTheirCloud(_ host: String, _ cloud: String?, _ refused: String?) throws {
    #expect(try page(host, home: cloud).number == refused)
  }

  /// A registration belongs to its home tenant's cloud.
  @Test func aRegistrationServesItsOwnCloudOnly() throws {
    #expect(try page(Self.government, home: Self.government).number == "AADSTS700016")
    #expect(
      try page(Self.government, home: Self.government, registeredAt: ProviderLab.contoso.id).number == nil)
    #expect(
      try page("login.microsoftonline.com", home: Self.government, registeredAt: ProviderLab.contoso.id)
        .number == "AADSTS700016")
  }

  /// Microsoft's own clients are in each cloud.
  @Test func theBrokerIsInEachCloud() throws {
    let directory = Directory(documents: try ProviderLab().documents)
    let broker = ClientRegistration.authenticationBroker.clientID
    #expect(try directory.registration(clientID: broker, at: Self.government) != nil)
    #expect(try directory.registration(clientID: "notes", at: Self.government) == nil)
  }
}
