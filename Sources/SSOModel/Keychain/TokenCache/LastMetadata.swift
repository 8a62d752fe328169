import Essentials

/// The account metadata that was read last, with its bytes.
///
/// A client has one item that grows with each account, and one call asks for it several times: it is read each time, as in
/// life, and taken apart once.
package final class LastMetadata {
  private var data: Data?
  private var metadata: AccountMetadata?
  private var states: [String: AccountMetadata.SignInState]?

  package init() {}

  func value(of data: Data) -> AccountMetadata? {
    if data != self.data { (self.data, metadata, states) = (data, AccountMetadata(data: data), nil) }
    return metadata
  }

  /// The sign-in states in it, by normalized home account ID.
  var signInStates: [String: AccountMetadata.SignInState] {
    if let states { return states }
    let entries = metadata.map { Array($0.entries.values) } ?? []
    let found = Dictionary(entries.map { (normalized($0.homeAccountID), $0.signInState) }) { $1 }
    states = found
    return found
  }
}
