extension Lab {
  /// Makes the lab ready for programs from outside: the registrations they expect are added where they miss.
  /// - Returns: those registrations, as the lab has them.
  public func addRealClients() throws -> [ClientRegistration] {
    try store.write(nil) { transaction in
      let stage = try Stage(transaction, realTime: clock())
      let registrations = try Directory(documents: transaction).addRealClients(chance: stage.chance)
      try stage.saveChance()
      return registrations
    }
  }
}
