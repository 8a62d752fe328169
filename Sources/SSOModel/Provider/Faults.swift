/// The faults that are set, in one document. The first that hits a request decides its answer.
struct Faults {
  private static let key = "all"

  let documents: any DocumentStore

  func all() throws -> [Fault] { try documents.read([Fault].self, .fault, Self.key) ?? [] }

  func add(_ fault: Fault) throws { try save(all() + [fault]) }

  func clear() throws { try documents.delete(.fault, Self.key) }

  /// The fault that hits this request, if one does; one that is limited counts it.
  func take(for request: HTTPRequest) throws -> Fault? {
    var faults = try all()
    guard let index = faults.firstIndex(where: { $0.hits(request) }) else { return nil }
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

extension Provider {
  public func faults() throws -> [Fault] { try Faults(documents: documents).all() }
  public func addFault(_ fault: Fault) throws { try Faults(documents: documents).add(fault) }
  public func clearFaults() throws { try Faults(documents: documents).clear() }

  /// The answer that a fault gives instead of the route's; nil if none hits.
  func faultyAnswer(_ exchange: inout Exchange) throws -> ProviderAnswer? {
    guard let fault = try Faults(documents: documents).take(for: exchange.request) else { return nil }
    exchange.checks.append(
      Check(
        "no fault is set", expected: "none", found: fault.words, false, source: "ssoterm fault list"))
    switch fault.kind {
    case .status(let status): return ProviderAnswer(HTTPResponse(status))
    case .throttled(let seconds):
      return ProviderAnswer(HTTPResponse(429, headers: [SentField("Retry-After", String(seconds))]))
    case .unreachable: return ProviderAnswer(.noConnection)
    case .refused(let code, let suberror):
      let error = OAuthError(code, "A fault set in the lab refuses this request.", suberror: suberror)
      return Fault.Endpoint(of: exchange.request) == .authorize
        ? errorPage(error, &exchange) : try refuse(error, &exchange)
    }
  }
}
