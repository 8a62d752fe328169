import SSOCore
import SSOLab
import SSOProvider
import TerminalUI

/// The columns of the Apps screen.
///
/// The facts that all apps of a client share give way first, and the next call never does.
enum AppColumn: String, ListColumn {
  case app = "APP"
  case client = "CLIENT ID"
  case redirect = "REDIRECT URI"
  case account = "ACCOUNT"
  case access = "AT"
  case refresh = "RT"
  case library = "LIB"
  case next = "NEXT CALL"

  /// The layout.
  ///
  /// At 80 columns the facts that differ between apps fit: the account, the tokens, and the next call in a few words.
  /// Below the list, the panel has the client ID and the redirect URI whole. The app and the next call fit in a width of
  /// 40.
  var layout: TableColumn {
    switch self {
    case .app: TableColumn(rawValue, width: .flexible(min: 10, wanted: 14, weight: 2))
    case .client: TableColumn(rawValue, width: .flexible(min: 9, weight: 1), cut: .middle, priority: 4)
    case .redirect: TableColumn(rawValue, width: .flexible(min: 10, weight: 3), cut: .start, priority: 5)
    case .account: TableColumn(rawValue, width: .flexible(min: 10, wanted: 15, weight: 2), priority: 1)
    case .access: TableColumn(rawValue, width: .fixed(9), priority: 2)
    case .refresh: TableColumn(rawValue, width: .fixed(9), priority: 3)
    case .library: TableColumn(rawValue, width: .fixed(4), priority: 6)
    case .next: TableColumn(rawValue, width: .flexible(min: 15, weight: 4))
    }
  }

  /// Returns the layout for a window.
  ///
  /// If the window has at least 100 columns, the next call has its reason, for which other columns give way. The app and
  /// the account stay.
  func layout(for widths: AppWidths, width: Int) -> TableColumn {
    var column = layout
    guard width >= Self.withReasons else { return column }
    switch self {
    case .next: column.width = .flexible(min: 28, wanted: min(60, widths.next), weight: 4)
    case .access where !widths.areOfSome: column.width = .fixed(max(2, widths.access.text))
    case .account: column.priority = 0
    default: break
    }
    return column
  }

  /// The number of columns from which the next call has its reason.
  private static let withReasons = 100

  /// The columns of a wide window: account names, bars for the time left of each token, and the next call in words.
  ///
  /// The facts that all apps of a client share are drawn above them.
  static let wide: [AppColumn] = [
    .app, .account, .access, .refresh, .next, .redirect, .library, .client,
  ]

  /// Returns the layout of the columns in a wide window, and the width of a token's bar, which is the greatest width
  /// within limits that does not truncate the next call.
  static func wideLayout(for widths: AppWidths, _ columns: [AppColumn], width: Int) -> (
    bar: Int, columns: [TableColumn]
  ) {
    var layout = columns.map { $0.wideLayout(for: widths, bar: 0) }
    let bars = columns.indices.filter { columns[$0] == .access || columns[$0] == .refresh }
    let needed = layout.filter { $0.priority == 0 }
    let spare = width - needed.reduce(2 * (needed.count - 1)) { $0 + $1.width.wanted }
    let bar = min(width >= 180 ? 20 : 8, max(shortestBar, spare / max(1, bars.count)))
    for index in bars { layout[index] = columns[index].wideLayout(for: widths, bar: bar) }
    return (bar, layout)
  }

  private static let shortestBar = 4

  /// Returns the layout of one column, whose token bars are `bar` columns wide.
  private func wideLayout(for widths: AppWidths, bar: Int) -> TableColumn {
    func token(_ token: AppWidths.Token) -> Int {
      widths.areOfSome ? bar + 10 : min(bar + 10, token.width(withBar: bar))
    }
    return switch self {
    case .app:
      TableColumn(rawValue, width: .flexible(min: 14, wanted: min(28, widths.name) + 2, weight: 1))
    case .account:
      TableColumn(rawValue, width: .flexible(min: 12, wanted: min(32, widths.account), weight: 1))
    case .access: TableColumn("AT (1 h)", width: .fixed(max(9, token(widths.access))))
    case .refresh: TableColumn("RT (90 d)", width: .fixed(max(10, token(widths.refresh))))
    case .next:
      TableColumn(rawValue, width: .flexible(min: 30, wanted: min(90, widths.next), weight: 6))
    case .redirect:
      TableColumn(
        rawValue, width: .flexible(min: 15, wanted: min(48, widths.redirect), weight: 1), cut: .start,
        priority: 1)
    case .library: TableColumn(rawValue, width: .fixed(4), priority: 2)
    case .client: TableColumn(rawValue, width: .flexible(min: 36, weight: 0), cut: .middle, priority: 3)
    }
  }

  /// Returns the cell in a wide window.
  ///
  /// `brace` ties the apps of a group together.
  func wideCell(of app: AppRow, bar: Int, brace: String, in shared: SharedState) -> TableCell {
    switch self {
    case .app: TableCell(brace + app.displayName)
    case .access: TableCell(app.accessBar(width: bar), app.accessToken.style)
    case .refresh: TableCell(app.refreshBar(width: bar), app.refreshToken.style)
    case .next: TableCell(app.nextInWords, app.next.style)
    default: cell(of: app, in: shared)
    }
  }

  /// Returns the cell in a window that is not wide.
  func cell(of app: AppRow, width: Int, in shared: SharedState) -> TableCell {
    self == .next && width < Self.withReasons
      ? TableCell(app.nextInBrief, app.next.style) : cell(of: app, in: shared)
  }

  func cell(of app: AppRow, in shared: SharedState) -> TableCell {
    switch self {
    case .app: TableCell(app.displayName)
    case .client: TableCell(app.clientID, .dim)
    case .redirect: TableCell(app.redirectURI, .dim)
    case .account: TableCell(app.accountText)
    case .access: TableCell(app.accessToken.text, app.accessToken.style)
    case .refresh:
      TableCell(app.refreshToken.text + (app.familyID == nil ? "" : " F"), app.refreshToken.style)
    case .library: TableCell(app.sdk, .dim)
    case .next: TableCell(app.nextInWords, app.next.style)
    }
  }

  func sortKey(of app: AppRow) -> SortKey {
    switch self {
    case .app: .text(app.displayName)
    case .client: .text(app.clientID)
    case .redirect: .text(app.redirectURI)
    case .account: .text(app.accountText)
    case .access: SortKey(app.accessToken)
    case .refresh: SortKey(app.refreshToken)
    case .library: .text(app.sdk)
    case .next: .text(app.next.sentence)
    }
  }
}

/// The columns that the texts of the rows need, measured once for the rows and not for each drawing.
///
/// The first hundred rows stand for very many.
struct AppWidths: Equatable, Sendable {
  /// The columns of a token's text, as it is and with a bar of no length.
  struct Token: Equatable, Sendable {
    fileprivate(set) var text = 0
    /// The columns of the longest text that gets a bar, and of the longest text that does not.
    fileprivate var (barred, plain) = (0, 0)

    func width(withBar bar: Int) -> Int { max(plain, barred == 0 ? 0 : barred + bar) }
  }

  private(set) var (name, account, next, redirect) = (0, 0, 0, 0)
  private(set) var (access, refresh) = (Token(), Token())
  /// Whether there are more rows than were measured.
  private(set) var areOfSome = false

  private static let measured = 100

  init() {}

  init(_ rows: [AppRow]) {
    areOfSome = rows.count > Self.measured
    for row in rows.prefix(Self.measured) {
      name = max(name, columnWidth(row.displayName))
      account = max(account, columnWidth(row.accountText))
      next = max(next, columnWidth(row.nextInWords))
      redirect = max(redirect, columnWidth(row.redirectURI))
      Self.measure(row.accessToken, row.accessBar(width: 0), &access)
      Self.measure(row.refreshToken, row.refreshBar(width: 0), &refresh)
    }
  }

  private static func measure(_ token: TokenStatus, _ withBar: String, _ widths: inout Token) {
    widths.text = max(widths.text, columnWidth(token.text))
    let width = columnWidth(withBar)
    if token.hasBar {
      widths.barred = max(widths.barred, width)
    } else {
      widths.plain = max(widths.plain, width)
    }
  }
}

extension TokenStatus {
  /// Whether the token has a lifetime to draw as a bar.
  fileprivate var hasBar: Bool { secondsLeft != nil && [.valid, .expiring, .expired].contains(state) }

  /// Returns a bar for the time left of a token with a lifetime of `span` seconds: `● ━━━━── 59m`.
  ///
  /// The heavy part is the time left.
  func barText(of span: Int, width: Int) -> String {
    guard hasBar, let left = secondsLeft else { return text }
    let filled = min(width, max(0, (left * width + span - 1) / span))
    return text.prefix(2) + String(repeating: "━", count: filled)
      + String(repeating: "─", count: width - filled)
      + text.dropFirst()
  }
}

extension AppRow {
  fileprivate func accessBar(width: Int) -> String {
    accessToken.barText(of: TokenIssuer.lifetime, width: width)
  }

  fileprivate func refreshBar(width: Int) -> String {
    refreshToken.barText(of: RefreshTokenRecord.lifetime(of: .app), width: width)
      + (familyID == nil ? "" : " F")
  }

  /// The next call with a sign that says it without colour: `✓ silent: cache, no network`; `! needs sign-in: its
  /// sharing group differs from My Test App 1's`.
  var nextInWords: String { "\(next.glyph) \(next.sentence)" }

  /// The next call in a few words, with the source of the token: `✓ silent: cache`, `! needs sign-in`.
  var nextInBrief: String {
    let source =
      switch next.kind {
      case .cache: ": cache"
      case .appRefreshToken: ": app RT"
      case .familyRefreshToken: ": family RT"
      case .broker: ": broker"
      case .ownSecret, .prompt, .failure: ""
      }
    return "\(next.glyph) \(next.kind.displayText)\(source)"
  }

  package var accountText: String {
    if accountCount == 0 { return "-" }
    guard let name = accounts.first else {
      return counted(accountCount, "more account")
    }
    return accountCount == 1 ? name : "\(accountCount) accounts"
  }

  /// The username of the row's account, if the app has several accounts.
  ///
  /// If there is no username, this is the identifier that a call uses for the account.
  var accountName: String? {
    guard let account else { return nil }
    return accounts.first { $0.contains("@") } ?? account
  }

  /// The app's name and, if the app has several accounts, the account of the row.
  var title: String { displayName + (accountName.map { " for " + $0 } ?? "") }
}
