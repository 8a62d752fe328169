import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let tokens = KeyContext("tokens") }

extension Place {
  static let tokens = Place(.tokens)
  static func tokens(_ scope: TokenScope) -> Place { Place(.tokens, .tokens(scope)) }
}

/// The tree client ID → redirect URI → credentials, and the inspector of the selected credential.
struct TokensScreen: ListScreen {
  static let context = KeyContext.tokens
  static let title = "Tokens"
  static let hasLongList = true
  static let shortTitle = "Tok"
  static let rowsAroundList = 1
  static let keys: [KeyCommand] = .ofScreen(
    own: [.expire, .invalidate, .delete],
    more: [
      KeyCommand(
        TokenAction.reveal, [.character("v")], "v", "reveal 10s", name: "reveal",
        "Shows the selected token's secret for ten seconds, and for ten more if it is shown already."),
      .expireAll,
    ], marks: [.mark])

  var list = RowList()
  var scope = TokenScope.everything
  /// All lines of a tree, or the headings of a long branch, whose credentials are in `rows`.
  private(set) var lines: [TokenLine] = []
  private(set) var rows = RowsRead<TokenRow>()
  var detail: TokenDetail?

  var selectedLine: TokenLine? { list.selectedRow.flatMap(line) }
  var selected: TokenRow? { selectedLine?.token }

  /// Returns a line of the tree by its row in the list, or `nil` for a credential that has not been read yet.
  func line(_ row: Int) -> TokenLine? {
    if lines.indices.contains(row) { return lines[row] }
    return rows[list.index.ids[row]].map { TokenLine($0, under: "") }
  }

  /// Returns a credential that the list shows.
  func row(id: String) -> TokenRow? {
    lines.lazy.compactMap(\.token).first { $0.id == id } ?? rows.all.first { $0.id == id }
  }

  /// Returns the load for the list, which is the entire list if it is already there, so that it does not shrink to its
  /// first page.
  func loads(_ shared: SharedState) -> [Load] {
    [list.index.isLong && list.index.total == nil ? .allTokens(scope) : .tokens(scope)]
  }

  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState) {
    let wanted = place.scope
    guard wanted != .everything || scope != .everything else { return }
    let branch = TokenLine.id(clientID: scope.clientID ?? "", redirectURI: scope.redirectURI)
    self = TokensScreen()
    scope = wanted
    if isBack { list.select(id: branch) }
  }

  mutating func selectionMoved(_ shared: inout SharedState) -> [Command] {
    shared.revealedToken = nil
    detail = nil
    return readDetail
  }

  private var readDetail: [Command] {
    selected.map { [.load(.detail($0.id, revealed: false))] } ?? []
  }

  mutating func filterMoved(_ shared: SharedState) { detail = nil }

  mutating func loadVisibleRows(height: Int) -> [Command] {
    guard list.index.isLong, let wanted = rows.missing(in: list, height: height) else { return [] }
    return [.load(.tokenRows(wanted))]
  }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    switch loaded {
    case .tokens(let tree):
      showTree(tree)
      shared.waits.countRead(lines.lazy.compactMap { $0.token?.status })
      return shared.revealedToken == selected?.id ? [] : readDetail
    case .tokenBranches(let branches): showLines(TokenLine.lines(of: branches))
    case .tokenList(let listed, let headings, let index):
      return listed == scope ? showBranch(headings, index) : []
    case .tokenRows(let tokens):
      rows.take(tokens)
      shared.waits.countRead(rows.all.lazy.map(\.status))
      return detail?.row.id == selected?.id ? [] : readDetail
    case .detail(let detail?, let isRevealed):
      // Ignore a late response for a row that is no longer selected.
      guard detail.row.id == selected?.id else { return [] }
      self.detail = detail
      if isRevealed { shared.waits.reveal(again: shared.revealedToken == detail.row.id) }
      shared.revealedToken = isRevealed ? detail.row.id : nil
    default: break
    }
    return []
  }

  private mutating func showTree(_ tree: TokenTree) {
    let before = selected?.id
    showLines(tree.lines)
    list.marks.keep(Set(lines.compactMap { $0.token.map { RowID(credential: $0.id) } }))
    // Select a credential at first, because a heading has no credential to inspect.
    if before == nil, list.state.selection == 0,
      let first = list.matches.firstIndex(where: { lines[$0].token != nil })
    {
      list.state.selection = first
    }
  }

  private mutating func showLines(_ lines: [TokenLine]) {
    self.lines = lines
    var index = RowIndex(lines.map { RowID($0.id) }, lines)
    index.depths = lines.map(\.depth)
    list.replace(index)
  }

  private mutating func showBranch(_ headings: [TokenLine], _ index: RowIndex) -> [Command] {
    let isNew = list.index.count == 0
    lines = headings
    rows.expire()
    list.replace(index)
    if isNew, list.state.selection == 0 { list.state.selection = min(headings.count, list.count - 1) }
    if index.total != nil { return [.load(.allTokens(scope))] }
    list.marks.keep(Set(index.ids))
    return []
  }

  /// Masks a revealed secret again.
  mutating func conceal(_ shared: inout SharedState) -> [Command] {
    guard let token = shared.revealedToken else { return [] }
    shared.revealedToken = nil
    detail = nil
    return [.load(.detail(token, revealed: false))]
  }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    selectedLine?.opens != true
      ? "select a credential first" : shared.panel == 1 && selected != nil ? "nothing more to open" : nil
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    guard case .branch(let branch) = selectedLine?.kind else {
      (shared.panel, shared.scroll) = (1, 0)
      return []
    }
    shared.stack.append(
      .tokens(
        TokenScope(
          clientID: branch.clientID, redirectURI: branch.redirectURI, title: branch.app ?? branch.clientID)))
    return []
  }

  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String {
    let title = place.scope.title
    if before?.screen == Self.context { return title }
    return title.isEmpty ? "\(place.tab + 1) \(Self.title)" : "\(Self.title) > \(title)"
  }

  func selection(_ shared: SharedState) -> Selection {
    let account = selected.flatMap { $0.homeAccountID.isEmpty ? $0.username : $0.homeAccountID }
    var selection = Selection(accounts: account.map { [$0] } ?? [])
    selection.record = selected.map { RecordID(kind: .registration, name: $0.clientID) }
    selection.why = selected.map { .token($0.id) }
    selection.obstacleToWhy = selected == nil ? "select a token first" : nil
    selection.explained = selected?.state.rawValue ?? ""
    selection.token = selected
    selection.copies[.username] = selected?.username
    selection.copies[.clientID] = selectedLine?.clientID
    selection.copies[.redirectURI] = selected?.redirectURIs.first ?? selectedLine?.redirectURI
    selection.copies[.homeAccountID] = selected?.homeAccountID
    selection.copies[.cell] = selected?.id ?? selectedLine?.text
    selection.sentence =
      selected.map { "\($0.longType): \($0.state.sentence)" } ?? "client, redirect, credentials"
    return selection
  }
}

extension Place {
  /// The scope that the Tokens screen was opened for.
  fileprivate var scope: TokenScope {
    if case .tokens(let scope) = subject { scope } else { .everything }
  }
}

enum TokenAction: FeatureAction {
  case reveal

  func obstacle(in model: AppModel) -> String? {
    model.screens.tokens.selected == nil ? "select a token first" : nil
  }

  func run(on model: inout AppModel) -> [Command] {
    model.screens.tokens.selected.map { [.load(.detail($0.id, revealed: true))] } ?? []
  }
}

/// The marks in the tree, and the credentials that a change applies to.
///
/// Credentials are identified by their own IDs, because one may be listed under several redirect URIs. A heading
/// represents all credentials below it.
extension TokensScreen {
  func canMark(inPanel panel: Int) -> Bool { panel == 0 }

  func markIDs(ofRow row: Int) -> [RowID]? {
    guard lines.indices.contains(row) else { return [list.ids[row]] }
    if let token = lines[row].token { return [RowID(credential: token.id)] }
    if case .branch = lines[row].kind { return nil }
    if list.index.isLong { return Array(list.ids[lines.count...]) }
    return below(row).map { RowID(credential: $0.id) }
  }

  func isHeading(_ row: Int) -> Bool { lines.indices.contains(row) && lines[row].token == nil }

  func isMarked(_ row: Int) -> Bool {
    guard lines.indices.contains(row) else { return list.isMarked(row) }
    return lines[row].token.map { list.marks.ids.contains(RowID(credential: $0.id)) } ?? false
  }

  private func below(_ row: Int) -> [TokenRow] {
    lines[(row + 1)...].prefix { $0.depth > lines[row].depth }.compactMap(\.token)
  }

  /// Returns the credentials below a heading of the tree, each of them once.
  func credentials(under heading: TokenLine) -> [TokenRow] {
    lines.firstIndex { $0.id == heading.id }.map { below($0).onePerCredential } ?? []
  }

  /// Returns the number of credentials in the tree.
  ///
  /// Headings are not counted, and a credential under three redirect URIs is counted once.
  func countText(inPanel panel: Int) -> String {
    let isWhole = !list.index.isLong && lines.allSatisfy { $0.token != nil || !$0.opens }
    guard isWhole else { return list.markedCountText }
    func count(_ lines: [TokenLine]) -> Int { Set(lines.compactMap { $0.token?.id }).count }
    let shown = count((0..<list.count).map { lines[list.matches[$0]] })
    let marked = list.marks.ids.isEmpty ? "" : ", \(list.marks.ids.count) marked"
    return (list.isFiltered ? "\(shown) of \(count(lines))" : "\(shown)") + marked
  }

  /// Returns the credentials that a change applies to.
  ///
  /// Refresh tokens are invalidated, access and ID tokens expire, and any of them may be deleted.
  func target(of change: ChangeCredentials.Change?, _ shared: SharedState) throws(UnavailableReason) -> Target
  {
    let marked = list.marks.ids
    if list.index.isLong, !marked.isEmpty { return .rows(marked, kinds: CredentialKind.all(for: change)) }
    let targets =
      marked.isEmpty
      ? selected.map { [$0] } ?? []
      : lines.compactMap(\.token).filter { marked.contains(RowID(credential: $0.id)) }.onePerCredential
    let kinds = CredentialKind.all(for: change)
    let ids = targets.filter { kinds.isEmpty || $0.kind.map(kinds.contains) == true }.map(\.id)
    guard ids.isEmpty else { return .credentials(ids) }
    throw UnavailableReason(text: "select \(change.map(\.object) ?? "a token") first")
  }

  func shownTarget(of change: ChangeCredentials.Change?) -> Target {
    if list.index.isLong {
      return .rows(Set(list.matches.map { list.ids[$0] }), kinds: CredentialKind.all(for: change))
    }
    return .credentials(list.matches.compactMap { line($0)?.token }.onePerCredential.map(\.id))
  }

  /// The credentials that can be named in the palette, each of them once.
  var namedCredentials: [TokenRow] { lines.compactMap(\.token).onePerCredential }
}

extension [TokenRow] {
  fileprivate var onePerCredential: [TokenRow] {
    var seen: Set<String> = []
    return filter { seen.insert($0.id).inserted }
  }
}
