/// One policy, applied to one request (claims A2, A3).
///
/// The AADSTS number of each requirement is Entra's. `additional_action` means that something must be done
/// outside the sign-in, `message_only` that the user can do nothing.
struct PolicyEvaluation {
  var policy: Policy
  var client: ClientRegistration
  var situation: AccessSituation
  var device: DeviceRegistration?
  var management: ManagedDevice?
  var enrollment: AppEnrollment?

  var result: RuleResult {
    switch policy.requires {
    case .registeredDevice: registeredDevice
    case .compliantDevice: compliantDevice
    case .approvedApp: approvedApp
    case .appProtection: appProtection
    case .certificate: certificate
    case .mfa: secondFactor
    case .allowedExecutable: allowedExecutable
    }
  }

  private func result(
    _ requirement: String, expected: String, found: String, _ holds: Bool, _ refusal: OAuthError
  ) -> RuleResult {
    RuleResult(
      "policy “\(policy.name)”: \(requirement)", expected: expected, found: found, holds,
      source: "claim A2, Entra", else: refusal)
  }

  private var deviceWords: String {
    guard situation.isBrokered else { return "no device ID: only the broker sends one" }
    return device == nil ? "a device that is not registered" : "device \(device?.deviceID ?? "")"
  }

  private var registeredDevice: RuleResult {
    result(
      "registered device", expected: "a device that the directory knows", found: deviceWords, device != nil,
      OAuthError(
        .interactionRequired, "Workplace join is required to register the device.",
        aadsts: .deviceNotRegistered,
        suberror: .additionalAction))
  }

  private var compliantDevice: RuleResult {
    let found = device == nil ? deviceWords : management == nil ? "not managed" : "not compliant"
    let holds = device != nil && management?.isCompliant == true
    return result(
      "compliant device", expected: "a registered device that device management reports as compliant",
      found: holds ? "compliant" : found, holds,
      OAuthError(
        .interactionRequired,
        "Device is not in required device state: compliant. Conditional Access policy requires a compliant "
          + "device, and the device is not compliant. The user must enroll the device with an approved MDM "
          + "provider like Intune.", aadsts: .deviceNotCompliant, suberror: .additionalAction))
  }

  private var approvedApp: RuleResult {
    guard client.isApprovedApp else {
      return result(
        "approved app", expected: "an app of the list of approved apps", found: client.displayName, false,
        OAuthError(
          .interactionRequired, "The app used is not an approved app for Conditional Access.",
          aadsts: .appNotApproved, suberror: .messageOnly))
    }
    return brokered("approved app")
  }

  private var appProtection: RuleResult {
    guard situation.isBrokered else { return brokered("app protection") }
    guard situation.canProtect || enrollment != nil else {
      return result(
        "app protection", expected: "the client capability ProtApp", found: "not among its capabilities",
        false,
        OAuthError(
          .interactionRequired, "Application needs to enforce Intune protection policies.",
          aadsts: .appProtectionUnsupported,
          suberror: .messageOnly))
    }
    return result(
      "app protection", expected: "an app that Intune protects for this person",
      found: enrollment == nil ? "not enrolled" : "enrolled", enrollment != nil,
      OAuthError(
        .unauthorizedClient, "Application needs to enforce Intune protection policies.",
        aadsts: .appNotEnrolled,
        suberror: .protectionPolicyRequired))
  }

  private func brokered(_ requirement: String) -> RuleResult {
    result(
      requirement, expected: "the broker authenticates the app",
      found: situation.isBrokered ? "asked by the broker" : "the app asks without the broker",
      situation.isBrokered,
      OAuthError(
        .interactionRequired, "User needs to install a broker app to gain access to this content.",
        aadsts: .brokerNotInstalled, suberror: .additionalAction))
  }

  /// The check for programs, which the broker has already made.
  private var allowedExecutable: RuleResult {
    result(
      "allowed program", expected: "checked by the broker", found: "checked by the broker", true,
      OAuthError(
        .accessDenied, "Access has been blocked by Conditional Access policies.", aadsts: .blockedByPolicy))
  }

  private var secondFactor: RuleResult {
    let isGiven = situation.hasSecondFactor == true
    return result(
      "second factor", expected: "sign-in with a second factor", found: isGiven ? "given" : "not given",
      isGiven,
      Fault.Kind.Requirement.mfa.refusal)
  }

  private var certificate: RuleResult {
    result(
      "certificate", expected: "sign-in with the certificate on the device",
      found: situation.hasCertificate ? "certificate" : "no certificate was presented",
      situation.hasCertificate,
      OAuthError(
        .interactionRequired,
        "Access has been blocked by Conditional Access policies: the account signs in with a certificate.",
        aadsts: .blockedByPolicy, suberror: .messageOnly))
  }
}
