/// A change to one field of a record that makes a failed check pass.
///
/// It is created together with the check, so that both use the same value. Another check may still fail afterwards.
package struct Remedy: Codable, Hashable, Sendable {
  /// The kind of record that a check is about, as the command line names it.
  package enum Kind: String, Codable, Sendable { case app, device, person, registration }

  package var kind: Kind
  /// The record's identifier: a bundle ID, a device ID, a username, or a client ID.
  package var record: String
  /// The change as the user types it, such as `keychainSharingGroup=com.microsoft.adalcache` or
  /// `queriesSchemes+=msauthv2`.
  package var change: String

  package init(_ kind: Kind, _ record: String, _ change: String) {
    self.kind = kind
    self.record = record
    self.change = change
  }
}
