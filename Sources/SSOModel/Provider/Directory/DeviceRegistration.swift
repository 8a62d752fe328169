/// A device that a tenant knows: workplace join (claim E2). Unique by tenant and serial number.
public struct DeviceRegistration: Codable, Hashable, Sendable {
  /// GUID, drawn when it was registered; goes into tokens as `deviceid`.
  public var deviceID: String
  public var tenantID: String
  /// What the device calls itself, the same in every tenant.
  public var serial: String
  public var displayName: String
  public var platform: String
  /// Who registered it.
  public var username: String
  public var registeredAt: Instant
  /// Of its certificate, issued by MS-Organization-Access.
  public var thumbprint: String
}

/// What the device management (Intune, or another MDM) says of a device. Unique by serial number.
public struct ManagedDevice: Codable, Hashable, Sendable {
  public var serial: String
  public var isCompliant: Bool

  public init(serial: String, isCompliant: Bool) {
    self.serial = serial
    self.isCompliant = isCompliant
  }
}

/// An app that Intune protects for one person (fact sheet §5.11). Unique by its ID.
public struct AppEnrollment: Codable, Hashable, Sendable {
  public var id: String
  public var clientID: String
  public var username: String

  public init(id: String, clientID: String, username: String) {
    self.id = id
    self.clientID = clientID
    self.username = username
  }
}

extension Directory {
  private func key(tenantID: String, serial: String) -> String { tenantID.lowercased() + "/" + serial }

  public func registration(ofDevice serial: String, tenantID: String) throws -> DeviceRegistration? {
    try documents.read(
      DeviceRegistration.self, .deviceRegistration, key(tenantID: tenantID, serial: serial))
  }

  /// The registration with that ID in that tenant.
  public func registration(deviceID: String, tenantID: String) throws -> DeviceRegistration? {
    try documents.readAll(
      DeviceRegistration.self, .deviceRegistration, keyPrefix: tenantID.lowercased() + "/"
    ).first { $0.deviceID == deviceID }
  }

  public func deviceRegistrations() throws -> [DeviceRegistration] {
    try documents.readAll(DeviceRegistration.self, .deviceRegistration)
  }

  public func save(_ registration: DeviceRegistration) throws {
    try documents.write(
      registration, .deviceRegistration,
      key(tenantID: registration.tenantID, serial: registration.serial))
  }

  public func managedDevice(serial: String) throws -> ManagedDevice? {
    try documents.read(ManagedDevice.self, .managedDevice, serial)
  }

  public func save(_ device: ManagedDevice) throws {
    try documents.write(device, .managedDevice, device.serial)
  }

  public func appEnrollment(id: String) throws -> AppEnrollment? {
    try documents.read(AppEnrollment.self, .appEnrollment, id)
  }

  public func save(_ enrollment: AppEnrollment) throws {
    try documents.write(enrollment, .appEnrollment, enrollment.id)
  }
}
