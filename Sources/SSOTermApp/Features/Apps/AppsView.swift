extension AppsScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    let (rows, rest) = layout.body.splitTop(min(max(list.count, 1) + 2, layout.body.height / 2))
    guard layout.isRegular else { return Layout.Panels(first: rows, second: rest) }
    let (next, recent) = rest.splitLeft(rest.width * 3 / 5)
    return Layout.Panels(first: rows, second: next, third: recent)
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    drawList(shared, into: &grid, panels.first)
    drawNext(shared, into: &grid, panels.second)
    drawEvents(shared, into: &grid, panels.third)
  }

  private func drawList(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let inner = grid.panel(
      rect, "\(isByAccount(shared) ? "Apps by account" : "Apps") \(list.markedCountText)",
      trailing: list.sorting?.text ?? "",
      focused: shared.panel == 0)
    guard list.count > 0 else {
      return grid.emptyState(
        of: list, "app",
        ["No apps in this store.", "Leave with q and run ssoterm demo to see a lab with apps."], in: inner)
    }
    let columns = list.shown(AppColumn.self)
    drawTable(
      into: &grid, rect: inner, columns: columns.map(\.layout), rowCount: list.count,
      row: { index in
        let app = shared.lab.apps[list.matches[index]]
        return columns.map { $0.cell(of: app, in: shared) }
      }, state: list.state, focused: shared.panel == 0,
      isMarked: { list.isMarked(list.matches[$0]) }, list: 0)
    drawMotion(shared, into: &grid, inner)
  }

  private func drawMotion(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard let motion = shared.motion else { return }
    let rows = rect.splitTop(1).1
    let visible = list.state.visible(height: rows.height, count: list.count)
    guard let place = visible.first(where: { motion.isOf(shared.lab.apps[list.matches[$0]]) }) else { return }
    motion.draw(over: rows.rows(place - visible.lowerBound, 1), into: &grid)
  }

  private func isByAccount(_ shared: SharedState) -> Bool { shared.lab.apps.contains { $0.account != nil } }

  private func drawNext(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard let app = selected(shared) else {
      _ = grid.panel(rect, "Next silent call", focused: shared.panel == 1)
      return
    }
    let inner = grid.panel(rect, "\(app.title): next silent call", focused: shared.panel == 1)
    let width = inner.width - 2
    var lines = wrapped("NEXT " + app.next.sentence, width, indent: "     ")
      .map { PanelLine($0, app.next.style) }
    // What decided comes first: the list may be longer than the panel.
    let cause = app.next.checks.firstFailure
    lines += checkLines((cause.map { [$0] } ?? []) + app.next.checks.filter { $0 != cause }, width: width)
    lines.append(PanelLine(""))
    lines += [
      field("Account", app.accountText, width: width),
      field("Client ID", app.clientID, width: width),
      field("Redirect", app.redirectURI, width: width),
      field("Library", "\(app.sdk) \(app.sdkVersion)  team \(app.teamID)", width: width),
    ]
    lines += fieldLines("Broker", app.broker, width: width)
    lines.append(field("Keychain", app.accessGroup, width: width))
    let mates = app.sharesGroupWith.isEmpty ? "no other app" : app.sharesGroupWith.joined(separator: ", ")
    lines += wrapped("Shares with " + mates, width, indent: "  ").map { PanelLine($0) }
    if let target = app.target { lines.append(field("Scopes", target, width: width)) }
    for warning in app.warnings {
      lines += wrapped("! " + warning, width, indent: "  ").map { PanelLine($0, .warning) }
    }
    grid.lines(lines, in: inner, scroll: shared.scroll(ofPanel: 1))
  }

  private func drawEvents(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard !rect.isEmpty else { return }
    let inner = grid.panel(rect, "Events", trailing: "4 Trace", focused: false)
    guard !events.isEmpty else {
      return grid.emptyState([shared.keys.fill("No events yet. Press {signin} to sign in.")], in: inner)
    }
    // In full: it is the end of a title that says which app it was.
    let lines = events.prefix(inner.height).flatMap { trace in
      wrapped(
        shared.times.clock(trace.at).prefix(5) + " \(trace.glyph) " + trace.words(shared.lab),
        inner.width - 2, indent: "        "
      ).map { (PanelLine($0, trace.style), trace.id) }
    }.prefix(inner.height)
    grid.lines(lines.map(\.0), in: inner)
    for (row, line) in lines.enumerated() {
      grid.note(Touch(.place("trace/\(line.1)"), inner.rows(row, 1)))
    }
  }
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
