import SSOCore
import SSODevice
import SSOProvider
import SSOStore

extension Lab {
  /// Writes a world into an empty store. A store that already holds a lab is left as it is.
  ///
  /// - Parameters:
  ///   - name: of the scenario that the world comes from.
  ///   - seed: of the lab's random source; 0: one from the system.
  package func create(named name: String, seed: UInt64, _ world: LabWorld) throws {
    let now = clock()
    try store.write(nil) { transaction in
      // Another process may have been quicker, and somebody may have used its world since.
      guard try transaction.document(.lab, LabState.key) == nil else { return }
      let device = world.device
      try transaction.write(LabState(name: name, deviceID: device.id), .lab, LabState.key)
      let seed = seed == 0 ? SystemClock.seed() : seed
      try transaction.write(LabChance(source: Randomness(seed: seed)), .lab, LabChance.key)
      try transaction.write(device, .device, device.id)
      let directory = Directory(documents: transaction)
      for tenant in world.tenants { try directory.save(tenant) }
      for person in world.people { try directory.save(person) }
      try directory.save(ClientRegistration.authenticationBroker)
      for policy in world.policies { try directory.save(policy) }
      if let isCompliant = world.isCompliant {
        try directory.save(ManagedDevice(serial: device.id, isCompliant: isCompliant))
      }
      for registration in world.registrations { try directory.save(registration) }
      for app in world.apps { try transaction.write(app, .app, device.id + "/" + app.bundleID) }
      let stage = try Stage(transaction, realTime: now)
      for held in world.brokerAccounts { try stage.give(held) }
      for username in world.certificates { try stage.provision(username) }
      try stage.saveChance()
    }
  }
}

extension Stage {
  /// An account that the broker already holds, from a sign-in before the story.
  fileprivate func give(_ held: LabWorld.BrokerHolding) throws {
    let directory = Directory(documents: transaction)
    guard let person = try directory.person(username: held.username) else { return }
    let secret = try RefreshTokens(documents: transaction, now: now).issue(
      .primary, for: person, client: .authenticationBroker, deviceID: device.id, chance: chance)
    if !person.isPersonal {
      let device = try provider(.system, actor: "").registerDevice(
        serial: device.id, displayName: device.name, platform: device.platform.rawValue, person: person,
        primaryRefreshToken: secret)
      try deviceKeychain.keep(
        tenantID: device.tenantID, username: person.username, deviceID: device.deviceID,
        thumbprint: device.thumbprint, privateKey: chance.bytes(32))
    }
    let isExpired = held.state == .expired
    if isExpired { try provider(.system, actor: "").expireRefreshToken(secret: secret) }
    let lifetime = RefreshTokenRecord.lifetime(of: .primary)
    let account =
      BrokerAccount(
        homeAccountID: person.clientInfo.homeAccountID, username: person.username,
        displayName: person.displayName,
        tenantName: try directory.tenant(byNameOrID: person.homeTenantID)?.displayName ?? person.homeTenantID,
        primaryRefreshToken: secret, expiresOn: isExpired ? now : now.adding(seconds: lifetime))
    try transaction.write(account, .brokerAccount, device.id + "/" + account.homeAccountID)
  }

  /// A certificate for a person on this device, as an administrator puts it there: the directory knows its thumbprint (claim D4).
  fileprivate func provision(_ username: String) throws {
    let directory = Directory(documents: transaction)
    guard var person = try directory.person(username: username) else { return }
    let thumbprint = chance.bytes(20).map(hexadecimal).joined().uppercased()
    person.certificates.append(thumbprint)
    try directory.save(person)
    device.certificates.append(DeviceCertificate(username: person.username, thumbprint: thumbprint))
    try transaction.write(device, .device, device.id)
  }
}
