/// One call to the keychain in the words of the trace.
struct KeychainCall {
  var verb: String
  var what: String
  var query: KeychainQuery

  init(verb: String, what: String, _ query: KeychainQuery) {
    self.verb = verb
    self.what = what
    self.query = query
  }

  /// `read access token`.
  var action: String { "\(verb) \(what)" }

  /// Group, account, service, generic and type, as far as they were given.
  ///
  /// Never data.
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
  /// Finds exactly this item: by its key, and by its type if it has one.
  init(_ item: KeychainItem) {
    let group = item.key.accessGroup
    self.init(
      accessGroups: group.isEmpty ? [] : [group], itemClass: item.key.itemClass, account: item.key.account,
      service: item.key.service, type: item.type)
  }
}

extension KeychainQuery {
  /// One query for each account that is wanted.
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
  /// Runs the call and adds its hop, whether it went well or not.
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
