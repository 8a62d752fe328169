import SSOCore
import SSODevice
import SSOProvider
import SSOReference

/// The import of a project's apps and registrations, which updates the existing ones.
package struct ImportProject: Intent {
  package static let verb = "importProject"
  /// The name that the user specified.
  let name: String
  let apps: [InstalledApp]
  let registrations: [ClientRegistration]
  /// The web apps: added as clients that the directory does not have yet.
  let clients: [ClientRegistration]

  package init(
    name: String, apps: [InstalledApp], registrations: [ClientRegistration], clients: [ClientRegistration]
  ) {
    self.name = name
    self.apps = apps
    self.registrations = registrations
    self.clients = clients
  }

  package var displayText: String { "import the project \(name)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let effects = try ChangeEffects(before: transaction)
    var lines: [Advice] = []
    var here: [InstalledApp] = []
    for registration in registrations {
      let known = try transaction.directory.registration(clientID: registration.clientID)
      let record = merged(registration, with: known)
      lines += changes(of: "registration \(registration.clientID)", from: known, to: record)
      try transaction.store.save(record)
    }
    let device = transaction.device
    var placed: [InstalledApp] = []
    // The apps that the device in use runs keep it, if one ID is built for several platforms.
    for app in apps.filter(device.runs) + apps.filter({ !device.runs($0) }) {
      let home = try transaction.device(for: app, besides: placed)
      let key = home.id + "/" + app.bundleID
      let known = try transaction.store.read(InstalledApp.self, .app, key)?.asInstalled(on: home.platform)
      // Compare it as the lab reads it back: without a redirect URI, the SDK uses a default.
      let record = merged(app.withDefaultRedirectURI(on: home.platform), with: known, on: home)
      lines += changes(of: app.bundleID, from: known, to: record)
      try transaction.store.write(record, .app, key)
      lines += try register(record, in: transaction) + transaction.homeAdvice(for: record, on: home)
      placed.append(app)
      if home.id == device.id { here.append(app) }
    }
    for client in clients {
      if let known = try transaction.directory.registration(clientID: client.clientID) {
        if known.spaRedirectURIs != client.spaRedirectURIs {
          lines.append(
            "registration \(client.clientID): kept, although the web app \(client.displayName) has another redirect URI"
          )
        }
        continue
      }
      try transaction.store.save(client)
      let redirect = client.spaRedirectURIs?.first ?? "no redirect URI, because its files do not contain one"
      lines.append(
        "registration \(client.clientID): added for the web app \(client.displayName), with \(redirect)")
    }
    lines += notesOnPlatforms(here, device)
    transaction.trace.add(
      .person, .app, "import \(name)", result: lines.isEmpty ? "nothing differs" : "done",
      sent: apps.map { NameValue("app", $0.bundleID) }
        + registrations.map { NameValue("registration", $0.clientID) })
    let names =
      apps.map(\.bundleID) + registrations.map(\.displayName)
      + clients.map(\.displayName)
    return Outcome(
      .succeeded,
      lines.isEmpty
        ? "\(names.joined(separator: ", ")): nothing differs."
        : "Imported \(names.joined(separator: ", ")).",
      next: (here.first ?? apps.first).map { "\(.why, $0.bundleID); to undo it: \(.undo)" },
      effects: lines + (try effects.lines(after: transaction)))
  }

  /// Returns a note for each other platform of apps on the device in use, on which they do not run.
  private func notesOnPlatforms(_ apps: [InstalledApp], _ device: Device) -> [Advice] {
    Platform.allCases.filter { $0 != device.platform }.compactMap { platform -> Advice? in
      let names = apps.filter { $0.platform == platform }.map(\.bundleID)
      guard !names.isEmpty else { return nil }
      return """
        \(names.joined(separator: ", ")): built for \(platform.rawValue), and the device runs \
        \(device.platform.rawValue); change it: \(.set, "device", device.id, "platform=\(platform.rawValue)")
        """
    }
  }

  /// The vendor of apps and registrations if no file specifies one.
  private static let unknownVendor = "imported"

  /// Registers an unknown client with the values that the app sends, so that it can sign in.
  private func register(_ app: InstalledApp, in transaction: IntentTransaction) throws -> [Advice] {
    guard !app.clientID.isEmpty else { return [] }
    let redirect = app.redirectURI
    if var known = try transaction.directory.registration(clientID: app.clientID) {
      // A registration that was added for another app has only the apps' redirect URIs.
      guard known.publisher == Self.unknownVendor, !redirect.isEmpty, !known.redirectURIs.contains(redirect),
        !registrations.contains(where: { $0.clientID == app.clientID })
      else { return [] }
      known.redirectURIs.append(redirect)
      try transaction.store.save(known)
      return ["registration \(app.clientID): redirect URI \(redirect) added"]
    }
    try transaction.store.save(
      ClientRegistration(
        clientID: app.clientID, displayName: app.displayName, publisher: app.vendor,
        redirectURIs: redirect.isEmpty ? [] : [redirect]))
    let others = registrations.map(\.clientID)
    guard let other = others.first else {
      return ["registration \(app.clientID): added, as none was imported, with \(redirect)"]
    }
    return [
      """
      registration \(app.clientID): added, with \(redirect), because the imported one is of another client, \(other); if \
      Entra does not know this client, it answers AADSTS\(AADSTSCode.clientNotFound.number): \
      \(.explain, "AADSTS\(AADSTSCode.clientNotFound.number)")
      """
    ]
  }

  /// Returns a line for each changed field.
  private func changes<Record: DescribedRecord>(
    of name: String, from old: Record?, to new: Record
  ) -> [Advice] {
    guard let old else { return ["\(name): added"] }
    return Record.fields.compactMap { field in
      let (before, after) = (field.value(old), field.value(new))
      guard before != after else { return nil }
      let isSecret = field.description.isSecret
      return isSecret
        ? "\(name): \(field.description.name) changed"
        : "\(name): \(field.description.name) \(before.text(.wire)) -> \(after.text(.wire))"
    }
  }
}

extension ImportProject {
  /// Adds the values that no file of a project specifies from the existing app; from an app for another platform, it
  /// adds only values that do not depend on the platform.
  private func merged(_ read: InstalledApp, with known: InstalledApp?, on device: Device) -> InstalledApp {
    var app = read
    guard let known else {
      if app.vendor.isEmpty { app.vendor = Self.unknownVendor }
      return app
    }
    app.vendor = known.vendor
    app.version = known.version
    app.scopes = known.scopes
    if app.clientID.isEmpty { app.clientID = known.clientID }
    guard device.platform(of: known) == device.platform(of: app) else { return app }
    if app.platform == .android {
      // MSAL's configuration has the web view, and no file is read for the app's name. A filter is the default.
      app.displayName = known.displayName
      if app.urlForwarding == .both, known.urlForwarding == nil { app.urlForwarding = nil }
    } else {
      app.webView = known.webView
    }
    app.clientCapabilities = known.clientCapabilities
    app.extendedLifetimeEnabled = known.extendedLifetimeEnabled
    app.userIDType = known.userIDType
    app.tokenExpirationBuffer = known.tokenExpirationBuffer
    return app
  }

  /// Adds the values that no manifest specifies from the existing registration: secrets, scopes, family.
  private func merged(_ read: ClientRegistration, with known: ClientRegistration?) -> ClientRegistration {
    guard var record = known else { return read }
    record.displayName = read.displayName
    record.redirectURIs = read.redirectURIs
    record.spaRedirectURIs = read.spaRedirectURIs
    record.webRedirectURIs = read.webRedirectURIs
    record.allowsPublicClient = read.allowsPublicClient ?? record.allowsPublicClient
    record.requiredAPIs = read.requiredAPIs ?? record.requiredAPIs
    record.isMultiTenant = read.isMultiTenant
    record.accessTokenVersion = read.accessTokenVersion
    record.optionalClaims = read.optionalClaims ?? record.optionalClaims
    return record
  }
}
