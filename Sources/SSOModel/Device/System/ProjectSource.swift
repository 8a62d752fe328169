/// The input for checking a real app: the paths that the user passed, and the client ID if the files do not contain
/// one.
package struct ProjectSource: Codable, Hashable, Sendable {
  /// The projects, apps, and registrations, in the order in which the user passed them.
  package var paths: [String]
  /// The client ID for apps whose files do not contain one.
  package var clientID: String?

  package init(paths: [String], clientID: String? = nil) {
    self.paths = paths
    self.clientID = clientID
  }
}
