import Essentials

/// The account metadata that was read last, with its bytes.
///
/// A client has one item that grows with each account, and one call asks for it several times: it is read each time, as in
/// life, and taken apart once.
package final class LastMetadata {
  private var data: Data?
  private var metadata: AccountMetadata?

  package init() {}

  func value(of data: Data) -> AccountMetadata? {
    if data != self.data { (self.data, metadata) = (data, AccountMetadata(data: data)) }
    return metadata
  }
}
