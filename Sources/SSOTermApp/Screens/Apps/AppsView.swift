import SSOCore
import SSOLab
import TerminalUI

extension AppsScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    // An empty list needs three lines to say what to do.
    let wanted = (list.count == 0 ? 4 : list.count) + groupStarts(width: layout.size.width).count + 2
    let (rows, rest) = layout.body.splitTop(min(wanted, layout.body.height / 2))
    guard layout.isRegular else { return Layout.Panels(first: rows, second: rest) }
    let (facts, call) = rest.splitTop(factsHeight(of: rest))
    guard hasSharingColumn(layout) else {
      // A client ID and a redirect URI are whole in a window of 80 columns.
      let (next, recent) = facts.splitLeft(max(facts.width * 6 / 10, min(52, facts.width * 7 / 10)))
      return Layout.Panels(first: rows, second: next, third: recent, fourth: call)
    }
    let (next, others) = facts.splitLeft(facts.width * 2 / 5)
    let (sharing, recent) = others.splitLeft(others.width / 2)
    return Layout.Panels(first: rows, second: next, third: recent, fourth: call, column: sharing)
  }

  /// Returns whether a column shows the apps that can reuse the selected app's sign-in.
  func hasSharingColumn(_ layout: Layout) -> Bool {
    layout.isRegular && layout.size.width >= 140 && (2...12).contains(appCount)
  }

  /// Returns the number of rows for the next call and the events.
  ///
  /// The drawing of the last call gets the remaining rows.
  private func factsHeight(of rest: Rect) -> Int {
    let height = max(15, min(22, rest.height / 3))
    let isWide = rest.width >= Self.wide && list.count > 0
    return isWide && rest.height - height >= LastCall.smallestHeight ? height : rest.height
  }

  /// Returns the positions at which groups of apps begin in a wide window, unless a column decides the order or there
  /// are too many rows.
  private func groupStarts(width: Int) -> [Int] {
    guard width >= Self.wide, list.sorting == nil, list.count <= 40 else { return [] }
    let matches = list.matches
    return matches.indices.filter {
      $0 == 0 || clients[matches[$0]] != clients[matches[$0 - 1]]
    }
  }

  /// The number of columns from which a row has room for bars and sentences.
  private static let wide = 120

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    drawList(shared, into: &grid, panels.first)
    let below = Rect(
      x: panels.second.x, y: panels.second.y,
      width: panels.third.isEmpty ? panels.second.width : panels.third.maxX,
      height: panels.second.height + panels.fourth.height)
    if let picture, below.width >= FlowDrawing.smallestWidth,
      below.height >= FlowDrawing.smallestHeight
    {
      // Above the bar for an audience, the status line has a single row.
      return picture.draw(said: shared.isPresenting ? nil : shared.notice, into: &grid, below)
    }
    drawNext(shared, into: &grid, panels.second)
    drawSharing(shared, into: &grid, panels.column)
    drawEvents(shared, into: &grid, panels.third)
    if let app = selected(shared) { lastCall.draw(of: app, shared, into: &grid, panels.fourth) }
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
    if shared.size.width >= Self.wide { return drawWideList(shared, into: &grid, inner) }
    let columns = list.shown(AppColumn.self)
    drawTable(
      into: &grid, rect: inner,
      columns: columns.map { $0.layout(for: widths, width: rect.width) }, rowCount: list.count,
      row: { index in
        let app = shared.lab.apps[list.matches[index]]
        return columns.map { $0.cell(of: app, width: rect.width, in: shared) }
      }, state: list.state, focused: shared.panel == 0,
      isMarked: { list.isMarked(list.matches[$0]) }, list: 0)
    drawMotion(shared, into: &grid, inner)
  }

  private func drawWideList(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let starts = groupStarts(width: shared.size.width)
    let above = list.count + starts.count < rect.height ? starts : []
    let columns = AppColumn.wide.filter {
      !list.hiddenColumns.contains($0.rawValue) && ($0 != .client || above.isEmpty)
    }
    let (bar, layout) = AppColumn.wideLayout(for: widths, columns, width: rect.width - 2)
    drawTable(
      into: &grid, rect: rect, columns: layout, rowCount: list.count,
      row: { index in
        let app = shared.lab.apps[list.matches[index]]
        let tie = above.isEmpty ? "" : brace(at: index, shared)
        return columns.map { $0.wideCell(of: app, bar: bar, brace: tie, in: shared) }
      }, state: list.state, focused: shared.panel == 0,
      isMarked: { list.isMarked(list.matches[$0]) }, headings: headings(above), list: 0)
    drawMotion(shared, headings: above, into: &grid, rect)
  }

  private func headings(_ starts: [Int]) -> [Int: String] {
    var headings: [Int: String] = [:]
    for place in starts { headings[place] = groups[clients[list.matches[place]]]?.heading }
    return headings
  }

  /// Returns the brace that ties together the rows with the same client ID and keychain access group.
  private func brace(at place: Int, _ shared: SharedState) -> String {
    let client = clients[list.matches[place]]
    guard let sharers = groups[client]?.sharers else { return "  " }
    func shares(_ other: Int) -> Bool {
      let row = list.matches[other]
      return clients[row] == client && sharers.contains(shared.lab.apps[row].bundleID)
    }
    let sharing = list.matches.indices.filter(shares)
    guard let first = sharing.first, let last = sharing.last, first < last, first <= place, place <= last
    else { return "  " }
    if !shares(place) { return "│ " }
    return place == first ? "┌ " : place == last ? "└ " : "├ "
  }

  private func drawMotion(
    _ shared: SharedState, headings: [Int] = [], into grid: inout Grid, _ rect: Rect
  ) {
    guard let motion = shared.motion else { return }
    let rows = rect.splitTop(1).1
    let visible = list.state.visible(height: rows.height, count: list.count)
    guard let place = visible.first(where: { motion.isOf(shared.lab.apps[list.matches[$0]]) }) else { return }
    let above = headings.count { $0 <= place }
    motion.draw(over: rows.rows(place - visible.lowerBound + above, 1), into: &grid)
  }

  private func isByAccount(_ shared: SharedState) -> Bool { shared.lab.apps.contains { $0.account != nil } }

  private func drawNext(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard let app = selected(shared) else {
      _ = grid.panel(rect, "Next silent call", focused: shared.panel == 1)
      return
    }
    let title = "\(app.title): next silent call"
    let inner = grid.panel(
      rect, columnWidth(title) + 2 < rect.width ? title : app.title, focused: shared.panel == 1)
    let width = inner.width - 2
    var lines = wrapped("NEXT " + app.nextInWords, width, indent: "     ")
      .map { PanelLine($0, app.next.style) }
    // Failed conditions are listed, and the others are counted; `w` lists them. The sentence above states the first.
    let failed = app.next.checks.filter { $0.verdict == .failed }
    let isSaid = failed.first.map { app.next.sentence.contains($0.reason) } ?? false
    if isSaid, let values = failed.first?.contrast {
      lines += fieldLines("", values, width: width, label: 5, style: .bad)
    }
    lines += checkLines(Array(failed.dropFirst(isSaid ? 1 : 0)), width: width)
    let held = app.next.checks.count { $0.verdict == .passed }
    if held > 0 {
      lines.append(
        PanelLine(
          shared.keys.fill(
            "✓ \(counted(held, "condition")) \(held == 1 ? "holds" : "hold") (press {why}, then a)"), .dim))
    }
    lines.append(PanelLine(""))
    let whole = facts(of: app, width: width, spare: .max)
    let room = inner.height - lines.count
    if whole.count <= room {
      lines += whole
    } else {
      let short = facts(of: app, width: width, spare: 0)
      lines += short.count < room ? facts(of: app, width: width, spare: room - short.count) : short
    }
    grid.lines(lines, in: inner, scroll: shared.scroll(ofPanel: 1))
  }

  /// Returns the configuration of an app.
  ///
  /// A value that does not fit beside its name is below it, as far as there are `spare` lines, or else truncated.
  private func facts(of app: AppRow, width: Int, spare: Int) -> [PanelLine] {
    var spare = spare
    func fact(_ name: String, _ value: String) -> [PanelLine] {
      let whole = wholeField(name, value, width: width)
      guard whole.count - 1 <= spare else { return [field(name, value, width: width)] }
      spare -= whole.count - 1
      return whole
    }
    var lines = fact("Account", app.accountText) + fact("Client ID", app.clientID)
    lines += fact("Redirect", app.redirectURI)
    lines += fact("Library", "\(app.libraryText)  \(app.storage.signerLabel) \(app.teamID)")
    lines += fieldLines("Broker", app.broker, width: width)
    // The lab does not simulate the cache of a platform whose apps are only stand-ins.
    if !app.isStandIn {
      lines += fact(app.storage.label, app.accessGroup)
      let mates =
        app.sharesGroupWith.isEmpty ? "with no other app" : app.sharesGroupWith.joined(separator: ", ")
      lines += fieldLines("Shared", mates, width: width)
    }
    if let target = app.target { lines += fact("Scopes", target) }
    return lines
      + app.warnings.flatMap { wrapped("! " + $0, width, indent: "  ").map { PanelLine($0, .warning) } }
  }

  /// Draws what each other app can use of the selected app's sign-in, and vice versa.
  private func drawSharing(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard !rect.isEmpty, let app = selected(shared) else { return }
    let inner = grid.panel(
      rect, "Who reuses whose sign-in", trailing: shared.keys.fill("{who reuses}"), focused: false)
    let width = inner.width - 2
    let names = shared.lab.appNames
    func lines(_ title: String, _ pairs: [Visibility], _ other: (Visibility) -> String) -> [PanelLine] {
      [PanelLine(title, .dim)]
        + pairs.flatMap { pair in
          wrapped("\(pair.glyph) \(names[other(pair)] ?? other(pair)): \(pair.reason)", width, indent: "  ")
            .map { PanelLine($0, pair.extent == .nothing ? .plain : pair.style) }
        }
    }
    grid.lines(
      lines("Its sign-in is used by", sharing.filter { $0.signedIn == app.bundleID }, \.looking)
        + [PanelLine("")]
        + lines("It uses the sign-in of", sharing.filter { $0.looking == app.bundleID }, \.signedIn),
      in: inner)
  }

  private func drawEvents(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let link = "4 Trace"
    let inner = grid.panel(rect, "Events", trailing: link, focused: false)
    let place = Rect(x: rect.maxX - link.count - 1, y: rect.y, width: link.count, height: 1)
    grid.add(Touch(.tab(Place.traces.tab), place))
    guard !events.isEmpty else {
      // The first step of a demo is a sign-in too, which the status line names.
      let first = shared.hasDemo ? "Press {demo next} to run step 1." : "Press {signin} to sign in."
      return grid.emptyState([shared.keys.fill("No events yet. " + first)], in: inner)
    }
    // Titles are shown in full, because the end of a title says which app it was.
    let lines = events.prefix(inner.height).flatMap { trace in
      wrapped(
        shared.times.minute(trace.at) + " \(trace.glyph) " + trace.displayText(shared.lab),
        inner.width - 2, indent: "        "
      ).map { (PanelLine($0, trace.style), trace.id) }
    }.prefix(inner.height)
    grid.lines(lines.map(\.0), in: inner)
    for (row, line) in lines.enumerated() {
      grid.add(Touch(.place("trace/\(line.1)"), inner.rows(row, 1)))
    }
  }
}

extension Prediction {
  var glyph: String { kind.isSilent ? "✓" : kind == .prompt ? "!" : "✗" }

  var style: Style {
    switch kind {
    case .cache: .good
    case .appRefreshToken, .familyRefreshToken, .broker, .ownSecret: .accent
    case .prompt: .warning
    case .failure: .bad
    }
  }
}

/// The apps with the same client ID and the facts that they share, which are shown above their rows in a wide window.
struct AppGroup: Equatable, Sendable {
  /// The vendor, or an empty string for several vendors, because the client ID belongs to only one of them.
  var vendor: String
  var clientID: String
  /// The keychain access group that most of the apps use, or an empty string on Windows.
  var accessGroup: String
  /// The storage of the tokens of all apps.
  var storage: Party
  /// The bundle IDs of the apps that use this access group.
  var sharers: Set<String>
  var appCount: Int
  /// The way in which all of the apps call the broker, or `nil` if they differ.
  var broker: String?
  /// The line above the rows, composed once for the rows and not for each drawing.
  private(set) var heading = ""

  init(_ rows: [AppRow]) {
    var groups: [String: Set<String>] = [:]
    for row in rows where !row.isStandIn {
      groups[row.accessGroup, default: []].insert(row.bundleID)
    }
    let most = groups.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    vendor = Set(rows.map(\.vendor)).count == 1 ? rows[0].vendor : ""
    clientID = rows.first?.clientID ?? ""
    accessGroup = most?.key ?? ""
    storage = rows.first?.storage ?? .keychain
    sharers = most?.value ?? []
    appCount = Set(rows.map(\.bundleID)).count
    broker = Set(rows.map(\.broker)).count == 1 ? rows.first?.broker : nil
    heading = headingText()
  }

  /// Returns the line above the rows: `Contoso client b6c6… keychain TEAM.group (2 of 3) broker …`.
  private func headingText() -> String {
    var words = vendor.isEmpty ? [] : [vendor]
    words.append("client " + clientID)
    if !accessGroup.isEmpty {
      words.append(
        "\(storage.label.lowercased()) \(accessGroup)"
          + (sharers.count < appCount ? " (\(sharers.count) of \(appCount))" : ""))
    }
    // The reason that the broker is not used is shown for the selected app.
    if let broker {
      let use = broker.prefix { $0 != ":" }
      words.append(use == "not used" ? "no broker" : "broker \(use)")
    }
    return words.joined(separator: "  ")
  }
}

extension [AppRow] {
  /// The rows ordered so that rows with the same client ID are together, at the place of the first of them.
  var byClient: [AppRow] {
    var order: [String: Int] = [:]
    for row in self where order[row.clientID] == nil { order[row.clientID] = order.count }
    return enumerated().sorted { one, other in
      (order[one.element.clientID] ?? 0, one.offset) < (order[other.element.clientID] ?? 0, other.offset)
    }.map(\.element)
  }

  /// The groups of apps, by client ID.
  var groups: [String: AppGroup] {
    Dictionary(grouping: self, by: \.clientID).mapValues { AppGroup($0) }
  }
}
