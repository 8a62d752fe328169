extension StepReader {
  /// Reads `fault: clear`, or `fault: {endpoint: token, kind: "503", clientID: …, times: 1}`.
  func fault(_ tree: ScenarioTree) throws(ScenarioError) -> Intent {
    if case .scalar = tree.value {
      _ = try tree.word("fault", among: ["clear"])
      return .clearFaults
    }
    let keys = try ScenarioFields(
      tree, named: "fault", allowed: ["endpoint", "kind", "clientID", "times"])
    let text = try keys.requiredText("kind")
    let place = try keys.required("kind").place
    guard let kind = Fault.Kind(text) else {
      throw place.error(
        "kind", "has the value '\(text)', which is not a kind of fault", allowed: Fault.Kind.allowed)
    }
    let times = try keys.number("times")
    guard times.map({ $0 > 0 }) ?? true else {
      throw tree.place.error("times", "must be 1 or more")
    }
    return .addFault(
      Fault(
        try keys.required("endpoint").choice("endpoint"), kind, clientID: try keys.text("clientID"),
        remaining: times))
  }
}
