import SSOCore
import SSODevice
import SSOReference

/// A rule that `ssoterm doctor` applies to an app's files (docs/behaviour/real-apps.md §1).
///
/// Each rule is declared beside its checks: ``apple``, ``registrations``, ``android``, ``web``, ``resources``,
/// ``profiles``, ``vendors``, ``domains``.
package struct DoctorRule: Hashable, Sendable {
  /// The rule's name in every output, which must not change.
  package let name: String
  /// The requirement, as one sentence.
  package let title: String
  /// The reason that the rule matters.
  package let why: String
  /// The number of public threads about this mistake (docs/behaviour/real-apps.md §1), or `nil` if none were counted.
  package let reports: Int?

  package static let all =
    apple + registrations + android + web + resources + profiles + vendors + domains

  init(_ name: String, _ title: String, why: String, reports: Int? = nil) {
    self.name = name
    self.title = title
    self.why = why
    self.reports = reports
  }
}

/// The result of one rule for one app or registration: the values expected and found, the place, and the text to write
/// instead.
package struct DoctorCheck: Hashable, Sendable {
  /// The effect of a failed check.
  package enum Severity: String, CaseIterable, Hashable, Sendable {
    case fails = "fails"
    /// The app works for some accounts, settings, or builds, but not as intended for others.
    case worksInSomeCases = "works in some cases"
    case notFilledIn = "not filled in yet"
  }

  /// The error with which the SDK or the provider reports a broken rule.
  package struct Refusal: Hashable, Sendable {
    /// The code, such as `-42001` or `AADSTS50011`, which `ssoterm explain` can look up.
    package var code: String
    package var text: String

    package init(_ code: String, _ text: String) {
      self.code = code
      self.text = text
    }

    /// Creates a rejection in the provider's wording, which follows the code.
    init(_ code: AADSTSCode, _ words: String) { self.init(code.text, "\(code.text): \(words)") }

    /// Returns the error of the build for a placeholder of a manifest that no build file sets.
    static func unset(_ placeholder: String, of attribute: String) -> Refusal {
      let code = "Manifest merger failed"
      return Refusal(
        code,
        "\(code) : Attribute data@\(attribute) at AndroidManifest.xml requires a placeholder substitution but no value "
          + "for <\(placeholder)> is provided.")
    }

    /// Returns the provider's rejection of a client ID that it does not know.
    static func clientNotFound(_ clientID: String) -> Refusal {
      Refusal(
        AADSTSCode.clientNotFound, "Application with identifier '\(clientID)' was not found in the directory."
      )
    }

    /// The provider's rejection of a request with an empty client ID.
    static let clientMissing = Refusal(
      AADSTSCode.bodyParameterMissing,
      "The request body must contain the following parameter: 'client_id'.")

    /// The exception of MSAL.NET for a keychain group without an entitlement, whose message goes on with the group.
    ///
    /// Source: microsoft-authentication-library-for-dotnet, `MsalErrorMessage.MissingEntitlements`.
    static let missingEntitlementsOfDotNet = Refusal(
      "missing_entitlements",
      "MsalClientException: The application does not have keychain access groups enabled in the Entitlements.plist. "
        + "As a result, there was a failure to save to the iOS keychain.")

    /// Creates a rejection from the error that the app receives.
    package init(_ error: SDKError) { self.init(String(error.preciseCode), error.printed) }
  }

  package var rule: DoctorRule
  /// The name of the app or registration.
  package var subject: String
  package var check: Check
  /// The mistake in a few words, if there is one, such as `LSApplicationQueriesSchemes lacks msauthv3`.
  ///
  /// It has room in a list, so it does not contain values, which may be long; ``check`` has the values.
  package var mistake: String
  package var severity = Severity.fails
  /// The place of the value, or the place where it belongs.
  package var place: FilePlace
  package var refusal: Refusal?
  /// The lines to write instead.
  package var fix: String?
  /// The key to rename, if the mistake is its spelling.
  package var misspelt: MisspeltKey?
  /// The scheme to replace, if the mistake is that it names another app.
  var foreignScheme: ForeignScheme?

  /// The value in code that is not visible and that decides whether the finding is one, such as
  /// `defaultKeychainSharingGroup`.
  var unseenValue: String?

  package var hasFailed: Bool { check.verdict == .failed }
  /// Whether the app may work for some accounts, settings, or builds with the value found.
  package var isQuestion: Bool { severity == .worksInSomeCases }

  /// The title in every list and report: the mistake of a finding, or else the name of the check.
  package var title: String { hasFailed ? mistake : check.name }

  /// The same check with at most the severity `worksInSomeCases`, because it depends on something that the
  /// files do not show.
  var asQuestion: DoctorCheck {
    var check = self
    if severity == .fails { check.severity = .worksInSomeCases }
    return check
  }

  /// Returns the finding of a value that still has to be replaced.
  static func placeholder(_ name: String, _ found: Found<String>, subject: String) -> DoctorCheck {
    DoctorCheck(
      rule: .placeholder, subject: subject,
      check: Check(
        "\(name) is the app's own", expected: "the app's own",
        found: found.value.isEmpty ? "nothing" : found.value, false, source: "real-apps.md §1"),
      mistake: "The \(name.trimmingPrefix("the ")) is not filled in",
      severity: .notFilledIn, place: found.place)
  }

  /// Returns the check that the provider can know a client ID.
  static func form(
    ofClientID client: Found<String>, named name: String = "client ID", subject: String
  ) -> DoctorCheck {
    let isPadded = client.value.trimmed != client.value && client.value.trimmed.isGUID
    return DoctorCheck(
      rule: .clientID, subject: subject,
      check: Check(
        "\(name) is a GUID", expected: "the application (client) ID of the registration",
        found: client.value.isEmpty ? "an empty string" : isPadded ? "\"\(client.value)\"" : client.value,
        ClientIDForm(client.value) == .valid, source: "real-apps.md §2"),
      mistake:
        "The \(name) is \(client.value.isEmpty ? "empty" : isPadded ? "a GUID with white space" : "not a GUID")",
      // The provider may ignore it.
      severity: isPadded ? .worksInSomeCases : .fails, place: client.place,
      refusal: client.value.isEmpty ? .clientMissing : .clientNotFound(client.value),
      fix: isPadded ? "\"\(client.value.trimmed)\"" : nil)
  }

  /// Returns the finding of a client ID that is also the tenant of the authority, or `nil`: no directory has the ID of an app.
  static func tenantCheck(_ client: Found<String>?, authority: String?, subject: String) -> DoctorCheck? {
    guard let client, client.value.isGUID, let path = authority.flatMap({ URLParts($0)?.path }),
      path.split(separator: "/").contains(where: { $0.lowercased() == client.value.lowercased() })
    else { return nil }
    return DoctorCheck(
      rule: .clientID, subject: subject,
      check: Check(
        "client ID and tenant ID differ",
        expected: "the application (client) ID, and the directory (tenant) ID",
        found: "\(client.value) as both", false, source: "real-apps.md §2"),
      mistake: "Client ID and tenant ID are the same", place: client.place,
      refusal: .clientNotFound(client.value))
  }

  /// Returns the check that an app in a sandbox may connect to the provider.
  static func outgoingConnections(
    of subject: String, isCutOff: Bool, at place: FilePlace, severity: Severity = .fails
  ) -> DoctorCheck {
    let key = "com.apple.security.network.client"
    return DoctorCheck(
      rule: .macNetwork, subject: subject,
      check: Check(
        "a sandboxed app has outgoing connections", expected: key,
        found: isCutOff ? "not in the entitlements" : "they are allowed", !isCutOff, source: "real-apps.md §2"
      ),
      mistake: "The sandbox blocks outgoing connections", severity: severity, place: place,
      fix: "<key>\(key)</key>\n<true/>")
  }

  /// The explanations of the code's meaning and of the remedies.
  package var explanations: [Explanation] { refusal.map { Explanation.find(in: $0.code) } ?? [] }
}
