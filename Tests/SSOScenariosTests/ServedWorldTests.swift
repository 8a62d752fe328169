import SSOCore
import Testing

@testable import ProviderTestSupport
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// The keys of a world for external clients.
@Suite struct ServedWorldTests {
  private func world(_ keys: String) throws -> LabWorld {
    let text = """
      name: a
      title: A
      world:
        tenants:
          - id: t1
            displayName: Contoso
            detectsRefreshTokenReuse: true
            subscriptions: [{id: s1, displayName: Production}, {id: s2, displayName: Sandbox}]
          - {id: t2, displayName: Fabrikam}
        people: [{username: ada@contoso.com, password: p, objectID: o1, homeTenantID: t1}]
        registrations:
          - clientID: server
            displayName: Server
            secrets: [first, second]
            publicKeys:
              - |
      \(keys)
        apps: [{bundleID: com.contoso.one, vendor: Contoso, teamID: T, clientID: c1}]
      """
    return try ScenarioFile(ScenarioSource(path: "a.yaml", text: text)) { _ in nil }.world
  }

  @Test func hasSubscriptionsSecretsAndKeys() throws {
    let indented = SampleKey.publicPEM.split(separator: "\n").map { "                \($0)" }
    let world = try world(indented.joined(separator: "\n"))
    let own = [
      Subscription(id: "s1", displayName: "Production"), Subscription(id: "s2", displayName: "Sandbox"),
    ]
    #expect(world.tenants.map(\.subscriptions) == [own, nil])
    #expect(world.tenants.map(\.detectsRefreshTokenReuse) == [true, false])
    #expect(world.tenants[1].listedSubscriptions.map(\.displayName) == ["Fabrikam Lab"])
    #expect(world.registrations[0].secrets == ["first", "second"])
    #expect(world.registrations[0].publicKeys.map(\.modulus.count) == [256])
    #expect(world.registrations[0].isConfidential)
  }

  @Test func badKeyIsNamedWithItsLine() {
    let error = #expect(throws: ScenarioError.self) { try world("                no key") }
    #expect(
      error?.description
        == "a.yaml:16: key 'publicKeys' must hold RSA public keys or certificates in PEM, as openssl rsa "
        + "-pubout writes them")
  }
}
