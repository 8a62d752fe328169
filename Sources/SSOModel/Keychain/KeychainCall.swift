/// A call to the keychain, as the trace describes it.
struct KeychainCall {
  var verb: String
  var what: String
  var query: KeychainQuery

  init(verb: String, what: String, _ query: KeychainQuery) {
    self.verb = verb
    self.what = what
    self.query = query
  }

  /// The action in the trace, such as `read access token`.
  var action: String { "\(verb) \(what)" }

  /// The attributes that the query specifies: groups, account, service, generic, and type.
  ///
  /// They never include data.
  var sent: [NameValue] {
    var fields = query.accessGroups.map { NameValue("group", $0) }
    if let account = query.account { fields.append(NameValue("account", account)) }
    if let service = query.service { fields.append(NameValue("service", service)) }
    if let generic = query.generic {
      fields.append(NameValue("generic", String(decoding: generic, as: UTF8.self)))
    }
    if let type = query.type { fields.append(NameValue("type", String(type))) }
    return fields
  }
}

extension KeychainQuery {
  /// Creates a query for exactly this item: by its key and, if it has one, by its type.
  init(_ item: KeychainItem) {
    let group = item.key.accessGroup
    self.init(
      accessGroups: group.isEmpty ? [] : [group], itemClass: item.key.itemClass, account: item.key.account,
      service: item.key.service, type: item.type)
  }
}

extension KeychainQuery {
  /// The query split into one query for each wanted account.
  var lookups: [KeychainQuery] {
    guard let wantedAccounts else { return [self] }
    return wantedAccounts.map { account in
      var query = self
      (query.account, query.wantedAccounts) = (account, nil)
      return query
    }
  }
}

extension Keychain {
  /// Runs the call and adds its hop, whether or not the call succeeds.
  func recorded<T>(
    _ call: KeychainCall, _ body: () throws -> T, result: (T) -> String
  ) throws -> T {
    if trace.isQuiet { return try body() }
    trace.begin(party, .keychain, actor: app.bundleID, call.action)
    do {
      let value = try body()
      add(call, result: result(value))
      return value
    } catch let error as KeychainError {
      add(call, result: "\(error.name) (\(error.number))")
      throw error
    } catch {
      add(call, result: "store failed")
      throw error
    }
  }

  private func add(_ call: KeychainCall, result: String) {
    trace.add(
      party, .keychain, actor: app.bundleID, call.action, result: result, sent: call.sent,
      checks: [entitlementCheck(call.query.accessGroups)])
  }
}
