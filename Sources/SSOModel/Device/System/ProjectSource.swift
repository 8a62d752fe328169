/// What a person named to have a real app judged: its files, and the client ID that they lack.
package struct ProjectSource: Codable, Hashable, Sendable {
  /// Projects, apps and registrations, in the order in which they were named.
  package var paths: [String]
  /// For apps in whose files no client ID is found.
  package var clientID: String?

  package init(paths: [String], clientID: String? = nil) {
    self.paths = paths
    self.clientID = clientID
  }
}
