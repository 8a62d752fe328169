/// Tenants as lists name them: each is looked up once.
struct TenantNames {
  private let reader: LabReader
  private var names: [String: String?] = [:]
  /// The text that was asked for last: most accounts of a list share it.
  private var last = (id: "", text: "")

  init(on reader: LabReader) { self.reader = reader }

  /// The display name; nil for a tenant that the directory does not know.
  mutating func name(_ id: String) throws -> String? {
    if let known = names[id] { return known }
    let name = try reader.directory.tenant(byNameOrID: id)?.displayName
    names[id] = name
    return name
  }

  /// The name if there is one, and the ID, to be searched by either.
  mutating func text(_ id: String) throws -> String {
    if id != last.id { last = (id, try name(id).map { "\($0) \(id)" } ?? id) }
    return last.text
  }
}
