import SSOLab
import SSOServer
import TerminalUI

/// Apps: one row per app, what its next silent call would do, and what happened last.
func drawApps(_ model: AppModel, into grid: inout Grid, _ panels: Layout.Panels) {
  drawAppList(model, into: &grid, panels.first)
  drawNext(model, into: &grid, panels.second)
  drawRecent(model, into: &grid, panels.third)
}

private func drawAppList(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  let inner = grid.panel(
    rect, "Apps \(model.countText(of: model.apps, in: .apps))", trailing: model.sorting[.apps]?.text ?? "",
    focused: model.panel == 0)
  guard model.apps.count > 0 else {
    return grid.emptyState(
      of: model.apps, "app",
      ["No apps in this store.", "Leave with q and run ssoterm demo to see a lab with apps."], in: inner)
  }
  let columns = model.shown(AppColumn.self)
  drawTable(
    into: &grid, rect: inner, columns: columns.map(\.layout), rowCount: model.apps.count,
    row: { index in
      let app = model.appRows[model.apps.matches[index]]
      return columns.map { $0.cell(of: app, in: model) }
    }, state: model.apps.state, focused: model.panel == 0,
    isMarked: { model.isMarked(row: model.apps.matches[$0]) }, list: 0)
}

private func drawNext(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard let app = model.selectedApp else {
    _ = grid.panel(rect, "Next silent call", focused: model.panel == 1)
    return
  }
  let inner = grid.panel(rect, "\(app.displayName): next silent call", focused: model.panel == 1)
  let width = inner.width - 2
  var lines = wrapped("NEXT " + app.next.sentence, width, indent: "     ")
    .map { PanelLine($0, app.next.style) }
  lines += checkLines(app.next.checks, width: width)
  lines.append(PanelLine(""))
  lines += [
    field("Account", app.accountText, width: width),
    field("Client ID", app.clientID, width: width),
    field("Redirect", app.redirectURI, width: width),
    field("Library", "\(app.sdk) \(app.sdkVersion)  team \(app.teamID)", width: width),
  ]
  lines += fieldLines("Broker", app.broker, width: width)
  lines.append(field("Keychain", app.accessGroup, width: width))
  let mates = app.sharesGroupWith.isEmpty ? "nobody" : app.sharesGroupWith.joined(separator: ", ")
  lines += wrapped("Shares with " + mates, width, indent: "  ").map { PanelLine($0) }
  if let target = app.target { lines.append(field("Scopes", target, width: width)) }
  for warning in app.warnings {
    lines += wrapped("! " + warning, width, indent: "  ").map { PanelLine($0, .warning) }
  }
  grid.lines(lines, in: inner, scroll: model.panel == 1 ? model.scroll : 0)
}

private func drawRecent(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let inner = grid.panel(rect, "Events", trailing: "4 Trace", focused: false)
  guard !model.traceRows.isEmpty else {
    return grid.emptyState(["Nothing has happened yet. Press i to sign in."], in: inner)
  }
  // In full: it is the end of a title that says which app it was.
  let lines = model.traceRows.prefix(inner.height).flatMap { trace in
    wrapped(
      model.clock(trace.at).prefix(5) + " \(verdictGlyph(trace.verdict)) " + model.named(trace.title),
      inner.width - 2, indent: "        "
    ).map { PanelLine($0, verdictStyle(trace.verdict)) }
  }
  grid.lines(Array(lines.prefix(inner.height)), in: inner)
}

extension Prediction {
  var style: Style {
    switch kind {
    case .cache: .good
    case .appRefreshToken, .familyRefreshToken, .broker, .ownSecret: .accent
    case .prompt: .warning
    case .failure: .bad
    }
  }
}

func verdictGlyph(_ verdict: String) -> String {
  switch verdict {
  case "succeeded": "✓"
  case "failed": "✗"
  default: "·"
  }
}

func verdictStyle(_ verdict: String) -> Style {
  switch verdict {
  case "failed": .bad
  case "cancelled": .dim
  default: .plain
  }
}
