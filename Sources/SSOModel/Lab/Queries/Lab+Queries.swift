import Foundation

extension Lab {
  package func apps() throws -> [AppRow] { try read { try $0.apps.rows() } }
  package func app(named name: String) throws -> String { try read { try $0.app(name).bundleID } }
  package func prediction(app bundleID: String, account: String?) throws -> Prediction {
    try read { try $0.prediction(app: bundleID, account: account) }
  }
  package func faults() throws -> [Fault] { try read { try $0.provider.faults() } }
  package func usernames() throws -> [String] { try read { try $0.names.usernames() } }
  package func accounts(limit: Int? = nil) throws -> [AccountRow] {
    try read { try $0.accounts.rows(limit: limit) }
  }
  package func accounts(rows: [Int64]) throws -> [Int64: AccountRow] {
    try read { try $0.accounts.rows(rows) }
  }
  package func eachAccount(_ body: (AccountSummary) throws -> Void) throws {
    try read { try $0.accounts.each(body) }
  }
  package func eachAccountDetails(_ body: (AccountDetails) throws -> Void) throws {
    try read { try $0.accounts.eachDetails(body) }
  }
  package func firstAccounts(_ count: Int) throws -> [AccountSummary] {
    try read { try $0.accounts.first(count) }
  }
  package func accountItemCount() throws -> Int { try read { try $0.accounts.itemCount() } }
  package func broker() throws -> BrokerStatus { try read { try $0.status.broker() } }
  package func conditionalAccess() throws -> ConditionalAccess {
    try read { try $0.status.conditionalAccess() }
  }
  package func picker(app bundleID: String?) throws -> AccountPicker {
    try read { try $0.status.picker(app: bundleID) }
  }
  package func export(account: String?, environment: String?, over present: Data?) throws -> CacheExport {
    try read { try $0.cache.export(account: account, environment: environment, over: present) }
  }
  package func keychainGroups() throws -> [KeychainGroupRow] { try read { try $0.keychain.groups() } }
  package func keychainItemCount(group: String) throws -> Int {
    try read { try $0.keychain.itemCount(group: group) }
  }
  package func eachKeychainItem(group: String, _ body: (KeychainItemSummary) throws -> Bool) throws {
    try read { try $0.keychain.each(group: group, body) }
  }
  package func keychainItems(rows: [Int64]) throws -> [Int64: KeychainItemRow] {
    try read { try $0.keychain.rows(rows) }
  }
  package func keychainItems(group: String, limit: Int? = nil) throws -> [KeychainItemRow] {
    try read { try $0.keychain.rows(group: group, limit: limit) }
  }
  package func credentialCount() throws -> Int { try read { try $0.items.credentialCount() } }
  package func tokenBranches() throws -> [TokenBranch] { try read { try $0.branches.all() } }
  package func eachToken(
    clientID: String, redirectURI: String?, _ body: (TokenSummary) throws -> Bool
  ) throws {
    try read { try $0.branches.each(clientID: clientID, redirectURI: redirectURI, body) }
  }
  package func tokens(rows: [Int64]) throws -> [Int64: TokenRow] { try read { try $0.branches.rows(rows) } }
  package func tokens(filter: TokenFilter = TokenFilter(), unmasked: Bool = false) throws -> [TokenRow] {
    try read { try $0.tokens.rows(filter, unmasked: unmasked) }
  }
  package func tokenTree(filter: TokenFilter = TokenFilter(), unmasked: Bool = false) throws -> TokenTree {
    try read { try $0.tokens.tree(filter, unmasked: unmasked) }
  }
  package func tokenDetail(_ id: String, unmasked: Bool = false) throws -> TokenDetail? {
    try read { try $0.tokens.detail(id, unmasked: unmasked) }
  }
  package func why(app: String) throws -> Checklist { try read { try $0.why.app(app) } }
  package func why(app: String, with other: String) throws -> Checklist {
    try read { try $0.why.app(app, with: other) }
  }
  package func why(account: String) throws -> Checklist { try read { try $0.why.account(account) } }
  package func why(credential id: String) throws -> Checklist? { try read { try $0.why.credential(id) } }
  package func visibility() throws -> [Visibility] { try read { try $0.why.visibility() } }
  package func records(_ kind: RecordKind) throws -> [RecordRow] { try read { try $0.records.rows(kind) } }
  package func record(_ kind: RecordKind, named name: String, unmasked: Bool = false) throws -> RecordRow {
    try read { try $0.records.row(kind, named: name, unmasked: unmasked) }
  }
  package func waitingSignIns() throws -> [WaitingSignIn] { try read { try $0.waitingSignIns() } }
}
