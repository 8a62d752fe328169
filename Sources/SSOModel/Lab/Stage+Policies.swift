import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider

/// What an administrator does: policies, device management, Intune's protection of an app.
extension Stage {
  private var directory: Directory { Directory(documents: transaction) }

  func setPolicy(_ policy: Policy) throws -> Outcome {
    guard !policy.name.isEmpty, policy.name.count <= 80 else {
      throw LabError(
        .badInput, "A policy needs a name.", why: "Expected 1 to 80 characters.",
        next: "ssoterm policy add NAME --require compliantDevice")
    }
    if let name = policy.username, try directory.person(username: name) == nil {
      throw LabError.unknown(
        .unknownAccount, "person", name, among: try directory.people().map(\.username),
        list: "ssoterm person list")
    }
    try directory.save(policy)
    trace.add(.system, .provider, "set policy “\(policy.name)”", result: policy.words)
    return Outcome(.succeeded, "Policy “\(policy.name)”: \(policy.words).")
  }

  func removePolicy(_ name: String) throws -> Outcome {
    guard try directory.removePolicy(name) else {
      throw LabError.unknown(
        .nothingMatched, "policy", name, among: try directory.policies().map(\.name),
        list: "ssoterm policy list")
    }
    trace.add(.system, .provider, "remove policy “\(name)”", result: "done")
    return Outcome(.succeeded, "Policy “\(name)” is removed.")
  }

  func setCompliance(_ isCompliant: Bool) throws -> Outcome {
    try directory.save(ManagedDevice(serial: device.id, isCompliant: isCompliant))
    let word = isCompliant ? "compliant" : "not compliant"
    trace.add(.system, .provider, "device management reports \(device.name)", result: word)
    return Outcome(.succeeded, "\(device.name) is \(word).")
  }

  /// Intune's SDK enrols the app for one account, and leaves the ID in the app's defaults.
  func enroll(_ app: InstalledApp, _ account: String) throws -> Outcome {
    guard let person = try directory.person(username: account) else {
      throw LabError.unknown(
        .unknownAccount, "person", account, among: try directory.people().map(\.username),
        list: "ssoterm person list")
    }
    let id = chance.uuid()
    try directory.save(
      AppEnrollment(id: id, clientID: app.clientID, username: person.username.lowercased()))
    try surroundings(of: app).defaults.enroll(
      IntuneEnrollment(
        tenantID: person.homeTenantID, objectID: person.objectID,
        homeAccountID: person.clientInfo.homeAccountID, userID: person.username, enrollmentID: id))
    trace.add(
      .app, .provider, actor: app.bundleID, "enrol at Intune", result: id,
      sent: [NameValue("user", person.username)])
    return Outcome(
      .succeeded, "Intune protects \(app.displayName) for \(person.username).", username: person.username,
      homeAccountID: person.clientInfo.homeAccountID)
  }

  var deviceKeychain: DeviceKeychain {
    let caller = KeychainCaller(
      bundleID: brokerBundleID, displayName: "Broker",
      entitledGroups: [DeviceKeychain.group, DeviceKeychain.secondGroup])
    return DeviceKeychain(
      keychain: Keychain(
        store: credentials, app: caller, now: now, trace: trace, isLocked: device.isLocked, party: .broker),
      now: now)
  }

  /// The system's browser: its cookies, and the certificate that the person shows.
  func browseWithCertificate(_ request: HTTPRequest, for app: InstalledApp) throws -> WebResult {
    let hint = request.query["login_hint"]?.lowercased()
    let certificates = device.certificates
    let shown = certificates.first { $0.username.lowercased() == hint } ?? certificates.first
    trace.add(
      .system, .provider, actor: app.bundleID, "TLS with a client certificate",
      result: shown.map { "the certificate of \($0.username)" } ?? "no certificate on this device")
    return try browse(
      request, jar: device.browserJar, by: .system, actor: app.bundleID,
      presenting: shown.map { [NameValue(Provider.certificateCookie, $0.thumbprint)] } ?? [])
  }
}

extension Policy {
  /// What it demands, and of whom.
  package var words: String {
    let demand =
      switch requires {
      case .registeredDevice: "a registered device"
      case .compliantDevice: "a compliant device"
      case .approvedApp: "an approved app"
      case .appProtection: "an app that Intune protects"
      case .certificate: "sign-in with a certificate"
      }
    let scope = [
      username.map { "for \($0)" }, tenantID.map { "in tenant \($0)" }, clientID.map { "in client \($0)" },
    ]
    return ([demand] + scope.compactMap(\.self)).joined(separator: " ")
  }
}
