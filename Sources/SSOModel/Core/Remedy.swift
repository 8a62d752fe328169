/// A change of one field of a record, after which a failed check holds.
///
/// It is made where the check is made, so that the two go by the same value. That another check fails afterwards is possible.
package struct Remedy: Codable, Hashable, Sendable {
  /// The kinds of record that a check may be about, as the command line names them.
  package enum Kind: String, Codable, Sendable { case app, device, person, registration }

  package var kind: Kind
  /// What names the record: a bundle ID, a device's ID, a username, a client ID.
  package var record: String
  /// As it is typed: `keychainSharingGroup=com.microsoft.adalcache`, `queriesSchemes+=msauthv2`.
  package var change: String

  package init(_ kind: Kind, _ record: String, _ change: String) {
    self.kind = kind
    self.record = record
    self.change = change
  }
}
