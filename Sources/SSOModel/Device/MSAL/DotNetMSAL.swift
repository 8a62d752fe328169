import SSOCore
import SSOKeychain
import SSOReference

/// MSAL.NET with the Web Account Manager as its broker.
///
/// The lab simulates only its interactive call with the account picker (``Device/simulationCheck``;
/// docs/behaviour/broker.md §2(8)).
struct DotNetMSAL: MSALLibrary {
  var creation: String { "PublicClientApplicationBuilder Build" }
  var validatesBeforeBroker: Bool { true }

  /// Performs the checks of `ValidateAndCreateAuthorityUri` (MSAL.NET, `AppConfig/AuthorityInfo.cs`).
  func authority(_ url: String) throws(SDKError) -> Authority {
    guard !url.allSatisfy(\.isWhitespace) else {
      throw Self.argument("ArgumentNullException", "Value cannot be null. (Parameter 'authority')")
    }
    guard let parts = URLParts(url), !url.contains(where: \.isWhitespace) else {
      throw Self.invalidAuthority(
        "The authority (including the tenant ID) must be in a well-formed URI format. ")
    }
    guard parts.scheme == "https" else {
      throw Self.invalidAuthority("The authority must use HTTPS scheme. ")
    }
    let made: Result<Authority, SDKError> = Result { () throws(SDKError) in try Authority(url) }
    guard case .success(let authority) = made else {
      guard parts.path.lowercased().hasPrefix("/tfp/") else {
        throw Self.invalidAuthority(
          "The authority URI should have at least one segment in the path (i.e. https://<host>/<path>/...). ")
      }
      throw Self.argument(
        "ArgumentException",
        "The B2C authority URI should have at least 3 segments in the path (i.e. "
          + "https://<host>/tfp/<tenant>/<policy>/...). ")
    }
    return authority
  }

  private static func invalidAuthority(_ message: String) -> SDKError {
    argument("ArgumentException", "\(message) (Parameter 'authority')")
  }

  private static func argument(_ name: String, _ message: String) -> SDKError {
    SDKError(MSALException(ofSystem: name), message)
  }

  /// Returns the checks of `WithAuthority` and `Validate` (MSAL.NET, `AppConfig/AbstractApplicationBuilder.cs`).
  func applicationChecks(of app: InstalledApp, on platform: Platform) -> (checks: [Check], error: SDKError?) {
    let made: Result<Authority, SDKError> = Result { () throws(SDKError) in
      try self.authority(app.authority)
    }
    let refusal: SDKError? = if case .failure(let error) = made { error } else { nil }
    let wellFormed = Check(
      "authority is well formed", expected: "https://host/tenant",
      found: app.authority.isEmpty ? "none" : app.authority, refusal == nil, source: "broker.md §2(8)",
      remedy: Remedy(.app, app.bundleID, "authority=\(PublicCloud.commonAuthority)"),
      failure: "its authority is malformed")
    if let refusal { return ([wellFormed], refusal) }
    let isBlank = app.clientID.allSatisfy(\.isWhitespace)
    let client = Check(
      "client ID is given", expected: "a client ID", found: isBlank ? "none" : app.clientID, !isBlank,
      source: "broker.md §2(8)", failure: "it has no client ID")
    let error = SDKError(
      MSALException.ofDotNet("MsalClientException", "no_client_id"), "No ClientId was specified. ")
    return ([wellFormed, client], isBlank ? error : nil)
  }

  func brokerConditions(of app: InstalledApp, _ authority: Authority?) -> [Check] {
    [
      Check(
        "WithBroker", expected: "true", found: app.brokerUse == .auto ? "true" : "false",
        app.brokerUse == .auto, source: "broker.md §2(8)",
        remedy: Remedy(.app, app.bundleID, "brokerUse=auto"), failure: "its code does not call WithBroker"),
      Check(
        "authority is Azure AD", expected: Authority.Kind.aad.rawValue,
        found: authority?.kind.rawValue ?? "no authority", authority?.supportsBroker ?? false,
        source: "interactive-call.md §1", failure: "its authority is not Azure AD's"),
    ]
  }

  func prompt(of request: SDKRequest) -> PromptBehavior { request.prompt }
  /// The Web Account Manager keeps the tokens.
  var leavesTokensWithBroker: Bool { true }
  /// MSAL.NET refuses neither reserved scopes nor the client ID as a scope (`ScopeHelper.cs`).
  var checksArguments: Bool { false }
  var knowsAuthoritiesByList: Bool { false }
  var namesItselfInDiscovery: Bool { true }

  func headers(of app: InstalledApp, on device: Device, _ correlationID: String) -> [NameValue] {
    [
      NameValue("x-client-SKU", app.builtDefaults.sku), NameValue("x-client-Ver", app.sdkVersion),
      NameValue("client-request-id", correlationID), NameValue("return-client-request-id", "true"),
    ]
  }

  /// Returns the exception for the Web Account Manager's status, or for the answer of instance discovery.
  ///
  /// The status is one of many; the lab knows whether the user cancelled, or has to sign in (broker.md §2(8)).
  func reported(_ error: SDKError) -> SDKError {
    guard error.exception == nil else { return error }
    var error = error
    let exception =
      if error.isCancellation {
        MSALException.ofDotNet("MsalClientException", MSALException.canceled)
      } else if error.needsInteraction {
        MSALException.ofDotNet("MsalUiRequiredException", "failed_to_acquire_token_silently_from_broker")
      } else if error.oauthError == OAuthErrorCode.invalidInstance.text {
        MSALException.ofDotNet("MsalServiceException", OAuthErrorCode.invalidInstance.text)
      } else {
        MSALException.ofDotNet("MsalServiceException", "unknown_broker_error")
      }
    if error.isCancellation { error.description = "User canceled authentication. " }
    error.exception = exception
    error.domain = exception.className
    return error
  }

  // MARK: The parts that the lab does not simulate

  var takesFirstAccount: Bool { false }
  var silentBroker: SilentBroker { .afterAccessToken }
  var throttlesRequests: Bool { false }
  var keepsMetadata: Bool { false }
  var cacheRules: CacheRules { CacheRules(buffer: 300, needRefreshToken: false, heedRefreshOn: true) }
  func pageFields(of request: SDKRequest, by app: InstalledApp, on device: Device) -> [NameValue] { [] }
  func message(after refusal: OAuthError?) -> String { refusal?.message ?? "" }
  func missingAccount(of app: InstalledApp) -> SDKError {
    SDKError(
      MSALException.ofDotNet("MsalUiRequiredException", "user_null"),
      "No account or login hint was passed to the AcquireTokenSilent call. ")
  }
  var unknownAccount: SDKError? { nil }
}
