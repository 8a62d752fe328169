import SSOCore

/// One policy against one request (claims A2, A3). Which AADSTS number belongs to which requirement is Entra's; `additional_action` means that
/// something has to be done outside of the sign-in, `message_only` that nothing helps.
struct PolicyQuestion {
  var policy: Policy
  var client: ClientRegistration
  var situation: AccessSituation
  var device: DeviceRegistration?
  var management: ManagedDevice?
  var enrollment: AppEnrollment?

  var finding: Finding {
    switch policy.requires {
    case .registeredDevice: registeredDevice
    case .compliantDevice: compliantDevice
    case .approvedApp: approvedApp
    case .appProtection: appProtection
    case .certificate: certificate
    }
  }

  private func finding(
    _ requirement: String, expected: String, found: String, _ holds: Bool, _ refusal: OAuthError
  ) -> Finding {
    Finding(
      "policy “\(policy.name)”: \(requirement)", expected: expected, found: found, holds,
      source: "claim A2, Entra", else: refusal)
  }

  private var deviceWords: String {
    guard situation.isBrokered else { return "no device ID: only the broker brings one" }
    return device == nil ? "a device that is not registered" : "device \(device?.deviceID ?? "")"
  }

  private var registeredDevice: Finding {
    finding(
      "registered device", expected: "a device that the directory knows", found: deviceWords, device != nil,
      OAuthError(
        .interactionRequired, "Workplace join is required to register the device.", aadsts: 50129,
        suberror: "additional_action"))
  }

  private var compliantDevice: Finding {
    let found = device == nil ? deviceWords : management == nil ? "not managed" : "not compliant"
    let holds = device != nil && management?.isCompliant == true
    return finding(
      "compliant device", expected: "a registered device whose management calls it compliant",
      found: holds ? "compliant" : found, holds,
      OAuthError(
        .interactionRequired,
        "Device is not in required device state: compliant. Conditional Access policy requires a compliant "
          + "device, and the device is not compliant. The user must enroll the device with an approved MDM "
          + "provider like Intune.", aadsts: 53000, suberror: "additional_action"))
  }

  private var approvedApp: Finding {
    guard client.isApprovedApp == true else {
      return finding(
        "approved app", expected: "an app of the list of approved apps", found: client.displayName, false,
        OAuthError(
          .interactionRequired, "The app used is not an approved app for Conditional Access.",
          aadsts: 53002, suberror: "message_only"))
    }
    return brokered("approved app")
  }

  private var appProtection: Finding {
    guard situation.isBrokered else { return brokered("app protection") }
    guard situation.canProtect || enrollment != nil else {
      return finding(
        "app protection", expected: "the client capability ProtApp", found: "not among its capabilities",
        false,
        OAuthError(
          .interactionRequired, "Application needs to enforce Intune protection policies.", aadsts: 53009,
          suberror: "message_only"))
    }
    return finding(
      "app protection", expected: "an app that Intune protects for this person",
      found: enrollment == nil ? "not enrolled" : "enrolled", enrollment != nil,
      OAuthError(
        .unauthorizedClient, "Application needs to enforce Intune protection policies.", aadsts: 53005,
        suberror: "protection_policy_required"))
  }

  private func brokered(_ requirement: String) -> Finding {
    finding(
      requirement, expected: "the broker vouches for the app",
      found: situation.isBrokered ? "asked by the broker" : "the app asks by itself", situation.isBrokered,
      OAuthError(
        .interactionRequired, "User needs to install a broker app to gain access to this content.",
        aadsts: 50127, suberror: "additional_action"))
  }

  private var certificate: Finding {
    finding(
      "certificate", expected: "sign-in with the certificate on the device",
      found: situation.hasCertificate ? "certificate" : "no certificate was shown",
      situation.hasCertificate,
      OAuthError(
        .interactionRequired,
        "Access has been blocked by Conditional Access policies: the account signs in with a certificate.",
        aadsts: 53003, suberror: "message_only"))
  }
}

extension Provider {
  /// What the policies say, in the order of their names. The broker's own sign-in is free of those about devices and apps: it is how a device
  /// gets registered.
  func policyFindings(
    _ person: Person, tenantID: String, _ client: ClientRegistration, _ situation: AccessSituation
  ) throws -> [Finding] {
    guard client.clientID != ClientRegistration.brokerClientID else { return [] }
    let policies = try directory.policies().filter {
      $0.requires != .certificate && $0.covers(person, tenantID: tenantID, clientID: client.clientID)
    }
    guard !policies.isEmpty else { return [] }
    let device = try situation.deviceID.flatMap {
      try directory.registration(deviceID: $0, tenantID: person.homeTenantID)
    }
    let enrollment = try situation.enrollmentID.flatMap { try directory.appEnrollment(id: $0) }.flatMap {
      $0.username == person.username.lowercased()
        && $0.clientID.lowercased() == client.clientID.lowercased() ? $0 : nil
    }
    let management = try device.flatMap { try directory.managedDevice(serial: $0.serial) }
    return policies.map {
      PolicyQuestion(
        policy: $0, client: client, situation: situation, device: device, management: management,
        enrollment: enrollment
      ).finding
    }
  }

  /// The certificate that a policy asks of this person at sign-in; nil if none does.
  func certificateFinding(_ person: Person, tenantID: String, _ situation: AccessSituation, _ client: String)
    throws -> Finding?
  {
    let policy = try directory.policies().first {
      $0.requires == .certificate && $0.covers(person, tenantID: tenantID, clientID: client)
    }
    guard let policy, let registration = try directory.registration(clientID: client) else { return nil }
    return PolicyQuestion(policy: policy, client: registration, situation: situation).finding
  }
}
