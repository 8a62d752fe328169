import SSOCore
import SSOLab
import SSOReference

/// The signs by which the lines of a text show the endpoint that refused the request.
struct PlaceSigns: Sendable {
  /// The marks of Entra's error pages.
  private var pageLines = 0
  private var readsConfiguration = false
  /// Whether a line has an authorization request that forbids a page.
  private(set) var asksWithoutPage = false
  private var redeems = false
  /// Whether the library is MSAL.js 1 or older, which gets its tokens from the authorization endpoint
  /// (microsoft-authentication-library-for-js, `lib/msal-core`).
  private var isImplicit = false

  /// The functions and sentences that only a request at the token endpoint has in a stack or an error.
  ///
  /// Sources: aspnetcore, `OpenIdConnectHandler.RedeemAuthorizationCodeAsync`;
  /// microsoft-authentication-library-for-dotnet, `TokenClient.SendTokenRequestAsync`, `OAuth2Client.GetTokenAsync`;
  /// golang.org/x/oauth2, `RetrieveError.Error`; microsoft-authentication-library-for-java, `TokenRequestExecutor`;
  /// azure-activedirectory-library-for-python, `OAuth2Client`; Azure/AzureAuth, `process_aad_response`;
  /// Azure/go-autorest, `autorest/adal/token.go`.
  private static let redemptions = [
    "RedeemAuthorizationCodeAsync", "SendTokenRequestAsync", "OAuth2Client.GetTokenAsync",
    "oauth2: cannot fetch token", "TokenRequestExecutor", "Get Token request returned http error",
    "process_aad_response", "failed to exchange code", "OAuth2TokenResponse{", "redeem authorization code",
    "oauth2/v2.0/token failed: ", "adal: Refresh request failed",
  ]

  private static let ofTokenEndpoint = Set(
    [OAuthErrorCode.invalidGrant, .authorizationPending, .expiredToken].map(\.text))

  /// The beginnings of the lines on the page with which Conditional Access refuses a device, below “More details”.
  private static let detailsOfPage = [
    "App name:", "App id:", "IP address:", "Device identifier:", "Device platform:", "Device state:",
    "Signed in as",
  ]

  mutating func take(_ line: Substring) {
    let text = line.drop { $0.isWhitespace || "*>`-".contains($0) }
    if text.hasPrefix("Request Id:") || text.hasPrefix("Message: AADSTS") { pageLines += 1 }
    if Self.detailsOfPage.contains(where: text.hasPrefix) || ErrorLabel.number(aloneIn: line) != nil {
      pageLines += 1
    }
    if text.contains("having trouble signing you in") { pageLines += 2 }
    // microsoft-authentication-library-for-python, `msal/authority.py`.
    readsConfiguration = readsConfiguration || line.contains("OIDC Discovery endpoint rejects our request")
    isImplicit = isImplicit || line.contains("UserAgentApplication")
    redeems = redeems || Self.redemptions.contains(where: line.contains)
    // Entra's response to a request that forbids a page comes from the authorization endpoint.
    asksWithoutPage = asksWithoutPage || line.contains("prompt=none") && line.contains("/authorize")
  }

  /// Returns the endpoint, or `nil` if neither a line nor the OAuth error shows it.
  func place(of caller: CallerEvidence, error: String?) -> Failure.Place? {
    if readsConfiguration { return .discovery }
    if pageLines > 1 || isImplicit { return .authorize }
    if redeems || caller.showsAnswer && caller.grant != .deviceCode { return .token }
    if error == OAuthErrorCode.invalidInstance.text { return .discovery }
    // Only the token endpoint has such errors, and never this one (RFC 6749, sections 4.1.2.1 and 5.2).
    if let error, Self.ofTokenEndpoint.contains(error) { return .token }
    return asksWithoutPage || error == OAuthErrorCode.accessDenied.text ? .authorize : nil
  }
}

extension Hop {
  /// The endpoint of a request to the provider; the pages of a sign-in belong to the authorization endpoint.
  var providerPlace: Failure.Place {
    let path = action.lowercased()
    if path.contains("/token") { return .token }
    if path.contains("discovery/instance") || path.contains("/.well-known/") { return .discovery }
    return Self.nativePaths.contains(where: path.contains) ? .nativeAuth : .authorize
  }

  /// The endpoints at which an app signs a user in without a page (Microsoft: Native authentication API reference).
  private static let nativePaths = [
    "/oauth2/v2.0/initiate", "/oauth2/v2.0/challenge", "/oauth2/v2.0/introspect", "/signup/v1.0/",
    "/resetpassword/v1.0/", "/register/v1.0/",
  ]
}
