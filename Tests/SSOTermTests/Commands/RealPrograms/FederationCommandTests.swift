import Testing

/// Sessions with `ssoterm federation`.
@Suite struct FederationCommandTests {
  @Test func aTokenOfAnotherIssuerReplacesASecret() throws {
    try transcript(
      """
      $ ssoterm federation add b6c69a37-df96-4db0-9088-2ab96e1d8215 --subject repo:contoso/app:ref:refs/heads/main
      ✓ Contoso Suite: federatedCredentials=[{"audiences":["api://AzureADTokenExchange"],"issuer":"https://localhost:8443/federation","subject":"repo:contoso/app:ref:refs/heads/main"}]. Nothing else changes.
      $ ssoterm federation token --subject repo:contoso/app:ref:refs/heads/main | cut -c 1-20
      eyJhbGciOiJSUzI1NiIs
      $ ssoterm federation add nothing --subject x
      ! ssoterm: There is no registration “nothing”: the lab has 04b07795-8ddb-461a-bbee-02f9e1bf7b46, Azure CLI, 1950a258-227b-4e31-a9cf-717495945fc2, Azure PowerShell, 29d9ed98-a469-4536-ade2-f981bc1d605e, Microsoft Authentication Broker, 33333333-cccc-4ccc-8ccc-333333333333, Lab Public App.
      !   try: ssoterm registration list
      [3]
      """)
  }
}
