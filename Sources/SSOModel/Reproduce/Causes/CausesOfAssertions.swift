import SSOLab
import SSOReference

/// The causes in the assertions of programs: those of a client, and those on behalf of a user.
extension Cause {
  /// Returns the sign-in to the page whose token a web server then presents.
  static func clientCall(_ scope: String) -> YAMLValue {
    [
      "call": [
        "program": "page", "grant": "authorizationCode", "scopes": [.text(scope), "openid", "profile"],
      ]
    ]
  }

  /// A token of another issuer, which has not expired and whose signature no key verifies.
  private static let foreignToken =
    "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwiYXVkIjoiYSIsInN1YiI6ImEiLCJleHAiOjQxMDI0NDQ4MDB9.YWFhYWFhYWE"

  private static let withForeignToken: [(name: String, value: String?)] = [
    ("client_secret", nil),
    ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
    ("client_assertion", foreignToken),
  ]

  /// Returns a cause in the assertion with which a confidential client proves itself; the registration has another key.
  private static func assertion(
    _ name: String, _ code: AADSTSCode, _ assertion: String, _ text: String, _ question: String,
    _ mend: String
  ) -> Cause {
    sending(
      name, code, confidential, text, question, .token,
      [
        ("client_secret", nil),
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        ("client_assertion", assertion),
      ], mend, changes: [.registration("publicKeys+=[$key]")])
  }

  private static let subject = "repo:contoso/app:ref:refs/heads/main"

  /// Returns the federated credential of the lab's issuer for a subject.
  private static func credential(for subject: String) -> String {
    #"[{"issuer":"$labIssuer","subject":"\#(subject)"}]"#
  }

  /// Returns a cause in the token of another issuer with which a program proves itself.
  private static func federated(
    _ name: String, _ code: AADSTSCode, _ proof: YAMLValue, _ text: String, _ question: String, _ mend: Mend
  ) -> Cause {
    Cause(
      name: name, codes: [code.text], text: text, question: question, callers: daemon,
      changes: [.registration("federatedCredentials=" + credential(for: subject))],
      call: .interactive.with("federated", proof), mends: [mend])
  }

  private static let callerAsksForServer = Mend(
    kind: .call,
    text: "The caller asks for the server's own scope, such as api://$client/access_as_user.",
    steps: [clientCall("api://$client/access_as_user")], moment: .beforeCall)

  static let ofAssertions: [Cause] = [
    sending(
      "assertion-not-verified", .assertionInvalid, onBehalf,
      "The token that the server presents was not issued by this provider, or was changed.",
      "Is the token that the caller sent an access token of the same tenant, and unchanged?", .token,
      [("assertion", foreignToken)], "Present the caller's access token unchanged."),
    sending(
      "assertion-malformed", .clientAssertionMalformed, onBehalf,
      "What the server presents as assertion is not a token.",
      "Is the word Bearer still in front of the token?", .token, [("assertion", "Bearer token")],
      "Present the caller's access token without the word Bearer."),
    Cause(
      name: "assertion-for-another-api", codes: [AADSTSCode.assertionAudience.text],
      text: "The token that the caller sent is for another API.",
      question: "Is aud of the caller's token the client ID of the server?", callers: onBehalf,
      before: [
        .action(
          "The user signs in to a page that asks for Key Vault",
          clientCall("https://vault.azure.net/user_impersonation"))
      ],
      call: .interactive, mends: [callerAsksForServer]),
    Cause(
      name: "assertion-for-graph", codes: [AADSTSCode.assertionInvalid.text],
      text: "The token that the caller sent is for Microsoft Graph, which alone can verify it.",
      question: "Is aud of the caller's token 00000003-0000-0000-c000-000000000000?", callers: onBehalf,
      before: [.action("The user signs in to a page that asks for Graph", clientCall("User.Read"))],
      call: .interactive, mends: [callerAsksForServer]),
    Cause(
      name: "assertion-expired", codes: [AADSTSCode.assertionExpired.text],
      text: "The token that the caller sent has expired.",
      question: "Does the server keep the caller's token longer than an hour?", callers: onBehalf,
      before: [.action("Two hours pass", ["clock": "+2h"])], call: .interactive,
      mends: [
        Mend(
          kind: .clock,
          text: "Call on behalf of the user while the caller's token is valid, and store the result.",
          steps: [["clock": "-2h"]], moment: .beforeCall)
      ]),
    Cause(
      name: "consent-missing-for-server", codes: [AADSTSCode.consentMissing.text],
      text: "The permissions that the server asks for on behalf of the user have no consent.",
      question:
        "Is the server's permission granted under API permissions, and the caller among knownClientApplications?",
      callers: onBehalf, changes: [.registration("isPreauthorized=no")], call: .interactive,
      mends: [.consentByAdministrator]),
    sending(
      "client-has-no-key", .clientHasNoKey, confidential,
      "The program proves itself with a certificate, and the registration has no certificate.",
      "Is the certificate uploaded under Certificates & secrets?", .token,
      [
        ("client_secret", nil),
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        ("client_assertion", "$assertion"),
      ], "Upload the certificate to the registration, or send a secret."),
    assertion(
      "assertion-of-another-key", .clientAssertionSignature, "$assertion",
      "The program signs its assertion with a key whose certificate the registration does not have.",
      "Is the certificate that the program loads the one under Certificates & secrets, and not an older one?",
      "Upload the certificate of the key that signs the assertion to the registration."),
    assertion(
      "assertion-for-several-audiences", .clientAssertionAudiences, "$severalAudiences",
      "The program's assertion has several values of aud.",
      "Is aud a list in place of the address of the token endpoint?",
      "Set aud of the assertion to the token endpoint alone."),
    assertion(
      "assertion-of-secret", .clientAssertionAlgorithm, "$hmacAssertion",
      "The program signs its assertion with a secret.", "Is alg of the assertion's header HS256?",
      "Sign the assertion with the key of a certificate and RS256."),
    assertion(
      "assertion-does-not-name-its-key", .clientAssertionKeyNotNamed, "$unnamedAssertion",
      "The header of the program's assertion does not name the certificate.",
      "Does the header have x5t, x5t#S256, or kid?",
      "Set x5t of the header to the thumbprint of the certificate."),
    assertion(
      "assertion-without-issuer", .fieldMissing, "$issuerlessAssertion",
      "The program's assertion has no issuer.", "Are iss and sub of the assertion the client ID?",
      "Set iss and sub of the assertion to the client ID."),
    sending(
      "federated-credential-missing", .clientHasNoFederatedCredential, daemon,
      "The program sends a token of another issuer, and the registration has no federated credential.",
      "Is the client ID that of the app with the federated credential?", .token, withForeignToken,
      "Add a federated credential with the token's issuer and subject, or send a secret."),
    sending(
      "federated-issuer-unknown", .federatedIssuer, daemon,
      "The program sends a token of another issuer, and the registration has no federated credential for it.",
      "Are issuer, subject, and audience of the token exactly those of a federated credential?", .token,
      withForeignToken, "Add a federated credential with the token's issuer and subject, or send a secret.",
      changes: [
        .registration(
          #"federatedCredentials=[{"issuer":"https://other.example","subject":"a"}]"#)
      ]),
    sending(
      "federated-key-unknown", .federatedKeyUnknown, daemon,
      "The key that signed the token of another issuer is not among the keys that the issuer publishes.",
      "Does jwks_uri of the issuer have the kid of the token, and is the issuer the cluster that runs now?",
      .token,
      withForeignToken, "Publish the keys of the present issuer at its jwks_uri, with the same kid.",
      changes: [
        .registration(
          #"federatedCredentials=[{"issuer":"https://issuer.example","subject":"a","audiences":["a"]}]"#)
      ]),
    federated(
      "federated-subject-differs", .federatedSubject, ["subject": "repo:contoso/app:pull_request"],
      "The subject of the token is not that of the registration's federated credential.",
      "Is the subject in the error exactly that of the credential, with its case?",
      .registration(
        "federatedCredentials=\(credential(for: "repo:contoso/app:pull_request"))",
        "Certificates & secrets › Federated credentials: add one with the subject of the error.")),
    federated(
      "federated-subject-in-other-case", .federatedSubjectCase,
      ["subject": "repo:Contoso/app:ref:refs/heads/main"],
      "The subject of the token is that of the registration's federated credential, in another case.",
      "Does the name of the organisation, the repository, or the environment differ in case?",
      .registration(
        "federatedCredentials=\(credential(for: "repo:Contoso/app:ref:refs/heads/main"))",
        "Certificates & secrets › Federated credentials: write the subject exactly as the error shows it.")),
    federated(
      "federated-audience-differs", .federatedAudience,
      ["subject": .text(subject), "audience": "https://github.com/contoso"],
      "The audience of the token is not that of the registration's federated credential.",
      "Is the audience in the error that of the credential?",
      .call(
        .interactive.with("federated", ["subject": .text(subject)]),
        "Ask the issuer for a token with the audience of the credential: api://AzureADTokenExchange.")),
    federated(
      "federated-token-expired", .clientAssertionTime, ["subject": .text(subject), "age": .plain("60")],
      "The program proves itself with a token that has expired.",
      "Does the job keep the token of its issuer longer than the token is valid?",
      .call(
        .interactive.with("federated", ["subject": .text(subject)]),
        "Read the token of the issuer again before each request: it is valid for some minutes.")),
    Cause(
      name: "assertion-is-id-token", codes: [AADSTSCode.assertionIsIDToken.text],
      text: "The server presents the caller's ID token in place of its access token.",
      question:
        "Does the caller send its access token, or does the server take the ID token of its own sign-in?",
      callers: onBehalf, call: .interactive.with("presents", "idToken"),
      mends: [.call(.interactive, "Present the access token that the caller sent.")]),
    Cause(
      name: "app-not-assigned", codes: [AADSTSCode.appNotAssigned.text],
      text: "The API requires an assignment, and the program is not assigned any of its roles.",
      question: "Is “Assignment required?” set to Yes for the API under Enterprise applications?",
      callers: daemon, changes: [.registration("isAssignmentRequired=yes")],
      call: .program(scopes: ["api://$client/.default"]),
      mends: [
        .registration(
          "assigned+=$client",
          "App registrations › API permissions: add an application permission of the API, and grant admin consent."
        )
      ]),
    Cause(
      name: "assertion-without-person", codes: [AADSTSCode.assertionWithoutPerson.text],
      text: "The token that the caller sent is an app-only access token, and not a user's.",
      question: "Does the caller get its token with client credentials?", callers: onBehalf,
      before: [
        .action(
          "A daemon gets a token for itself",
          [
            "call": [
              "program": "program", "grant": "clientCredentials", "scopes": ["api://$client/.default"],
            ]
          ])
      ], call: .interactive.with("assertion", "program"),
      mends: [
        Mend(
          kind: .call,
          text: "Use client credentials in the server too: there is no user to act on behalf of.",
          steps: [clientCall("api://$client/access_as_user")], moment: .beforeCall, call: .interactive)
      ]),
  ]
}
