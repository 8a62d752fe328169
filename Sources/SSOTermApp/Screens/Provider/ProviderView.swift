import SSOLab
import SSOProvider
import SSOServer
import TerminalUI

extension ProviderScreen {
  /// The rows of the server's panel with its fields, the broker's state, and a blank line.
  private static let rowsWhenIdle = 7

  func panels(in layout: Layout) -> Layout.Panels {
    // The upper part is for the server and its requests, because the picker shows waiting sign-ins and there are few
    // faults.
    let isIdle = server == .off && requests.isEmpty
    let rows = isIdle ? min(Self.rowsWhenIdle, layout.body.height / 2) : layout.body.height / 2
    let (server, lower) = layout.body.splitTop(
      layout.isRegular ? rows : min(6, layout.body.height * 2 / 5))
    var panels = layout.pair(left: layout.size.width / 2, top: lower.height / 2, in: lower)
    panels.third = server
    return panels
  }

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    // If there is no room for the server's own panel, its state is in the frame.
    let state = panels.third.isEmpty ? server.displayText : ""
    drawSignIns(shared, into: &grid, panels.first, state)
    drawFaults(shared, into: &grid, panels.second)
    drawServer(shared, into: &grid, panels.third)
  }

  private func drawSignIns(_ shared: SharedState, into grid: inout Grid, _ rect: Rect, _ state: String) {
    let ended = rows.waiting.count { $0.ended != nil }
    let count =
      ended == 0 || signIns.isFiltered ? signIns.countText : "\(signIns.count - ended), \(ended) ended"
    let inner = grid.panel(
      rect, "Pending sign-ins \(count)", trailing: state, focused: shared.panel == 0)
    guard signIns.count > 0 else {
      return grid.emptyState(
        of: signIns, "sign-in",
        [
          server.port == nil && bus == .off
            ? "The server is off: press s to start it." : "No sign-ins are waiting."
        ],
        in: inner)
    }
    let remarks = remarks(width: inner.width - 2, hasServer: state.isEmpty)
    let (list, below) = inner.splitBottom(min(remarks.count, max(0, inner.height - 3)))
    grid.lines(remarks, in: below)
    drawTable(
      into: &grid, rect: list,
      columns: [
        TableColumn("NO", width: .fixed(2)), TableColumn("CLIENT", width: .flexible(min: 10, weight: 2)),
        TableColumn("PROGRAM", width: .flexible(min: 8, weight: 1), priority: 1),
        TableColumn("STATE", width: .fixed(9)),
        TableColumn("LEFT", width: .fixed(4), align: .right),
      ], rowCount: signIns.count,
      row: { index in
        let waiting = rows.waiting[signIns.matches[index]]
        return [
          TableCell(waiting.caller == nil && !waiting.number.isEmpty ? waiting.number : "-", .bold),
          TableCell(waiting.client), TableCell(waiting.caller ?? waiting.program, .dim),
          waiting.ended != nil
            ? TableCell("✗ ended", .bad)
            : TableCell(
              waiting.devicePage != nil ? "code" : raised.contains(waiting.id) ? "postponed" : "waits"),
          TableCell(shortDuration(waiting.secondsLeft), .warning),
        ]
      }, state: signIns.state, focused: shared.panel == 0, list: 0)
  }

  /// Returns where else the selected sign-in can be answered, and the reason that an answer would not reach a program.
  ///
  /// `hasServer` is whether the server's panel is shown above.
  private func remarks(width: Int, hasServer: Bool) -> [PanelLine] {
    let place = selectedSignIn.flatMap { waiting in
      waiting.devicePage.map { page in
        // An address that breaks across lines cannot be clicked; the server's panel, which is wider, also shows it.
        let way =
          columnWidth(page) < width || !hasServer
          ? "or type it at \(page)." : "or type it at the address above."
        return wrapped("Code \(waiting.userCode ?? ""). Enter answers it here, \(way)", width)
      }
    }
    let why = selectedSignIn?.ended.map { wrapped("Ended: \($0).", width) }
    return (place ?? []).map { PanelLine($0) } + (why ?? []).map { PanelLine($0, .bad) }
  }

  private func drawFaults(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let inner = grid.panel(rect, "Faults \(faults.countText)", focused: shared.panel == 1)
    guard faults.count > 0 else {
      return grid.emptyState(of: faults, "fault", ["No faults. Press a to add one."], in: inner)
    }
    drawTable(
      into: &grid, rect: inner,
      columns: [
        TableColumn("WHERE", width: .fixed(10)), TableColumn("WHAT", width: .flexible(min: 10, weight: 2)),
        TableColumn("FOR", width: .flexible(min: 8, weight: 1), cut: .middle, priority: 1),
        TableColumn("LEFT", width: .fixed(5), align: .right),
      ], rowCount: faults.count,
      row: { index in
        let fault = rows.faults[faults.matches[index]]
        return [
          TableCell(fault.endpoint.rawValue), TableCell(fault.kind.text, .bad),
          TableCell(fault.clientID ?? "any", .dim),
          TableCell(fault.remaining.map(String.init) ?? "stays", .warning),
        ]
      }, state: faults.state, focused: shared.panel == 1, list: 1)
  }

  /// Returns a request, which ends with its result, in a limited width, shortening tenant IDs first and then cutting
  /// the middle.
  private static func requestLine(_ line: String, width: Int) -> String {
    guard columnWidth(line) > width else { return line }
    return middleTruncated(withShortTenants(line), width)
  }

  private func drawServer(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard !rect.isEmpty else { return grid.omit("the server's address") }
    let inner = grid.panel(rect, "Server", trailing: server.displayText, focused: false)
    let width = inner.width - 2
    let tenant = rows.tenantID.isEmpty ? "…" : rows.tenantID
    let origin = serverOrigin(port: server.port ?? settings.port)
    var lines = [
      field("Issuer", "\(origin)/\(tenant)/v2.0", width: width, style: server.port == nil ? .dim : .plain),
      field("CA file", rows.authorityFile, width: width),
      field("Answers", settings.approval.displayText, width: width),
      field(
        "Shells",
        shared.lab.environmentLine ?? "not for a demo, whose lab is in memory",
        width: width, style: .dim),
    ]
    if let page = selectedSignIn?.devicePage {
      lines.insert(field("Type code", page, width: width), at: 1)
    }
    if bus != .off {
      let waiting = rows.waiting.filter { $0.caller != nil }.count
      lines.append(field("Broker", bus.displayText(waiting: waiting), width: width))
    }
    let room = max(0, inner.height - lines.count)
    if case .on = server, requests.isEmpty, room > 1 {
      lines += [PanelLine(""), PanelLine("No requests yet.", .dim)]
    }
    lines += requests.prefix(room).map { PanelLine(Self.requestLine($0, width: width), .dim) }
    grid.lines(Array(lines.prefix(inner.height)), in: inner)
  }
}
