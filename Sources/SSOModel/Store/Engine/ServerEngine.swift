/// An engine whose stores are labs on a server.
package protocol ServerEngine: StoreEngine {
  /// Sets the listener for the connection's events.
  func setListener(_ listener: @escaping @Sendable (StoreEvent) -> Void)
  /// Returns whether the server has the lab.
  func hasLab() throws(StoreError) -> Bool
  /// Returns the server's facts about the lab, or `nil` if it does not exist.
  func foundLab() throws(StoreError) -> FoundLab?
  /// Creates the lab, unless another process was faster.
  ///
  /// `fill` creates its tables and first rows.
  ///
  /// - Throws: `StoreError`, and the error of `fill`, in which case nothing is created.
  func makeLab(_ fill: () throws -> Void) throws
  /// Removes the lab with all its data.
  func removeLab() throws(StoreError)
  /// Returns the names of all labs in the database, in order.
  func labNames() throws(StoreError) -> [String]
}

/// A listener for the commits of a lab.
///
/// It listens until it is released.
package protocol CommitListener: AnyObject, Sendable {
  /// The descriptor, which is readable after a possible commit.
  var descriptor: Int32 { get }
}

/// The functions that connect to labs on a kind of server.
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
