/// The bus on which the broker that started last serves: one document, kind `server`.
struct BusNote: Codable {
  static let key = "bus"

  var address: String
}

extension ProviderQueries {
  /// The address of the bus on which a broker served last.
  package func notedBusAddress() throws -> String? {
    try reader.documents.read(BusNote.self, .server, BusNote.key)?.address
  }
}
