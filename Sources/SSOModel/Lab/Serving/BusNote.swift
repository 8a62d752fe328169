/// The buses on which brokers of this lab were started: one document of the kind `server`.
struct BusNote: Codable {
  static let key = "bus"
  /// The maximum number of remembered buses.
  ///
  /// Each machine of a team has one or two.
  private static let most = 64

  /// The newest address.
  var address: String
  /// The earlier addresses, newest first, or `nil` in documents of earlier versions.
  var earlier: [String]?

  var addresses: [String] { [address] + (earlier ?? []) }

  init(_ address: String, after before: BusNote?) {
    self.address = address
    let others = (before?.addresses ?? []).filter { $0 != address }
    earlier = Array(others.prefix(Self.most - 1))
  }
}

extension ProviderQueries {
  /// Returns the addresses of the buses on which brokers were started, newest first.
  ///
  /// The buses may no longer exist.
  package func notedBusAddresses() throws -> [String] {
    try reader.documents.read(BusNote.self, .server, BusNote.key)?.addresses ?? []
  }
}
