/// Steps of Linux programs that call the broker over D-Bus.
extension StepReader {
  static let linuxVerbs = ["linuxProgram"]

  /// - Returns: The intent, or `nil` if the verb is not in ``linuxVerbs``.
  func linuxIntent(_ entry: ScenarioTree.Entry) throws(ScenarioError) -> Intent? {
    guard Self.linuxVerbs.contains(entry.key) else { return nil }
    let keys = try ScenarioFields(
      entry.value, named: entry.key,
      allowed: ["program", "client", "calls", "account", "scopes", "authority", "redirectURI", "prompt"])
    let method: LinuxBrokerMethod = try keys.required("calls").choice("calls")
    let account = try keys["account"].map { tree throws(ScenarioError) in
      try tree.person("account", in: world).username
    }
    let redirectURI = try keys.text("redirectURI") ?? WellKnownClients.nativeRedirectURI
    let authority = try keys.text("authority") ?? PublicCloud.commonAuthority
    var parameters: [String: JSONValue] = [
      "clientId": .string(try keys.requiredText("client")), "redirectUri": .string(redirectURI),
      "authority": .string(authority),
      "requestedScopes": .array((try keys.texts("scopes") ?? ["User.Read"]).map(JSONValue.string)),
    ]
    parameters["username"] = account.map(JSONValue.string)
    parameters["prompt"] = try keys.text("prompt").map(JSONValue.string)
    let body: JSONValue = ["authParameters": .object(parameters), "ssoUrl": .string(authority)]
    return .callLinuxBroker(
      LinuxBrokerCall(
        method, correlationID: "", body: body.text(.wire),
        caller: LinuxCaller(
          connection: ":1.1", userID: 1000, processID: 4711, executable: try keys.requiredText("program"))))
  }
}
