/// The buses on which brokers of this lab were started: one document, kind `server`.
struct BusNote: Codable {
  static let key = "bus"
  /// Of buses that are remembered: each machine of a team has one or two.
  private static let most = 64

  /// The newest.
  var address: String
  /// Those before it, the newest first; nil in documents of earlier versions.
  var earlier: [String]?

  var addresses: [String] { [address] + (earlier ?? []) }

  init(_ address: String, after before: BusNote?) {
    self.address = address
    let others = (before?.addresses ?? []).filter { $0 != address }
    earlier = Array(others.prefix(Self.most - 1))
  }
}

extension ProviderQueries {
  /// The addresses of the buses on which brokers were started, the newest first; they may have ended.
  package func notedBusAddresses() throws -> [String] {
    try reader.documents.read(BusNote.self, .server, BusNote.key)?.addresses ?? []
  }
}
