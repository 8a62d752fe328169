extension ScenarioFields {
  /// Applies the values of the map to a record, field by field.
  ///
  /// The caller reads the fields that identify the record and the fields that have a structure of their own.
  func lay<Record: DescribedRecord>(over record: inout Record) throws(ScenarioError) {
    for field in Record.fields where !field.description.isIdentity {
      let (name, form) = (field.description.name, field.description.form)
      if isNull(name), field.description.isOptional { _ = field.assign(&record, .null) }
      guard let tree = self[name], let value = try tree.value(name, form) else { continue }
      guard field.assign(&record, value) else { throw tree.wrongType(name, wanted: "another value") }
    }
  }
}

extension ScenarioTree {
  /// Returns the value for a field of a record, or `nil` for a structure.
  fileprivate func value(_ key: String, _ form: RecordFieldForm) throws(ScenarioError) -> JSONValue? {
    switch form {
    case .text: return .string(try text(key))
    case .flag: return .bool(try flag(key))
    case .number: return .integer(Int64(try number(key)))
    case .choice(let words): return .string(try word(key, among: words))
    case .texts:
      return .array(try list(key).map { element throws(ScenarioError) in .string(try element.text(key)) })
    case .structure: return nil
    }
  }
}
