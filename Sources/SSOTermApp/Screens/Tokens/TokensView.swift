import SSOCore
import SSOLab
import SSOProvider
import TerminalUI

extension TokensScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    // From 120 columns on, a row has room for the scopes and the token's user. The inspector needs at most 100 columns.
    let width = layout.size.width
    // From 100 columns on, the inspector has room for a GUID beside the name of its claim.
    let tree = width < 100 ? width * 9 / 20 : min(width * 9 / 20, width - 56)
    let left = max(min(60, max(tree, width - 60)), width - 100)
    return layout.pair(left: left, top: layout.body.height / 2)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let inner = grid.panel(
      panels.first, "Tokens \(countText(inPanel: 0))\(repetition(in: self))", focused: shared.panel == 0)
    if list.count > 0 {
      drawTree(shared, into: &grid, inner)
    } else {
      grid.emptyState(
        of: list, "credential",
        [
          "Nothing is stored here.",
          shared.keys.fill("Press {apps}, then {signin} on an app, to sign in and get tokens."),
        ], in: inner)
    }
    let inspector = TokenInspector(screen: self, shared: shared)
    inspector.draw(into: &grid, inspector.area(in: panels))
  }

  private func drawTree(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    drawTable(
      into: &grid, rect: rect, columns: [TableColumn("", width: .flexible(min: 10, weight: 1))],
      rowCount: list.count, row: { _ in [] }, state: list.state, focused: shared.panel == 0)
    let visible = list.state.visible(height: rect.height, count: list.count)
    let guides = guides(of: visible)
    for index in visible {
      let number = list.matches[index]
      let row = rect.rows(index - visible.lowerBound, 1)
      let isSelected = index == list.state.selection && shared.panel == 0
      if let line = line(number) {
        drawTreeLine(line, guides: guides[index - visible.lowerBound], into: &grid, row, isSelected, shared)
      } else {
        grid.put(list.index.texts.text(number), at: row.x + 8, row.y, width: row.width - 8)
      }
      if isMarked(number) {
        grid.put("*", at: row.x + 1, row.y, width: 1, style: isSelected ? .selected : .accent)
      }
      grid.add(Touch(.row(list: 0, number: index), row))
    }
  }

  /// Returns the lines of the tree before each of the rows: `├ ` or `└ `, and `│ ` for each branch that continues
  /// below.
  ///
  /// The rows below them are read once, because a branch may have a hundred thousand.
  private func guides(of places: Range<Int>) -> [String] {
    guard let depths = list.index.depths else { return places.map { _ in "" } }
    // The levels whose branches continue below the row.
    var open: Set<Int> = []
    var highest = Int.max
    for place in places.upperBound..<max(places.upperBound, list.count) {
      guard highest > 1 else { break }
      highest = min(highest, depths[list.matches[place]])
      open.insert(highest)
    }
    var guides: [String] = []
    for place in places.reversed() {
      let depth = depths[list.matches[place]]
      let outer = depth > 0 ? (1..<depth).map { open.contains($0) ? "│ " : "  " }.joined() : ""
      guides.append(depth > 0 ? outer + (open.contains(depth) ? "├ " : "└ ") : "")
      open = open.filter { $0 < depth }.union([depth])
    }
    return guides.reversed()
  }
}

private func drawTreeLine(
  _ line: TokenLine, guides: String, into grid: inout Grid, _ row: Rect, _ isSelected: Bool,
  _ shared: SharedState
) {
  grid.put(guides, at: row.x + 2, row.y, width: row.width - 2, style: .dim)
  let x = row.x + 2 + (guides.isEmpty ? line.depth : columnWidth(guides))
  let room = row.maxX - x
  switch line.kind {
  case .client(let name):
    let label = name.map { "\($0) " } ?? ""
    grid.put(
      label + middleTruncated(line.text, max(4, room - columnWidth(label))), at: x, row.y, width: room,
      style: .bold)
  case .redirect(let app):
    let label = app.map { "\($0) " } ?? ""
    grid.put(
      label + middleTruncated(line.text, max(4, room - columnWidth(label))), at: x, row.y, width: room,
      style: .accent)
  case .branch(let branch):
    let count = "\(branch.count)"
    let label = branch.app.map { "\($0) " } ?? ""
    let space = room - columnWidth(label) - count.count - 3
    grid.put(
      label + middleTruncated(line.text, max(4, space)), at: x, row.y, width: room - count.count - 2,
      style: .accent)
    grid.put(count, at: row.maxX - count.count - 1, row.y, style: .dim)
  case .broker:
    grid.put("Broker", at: x, row.y, width: room, style: .bold)
    grid.put(line.text, at: x + 7, row.y, width: room - 8)
  case .primary(let token):
    let left = room < TokenLine.barRoom ? token.status.text : token.bar
    grid.put("PRT", at: x, row.y, width: 4)
    let space = room - 6 - columnWidth(left)
    // The end of a name that is cut looks like any other, so a narrow window shows it without its domain.
    let name = columnWidth(token.username) > space ? nameWithoutDomain(token.username) : token.username
    grid.put(name, at: x + 4, row.y, width: space)
    grid.put(left, at: row.maxX - columnWidth(left) - 1, row.y, style: token.status.style)
  case .token(let token) where line.isRepeat:
    grid.put(token.shortType, at: x, row.y, width: 4, style: .dim)
    grid.put("\(token.shortAccount)  the same as above", at: x + 4, row.y, width: room - 5, style: .dim)
  case .token(let token):
    let bar = room < TokenLine.barRoom || shared.times.style != .left ? nil : token.bar
    let left = bar ?? shared.times.text(of: token)
    grid.put(token.shortType, at: x, row.y, width: 4, style: .plain)
    let space = room - 6 - columnWidth(left)
    grid.put(token.label, at: x + 4, row.y, width: space)
    grid.put(left, at: row.maxX - columnWidth(left) - 1, row.y, style: token.state.style)
  }
  if isSelected { grid.restyle(row) { $0 = $0.inSelectedRow } }
}

/// Returns an account without its domain, which is the same for most accounts.
private func nameWithoutDomain(_ account: String) -> String { String(account.prefix { $0 != "@" }) }

extension TokenRow {
  fileprivate var shortAccount: String { nameWithoutDomain(username ?? homeAccountID) }

  /// The state with a bar for the time left, or `nil` if the lifetime is unknown.
  fileprivate var bar: String? {
    if CredentialKind(type: type) == .refreshToken {
      return status.barText(of: RefreshTokenRecord.lifetime(of: .app), width: 12)
    }
    guard let cachedAt, let expiresOn, cachedAt < expiresOn else { return nil }
    return status.barText(of: cachedAt.seconds(until: expiresOn), width: 12)
  }

  /// The text that distinguishes the token from its neighbours: scopes, a family, or the user.
  fileprivate var label: String { isLegacy ? "legacy " + ownLabel : ownLabel }

  private var ownLabel: String {
    switch shortType {
    case "FRT": "family \(familyID ?? "?") \(username ?? "")"
    // The account comes first, because rows of several accounts are otherwise alike in a narrow window.
    case "AT":
      [username == nil ? nil : shortAccount, target.map(Self.withoutScheme)].compactMap(\.self)
        .joined(separator: "  ")
    default: username ?? homeAccountID
    }
  }

  /// Returns scopes without their scheme, because all scopes of a resource begin alike.
  private static func withoutScheme(_ scopes: String) -> String {
    scopes.split(separator: " ").map { $0.hasPrefix("https://") ? $0.dropFirst(8) : $0 }.joined(
      separator: " ")
  }
}

extension PrimaryTokenRow {
  fileprivate var bar: String { status.barText(of: RefreshTokenRecord.lifetime(of: .primary), width: 12) }
}

/// Returns a remark for credentials that the apps of a client ID share: they are listed under each app, but counted
/// once.
private func repetition(in screen: TokensScreen) -> String {
  guard !screen.list.index.isLong else { return "" }
  let tokens = screen.list.matches.indices.compactMap { screen.lines[screen.list.matches[$0]].token?.id }
  return Set(tokens).count < tokens.count ? ", under each app" : ""
}

/// A line of the tree client ID → redirect URI → credentials.
struct TokenLine: Equatable, Sendable, Identifiable {
  enum Kind: Equatable, Sendable {
    case client(name: String?)
    case redirect(app: String?)
    case token(TokenRow)
    /// A line that represents all credentials of a redirect URI, which are read when it is opened.
    case branch(TokenBranch)
    /// The broker, which is the heading of its primary refresh tokens.
    case broker
    case primary(PrimaryTokenRow)
  }
  /// The columns from which a line has room for a bar.
  static let barRoom = 60

  var id: String
  var kind: Kind
  var text: String
  /// The app and the redirect URI under which a credential is listed, or `nil` in a list without headings.
  var app: String?
  var uri: String?
  /// Whether the credential is listed above as well, under another redirect URI.
  var isRepeat = false

  var token: TokenRow? {
    if case .token(let row) = kind { row } else { nil }
  }

  var depth: Int {
    switch kind {
    case .client, .broker: 0
    case .redirect, .branch, .primary: 1
    case .token: 2
    }
  }

  /// Whether the line can be opened.
  var opens: Bool {
    switch kind {
    case .token, .branch: true
    case .client, .redirect, .broker, .primary: false
    }
  }
}

extension TokenLine {
  var clientID: String? {
    switch kind {
    case .client: text
    case .redirect, .broker, .primary: nil
    case .branch(let branch): branch.clientID
    case .token(let row): row.clientID
    }
  }

  var redirectURI: String? {
    switch kind {
    case .redirect(_?): text
    case .branch(let branch): branch.redirectURI
    default: nil
    }
  }
}

extension TokenTree {
  var lines: [TokenLine] {
    var lines: [TokenLine] = []
    var listed: Set<String> = []
    for client in clients {
      lines.append(TokenLine(id: client.clientID, kind: .client(name: client.name), text: client.clientID))
      for redirect in client.redirects {
        let uri = redirect.redirectURI ?? "no installed app"
        let head = TokenLine.id(clientID: client.clientID, redirectURI: redirect.redirectURI)
        lines.append(TokenLine(id: head, kind: .redirect(app: redirect.app), text: uri))
        for token in redirect.tokens {
          var line = TokenLine(token, under: head, redirect)
          line.isRepeat = !listed.insert(token.id).inserted
          lines.append(line)
        }
      }
    }
    guard !primaryTokens.isEmpty else { return lines }
    lines.append(TokenLine(id: "broker", kind: .broker, text: "no app can read these"))
    return lines
      + primaryTokens.map {
        TokenLine(id: "broker " + $0.homeAccountID, kind: .primary($0), text: $0.username)
      }
  }
}

extension TokenLine {
  /// Creates the line of a credential, which may be listed under several headings, each time as another line.
  init(_ token: TokenRow, under heading: String, _ redirect: TokenTree.Redirect? = nil) {
    self.init(
      id: heading + " " + token.id, kind: .token(token), text: token.target ?? token.clientID,
      app: redirect?.app, uri: redirect?.redirectURI)
  }

  /// Returns the ID of the heading for a redirect URI, or of the branch in its place.
  static func id(clientID: String, redirectURI: String?) -> String {
    clientID + " " + (redirectURI ?? "no installed app")
  }

  /// Returns the heading of each client, and a line for each of its branches.
  static func lines(of branches: [TokenBranch]) -> [TokenLine] {
    var lines: [TokenLine] = []
    for branch in branches {
      if lines.last?.id.hasPrefix(branch.clientID) != true {
        lines.append(
          TokenLine(id: branch.clientID, kind: .client(name: branch.clientName), text: branch.clientID))
      }
      let uri = branch.redirectURI ?? "no installed app"
      let id = id(clientID: branch.clientID, redirectURI: branch.redirectURI)
      lines.append(TokenLine(id: id, kind: .branch(branch), text: uri))
    }
    return lines
  }
}
