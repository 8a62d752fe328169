extension StepReader {
  static let recordVerbs = ["set", "add", "remove"]

  /// Reads a change of a record, such as `set: {app: com.contoso.mytestapp2, fields: [teamID=F6G7H8I9J0]}`.
  ///
  /// The other forms are `add: {person: grace@contoso.com, fields: [password=bug]}` and
  /// `remove: {person: grace@contoso.com}`.
  func edit(_ tree: ScenarioTree, verb: String) throws(ScenarioError) -> Intent {
    let kinds = RecordKind.allCases.map(\.rawValue)
    let keys = try ScenarioFields(tree, named: verb, allowed: verb == "remove" ? kinds : kinds + ["fields"])
    guard let kind = RecordKind.allCases.first(where: { keys[$0.rawValue] != nil }) else {
      throw tree.wrongType(verb, wanted: "one record and its fields", allowed: kinds)
    }
    let record = try keys.requiredText(kind.rawValue)
    if verb == "remove" { return .remove(kind, record: record) }
    let fields = verb == "set" ? try keys.required("fields").list("fields") : try keys.list("fields") ?? []
    var changes: [FieldChange] = []
    for field in fields {
      let text = try field.text("fields")
      do throws(LabError) {
        changes.append(try FieldChange(text))
      } catch {
        throw field.place.error("fields", "is not valid: \(error.why)")
      }
    }
    return verb == "add" ? .add(kind, record: record, changes) : .edit(kind, record: record, changes)
  }
}
