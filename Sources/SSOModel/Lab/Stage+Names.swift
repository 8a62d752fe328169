import SSODevice

/// Apps by the names that people give them.
extension Stage {
  /// The app with a bundle ID, a display name, or an unambiguous part of one.
  /// - Throws: `LabError`, with the nearest name.
  func app(_ name: String) throws -> InstalledApp {
    if let exact = installed.first(where: { $0.bundleID == name }) { return exact }
    let wanted = name.lowercased()
    if let exact = installed.first(where: { $0.displayName.lowercased() == wanted }) { return exact }
    let matches = installed.filter {
      $0.bundleID.lowercased().contains(wanted) || $0.displayName.lowercased().contains(wanted)
    }
    guard let match = matches.first else {
      throw LabError.unknown(
        .unknownApp, "app", name, among: installed.flatMap { [$0.bundleID, $0.displayName] },
        list: "ssoterm apps")
    }
    guard matches.count == 1 else {
      throw LabError(
        .ambiguousApp, "\(name) fits \(matches.count) apps.",
        why: "It is part of \(matches.map(\.bundleID).joined(separator: ", ")).",
        next: "Name one: \(match.bundleID)")
    }
    return match
  }

  /// The intent with the whole bundle ID of its app, as journal and trace name it.
  func spellingOut(_ intent: Intent) throws -> Intent {
    switch intent {
    case .signIn(let app, let account, let scopes, let prompt, let options):
      .signIn(
        app: try self.app(app).bundleID, account: account, scopes: scopes, prompt: prompt, options: options)
    case .acquireSilently(let app, let account, let scopes, let forceRefresh, let options):
      .acquireSilently(
        app: try self.app(app).bundleID, account: account, scopes: scopes, forceRefresh: forceRefresh,
        options: options)
    case .signOut(let app, let account, let options):
      .signOut(app: try self.app(app).bundleID, account: account, options: options)
    case .currentAccount(let app): .currentAccount(app: try self.app(app).bundleID)
    case .endApp(let app): .endApp(app: try self.app(app).bundleID)
    case .handOver(let giver, let app):
      .handOver(from: try giver.map { try self.app($0).bundleID }, to: try self.app(app).bundleID)
    default: intent
    }
  }
}
