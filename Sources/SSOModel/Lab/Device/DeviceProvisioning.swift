import SSOCore
import SSODevice
import SSOProvider

/// A type that provisions a device with broker accounts and certificates before the first intent.
struct DeviceProvisioning {
  let transaction: IntentTransaction

  /// Adds an account that the broker holds from a sign-in before the scenario starts.
  func give(_ held: LabWorld.InitialBrokerAccount) throws {
    let directory = transaction.directory
    let device = transaction.device
    guard let person = try directory.person(username: held.username) else { return }
    let secret = try RefreshTokens(documents: transaction.store, now: transaction.now).issue(
      .primary, for: person, client: .authenticationBroker, deviceID: device.id, random: transaction.random)
    if !person.isPersonal {
      let registration = try transaction.provider(.system, actor: "").registerDevice(
        serial: device.id, displayName: device.name, platform: device.platform.rawValue, person: person,
        primaryRefreshToken: secret)
      try transaction.runtime.deviceKeychain.keep(
        tenantID: registration.tenantID, username: person.username, deviceID: registration.deviceID,
        thumbprint: registration.thumbprint, privateKey: transaction.random.bytes(32))
    }
    let isExpired = held.state == .expired
    if isExpired { try transaction.provider(.system, actor: "").expireRefreshToken(secret: secret) }
    let lifetime = RefreshTokenRecord.lifetime(of: .primary)
    // It is derived, so that worlds from before the introduction of session keys stay the same.
    let sessionKey = Base64URL.encode(transaction.random.derivedBytes("session key of \(person.objectID)"))
    try RefreshTokens(documents: transaction.store, now: transaction.now).setSessionKey(
      sessionKey, of: secret)
    var account =
      BrokerAccount(
        homeAccountID: person.clientInfo.homeAccountID, username: person.username,
        displayName: person.displayName,
        tenantName: try directory.tenant(byNameOrID: person.homeTenantID)?.displayName ?? person.homeTenantID,
        primaryRefreshToken: secret,
        expiresOn: isExpired ? transaction.now : transaction.now.adding(seconds: lifetime))
    account.sessionKey = sessionKey
    try transaction.store.write(account, .brokerAccount, device.id + "/" + account.homeAccountID)
  }

  /// Adds a user's certificate to this device, as an administrator would.
  ///
  /// The directory knows its thumbprint (claim D4).
  func addCertificate(_ username: String) throws {
    guard var person = try transaction.directory.person(username: username) else { return }
    let thumbprint = hexadecimal(bytes: transaction.random.bytes(20)).uppercased()
    person.certificates.append(thumbprint)
    try transaction.store.save(person)
    transaction.device.certificates.append(
      DeviceCertificate(username: person.username, thumbprint: thumbprint))
    try transaction.saveDevice()
  }
}
