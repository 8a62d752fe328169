import SSOCore
import SSOReference

/// The checks of `MSALPublicClientApplication` when it is made, in the SDK's order (fact sheet §5.12, §5.1, §1.7).
extension InstalledApp {
  /// A check that was made, and what the app gets if it failed. Nil: not asked of this app.
  private typealias Condition = (check: Check, error: MSALError)?

  /// Every check up to the first that fails, and the error it gives.
  package func applicationChecks() -> (checks: [Check], error: MSALError?) {
    let conditions = [
      authorityCondition, clientCondition, fragmentCondition, schemeCondition, brokerCapableCondition,
      querySchemesCondition, teamCondition,
    ]
    var checks: [Check] = []
    for condition in conditions {
      guard let (check, error) = condition() else { continue }
      checks.append(check)
      if check.verdict == .failed { return (checks, error) }
    }
    return (checks, nil)
  }

  /// Comes first in life too: the app needs an `MSALAuthority` before it can make the object (§3.4).
  private func authorityCondition() -> Condition {
    var refusal: MSALError?
    do throws(MSALError) { _ = try Authority(authority) } catch { refusal = error }
    let check = Check(
      "authority is well formed", expected: "https://host/tenant",
      found: authority.isEmpty ? "none" : authority,
      refusal == nil, source: "fact sheet 3.4")
    return (check, refusal ?? MSALError(code: .internalError, ""))
  }

  private func clientCondition() -> Condition {
    let isBlank = clientID.allSatisfy(\.isWhitespace)
    return (
      Check(
        "client ID is given", expected: "a client ID", found: isBlank ? "none" : clientID, !isBlank,
        source: "fact sheet 5.12"),
      MSALError(code: .invalidParameter, "clientId is a required parameter and must not be nil or empty.")
    )
  }

  private func fragmentCondition() -> Condition {
    let check = Check(
      "redirect URI has no fragment", expected: "no #", found: redirectURI, !redirectURI.contains("#"),
      source: "fact sheet 5.12")
    return redirectURI.isEmpty
      ? nil : (check, MSALError(code: .internalError, "RedirectUri MUST NOT include a fragment component."))
  }

  /// An exact match, case and all. Without a redirect URI one of the two defaults must be registered.
  private func schemeCondition() -> Condition {
    let registered = urlSchemes.isEmpty ? "no schemes" : urlSchemes.joined(separator: ", ")
    guard !redirectURI.isEmpty else {
      let defaults = defaultRedirectURIs.compactMap { Self.scheme(of: $0) }
      return (
        Check(
          "a default redirect scheme is registered", expected: defaults.joined(separator: " or "),
          found: registered, defaultRedirectURI != nil, source: "fact sheet 5.12"),
        Self.schemeMissing(defaults[0], defaultRedirectURIs[0])
      )
    }
    let exemption: String? =
      if redirectScheme == "https" {
        "https needs none"
      } else if isExtension {
        "an app extension is not asked"
      } else {
        bypassesRedirectValidation ? "bypassRedirectURIValidation" : nil
      }
    let holds = redirectScheme.map { urlSchemes.contains($0) } ?? false
    return (
      Check(
        "redirect scheme is registered", expected: redirectScheme ?? "a scheme",
        found: exemption ?? registered, exemption != nil || holds, source: "fact sheet 5.12"),
      Self.schemeMissing(redirectScheme ?? "(null)", redirectURI)
    )
  }

  /// Azure AD wants it, save for `consumers`; B2C, CIAM and AD FS never get to a broker.
  private func brokerCapableCondition() -> Condition {
    guard !redirectURI.isEmpty, let authority = try? Authority(authority), authority.kind == .aad,
      authority.realm != "consumers"
    else { return nil }
    return (
      Check(
        "redirect URI is broker-capable", expected: "msauth.\(bundleID)://auth", found: redirectURI,
        isBrokerCapable || bypassesRedirectValidation, source: "fact sheet 5.12"),
      redirectInvalid
    )
  }

  private func querySchemesCondition() -> Condition {
    let isCapable = Self.isBrokerCapable(
      redirectURI: redirectURI.isEmpty ? defaultRedirectURI ?? "" : redirectURI, bundleID: bundleID)
    guard brokerUse == .auto, isCapable, !isExtension else { return nil }
    return (
      Check(
        "query schemes are registered", expected: "msauthv2, msauthv3",
        found: queriesSchemes.isEmpty ? "none" : queriesSchemes.joined(separator: ", "),
        ["msauthv2", "msauthv3"].allSatisfy(queriesSchemes.contains), source: "fact sheet 5.1"),
      Self.querySchemesMissing
    )
  }

  /// The cache needs it; which access group is entitled shows on the first read or write only (§1.7).
  private func teamCondition() -> Condition {
    (
      Check(
        "team ID can be read from the keychain", expected: "a team ID",
        found: teamID.isEmpty ? "none: the app is not signed" : teamID, !teamID.isEmpty,
        source: "fact sheet 1.7"),
      MSALError(code: .internalError, "Failed to retrieve teamId from keychain.")
    )
  }
}

// MARK: - What the SDK says

extension InstalledApp {
  private static func schemeMissing(_ scheme: String, _ uri: String) -> MSALError {
    MSALError(
      code: .redirectSchemeNotRegistered,
      """
      The required app scheme "\(scheme)" is not registered in the app's info.plist file. Please add "\(scheme)" \
      into Info.plist under CFBundleURLSchemes without any whitespaces and make sure that redirectURi "\(uri)" \
      is register in the portal for your app.
      """)
  }

  private static var querySchemesMissing: MSALError {
    MSALError(
      code: .redirectSchemeNotRegistered,
      """
      The required query schemes "msauthv2" and "msauthv3" are not registered in the app's info.plist file. \
      Please add "msauthv2" and "msauthv3" into Info.plist under LSApplicationQueriesSchemes without any whitespaces.
      """)
  }

  private var redirectInvalid: MSALError {
    let scheme = redirectScheme ?? ""
    let host = URLParts(redirectURI)?.authority ?? ""
    let cause =
      if scheme == "http" || scheme == "https" {
        "uses an unsupported scheme (http(s)://host)"
      } else if redirectURI.hasPrefix("msauth"), host == "auth" {
        "uses MSAL format (msauth.<bundle_id>://auth) but the bundle ID does not match the app’s bundle ID"
      } else if redirectURI.hasPrefix("msauth") {
        "uses MSAL scheme but is missing the required host component \"auth\""
      } else if scheme.isEmpty {
        "is missing a scheme"
      } else if redirectURI == "urn:ietf:wg:oauth:2.0:oob" {
        "'urn:ietf:wg:oauth:2.0:oob' is not supported"
      } else {
        host.isEmpty ? "is missing a host" : "is invalid"
      }
    let more = scheme.isEmpty ? "\nRegister your scheme in Info.plist under CFBundleURLSchemes." : ""
    return MSALError(
      code: .invalidRedirectURI,
      """
      The provided redirect URI \(cause). Please ensure the redirect URI follows the valid format: \
      msauth.\(bundleID)://auth\(more)
      """)
  }
}
