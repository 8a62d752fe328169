extension StepReader {
  /// `set: {app: com.contoso.mytestapp2, fields: [teamID=F6G7H8I9J0]}`
  func edit(_ tree: ScenarioTree) throws(ScenarioError) -> Intent {
    let kinds = RecordKind.allCases.map(\.rawValue)
    let keys = try ScenarioFields(tree, named: "set", allowed: kinds + ["fields"])
    guard let kind = RecordKind.allCases.first(where: { keys[$0.rawValue] != nil }) else {
      throw tree.wrongType("set", wanted: "one record and its fields", allowed: kinds)
    }
    var changes: [FieldChange] = []
    for field in try keys.required("fields").list("fields") {
      let text = try field.text("fields")
      do throws(LabError) {
        changes.append(try FieldChange(text))
      } catch {
        throw ScenarioError(
          file: field.place.file, line: field.place.line, key: "fields", "does not fit: \(error.why)")
      }
    }
    return .edit(kind, record: try keys.requiredText(kind.rawValue), changes)
  }
}
