import SSOCore
import SSOLab
import TerminalUI

/// The view of one credential with its claims.
///
/// The secret is masked unless it is revealed.
struct TokenInspector: ~Copyable {
  let screen: TokensScreen
  let shared: SharedState

  func draw(into grid: inout Grid, _ rect: Rect) {
    guard let token = screen.selected else { return drawHeading(into: &grid, rect) }
    let inner = grid.panel(
      rect, token.longType, trailing: "u \(shared.times.style.rawValue)", focused: shared.panel == 1)
    var lines = tokenLines(of: token, width: inner.width - 2)
    if let detail = screen.detail, detail.row.id == token.id {
      lines += detailLines(detail, inner.width - 2)
    }
    grid.lines(lines, in: inner, scroll: shared.scroll(ofPanel: 1))
  }

  /// Draws a heading of the tree in full, because the narrow tree must truncate it.
  private func drawHeading(into grid: inout Grid, _ rect: Rect) {
    guard let line = screen.selectedLine else {
      let inner = grid.panel(rect, "Inspector", focused: shared.panel == 1)
      return grid.emptyState(["Select a credential to see its contents."], in: inner)
    }
    switch line.kind {
    case .primary(let token): return drawPrimary(token, into: &grid, rect)
    case .broker:
      let inner = grid.panel(rect, "Broker", focused: shared.panel == 1)
      return grid.emptyState(
        [
          "The broker signs in once for all apps. Its primary refresh tokens stay with it: an app that calls the broker gets its own tokens."
        ], in: inner)
    default: break
    }
    let isClient = line.depth == 0
    let inner = grid.panel(rect, isClient ? "Client ID" : "Redirect URI", focused: shared.panel == 1)
    let width = inner.width - 2
    let apps = shared.lab.eachApp.filter { isClient ? $0.clientID == line.text : $0.redirectURI == line.text }
    var lines = wrapped(line.text, width).map { PanelLine($0, .bold) }
    if case .client(let name?) = line.kind { lines.append(field("Registered", name, width: width)) }
    let held = screen.credentials(under: line)
    lines.append(
      field("Credentials", held.isEmpty ? "Enter reads what is stored" : counted(held), width: width))
    lines += [PanelLine(""), PanelLine(apps.isEmpty ? "No installed app uses it." : "Used by", .dim)]
    for app in apps {
      lines += wrapped("\(app.displayName), \(app.bundleID)", width, indent: "  ").map { PanelLine($0) }
      if isClient {
        lines += wrapped("  " + app.redirectURI, width, indent: "  ").map { PanelLine("  " + $0, .dim) }
      }
    }
    grid.lines(lines, in: inner, scroll: shared.scroll(ofPanel: 1))
  }

  private func drawPrimary(_ token: PrimaryTokenRow, into grid: inout Grid, _ rect: Rect) {
    let inner = grid.panel(
      rect, "Primary refresh token", trailing: "u \(shared.times.style.rawValue)", focused: shared.panel == 1)
    let width = inner.width - 2
    var lines = wrapped(token.status.sentence, width, indent: "  ")
      .map { PanelLine($0, token.status.style) }
    lines.append(field("Expires", shared.momentText(token.expiresOn), width: width))
    lines += fieldLines("Usable by", "only the broker, for every app that calls it", width: width)
    lines.append(field("Account", token.username, width: width))
    lines.append(field("Home ID", token.homeAccountID, width: width))
    grid.lines(lines, in: inner, scroll: shared.scroll(ofPanel: 1))
  }

  private func tokenLines(of token: TokenRow, width: Int) -> [PanelLine] {
    var lines = secretLines(of: token, width: width)
    lines += wrapped(token.status.sentence, width, indent: "  ")
      .map { PanelLine($0, token.state.style) }
    if let life = shared.times.lifeLine(of: token, at: shared.lab.status?.now, width: width) {
      lines.append(PanelLine(life, .dim))
    }
    if let end = token.expiresOn {
      lines.append(field("Expires", shared.momentText(end), width: width))
      lines.append(PanelLine("           " + end.iso8601, .dim))
    }
    let users = token.apps.isEmpty ? "no installed app" : token.apps.joined(separator: ", ")
    lines += fieldLines("Usable by", users, width: width)
    lines.append(field("Account", token.username ?? token.homeAccountID, width: width))
    lines += token.fieldLines(width: width)
    if shared.revealedToken != token.id { lines.append(field("Secret", token.secret, width: width)) }
    return lines
  }

  /// Returns the revealed secret with the seconds that are left, or nothing while it is masked.
  private func secretLines(of token: TokenRow, width: Int) -> [PanelLine] {
    guard shared.revealedToken == token.id else { return [] }
    let more = shared.keys.fill("{reveal} again: +10 s")
    return [PanelLine("Secret  \(shared.waits.revealSeconds) s  (\(more))", .warning)]
      + wrapped(screen.detail?.row.secret ?? token.secret, width).map { PanelLine($0) } + [PanelLine("")]
  }

  /// The area for a token: both panels while a secret is revealed that does not fit into one.
  func area(in panels: Layout.Panels) -> Rect {
    let own = panels.second
    guard let token = screen.selected, own.height > 0,
      secretLines(of: token, width: own.belowHeading.width - 2).count > own.belowHeading.height
    else { return own }
    let first = panels.first
    return Rect(
      x: first.x, y: first.y, width: max(first.maxX, own.maxX) - first.x,
      height: max(first.maxY, own.maxY) - first.y)
  }

  private func detailLines(_ detail: TokenDetail, _ width: Int) -> [PanelLine] {
    var lines = [PanelLine("")]
    if let problem = detail.problem { lines += wrapped("✗ " + problem, width).map { PanelLine($0, .bad) } }
    if detail.claims.isEmpty {
      lines.append(PanelLine("No claims: opaque to the app.", .dim))
    } else {
      let name = nameWidth(detail.claims.map(\.name))
      lines.append(PanelLine("CLAIM".padding(to: name) + "VALUE", .dim))
      for claim in detail.claims {
        let value = shared.withMoment(claim.value, of: claim.name)
        let line = claim.name.padding(to: name) + value
        let isShort = columnWidth(line) + 4 + columnWidth(claim.meaning) <= width
        if isShort {
          lines.append(PanelLine(claim.meaning.isEmpty ? line : line + "  (\(claim.meaning))"))
          continue
        }
        lines += valueLines(claim.name, value, width, label: name)
        if !claim.meaning.isEmpty {
          lines.append(PanelLine("".padding(to: name) + "(\(claim.meaning))", .dim))
        }
      }
    }
    if let header = detail.header { lines += [PanelLine(""), field("Header", header, width: width)] }
    guard !detail.lines.isEmpty else { return lines }
    let name = nameWidth(detail.lines.map(\.name))
    lines += [PanelLine(""), PanelLine("STORED".padding(to: name) + "VALUE", .dim)]
    return lines
      + detail.lines.flatMap {
        valueLines($0.name, shared.withMoment($0.value, of: $0.name), width, label: name)
      }
  }

  /// Returns the complete value, unless it would fill the panel.
  private func valueLines(_ name: String, _ value: String, _ width: Int, label: Int) -> [PanelLine] {
    value.utf8.count > 400
      ? [PanelLine(name.padding(to: label) + value)] : fieldLines(name, value, width: width, label: label)
  }
}

/// Returns the number of tokens of each type, such as `1 AT, 1 ID, 1 RT`.
private func counted(_ tokens: [TokenRow]) -> String {
  Dictionary(grouping: tokens, by: \.shortType).sorted { $0.key < $1.key }
    .map { "\($0.value.count) \($0.key)" }.joined(separator: ", ")
}

/// Returns the width of a column for these names, limited so that a very long name does not displace all values.
private func nameWidth(_ names: [String]) -> Int { min(20, names.map { columnWidth($0) }.max() ?? 0) + 1 }

extension TimeDisplay {
  /// Returns a line with the current position in a token's lifetime: `09:00 ├────●─────────┤ 10:00`.
  fileprivate func lifeLine(of token: TokenRow, at now: Instant?, width: Int) -> String? {
    guard let start = token.cachedAt, let end = token.expiresOn, let now else { return nil }
    let whole = start.seconds(until: end)
    let (from, to) = (minute(start), minute(end))
    let room = min(width, 60) - from.count - to.count - 5
    guard whole > 0, room >= 8, (0...whole).contains(start.seconds(until: now)) else { return nil }
    let done = start.seconds(until: now) * (room - 1) / whole
    let line = String(repeating: "─", count: done) + "●" + String(repeating: "─", count: room - 1 - done)
    return "\(from) ├\(line)┤ \(to)"
  }
}

extension SharedState {
  private static let moments: Set<String> = [
    "exp", "iat", "nbf", "auth_time", "expires_on", "extended_expires_on", "refresh_on", "cached_at",
    "last_modification_time",
  ]

  /// Returns the value of a field, with the date added to a Unix timestamp.
  fileprivate func withMoment(_ value: String, of name: String) -> String {
    guard Self.moments.contains(name), let seconds = Int(value) else { return value }
    return "\(value) = \(momentText(Instant(seconds)))"
  }
}
