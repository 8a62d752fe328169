/// What `view` prints: accounts, credentials by client ID, problems.
func cacheText(_ name: String, _ cache: CacheFile, now: Instant, unmasked: Bool, _ ink: Ink) -> String {
  let clients = Set(cache.credentials.map(\.clientID)).union(cache.appMetadata.map(\.clientID))
  let counts = [
    counted(cache.accounts.count, "account"), counted(clients.count, "client ID"),
    counted(cache.credentials.count, "credential"), counted(cache.problems.count, "problem"),
  ]
  var parts = [ink.draw(name, .strong) + ink.draw(": " + counts.joined(separator: ", "))]
  if !cache.accounts.isEmpty { parts.append(accountTable(cache.accounts).text(ink)) }
  let usernames = cache.usernames
  for client in clients.sorted() {
    let metadata = cache.appMetadata.first { $0.clientID == client && !$0.familyID.isEmpty }
    let family = metadata.map { ", family " + $0.familyID } ?? ""
    var table = TextTable([])
    for item in cache.credentials where item.clientID == client {
      let cells = [
        InkedText(item.type.jsonName), item.stateText(at: now),
        InkedText(usernames[item.homeAccountID] ?? dashed(item.homeAccountID)), InkedText(item.environment),
        InkedText(dashed(item.realm)), InkedText(dashed(item.target)),
      ]
      table.append(unmasked ? cells + [InkedText(item.secret)] : cells)
    }
    let known = WellKnownClients.name(of: client).map { " (\($0))" } ?? ""
    let title = ink.draw("client ", .faint) + ink.draw(dashed(client), .strong) + ink.draw(known + family)
    parts.append(
      ([title] + table.lines(ink, indent: unmasked ? nil : 2).map { "  " + $0 }).joined(separator: "\n"))
  }
  if !cache.problems.isEmpty { parts.append(problemText(cache.problems, ink)) }
  return parts.joined(separator: "\n\n")
}

private func accountTable(_ accounts: [AccountItem]) -> TextTable {
  var table = TextTable(
    ["ACCOUNT", "NAME", "HOME ACCOUNT ID", "ENVIRONMENT", "REALM"],
    dispensable: ["ENVIRONMENT", "REALM", "NAME"])
  for account in accounts {
    table.append([
      InkedText(dashed(account.username), .strong), InkedText(dashed(account.name)),
      InkedText(account.homeAccountID), InkedText(account.environment), InkedText(dashed(account.realm)),
    ])
  }
  return table
}

func problemText(_ problems: [CacheProblem], _ ink: Ink) -> String {
  problems.map { problem in
    let place = problem.key.isEmpty ? problem.section : problem.section + " " + problem.key
    return ink.draw("✗ ", .warning) + ink.draw("\(place): \(problem.reason)")
  }
  .joined(separator: "\n")
}

extension CacheFile {
  /// Usernames by home account ID.
  var usernames: [String: String] {
    Dictionary(accounts.map { ($0.homeAccountID, $0.username) }, uniquingKeysWith: { first, _ in first })
  }

  func json(name: String, now: Instant, unmasked: Bool) -> JSONValue {
    let names = usernames
    return [
      "file": .string(name),
      "accounts": .array(accounts.map(\.json)),
      "credentials": .array(
        credentials.map { $0.json(username: names[$0.homeAccountID], now: now, unmasked: unmasked) }),
      "appMetadata": .array(
        appMetadata.map {
          [
            "clientID": .string($0.clientID), "environment": .string($0.environment),
            "familyID": .string($0.familyID),
          ]
        }),
      "problems": .array(problems.map(\.json)),
    ]
  }
}

extension CacheProblem {
  var json: JSONValue { ["section": .string(section), "key": .string(key), "reason": .string(reason)] }
}

extension AccountItem {
  fileprivate var json: JSONValue {
    [
      "username": .string(username), "name": .optional(name), "homeAccountID": .string(homeAccountID),
      "environment": .string(environment), "realm": .string(realm),
    ]
  }
}

extension CredentialItem {
  /// A file says nothing of a refresh token but that it is there.
  fileprivate func stateText(at now: Instant) -> InkedText {
    expiry == nil ? InkedText("· no date", .faint) : SSOTermApp.stateText(TokenStanding(self, at: now))
  }

  fileprivate func json(username: String?, now: Instant, unmasked: Bool) -> JSONValue {
    let standing = TokenStanding(self, at: now)
    let row: JSONValue = [
      "type": .string(type.jsonName), "clientID": .string(clientID), "homeAccountID": .string(homeAccountID),
      "username": .optional(username), "environment": .string(environment), "realm": .optional(realm),
      "target": .optional(target), "familyID": .optional(familyID),
      "state": expiry == nil ? .null : .string(standing.state.rawValue),
      "expiresOn": .moment(expiry), "cachedAt": .moment(cachedAt),
      "secondsLeft": .optional(standing.secondsLeft),
    ]
    return unmasked ? row.adding(["secret": .string(secret)]) : row
  }
}
