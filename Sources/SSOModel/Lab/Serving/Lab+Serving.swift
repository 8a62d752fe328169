import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

extension Lab {
  /// Creates a request that arrived at this moment, with separate random numbers.
  ///
  /// `isGeneric` makes discovery list values that Entra lacks. `browserMachine` is the machine of the browser, or `nil`
  /// if it is unknown.
  package func request(
    _ http: HTTPRequest, cookies: [NameValue] = [], approval: Approval, machine: ManagedIdentityHost? = nil,
    isGeneric: Bool = false, browserMachine: Machine? = nil
  ) -> ServedRequest {
    ServedRequest(
      http: http, cookies: cookies, approval: approval, moment: clock(), machine: machine,
      isGeneric: isGeneric, browserMachine: browserMachine)
  }

  /// Responds to a request.
  package func serve(_ http: HTTPRequest, cookies: [NameValue] = [], approval: Approval) throws
    -> ServedAnswer
  {
    try serve([request(http, cookies: cookies, approval: approval)])[0].get()
  }

  /// Responds to requests together.
  package func serve(_ requests: [ServedRequest]) -> [Result<ServedAnswer, any Error>] {
    let signed = answer(requests).answers.map { $0.signed() }
    let failure = answer([], saving: signed).failure
    do { try flush() } catch { return requests.map { _ in .failure(error) } }
    return signed.map { $0.result(unless: failure) }
  }

  /// Waits until the transactions of all responses so far are on the disk, after which clients may get the responses.
  package func flush() throws { try store.flush() }

  /// Responds to requests in one transaction.
  ///
  /// Each request is a separate part, which leaves nothing behind if it fails. The responses are durable after
  /// ``flush()``. The journal does not contain them, because an external client's response cannot be undone.
  /// - Parameters:
  ///   - requests: The requests to respond to.
  ///   - signed: Responses of earlier transactions. The copies of their tokens are saved too, for the lists.
  /// - Returns: The responses in the order of the requests.
  package func answer(_ requests: [ServedRequest], saving signed: [SignedAnswer] = []) -> ServedBatch {
    let copies = lastCopies(of: signed)
    guard !requests.isEmpty || !copies.isEmpty else { return ServedBatch() }
    do {
      return try store.again {
        try store.write(nil, isFlushed: false) { transaction in
          var batch = ServedBatch()
          transaction.rememberDocuments()
          do {
            try transaction.part {
              for (request, copy) in copies { try save(copy, of: request, in: transaction) }
            }
          } catch { batch.failure = error }
          batch.answers = requests.map { request in
            let signatures = DeferredSignatures()
            let result = Result { try answer(request, signatures, in: transaction) }
            return UnsignedAnswer(request: request, result: result, signatures: signatures)
          }
          return batch
        }
      }
    } catch {
      return ServedBatch(
        answers: requests.map { UnsignedAnswer(request: $0, result: .failure(error)) }, failure: error)
    }
  }

  private func save(_ copy: TokenCopy, of request: ServedRequest, in store: StoreTransaction) throws {
    let transaction = try intentTransaction(request, store, TraceRecorder(isDisabled: true))
    try MSALClient(transaction.runtime.context(of: copy.client.asApp)).cache.save(copy.tokens)
  }

  private func intentTransaction(
    _ request: ServedRequest, _ store: StoreTransaction, _ trace: TraceRecorder = TraceRecorder(),
    signatures: DeferredSignatures? = nil
  ) throws -> IntentTransaction {
    let transaction = try IntentTransaction(
      store, realTime: request.moment, random: RandomSource(request.random), trace: trace,
      keyReader: signatures.map(keyReader.deferring) ?? keyReader, isServed: true)
    transaction.isGeneric = request.isGeneric
    return transaction
  }

  private func answer(
    _ request: ServedRequest, _ signatures: DeferredSignatures, in store: StoreTransaction
  ) throws -> ServedAnswer {
    func part(_ body: (IntentTransaction) throws -> ServedAnswer) throws -> ServedAnswer {
      try store.part {
        try body(
          intentTransaction(request, store, signatures: request.asksForTokens ? signatures : nil))
      }
    }
    do {
      return try part { transaction in
        request.http.path == WaitingPage.path
          ? try TerminalApproval(transaction: transaction).page(for: request.http, cookies: request.cookies)
          : try RequestHandler(transaction: transaction).answer(request)
      }
    } catch is NeedsTerminal {
      return try part {
        try TerminalApproval(transaction: $0).start(for: request)
      }
    }
  }
}

/// The result of one transaction for several requests.
package struct ServedBatch: Sendable {
  package var answers: [UnsignedAnswer] = []
  /// The reason why the copies of earlier tokens could not be saved, or `nil` if they were.
  package var failure: (any Error)?
}

/// A durable response whose tokens are not signed yet.
package struct UnsignedAnswer: Sendable {
  let request: ServedRequest
  let result: Result<ServedAnswer, any Error>
  var signatures = DeferredSignatures()

  /// Signs the tokens.
  package func signed() -> SignedAnswer {
    SignedAnswer(request: request, result: result.flatMap { answer in Result { try signed(answer) } })
  }

  private func signed(_ answer: ServedAnswer) throws -> ServedAnswer {
    var answer = answer
    try signatures.compute().complete(&answer.answer.http.body)
    if let (client, moment) = answer.recipient {
      answer.copy = TokenCopy(of: answer.answer.http, to: client, for: request.http, at: moment)
    }
    return answer
  }
}

/// A response whose tokens are signed, but not in the lists yet.
package struct SignedAnswer: Sendable {
  let request: ServedRequest
  fileprivate let result: Result<ServedAnswer, any Error>

  /// Whether there is a copy for the lists, which is to be saved before the client gets the response.
  package var hasCopy: Bool { (try? result.get().copy) != nil }

  /// Returns the response, or an error if its copy could not be saved.
  package func result(unless failure: (any Error)?) -> Result<ServedAnswer, any Error> {
    failure.map { hasCopy ? .failure($0) : result } ?? result
  }
}

/// Returns the copies to keep, in order.
///
/// A client may receive tokens for the same user and scopes many times at once, and each copy replaces the
/// one before.
private func lastCopies(of served: [SignedAnswer]) -> [(ServedRequest, TokenCopy)] {
  var places: Set<TokenCopy.Place> = []
  var copies: [(ServedRequest, TokenCopy)] = []
  for part in served.reversed() {
    guard case .success(let answer) = part.result, let copy = answer.copy else { continue }
    if places.insert(copy.place).inserted { copies.append((part.request, copy)) }
  }
  return copies.reversed()
}

/// The certificate authority as stored: sealed, like everything secret.
package struct StoredCertificateAuthority: Codable, Hashable, Sendable {
  /// The DER of the certificate.
  package var certificate: Data
  /// The DER of the private key.
  package var key: Data

  package init(certificate: Data, key: Data) {
    self.certificate = certificate
    self.key = key
  }
}

/// A server's certificate as stored, so that a browser that trusts it still does after a restart.
package struct StoredServerCertificate: Codable, Hashable, Sendable {
  /// The PEM of the certificate.
  package var certificate: String
  /// The PEM of the private key.
  package var key: String
  /// The expiration, in seconds since 1970.
  package var validUntil: Int

  package init(certificate: String, key: String, validUntil: Int) {
    self.certificate = certificate
    self.key = key
    self.validUntil = validUntil
  }
}

extension StoredServerCertificate {
  /// Returns the last certificate that a server created, or `nil` if it has not created one.
  ///
  /// - Parameters:
  ///   - name: The kind of certificate: for clients that connect by name, or for clients that connect by
  ///     address.
  ///   - lab: The lab whose store contains it.
  /// - Returns: The certificate and its key.
  /// - Throws: `StoreError`.
  package static func kept(as name: String, in lab: Lab) throws -> StoredServerCertificate? {
    try lab.read { try $0.documents.read(Self.self, .certificateAuthority, key(name)) }
  }

  /// Saves the certificate for the next start, unless the lab is read-only.
  ///
  /// - Throws: `StoreError`.
  package func keep(as name: String, in lab: Lab) throws {
    guard !lab.isReadOnly else { return }
    try lab.store.write(nil) { try $0.write(self, .certificateAuthority, Self.key(name)) }
  }

  private static func key(_ name: String) -> String { "server/" + name }
}

extension Lab {
  /// Returns the lab's certificate authority, which is created on first use.
  ///
  /// A second process gets the first one's.
  package func certificateAuthority(
    making make: () throws -> StoredCertificateAuthority
  ) throws -> StoredCertificateAuthority {
    let key = "current"
    func stored(in documents: any DocumentReader) throws -> StoredCertificateAuthority? {
      try documents.read(StoredCertificateAuthority.self, .certificateAuthority, key)
    }
    if let known = try read({ try stored(in: $0.documents) }) { return known }
    try checkWritable()
    return try store.write(nil) { transaction in
      if let known = try stored(in: transaction) { return known }
      let made = try make()
      try transaction.write(made, .certificateAuthority, key)
      return made
    }
  }

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
    let isIdentifier = resource.contains(":") || resource.isGUID
    let audience =
      isIdentifier ? resource : try read { try $0.records.row(.registration, named: resource).name }
    let person = try read { try $0.directory.personOfTokens(username) }
    let port = try port ?? read { try $0.provider.notedServerPort() } ?? 8443
    // The signing key may have to be created.
    try checkWritable()
    return try store.write(nil) { store in
      let transaction = try IntentTransaction(
        store, realTime: clock(), random: RandomSource(SystemClock.randomness()),
        trace: TraceRecorder(isDisabled: true), keyReader: keyReader, isServed: true)
      let client = try transaction.directory.wellKnownClients().first { !$0.isConfidential }
      let caller = try client ?? transaction.directory.registrations().first
      guard let caller else { throw LabError.noRegistration }
      do {
        return try transaction.provider(.person, actor: "").forge(
          kind, for: audience, permission: permission, person: person,
          client: caller, origin: serverOrigin(port: port))
      } catch let error as OAuthError {
        throw LabError(
          .nothingMatched, error.message, why: "", next: "\(.list, "registration")")
      }
    }
  }
}

extension Directory {
  fileprivate func personOfTokens(_ username: String?) throws -> DirectoryUser {
    let people = try people()
    if let username {
      guard let person = try person(username: username) else {
        throw LabError.unknown(
          .nothingMatched, "user", username, among: people.map(\.username), list: "\(.list, "person")")
      }
      return person
    }
    guard let person = people.first(where: { !$0.isPersonal && !$0.isDisabled }) ?? people.first else {
      throw LabError(
        .nothingMatched, "The lab has no user.", why: "The token is issued for a user.",
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
