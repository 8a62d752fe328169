extension DocumentReader {
  /// Returns the faults that are set at the provider.
  ///
  /// The first fault that affects a request determines the response.
  package func faults() throws -> [Fault] { try read([Fault].self, .fault, Faults.key) ?? [] }
}

/// The document with all faults that are set.
struct Faults {
  fileprivate static let key = "all"

  let documents: any DocumentStore

  func add(_ fault: Fault) throws { try save(documents.faults() + [fault]) }

  /// Removes the first fault that equals this one, ignoring the number of remaining requests.
  func remove(_ fault: Fault) throws -> Bool {
    func withoutCount(_ fault: Fault) -> Fault { Fault(fault.endpoint, fault.kind, clientID: fault.clientID) }
    var faults = try documents.faults()
    let same = faults.firstIndex(of: fault) ?? faults.firstIndex { withoutCount($0) == withoutCount(fault) }
    guard let same else { return false }
    faults.remove(at: same)
    try save(faults)
    return true
  }

  func clear() throws { try documents.delete(.fault, Self.key) }

  /// Returns the fault that affects a call of the broker on Linux, or `nil` if there is none.
  func take(forBrokerMethod method: String, from clientID: String) throws -> Fault? {
    try take { $0.matches(brokerMethod: method, from: clientID) }
  }

  /// Returns the fault that affects this request, or `nil` if there is none.
  ///
  /// Decrements the count of a limited fault.
  ///
  /// `clientID` returns the client of the request. It is called only if a fault is set.
  func take(for request: HTTPRequest, from clientID: () throws -> String?) throws -> Fault? {
    guard try !documents.faults().isEmpty else { return nil }
    let clientID = try clientID()
    return try take { $0.matches(request, from: clientID) }
  }

  private func take(where matches: (Fault) -> Bool) throws -> Fault? {
    var faults = try documents.faults()
    guard let index = faults.firstIndex(where: matches) else { return nil }
    let fault = faults[index]
    guard let remaining = fault.remaining else { return fault }
    if remaining > 1 { faults[index].remaining = remaining - 1 } else { faults.remove(at: index) }
    try save(faults)
    return fault
  }

  private func save(_ faults: [Fault]) throws {
    if faults.isEmpty { try clear() } else { try documents.write(faults, .fault, Self.key) }
  }
}
