/// The directory's policies, applied to a request for tokens.
struct ConditionalAccess {
  let provider: ProviderResources

  /// Returns the results of the policies, sorted by name.
  ///
  /// The broker's sign-in is subject only to MFA policies and exempt from those about devices and apps,
  /// because it is how a device gets registered.
  func results(
    _ person: Person, tenantID: String, _ client: ClientRegistration, _ situation: AccessSituation
  ) throws -> [RuleResult] {
    let isBroker = client.clientID == ClientRegistration.brokerClientID
    let policies = try provider.directory.policies().filter {
      ![.certificate, .allowedExecutable].contains($0.requires) && (!isBroker || $0.requires == .mfa)
        && $0.covers(person, tenantID: tenantID, clientID: client.clientID)
    }
    guard !policies.isEmpty else { return [] }
    let device = try situation.deviceID.flatMap {
      try provider.directory.registration(deviceID: $0, tenantID: person.homeTenantID)
    }
    let enrollment = try situation.enrollmentID.flatMap { try provider.directory.appEnrollment(id: $0) }
      .flatMap {
        $0.username == person.username.lowercased()
          && $0.clientID.lowercased() == client.clientID.lowercased() ? $0 : nil
      }
    let management = try device.flatMap { try provider.directory.managedDevice(serial: $0.serial) }
    return policies.map {
      PolicyEvaluation(
        policy: $0, client: client, situation: situation, device: device, management: management,
        enrollment: enrollment
      ).result
    }
  }

  /// Returns whether a policy requires MFA that the user has not completed.
  func lacksSecondFactor(
    _ person: Person, tenantID: String, _ situation: AccessSituation, _ client: String
  ) throws -> Bool {
    try situation.hasSecondFactor != true
      && provider.directory.policies().contains {
        $0.requires == .mfa && $0.covers(person, tenantID: tenantID, clientID: client)
      }
  }

  /// Returns the check of the certificate that a policy requires, or `nil` if no policy requires one.
  func certificateResult(
    _ person: Person, tenantID: String, _ situation: AccessSituation, _ client: String
  ) throws -> RuleResult? {
    let policy = try provider.directory.policies().first {
      $0.requires == .certificate && $0.covers(person, tenantID: tenantID, clientID: client)
    }
    guard let policy, let registration = try provider.directory.registration(clientID: client) else {
      return nil
    }
    return PolicyEvaluation(policy: policy, client: registration, situation: situation).result
  }
}
