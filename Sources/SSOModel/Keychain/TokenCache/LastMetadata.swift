import Essentials

/// The account metadata that was read most recently, with its bytes.
///
/// A client has one item, which grows with each account, and a single call requests it several times. As in the real
/// SDK, it is read each time, but it is parsed only once.
package final class LastMetadata {
  private var data: Data?
  private var metadata: AccountMetadata?

  package init() {}

  func value(of data: Data) -> AccountMetadata? {
    if data != self.data { (self.data, metadata) = (data, AccountMetadata(data: data)) }
    return metadata
  }
}
