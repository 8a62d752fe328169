extension LabAddress {
  /// Parses the address of a lab on a PostgreSQL server.
  ///
  /// `stateFolder` is the user's state folder of ssoterm.
  ///
  /// - Throws: `badAddress` for a lab name with other characters.
  package init(_ text: String, stateFolder: String) throws(StoreError) {
    try self.init(
      text, stateFolder: stateFolder,
      driver: ServerDriver(
        connect: { address throws(StoreError) in try PostgresConnection(address) },
        listen: { address throws(StoreError) in try LabListener(address) }))
  }
}
