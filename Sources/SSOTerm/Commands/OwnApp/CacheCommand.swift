import ArgumentParser
import SSOCore
import SSODevice
import SSOInterop
import SSOKeychain
import SSOLab
import SSOProvider
import SSOStore
import SSOTermApp

/// `ssoterm cache check FILE`.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "cache", "Check a token cache file.",
    examples: ["ssoterm cache check ~/.azure/msal_token_cache.json"],
    subcommands: [CacheCheckCommand.self])
}

struct CacheCheckCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "check", "List orphaned, duplicate, unreadable, and expired entries, and what each SDK reads.",
    examples: [
      "ssoterm cache check ~/.azure/msal_token_cache.json", "ssoterm export -o - | ssoterm cache check -",
    ],
    after:
      "The file is never changed. The exit code is 1 if an entry should be fixed; an expired access token is only "
      + "reported.")

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A token cache that MSAL wrote; - reads stdin.", completion: .file())
  var file: String

  func perform(on console: Console) throws -> ExitStatus {
    let (name, data) = try readFile(file)
    let check: CacheCheck
    do {
      check = try CacheCheck(data, now: StandardStreams.now())
    } catch {
      throw notACache(name, error)
    }
    try console.show(check.json(name)) { check.text(name, console.ink) }
    return check.findings.contains(where: \.needsAction) ? .finding : .done
  }
}

extension CacheCheck {
  func text(_ name: String, _ ink: TextInk) -> String {
    let problems = findings.count(where: \.needsAction)
    let expired = findings.count - problems
    let counts = counted(problems, "finding") + (expired == 0 ? "" : ", \(counted(expired, "expired token"))")
    var lines = [ink.draw(name, .strong) + ink.draw(": " + counts)]
    for finding in findings {
      lines.append(
        ink.draw(finding.needsAction ? "✗ " : "· ", finding.needsAction ? .warning : .faint)
          + ink.draw("\(finding.kind.rawValue): \(finding.entry)"))
      lines.append(ink.draw("    \(finding.reason) \(finding.next)"))
    }
    for (family, clients) in families.sorted(by: { $0.key < $1.key }) {
      let title = family.isEmpty ? "no family" : "family \(family)"
      lines.append(ink.draw("\(title): ", .faint) + ink.draw(clients.joined(separator: ", ")))
    }
    guard !views.isEmpty else { return lines.joined(separator: "\n") }
    let table = TextTable(["SDK", "OWN KEYS", "FOREIGN KEYS"], of: views) { view in
      [
        InkedText(view.sdk.rawValue), InkedText(String(view.ownKeys)), InkedText(String(view.foreignKeys)),
      ]
    }
    return (lines + table.lines(ink)).joined(separator: "\n")
  }

  func json(_ name: String) -> JSONValue {
    [
      "file": .string(name),
      "findings": .array(
        findings.map {
          [
            "kind": .string($0.kind.rawValue), "entry": .string($0.entry), "reason": .string($0.reason),
            "next": .string($0.next), "needsAction": .bool($0.needsAction),
          ]
        }),
      "families": .object(families.mapValues { .strings($0) }),
      "views": .array(
        views.map {
          [
            "sdk": .string($0.sdk.rawValue), "ownKeys": .count($0.ownKeys),
            "foreignKeys": .count($0.foreignKeys),
          ]
        }),
    ]
  }
}

/// Creates a read-only lab in memory with the contents of a cache file, which is never written.
func labShowing(cacheAt path: String) throws -> Lab {
  let (name, cache) = try readCache(path)
  let lab = Lab(store: try WorldStore.open(.memory, create: true)) { StandardStreams.now() }
  let device = Device(id: "device-1", name: "this machine", platform: .macOS)
  try lab.create(
    named: "file", seed: 0,
    LabWorld(device: device, tenants: [], people: [], registrations: [], apps: [], brokerAccounts: []))
  // Real caches contain the client IDs of Microsoft's programs, so register these programs for their names.
  try lab.registerExternalClients()
  _ = try runUnattended(ImportCache(name: name, cache), on: lab)
  return lab.readOnly()
}

/// A section of the output of `view`: the accounts, or the credentials of a client ID.
struct CacheSection {
  /// The title above the records, which is empty for the accounts because their columns have titles.
  var title: [InkedText] = []
  var columns: [String] = []
  var dispensable = ["ENVIRONMENT", "REALM"]
  /// The records as cells without padding, which `--watch` compares.
  var records: [[InkedText]] = []

  func lines(_ ink: TextInk) -> [String] {
    let (lines, omission) = parts(ink)
    return lines + [omission].compactMap(\.self)
  }

  /// Returns the lines of the section, and the line that names the columns for which there was no room.
  ///
  /// If `isCut` is true, records are cut to the width of the terminal.
  func parts(_ ink: TextInk, isCut: Bool = true) -> (lines: [String], omission: String?) {
    let indent = title.isEmpty ? 0 : 2
    let margin = String(repeating: " ", count: indent)
    // The titles of the credentials only name what is omitted, because they would be repeated for each client ID.
    var table = TextTable(
      title.isEmpty || isCut ? columns : [], dispensable: dispensable, showsTitles: title.isEmpty)
    for record in records { table.append(record) }
    let (rows, omission) = table.parts(ink, indent: title.isEmpty || !isCut ? nil : indent)
    let head = title.isEmpty ? [] : [title.map(ink.draw).joined()]
    return (head + rows.map { margin + $0 }, omission.map { margin + $0 })
  }
}

/// Returns the output of `view`: accounts, credentials by client ID, and problems.
func cacheText(_ name: String, _ cache: CacheFile, now: Instant, unmasked: Bool, _ ink: TextInk) -> String {
  let clients = cache.clientIDs
  let counts = [
    counted(cache.accounts.count, "account"), counted(clients.count, "client ID"),
    counted(cache.credentials.count, "credential"), counted(cache.problems.count, "problem"),
  ]
  var parts = [ink.draw(name, .strong) + ink.draw(": " + counts.joined(separator: ", "))]
  var said: Set<String> = []
  for section in cache.sections(at: now, unmasked: unmasked)
  where !section.title.isEmpty || !section.records.isEmpty {
    var (lines, omission) = section.parts(ink, isCut: !unmasked)
    // Each section omits the same columns, which are named once.
    if let omission, said.insert(omission.trimmed).inserted { lines.append(omission) }
    parts.append(lines.joined(separator: "\n"))
  }
  if !cache.problems.isEmpty { parts.append(problemText(cache.problems, ink)) }
  return parts.joined(separator: "\n\n")
}

extension CacheFile {
  fileprivate var clientIDs: [String] {
    Set(credentials.map(\.clientID)).union(appMetadata.map(\.clientID)).sorted()
  }

  /// Returns the section of the accounts, followed by a section for each client ID.
  func sections(at now: Instant, unmasked: Bool) -> [CacheSection] {
    let names = usernames
    return [accountSection]
      + clientIDs.map { client in
        let metadata = appMetadata.first { $0.clientID == client && !$0.familyID.isEmpty }
        let family = metadata.map { ", family " + $0.familyID } ?? ""
        let known = WellKnownClients.name(of: client).map { " (\($0))" } ?? ""
        return CacheSection(
          title: [
            InkedText("client ", .faint), InkedText(dashed(client), .strong), InkedText(known + family),
          ],
          columns: ["TYPE", "STATE", "ACCOUNT", "ENVIRONMENT", "REALM", "SCOPES"],
          records: credentials.filter { $0.clientID == client }.map { item in
            let cells = [
              InkedText(item.type.jsonName), item.stateText(at: now),
              InkedText(names[item.homeAccountID] ?? dashed(item.homeAccountID)),
              InkedText(item.environment), InkedText(dashed(item.realm)), InkedText(dashed(item.target)),
            ]
            return unmasked ? cells + [InkedText(item.secret)] : cells
          })
      }
  }

  private var accountSection: CacheSection {
    CacheSection(
      columns: ["ACCOUNT", "NAME", "HOME ACCOUNT ID", "ENVIRONMENT", "REALM"],
      dispensable: ["ENVIRONMENT", "REALM", "NAME"],
      records: accounts.map { account in
        [
          InkedText(dashed(account.username), .strong), InkedText(dashed(account.name)),
          InkedText(account.homeAccountID), InkedText(account.environment), InkedText(dashed(account.realm)),
        ]
      })
  }
}

func problemText(_ problems: [CacheProblem], _ ink: TextInk) -> String {
  problems.map { ink.draw("✗ ", .warning) + ink.draw($0.displayText) }.joined(separator: "\n")
}

extension CacheFile {
  /// The usernames by home account ID.
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
  /// The place of the problem and its description.
  var displayText: String { "\(key.isEmpty ? section : section + " " + key): \(reason)" }

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
  /// Returns the state.
  ///
  /// A file contains no expiry date for a refresh token.
  fileprivate func stateText(at now: Instant) -> InkedText {
    expiry == nil ? InkedText("· no date", .faint) : SSOTermApp.stateText(TokenStatus(self, at: now))
  }

  fileprivate func json(username: String?, now: Instant, unmasked: Bool) -> JSONValue {
    let status = TokenStatus(self, at: now)
    let row: JSONValue = [
      "type": .string(type.jsonName), "clientID": .string(clientID), "homeAccountID": .string(homeAccountID),
      "username": .optional(username), "environment": .string(environment), "realm": .optional(realm),
      "target": .optional(target), "familyID": .optional(familyID),
      "state": expiry == nil ? .null : .string(status.state.rawValue),
      "expiresOn": .moment(expiry), "cachedAt": .moment(cachedAt),
      "secondsLeft": .optional(status.secondsLeft),
    ]
    return unmasked ? row.adding(["secret": .string(secret)]) : row
  }
}
