import Testing

/// Sessions with `ssoterm serve`.
@Suite struct ServeCommandTests {
  @Test func theServerSaysWhereItListensAndWhoMaySignIn() throws {
    try transcript(
      """
      $ ssoterm serve --port 0 --approve auto:ada@contoso.com > served 2>&1 &
      > until grep -qs 'ends it' served; do sleep 0.1; done; kill -TERM $!; wait $!; cat served
      https://localhost:PORT
      ssoterm: sign-ins are answered at once, by ada@contoso.com
      ssoterm: serves the store ~/.local/share/ssoterm/store.sqlite; what a program needs: eval "$(ssoterm serve env)"; ^C ends it
      $ ssoterm serve env --port 1
      export SSOTERM_ORIGIN=https://localhost:1
      export SSOTERM_AUTHORITY=https://localhost:1/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
      export SSOTERM_ISSUER=https://localhost:1/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/v2.0
      export SSOTERM_CA=/home/ada/.local/share/ssoterm/store.sqlite.ca.pem
      export REQUESTS_CA_BUNDLE=/home/ada/.local/share/ssoterm/store.sqlite.ca.pem
      export SSL_CERT_FILE=/home/ada/.local/share/ssoterm/store.sqlite.ca.pem
      export SSOTERM_CLIENT_ID=04b07795-8ddb-461a-bbee-02f9e1bf7b46
      export SSOTERM_CLIENT_ID2=1950a258-227b-4e31-a9cf-717495945fc2
      export SSOTERM_CLIENT_ID3=33333333-cccc-4ccc-8ccc-333333333333
      export SSOTERM_CONFIDENTIAL_ID=44444444-dddd-4ddd-8ddd-444444444444
      export SSOTERM_USERNAME=ada@contoso.com
      export SSOTERM_USERNAME2=grace@contoso.com
      ! ssoterm: nothing listens on port 1 now; to start it: ssoterm serve --port 1
      $ ssoterm serve --approve nobody
      ! ssoterm: --approve must be terminal, browser, or auto:UPN, not “nobody”.
      !   try: ssoterm serve --approve terminal
      [2]
      $ ssoterm serve --bind 192.168.0.1
      ! ssoterm: The provider does not listen on 192.168.0.1: it signs in test users with a lab's keys and passwords, so only this machine may reach it.
      !   try: ssoterm serve
      [2]
      """)
  }

  /// The scenario's own app, with its redirect URI and its authority.
  @Test func theAppOfAScenarioIsNamed() throws {
    try transcript(
      after: .nothing,
      #"""
      $ echo AADSTS50020: x | ssoterm reproduce - -o repro.yaml > /dev/null
      $ ssoterm serve --scenario ./repro.yaml --store ./own.sqlite --port 0 --approve browser > served 2>&1 &
      > until grep -qs 'ends it' served; do sleep 0.1; done; kill -TERM $!; wait $!
      $ ssoterm serve env --port 1 --store ./own.sqlite 2> /dev/null | grep 'APP\|AUTHORITY'
      export SSOTERM_AUTHORITY=https://localhost:1/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
      export SSOTERM_APP_ID=6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31
      export SSOTERM_APP_REDIRECT_URI=msauth.com.example.app://auth
      export SSOTERM_APP_AUTHORITY=https://localhost:1/8f7c2a10-5b3e-4d92-a1c6-7e4f90b2d385
      """#)
  }

  @Test func theNextAnswersAreSetListedAndCleared() throws {
    try transcript(
      """
      $ ssoterm serve next
      No answers are set.
      $ ssoterm serve next wrong-password as:grace
      ✓ The next sign-ins are answered: wrong-password, as:grace@contoso.com.
      $ ssoterm serve next
      wrong-password
      as:grace@contoso.com
      $ ssoterm serve next as:nobody
      ! ssoterm: There is no user “nobody”: the lab has ada@contoso.com, grace@contoso.com.
      !   try: ssoterm person list
      [3]
      $ ssoterm serve next later
      ! ssoterm: The answer must be one of wrong-password, decline, cancel, as:UPN, not “later”.
      !   try: ssoterm serve next wrong-password
      [2]
      $ ssoterm serve next --clear
      ✓ Sign-ins are approved automatically again.
      $ SSOTERM_CONTROL_TOKEN=short ssoterm serve --control
      ! ssoterm: --control needs a token: SSOTERM_CONTROL_TOKEN must have at least 16 characters, because its holder may change the lab.
      !   try: SSOTERM_CONTROL_TOKEN=$(openssl rand -hex 16) ssoterm serve --control
      [2]
      """)
  }

  /// A federated credential makes Azure CLI a confidential client too; each variable still has one value.
  @Test func aSecondConfidentialClientLeavesEachVariableOneValue() throws {
    try transcript(
      """
      $ ssoterm federation add 04b07795-8ddb-461a-bbee-02f9e1bf7b46 --subject s > added
      $ ssoterm serve env --port 1 --json 2> notes | grep -oE 'SSOTERM_CL[^,]*|SSOTERM_CO[^,]*'
      SSOTERM_CLIENT_ID" : "1950a258-227b-4e31-a9cf-717495945fc2"
      SSOTERM_CLIENT_ID2" : "33333333-cccc-4ccc-8ccc-333333333333"
      SSOTERM_CONFIDENTIAL_ID" : "44444444-dddd-4ddd-8ddd-444444444444"
      $ ssoterm serve env --port 1 2> notes | cut -d= -f1 | sort | uniq -d
      """)
  }
}
