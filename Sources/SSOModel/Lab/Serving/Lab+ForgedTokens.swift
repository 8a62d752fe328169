import Essentials

extension Lab {
  /// Returns a token for an API of the lab that is wrong in one way.
  ///
  /// - Parameters:
  ///   - kind: The flaw of the token.
  ///   - resource: The API, as the client ID, App ID URI, or name of a registration, or as a Microsoft API.
  ///   - permission: The last part of a scope.
  ///   - username: The user of the token, or `nil` for the lab's first user with a work account.
  ///   - port: The port of the provider, or `nil` for the server that started last.
  /// - Returns: The token with its flaw.
  /// - Throws: `LabError` for an unknown name.
  package func forge(
    _ kind: ForgedToken.Kind, for resource: String, permission: String = ".default", username: String? = nil,
    port: Int? = nil
  ) throws -> ForgedToken {
    // An identifier URI, or a client ID, which need not be registered because Microsoft's own are not.
    let isIdentifier = resource.contains(":") || UUID(uuidString: resource) != nil
    let audience =
      isIdentifier ? resource : try read { try $0.records.row(.registration, named: resource).name }
    let person = try read { try $0.directory.personOfTokens(username) }
    let port = try port ?? read { try $0.provider.notedServerPort() } ?? 8443
    // The signing key may have to be created.
    try checkWritable()
    return try store.write(nil) { store in
      let transaction = try IntentTransaction(
        store, realTime: clock(), random: RandomSource(SystemClock.randomness()),
        trace: TraceRecorder(isQuiet: true), keyReader: keyReader, isServed: true)
      let client = try transaction.directory.wellKnownClients().first { !$0.isConfidential }
      let caller = try client ?? transaction.directory.registrations().first
      guard let caller else { throw LabError.noRegistration }
      do {
        return try transaction.provider(.person, actor: "").forge(
          kind, for: audience, permission: permission, person: person,
          client: caller, origin: serverOrigin(port: port))
      } catch let error as OAuthError {
        throw LabError(
          .nothingMatched, error.message, why: "A token is for one API, and for one of its permissions.",
          next: "\(.list, "registration")")
      }
    }
  }
}

extension Directory {
  fileprivate func personOfTokens(_ username: String?) throws -> Person {
    let people = try people()
    if let username {
      guard let person = try person(username: username) else {
        throw LabError.unknown(
          .nothingMatched, "person", username, among: people.map(\.username), list: "\(.list, "person")")
      }
      return person
    }
    guard let person = people.first(where: { !$0.isPersonal && !$0.isDisabled }) ?? people.first else {
      throw LabError(
        .nothingMatched, "The lab has no person.", why: "A token is issued for a person.",
        next: "\(.add, "person", "ada@contoso.com")")
    }
    return person
  }
}

extension LabError {
  fileprivate static var noRegistration: LabError {
    LabError(
      .nothingMatched, "The lab has no app registration.", why: "A token is issued to an app.",
      next: "\(.add, "registration", "CLIENTID", "redirectURIs+=URI")")
  }
}
