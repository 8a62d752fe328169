import SSOCore

extension Provider {
  /// `POST /{tenant}/EnrollmentServer/device`: workplace join (claim E2). Fields `prt`, `serial`, `display_name`, `platform`.
  ///
  /// Entra has a service of its own for it, and takes a token for that; here the broker shows the primary refresh token, which is bound to
  /// the device from then on.
  func enrollDevice(_ exchange: inout Exchange) throws -> ProviderResponse {
    let form = exchange.request.form
    let secret = form["prt"] ?? ""
    let found = try refreshTokens.record(secret: secret)
    let isAlive = found.map { $0.kind == .primary && $0.revokedAt == nil && now < $0.expiresAt } ?? false
    try exchange.checks.require(
      Finding(
        "primary refresh token valid", expected: "one that was issued",
        found: isAlive ? "valid" : "not valid",
        isAlive, source: "claim E2",
        else: OAuthError(.invalidGrant, "The primary refresh token is invalid.", aadsts: 70000)))
    let person = try found.flatMap { try directory.person(username: $0.username) }
    try exchange.checks.require(
      Finding(
        "work or school account", expected: "an account of an organisation",
        found: person?.isPersonal == true ? "a personal account" : person?.username ?? "nobody",
        person?.isPersonal == false, source: "fact sheet 1.8",
        else: OAuthError(.invalidGrant, "Personal accounts register no device.", aadsts: 50020)))
    let serial = form["serial"] ?? ""
    try exchange.checks.require(
      Finding(
        "device names itself", expected: "serial", found: serial.isEmpty ? "none" : serial, !serial.isEmpty,
        source: "claim E2",
        else: OAuthError(
          .invalidRequest, "The request body must contain the following parameter: 'serial'.",
          aadsts: 900144)))
    guard let person else { throw OAuthError(.invalidGrant, "No such account.", aadsts: 50034) }
    let device = try registerDevice(
      serial: serial, displayName: form["display_name"] ?? "", platform: form["platform"] ?? "",
      person: person, primaryRefreshToken: secret)
    return ProviderResponse(
      .json(
        200,
        [
          "Certificate": [
            "Thumbprint": .string(device.thumbprint), "Subject": .string("CN=" + device.deviceID),
          ],
          "User": ["Upn": .string(person.username)],
        ]))
  }

  /// The device in the person's tenant; a second registration gives the first one back.
  @discardableResult
  package func registerDevice(
    serial: String, displayName: String, platform: String, person: Person, primaryRefreshToken: String
  ) throws -> DeviceRegistration {
    let known = try directory.registration(ofDevice: serial, tenantID: person.homeTenantID)
    let device =
      known
      ?? DeviceRegistration(
        deviceID: chance.uuid(), tenantID: person.homeTenantID, serial: serial,
        displayName: String(displayName.prefix(100)), platform: String(platform.prefix(20)),
        username: person.username.lowercased(), registeredAt: now,
        thumbprint: chance.bytes(20).map(hexadecimal).joined().uppercased())
    if known == nil { try directory.save(device) }
    try refreshTokens.change(key: sha256Hex(primaryRefreshToken)) { $0.deviceID = device.deviceID }
    return device
  }
}
