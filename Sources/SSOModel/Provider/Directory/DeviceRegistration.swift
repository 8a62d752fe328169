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
  fileprivate static func key(tenantID: String, serial: String) -> String {
    tenantID.lowercased() + "/" + serial
  }
}

extension Directory {
  package func registration(ofDevice serial: String, tenantID: String) throws -> DeviceRegistration? {
    try documents.read(
      DeviceRegistration.self, .deviceRegistration,
      DeviceRegistration.key(tenantID: tenantID, serial: serial))
  }

  /// Returns the registration with this device ID in a tenant.
  package func registration(deviceID: String, tenantID: String) throws -> DeviceRegistration? {
    try documents.readAll(
      DeviceRegistration.self, .deviceRegistration, keyPrefix: tenantID.lowercased() + "/"
    ).first { $0.deviceID == deviceID }
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
      DeviceRegistration.key(tenantID: registration.tenantID, serial: registration.serial))
  }

  package func save(_ device: ManagedDevice) throws {
    try write(device, .managedDevice, device.serial)
  }

  package func save(_ enrollment: AppEnrollment) throws {
    try write(enrollment, .appEnrollment, enrollment.id)
  }
}
