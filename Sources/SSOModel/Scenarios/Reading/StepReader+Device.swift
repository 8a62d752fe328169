/// Steps about the broker app and the connection between it and the apps.
extension StepReader {
  static let deviceVerbs = ["installBroker", "removeBroker", "disturb", "reinstall", "openURL"]

  /// - Returns: The intent, or `nil` if the verb is not in ``deviceVerbs``.
  func deviceIntent(_ entry: ScenarioTree.Entry) throws(ScenarioError) -> Intent? {
    switch entry.key {
    case "installBroker":
      let keys = try ScenarioFields(
        entry.value, named: entry.key, allowed: ["version", "managedByAdmin", "apps"])
      return .installBroker(version: try keys.text("version"), managed: try keys.management(in: world))
    case "removeBroker": return .removeBroker
    case "disturb":
      let keys = try ScenarioFields(entry.value, named: entry.key, allowed: ["app", "with"])
      return .injectFault(
        app: try keys.required("app").app("app", in: world), try keys.required("with").choice("with"))
    case "reinstall":
      let keys = try ScenarioFields(entry.value, named: entry.key, allowed: ["app"])
      return .reinstall(app: try keys.required("app").app("app", in: world))
    case "openURL":
      let keys = try ScenarioFields(entry.value, named: entry.key, allowed: ["from", "url"])
      return .openURL(
        try keys.requiredText("url"), from: try keys.required("from").app("from", in: world))
    default: return nil
    }
  }
}

extension ScenarioFields {
  /// Reads `managedByAdmin: true`, and `apps:` if this is not for the entire device.
  func management(in world: LabWorld) throws(ScenarioError) -> BrokerManagement? {
    var apps: [String]?
    if let list = try list("apps") {
      apps = []
      for tree in list { apps?.append(try tree.app("apps", in: world)) }
    }
    guard try flag("managedByAdmin") ?? (apps != nil) else { return nil }
    return BrokerManagement(apps: apps)
  }
}
