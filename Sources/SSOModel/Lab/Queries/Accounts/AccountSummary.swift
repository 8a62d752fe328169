import Essentials

/// The keychain attributes of an account that a very long list needs to display and sort it.
package struct AccountSummary: Hashable, Sendable {
  /// The number for ``AccountQueries/rows(_:)``.
  ///
  /// It is the row of the account's first item, or a negative number if it has none, and valid until the
  /// program ends.
  package var row: Int64
  /// The username in lowercase, as in the generic attribute.
  package var username: String
  /// The home tenant's name, if the directory knows it, and its ID.
  package var tenant: String
  /// The identifier for finding the account again: the home account ID, or the username if that is unknown.
  package var identifier: String
}

/// The details of an account that a very long list can also be searched by.
///
/// Each must be unsealed.
package struct AccountDetails: Hashable, Sendable {
  package var row: Int64
  /// The username as the provider wrote it.
  package var username: String
  package var name: String
  /// The apps in which the account is signed in.
  package var apps: String
}
