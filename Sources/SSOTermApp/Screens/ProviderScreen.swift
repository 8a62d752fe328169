import SSOLab
import SSOProvider
import TerminalUI

/// The provider: its socket, the sign-ins of real programs that wait, and the faults that are set.
func drawProvider(_ model: AppModel, into grid: inout Grid, _ panels: Layout.Panels) {
  // Where there is no room for the server's own panel, its state stands in the frame.
  let state = panels.third.isEmpty ? model.serving.state.words : ""
  drawSignIns(model, into: &grid, panels.first, state)
  drawFaults(model, into: &grid, panels.second)
  drawServer(model, into: &grid, panels.third)
}

private func drawSignIns(_ model: AppModel, into grid: inout Grid, _ rect: Rect, _ state: String) {
  let inner = grid.panel(
    rect, "Sign-ins that wait \(model.signIns.countText)", trailing: state, focused: model.panel == 0)
  guard model.signIns.count > 0 else {
    return grid.emptyState(
      of: model.signIns, "sign-in",
      [model.serving.port == nil ? "The server is off: s starts it." : "Nobody waits."], in: inner)
  }
  drawTable(
    into: &grid, rect: inner,
    columns: [
      TableColumn("NO", width: .fixed(2)), TableColumn("WHO ASKS", width: .flexible(min: 10, weight: 2)),
      TableColumn("PROGRAM", width: .flexible(min: 8, weight: 1), priority: 1),
      TableColumn("LEFT", width: .fixed(4), align: .right),
    ], rowCount: model.signIns.count,
    row: { index in
      let waiting = model.serving.rows.waiting[model.signIns.matches[index]]
      return [
        TableCell(waiting.number, .bold), TableCell(waiting.client), TableCell(waiting.program, .dim),
        TableCell(shortDuration(waiting.secondsLeft), .warning),
      ]
    }, state: model.signIns.state, focused: model.panel == 0, list: 0)
}

private func drawFaults(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  let inner = grid.panel(rect, "Faults \(model.faults.countText)", focused: model.panel == 1)
  guard model.faults.count > 0 else {
    return grid.emptyState(of: model.faults, "fault", ["The provider works. a makes it fail."], in: inner)
  }
  drawTable(
    into: &grid, rect: inner,
    columns: [
      TableColumn("WHERE", width: .fixed(10)), TableColumn("WHAT", width: .flexible(min: 10, weight: 2)),
      TableColumn("FOR", width: .flexible(min: 8, weight: 1), cut: .middle, priority: 1),
      TableColumn("LEFT", width: .fixed(5), align: .right),
    ], rowCount: model.faults.count,
    row: { index in
      let fault = model.serving.rows.faults[model.faults.matches[index]]
      return [
        TableCell(fault.endpoint.rawValue), TableCell(fault.kind.text, .bad),
        TableCell(fault.clientID ?? "any", .dim),
        TableCell(fault.remaining.map(String.init) ?? "stays", .warning),
      ]
    }, state: model.faults.state, focused: model.panel == 1, list: 1)
}

private func drawServer(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let serving = model.serving
  let inner = grid.panel(rect, "Server", trailing: serving.state.words, focused: false)
  let width = inner.width - 2
  let tenant = serving.rows.tenantID.isEmpty ? "…" : serving.rows.tenantID
  let origin = serverOrigin(port: serving.port ?? serving.wish.port)
  var lines = [
    field("Issuer", "\(origin)/\(tenant)/v2.0", width: width, style: serving.port == nil ? .dim : .plain),
    field("Trust", serving.rows.authorityFile, width: width),
    field("Answers", serving.wish.approval.words, width: width),
    field(
      "Shells",
      model.environmentLine ?? "none: nobody else can read a demo's store",
      width: width, style: .dim),
  ]
  let room = max(0, inner.height - lines.count)
  if case .on = serving.state, serving.requests.isEmpty, room > 1 {
    lines += [PanelLine(""), PanelLine("No program has asked for anything yet.", .dim)]
  }
  lines += serving.requests.prefix(room).map { PanelLine($0, .dim) }
  grid.lines(Array(lines.prefix(inner.height)), in: inner)
}

extension Serving.State {
  fileprivate var words: String {
    switch self {
    case .off: "off"
    case .starting(let port): "starting on \(port)"
    case .on(let port): "● on, port \(port)"
    case .stopping: "stopping"
    }
  }
}

/// A fault as it is put together, and as the command line has it.
func drawFaultForm(_ form: FaultForm, into grid: inout Grid, _ layout: Layout) {
  let width = min(70, layout.size.width)
  let area = layout.body.centred(
    width: width, height: min(layout.body.height, FaultForm.Part.allCases.count + 4))
  let inner = grid.panel(area, "Let the provider fail", focused: true)
  let (rows, foot) = inner.splitTop(FaultForm.Part.allCases.count)
  drawTable(
    into: &grid, rect: rows,
    columns: [TableColumn("", width: .fixed(10)), TableColumn("", width: .flexible(min: 12, weight: 1))],
    rowCount: form.list.count,
    row: { form.cells(FaultForm.Part.allCases[$0]) }, state: form.list.state, list: 0)
  grid.lines([PanelLine(""), PanelLine(form.commandLine, .dim)], in: foot)
}

extension FaultForm {
  fileprivate func cells(_ part: Part) -> [TableCell] {
    switch part {
    case .kind: [TableCell("What"), TableCell(fault.kind.text, .bad)]
    case .endpoint: [TableCell("Where"), TableCell(fault.endpoint.rawValue)]
    case .client: [TableCell("For whom"), TableCell(fault.clientID ?? "any")]
    case .times: [TableCell("How often"), TableCell(fault.remaining.map(String.init) ?? Self.always)]
    case .set: [TableCell("[ set it ]", .accent)]
    }
  }

  fileprivate var commandLine: String {
    let client = fault.clientID.map { " --client \($0)" } ?? ""
    let times = fault.remaining.map { " --times \($0)" } ?? ""
    return "ssoterm fault add \(fault.endpoint.rawValue) \(fault.kind.text)\(client)\(times)"
  }
}
