import Essentials

/// A reader of account details in one pass, in the order of ``AccountSummaries``.
struct AccountDetailsReader {
  private let adalUsers: LegacyUsers
  private let uses: [(use: RefreshTokenUse, holders: Set<Int>)]
  private var last = ""
  private var lastUsers: [Bool] = []
  private var lastApps = ""

  private static let texts = EntityText(
    [
      AccountField.homeAccountID, .environment, .username, .name,
    ].map(\.rawValue))

  init(on reader: LabReader, adalUsers: LegacyUsers) throws {
    self.adalUsers = adalUsers
    uses = try RefreshTokenUse.all(in: reader).map { ($0, try $0.holders()) }
  }

  mutating func next(_ item: KeychainItem) -> AccountDetails? {
    guard item.key.account != last else { return nil }
    last = item.key.account
    guard let texts = Self.texts.read(item.data) else {
      let username = String(decoding: item.generic ?? Data(), as: UTF8.self)
      return AccountDetails(row: item.rowID, username: username, name: "", apps: "")
    }
    let username = texts[2] ?? ""
    return AccountDetails(
      row: item.rowID, username: username, name: texts[3] ?? "",
      apps: apps(texts[0] ?? "", environment: texts[1] ?? "", username: username))
  }

  private mutating func apps(_ home: String, environment: String, username: String) -> String {
    let hash = last.hashValue
    let users = uses.map { use, holders in
      let holds =
        holders.contains(hash)
        || use.hosts(of: environment).contains { holders.contains(CacheKey.account(home, $0).hashValue) }
      return use.isSignedIn(home, holdsToken: holds)
    }
    if users != lastUsers {
      lastUsers = users
      lastApps = zip(uses, users).flatMap { $1 ? $0.use.apps.map(\.displayName) : [] }.joined(separator: ", ")
    }
    let withADAL = adalUsers.isEmpty ? [] : adalUsers.apps(of: username, home)
    guard !withADAL.isEmpty else { return lastApps }
    let own = zip(uses, users).flatMap { $1 ? $0.use.apps.map(\.displayName) : [] }
    return (own + withADAL.filter { !own.contains($0) }).joined(separator: ", ")
  }
}
