/// The tenants' display names for lists.
///
/// Each tenant is looked up once.
struct TenantNames {
  private let reader: LabReader
  private var names: [String: String?] = [:]
  /// The last requested text, which most accounts of a list share.
  private var last = (id: "", text: "")

  init(on reader: LabReader) { self.reader = reader }

  /// Returns the display name, or `nil` if the directory does not know the tenant.
  mutating func name(_ id: String) throws -> String? {
    if let known = names[id] { return known }
    let name = try reader.directory.tenant(byNameOrID: id)?.displayName
    names[id] = name
    return name
  }

  /// Returns the name, if there is one, and the ID, so that both can be searched.
  mutating func text(_ id: String) throws -> String {
    if id != last.id { last = (id, try name(id).map { "\($0) \(id)" } ?? id) }
    return last.text
  }
}
