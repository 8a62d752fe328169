/// Steps of an administrator: policies, device management, Intune.
extension StepReader {
  static let policyVerbs = ["policy", "removePolicy", "compliance", "enroll"]

  /// - Returns: The intent, or `nil` if the verb is not in ``policyVerbs``.
  func policyIntent(_ entry: ScenarioTree.Entry) throws(ScenarioError) -> Intent? {
    switch entry.key {
    case "policy": return .setPolicy(try entry.value.policy(in: world))
    case "removePolicy":
      let keys = try ScenarioFields(entry.value, named: entry.key, allowed: ["name"])
      return .removePolicy(name: try keys.requiredText("name"))
    case "compliance":
      let keys = try ScenarioFields(entry.value, named: entry.key, allowed: ["compliant"])
      return .setCompliance(try keys.required("compliant").flag("compliant"))
    case "enroll":
      let keys = try ScenarioFields(entry.value, named: entry.key, allowed: ["app", "account"])
      return .enroll(
        app: try keys.required("app").app("app", in: world),
        account: try keys.required("account").person("account", in: world).username)
    default: return nil
    }
  }
}

extension ScenarioTree {
  /// Reads `{name: …, requires: compliantDevice, tenant: …, person: …, client: …, executables: […]}`.
  func policy(in world: LabWorld) throws(ScenarioError) -> Policy {
    let keys = try ScenarioFields(
      self, named: "policy", allowed: ["name", "requires", "tenant", "person", "client", "executables"])
    return Policy(
      name: try keys.requiredText("name"), requires: try keys.required("requires").choice("requires"),
      tenantID: try keys["tenant"].map { tree throws(ScenarioError) in
        try tree.tenantID("tenant", in: world.tenants)
      },
      username: try keys["person"].map { tree throws(ScenarioError) in
        try tree.person("person", in: world).username
      },
      clientID: try keys.text("client"),
      executables: try keys.texts("executables"))
  }
}
