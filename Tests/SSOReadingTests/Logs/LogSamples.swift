/// The samples in `Samples/logs`, which have real formats but invented contents and IDs
/// (docs/behaviour/real-logs.md §1).
extension LogSample {
  static let all: [LogSample] = ofApple + ofOthers

  private static let ofApple: [LogSample] = [
    LogSample(
      name: "apple-broker-not-opened",
      calls: [
        [
          "app → sdk: acquireToken = through the broker",
          "sdk → system: the broker can be called",
          "sdk → system: openURL msauthv2://broker",
          "✗ sdk → system: openURL msauthv2://broker = not opened",
          "app → sdk: acquireToken",
          "sdk → system: web view",
          "person → system: web view = cancelled",
          "sdk → app: return the result of the call = MSIDErrorDomain -51700",
          "sdk → app: return the result of the call = MSALErrorDomain -50005",
        ]
      ],
      outcomes: ["The user or the app cancelled after 12s."]),
    LogSample(
      name: "apple-refresh-refused",
      calls: [
        [
          "app → sdk: acquireTokenSilent",
          "sdk → keychain: read access token",
          "sdk → keychain: remove access token = expired",
          "sdk → provider: redeem the refresh token",
          "✗ provider → sdk: token endpoint = error",
          "sdk → keychain: remove refresh token = invalid_grant",
          "✗ sdk → app: return the result of the call = MSIDOAuthErrorDomain -51412",
          "✗ sdk → app: return the result of the call = MSALErrorDomain -50002, invalid_grant, AADSTS700082",
        ]
      ],
      outcomes: ["The call failed after 2s: MSALErrorDomain -50002, invalid_grant, AADSTS700082."]),
    LogSample(
      name: "apple-keychain-entitlement",
      calls: [
        [
          "app → sdk: acquireTokenSilent",
          "sdk → keychain: read access token",
          "✗ keychain → sdk: find item = -34018",
          "✗ keychain → sdk: add item = failed",
          "✗ sdk → app: return the result of the call = MSALErrorDomain -50000",
        ]
      ],
      outcomes: ["The call failed after 2s: MSALErrorDomain -50000."], unknown: 1),
    LogSample(
      name: "apple-cached",
      calls: [
        [
          "app → sdk: acquireTokenSilent",
          "sdk → keychain: read access token",
          "keychain → sdk: read access token = found",
          "sdk → app: return the result of the call = ok",
          "sdk → app: return the result of the call = access token",
        ]
      ],
      outcomes: ["The call succeeded after 1s."]),
    LogSample(
      name: "apple-wrapped-quoted",
      calls: [
        [
          "app → sdk: acquireToken = through the broker",
          "sdk → system: openURL msauthv2://broker",
          "✗ system → app: openURL = skipped",
          "✗ sdk → app: return the result of the call = MSALErrorDomain -50000",
        ]
      ],
      outcomes: ["The call failed after 32s: MSALErrorDomain -50000, -42700."], unknown: 1),
    LogSample(
      name: "adal-apple",
      calls: [
        [
          "app → adal: acquireTokenSilent",
          "keychain → adal: read access token = no item",
          "adal → provider: redeem the refresh token",
          "adal → keychain: remove refresh token = invalid_grant",
          "✗ adal → app: return the result of the call = MSIDOAuthErrorDomain -51412",
        ]
      ],
      outcomes: ["The call failed after 4s: MSIDOAuthErrorDomain -51412."]),
  ]

  private static let ofOthers: [LogSample] = [
    LogSample(
      name: "android-two-threads",
      calls: [
        [
          "app → sdk: acquireToken",
          "sdk → broker: ask the broker",
          "✗ broker → sdk: refuse = user interaction is required",
          "✗ sdk → app: return the result of the call = AADSTS50076",
        ],
        [
          "app → sdk: acquireToken",
          "sdk → system: web view",
          "system → sdk: authorization code = returned",
          "sdk → app: return the result of the call = ok",
        ],
      ],
      outcomes: ["The call failed after 1s: AADSTS50076.", "The call succeeded after 8s."]),
    LogSample(
      name: "android-2019",
      calls: [
        [
          "app → sdk: acquireToken",
          "sdk → keychain: read account = no item",
          "sdk → system: web view",
          "✗ system → sdk: state = another",
          "sdk → app: return the result of the call = exception",
        ]
      ],
      outcomes: ["The call failed after 9s: the check “state” failed: another."]),
    LogSample(
      name: "linux-broker",
      calls: [
        [
          "app → sdk: acquireToken",
          "sdk → broker: ask the broker",
          "sdk → keychain: read credential = no item",
          "✗ broker → sdk: refuse = user interaction is required",
          "sdk → app: return the result of the call = exception",
        ]
      ],
      outcomes: ["The call failed after 2s: interaction_required."]),
    LogSample(
      name: "dotnet-client-secret",
      calls: [
        [
          "app → sdk: acquire a token",
          "sdk → keychain: read access token = no item",
          "✗ sdk → app: return the result of the call = invalid_client, AADSTS7000215",
        ]
      ],
      outcomes: ["The call failed after 1s: invalid_client, AADSTS7000215."]),
    LogSample(
      name: "dotnet-2021",
      calls: [
        [
          "app → sdk: acquire a token",
          "sdk → broker: ask the broker",
          "broker → sdk: answer = another correlation ID",
          "broker → sdk: answer = tokens",
        ]
      ],
      outcomes: ["The call succeeded after 8s."]),
    LogSample(
      name: "javascript",
      calls: [
        [
          "app → sdk: acquireTokenSilent",
          "sdk → keychain: read access token = no item",
          "✗ provider → sdk: refuse = AADSTS50058",
          "sdk → app: return the result of the call = error",
        ]
      ],
      outcomes: ["The call failed after 1s: AADSTS50058."]),
    LogSample(
      name: "javascript-hashed",
      calls: [
        [
          "app → sdk: loginRedirect",
          "sdk → app: return the result of the call = tokens",
        ]
      ],
      outcomes: ["The call succeeded after 1s."], unknown: 1, strings: true),
    LogSample(
      name: "runtime",
      calls: [
        [
          "app → sdk: acquire a token",
          "✗ provider → sdk: refuse = AADSTS50076",
          "sdk → app: telemetry",
        ]
      ],
      outcomes: ["The call failed: AADSTS50076."]),
    LogSample(
      name: "python-refresh",
      calls: [
        [
          "app → sdk: use the authority",
          "sdk → provider: GET /contoso/v2.0/.well-known/openid-configuration = 200",
          "app → sdk: acquire a token",
          "sdk → provider: redeem the refresh token",
          "sdk → provider: POST /contoso/oauth2/v2.0/token = 200",
          "sdk → keychain: save the tokens = access token",
        ]
      ],
      outcomes: ["The call succeeded."]),
    LogSample(
      name: "python-az-refused",
      calls: [
        [
          "app → sdk: acquire a token",
          "sdk → provider: redeem the refresh token",
          "sdk → provider: POST /organizations/oauth2/v2.0/token = 400",
          "✗ provider → sdk: redeem the refresh token = refused",
        ]
      ],
      outcomes: ["The call failed after 1s: invalid_grant, AADSTS50173."]),
    LogSample(
      name: "entra-alone",
      calls: [
        [
          "✗ provider → sdk: refuse = AADSTS50011"
        ]
      ],
      outcomes: ["The call failed: AADSTS50011."], unknown: 1),
  ]
}
