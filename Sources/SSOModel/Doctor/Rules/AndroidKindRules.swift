import SSOCore
import SSODevice

/// The rules for configurations of native authentication and of user flows, and for activities of MSAL.NET.
extension AndroidRules {
  /// The checks of a configuration of native authentication, that no other rule makes.
  ///
  /// Source: microsoft-authentication-library-for-android, `NativeAuthPublicClientApplicationConfiguration.kt`,
  /// `validateConfiguration`, and `res/raw/msal_native_auth_default_config.json`, whose account mode is SINGLE.
  func nativeChecks(_ configuration: AndroidFacts.Configuration) -> [DoctorCheck] {
    guard configuration.isNativeAuth else { return [] }
    let mode = configuration.accountMode?.value ?? "SINGLE"
    let modeCheck = check(
      .nativeAuth,
      Check(
        "the account mode is SINGLE", expected: "SINGLE", found: mode, mode != "MULTIPLE",
        source: "real-apps.md §2"), "Native authentication needs SINGLE",
      at: configuration.accountMode?.place,
      DoctorCheck.Refusal(
        "native_auth_invalid_account_mode_config",
        "NativeAuthPublicClientApplication Native auth apps cannot be used with anything other than SINGLE account mode"
      ), fix: "\"account_mode\": \"SINGLE\"")
    let checks = [modeCheck, challengeCheck(configuration), authorityCheck(configuration)].compactMap(\.self)
    return facts.usage == nil ? checks.map(\.asQuestion) : checks
  }

  private static let challengeTypes = ["oob", "password", "redirect"]

  private func challengeCheck(_ configuration: AndroidFacts.Configuration) -> DoctorCheck? {
    guard let types = configuration.challengeTypes else { return nil }
    let unknown = types.value.filter {
      !Self.challengeTypes.contains($0.lowercased()) && !Placeholders.contain($0)
    }
    let right = types.value.compactMap { Self.challengeTypes.closestSpelling(to: $0.lowercased()) }
    return check(
      .nativeAuth,
      Check(
        "the challenge types are known", expected: Self.challengeTypes.joined(separator: ", "),
        found: types.value.joined(separator: ", "), unknown.isEmpty, source: "real-apps.md §2"),
      "A challenge type is unknown", at: types.place,
      DoctorCheck.Refusal(
        "native_auth_invalid_challenge_type",
        "NativeAuthPublicClientApplication detected invalid challenge type. \"\(unknown.first?.lowercased() ?? "")\""
      ),
      fix: right.count < types.value.count
        ? nil : "\"challenge_types\": [" + right.map { "\"\($0)\"" }.joined(separator: ", ") + "]")
  }

  /// The check that there is one authority, of the type CIAM; an unknown type is another finding.
  private func authorityCheck(_ configuration: AndroidFacts.Configuration) -> DoctorCheck? {
    let authorities = configuration.authorities
    guard authorities.allSatisfy({ Self.types.contains($0.type) }), !configuration.isCompletedByCode,
      configuration.misspelt["authorities"] == nil
    else { return nil }
    let refusal =
      authorities.isEmpty
      ? DoctorCheck.Refusal(
        "native_auth_use_with_no_authority",
        "NativeAuthPublicClientApplication can't be used with no authority.")
      : authorities.count > 1
        ? DoctorCheck.Refusal(
          "native_auth_use_with_multi_authority",
          "NativeAuthPublicClientApplication can't be used with multiple authorities")
        : DoctorCheck.Refusal(
          "native_auth_invalid_ciam_authority",
          "NativeAuthPublicClientApplication can only be used with a valid CIAM Authority")
    return check(
      .authority,
      Check(
        "native authentication has one authority", expected: "one of the type CIAM",
        found: authorities.isEmpty ? "none" : authorities.map(\.type).joined(separator: ", "),
        authorities.map(\.type) == ["CIAM"], source: "real-apps.md §2"),
      authorities.count == 1
        ? "Native authentication needs the type CIAM" : "Native authentication needs one authority",
      at: FilePlace(configuration.path, line: configuration.authoritiesLine ?? 1), refusal,
      fix:
        "{ \"type\": \"CIAM\", \"authority_url\": \"https://<tenant>.ciamlogin.com/<tenant>.onmicrosoft.com/\" }"
    )
  }

  /// Returns the finding of a user flow whose type is AAD, or `nil`: MSAL keeps only the host and the last path
  /// component of such an address, so that no tenant is left.
  ///
  /// Source: microsoft-authentication-library-common-for-android, `AuthorityDeserializer.java`.
  func userFlowCheck(_ authorities: [AndroidFacts.Configuration.Authority], at place: FilePlace)
    -> DoctorCheck?
  {
    let url = authorities.lazy.filter { $0.type == "AAD" }.compactMap(\.url).first { url in
      URLParts(url)?.host.lowercased().hasSuffix(".b2clogin.com") == true && !Placeholders.contain(url)
    }
    guard let url else { return nil }
    return check(
      .authority,
      Check(
        "a user flow has the type B2C", expected: "B2C", found: "AAD for \(url)", false,
        source: "real-apps.md §2"), "The type of a user flow is AAD", at: place, fix: "\"type\": \"B2C\"")
  }

  // MARK: MSAL.NET

  /// The checks of the activities of an app with MSAL.NET, besides the filter.
  var dotNetActivityChecks: [DoctorCheck] {
    var checks: [DoctorCheck] = []
    if let activity = facts.activity, facts.isExported == false {
      checks.append(
        check(
          .browserTabActivity,
          Check(
            "BrowserTabActivity is exported", expected: "Exported = true", found: "false", false,
            source: "real-apps.md §2"), "BrowserTabActivity is not exported", at: activity,
          severity: facts.mayNeedNoActivity ? .worksInSomeCases : .fails, fix: "[Activity(Exported = true)]"))
    }
    if let activity = facts.lackingContinuation {
      // Source: microsoft-authentication-library-for-dotnet, `AuthenticationActivity.cs`, which returns the answer as the
      // result of an activity, and `AuthenticationContinuationHelper.cs`.
      checks.append(
        check(
          .callback,
          Check(
            "the activity's result continues the sign-in", expected: "AuthenticationContinuationHelper",
            found: "no call", false, source: "real-apps.md §2"), "No activity's result continues the sign-in",
          at: activity,
          fix: """
            protected override void OnActivityResult(int requestCode, Result resultCode, Intent data)
            {
              base.OnActivityResult(requestCode, resultCode, data);
              AuthenticationContinuationHelper.SetAuthenticationContinuationEventArgs(requestCode, resultCode, data);
            }
            """))
    }
    return checks
  }
}
