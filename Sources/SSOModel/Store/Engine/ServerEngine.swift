/// An engine whose stores are labs of a server.
package protocol ServerEngine: StoreEngine {
  /// Has the connection's news handed to `listener`.
  func setListener(_ listener: @escaping @Sendable (StoreNews) -> Void)
  /// Whether the server has the lab.
  func hasLab() throws(StoreError) -> Bool
  /// What the server says of the lab; nil if there is none.
  func foundLab() throws(StoreError) -> FoundLab?
  /// Makes the lab, unless another process was quicker; `fill` makes its tables and first rows.
  /// - Throws: `StoreError`, and what `fill` throws; nothing is made then.
  func makeLab(_ fill: () throws -> Void) throws
  /// Removes the lab with all that it has.
  func removeLab() throws(StoreError)
  /// The names of all labs in the database, in order.
  func labNames() throws(StoreError) -> [String]
}

/// Hears of the commits of a lab, until it is released.
package protocol CommitListener: AnyObject, Sendable {
  /// Readable when something was committed, or may have been.
  var descriptor: Int32 { get }
}

/// The way to the labs of a kind of server.
package struct ServerDriver: Sendable {
  let connect: @Sendable (LabAddress) throws(StoreError) -> any ServerEngine
  let listen: @Sendable (LabAddress) throws(StoreError) -> any CommitListener

  package init(
    connect: @escaping @Sendable (LabAddress) throws(StoreError) -> any ServerEngine,
    listen: @escaping @Sendable (LabAddress) throws(StoreError) -> any CommitListener
  ) {
    (self.connect, self.listen) = (connect, listen)
  }
}
