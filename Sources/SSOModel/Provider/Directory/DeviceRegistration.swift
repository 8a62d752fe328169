import SSOCore
import SSOReference

/// A device that is registered in a tenant by workplace join (claim E2).
///
/// It is unique by tenant and serial number.
package struct DeviceRegistration: Codable, Hashable, Sendable {
  /// The GUID that was generated at registration.
  ///
  /// Tokens contain it as `deviceid`.
  package var deviceID: String
  package var tenantID: String
  /// The identifier that the device reports, which is the same in every tenant.
  package var serial: String
  package var displayName: String
  package var platform: String
  /// The user who registered the device.
  package var username: String
  package var registeredAt: Instant
  /// The thumbprint of the device certificate, issued by MS-Organization-Access.
  package var thumbprint: String
}

/// A registration that an administrator deleted.
///
/// It is unique by tenant and device ID.
private struct DeletedDevice: Codable, Hashable {
  var deletedAt: Instant
}

/// The state of a device that its management (Intune or another MDM) reports.
///
/// It is unique by serial number.
package struct ManagedDevice: Codable, Hashable, Sendable {
  package var serial: String
  package var isCompliant: Bool

  package init(serial: String, isCompliant: Bool) {
    self.serial = serial
    self.isCompliant = isCompliant
  }
}

/// An app that Intune protects for one user (docs/behaviour/broker.md §11).
///
/// It is unique by its ID.
package struct AppEnrollment: Codable, Hashable, Sendable {
  package var id: String
  package var clientID: String
  package var username: String

  package init(id: String, clientID: String, username: String) {
    self.id = id
    self.clientID = clientID
    self.username = username
  }
}

extension DeviceRegistration {
  fileprivate static func key(tenantID: String, _ id: String) -> String {
    tenantID.lowercased() + "/" + id
  }
}

extension Directory {
  package func registration(ofDevice serial: String, tenantID: String) throws -> DeviceRegistration? {
    try documents.read(
      DeviceRegistration.self, .deviceRegistration,
      DeviceRegistration.key(tenantID: tenantID, serial))
  }

  /// Returns the registration with this device ID in a tenant.
  package func registration(deviceID: String, tenantID: String) throws -> DeviceRegistration? {
    try documents.readAll(
      DeviceRegistration.self, .deviceRegistration, keyPrefix: tenantID.lowercased() + "/"
    ).first { $0.deviceID == deviceID }
  }

  /// Returns whether the device of a primary refresh token was deleted, which invalidates the token.
  ///
  /// Source: Microsoft, Understanding Primary Refresh Token, “How is a PRT invalidated?”.
  func isDeviceDeleted(of record: RefreshTokenRecord) throws -> Bool {
    try isDeviceDeleted(record.deviceID, tenantID: record.homeTenantID)
  }

  /// Returns whether a device of a tenant was deleted.
  func isDeviceDeleted(_ deviceID: String?, tenantID: String) throws -> Bool {
    guard let deviceID else { return false }
    let key = DeviceRegistration.key(tenantID: tenantID, deviceID)
    return try documents.read(DeletedDevice.self, .deletedDevice, key) != nil
  }

  /// Returns the error for a token whose device was deleted.
  ///
  /// Source: Microsoft, “Error AADSTS700003 - Device object was not found in the tenant directory”.
  func errorOfDeletedDevice(tenantID: String) throws -> OAuthError {
    let tenant = try tenant(byNameOrID: tenantID)?.displayName
    var error = OAuthError(
      .invalidGrant, "Device object was not found in the tenant '\(tenant ?? tenantID)' directory.",
      aadsts: .deviceNotFound)
    error.suberror = "device_authentication_failed"
    return error
  }

  package func deviceRegistrations() throws -> [DeviceRegistration] {
    try documents.readAll(DeviceRegistration.self, .deviceRegistration)
  }

  package func managedDevice(serial: String) throws -> ManagedDevice? {
    try documents.read(ManagedDevice.self, .managedDevice, serial)
  }

  package func appEnrollment(id: String) throws -> AppEnrollment? {
    try documents.read(AppEnrollment.self, .appEnrollment, id)
  }
}

extension DocumentStore {
  package func save(_ registration: DeviceRegistration) throws {
    try write(
      registration, .deviceRegistration,
      DeviceRegistration.key(tenantID: registration.tenantID, registration.serial))
  }

  /// Deletes the registrations of a device in all tenants, and returns them.
  package func removeRegistrations(ofDevice serial: String, at now: Instant) throws -> [DeviceRegistration] {
    let own = try readAll(DeviceRegistration.self, .deviceRegistration).filter { $0.serial == serial }
    for registration in own {
      try delete(
        .deviceRegistration, DeviceRegistration.key(tenantID: registration.tenantID, serial))
      let key = DeviceRegistration.key(tenantID: registration.tenantID, registration.deviceID)
      try write(DeletedDevice(deletedAt: now), .deletedDevice, key)
    }
    return own
  }

  package func save(_ device: ManagedDevice) throws {
    try write(device, .managedDevice, device.serial)
  }

  package func save(_ enrollment: AppEnrollment) throws {
    try write(enrollment, .appEnrollment, enrollment.id)
  }
}

/// `POST /{tenant}/EnrollmentServer/device`: workplace join (claim E2).
///
/// The fields are `prt`, `serial`, `display_name`, and `platform`.
///
/// Entra has a separate service that requires an access token. Here, the broker sends the primary refresh
/// token, which is bound to the device from then on.
struct DeviceEnrollmentEndpoint {
  let provider: ProviderResources

  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    let form = context.request.form
    let secret = form["prt"] ?? ""
    let found = try provider.documents.refreshToken(secret: secret)
    let record = try context.require(found, checkPrimaryRefreshToken(found, at: provider.now))
    let person = try provider.directory.person(username: record.username)
    let owner = try context.require(person, checkIsWorkAccount(person))
    let serial = form["serial"] ?? ""
    try context.require(checkSerial(serial))
    let device = try register(
      serial: serial, displayName: form["display_name"] ?? "", platform: form["platform"] ?? "",
      person: owner, primaryRefreshToken: secret)
    return ProviderResponse(
      .json(
        200,
        [
          "Certificate": [
            "Thumbprint": .string(device.thumbprint), "Subject": .string("CN=" + device.deviceID),
          ],
          "User": ["Upn": .string(owner.username)],
        ]))
  }

  /// Registers a device in the user's tenant.
  ///
  /// Returns the existing registration if there is one.
  func register(
    serial: String, displayName: String, platform: String, person: DirectoryUser, primaryRefreshToken: String
  ) throws -> DeviceRegistration {
    let known = try provider.directory.registration(ofDevice: serial, tenantID: person.homeTenantID)
    let device =
      known
      ?? DeviceRegistration(
        deviceID: provider.random.uuid(), tenantID: person.homeTenantID, serial: serial,
        displayName: String(displayName.prefix(100)), platform: String(platform.prefix(20)),
        username: person.username.lowercased(), registeredAt: provider.now,
        thumbprint: hexadecimal(bytes: provider.random.bytes(20)).uppercased())
    if known == nil { try provider.documents.save(device) }
    try provider.refreshTokens.change(key: sha256Hex(primaryRefreshToken)) { $0.deviceID = device.deviceID }
    return device
  }
}

private func checkPrimaryRefreshToken(_ record: RefreshTokenRecord?, at now: Instant) -> RuleResult {
  let isAlive = record.map { $0.kind == .primary && $0.revokedAt == nil && now < $0.expiresAt } ?? false
  return RuleResult(
    "primary refresh token valid", expected: "one that was issued", found: isAlive ? "valid" : "not valid",
    isAlive, source: "claim E2",
    failure: "the primary refresh token is not valid",
    else: OAuthError(.invalidGrant, "The primary refresh token is invalid.", aadsts: .grantInvalid))
}

private func checkIsWorkAccount(_ person: DirectoryUser?) -> RuleResult {
  RuleResult(
    "work or school account", expected: "an account of an organisation",
    found: person?.isPersonal == true ? "a personal account" : person?.username ?? "no account",
    person?.isPersonal == false, source: "keychain.md §6",
    else: OAuthError(
      .invalidGrant, "A personal account cannot register a device.", aadsts: .accountNotInTenant))
}

private func checkSerial(_ serial: String) -> RuleResult {
  RuleResult(
    "serial number is given", expected: "serial", found: serial.isEmpty ? "none" : serial, !serial.isEmpty,
    source: "claim E2",
    failure: "the serial number is missing",
    else: OAuthError(
      .invalidRequest, "The request body must contain the following parameter: 'serial'.",
      aadsts: .bodyParameterMissing))
}
