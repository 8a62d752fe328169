import Essentials
import SSOCore
import SSOKeychain

/// A fact about a cache file that the user should know, with the next step.
package struct CacheFinding: Codable, Hashable, Sendable {
  /// The kind of problem that an entry has.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case orphan, duplicate, unreadable, expired, foreignKey, familyMismatch
  }
  package var kind: Kind
  /// A description of the entry without its secret: "RefreshToken of ada@contoso.com for 04b0…".
  package var entry: String
  package var reason: String
  package var next: String
  /// Whether the user has to do something.
  ///
  /// An expired access token is worth knowing about, but it is renewed automatically.
  package var needsAction: Bool { kind != .expired }
}

/// The results of checking a token cache file (docs/behaviour/external-clients.md §3).
///
/// They are orphaned, duplicate, unreadable, and expired entries, and what each SDK would read. The file is only read.
package struct CacheCheck: Sendable {
  /// One SDK's view of the file.
  package struct View: Codable, Hashable, Sendable {
    package var sdk: CacheSDK
    /// The number of entries under keys that this SDK composes itself.
    package var ownKeys: Int
    /// The number of entries under other keys, which this SDK reads by their fields, but leaves behind when it removes
    /// the account.
    package var foreignKeys: Int
  }
  package private(set) var findings: [CacheFinding] = []
  /// One for each SDK, or empty for the store of a browser or of Android, which one SDK has for itself.
  package private(set) var views: [View] = []
  /// The client IDs by family, with "" for clients without a family.
  package private(set) var families: [String: [String]] = [:]

  private var counts: [CacheFinding: Int] = [:]

  private struct Entry {
    var key: String
    var item: CredentialItem
  }

  package init(_ data: Data, now: Instant) throws(CacheFileError) {
    let reading = try CacheReader.reading(data)
    let file = reading.file
    let names = Dictionary(
      file.accounts.map { ($0.homeAccountID, $0.username) }, uniquingKeysWith: { a, _ in a })
    let entries = zip(reading.keys, file.credentials).map { Entry(key: $0, item: $1) }
    for problem in file.problems {
      add(.unreadable, "\(problem.section) \(problem.key)", problem.reason, "No SDK uses it.")
    }
    findOrphans(entries, accounts: file.accounts, names)
    findDuplicates(entries, names)
    for entry in entries where entry.item.type.isAccessToken {
      guard let expiry = entry.item.expiry, expiry <= now else { continue }
      add(
        .expired, Self.displayText(entry.item, names),
        "It expired \(durationText(expiry.seconds(until: now))) ago.",
        "Nothing to do: the SDK asks for another one when it is needed.")
    }
    readFamilies(file)
    if !reading.isFlat { compareKeys(entries, names) }
    sayHowMany()
  }

  /// Finds the entries that each SDK that shares the file would read, and leave behind.
  private mutating func compareKeys(_ entries: [Entry], _ names: [String: String]) {
    views = CacheSDK.allCases.map { sdk in
      let own = entries.count { sdk.key($0.item) == $0.key }
      return View(sdk: sdk, ownKeys: own, foreignKeys: entries.count - own)
    }
    findForeignKeys(entries, names)
  }

  /// Adds a finding; equal findings about several entries are reported once, with their number.
  private mutating func add(_ kind: CacheFinding.Kind, _ entry: String, _ reason: String, _ next: String) {
    let finding = CacheFinding(kind: kind, entry: shortened(entry), reason: reason, next: next)
    if counts[finding, default: 0] == 0 { findings.append(finding) }
    counts[finding, default: 0] += 1
  }

  private mutating func sayHowMany() {
    for place in findings.indices {
      guard let count = counts[findings[place]], count > 1 else { continue }
      findings[place].reason += " \(count) entries are alike."
    }
    counts = [:]
  }

  private static func displayText(_ item: CredentialItem, _ names: [String: String]) -> String {
    let owner =
      names[item.homeAccountID] ?? (item.homeAccountID.isEmpty ? "the app itself" : item.homeAccountID)
    let realm = item.realm.map { $0.isEmpty ? "" : " in \($0)" } ?? ""
    return "\(item.type.jsonName) of \(owner) for \(item.clientID)\(realm)"
  }

  /// Finds credentials without their account, such as a refresh token that is "signed out", but still usable.
  private mutating func findOrphans(_ entries: [Entry], accounts: [AccountItem], _ names: [String: String]) {
    let known = Set(accounts.map { normalized($0.homeAccountID) + " " + normalized($0.environment) })
    for entry in entries where !entry.item.homeAccountID.isEmpty {
      let owner = normalized(entry.item.homeAccountID) + " " + normalized(entry.item.environment)
      guard !known.contains(owner) else { continue }
      let isRefresh = entry.item.type == .refreshToken || entry.item.type == .familyRefreshToken
      add(
        .orphan, Self.displayText(entry.item, names),
        "There is no Account entry of this user on this host.",
        isRefresh
          ? "A valid refresh token remains: revoke the sessions, or delete the entry." : "Delete it.")
    }
  }

  private mutating func findDuplicates(_ entries: [Entry], _ names: [String: String]) {
    var places: [CredentialIdentity: Int] = [:]
    var same: [(item: CredentialItem, keys: [String])] = []
    for entry in entries {
      let identity = CredentialIdentity(entry.item)
      if let place = places[identity] {
        same[place].keys.append(entry.key)
      } else {
        places[identity] = same.count
        same.append((entry.item, [entry.key]))
      }
    }
    for (item, keys) in same where keys.count > 1 {
      let shown = keys.prefix(2).map { shortened($0) }.joined(separator: " and ")
      let more = keys.count > 2 ? ", and \(keys.count - 2) more" : ""
      add(
        .duplicate, Self.displayText(item, names),
        "The same credential is stored under \(keys.count == 2 ? "two" : "\(keys.count)") keys: \(shown)\(more).",
        "Two SDKs wrote it; keep the entry that was modified last.")
    }
  }

  private mutating func readFamilies(_ file: CacheFile) {
    for metadata in file.appMetadata {
      families[metadata.familyID, default: []].append(metadata.clientID)
    }
    let ofClient = Dictionary(
      file.appMetadata.map { ($0.clientID.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for item in file.credentials where !(item.familyID ?? "").isEmpty {
      let metadata = ofClient[item.clientID.lowercased()]
      guard let metadata, metadata.familyID != item.familyID else { continue }
      add(
        .familyMismatch, "\(item.type.jsonName) for \(item.clientID)",
        "Its family is \(item.familyID ?? ""), the AppMetadata says \(metadata.familyID.isEmpty ? "none" : metadata.familyID).",
        "Another app of the family may not find it; sign in again.")
    }
    for (family, clients) in families { families[family] = Set(clients).sorted() }
  }

  /// Finds refresh tokens that MSAL Python's `remove_account` would leave, because it deletes by the key that it
  /// composes (§3(4)).
  private mutating func findForeignKeys(_ entries: [Entry], _ names: [String: String]) {
    for entry in entries where entry.item.type == .refreshToken || entry.item.type == .familyRefreshToken {
      guard CacheSDK.python.key(entry.item) != entry.key else { continue }
      let writers = CacheSDK.allCases.filter { $0.key(entry.item) == entry.key }.map(\.rawValue)
      add(
        .foreignKey, Self.displayText(entry.item, names),
        "Its key is \(writers.isEmpty ? "no SDK's" : "that of " + writers.joined(separator: ", ")).",
        "MSAL Python reads it, but its remove_account leaves it in the file.")
    }
  }
}

/// The SDKs that write the unified cache as a file, each with its own keys for entries
/// (docs/behaviour/external-clients.md §3(2)).
package enum CacheSDK: String, Codable, CaseIterable, Sendable {
  case python = "MSAL Python"
  case dotnet = "MSAL.NET"
  case node = "MSAL Node"
  case java = "MSAL Java"
  case go = "MSAL Go"

  /// Returns the key under which this SDK writes a credential, and under which it looks for a credential to remove.
  func key(_ item: CredentialItem) -> String {
    let owner = "\(item.homeAccountID)-\(item.environment)"
    let client = item.clientID
    let realm = item.realm ?? ""
    let text =
      switch item.type {
      case .refreshToken, .familyRefreshToken:
        owner + "-refreshtoken-" + refreshTail(item)
      case .idToken:
        switch self {
        case .python, .dotnet, .java: "\(owner)-idtoken-\(client)-\(realm)-"
        case .node: "\(owner)-idtoken-\(client)-\(realm)---"
        case .go: "\(owner)-idtoken-\(client)-\(realm)"
        }
      default:
        "\(owner)-\(item.type.keyName)-\(client)-\(realm)-\(item.target ?? "")" + (self == .node ? "--" : "")
      }
    return text.lowercased()
  }

  /// Returns the end of a refresh token's key.
  ///
  /// Only Python puts the client into the key of a family token. Python and Node put the target into the key.
  private func refreshTail(_ item: CredentialItem) -> String {
    let familyOrClient = (item.familyID ?? "").isEmpty ? item.clientID : item.familyID ?? ""
    return switch self {
    case .python: "\(item.clientID)--\(item.target ?? "")"
    case .dotnet, .java: "\(familyOrClient)--"
    case .node: "\(familyOrClient)-\(item.realm ?? "")-\(item.target ?? "")--"
    case .go: familyOrClient
    }
  }

  /// Returns the key of an account, which .NET does not convert to lowercase.
  func key(_ account: AccountItem) -> String {
    let text = "\(account.homeAccountID)-\(account.environment)-\(account.realm)"
    return self == .dotnet ? text : text.lowercased()
  }

  func key(_ metadata: AppMetadata) -> String { "appmetadata-\(metadata.environment)-\(metadata.clientID)" }
}

/// The values that make two entries the same credential, whatever their keys (docs/behaviour/external-clients.md §3).
struct CredentialIdentity: Hashable {
  var parts: [String]
  var target: Set<String>

  init(_ item: CredentialItem) {
    let isRefresh = item.type == .refreshToken || item.type == .familyRefreshToken
    let family = normalized(item.familyID)
    parts = [
      isRefresh ? "refreshtoken" : item.type.keyName, normalized(item.homeAccountID),
      normalized(item.environment),
      isRefresh && !family.isEmpty ? "family " + family : normalized(item.clientID),
      isRefresh ? "" : normalized(item.realm),
    ]
    target = item.type.isAccessToken ? item.scopes : []
  }
}
