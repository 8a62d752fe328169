import Foundation

/// The account metadata that was read last, with its bytes.
///
/// One call asks for it several times, and a client has one item that grows with each account: it is read each time, as in
/// life, and taken apart once.
final class LastMetadata {
  private var data: Data?
  private var metadata: AccountMetadata?

  func value(of data: Data) -> AccountMetadata? {
    if data != self.data {
      metadata = AccountMetadata(data: data)
      self.data = data
    }
    return metadata
  }
}
