import Essentials

/// What a list of very many accounts needs of each to show and sort it: what its keychain attributes say.
package struct AccountSummary: Hashable, Sendable {
  /// What ``AccountQueries/rows(_:)`` reads it by.
  ///
  /// The row of its first item, or a negative number if it has none. Good as long as the program runs.
  package var row: Int64
  /// As written in the generic attribute: in lower case.
  package var username: String
  /// The home tenant's name if the directory knows it, and its ID.
  package var tenant: String
  /// What finds the account again: the home account ID, or where none is known the username.
  package var identifier: String
}

/// What a list of very many accounts is searched by besides: that takes unsealing each.
package struct AccountDetails: Hashable, Sendable {
  package var row: Int64
  /// As the provider wrote it.
  package var username: String
  package var name: String
  /// The apps it is signed in to.
  package var apps: String
}
